// SPDX-License-Identifier: GPL-3.0-or-later
// Designs pinned beside the open one: the action that pins, and what their rows ask for.
#include <QInputDialog>
#include <QJsonObject>
#include <QTimer>
#include <algorithm>

#include "core/scenario/differences.hpp"
#include "core/scenario/symbol_fields.hpp"
#include "ui/commands/command.hpp"
#include "ui/design/layer_list.hpp"
#include "ui/design/network_panel.hpp"
#include "ui/inspect/compare_page.hpp"
#include "ui/inspect/numbers_panel.hpp"
#include "ui/inspect/why_panel.hpp"
#include "ui/widgets/card.hpp"
#include "ui/window/main_window.hpp"

namespace scalescope::ui {

namespace {

const QString comparison_key = QStringLiteral("compare"), from_key = QStringLiteral("from"),
              to_key = QStringLiteral("to"), by_key = QStringLiteral("by");

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
        pin_action_->setText(document_.can_pin() ? tr("&Pin as %1").arg(pin_letter(next)) : tr("&Pin"));
        pin_action_->setIconText(document_.can_pin() ? tr("Pin %1").arg(pin_letter(next)) : tr("Pin"));
        set_why_not(*pin_action_, tr("Four scenarios are pinned: unpin one first"));
        pin_action_->setToolTip(document_.can_pin()
                                    ? tr("Pin this scenario as %1 for comparison (Ctrl+K)").arg(pin_letter(next))
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
        for (LayerList* list : layer_lists()) list->compare_with(index);
        compare_page_->compare_from(index);
    });
    connect(numbers_, &NumbersPanel::rename_asked, this, &MainWindow::rename_pin);
}

void MainWindow::connect_comparison() {
    connect(compare_page_, &ComparePage::question_changed, this, [this] {
        presenter_.analyse();
        files_->keep_soon();
    });
    connect(compare_page_, &ComparePage::field_asked, this, &MainWindow::show_difference);
    connect(compare_page_, &ComparePage::pin_asked, pin_action_, &QAction::trigger);
    connect(&analyst(), &Analyst::progressed, this, [this](double fraction) {
        if (shows(compare_page_)) compare_page_->set_progress(fraction);
    });
}

void MainWindow::keep_comparison(QJsonObject& view) const {
    const ComparePage::Choice& choice = compare_page_->choice();
    view.remove(comparison_key);
    if (choice == ComparePage::Choice{}) return;
    const std::string_view by = search::info_of(choice.metric).name;
    view[comparison_key] = QJsonObject{{from_key, choice.from},
                                       {to_key, choice.to},
                                       {by_key, QString::fromUtf8(by.data(), static_cast<qsizetype>(by.size()))}};
}

void MainWindow::restore_comparison() {
    const QJsonObject kept = view_[comparison_key].toObject();
    const ComparePage::Choice usual;
    constexpr int most = static_cast<int>(limits::pins);
    ComparePage::Choice choice;
    choice.from = std::clamp(kept[from_key].toInt(usual.from), -1, most - 1);
    choice.to = std::clamp(kept[to_key].toInt(usual.to), -1, most - 1);
    choice.metric = search::metric_named(kept[by_key].toString().toStdString()).value_or(usual.metric);
    compare_page_->set_choice(choice);
}

/// The control of what two designs differ in: of a field, a size of the network, or the network itself.
void MainWindow::show_difference(const QString& path) {
    const QString prefix = QLatin1String(SymbolFields::prefix.data(), static_cast<int>(SymbolFields::prefix.size()));
    if (path.startsWith(prefix)) {
        if (auto* size = network_->findChild<QWidget*>(path)) size->setFocus(Qt::OtherFocusReason);
    } else {
        focus_field(path == QLatin1String(workload_path.data()) ? QStringLiteral("workload") : path);
    }
}

void MainWindow::rename_pin(int index) {
    const auto at = static_cast<std::size_t>(index);
    if (at >= document_.pins().size()) return;
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("renamePin"));
    dialog->setWindowTitle(tr("Rename %1").arg(pin_letter(at)));
    dialog->setLabelText(tr("What this design is called:"));
    dialog->setTextValue(QString::fromStdString(document_.pins()[at].name));
    connect(dialog, &QInputDialog::textValueSelected, this,
            [this, at](const QString& name) { document_.rename_pin(at, name); });
    dialog->open();
}

}  // namespace scalescope::ui
