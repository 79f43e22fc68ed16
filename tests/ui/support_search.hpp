// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>

#include "support_window.hpp"
#include "ui/search/question_panel.hpp"
#include "ui/search/results_page.hpp"
#include "ui/search/search_window.hpp"
#include "ui/search/vary_list.hpp"
#include "ui/search/where_list.hpp"

namespace window_test {

/// The window that finds the best, open beside the main window.
struct SearchFixture : WindowFixture {
    scalescope::ui::SearchWindow& finder() { return window_->finder(); }
    scalescope::ui::SearchDocument& document() { return finder().document(); }
    scalescope::ui::ResultsPage& results() { return *finder().results(); }
    template <class T>
    T* in(const char* name) {
        T* w = finder().findChild<T*>(QLatin1String(name));
        if (!w) qFatal("no widget %s", name);
        return w;
    }
    scalescope::ui::VaryList& vary() { return *finder().findChild<scalescope::ui::VaryList*>(); }
    scalescope::ui::WhereList& where() { return *finder().findChild<scalescope::ui::WhereList*>(); }

    void show_finder() {
        window_->findChild<QAction*>(QStringLiteral("findBest"))->trigger();
        QVERIFY(QTest::qWaitForWindowActive(&finder()));
        settle();
    }
    void ask(std::vector<scalescope::search::Varied> varied, std::vector<std::string> conditions = {}) {
        scalescope::search::Asked asked = document().asked();
        asked.vary = std::move(varied);
        asked.where = std::move(conditions);
        document().set_asked(asked);
    }
    void found() {
        QVERIFY(document().work().finish(std::chrono::seconds(60)));
        document().thinking().finish();
        settle();
    }
    void search() {
        QTest::mouseClick(finder().question()->button(), Qt::LeftButton);
        QVERIFY(document().running());
        found();
    }
    void type(QLineEdit* line, const char* text) {
        line->setFocus();
        line->selectAll();
        QTest::keyClicks(line, QLatin1String(text));
    }
    QMenu* where_menu() { return in<QPushButton>("whereAdd")->menu(); }
    void open_finder() {
        open();
        show_finder();
    }
};

}  // namespace window_test
