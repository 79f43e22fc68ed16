// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/command_sources.hpp"

#include <QAbstractButton>
#include <QCoreApplication>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>

#include "core/scenario/fields.hpp"
#include "core/scenario/symbol_fields.hpp"
#include "core/scenario/typed_setting.hpp"
#include "ui/document/document.hpp"
#include "ui/language/told.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/segmented_control.hpp"

namespace scalescope::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Commands)
};

/// As it is read: without the mark of its letter.
QString without_mark(QString title) {
    for (qsizetype i = 0; i < title.size(); ++i)
        if (title[i] == QLatin1Char('&')) title.remove(i, 1);  // a doubled one leaves the second
    return title;
}

QString joined(const QString& place, const QString& name) {
    return place.isEmpty() ? name : place + QString::fromUtf8(" ▸ ") + name;
}

void add_menu(Commands& all, QMenu& menu, const QString& place) {
    emit menu.aboutToShow();  // some are filled only then
    for (QAction* action : menu.actions()) {
        if (action->isSeparator() || !action->isVisible()) continue;
        const QString text = without_mark(action->text()), title = text.section(QLatin1Char('\t'), 0, 0);
        if (action->menu()) {
            add_menu(all, *action->menu(), joined(place, title));
            continue;
        }
        Command c;
        // Undo and pins change their titles; their objects have names.
        c.id = QStringLiteral("action:") + joined(place, action->objectName().isEmpty() ? title : action->objectName());
        c.title = title;
        c.place = place;
        c.keys = action->shortcut().toString(QKeySequence::NativeText);
        if (c.keys.isEmpty()) c.keys = text.section(QLatin1Char('\t'), 1);  // only shown
        c.about = action->statusTip();
        c.enabled = action->isEnabled();
        c.on = action->isCheckable() && action->isChecked();
        if (!c.enabled) c.why_not = action->property(why_not_property).toString();
        c.run = [held = QPointer<QAction>(action)] {
            if (held) held->trigger();
        };
        all.push_back(std::move(c));
    }
}

}  // namespace

void add_actions(Commands& all, const QMenuBar& menus) {
    for (QAction* action : menus.actions())
        if (action->menu()) add_menu(all, *action->menu(), without_mark(action->text()));
}

void add_choices(Commands& all, const QWidget& panel) {
    for (auto* combo : panel.findChildren<Combo*>()) {
        if (!combo->isVisibleTo(&panel) || !combo->isEnabled()) continue;
        const QString what = combo->accessibleName();
        for (const ComboItem& item : combo->items()) {
            Command c;
            c.id = QStringLiteral("choice:%1:%2").arg(combo->objectName(), item.id);
            c.title = item.text;
            c.place = item.value.isEmpty() ? what : QStringLiteral("%1 · %2").arg(what, item.value);
            c.about = item.section + QLatin1Char(' ') + item.detail;
            c.enabled = item.enabled;
            if (!c.enabled) c.why_not = item.tip;
            c.on = combo->current() == item.id;
            c.run = [held = QPointer<Combo>(combo), id = item.id] {
                if (held) emit held->chosen(id);
            };
            all.push_back(std::move(c));
        }
    }
    for (auto* control : panel.findChildren<SegmentedControl*>()) {
        if (!control->isVisibleTo(&panel)) continue;
        for (auto* button : control->findChildren<QAbstractButton*>()) {
            if (!button->isCheckable()) continue;
            Command c;
            c.place = control->accessibleName();
            c.title = without_mark(button->text());
            c.id = QStringLiteral("choice:%1:%2").arg(control->objectName(), c.title);
            c.enabled = button->isEnabled();
            if (!c.enabled) c.why_not = button->toolTip();
            c.on = button->isChecked();
            c.run = [held = QPointer<QAbstractButton>(button)] {
                if (held) held->click();
            };
            all.push_back(std::move(c));
        }
    }
}

void add_fields(Commands& all, const Document& document, const std::function<void(const QString&)>& go_to) {
    const Scenario& s = document.scenario();
    const auto add = [&](const Field& f) {
        Command c;
        const QString path = plain(f.path);
        c.id = QStringLiteral("field:") + path;
        const std::string label = label_in(s, f);
        c.title = told(label);
        const QString value = plain(shown_value(f, s));
        c.place = value.isEmpty() || value.size() > 40 ? Words::tr("Setting") : Words::tr("Setting, now %1").arg(value);
        c.about =
            QStringList{path, told(f.text), plain(label)}.join(QLatin1Char(' '));  // known by its English name too
        c.run = [go_to, path] { go_to(path); };
        all.push_back(std::move(c));
    };
    const SymbolFields symbols(s);
    for (const Field& f : symbols.rows()) add(f);
    for (const Field& f : all_fields()) add(f);
}

void add_charts(Commands& all, const NamedCharts& charts, const std::function<void(Chart*)>& go_to) {
    for (const auto& entry : charts) {
        Command c;
        c.id = QStringLiteral("chart:") + entry.first;
        c.title = entry.second->title();
        c.place = Words::tr("Chart");
        c.about = entry.first;
        c.run = [go_to, chart = QPointer<Chart>(entry.second)] {
            if (chart) go_to(chart);
        };
        all.push_back(std::move(c));
    }
}

Commands setting_commands(const QString& typed, Document& document, const Catalogue& catalogue) {
    Commands all;
    for (TypedSetting& setting : typed_settings(typed.toStdString(), document.scenario(), catalogue)) {
        Command c;
        const QString label = told(setting.label), after = plain(setting.after);
        c.id = QStringLiteral("set:") + plain(setting.path);
        c.title = Words::tr("Set %1 to %2").arg(label, after);
        c.place = Words::tr("now %1").arg(setting.before.empty() ? Words::tr("unknown") : plain(setting.before));
        c.enabled = setting.changes();
        if (!setting.next)
            c.why_not = told(setting.problem);
        else if (!c.enabled)
            c.why_not = Words::tr("It is so already");
        else
            c.run = [&document, next = std::make_shared<const Scenario>(std::move(*setting.next))] {
                document.edit(*next);
            };
        all.push_back(std::move(c));
    }
    return all;
}

}  // namespace scalescope::ui
