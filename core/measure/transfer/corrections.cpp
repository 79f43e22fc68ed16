// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/transfer/corrections.hpp"

#include "core/measure/transfer/kernel_model.hpp"

#include <algorithm>
#include <cmath>

namespace scalescope::transfer {

using operators::OperatorKind;
using operators::Pass;

Result<Corrections> Corrections::from(const Calibration& calibration) {
    Corrections all;
    all.name_ = calibration.name;
    for (const OperatorCorrection& kept : calibration.operators) {
        auto correction = calibration::to_correction(kept);
        if (!correction) return fail(correction.error());
        all.entries_.push_back({kept.kind, kept.pass, kept.precision, kept.devices, std::move(*correction)});
    }
    if (all.entries_.empty())
        return fail(make_error("The calibration \"" + calibration.name + "\" corrects no operators.",
                               "Calibrate with a table of measured operators."));
    return all;
}

std::size_t Corrections::points() const {
    std::size_t sum = 0;
    for (const Entry& e : entries_) sum += e.correction.points;
    return sum;
}

const Corrections::Entry* Corrections::find(OperatorKind kind, Pass pass, Precision precision) const {
    for (const Entry& e : entries_)
        if (e.kind == operators::name_of(kind) && e.pass == operators::name_of(pass) &&
            e.precision == name_of(precision))
            return &e;
    return nullptr;
}

template <class Shape>
std::optional<CorrectedTime> Corrections::pass_time(const Shape& shape, OperatorKind kind, Pass pass,
                                                    const Device& device, Precision precision) const {
    const Entry* entry = find(kind, pass, precision);
    if (!entry || !operators::usable(shape)) return std::nullopt;
    const auto measured_as = operators::chip_of(device, precision);
    if (!measured_as) return std::nullopt;
    const auto features = operators::features_of(shape, *measured_as, pass);
    const auto at = std::ranges::find(entry->devices, device.id);
    const bool known = at != entry->devices.end();
    const double level = known ? entry->correction.levels[static_cast<std::size_t>(at - entry->devices.begin())]
                               : entry->correction.level;
    const auto corrected = operators::corrected(features, entry->correction, level);
    operators::Chip alone = *measured_as;
    alone.launch = kernel_start;
    const double off = corrected.time.value / std::exp(features.log_base);
    return CorrectedTime{operators::time_of(shape, alone, pass).total * off, entry->correction.points,
                         known && corrected.inside};
}

std::optional<CorrectedTime> Corrections::time(const Work& work, const Device& device, Precision precision) const {
    if (const auto* e = std::get_if<operators::Elementwise>(&work.shape))
        return pass_time(*e, OperatorKind::elementwise, Pass::forward, device, precision);
    std::optional<CorrectedTime> sum;
    for (const auto& [wanted, pass] :
         {std::pair(work.passes.forward, Pass::forward), std::pair(work.passes.input_gradient, Pass::input_gradient),
          std::pair(work.passes.weight_gradient, Pass::weight_gradient)}) {
        if (!wanted) continue;
        std::optional<CorrectedTime> one;
        if (const auto* c = std::get_if<operators::Convolution>(&work.shape))
            one = pass_time(*c, OperatorKind::convolution, pass, device, precision);
        else if (const auto* m = std::get_if<operators::Matmul>(&work.shape))
            one = pass_time(*m, OperatorKind::matmul, pass, device, precision);
        if (!one) return std::nullopt;
        if (!sum) {
            sum = one;
            continue;
        }
        sum->time += one->time;
        sum->points = std::min(sum->points, one->points);
        sum->inside = sum->inside && one->inside;
    }
    return sum;
}

}  // namespace scalescope::transfer
