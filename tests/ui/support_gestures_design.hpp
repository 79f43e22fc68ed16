// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QClipboard>
#include <QMenuBar>
#include <QString>

#include "core/formats/scenario_text.hpp"
#include "core/network/kinds/kinds.hpp"
#include "support_drops.hpp"
#include "support_gestures_hand.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/canvas/canvas_editor.hpp"
#include "ui/canvas/canvas_scene.hpp"
#include "ui/canvas/canvas_view.hpp"
#include "ui/commands/command_sources.hpp"
#include "ui/gallery/gallery_dialog.hpp"
#include "ui/language/told.hpp"
#include "ui/measure/measure_window.hpp"
#include "ui/measure/validation_page.hpp"
#include "ui/search/search_window.hpp"

/// Gestures that edit the open design or replace it.
namespace window_test {

using namespace scalescope;
using namespace scalescope::ui;

/// Lists of the panels, and fields as the command palette sets them.
inline QString edit_design(Hand& hand) {
    Document& d = hand.window().document();
    Commands all;
    if (hand.one_in(2)) {
        add_choices(all, hand.window());
        std::erase_if(all, [](const Command& c) { return !c.enabled; });
    } else {
        const QString typed = QStringLiteral("%1 %2").arg(
            hand.any_of(QStringList{QStringLiteral("workers"), QStringLiteral("batch"), QStringLiteral("efficiency")}),
            QString::number(1 + hand.below(256)));
        all = setting_commands(typed, d, hand.window().library().catalogue);
        std::erase_if(all, [](const Command& c) { return !c.enabled; });
    }
    if (hand.one_in(4)) {
        d.pin();
        return QStringLiteral("pin");
    }
    if (hand.one_in(8) && !d.pins().empty()) {
        d.swap_with_pin(static_cast<std::size_t>(hand.below(static_cast<int>(d.pins().size()))));
        return QStringLiteral("swap with a pin");
    }
    if (all.empty()) return QStringLiteral("nothing to set");
    const Command& c = hand.any_of(all);
    c.run();
    return QStringLiteral("set %1 (%2)").arg(c.title, c.id);
}

inline QString draw(Hand& hand) {
    auto* canvas = hand.window().findChild<Canvas*>();
    if (!canvas->isVisible()) {
        for (QAction* a : hand.window().findChildren<QAction*>())
            if (a->shortcut() == QKeySequence(Qt::CTRL | Qt::Key_G)) a->trigger();
        return QStringLiteral("show the canvas");
    }
    const auto boxes = canvas->scene().boxes();
    if (!boxes.empty() && hand.one_in(2)) {
        const auto& layers = canvas->scene().sketch()->layers;
        if (!layers.empty()) canvas->scene().select({hand.any_of(layers).name});
        if (hand.one_in(2)) {
            canvas->editor().remove_selected();
            return QStringLiteral("delete a layer");
        }
        if (hand.one_in(2)) {
            canvas->editor().duplicate_selected();
            return QStringLiteral("duplicate a layer");
        }
        canvas->editor().cut_selected();
        return QStringLiteral("cut a layer");
    }
    if (hand.one_in(4)) {
        canvas->editor().paste();
        return QStringLiteral("paste onto the canvas");
    }
    const auto kinds = all_kinds();
    canvas->editor().insert(*kinds[static_cast<std::size_t>(hand.below(static_cast<int>(kinds.size())))]);
    return QStringLiteral("insert a layer");
}

/// Every action of every menu but those that end the program or need a printer; the palette walks the same.
inline QString run_command(Hand& hand) {
    Commands all;
    add_actions(all, *hand.window().menuBar());
    std::erase_if(all, [](const Command& c) {
        return !c.enabled || c.keys == QKeySequence(QKeySequence::Quit).toString(QKeySequence::NativeText) ||
               c.keys == QKeySequence(QKeySequence::Print).toString(QKeySequence::NativeText) ||
               c.id.contains(QLatin1String("▸ undo")) || c.id.contains(QLatin1String("▸ redo"));
    });
    // Other colours and sizes take a second each, and touch no design.
    if (!hand.one_in(10))
        std::erase_if(all, [](const Command& c) {
            return c.place.contains(QLatin1String("Appearance")) || c.id.endsWith(QLatin1String("present"));
        });
    const Command& c = hand.any_of(all);
    c.run();
    return c.id;
}

inline QString drop(Hand& hand, const QString& what, bool as_text) {
    QMimeData brought;
    if (as_text)
        brought.setText(what);
    else
        brought.setUrls({QUrl::fromLocalFile(what)});
    drop_on(hand.window(), brought);
    return QStringLiteral("drop %1").arg(what.left(60));
}

inline QString link(Hand& hand) {
    Scenario s = example_scenario(hand.window().library());
    s.name = "Pasted";
    s.cluster.workers = 1 + hand.below(64);
    return QString::fromStdString(formats::to_link(s, hand.window().library()).value());
}

inline QString replace_design(Hand& hand) {
    const formats::Library& library = hand.window().library();
    switch (hand.below(9)) {
        case 0: hand.window().reset_to_example(); return QStringLiteral("reset to the example");
        case 1: {
            const auto& preset = hand.any_of(library.scenarios);
            hand.window().open_scenario_preset(plain(preset.id));
            return QStringLiteral("preset %1").arg(plain(preset.id));
        }
        case 2: {
            for (QAction* a : hand.window().findChildren<QAction*>(QStringLiteral("presets"))) a->trigger();
            auto* gallery = hand.window().findChild<GalleryDialog*>();
            const auto& preset = hand.any_of(library.networks);
            emit gallery->chosen(GalleryDialog::Kind::network, plain(preset.id));
            return QStringLiteral("network %1 of the gallery").arg(plain(preset.id));
        }
        case 3: {
            QGuiApplication::clipboard()->setText(link(hand));
            hand.window().findChild<QAction*>(QStringLiteral("pasteLink"))->trigger();
            return QStringLiteral("paste a scenario");
        }
        case 4: return drop(hand, link(hand), true);
        case 5: return drop(hand, hand.any_of(hand.to_open), false);
        case 6: {
            const QString& file = hand.any_of(hand.to_open);
            hand.window().open(file);
            return QStringLiteral("open %1").arg(file);
        }
        case 7: {
            Scenario found = hand.window().document().scenario();
            found.cluster.workers = 1 + hand.below(64);
            hand.window().finder().document().load(found);
            return QStringLiteral("load what was found");
        }
        default: {
            Scenario published = example_scenario(library);
            emit hand.window().measurements().validation_page()->scenario_asked(published, QStringLiteral("Published"));
            return QStringLiteral("a published configuration");
        }
    }
}

inline QString history(Hand& hand) {
    QUndoStack& steps = hand.window().document().history();
    if (hand.one_in(3)) {
        steps.redo();
        return QStringLiteral("redo");
    }
    steps.undo();
    return QStringLiteral("undo");
}

}  // namespace window_test
