// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAccessible>
#include <QAccessibleWidget>

#include "ui/widgets/combo.hpp"
#include "ui/widgets/pick_list.hpp"
#include "ui/widgets/slider.hpp"

namespace scalescope::ui {
namespace {

/// A slider for assistive tools: role, name, value with its unit, and setting it.
class AccessibleSlider final : public QAccessibleWidget, public QAccessibleValueInterface {
public:
    explicit AccessibleSlider(Slider* slider) : QAccessibleWidget(slider, QAccessible::Slider) {}

    void* interface_cast(QAccessible::InterfaceType type) override {
        if (type == QAccessible::ValueInterface) return static_cast<QAccessibleValueInterface*>(this);
        return QAccessibleWidget::interface_cast(type);
    }

    QString text(QAccessible::Text which) const override {
        return which == QAccessible::Value ? slider().value_text() : QAccessibleWidget::text(which);
    }

    QVariant currentValue() const override { return slider().value(); }
    void setCurrentValue(const QVariant& value) override { slider().choose(value.toInt()); }
    QVariant maximumValue() const override { return slider().maximum(); }
    QVariant minimumValue() const override { return slider().minimum(); }
    QVariant minimumStepSize() const override { return 1; }

private:
    Slider& slider() const { return *static_cast<Slider*>(widget()); }
};

/// A choice of one or of several: its value is what is chosen, its action opens the list.
template <class Choice>
class AccessibleChoice final : public QAccessibleWidget {
public:
    explicit AccessibleChoice(Choice* choice) : QAccessibleWidget(choice, QAccessible::ComboBox) {}

    QString text(QAccessible::Text which) const override {
        return which == QAccessible::Value ? choice().current_text() : QAccessibleWidget::text(which);
    }
    QAccessible::State state() const override {
        QAccessible::State result = QAccessibleWidget::state();
        result.expandable = true;
        result.expanded = choice().is_open();
        result.collapsed = !result.expanded;
        return result;
    }
    QStringList actionNames() const override {
        return QStringList{showMenuAction(), pressAction()} + QAccessibleWidget::actionNames();
    }
    void doAction(const QString& name) override {
        if (name == showMenuAction() || name == pressAction())
            choice().is_open() ? choice().close_popup() : choice().open();
        else
            QAccessibleWidget::doAction(name);
    }

private:
    Choice& choice() const { return *static_cast<Choice*>(widget()); }
};

QAccessibleInterface* make_accessible(const QString&, QObject* object) {
    if (auto* slider = qobject_cast<Slider*>(object)) return new AccessibleSlider(slider);
    if (auto* combo = qobject_cast<Combo*>(object)) return new AccessibleChoice<Combo>(combo);
    if (auto* list = qobject_cast<PickList*>(object)) return new AccessibleChoice<PickList>(list);
    return nullptr;
}

}  // namespace

void install_accessibility() {
    static const bool once = [] {
        QAccessible::installFactory(make_accessible);
        return true;
    }();
    static_cast<void>(once);
}

}  // namespace scalescope::ui
