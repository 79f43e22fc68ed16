// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QElapsedTimer>
#include <QObject>
#include <QSize>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/lessons/lesson.hpp"
#include "ui/lessons/spotlight.hpp"

class QTimer;

namespace scalescope::ui {

class DockCard;
class MainWindow;

/// What of the window is on show while a lesson is open or somebody presents: controls and panels that come or go,
/// charts that are lit, fields that are pointed at. Once neither is the case the window is as it was before.
class LessonStage final : public QObject {
    Q_OBJECT
public:
    LessonStage(MainWindow& window, DockCard& dock);

    void begin();
    void show(const lessons::Step& step);
    void end();
    /// The charts and the workers alone, and what a lesson asks for beside them.
    void set_presenting(bool on);
    /// While somebody presents, a page that no step asks for is closed until the end.
    void put_page_away();
    /// Whether docks stand as this says.
    bool is_on() const { return lesson_ || presenting_; }
    /// Nothing that a step shows or hides asks for its room any more.
    bool has_settled() const { return !kept_.isValid(); }
    /// As wide as reading wants, and never most of the window.
    void fit_dock();
    /// Once what the step set has its answer: the border it speaks of comes into sight.
    void show_answer();
    /// Docks again, after the window or its canvas had a say.
    void settle();
    /// Docks come and go in `change`; settle() is to follow.
    void without_settling(const std::function<void()>& change);
    const Spotlight& spotlight() const { return spotlight_; }
    bool eventFilter(QObject* object, QEvent* event) override;
    /// The chart, panel or control of a field that a step names; nullptr if the window has none now.
    QWidget* place(const std::string& name) const;

private:
    MainWindow& window_;
    DockCard& dock_;
    Spotlight spotlight_;
    bool lesson_ = false, presenting_ = false, settling_ = false;
    lessons::Step step_;
    QTimer* settled_;
    QSize kept_;              ///< the window's, until a step has settled
    Qt::WindowStates state_;  ///< with it
    bool awaits_answer_ = false;
    QElapsedTimer since_step_;
    // Before:
    QByteArray layout_, layouts_[2];
    QByteArray lesson_layout_;  ///< of a lesson that is presented, before
    bool canvas_ = false;
    int numbers_height_ = 0;
    std::set<const QWidget*> shown_;
    // For this step:
    std::vector<QWidget*> curtained_;
    QString opened_page_, put_away_page_;
    bool opened_canvas_ = false;

    /// A panel that a step may name, besides charts and fields.
    struct Panel {
        const char* name;
        QWidget* widget;
        bool curtained = false;  ///< hidden by a curtain; others are hidden as docks or pages
    };
    std::vector<Panel> panels() const;
    enum class Wish { no, as_before, yes };
    Wish wish_of(const char* panel, const QWidget* content, bool room) const;
    bool names(const std::vector<std::string>& list, const char* panel, const QWidget* content) const;
    void keep_size();
    void settle_size();
    void restore_size();
    /// What the window may take.
    QSize room() const;
    /// The lesson's width from what the other panels leave.
    void give_way();
    int wanted_width() const;
    bool has_room_at_right() const;
    void keep_layout();
    void restore_layout();
    void open_curtains();
    void hide_controls();
    void show_pages();
    void light();
    void open_page_of(const QWidget& control);
    void reveal();
};

}  // namespace scalescope::ui
