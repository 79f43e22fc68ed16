// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/number_field.hpp"

#include <QAccessible>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPainter>
#include <QRegularExpression>
#include <QStyle>
#include <QStyleOptionSpinBox>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/language/told.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"

namespace scalescope::ui {
namespace {

constexpr int unit_gap = 1;

bool comma_is_decimal() { return with_marks(QStringLiteral("0.5")).contains(QLatin1Char(',')); }

/// In English "1,024" and "1024" are the same integer; "0,5" is nothing: a comma groups thousands.
bool parse_number(const QString& text, double& value) {
    static const QRegularExpression plain(QStringLiteral("^[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?$"));
    static const QRegularExpression groups(QStringLiteral("^[+-]?\\d{1,3}(,\\d{3})+(\\.\\d*)?$"));
    QString digits = without_marks(text.trimmed());
    digits.replace(QChar(0x2212), QLatin1Char('-'));
    if (groups.match(digits).hasMatch())
        digits.remove(QLatin1Char(','));
    else if (!plain.match(digits).hasMatch())
        return false;
    bool ok = false;
    value = QLocale::c().toDouble(digits, &ok);
    return ok && std::isfinite(value);
}

/// The number in front of a unit that is typed along, or of a beginning of it: "80 %", "8.75 G" on the way to "GB/s".
QString without_unit(const QString& text, const QString& unit) {
    static const QRegularExpression number_end(QStringLiteral("[\\d.,]\\s*(\\D+)$"));
    const auto found = number_end.match(text);
    if (unit.isEmpty() || !found.hasMatch()) return text;
    const QString typed = found.captured(1).trimmed();
    return unit.startsWith(typed, Qt::CaseInsensitive) ? text.left(found.capturedStart(1)) : text;
}

}  // namespace

NumberField::NumberField(const QString& accessible_name, QWidget* parent) : QAbstractSpinBox(parent) {
    setAccessibleName(accessible_name);
    subject_ = accessible_name;
    setFocusPolicy(Qt::StrongFocus);  // not by the wheel: panels scroll under the pointer
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
    lineEdit()->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    lineEdit()->setProperty("plain", true);
    connect(lineEdit(), &QLineEdit::textEdited, this, &NumberField::read_text);
    show_value();
}

QString NumberField::text_of(double value, bool grouped) const {
    QString text = QLocale::c().toString(value, 'f', decimals_);
    if (text.contains(QLatin1Char('.'))) {
        while (text.endsWith(QLatin1Char('0'))) text.chop(1);
        if (text.endsWith(QLatin1Char('.'))) text.chop(1);
    }
    if (text == QLatin1String("-0")) return QStringLiteral("0");
    if (grouped) {
        const qsizetype dot = text.indexOf(QLatin1Char('.')), first = text.startsWith(QLatin1Char('-')) ? 1 : 0;
        for (qsizetype i = (dot < 0 ? text.size() : dot) - 3; i > first; i -= 3) text.insert(i, QLatin1Char(','));
        if (first == 1) text[0] = QChar(0x2212);
    }
    return with_marks(text);
}

/// While it is typed at, a number is plain: commas would be in the way of every digit.
QString NumberField::shown_text() const { return missing_ ? QString() : text_of(value_, !hasFocus()); }

QString NumberField::range_sentence() const {
    const QString low = text_of(minimum_, true), high = text_of(maximum_, true);
    if (maximum_ >= 1e9) return tr("%1 is %2 or more.").arg(subject_, low);
    return tr("%1 is %2 to %3.").arg(subject_, low, high);
}

void NumberField::set_value(double value) {
    double shown = 0;
    const bool same_text = parse_number(without_unit(lineEdit()->text(), unit_), shown) && shown == value;
    if (value == value_ && !missing_ && own_error_.isEmpty() && same_text) return;
    value_ = value;
    missing_ = false;
    own_error_.clear();
    if (!same_text) show_value();
    show_error();
    tell_accessibility();
}

void NumberField::set_optional(const QString& placeholder) {
    optional_ = true;
    lineEdit()->setPlaceholderText(placeholder);
    updateGeometry();
}

void NumberField::set_missing() {
    if (missing_ && own_error_.isEmpty()) return;
    missing_ = true;
    own_error_.clear();
    show_value();
    show_error();
    tell_accessibility();
}

void NumberField::tell_accessibility() {
    QAccessibleValueChangeEvent event(this, value_);
    QAccessible::updateAccessibility(&event);
}

void NumberField::set_range(double minimum, double maximum) {
    minimum_ = minimum;
    maximum_ = std::max(minimum, maximum);
    if (own_error_.isEmpty()) set_value(std::clamp(value_, minimum_, maximum_));
    updateGeometry();
    update();
}

void NumberField::set_decimals(int decimals) {
    decimals_ = decimals;
    show_value();
    updateGeometry();
}

void NumberField::set_unit(const QString& unit) {
    unit_ = unit;
    place_editor();
    updateGeometry();
    update();
}

void NumberField::set_error(const QString& message) {
    if (message == outer_error_) return;
    outer_error_ = message;
    show_error();
}

QLabel* NumberField::message_label() {
    if (!message_) {
        message_ = make_label({}, type::table(), Ink::error);
        message_->setWordWrap(true);
        connect(message_, &QObject::destroyed, this, [this] { message_ = nullptr; });
        show_error();
    }
    return message_;
}

void NumberField::show_value() {
    const QSignalBlocker quiet(lineEdit());
    lineEdit()->setText(shown_text());
    place_editor();
    if (!hasFocus()) lineEdit()->setCursorPosition(0);
}

void NumberField::show_error() {
    const QString sentence = error();
    setAccessibleDescription(sentence);
    setToolTip(sentence);
    if (message_) {
        message_->setText(sentence);
        message_->setVisible(!sentence.isEmpty());
    }
    update();
}

void NumberField::read_text(const QString& text) {
    double value = 0;
    place_editor();
    if (text.trimmed().isEmpty() && optional_) {
        own_error_.clear();
        outer_error_.clear();
        if (!std::exchange(missing_, true)) {
            tell_accessibility();
            emit typed();
            emit value_removed();
        }
    } else if (text.trimmed().isEmpty()) {
        own_error_ = tr("%1 needs a number.").arg(subject_);
    } else if (!parse_number(without_unit(text, unit_), value)) {
        own_error_ = text.contains(QLatin1Char(',')) && !comma_is_decimal() ? tr("Write the decimal point as a dot.")
                                                                            : range_sentence();
    } else if (decimals_ == 0 && value != std::floor(value)) {
        own_error_ = tr("%1 is a whole number.").arg(subject_);
    } else if (value < minimum_ || value > maximum_) {
        own_error_ = range_sentence();
    } else {
        own_error_.clear();
        outer_error_.clear();
        if (value != value_ || missing_) emit typed();
        take(value);
    }
    show_error();
}

/// True if the value is another than before.
bool NumberField::take(double value) {
    if (value == value_ && !missing_) return false;
    value_ = value;
    missing_ = false;
    update();
    tell_accessibility();
    emit value_changed(value_);
    return true;
}

void NumberField::choose(double value) {
    value = std::clamp(value, minimum_, maximum_);
    own_error_.clear();
    outer_error_.clear();
    const bool changed = take(value);
    show_value();
    show_error();
    if (changed) emit editing_finished();
}

void NumberField::stepBy(int steps) {
    double next = value_;
    if (follower_) {
        for (int i = 0; i < std::min(std::abs(steps), 10); ++i) next = follower_(next, steps > 0 ? 1 : -1);
    } else if (doubling_ && std::abs(steps) >= 10) {
        next = steps > 0 ? value_ * 2 : value_ / 2;
        if (decimals_ == 0) next = std::floor(next);
    } else {
        // Steps land on multiples of the step, unless the value stands between them on purpose.
        next = value_ + steps * step_;
        const double scale = std::pow(10.0, decimals_);
        next = std::round(next * scale) / scale;
    }
    choose(next);
    selectAll();
}

QAbstractSpinBox::StepEnabled NumberField::stepEnabled() const {
    StepEnabled result = StepNone;
    if (value_ < maximum_ || missing_) result |= StepUpEnabled;
    if (value_ > minimum_ && !missing_) result |= StepDownEnabled;
    return result;
}

QValidator::State NumberField::validate(QString&, int&) const {
    return QValidator::Acceptable;  // anything may be typed; read_text() says what is wrong with it
}

/// Leaving the field with a wrong text in it brings the last good value back.
void NumberField::settle() {
    const bool had_error = !own_error_.isEmpty();
    own_error_.clear();
    show_value();
    if (had_error) show_error();
}

void NumberField::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        if (own_error_.isEmpty()) {
            show_value();
            selectAll();
            emit editing_finished();
        }
        return;  // with an error the text stays, so that it can be mended
    }
    if (event->key() == Qt::Key_Escape && (!own_error_.isEmpty() || lineEdit()->text() != shown_text())) {
        settle();
        return selectAll();
    }
    QAbstractSpinBox::keyPressEvent(event);
}

void NumberField::focusInEvent(QFocusEvent* event) {
    if (own_error_.isEmpty()) show_value();  // before it is selected, or the cursor placed in it
    QAbstractSpinBox::focusInEvent(event);
}

void NumberField::focusOutEvent(QFocusEvent* event) {
    if (event->reason() != Qt::PopupFocusReason && event->reason() != Qt::ActiveWindowFocusReason) {
        settle();
        emit editing_finished();
    }
    QAbstractSpinBox::focusOutEvent(event);
}

void NumberField::wheelEvent(QWheelEvent* event) {
    if (!hasFocus()) return event->ignore();
    QAbstractSpinBox::wheelEvent(event);
}

void NumberField::changeEvent(QEvent* event) {
    QAbstractSpinBox::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) place_editor();
}

/// Nothing has no unit.
bool NumberField::shows_unit() const { return !unit_.isEmpty() && !(optional_ && lineEdit()->text().isEmpty()); }

/// The editor ends before the unit, so that the unit can be painted grey behind the number.
void NumberField::place_editor() {
    QStyleOptionSpinBox option;
    initStyleOption(&option);
    QRect box = style()->subControlRect(QStyle::CC_SpinBox, &option, QStyle::SC_SpinBoxEditField, this);
    if (shows_unit()) box.setRight(box.right() - fontMetrics().horizontalAdvance(unit_) - unit_gap);
    lineEdit()->setGeometry(box);
}

void NumberField::resizeEvent(QResizeEvent* event) {
    QAbstractSpinBox::resizeEvent(event);
    place_editor();
}

void NumberField::paintEvent(QPaintEvent* event) {
    QAbstractSpinBox::paintEvent(event);
    if (!shows_unit()) return;
    QPainter painter(this);
    QStyleOptionSpinBox option;
    initStyleOption(&option);
    const QRect box = style()->subControlRect(QStyle::CC_SpinBox, &option, QStyle::SC_SpinBoxEditField, this);
    draw_text(painter, QRectF(box), Qt::AlignRight | Qt::AlignVCenter, unit_, font(),
              isEnabled() ? theme().secondary : theme().disabled);
}

QSize NumberField::sizeHint() const {
    const QFontMetrics metrics(font());
    const QString widest = text_of(maximum_ >= 1e9 ? 99999 : maximum_, true);
    int width = metrics.horizontalAdvance(QString(std::max<qsizetype>(3, widest.size()), QLatin1Char('0'))) + 46;
    if (!unit_.isEmpty()) width += metrics.horizontalAdvance(unit_) + unit_gap;
    width = std::max(width, metrics.horizontalAdvance(lineEdit()->placeholderText()) + 46);
    return {std::max(width, 70), std::max<int>(space::control_height, metrics.height() + 8)};
}

QSize NumberField::minimumSizeHint() const { return {std::min(sizeHint().width(), 64), sizeHint().height()}; }

}  // namespace scalescope::ui
