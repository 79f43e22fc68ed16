// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/attribute_editor.hpp"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <algorithm>
#include <iterator>

#include "core/base/limits.hpp"
#include "core/drawing/caption.hpp"
#include "core/network/attributes.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/number_field.hpp"

namespace scalescope::ui {
namespace {

using Sizes = std::vector<std::int64_t>;

QString text(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

/// By axis: one has left and right alone, two have top and bottom too, three front and back as well.
constexpr std::int64_t Padding::*sides[] = {&Padding::left,   &Padding::right, &Padding::top,
                                            &Padding::bottom, &Padding::front, &Padding::back};

const char* const modes[] = {"valid", "same", "sizes"};

}  // namespace

AttributeEditor::AttributeEditor(const AttributeInfo& info, QWidget* parent)
    : QWidget(parent), info_(info), value_(info.initial) {
    const std::string name(info.name);
    setObjectName(QStringLiteral("attribute_%1").arg(text(name)));
    setAccessibleName(text(drawing::spoken(name)));
    setToolTip(text(info.text));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    switch (info.type) {
        case AttributeType::boolean:
            tick_ = new QCheckBox;
            tick_->setAccessibleName(accessibleName());
            row->addWidget(tick_);
            row->addStretch(1);
            connect(tick_, &QCheckBox::clicked, this, [this](bool on) { emit changed(on); });
            break;
        case AttributeType::integer:
            add_numbers(1, {});
            connect(numbers_[0], &NumberField::value_changed, this,
                    [this](double v) { emit changed(static_cast<std::int64_t>(v)); });
            break;
        case AttributeType::number:
            add_numbers(1, {});
            numbers_[0]->set_range(-1e12, 1e12);
            numbers_[0]->set_decimals(6);
            connect(numbers_[0], &NumberField::value_changed, this, [this](double v) { emit changed(v); });
            break;
        case AttributeType::sizes:
            add_numbers(limits::rank, QStringLiteral("×"));
            for (std::size_t i = 0; i < numbers_.size(); ++i)
                connect(numbers_[i], &NumberField::value_changed, this, [this, i] { take_sizes(i); });
            break;
        case AttributeType::choice: {
            choice_ = new Combo(accessibleName());
            std::vector<ComboItem> items;
            for (const auto word : choices_of(info)) {
                ComboItem item;
                item.id = text(word);
                item.text = text(drawing::spoken(word));
                items.push_back(std::move(item));
            }
            choice_->set_items(std::move(items));
            row->addWidget(choice_, 1);
            connect(choice_, &Combo::chosen, this, [this](const QString& id) { emit changed(id.toStdString()); });
            break;
        }
        case AttributeType::padding: {
            choice_ = new Combo(accessibleName());
            std::vector<ComboItem> items;
            for (const auto& [id, title] : {std::pair(modes[0], tr("valid")), std::pair(modes[1], tr("same")),
                                            std::pair(modes[2], tr("sizes"))}) {
                ComboItem item;
                item.id = QLatin1String(id);
                item.text = title;
                items.push_back(std::move(item));
            }
            choice_->set_items(std::move(items));
            row->addWidget(choice_, 1);
            add_numbers(static_cast<int>(std::size(sides)), {});
            const QString names[] = {tr("left"), tr("right"), tr("top"), tr("bottom"), tr("front"), tr("back")};
            for (std::size_t i = 0; i < std::size(sides); ++i) {
                numbers_[i]->set_range(0, static_cast<double>(limits::dimension));
                numbers_[i]->setToolTip(names[i]);
                numbers_[i]->setAccessibleName(QStringLiteral("%1, %2").arg(accessibleName(), names[i]));
                connect(numbers_[i], &NumberField::value_changed, this, &AttributeEditor::take_padding);
            }
            connect(choice_, &Combo::chosen, this, &AttributeEditor::take_padding);
            break;
        }
        case AttributeType::text:
        case AttributeType::shape:
            text_ = new QLineEdit;
            text_->setAccessibleName(accessibleName());
            if (info.type == AttributeType::shape) text_->setPlaceholderText(tr("such as 224×224×3"));
            row->addWidget(text_, 1);
            connect(text_, &QLineEdit::editingFinished, this, [this] {
                if (info_.type == AttributeType::text) {
                    const std::string words = text_->text().toStdString();
                    if (AttributeValue(words) != value_) emit changed(words);
                    return;
                }
                const auto shape = drawing::shape_from_text(text_->text().toStdString());
                if (shape && AttributeValue(*shape) != value_)
                    emit changed(*shape);
                else  // what it was, where the text is none
                    text_->setText(text(drawing::value_text(value_)));
            });
            break;
    }
    if (QWidget* first = !numbers_.empty() && !choice_ ? static_cast<QWidget*>(numbers_.front())
                         : choice_                     ? static_cast<QWidget*>(choice_)
                         : tick_                       ? static_cast<QWidget*>(tick_)
                                                       : static_cast<QWidget*>(text_))
        setFocusProxy(first);
}

void AttributeEditor::add_numbers(int count, const QString& sign) {
    auto* row = static_cast<QHBoxLayout*>(layout());
    for (int i = 0; i < count; ++i) {
        if (i > 0 && !sign.isEmpty()) {
            signs_.push_back(make_label(sign, type::table(), Ink::secondary));
            row->addWidget(signs_.back());
        }
        auto* field =
            new NumberField(count > 1 ? tr("%1, axis %2").arg(accessibleName()).arg(i + 1) : accessibleName());
        field->set_subject(accessibleName());
        field->set_range(static_cast<double>(info_.minimum), static_cast<double>(limits::dimension));
        field->setToolTip(toolTip());
        row->addWidget(field, 1);
        numbers_.push_back(field);
    }
}

/// As many fields as there are axes.
void AttributeEditor::show_numbers(std::size_t count) {
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
        numbers_[i]->setVisible(i < count);
        if (i > 0 && i - 1 < signs_.size()) signs_[i - 1]->setVisible(i < count);
    }
}

/// Where all axes are alike, the first takes the others along.
void AttributeEditor::take_sizes(std::size_t which) {
    Sizes sizes = std::get<Sizes>(value_);
    const auto side = static_cast<std::int64_t>(numbers_[which]->value());
    if (which >= sizes.size()) return;
    if (which == 0 && std::all_of(sizes.begin(), sizes.end(), [&](std::int64_t s) { return s == sizes.front(); }))
        sizes.assign(sizes.size(), side);
    sizes[which] = side;
    emit changed(sizes);
}

void AttributeEditor::take_padding() {
    Padding p = std::get<Padding>(value_);
    const bool sized = p.mode == Padding::Mode::explicit_sizes;
    if (choice_->current() == QLatin1String(modes[2])) {
        if (sized)
            for (std::size_t i = 0; i < std::size(sides); ++i)
                p.*sides[i] = static_cast<std::int64_t>(numbers_[i]->value());
        p.mode = Padding::Mode::explicit_sizes;
    } else {
        p = {};
        p.mode = choice_->current() == QLatin1String(modes[1]) ? Padding::Mode::same : Padding::Mode::valid;
    }
    emit changed(p);
}

void AttributeEditor::show_value(const AttributeValue& value) {
    value_ = value;
    if (const bool* on = std::get_if<bool>(&value); on && tick_) tick_->setChecked(*on);
    if (const auto* n = std::get_if<std::int64_t>(&value); n && !numbers_.empty())
        numbers_[0]->set_value(static_cast<double>(*n));
    if (const auto* v = std::get_if<double>(&value); v && !numbers_.empty()) numbers_[0]->set_value(*v);
    if (const auto* s = std::get_if<Sizes>(&value)) {
        const std::size_t count = std::min(s->size(), numbers_.size());
        show_numbers(count);
        for (std::size_t i = 0; i < count; ++i) numbers_[i]->set_value(static_cast<double>((*s)[i]));
    }
    if (const auto* word = std::get_if<std::string>(&value); word && choice_) choice_->set_current(text(*word));
    if (const auto* p = std::get_if<Padding>(&value); p && choice_) {
        choice_->set_current(QLatin1String(modes[p->mode == Padding::Mode::valid  ? 0
                                                 : p->mode == Padding::Mode::same ? 1
                                                                                  : 2]));
        show_numbers(p->mode == Padding::Mode::explicit_sizes ? 2 * static_cast<std::size_t>(p->axes) : 0);
        for (std::size_t i = 0; i < numbers_.size(); ++i) numbers_[i]->set_value(static_cast<double>(p->*sides[i]));
    }
    if (text_ && !(text_->hasFocus() && text_->isModified())) text_->setText(text(drawing::value_text(value)));
}

}  // namespace scalescope::ui
