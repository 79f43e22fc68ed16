// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/stage_editor.hpp"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/format.hpp"
#include "core/estimate/dividing.hpp"
#include "ui/document/document.hpp"
#include "ui/help/help_guide.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/combo.hpp"

namespace scalescope::ui {
namespace {

/// Nothing where the network is not split by layers, or cannot be.
Dividing stages_of(const LiveResult& r) {
    if (!r.plan || !r.estimate || !has_stages(r.request.scenario)) return {};
    return dividing_of(r.request.scenario, *r.plan, &*r.estimate);
}

}  // namespace

std::vector<LayerId> stage_starts(const LiveResult& r) {
    const Dividing stages = stages_of(r);
    if (stages.borders.empty()) return {};
    return with_border(r.request.scenario, stages, 0, stages.borders.front().at).parallelism.boundaries;
}

StageEditor::StageEditor(Document& document, QWidget* parent) : QDialog(parent), document_(document) {
    setWindowTitle(tr("Stages"));
    set_help(*this, QStringLiteral("panel-stages"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(12);
    list_ = new QWidget;
    list_->setObjectName(QStringLiteral("pane"));
    grid_ = new QGridLayout(list_);
    grid_->setContentsMargins(0, 0, 12, 0);
    grid_->setHorizontalSpacing(12);
    grid_->setVerticalSpacing(6);
    grid_->setColumnStretch(1, 1);
    grid_->setAlignment(Qt::AlignTop);
    scroll_ = new QScrollArea;
    auto* scroll = scroll_;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->viewport()->setAutoFillBackground(false);
    scroll->setWidget(list_);
    list_->setAutoFillBackground(false);
    column->addWidget(scroll, 1);
    note_ = make_label(tr("A stage runs on one worker. Times are of its layers in one step, without messages."),
                       type::caption(), Ink::secondary);
    note_->setWordWrap(true);
    column->addWidget(note_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    balance_ = buttons->addButton(tr("Automatic"), QDialogButtonBox::ResetRole);
    balance_->setToolTip(tr("Remove the borders that were set by hand"));
    connect(balance_, &QPushButton::clicked, this,
            [this] { document_.change([](Scenario& s) { s.parallelism.boundaries.clear(); }); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    column->addWidget(buttons);
    setMinimumWidth(400);
}

void StageEditor::set_rows(std::size_t count) {
    while (rows_.size() > count) {
        const Row& row = rows_.back();
        for (QWidget* w : std::initializer_list<QWidget*>{row.name, row.first, row.time, row.start}) delete w;
        rows_.pop_back();
    }
    while (rows_.size() < count) {
        const std::size_t stage = rows_.size();
        const int line = static_cast<int>(stage);
        Row row{make_label(tr("Stage %1 from").arg(stage + 1), type::control(), Ink::secondary),
                make_label({}, type::control()), make_label({}, type::control()), nullptr};
        row.time->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        row.name->setMinimumHeight(space::control_height);
        grid_->addWidget(row.name, line, 0);
        grid_->addWidget(row.time, line, 2);
        if (stage == 0) {
            grid_->addWidget(row.first, line, 1);
        } else {
            delete std::exchange(row.first, nullptr);
            row.start = new Combo(tr("First layer of stage %1").arg(stage + 1));
            row.start->setObjectName(QStringLiteral("stage%1").arg(stage + 1));
            grid_->addWidget(row.start, line, 1);
            connect(row.start, &Combo::chosen, this,
                    [this, stage](const QString& id) { choose(stage, LayerId{id.toUInt()}); });
        }
        rows_.push_back(row);
    }
    if (rows_.empty()) return;
    const int rows = static_cast<int>(std::min<std::size_t>(count, 10));  // more than that scroll
    scroll_->setMinimumHeight(rows * space::control_height + (rows - 1) * grid_->verticalSpacing());
    adjustSize();
}

void StageEditor::show_result(const LiveResultPtr& result) {
    result_ = result;
    const Dividing stages = stages_of(*result);
    const Network* network = result->request.scenario.network();
    if (stages.times.empty() || !network) return;  // another strategy, or a split that cannot be: the last one stays
    set_rows(stages.times.size());
    const auto layer = [&](int position) -> const Layer& {
        return network->layers()[static_cast<std::size_t>(position)];
    };
    const Seconds slowest = *std::max_element(stages.times.begin(), stages.times.end());
    for (std::size_t i = 0; i < stages.times.size(); ++i) {
        Row& row = rows_[i];
        const bool is_slowest = stages.times[i].value == slowest.value;
        row.time->setText(told(format_time(stages.times[i])));
        row.time->setFont(is_slowest ? type::title() : type::control());
        row.time->setToolTip(is_slowest ? tr("The slowest stage") : QString());
        if (!row.start) {
            row.first->setText(plain(layer(0).name));
            continue;
        }
        const Border& border = stages.borders[i - 1];
        std::vector<ComboItem> items;
        for (int p : border.allowed) {
            ComboItem item;
            item.id = QString::number(layer(p).id.value);
            item.text = plain(layer(p).name);
            items.push_back(std::move(item));
        }
        row.start->set_items(std::move(items));
        row.start->set_current(QString::number(layer(border.at).id.value));
    }
    balance_->setEnabled(!document_.scenario().parallelism.boundaries.empty());
}

void StageEditor::choose(std::size_t stage, LayerId layer) {
    if (!result_) return;
    const Dividing stages = stages_of(*result_);
    const Network* network = result_->request.scenario.network();
    const auto at = network ? network->position(layer) : std::nullopt;
    if (stage < 1 || stage > stages.borders.size() || !at) return;
    document_.edit(with_border(document_.scenario(), stages, stage - 1, *at));
}

}  // namespace scalescope::ui
