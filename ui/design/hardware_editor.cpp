// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/hardware_editor.hpp"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <cmath>
#include <optional>

#include "ui/document/document.hpp"
#include "ui/help/help_guide.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/number_field.hpp"

namespace scalescope::ui {
namespace {

/// A figure that may not be known, and is made known or unknown by a person.
template <class Set, class Remove>
void make_optional(NumberField* field, QObject* owner, Set set, Remove remove) {
    field->set_optional(QCoreApplication::translate("hardware", "not known"));
    QObject::connect(field, &NumberField::value_changed, owner, set);
    QObject::connect(field, &NumberField::value_removed, owner, remove);
}

void show_optional(NumberField* field, std::optional<double> value) {
    if (value)
        field->set_value(*value);
    else
        field->set_missing();
}

/// Figures are stored in base units; a person reads them to a few digits.
double shown(double value) { return std::round(value * 1e9) / 1e9; }

NumberField* field(const QString& name, const QString& unit, double low, double high, int decimals) {
    auto* f = new NumberField(name);
    f->set_subject(name);
    f->set_range(low, high);
    f->set_decimals(decimals);
    f->set_unit(unit);
    return f;
}

QFormLayout* make_form(QDialog* dialog, const QString& note) {
    auto* column = new QVBoxLayout(dialog);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(12);
    auto* form = new QFormLayout;
    form->setSpacing(8);
    form->setLabelAlignment(Qt::AlignLeft);
    column->addLayout(form);
    auto* text = make_label(note, type::caption(), Ink::secondary);
    text->setWordWrap(true);
    column->addWidget(text);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::accept);
    column->addWidget(buttons);
    dialog->setMinimumWidth(360);
    return form;
}

/// A figure somebody typed has no maker's source any more.
template <class Hardware>
void make_own(Hardware& h) {
    if (h.id.rfind("own-", 0) == 0) return;
    h.id = "own-" + h.id;
    if (h.name.find("(own)") == std::string::npos) h.name += " (own)";
    h.paleo_key.clear();
    h.note = "Edited by hand from " + h.id.substr(4) + ".";
}

}  // namespace

DeviceEditor::DeviceEditor(Document& document, QWidget* parent) : QDialog(parent), document_(document) {
    setWindowTitle(tr("Device"));
    set_help(*this, QStringLiteral("window-device"));
    auto* form = make_form(this, tr("The scenario stores these figures; the preset does not change. Leave a field "
                                    "empty if its value is unknown."));
    name_ = new QLineEdit;
    name_->setAccessibleName(tr("Name"));
    form->addRow(tr("Name"), name_);
    auto change = [this](auto apply) {
        return [this, apply](auto... v) {
            Scenario s = document_.scenario();
            apply(s.cluster.device, v...);
            make_own(s.cluster.device);
            document_.edit(std::move(s));
        };
    };
    for (Precision p : all_precisions) {
        if (!has_peak(p)) continue;
        const QString label = QString::fromUtf8(name_of(p).data(), static_cast<qsizetype>(name_of(p).size()));
        auto* f = field(tr("Peak, %1").arg(label), tr("TFLOP/s"), 0.0001, 1e6, 4);
        form->addRow(f->accessibleName(), f);
        peaks_.push_back(f);
        const auto at = static_cast<std::size_t>(p);
        make_optional(f, this, change([at](Device& d, double v) { d.peak[at] = teraflops(v); }),
                      change([at](Device& d) { d.peak[at].reset(); }));
    }
    bandwidth_ = field(tr("Memory bandwidth"), tr("GB/s"), 0.001, 1e7, 3);
    memory_ = field(tr("Memory"), tr("GB"), 0.001, 1e6, 3);
    price_ = field(tr("Price"), tr("$/h"), 0, 1e6, 4);
    for (NumberField* f : {bandwidth_, memory_, price_}) form->addRow(f->accessibleName(), f);
    connect(bandwidth_, &NumberField::value_changed, this,
            change([](Device& d, double v) { d.memory_bandwidth = gigabytes_per_second(v); }));
    make_optional(memory_, this, change([](Device& d, double v) { d.memory = gigabytes(v); }),
                  change([](Device& d) { d.memory.reset(); }));
    make_optional(price_, this, change([](Device& d, double v) { d.set_price(v); }),
                  change([](Device& d) { d.set_price(std::nullopt); }));
    connect(name_, &QLineEdit::textEdited, this, [this](const QString& text) {
        Scenario s = document_.scenario();
        make_own(s.cluster.device);
        s.cluster.device.name = text.toStdString();
        document_.edit(std::move(s));
    });
    connect(&document_, &Document::changed, this, &DeviceEditor::show_scenario);
    show_scenario();
}

void DeviceEditor::show_scenario() {
    const Device& d = document_.scenario().cluster.device;
    if (!name_->hasFocus()) name_->setText(QString::fromStdString(d.name));
    auto next = peaks_.begin();
    for (Precision p : all_precisions) {
        if (!has_peak(p)) continue;
        const auto peak = d.peak_at(p);
        show_optional(*next++, peak ? std::optional(shown(peak->value / 1e12)) : std::nullopt);
    }
    bandwidth_->set_value(shown(d.memory_bandwidth.value / 1e9));
    show_optional(memory_, d.memory ? std::optional(shown(d.memory->value / 1e9)) : std::nullopt);
    show_optional(price_, d.price_per_hour);
    price_->setToolTip(d.price_basis.empty()
                           ? tr("Per device. Prices change: check yours.")
                           : tr("Per device: %1. Prices change: check yours.").arg(told(d.price_basis)));
}

LinkEditor::LinkEditor(Document& document, bool inside, QWidget* parent)
    : QDialog(parent), document_(document), inside_(inside) {
    setWindowTitle(inside ? tr("Link inside a node") : tr("Link between nodes"));
    set_help(*this, QStringLiteral("window-link"));
    auto* form = make_form(this, tr("The scenario stores these figures; the preset does not change."));
    name_ = new QLineEdit;
    name_->setAccessibleName(tr("Name"));
    bandwidth_ = field(tr("Bandwidth, one way"), tr("GB/s"), 0.001, 1e6, 4);
    latency_ = field(tr("Start-up time of a message"), tr("µs"), 0, 1e6, 3);
    form->addRow(tr("Name"), name_);
    form->addRow(bandwidth_->accessibleName(), bandwidth_);
    form->addRow(latency_->accessibleName(), latency_);
    auto edit = [this](auto apply) {
        Scenario s = document_.scenario();
        Link& link = inside_ ? s.cluster.inside : s.cluster.between;
        make_own(link);
        apply(link);
        document_.edit(std::move(s));
    };
    connect(bandwidth_, &NumberField::value_changed, this,
            [edit](double v) { edit([v](Link& l) { l.bandwidth = gigabytes_per_second(v); }); });
    connect(latency_, &NumberField::value_changed, this,
            [edit](double v) { edit([v](Link& l) { l.latency = microseconds(v); }); });
    connect(name_, &QLineEdit::textEdited, this,
            [edit](const QString& text) { edit([&](Link& l) { l.name = text.toStdString(); }); });
    connect(&document_, &Document::changed, this, &LinkEditor::show_scenario);
    show_scenario();
}

void LinkEditor::show_scenario() {
    const Link& l = inside_ ? document_.scenario().cluster.inside : document_.scenario().cluster.between;
    if (!name_->hasFocus()) name_->setText(QString::fromStdString(l.name));
    bandwidth_->set_value(shown(l.bandwidth.value / 1e9));
    latency_->set_value(shown(l.latency.value * 1e6));
}

}  // namespace scalescope::ui
