// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/verdict_card.hpp"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <utility>

#include "core/base/format.hpp"
#include "core/estimate/memory.hpp"
#include "core/scenario/hardware.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/design/names.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/icon_label.hpp"

namespace scalescope::ui {
namespace {

constexpr double border = 2.0;
constexpr int low_window = 840;

/// "24.6 GB of 80 GB"
QString of_room(Bytes memory, Bytes room) {
    return VerdictCard::tr("%1 of %2").arg(text_of(format_bytes(memory)), text_of(format_bytes(room)));
}

/// A degree and its axis stay in one line.
QString wrapped_after_signs(QString text) {
    text.replace(QLatin1Char(' '), QChar::Nbsp);
    for (const QChar sign : {QChar(0x00D7), QChar(0x00B7)})
        text.replace(QString(sign) + QChar::Nbsp, sign + QStringLiteral(" "));
    return text;
}

/// What takes the room, the largest first.
QString largest_parts(const MemoryEstimate& memory) {
    const std::array names{VerdictCard::tr("weights"),          VerdictCard::tr("gradients"),
                           VerdictCard::tr("optimizer states"), VerdictCard::tr("activations"),
                           VerdictCard::tr("logits"),           VerdictCard::tr("trainer")};
    const auto parts = parts_of(memory);
    std::array<std::size_t, memory_parts> order{0, 1, 2, 3, 4, 5};
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return parts[a] > parts[b]; });
    QStringList texts;
    for (const std::size_t i : order)
        if (parts[i].value > 0.01 * memory.peak.value)
            texts << names[i] + QChar::Nbsp + text_of(format_bytes(parts[i]));
    return texts.join(QStringLiteral(", "));
}

}  // namespace

VerdictCard::VerdictCard(QWidget* parent) : QFrame(parent) {
    setObjectName(QStringLiteral("verdict"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 10, 14, 12);
    layout->setSpacing(4);
    auto* top = new QHBoxLayout;
    top->setSpacing(8);
    headline_ = new ElidedLabel;
    headline_->setFont(type::page_title());
    headline_->setObjectName(QStringLiteral("verdictText"));
    set_ink(*headline_, Ink::error);
    times_ = make_label({}, type::control());
    top->addWidget(new IconLabel("error", Tint::by_name, 18));
    top->addWidget(headline_, 1);
    top->addWidget(times_);
    layout->addLayout(top);
    parts_ = new ElidedLabel;
    parts_->setFont(type::control());
    parts_->setContentsMargins(26, 0, 0, 0);
    layout->addWidget(parts_);
    waiting_ = make_label(tr("Looking for designs that fit…"), type::control(), Ink::secondary);
    waiting_->setContentsMargins(26, 0, 0, 0);
    layout->addWidget(waiting_);
    boxes_ = new QHBoxLayout;
    boxes_->setContentsMargins(0, 4, 0, 0);
    boxes_->setSpacing(space::gap);
    layout->addLayout(boxes_);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Minimum);  // it may become higher with its texts
    hide();
}

void VerdictCard::show_result(const LiveResultPtr& result) {
    const Scenario& s = result->request.scenario;
    const bool misfit = result->estimate && !fits_device(s, result->estimate->memory);
    show_steadily(*this, misfit, result->request.dragging);
    if (!misfit) {
        scenario_.reset();
        return;
    }
    const MemoryEstimate& memory = result->estimate->memory;
    const Bytes room = *worker_memory(s);
    const QString needed = of_room(memory.peak, room);
    headline_->setText(result->estimate->stages.empty()
                           ? tr("Does not fit: each %1 would need %2").arg(text_of(worker_words(s).one), needed)
                           : tr("Does not fit: stage %1 would need %2").arg(QString::number(memory.stage), needed));
    times_->setText(tr("%1 too much").arg(text_of(format_ratio(memory.peak / room))));
    parts_->setText(largest_parts(memory));
    parts_->setVisible(window()->height() >= low_window);
    setAccessibleName(headline_->text());
    setAccessibleDescription(parts_->text());
    if (scenario_ && *scenario_ == s) return;
    scenario_ = std::make_shared<const Scenario>(s);
    current_ = false;
    for (int i = 0; i < boxes_->count(); ++i) boxes_->itemAt(i)->widget()->setEnabled(false);  // of another design
    waiting_->setText(tr("Looking for designs that fit…"));
    waiting_->setVisible(shown_.empty());
}

void VerdictCard::show_analysis(const AnalysisPtr& latest, bool) {
    if (!scenario_ || !latest || !latest->mesh || latest->scenario != *scenario_) return;
    const std::vector<search::Fix>& fixes = latest->fixes;
    if (std::exchange(current_, true) && fixes == shown_) return;
    shown_ = fixes;
    while (QLayoutItem* item = boxes_->takeAt(0)) {
        if (item->widget()) item->widget()->deleteLater();
        delete item;
    }
    waiting_->setText(tr("No change that was tried makes it fit: use more devices, or devices with more memory."));
    waiting_->setVisible(fixes.empty());
    for (const search::Fix& fix : fixes) boxes_->addWidget(box_of(fix, fix.names.empty()), 1);
}

QWidget* VerdictCard::box_of(const search::Fix& fix, bool best) {
    auto* box = new QFrame;
    box->setObjectName(QStringLiteral("card"));
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(2);
    QStringList names;
    for (const std::string& name : fix.names) names << told(name);
    const QString name = best ? tr("Auto") : names.join(QStringLiteral(", "));
    auto* title = make_label(name, type::title());
    title->setWordWrap(true);
    auto* apply = new QPushButton(tr("Apply"));
    apply->setProperty("kind", best ? QStringLiteral("small primary") : QStringLiteral("small"));
    auto* top = new QHBoxLayout;
    top->addWidget(title, 1);
    top->addWidget(apply, 0, Qt::AlignTop);
    layout->addLayout(top);
    const Scenario& s = fix.scenario;
    QStringList facts;
    if (const auto degrees = degrees_of(s)) facts << mesh_product(*degrees, s.parallelism.axis_order);
    if (s.cluster.workers != scenario_->cluster.workers) facts << text_of(worker_words(s).count(s.cluster.workers));
    if (s.training.batch != scenario_->training.batch)
        facts << tr("batch %1").arg(text_of(format_count(s.training.batch)));
    auto* mesh = make_label(wrapped_after_signs(facts.join(QStringLiteral(" · "))), type::caption(), Ink::secondary);
    mesh->setWordWrap(true);
    layout->addWidget(mesh);
    layout->addStretch(1);
    auto* figures = new QHBoxLayout;
    const QString memory = of_room(fix.memory, *worker_memory(s));
    const QString step = tr("step %1").arg(text_of(format_time(fix.step)));
    auto* fits = new ElidedLabel;
    fits->set_choices(
        {QStringLiteral("\u2713 ") + memory, QStringLiteral("\u2713 ") + text_of(format_bytes(fix.memory))});
    fits->setFont(type::table());
    set_ink(*fits, Ink::better);
    figures->addWidget(fits, 1);
    figures->addWidget(make_label(step, type::table_strong()));
    layout->addLayout(figures);
    apply->setAccessibleName(tr("%1: %2, %3").arg(name, memory, step));
    box->setToolTip(name);
    connect(apply, &QPushButton::clicked, this, [this, s] { emit fix_chosen(s); });
    return box;
}

void VerdictCard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme().error, border));
    painter.setBrush(theme().error_fill);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), space::card_radius, space::card_radius);
}

}  // namespace scalescope::ui
