// SPDX-License-Identifier: GPL-3.0-or-later
// The window that finds the best in its states.
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QPushButton>
#include <QTest>

#include "core/search/ask.hpp"
#include "tests/shots/hands.hpp"
#include "ui/charts/heat_chart.hpp"
#include "ui/charts/xy_chart.hpp"
#include "ui/measure/split_panes.hpp"
#include "ui/search/results_page.hpp"
#include "ui/search/search_window.hpp"
#include "ui/search/vary_list.hpp"
#include "ui/search/vary_row.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/pick_list.hpp"

namespace scalescope::shots {
namespace {

using search::Metric;

/// Above the main window, of which nothing is seen.
SearchWindow& finder(MainWindow& w, QSize size = {1240, 820}) {
    SearchWindow& f = w.finder();
    f.document().set_current(w.result());
    f.show();
    f.move(w.pos());
    f.resize(size);
    settle(w);
    return f;
}

void ask(SearchWindow& f, std::vector<search::Varied> vary, std::vector<std::string> where,
         std::vector<Metric> objectives) {
    search::Asked asked = f.document().asked();
    asked.vary = std::move(vary);
    asked.where = std::move(where);
    asked.objectives = std::move(objectives);
    f.document().set_asked(std::move(asked));
}

/// The cursor would belong to the main window below.
void point_at(Chart* chart, QPoint at) {
    QMouseEvent move(QEvent::MouseMove, at, chart->mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(chart, &move);
}

void found(MainWindow& w, SearchWindow& f) {
    f.document().work().finish();
    f.document().thinking().finish();
    settle(w);
}

/// Which priced GPU, how many, how: time against cost.
SearchWindow& searched(MainWindow& w, QSize size = {1240, 820}) {
    SearchWindow& f = finder(w, size);
    ask(f,
        {{"cluster.workers", "1..256*2"},
         {"cluster.device", search::usual_values("cluster.device", f.document().scenario(), w.library())},
         {"training.batch", "16..512*2"},
         {"parallelism.fill", "*"}},
        {"cost_per_hour <= 100 USD/h"}, {Metric::time, Metric::cost});
    f.document().start();
    found(w, f);
    return f;
}

}  // namespace

void add_search_states(std::vector<State>& states) {
    const auto add = [&](const char* name, QSize size, std::function<void(MainWindow&)> reach) {
        states.push_back({QString::fromLatin1(name), size, std::move(reach)});
    };
    add("search-empty", usual, [](MainWindow& w) { finder(w); });
    for (const auto& [name, question] : {std::pair("search-question-mesh", search::Ask::fastest_mesh),
                                         std::pair("search-question-fewest", search::Ask::fewest_devices)})
        add(name, usual, [question](MainWindow& w) {
            w.open_scenario_preset(QStringLiteral("llama-3-8b-h100"));
            settle(w);
            auto& f = finder(w);
            f.document().ask(question, search::usual_numbers(f.document().scenario()));
            f.document().start();
            found(w, f);
        });
    add("search-front", usual, [](MainWindow& w) {
        auto& f = searched(w);
        XyChart* chart = f.results()->front();
        for (const XySeries& s : chart->data().series)
            if (s.key == QLatin1String("front") && s.points.size() > 4) {
                const XyPoint& p = s.points[s.points.size() / 2];
                point_at(chart, QPoint(qRound(chart->x_pixel(p.x)), qRound(chart->y_pixel(p.y))));
            }
    });
    add("search-heat", usual, [](MainWindow& w) {
        auto& f = searched(w);
        f.results()->show_chart(QStringLiteral("heat"));
        settle(w);
        f.results()->heat()->refresh();
        point_at(f.results()->heat(), f.results()->heat()->cell_box(3, 1).center().toPoint());
    });
    add("search-gaps", usual, [](MainWindow& w) {
        auto& f = finder(w);
        ask(f, {{"cluster.workers", "1..256*2"}, {"training.batch", "16..512*2"}},
            {"training.batch % cluster.workers == 0"}, {Metric::throughput});
        f.results()->show_chart(QStringLiteral("heat"));
        f.document().start();
        found(w, f);
        f.results()->heat()->refresh();
        point_at(f.results()->heat(), f.results()->heat()->cell_box(6, 1).center().toPoint());
    });
    add("search-why", usual, [](MainWindow& w) {
        auto& f = searched(w);
        f.results()->panes()->show_tab(1);
        f.results()->panes()->share(2, 3);
        settle(w);
    });
    add("search-counts", usual, [](MainWindow& w) {
        auto& f = searched(w);
        f.results()->panes()->show_tab(2);
        settle(w);
    });
    const QSize small{900, 650};
    add("search-small", usual, [small](MainWindow& w) { searched(w, small); });
    add("search-small-heat", usual, [small](MainWindow& w) {
        auto& f = searched(w, small);
        f.results()->show_chart(QStringLiteral("heat"));
        f.results()->panes()->show_tab(1);
        settle(w);
    });
    add("search-none", usual, [](MainWindow& w) {
        auto& f = finder(w);
        ask(f, {{"cluster.workers", "1..256*2"}, {"parallelism.fill", "*"}}, {"step <= 1 ms", "devices <= 64"},
            {Metric::time});
        f.document().start();
        found(w, f);
    });
    add("search-errors", usual, [](MainWindow& w) {
        auto& f = finder(w);
        ask(f, {{"cluster.workers", "1..256*2"}, {"cluster.device", "tesla-k80,tesla-k81"}, {"", ""}},
            {"step <= 250 mss", "efficiency >= 50 %"}, {Metric::time, Metric::cost, Metric::energy});
        settle(w);
    });
    add("search-stale", usual, [](MainWindow& w) {
        auto& f = searched(w);
        Scenario next = w.document().scenario();
        next.training.optimizer = Optimizer::adam;
        w.document().edit(next);
        settle(w);
        f.results()->panes()->show_tab(0);
    });
    add("search-fields", usual, [](MainWindow& w) {
        auto& f = finder(w);
        f.findChild<VaryList*>()->row(1)->field()->open();
        settle(w);
    });
    add("search-devices", usual, [](MainWindow& w) {
        auto& f = searched(w);
        f.findChild<VaryList*>()->row(1)->names()->open();
        settle(w);
    });
    add("search-menu", usual, [](MainWindow& w) {
        auto& f = finder(w);
        auto* button = f.findChild<QPushButton*>(QStringLiteral("whereAdd"));
        button->menu()->popup(button->mapToGlobal(QPoint(0, button->height())));
        settle(w);
    });
    add("search-running", usual, [](MainWindow& w) {
        auto& f = finder(w);
        ask(f, {{"cluster.workers", "1..100000"}, {"training.batch", "1..2000"}, {"parallelism.fill", "*"}}, {},
            {Metric::time});
        f.document().start();
        const auto* rate = f.findChild<QLabel*>(QStringLiteral("searchRate"));
        if (!QTest::qWaitFor([rate] { return !rate->text().isEmpty(); }, 30'000)) qFatal("the search does not run");
    });
    add("search-small", usual, [](MainWindow& w) { searched(w, {900, 600}); });
}

}  // namespace scalescope::shots
