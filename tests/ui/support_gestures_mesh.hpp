// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include "support_gestures_controls.hpp"
#include "ui/design/layer_list.hpp"
#include "ui/design/mesh_equation.hpp"
#include "ui/design/settings_panel.hpp"
#include "ui/design/verdict_card.hpp"
#include "ui/design/workers_panel.hpp"
#include "ui/inspect/device_map_page.hpp"
#include "ui/language/told.hpp"
#include "ui/live/analysis.hpp"
#include "ui/widgets/section.hpp"
#include "ui/widgets/tabs.hpp"

/// Gestures on what shows and changes the mesh: the card of parallelism, fixes of designs that do not fit, the device
/// map, settings, pages, folded blocks, and configurations of trainers.
namespace window_test {

/// A design that may have a mesh, so that its controls are there.
inline void open_mesh(Hand& hand) {
    std::vector<QString> ids;
    for (const auto& preset : hand.window().library().scenarios)
        if (preset.id.find("h100") != std::string::npos || preset.id.find("gpt") != std::string::npos)
            ids.push_back(plain(preset.id));
    hand.window().open_scenario_preset(hand.any_of(ids));
}

inline QString divide(Hand& hand) {
    auto* panel = hand.window().findChild<WorkersPanel*>();
    if (!panel->isVisible()) return QStringLiteral("the card is hidden");
    if (!has_meshes(hand.window().document().scenario()) && hand.one_in(2)) {
        open_mesh(hand);
        return QStringLiteral("open a mesh");
    }
    const auto locks = [&] {
        std::vector<QToolButton*> all;
        for (QToolButton* b : usable<QToolButton>(*panel))
            if (b->objectName().startsWith(QLatin1String("lock_"))) all.push_back(b);
        return all;
    };
    switch (hand.below(8)) {
        case 0:
            if (auto* way = panel->findChild<Combo*>(QStringLiteral("way")); way->isVisible())
                return choose_any(hand, *way);
            break;
        case 1:
            if (!has_meshes(hand.window().document().scenario())) break;
            emit panel->findChild<Combo*>(QStringLiteral("way"))->chosen(QStringLiteral("auto"));
            return QStringLiteral("way := auto");
        case 2:
            if (const auto all = locks(); !all.empty()) {
                QToolButton* lock = hand.any_of(all);
                lock->toggle();
                return QStringLiteral("toggle %1").arg(lock->objectName());
            }
            break;
        case 3:
            if (const auto fields = usable<NumberField>(*panel->findChild<MeshEquation*>()); !fields.empty())
                return change_number(hand, *hand.any_of(fields));
            break;
        case 4:
            if (auto* use = panel->findChild<QPushButton*>(QStringLiteral("useBest")); use->isVisible()) {
                use->click();
                return QStringLiteral("Use it");
            }
            break;
        case 5: {  // the nearest counts and degrees that divide, where these do not
            auto* misfit = panel->findChild<QLabel*>(QStringLiteral("meshMisfit"));
            if (const auto all = usable<QPushButton>(*misfit->parentWidget()); misfit->isVisible() && !all.empty()) {
                QPushButton* any = hand.any_of(all);
                const QString text = any->text();
                any->click();
                return QStringLiteral("make it divide: %1").arg(text);
            }
            auto* workers = panel->findChild<NumberField*>(QStringLiteral("workersField"));
            return change_number(hand, *workers);
        }
        case 6: return move_slider(hand, *panel->slider());
        default: break;
    }
    return use_any_control(hand, *panel);
}

inline QString fix(Hand& hand) {
    auto* verdict = hand.window().findChild<VerdictCard*>();
    if (const auto all = usable<QPushButton>(*verdict); verdict->isVisible() && !all.empty()) {
        QPushButton* any = hand.any_of(all);
        const QString name = any->accessibleName();
        any->click();
        return QStringLiteral("make it fit: %1").arg(name);
    }
    // Data parallelism alone fits least.
    auto* way = hand.window().findChild<Combo*>(QStringLiteral("way"));
    emit way->chosen(QStringLiteral("data"));
    return QStringLiteral("way := data");
}

inline QString look_at_page(Hand& hand) {
    auto* tabs = hand.window().findChild<BottomTabs*>();
    std::vector<QString> ids{QString()};
    for (const char* id : {"problems", "layers", "timeline", "sensitivity", "compare", "memory", "device-map",
                           "roofline", "timeline", "device-map"})
        if (!tabs->tab(QLatin1String(id))->isHidden()) ids.push_back(QLatin1String(id));
    const QString id = hand.any_of(ids);
    hand.window().show_bottom(id);
    if (hand.one_in(3)) return use_any_control(hand, *tabs);  // alone over the whole centre, and back
    return QStringLiteral("page %1").arg(id);
}

inline QString use_device_map(Hand& hand) {
    auto* page = hand.window().findChild<DeviceMapPage*>();
    if (!page->isVisible()) {
        if (!hand.window().findChild<BottomTabs*>()->tab(QStringLiteral("device-map"))->isHidden())
            hand.window().show_bottom(QStringLiteral("device-map"));
        return QStringLiteral("show the device map");
    }
    return hand.one_in(2) ? use_any_control(hand, *page)
                          : use_chart(hand, {{QStringLiteral("device-map"), page->findChild<Chart*>()}});
}

inline QString use_settings(Hand& hand) {
    auto* panel = hand.window().findChild<SettingsPanel*>();
    if (!panel->isVisible()) return QStringLiteral("the settings are hidden");
    auto* search = panel->findChild<QLineEdit*>(QStringLiteral("settingsSearch"));
    switch (hand.below(5)) {
        case 0: {
            const QString text = hand.any_of(QStringList{{},
                                                         QStringLiteral("rec"),
                                                         QStringLiteral("batch"),
                                                         QStringLiteral("tensor"),
                                                         QStringLiteral("zzz"),
                                                         {}});
            search->setText(text);
            return QStringLiteral("search settings: %1").arg(text);
        }
        case 1:
            if (const auto all = usable<Section>(*panel); !all.empty()) {
                Section* any = hand.any_of(all);
                any->heading()->click();
                return QStringLiteral("fold %1").arg(any->heading()->text());
            }
            [[fallthrough]];
        default: return use_any_control(hand, *panel);
    }
}

inline QString fold_block(Hand& hand) {
    std::vector<std::pair<LayerList*, std::string>> all;
    for (LayerList* list : usable<LayerList>(hand.window()))
        for (int i = 0; i < list->model()->rowCount(); ++i)
            if (const drawing::OutlineRow& row = *list->model()->row(i).row; row.has_children)
                all.emplace_back(list, row.path);
    if (all.empty()) return QStringLiteral("no block");
    const auto& [list, path] = hand.any_of(all);
    emit list->toggled(path);
    return QStringLiteral("fold %1").arg(QString::fromStdString(path));
}

/// The design as a configuration of a trainer, and sometimes back.
inline QString copy_configuration(Hand& hand) {
    std::vector<QAction*> all;
    for (QAction* a : hand.window().findChildren<QAction*>())
        if (a->objectName().startsWith(QLatin1String("copy_as_"))) all.push_back(a);
    QAction* any = hand.any_of(all);
    any->trigger();
    if (!hand.one_in(2)) return any->objectName();
    hand.window().findChild<QAction*>(QStringLiteral("pasteLink"))->trigger();
    return any->objectName() + QStringLiteral(", and paste");
}

inline QString use_mesh(Hand& hand) {
    switch (hand.below(14)) {
        case 0:
        case 1:
        case 2:
        case 3: return divide(hand);
        case 4:
        case 5: return fix(hand);
        case 6: return look_at_page(hand);
        case 7: return use_device_map(hand);
        case 8:
        case 9: return use_settings(hand);
        case 10: return fold_block(hand);
        case 11: return copy_configuration(hand);
        case 12: return use_chart(hand, hand.window().charts());
        default: open_mesh(hand); return QStringLiteral("open a mesh");
    }
}

}  // namespace window_test
