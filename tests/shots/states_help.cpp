// SPDX-License-Identifier: GPL-3.0-or-later
// What helps a person along: help, commands, gallery, tour, preferences, the report's dialog; and how the window looks
// to those who see or hit worse.
#include <QAction>
#include <QLineEdit>
#include <QTest>

#include "tests/shots/hands.hpp"
#include "ui/charts/speedup_chart.hpp"
#include "ui/gallery/gallery_dialog.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/segmented_control.hpp"
#include "ui/window/help_dialogs.hpp"

namespace scalescope::shots {
namespace {

void do_action(MainWindow& w, const char* name) {
    find<QAction>(w, name)->trigger();
    QCoreApplication::processEvents();
}

GalleryDialog* gallery(MainWindow& w) {
    do_action(w, "presets");
    auto* dialog = w.findChild<GalleryDialog*>();
    dialog->finish_pictures();
    return dialog;
}

void large(MainWindow& w) {
    find<QAction>(w, "largeControls")->setChecked(true);
    settle(w);
}

}  // namespace

void add_help_states(std::vector<State>& states) {
    const auto add = [&](const char* name, QSize size, std::function<void(MainWindow&)> reach) {
        states.push_back({QLatin1String(name), size, std::move(reach)});
    };
    const QSize small(1024, 700), middle(1280, 800);
    add("shortcuts", usual, [](MainWindow& w) { do_action(w, "shortcutsAction"); });
    add("help", usual, [](MainWindow& w) {
        find<SpeedupChart>(w, "speedupChart")->setFocus();
        do_action(w, "help");
    });
    add("news", usual, [](MainWindow& w) { do_action(w, "news"); });
    add("about", usual, [](MainWindow& w) { show_about(&w); });
    add("preferences", middle, [](MainWindow& w) { do_action(w, "preferencesAction"); });
    add("preferences-large", middle, [](MainWindow& w) {
        large(w);
        do_action(w, "preferencesAction");
    });
    add("commands", usual, [](MainWindow& w) { do_action(w, "commands"); });
    add("commands-typed", middle, [](MainWindow& w) {
        do_action(w, "commands");
        find<QLineEdit>(w, "commandSearch")->setText(QStringLiteral("workers 16"));
    });
    add("gallery", middle, [](MainWindow& w) { gallery(w); });
    add("gallery-networks", middle, [](MainWindow& w) {
        GalleryDialog* dialog = gallery(w);
        dialog->kinds()->button(QString::number(int(GalleryDialog::Kind::network)))->click();
        dialog->finish_pictures();
    });
    add("gallery-devices", middle, [](MainWindow& w) {
        GalleryDialog* dialog = gallery(w);
        dialog->kinds()->button(QString::number(int(GalleryDialog::Kind::device)))->click();
        dialog->finish_pictures();
    });
    add("tour", small, [](MainWindow& w) { w.take_tour(); });
    add("adapters-dialog", usual, [](MainWindow& w) {
        choose_network(w, "transformers/llama-2-7b");
        do_action(w, "adapters");
    });
    add("report-dialog", middle, [](MainWindow& w) {
        w.document().pin();
        set_workers(w, 64);
        do_action(w, "report");
    });
    add("large-controls", middle, large);
    add("large-controls-small", small, large);
    add("large-controls-wide", {1920, 1080}, large);
    add("large-controls-page", small, [](MainWindow& w) {
        page(w, "sensitivity");
        large(w);
    });
    add("large-controls-compare", middle, [](MainWindow& w) {
        large(w);
        w.document().pin();
        set_workers(w, 64);
        page(w, "compare");
    });
    add("large-controls-canvas", middle, [](MainWindow& w) {
        large(w);
        canvas(w);
    });
}

}  // namespace scalescope::shots
