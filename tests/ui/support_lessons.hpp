// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QSettings>

#include "core/lessons/places.hpp"
#include "support_window.hpp"
#include "ui/lessons/lesson_panel.hpp"
#include "ui/widgets/card.hpp"
#include "ui/window/lesson_desk.hpp"

/// What the tests of lessons share: a small lesson, and a window to open it in.
namespace lessons_test {

inline QByteArray lesson_text() {
    return R"({
  "format": "scalescope-lesson",
  "version": 1,
  "title": "A lesson to try",
  "summary": "What the tests do.",
  "minutes": 5,
  "given": ["24"],
  "steps": [
    {
      "title": "More workers, smaller shares",
      "text": ["# Heading", "Text with *emphasis*, **weight** and $n * t_1 / t_n$.", "- one", "- two",
               "$$ communication / step $$"],
      "scenario": "example",
      "set": {"cluster.workers": 2},
      "point": ["cluster.workers"],
      "charts": ["step-time"],
      "task": {
        "sentence": "Drag the workers until communication takes a quarter of the step.",
        "condition": "communication > step / 4",
        "hints": ["The slider is above the charts.", "Try 24."],
        "solution": {"cluster.workers": 64}
      }
    },
    {
      "title": "One control",
      "text": ["The batch alone."],
      "set": {"training.batch": 64},
      "show": ["training.batch"]
    },
    {
      "title": "A question",
      "text": ["Go on with what you have."],
      "question": {
        "text": "What grows?",
        "answers": [
          {"text": "The computing.", "explanation": "Each worker has less of it."},
          {"text": "The communication.", "right": true, "explanation": "More of them exchange."}
        ]
      }
    },
    {"title": "The end", "text": ["That was it."], "set": {"cluster.workers": 16}}
  ]
}
)";
}

class LessonFixture : protected window_test::WindowFixture {
protected:
    using WindowFixture = window_test::WindowFixture;
    void open() {
        QSettings().remove(QStringLiteral("lessons"));
        WindowFixture::open();
    }
    void close() { window_.reset(); }
    /// Until the hand's last edit has its full answer: tasks are judged at rest.
    void settle() {
        WindowFixture::settle();
        const auto full = [this] { return !window_->result() || !window_->result()->request.dragging; };
        if (!window_->document().dragging() && !QTest::qWaitFor(full)) qFatal("no full answer");
        WindowFixture::settle();
    }
    void open_lesson() {
        window_->open(write("lesson.json", lesson_text()));
        QVERIFY(window_->finish_opening());
        settle();
    }
    scalescope::ui::LessonDesk& desk() { return window_->lessons(); }
    scalescope::ui::LessonPanel& panel() { return *desk().panel(); }
    /// Where every dock stands that is to be seen.
    QMap<QString, QRect> dock_places() {
        QMap<QString, QRect> all;
        for (const auto* dock : window_->findChildren<scalescope::ui::DockCard*>())
            if (dock->isVisible()) all[dock->objectName()] = dock->geometry();
        return all;
    }
    QString label(const char* name) { return find<QLabel>(name)->text(); }
    QAction& action(const char* name) { return *find<QAction>(name); }
    void click_next() {
        QTest::mouseClick(panel().next_button(), Qt::LeftButton);
        settle();
    }
    void set_workers(std::int64_t workers) {
        scalescope::Scenario s = scenario();
        s.cluster.workers = workers;
        window_->document().edit(std::move(s));
        settle();
    }
};

}  // namespace lessons_test
