// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/hardware_editor.hpp"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <cmath>

#include "ui/document/document.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/number_field.hpp"

namespace scalescope::ui {
namespace {

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
    auto* form =
        make_form(this, tr("The scenario carries these figures; the preset stays as it is. 0 means not known."));
    name_ = new QLineEdit;
    name_->setAccessibleName(tr("Name"));
    form->addRow(tr("Name"), name_);
    for (Precision p : all_precisions) {
        const QString label = QString::fromUtf8(name_of(p).data(), static_cast<qsizetype>(name_of(p).size()));
        auto* f = field(tr("Peak, %1").arg(label), tr("TFLOP/s"), 0, 1e6, 4);
        f->setToolTip(tr("0 means that the figure is not known"));
        form->addRow(f->accessibleName(), f);
        peaks_.push_back(f);
        connect(f, &NumberField::value_changed, this, [this, p](double v) {
            Scenario s = document_.scenario();
            auto& peak = s.cluster.device.peak[static_cast<std::size_t>(p)];
            peak.reset();
            if (v > 0) peak = teraflops(v);
            make_own(s.cluster.device);
            document_.edit(std::move(s));
        });
    }
    bandwidth_ = field(tr("Memory bandwidth"), tr("GB/s"), 0.001, 1e7, 3);
    memory_ = field(tr("Memory"), tr("GB"), 0, 1e6, 3);
    price_ = field(tr("Price"), tr("$/h"), 0, 1e6, 4);
    memory_->setToolTip(tr("0 means that the figure is not known"));
    price_->setToolTip(tr("Per device; 0 means that the figure is not known. Prices change: check yours."));
    for (NumberField* f : {bandwidth_, memory_, price_}) form->addRow(f->accessibleName(), f);
    auto change = [this](auto apply) {
        return [this, apply](double v) {
            Scenario s = document_.scenario();
            apply(s.cluster.device, v);
            make_own(s.cluster.device);
            document_.edit(std::move(s));
        };
    };
    connect(bandwidth_, &NumberField::value_changed, this,
            change([](Device& d, double v) { d.memory_bandwidth = gigabytes_per_second(v); }));
    connect(memory_, &NumberField::value_changed, this, change([](Device& d, double v) {
                d.memory.reset();
                if (v > 0) d.memory = gigabytes(v);
            }));
    connect(price_, &NumberField::value_changed, this, change([](Device& d, double v) {
                d.price_per_hour.reset();
                if (v > 0) d.price_per_hour = v;
            }));
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
    for (Precision p : all_precisions) {
        const auto peak = d.peak_at(p);
        peaks_[static_cast<std::size_t>(p)]->set_value(peak ? shown(peak->value / 1e12) : 0);
    }
    bandwidth_->set_value(shown(d.memory_bandwidth.value / 1e9));
    memory_->set_value(d.memory ? shown(d.memory->value / 1e9) : 0);
    price_->set_value(d.price_per_hour.value_or(0));
}

LinkEditor::LinkEditor(Document& document, bool inside, QWidget* parent)
    : QDialog(parent), document_(document), inside_(inside) {
    setWindowTitle(inside ? tr("Link inside a node") : tr("Link between nodes"));
    auto* form = make_form(this, tr("The scenario carries these figures; the preset stays as it is."));
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
