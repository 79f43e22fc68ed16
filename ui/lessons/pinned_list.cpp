// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/pinned_list.hpp"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/base/limits.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"

namespace scalescope::ui {

QString told_changes(const lessons::Changes& changes) {
    QStringList all;
    for (const lessons::Change& c : changes)
        all << QString::fromStdString(c.path) + QStringLiteral(" = ") + QString::fromStdString(c.value);
    return all.join(QStringLiteral(", "));
}

PinnedList::PinnedList(QWidget* parent) : QWidget(parent) {
    auto* column = make_layout<QVBoxLayout>(this, 6);
    own_ = new QCheckBox(tr("The step has its own (else those there are stay)"));
    own_->setObjectName(QStringLiteral("ownPins"));
    rows_ = make_layout<QVBoxLayout>(nullptr, 6);
    add_ = new QPushButton(tr("Add the open scenario"));
    add_->setObjectName(QStringLiteral("addPinned"));
    column->addWidget(own_);
    column->addLayout(rows_);
    column->addWidget(add_, 0, Qt::AlignLeft);
    connect(own_, &QCheckBox::toggled, this, [this](bool on) {
        if (showing_) return;
        pins_.reset();
        if (on) pins_.emplace();
        fill();
        emit edited({});
    });
    connect(add_, &QPushButton::clicked, this, &PinnedList::open_one_asked);
    fill();
}

void PinnedList::show_pins(const std::optional<std::vector<lessons::PinnedDesign>>& pins) {
    if (pins == pins_) return;
    pins_ = pins;
    fill();
}

void PinnedList::change(const QString& part, const std::function<void(std::vector<lessons::PinnedDesign>&)>& how) {
    if (showing_ || !pins_) return;
    how(*pins_);
    emit edited(part);
}

/// Rows are made anew only when there is one more or less: the cursor stays where somebody types.
void PinnedList::fill() {
    showing_ = true;
    own_->setChecked(pins_.has_value());
    const std::size_t count = pins_ ? pins_->size() : 0;
    remove_items(*rows_, static_cast<int>(count));
    while (static_cast<std::size_t>(rows_->count()) < count) {
        const int i = rows_->count();
        const auto at = static_cast<std::size_t>(i);
        auto* row = new QWidget;
        auto* line = make_layout<QHBoxLayout>(row);
        auto* name = new QLineEdit;
        name->setObjectName(QStringLiteral("pinnedName%1").arg(i));
        name->setAccessibleName(tr("Name of pin %1").arg(QChar(QLatin1Char('A').unicode() + i)));
        name->setPlaceholderText(tr("Name"));
        auto* what = make_label({}, type::control(), Ink::secondary);
        what->setObjectName(QStringLiteral("pinnedSet%1").arg(i));
        what->setWordWrap(true);
        auto* remove = make_icon_button("close", tr("Remove this pin"));
        line->addWidget(make_label(QString(QChar(QLatin1Char('A').unicode() + i)), type::title()));
        line->addWidget(name, 2);
        line->addWidget(what, 3);
        line->addWidget(remove);
        rows_->addWidget(row);
        connect(name, &QLineEdit::textEdited, this, [this, at](const QString& t) {
            change(QStringLiteral("pin%1").arg(at), [&](auto& pins) { pins[at].name = t.toStdString(); });
        });
        connect(remove, &QAbstractButton::clicked, this, [this, at] {
            change({}, [&](auto& pins) { pins.erase(pins.begin() + static_cast<std::ptrdiff_t>(at)); });
            fill();
        });
    }
    for (std::size_t i = 0; i < count; ++i) {
        QWidget* row = rows_->itemAt(static_cast<int>(i))->widget();
        const lessons::PinnedDesign& pin = (*pins_)[i];
        const QString name = QString::fromStdString(pin.name);
        if (auto* field = row->findChild<QLineEdit*>(); field->text() != name) field->setText(name);
        row->findChild<QLabel*>(QStringLiteral("pinnedSet%1").arg(i))
            ->setText(pin.set.empty() ? tr("As the step begins") : told_changes(pin.set));
    }
    add_->setVisible(pins_.has_value());
    add_->setEnabled(count < limits::pins);
    showing_ = false;
}

}  // namespace scalescope::ui
