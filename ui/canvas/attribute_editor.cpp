// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/attribute_editor.hpp"

#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/limits.hpp"
#include "core/drawing/caption.hpp"
#include "core/network/attributes.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/number_field.hpp"

namespace scalescope::ui {
namespace {

/// By axis: one has left and right alone, two have top and bottom too, three front and back as well.
constexpr std::int64_t Padding::*sides[] = {&Padding::left,   &Padding::right, &Padding::top,
                                            &Padding::bottom, &Padding::front, &Padding::back};
constexpr std::size_t most_axes = std::size(sides) / 2;

const char* const modes[] = {"valid", "same", "sizes"};

constexpr int per_line = 3, buttons_column = 2 * per_line, message_row = 8;

}  // namespace

AttributeEditor::AttributeEditor(const AttributeInfo& info, QWidget* parent)
    : QWidget(parent), info_(info), value_(info.initial), grid_(new QGridLayout(this)) {
    const std::string name(info.name);
    setObjectName(QStringLiteral("attribute_%1").arg(told(name)));
    setAccessibleName(told_word(drawing::spoken(name)));
    setToolTip(told(drawing::about(info)));
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setHorizontalSpacing(4);
    grid_->setVerticalSpacing(4);
    switch (info.type) {
        case AttributeType::boolean:
            tick_ = new QCheckBox;
            tick_->setAccessibleName(accessibleName());
            tick_->setToolTip(toolTip());
            tick_->setMinimumHeight(space::control_height);
            grid_->addWidget(tick_, 0, 0, Qt::AlignLeft);
            connect(tick_, &QCheckBox::clicked, this, [this](bool on) { take(on); });
            setFocusProxy(tick_);
            break;
        case AttributeType::integer:
        case AttributeType::number: {
            NumberField* field = add_number(accessibleName());
            field->set_unit(told_word(drawing::unit_of(info)));
            if (info.type == AttributeType::number) {
                constexpr double most = 1e12;
                field->set_range(static_cast<double>(info.minimum), most);
                field->set_decimals(6);
                field->set_step(0.1);
            }
            grid_->addWidget(field, 0, 0);
            connect(field, &NumberField::value_changed, this, [this](double v) {
                take(info_.type == AttributeType::number ? AttributeValue(v)
                                                         : AttributeValue(static_cast<std::int64_t>(v)));
            });
            setFocusProxy(field);
            break;
        }
        case AttributeType::sizes: build_sizes(); break;
        case AttributeType::choice: build_choice(); break;
        case AttributeType::padding: build_padding(); break;
        case AttributeType::text:
        case AttributeType::shape: build_text(); break;
    }
    place_message();
}

NumberField* AttributeEditor::add_number(const QString& name) {
    auto* field = new NumberField(name);
    field->set_subject(name);
    field->set_range(static_cast<double>(info_.minimum), static_cast<double>(limits::dimension));
    field->setToolTip(toolTip());
    connect(field, &NumberField::value_removed, this, [this] { show_value(value_); });
    numbers_.push_back(field);
    return field;
}

void AttributeEditor::build_sizes() {
    for (int i = 0; i < limits::rank; ++i) {
        const int line = i / per_line, place = i % per_line;
        NumberField* field = add_number(tr("%1, axis %2").arg(accessibleName()).arg(i + 1));
        field->set_subject(accessibleName());
        grid_->addWidget(field, line, 2 * place);
        auto* sign = make_label(place > 0 ? QStringLiteral("×") : QString(), type::table(), Ink::secondary);
        if (place > 0) grid_->addWidget(sign, line, 2 * place - 1);
        sign->setParent(this);
        signs_.push_back(sign);
        connect(field, &NumberField::value_changed, this, [this, i] { take_sizes(static_cast<std::size_t>(i)); });
    }
    unit_ = make_label(told_word(drawing::unit_of(info_)), type::table(), Ink::secondary);
    unit_->setParent(this);
    none_ = make_label(tr("none"), type::control(), Ink::secondary);
    grid_->addWidget(none_, 0, 0);
    less_ = make_icon_button("minus", tr("One axis less"), Tint::text);
    more_ = make_icon_button("plus", tr("One axis more"), Tint::text);
    grid_->addWidget(less_, 0, buttons_column);
    grid_->addWidget(more_, 0, buttons_column + 1);
    connect(less_, &QToolButton::clicked, this, &AttributeEditor::shrink);
    connect(more_, &QToolButton::clicked, this, &AttributeEditor::grow);
    setFocusProxy(numbers_.front());
    show_sizes();
}

void AttributeEditor::build_choice() {
    choice_ = new Combo(accessibleName());
    std::vector<ComboItem> items;
    for (const auto word : choices_of(info_)) {
        ComboItem item;
        item.id = told(word);
        item.text = told_word(drawing::spoken(word));
        items.push_back(std::move(item));
    }
    choice_->set_items(std::move(items));
    choice_->setToolTip(toolTip());
    grid_->addWidget(choice_, 0, 0);
    connect(choice_, &Combo::chosen, this, [this](const QString& id) { take(id.toStdString()); });
    setFocusProxy(choice_);
}

void AttributeEditor::build_padding() {
    choice_ = new Combo(accessibleName());
    std::vector<ComboItem> items;
    for (const auto& [id, title] : {std::pair(modes[0], tr("valid")), std::pair(modes[1], tr("same")),
                                    std::pair(modes[2], tr("sizes in %1").arg(told_word(drawing::unit_of(info_))))}) {
        ComboItem item;
        item.id = QLatin1String(id);
        item.text = title;
        items.push_back(std::move(item));
    }
    choice_->set_items(std::move(items));
    choice_->setToolTip(toolTip());
    grid_->addWidget(choice_, 0, 0, 1, 4);
    const QString names[] = {tr("left"), tr("right"), tr("top"), tr("bottom"), tr("front"), tr("back")};
    for (std::size_t i = 0; i < std::size(sides); ++i) {
        const int line = 1 + static_cast<int>(i) / 2, place = 2 * (static_cast<int>(i) % 2);
        NumberField* field = add_number(tr("%1, %2").arg(accessibleName(), names[i]));
        field->set_subject(tr("Padding"));
        field->set_range(0, static_cast<double>(limits::dimension));
        signs_.push_back(make_label(names[i], type::caption(), Ink::secondary));
        grid_->addWidget(signs_.back(), line, place);
        grid_->addWidget(field, line, place + 1);
        connect(field, &NumberField::value_changed, this, &AttributeEditor::take_padding);
    }
    grid_->setColumnStretch(1, 1);
    grid_->setColumnStretch(3, 1);
    connect(choice_, &Combo::chosen, this, &AttributeEditor::take_padding);
    setFocusProxy(choice_);
    show_padding({});
}

void AttributeEditor::build_text() {
    text_ = new QLineEdit;
    text_->setAccessibleName(accessibleName());
    text_->setToolTip(toolTip());
    if (info_.type == AttributeType::shape) text_->setPlaceholderText(tr("such as 224×224×3"));
    grid_->addWidget(text_, 0, 0);
    connect(text_, &QLineEdit::editingFinished, this, &AttributeEditor::take_text);
    connect(text_, &QLineEdit::textEdited, this, [this] { message_->hide(); });
    setFocusProxy(text_);
}

/// The sentence of whichever field has something wrong, below all of them.
void AttributeEditor::place_message() {
    int line = message_row;
    for (NumberField* field : numbers_) {
        QLabel* label = field->message_label();
        label->setWordWrap(true);
        grid_->addWidget(label, line++, 0, 1, -1);
    }
    message_ = make_label({}, type::caption(), Ink::error);
    message_->setObjectName(QStringLiteral("attributeError"));
    message_->setWordWrap(true);
    message_->hide();
    grid_->addWidget(message_, line, 0, 1, -1);
}

QString AttributeEditor::error() const {
    for (const NumberField* field : numbers_)
        if (!field->isHidden() && field->has_error()) return field->error();
    return message_->isHidden() ? QString() : message_->text();
}

void AttributeEditor::take(AttributeValue value) {
    value_ = std::move(value);
    emit changed(value_);
}

void AttributeEditor::set_axes(std::size_t axes) {
    if (info_.type == AttributeType::padding) axes = std::min(axes, most_axes);
    axes_ = axes;
}

/// As many fields as there are axes.
void AttributeEditor::show_sizes() {
    const std::size_t count = std::min(sizes_.size(), numbers_.size());
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
        numbers_[i]->setVisible(i < count);
        signs_[i]->setVisible(i < count && i % per_line > 0);
        if (i < count) numbers_[i]->set_value(static_cast<double>(sizes_[i]));
    }
    for (std::size_t c = 0; c < per_line; ++c)
        grid_->setColumnStretch(2 * static_cast<int>(c), c < std::max<std::size_t>(count, 1) ? 1 : 0);
    // Behind the fields while these keep their width, else below them.
    const bool behind = count <= 2 && axes_ > 0;
    const int line = behind || count == 0 ? 0 : static_cast<int>((count - 1) / per_line) + 1;
    if (!unit_->text().isEmpty())
        grid_->addWidget(unit_, line, behind ? 2 * static_cast<int>(count) : 0, 1, behind ? 1 : -1);
    unit_->setVisible(count > 0 && !unit_->text().isEmpty());
    none_->setVisible(count == 0);
    more_->setVisible(axes_ == 0 && count < numbers_.size());
    less_->setVisible(axes_ == 0 && count > 0);
    setFocusProxy(count > 0 ? static_cast<QWidget*>(numbers_.front()) : more_);
}

/// Where all axes are alike, the first takes the others along.
void AttributeEditor::take_sizes(std::size_t which) {
    if (which >= sizes_.size()) return;
    const auto side = static_cast<std::int64_t>(numbers_[which]->value());
    const bool alike = std::all_of(sizes_.begin(), sizes_.end(), [&](std::int64_t s) { return s == sizes_.front(); });
    if (which == 0 && alike) sizes_.assign(sizes_.size(), side);
    sizes_[which] = side;
    show_sizes();
    take(sizes_);
}

void AttributeEditor::grow() {
    const bool numbers_of_axes = info_.name == "axes" || info_.name == "permutation";
    sizes_.push_back(numbers_of_axes  ? (sizes_.empty() ? 1 : *std::max_element(sizes_.begin(), sizes_.end()) + 1)
                     : sizes_.empty() ? std::max<std::int64_t>(info_.minimum, 1)
                                      : sizes_.back());
    show_sizes();
    take(sizes_);
}

void AttributeEditor::shrink() {
    if (sizes_.empty()) return;
    sizes_.pop_back();
    show_sizes();
    take(sizes_);
}

void AttributeEditor::take_padding() {
    Padding p;
    if (const auto* given = std::get_if<Padding>(&value_)) p = *given;
    if (choice_->current() == QLatin1String(modes[2])) {
        if (p.mode == Padding::Mode::explicit_sizes)
            for (std::size_t i = 0; i < std::size(sides); ++i)
                p.*sides[i] = static_cast<std::int64_t>(numbers_[i]->value());
        p.mode = Padding::Mode::explicit_sizes;
        if (axes_ > 0) p.axes = static_cast<int>(axes_);
        for (std::size_t i = 2 * static_cast<std::size_t>(p.axes); i < std::size(sides); ++i) p.*sides[i] = 0;
    } else {
        p = {};
        p.mode = choice_->current() == QLatin1String(modes[1]) ? Padding::Mode::same : Padding::Mode::valid;
    }
    show_padding(p);
    take(p);
}

void AttributeEditor::show_padding(const Padding& p) {
    const bool sized = p.mode == Padding::Mode::explicit_sizes;
    choice_->set_current(QLatin1String(modes[p.mode == Padding::Mode::valid ? 0 : sized ? 2 : 1]));
    const std::size_t count = sized ? 2 * static_cast<std::size_t>(p.axes) : 0;
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
        numbers_[i]->setVisible(i < count);
        signs_[i]->setVisible(i < count);
        numbers_[i]->set_value(static_cast<double>(p.*sides[i]));
    }
}

void AttributeEditor::take_text() {
    if (!text_->isModified()) return;
    AttributeValue value = text_->text().toStdString();
    std::optional<Problem> wrong;
    if (info_.type == AttributeType::shape) {
        const auto shape = drawing::shape_from_text(text_->text().toStdString());
        if (shape)
            value = *shape;
        else if (text_->text().trimmed().isEmpty() && std::holds_alternative<std::vector<Dim>>(info_.initial))
            value = info_.initial;  // may be left out
        else
            wrong = make_error("This is not a shape.", "write sizes such as 224×224×3");
    }
    if (!wrong && info_.type == AttributeType::text) wrong = about_value(info_, value);
    if (wrong) {  // what is in force stays
        message_->setText(
            tr("%1 Still %2: %3.").arg(told(wrong->what), told(drawing::value_text(value_)), told(wrong->remedy)));
        message_->show();
        return;
    }
    message_->hide();
    text_->setModified(false);
    if (value != value_) take(value);
}

void AttributeEditor::show_value(const AttributeValue& value) {
    value_ = value;
    if (std::holds_alternative<std::monostate>(value) && info_.type != AttributeType::sizes)
        for (NumberField* field : numbers_)
            if (!field->hasFocus()) {
                field->set_optional(tr("must be given"));
                field->set_missing();
            }
    if (const auto* symbol = std::get_if<Dim>(&value); symbol && !numbers_[0]->hasFocus()) {
        numbers_[0]->set_optional(QString::fromStdString(drawing::value_text(value)));
        numbers_[0]->set_missing();
    }
    if (tick_) tick_->setChecked(value == AttributeValue(true));
    if (const auto* n = std::get_if<std::int64_t>(&value); n && numbers_.size() == 1)
        numbers_[0]->set_value(static_cast<double>(*n));
    if (const auto* v = std::get_if<double>(&value); v && numbers_.size() == 1) numbers_[0]->set_value(*v);
    if (info_.type == AttributeType::sizes) {
        const auto* given = std::get_if<Sizes>(&value);
        sizes_ = given ? *given : Sizes{};
        // The value that a layer starts with is the same along each axis, however many there are.
        if (axes_ > 0 && !sizes_.empty() && value == info_.initial) sizes_.assign(axes_, sizes_.front());
        show_sizes();
    }
    if (info_.type == AttributeType::choice)
        if (const auto* word = std::get_if<std::string>(&value)) choice_->set_current(told(*word));
    if (const auto* p = std::get_if<Padding>(&value)) show_padding(*p);
    if (text_ && !(text_->hasFocus() && text_->isModified()) && message_->isHidden())
        text_->setText(told(info_.type == AttributeType::text && std::holds_alternative<std::string>(value)
                                ? std::get<std::string>(value)
                                : drawing::value_text(value)));
}

}  // namespace scalescope::ui
