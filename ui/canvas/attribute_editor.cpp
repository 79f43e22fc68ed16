// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/attribute_editor.hpp"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScopedValueRollback>

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
        case AttributeType::size_2d:
            add_numbers(2, QStringLiteral("×"));
            for (const std::size_t i : {0U, 1U})
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
            add_numbers(4, {});
            const QString sides[] = {tr("top"), tr("bottom"), tr("left"), tr("right")};
            for (std::size_t i = 0; i < 4; ++i) {
                numbers_[i]->set_range(0, static_cast<double>(limits::dimension));
                numbers_[i]->setToolTip(sides[i]);
                numbers_[i]->setAccessibleName(QStringLiteral("%1, %2").arg(accessibleName(), sides[i]));
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
        if (i > 0 && !sign.isEmpty()) row->addWidget(make_label(sign, type::table(), Ink::secondary));
        auto* field = new NumberField(count == 2 ? (i == 0 ? tr("%1, height") : tr("%1, width")).arg(accessibleName())
                                                 : accessibleName());
        field->set_subject(accessibleName());
        field->set_range(static_cast<double>(info_.minimum), static_cast<double>(limits::dimension));
        field->setToolTip(toolTip());
        row->addWidget(field, 1);
        numbers_.push_back(field);
    }
}

/// Of a square, the first side takes the second along.
void AttributeEditor::take_sizes(std::size_t which) {
    Sizes sizes{static_cast<std::int64_t>(numbers_[0]->value()), static_cast<std::int64_t>(numbers_[1]->value())};
    const auto* before = std::get_if<Sizes>(&value_);
    const bool square = !before || before->size() != 2 || before->front() == before->back();
    if (which == 0 && square) sizes[1] = sizes[0];
    emit changed(sizes);
}

void AttributeEditor::take_padding() {
    Padding p;
    if (choice_->current() == QLatin1String(modes[1])) p.mode = Padding::Mode::same;
    if (choice_->current() == QLatin1String(modes[2])) {
        p.mode = Padding::Mode::explicit_sizes;
        const auto side = [&](std::size_t i) { return static_cast<std::int64_t>(numbers_[i]->value()); };
        p.top = side(0), p.bottom = side(1), p.left = side(2), p.right = side(3);
    }
    emit changed(p);
}

void AttributeEditor::show_value(const AttributeValue& value) {
    value_ = value;
    if (const bool* on = std::get_if<bool>(&value); on && tick_) tick_->setChecked(*on);
    if (const auto* n = std::get_if<std::int64_t>(&value); n && !numbers_.empty())
        numbers_[0]->set_value(static_cast<double>(*n));
    if (const auto* v = std::get_if<double>(&value); v && !numbers_.empty()) numbers_[0]->set_value(*v);
    if (const auto* s = std::get_if<Sizes>(&value); s && s->size() == 2 && numbers_.size() == 2)
        for (const std::size_t i : {0U, 1U}) numbers_[i]->set_value(static_cast<double>((*s)[i]));
    if (const auto* word = std::get_if<std::string>(&value); word && choice_) choice_->set_current(text(*word));
    if (const auto* p = std::get_if<Padding>(&value); p && choice_) {
        choice_->set_current(QLatin1String(modes[p->mode == Padding::Mode::valid  ? 0
                                                 : p->mode == Padding::Mode::same ? 1
                                                                                  : 2]));
        const std::int64_t sides[] = {p->top, p->bottom, p->left, p->right};
        for (std::size_t i = 0; i < numbers_.size(); ++i) {
            numbers_[i]->setVisible(p->mode == Padding::Mode::explicit_sizes);
            numbers_[i]->set_value(static_cast<double>(sides[i]));
        }
    }
    if (text_ && !(text_->hasFocus() && text_->isModified())) text_->setText(text(drawing::value_text(value)));
}

}  // namespace scalescope::ui
