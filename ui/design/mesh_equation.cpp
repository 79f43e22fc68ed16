// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/mesh_equation.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/base/format.hpp"
#include "core/scenario/hardware.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/design/names.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/flow_layout.hpp"
#include "ui/widgets/number_field.hpp"

namespace scalescope::ui {
namespace {

constexpr double most_of_an_axis = 16'384;
const char* field_name(MeshAxis axis) {
    switch (axis) {
        case MeshAxis::pipeline: return "pipeline";
        case MeshAxis::context: return "context";
        case MeshAxis::tensor: return "tensor";
        default: return "data";
    }
}

}  // namespace

MeshEquation::MeshEquation(QWidget* before, QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("meshEquation"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    auto* row = new QWidget;
    auto* flow = new FlowLayout(row, 8, 6);
    flow_ = flow;
    flow->addWidget(before);
    total_ = make_label({}, type::result());
    total_->setFixedHeight(space::control_height);
    flow->addWidget(total_);
    single_ = make_label({}, type::result());
    single_->setFixedHeight(space::control_height);
    flow->addWidget(single_);
    further_ = new QToolButton;
    further_->setText(tr("divide further"));
    further_->setObjectName(QStringLiteral("divideFurther"));
    further_->setProperty("kind", QStringLiteral("link"));
    further_->setCursor(Qt::PointingHandCursor);
    further_->setFixedHeight(space::control_height);
    further_->setAutoRaise(true);
    set_ink(*further_, Ink::accent);
    connect(further_, &QToolButton::clicked, this, [this] {
        expanded_ = true;
        show_factors();
        field(MeshAxis::pipeline)->setFocus(Qt::OtherFocusReason);
    });
    flow->addWidget(further_);
    const std::array names{tr("data"), tr("pipeline"), tr("context"), tr("tensor")};
    for (std::size_t i = 0; i < factors_.size(); ++i) {
        factors_[i] = make_factor(mesh_axes_of_equation[i], names[i]);
        flow->addWidget(factors_[i].box);
    }
    QSizePolicy sizes(QSizePolicy::Expanding, QSizePolicy::Minimum);
    sizes.setHeightForWidth(true);
    row->setSizePolicy(sizes);
    column->addWidget(row);
    misfit_row_ = new QWidget;
    auto* remedies = make_layout<QHBoxLayout>(misfit_row_, 8);
    misfit_ = make_label({}, type::table(), Ink::error);
    misfit_->setObjectName(QStringLiteral("meshMisfit"));
    remedies->addWidget(misfit_);
    remedies->addStretch(1);
    misfit_row_->hide();
    column->addWidget(misfit_row_);
}

void MeshEquation::set_brief(bool brief) {
    brief_ = brief;
    show_factors();
}

void MeshEquation::add(QWidget* control) { flow_->addWidget(control); }

MeshEquation::Factor MeshEquation::make_factor(MeshAxis axis, const QString& name) {
    Factor f{axis, new QWidget, make_label(name, type::control(), Ink::secondary), nullptr, nullptr};
    f.name->setProperty("name", name);
    f.lock = make_icon_button("unlock", tr("Keep the %1 degree").arg(name));
    f.lock->setCheckable(true);
    f.lock->setObjectName(QStringLiteral("lock_") + QLatin1String(field_name(axis)));
    f.field = new NumberField(tr("Degree: %1").arg(name));
    f.field->setObjectName(QLatin1String(field_name(axis)));
    f.field->set_subject(tr("Degree: %1").arg(name));
    f.field->set_range(1, most_of_an_axis);
    f.field->set_doubling(true);
    f.field->setFixedWidth(58);
    f.field->set_optional(QStringLiteral("–"));
    f.field->set_follower([this, axis](double value, int direction) {
        return static_cast<double>(next_degree(scenario_, axis, static_cast<std::int64_t>(value), direction));
    });
    auto* row = new QHBoxLayout(f.box);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(3);
    row->addWidget(f.lock);
    row->addWidget(f.field);
    row->addWidget(f.name);
    connect(f.lock, &QToolButton::toggled, this, [this, axis](bool on) {
        locks_.set(axis, on);
        show_factors();
        emit locks_changed();
    });
    // The digits of a number are degrees too: each is of the mesh before the first one.
    connect(f.field, &NumberField::typed, this, [this] {
        if (!before_typing_) before_typing_ = scenario_;
    });
    connect(f.field, &NumberField::editing_finished, this, [this] { before_typing_.reset(); });
    connect(f.field, &NumberField::value_changed, this, [this, axis](double n) {
        emit changed(with_degree(before_typing_.value_or(scenario_), axis, static_cast<std::int64_t>(n), locks_));
    });
    return f;
}

NumberField* MeshEquation::field(MeshAxis axis) const {
    return std::find_if(factors_.begin(), factors_.end(), [&](const Factor& f) { return f.axis == axis; })->field;
}
QToolButton* MeshEquation::lock(MeshAxis axis) const {
    return std::find_if(factors_.begin(), factors_.end(), [&](const Factor& f) { return f.axis == axis; })->lock;
}

void MeshEquation::set_locks(const LockedAxes& locks) {
    locks_ = locks;
    for (Factor& f : factors_) {
        const QSignalBlocker quiet(f.lock);
        f.lock->setChecked(locks.contains(f.axis));
    }
    show_factors();
}

void MeshEquation::show_scenario(const Scenario& scenario, bool meshes, bool context) {
    scenario_ = scenario;
    meshes_ = meshes;
    context_ = context;
    total_->setText(text_of(format_count(scenario.cluster.workers)) + QStringLiteral(" ="));
    for (Factor& f : factors_)
        if (const std::int64_t n = degree_of(scenario, f.axis); n > 0)
            f.field->set_value(static_cast<double>(n));
        else
            f.field->set_missing();
    show_factors();
    show_misfit();
}

void MeshEquation::show_factors() {
    const bool comes_out = degrees_of(scenario_).has_value();
    int divided = 0;
    QString only;
    for (const Factor& f : factors_)
        if (degree_of(scenario_, f.axis) != 1) {
            ++divided;
            only = f.name->property("name").toString();
        }
    const bool plain = !expanded_ && comes_out && divided <= 1 && locks_ == LockedAxes{};
    if (plain && only.isEmpty()) only = factors_.front().name->property("name").toString();
    const bool told = meshes_ && !(plain && brief_);
    total_->setVisible(told);
    single_->setVisible(plain && told);
    further_->setVisible(plain && told && scenario_.cluster.workers > 1);
    if (plain) single_->setText(text_of(format_count(scenario_.cluster.workers)) + QLatin1Char(' ') + only);
    const Factor* last = nullptr;
    for (Factor& f : factors_) {
        const bool shown =
            meshes_ && !plain && (f.axis != MeshAxis::context || context_ || degree_of(scenario_, f.axis) > 1);
        f.box->setVisible(shown);
        const bool locked = locks_.contains(f.axis);
        if (std::exchange(f.shown_locked, locked) != locked) {
            f.lock->setIcon(icon(locked ? "lock" : "unlock", locked ? Tint::accent : Tint::secondary));
            f.lock->setToolTip(locked ? tr("Kept. Click to let it change") : f.lock->accessibleName());
        }
        if (shown) last = &f;
    }
    for (Factor& f : factors_) {
        const QString name = f.name->property("name").toString();
        f.name->setText(&f == last ? name : name + QStringLiteral(" ×"));
    }
}

void MeshEquation::show_misfit() {
    const bool comes_out = degrees_of(scenario_).has_value();
    misfit_row_->setVisible(meshes_ && !comes_out);
    for (Factor& f : factors_) f.field->set_error({});
    if (comes_out) return;
    QStringList given;
    for (const Factor& f : factors_)
        if (f.axis != scenario_.parallelism.fill && degree_of(scenario_, f.axis) > 1)
            given << text_of(format_count(degree_of(scenario_, f.axis)));
    misfit_->setText(
        tr("%1 do not divide by %2.")
            .arg(text_of(worker_words(scenario_).count(scenario_.cluster.workers)), given.join(QStringLiteral(" × "))));
    std::size_t shown = 0;
    const auto offer = [&](const QString& text, std::function<Scenario()> remedy) {
        if (shown == remedies_.size()) add_remedy();
        remedies_[shown].button->setText(text);
        remedies_[shown].button->show();
        remedies_[shown++].made = std::move(remedy);
    };
    for (const std::int64_t n : nearest_workers(scenario_))
        offer(text_of(worker_words(scenario_).count(n)), [this, n] {
            Scenario s = scenario_;
            s.cluster.workers = n;
            return s;
        });
    for (const Factor& f : factors_) {
        if (f.axis == scenario_.parallelism.fill || f.axis == MeshAxis::data) continue;
        const std::int64_t now = degree_of(scenario_, f.axis);
        for (const std::int64_t n : nearest_degrees(scenario_, f.axis, now))
            if (now > 1 && n != now)
                offer(text_of(format_count(n)) + QLatin1Char(' ') + f.name->property("name").toString(),
                      [this, axis = f.axis, n] { return with_degree(scenario_, axis, n, locks_); });
    }
    for (; shown < remedies_.size(); ++shown) remedies_[shown].button->hide();
}

void MeshEquation::add_remedy() {
    const std::size_t place = remedies_.size();
    auto* button = new QPushButton;
    button->setProperty("kind", QStringLiteral("small"));
    connect(button, &QPushButton::clicked, this, [this, place] { emit changed(remedies_[place].made()); });
    auto* row = static_cast<QHBoxLayout*>(misfit_row_->layout());
    row->insertWidget(row->count() - 1, button);  // before the stretch
    remedies_.push_back({button, {}});
}

}  // namespace scalescope::ui
