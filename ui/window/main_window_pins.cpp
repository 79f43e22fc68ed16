// SPDX-License-Identifier: GPL-3.0-or-later
// Designs pinned beside the open one: the action that pins, and what their rows ask for.
#include <QInputDialog>

#include "ui/commands/command.hpp"
#include "ui/inspect/layer_table.hpp"
#include "ui/inspect/numbers_panel.hpp"
#include "ui/inspect/why_panel.hpp"
#include "ui/widgets/card.hpp"
#include "ui/window/main_window.hpp"

namespace scalescope::ui {

namespace {

QString letter(std::size_t index) { return QString(QLatin1Char(letter_of_pin(index))); }

}  // namespace

void MainWindow::connect_pins(QAction& pin) {
    pin_action_ = &pin;
    connect(&pin, &QAction::triggered, this, [this] {
        document_.pin();
        numbers_dock_->QWidget::show();
    });
    const auto name = [this] {
        const std::size_t next = document_.pins().size();
        pin_action_->setEnabled(document_.can_pin());
        pin_action_->setText(document_.can_pin() ? tr("&Pin as %1").arg(letter(next)) : tr("&Pin"));
        pin_action_->setIconText(document_.can_pin() ? tr("Pin %1").arg(letter(next)) : tr("Pin"));
        set_why_not(*pin_action_, tr("Four scenarios are pinned: unpin one first"));
        pin_action_->setToolTip(document_.can_pin()
                                    ? tr("Keep this scenario as %1, to compare with (Ctrl+K)").arg(letter(next))
                                    : tr("Four scenarios are pinned: unpin one first"));
    };
    connect(&document_, &Document::changed, this, name);
    name();
    connect(numbers_, &NumbersPanel::unpin_asked, this,
            [this](int index) { document_.unpin(static_cast<std::size_t>(index)); });
    connect(numbers_, &NumbersPanel::swap_asked, this,
            [this](int index) { document_.swap_with_pin(static_cast<std::size_t>(index)); });
    connect(numbers_, &NumbersPanel::move_asked, this, [this](int from, int to) {
        document_.move_pin(static_cast<std::size_t>(from), static_cast<std::size_t>(to));
    });
    connect(numbers_, &NumbersPanel::compared_changed, this, [this](int index) {
        why_->compare_with(index);
        layer_table_->compare_with(index);
    });
    connect(numbers_, &NumbersPanel::rename_asked, this, &MainWindow::rename_pin);
}

void MainWindow::rename_pin(int index) {
    const auto at = static_cast<std::size_t>(index);
    if (at >= document_.pins().size()) return;
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("renamePin"));
    dialog->setWindowTitle(tr("Rename %1").arg(letter(at)));
    dialog->setLabelText(tr("What this design is called:"));
    dialog->setTextValue(QString::fromStdString(document_.pins()[at].name));
    connect(dialog, &QInputDialog::textValueSelected, this,
            [this, at](const QString& name) { document_.rename_pin(at, name); });
    dialog->open();
}

}  // namespace scalescope::ui
