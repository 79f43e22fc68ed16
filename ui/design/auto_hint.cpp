// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/auto_hint.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "core/base/format.hpp"
#include "core/estimate/memory.hpp"
#include "core/search/best_mesh.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/design/names.hpp"
#include "ui/live/analysis.hpp"
#include "ui/theme/text.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"

namespace scalescope::ui {

AutoHint::AutoHint(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("autoHint"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    text_ = new ElidedLabel;
    text_->setFont(type::table());
    set_ink(*text_, Ink::secondary);
    use_ = new QPushButton(tr("Use it"));
    use_->setObjectName(QStringLiteral("useBest"));
    use_->setProperty("kind", QStringLiteral("small"));
    tried_ = make_label({}, type::caption(), Ink::secondary);
    row->addWidget(text_, 1);
    row->addWidget(use_);
    row->addWidget(tried_);
    connect(use_, &QPushButton::clicked, this, &AutoHint::use_asked);
}

bool AutoHint::applies(const LiveResult& result) {
    const Scenario& s = result.request.scenario;
    return result.estimate && has_meshes(s) && s.cluster.workers > 1 && fits_device(s, result.estimate->memory);
}

void AutoHint::show_best(const LiveResult& result, const search::BestMesh* best, const search::BestMesh* free,
                         bool automatic) {
    constexpr double worth_saying = 0.005;
    const double gain = free && result.estimate ? 1 - free->summary.step / result.estimate->summary.step : 0;
    use_->setVisible(gain > worth_saying);
    tried_->setVisible(best != nullptr);
    if (!best || !free) return text_->setText(tr("Looking for the best mesh…"));
    tried_->setText(tr("%1 meshes tried, %2 fit")
                        .arg(text_of(format_count(static_cast<std::int64_t>(best->counts.scored))),
                             text_of(format_count(static_cast<std::int64_t>(best->fit())))));
    if (gain <= worth_saying)
        return text_->setText(automatic ? tr("The best mesh that was found.") : tr("No faster mesh was found."));
    const auto degrees = degrees_of(free->scenario);
    const QString mesh = degrees ? mesh_product(*degrees, free->scenario.parallelism.axis_order) : QString();
    const QString step = text_of(format_time(free->summary.step)), change = text_of(format_change(Fraction{-gain}, 1));
    text_->setText(automatic ? tr("Auto kept your locks. Without them: %1, %2, %3.").arg(mesh, step, change)
                             : tr("Auto would be faster: %1, %2, %3.").arg(mesh, step, change));
}

}  // namespace scalescope::ui
