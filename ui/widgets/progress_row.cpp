// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/progress_row.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QShortcut>
#include <algorithm>
#include <cmath>

#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"

namespace scalescope::ui {
namespace {

constexpr int bar_width = 120, bar_steps = 1000, longest_text = 320;

}  // namespace

ProgressRow::ProgressRow(QWidget* parent) : QWidget(parent) {
    setFixedHeight(space::status_height);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 0, 8, 0);
    row->setSpacing(12);
    label_ = make_label({}, type::table());
    bar_ = new QProgressBar;
    bar_->setFixedWidth(bar_width);
    bar_->setTextVisible(false);
    auto* cancel = new QPushButton(tr("Cancel"));
    cancel->setObjectName(QStringLiteral("cancelOpening"));
    cancel->setProperty("kind", QStringLiteral("link"));
    cancel->setToolTip(tr("Escape"));
    row->addWidget(label_);
    row->addWidget(bar_);
    row->addWidget(cancel);
    connect(cancel, &QPushButton::clicked, this, &ProgressRow::cancelled);
    // Only while the row can be seen: Escape means something else to others.
    auto* escape = new QShortcut(QKeySequence(Qt::Key_Escape), this);
    escape->setContext(Qt::WindowShortcut);
    connect(escape, &QShortcut::activated, this, &ProgressRow::cancelled);
}

void ProgressRow::start(const QString& what) {
    what_ = what;
    show_text(what);
    bar_->setRange(0, 0);
    bar_->setAccessibleName(what);
}

void ProgressRow::set_progress(double fraction, const QString& now) {
    if (!now.isEmpty()) show_text(QStringLiteral("%1: %2").arg(what_, now));
    if (fraction <= 0) return;
    bar_->setRange(0, bar_steps);
    bar_->setValue(static_cast<int>(std::lround(std::clamp(fraction, 0.0, 1.0) * bar_steps)));
}

/// The edge above, as the status line beside has it.
void ProgressRow::paintEvent(QPaintEvent*) { QPainter(this).fillRect(QRectF(0, 0, width(), 1), theme().card_border); }

/// A long name loses its middle, so that both its beginning and its ending can be read.
void ProgressRow::show_text(const QString& text) {
    label_->setText(QFontMetrics(label_->font()).elidedText(text, Qt::ElideMiddle, longest_text));
    label_->setToolTip(text);
}

}  // namespace scalescope::ui
