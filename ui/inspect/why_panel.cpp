// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/why_panel.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <cmath>
#include <utility>

#include "core/base/format.hpp"
#include "core/compare/same_item.hpp"
#include "core/numerics/expression.hpp"
#include "ui/document/document.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/text.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/breadcrumb.hpp"
#include "ui/widgets/evidence_tag.hpp"
#include "ui/widgets/formula_block.hpp"
#include "ui/widgets/input_list.hpp"
#include "ui/widgets/stack_bar.hpp"

namespace scalescope::ui {
namespace {

/// A formula or symbol as rich text; what is none is shown as it is.
QString rich(const std::string& formula) {
    if (auto e = numerics::parse_expression(formula)) return told(numerics::to_rich_text(*e));
    return told(formula).toHtmlEscaped();
}

/// "use at most 15 workers" as a sentence.
QString sentence(const std::string& s) {
    QString t = told(s);
    if (t.isEmpty()) return t;
    t[0] = t[0].toUpper();
    return t.endsWith(QLatin1Char('.')) ? t : t + QLatin1Char('.');
}

QColor Theme::*color_of(Topic topic, std::size_t index) {
    switch (topic) {
        case Topic::forward: return &Theme::forward;
        case Topic::backward:
        case Topic::layer_backward: return &Theme::backward;
        case Topic::update:
        case Topic::layer_update: return &Theme::update;
        case Topic::communication:
        case Topic::layer_communication:
        case Topic::message: return &Theme::communication;
        case Topic::idle: return &Theme::control_border;
        default: break;
    }
    static constexpr std::array<QColor Theme::*, 4> others{&Theme::forward, &Theme::backward, &Theme::update,
                                                           &Theme::communication};
    return others[index % others.size()];
}

QColor Theme::*color_of(const ExplainedPart& part, std::size_t index) {
    if (part.item.topic == Topic::layer_pass)
        return part.item.pass == Pass::forward ? &Theme::forward : &Theme::backward;
    return color_of(part.item.topic, index);
}

EvidenceTag::Kind kind_of(Evidence e) {
    switch (e) {
        case Evidence::exact: return EvidenceTag::Kind::exact;
        case Evidence::calibrated: return EvidenceTag::Kind::calibrated;
        case Evidence::datasheet: return EvidenceTag::Kind::datasheet;
        case Evidence::extrapolated: return EvidenceTag::Kind::extrapolated;
        case Evidence::assumed: return EvidenceTag::Kind::assumed;
    }
    return EvidenceTag::Kind::exact;
}

}  // namespace

WhyPanel::WhyPanel(QWidget* parent) : QWidget(parent) {
    auto* layout = make_layout<QVBoxLayout>(this, 8);
    crumbs_ = new Breadcrumb;
    title_ = make_label({}, type::result());
    title_->setWordWrap(true);
    value_ = make_label({}, type::result());
    auto* headline = new QHBoxLayout;
    headline->addWidget(title_, 1);
    headline->addWidget(value_, 0, Qt::AlignRight | Qt::AlignTop);
    pinned_ = make_label({}, type::table(), Ink::secondary);
    pinned_->setObjectName(QStringLiteral("whyPinned"));
    pinned_->setWordWrap(true);
    formula_ = new FormulaBlock;
    inputs_ = new InputList;
    bar_ = new StackBar;
    parts_ = new PartsList;
    source_ = make_label({}, type::caption(), Ink::secondary);
    source_->setWordWrap(true);
    notes_ = make_label({}, type::caption(), Ink::secondary);
    notes_->setWordWrap(true);
    evidence_ = new EvidenceTag;
    evidence_text_ = make_label({}, type::caption(), Ink::secondary);
    evidence_text_->setWordWrap(true);
    auto* evidence = make_layout<QHBoxLayout>(nullptr, 6);
    evidence->addWidget(evidence_, 0, Qt::AlignTop);
    evidence->addWidget(evidence_text_, 1);
    layout->addWidget(crumbs_);
    layout->addLayout(headline);
    layout->addWidget(pinned_);
    layout->addWidget(formula_);
    layout->addWidget(inputs_);
    layout->addWidget(bar_);
    layout->addWidget(parts_);
    layout->addWidget(notes_);
    layout->addWidget(rule_ = make_rule());
    layout->addWidget(source_);
    layout->addLayout(evidence);
    layout->addStretch(1);
    connect(crumbs_, &Breadcrumb::crumb_clicked, this, [this](const QString& id) {
        const auto i = static_cast<std::size_t>(id.toInt());
        if (i < crumb_items_.size()) emit asked(crumb_items_[i]);
    });
    connect(inputs_, &InputList::field_clicked, this, [this](const QString& field) {
        // Rows carry their number: a row leads to a further explanation, or to the control of its field.
        const auto i = static_cast<std::size_t>(field.toInt());
        if (i >= input_items_.size()) return;
        if (!input_fields_[i].isEmpty())
            emit field_asked(input_fields_[i]);
        else
            emit asked(input_items_[i]);
    });
}

void WhyPanel::show_result(const LiveResultPtr& result, const std::optional<Item>& about) {
    result_ = result;
    if (about) item_ = *about;
    refresh();
}

void WhyPanel::ask(const Item& item) {
    item_ = item;
    refresh();
}

void WhyPanel::compare_with(int pin) {
    if (std::exchange(pin_, pin) != pin) refresh();
}

/// The same figure of the pinned design; nothing where that has none, such as a layer of another network.
void WhyPanel::show_pinned(const Explanation& now) {
    pinned_->hide();
    if (pin_ < 0 || pin_ >= static_cast<int>(result_->pins.size())) return;
    const PinAnswer& pin = result_->pins[static_cast<std::size_t>(pin_)];
    const std::optional<Item> item = compare::same_item(item_, result_->request.scenario, *pin.pin.scenario);
    if (!item || !pin.plan || !*pin.estimate) return;
    const auto then = explain(*pin.pin.scenario, *pin.plan, **pin.estimate, *item);
    if (!then || then->result_unit != now.result_unit) return;
    const QString letter = pin_letter(static_cast<std::size_t>(pin_));
    const double change = now.result - then->result;
    const QString said =
        change == 0 || then->result == 0
            ? (change == 0 ? tr("%1: the same").arg(letter) : tr("%1: %2").arg(letter, told(then->result_shown)))
            : tr("%1: %2, now %3")
                  .arg(letter, told(then->result_shown),
                       told(format_change(Fraction{change / std::abs(then->result)})));
    pinned_->setText(said);
    pinned_->show();
}

void WhyPanel::refresh() {
    if (!result_) return;
    const bool known = result_->estimate.has_value() && result_->plan;
    Result<Explanation> explained =
        known ? explain(result_->request.scenario, *result_->plan, *result_->estimate, item_)
              : Result<Explanation>(fail(result_->estimate ? Problems{} : result_->estimate.error()));
    if (known && !explained) {  // the figure is gone with its layer or message: fall back to the whole
        item_ = Item{};
        explained = explain(result_->request.scenario, *result_->plan, *result_->estimate, item_);
    }
    const bool has = explained.has_value();
    for (QWidget* w :
         std::initializer_list<QWidget*>{crumbs_, formula_, inputs_, value_, evidence_, evidence_text_, source_, rule_})
        w->setVisible(has);
    if (!has) {
        pinned_->hide();
        bar_->hide();
        parts_->hide();
        title_->setText(tr("No figure"));
        const Problems& problems = explained.error();
        notes_->setVisible(!problems.empty());
        if (!problems.empty())
            notes_->setText(
                breakable(sentence(problems.front().what) + QLatin1Char(' ') + sentence(problems.front().remedy)));
        return;
    }
    const Explanation& e = *explained;
    std::vector<Breadcrumb::Crumb> crumbs;
    crumb_items_.clear();
    for (const Crumb& c : e.crumbs) {
        crumbs.push_back({QString::number(crumb_items_.size()), told(c.text)});
        crumb_items_.push_back(c.item);
    }
    crumbs_->set_crumbs(crumbs);
    title_->setText(breakable(told(e.title)));
    value_->setText(told(e.result_shown));
    show_pinned(e);

    std::vector<FormulaBlock::Line> lines;
    lines.push_back({QStringLiteral("= ") + rich(e.formula), true, false});
    for (std::size_t i = 0; i < e.lines.size(); ++i)
        lines.push_back({told_line(e.lines[i]).toHtmlEscaped(), false, i + 1 == e.lines.size()});
    formula_->set_formula(rich(e.symbol), lines);

    std::vector<InputLine> inputs;
    input_items_.clear();
    input_fields_.clear();
    for (const Input& in : e.inputs) {
        InputLine line;
        line.symbol_html = in.symbol.empty() ? QString() : rich(in.symbol);
        line.text = told_word(in.text);
        line.value = told(in.shown);
        // The row may have no room for its text: the tip has all of it.
        line.note = QStringLiteral("%1\n%2").arg(line.text, told_word(name_of(in.evidence)));
        if (in.because || !in.field.empty()) line.field = QString::number(input_items_.size());
        input_items_.push_back(in.because.value_or(Item{}));
        input_fields_.push_back(in.because ? QString() : told(in.field));
        inputs.push_back(std::move(line));
    }
    inputs_->set_lines(inputs);

    std::vector<StackPart> parts;
    for (std::size_t i = 0; i < e.parts.size(); ++i) {
        StackPart p;
        p.name = told(e.parts[i].name);
        p.color = color_of(e.parts[i], i);
        p.value = e.parts[i].value;
        p.value_text = told(e.parts[i].shown);
        p.share_text = told(e.parts[i].share_shown);
        parts.push_back(std::move(p));
    }
    bar_->setVisible(!parts.empty());
    parts_->setVisible(!parts.empty());
    if (!parts.empty()) {
        bar_->set_parts(parts);
        parts_->set_parts(parts);
        // A symbol such as t_n is written as one; a name stays as it is.
        const bool symbol = e.parts_name.find('_') != std::string::npos && e.parts_name.size() < 5;
        parts_->set_total(symbol ? rich(e.parts_name) : told(e.parts_name).toHtmlEscaped(), told(e.parts_shown));
    }
    QStringList notes;
    for (const Definition& d : e.definitions)
        notes << rich(d.symbol) + QStringLiteral(" = ") + told(d.text).toHtmlEscaped();
    for (const std::string& n : e.notes) notes << told(n).toHtmlEscaped();
    notes_->setVisible(!notes.isEmpty());
    notes_->setText(notes.join(QStringLiteral("<br>")));
    source_->setText(told(e.source));
    evidence_->set_kind(kind_of(e.evidence));
    evidence_text_->setText(told(e.evidence_text));
}

}  // namespace scalescope::ui
