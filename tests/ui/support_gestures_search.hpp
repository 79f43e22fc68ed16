// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>

#include "support_gestures_controls.hpp"
#include "ui/charts/heat_chart.hpp"
#include "ui/charts/xy_chart.hpp"
#include "ui/search/question_panel.hpp"
#include "ui/search/results_page.hpp"
#include "ui/search/search_window.hpp"

/// Gestures on the window that finds the best.
namespace window_test {

inline void search_for(Hand& hand, int milliseconds) {
    SearchDocument& asked = hand.window().finder().document();
    asked.start();
    QElapsedTimer timer;
    for (timer.start(); asked.running() && timer.elapsed() < milliseconds;)
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
    asked.stop();
    asked.work().finish();
}

inline QString find_best(Hand& hand) {
    SearchWindow& finder = hand.window().finder();
    finder.show();
    QCoreApplication::processEvents();
    SearchDocument& asked = finder.document();
    const auto rows = asked.answer() ? asked.answer()->findings.result.best.size() : 0;
    switch (hand.below(6)) {
        case 0:
            if (auto* question = finder.question()->findChild<Combo*>(QStringLiteral("question")))
                return QStringLiteral("ask: ") + choose_any(hand, *question);
            [[fallthrough]];
        case 1: return QStringLiteral("ask: ") + use_any_control(hand, *finder.question());
        case 2: search_for(hand, 400); return QStringLiteral("search");
        case 3:
            if (rows == 0) return QStringLiteral("nothing was found yet");
            asked.choose(asked.answer()
                             ->findings.result.best[static_cast<std::size_t>(hand.below(static_cast<int>(rows)))]
                             .index);
            asked.load();
            return QStringLiteral("load a row of what was found");
        case 4:
            finder.results()->show_chart(hand.one_in(2) ? QStringLiteral("heat") : QStringLiteral("front"));
            return QStringLiteral("answer: ") + use_chart(hand, {{QStringLiteral("heat"), finder.results()->heat()},
                                                                 {QStringLiteral("front"), finder.results()->front()}});
        default: return QStringLiteral("answer: ") + use_any_control(hand, *finder.results());
    }
}

}  // namespace window_test
