// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/transfer/kernel_model.hpp"

#include "core/base/sequences.hpp"
#include "core/measure/operators/times.hpp"

#include <algorithm>
#include <cmath>

namespace scalescope::transfer {

using operators::OperatorKind;
using operators::Pass;

Result<Corrections> Corrections::from(const Calibration& calibration) {
    Corrections all;
    all.name_ = calibration.name;
    for (const OperatorCorrection& kept : calibration.operators) {
        ASSIGN_OR_RETURN(auto correction, calibration::to_correction(kept));
        all.entries_.push_back({kept.kind, kept.pass, kept.precision, kept.devices, std::move(correction)});
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
    return find_where(entries_, [&](const Entry& e) {
        return e.kind == operators::name_of(kind) && e.pass == operators::name_of(pass) &&
               e.precision == name_of(precision);
    });
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

namespace {

using operators::Chip;
using operators::Convolution;
using operators::Matmul;
using operators::Pass;

constexpr Seconds adding_up{3e-6};  ///< the kernel that adds samples' shares of a gradient up, as in operators
/// For the share of a product's time that is not memory's.
constexpr BytesPerSecond no_bound_by_memory{1e30};

std::optional<Chip> chip_at(const Device& device, Precision precision) {
    auto chip = operators::chip_of(device, precision);
    if (!chip) return std::nullopt;
    chip->launch = kernel_start;
    return *chip;
}

double number(std::int64_t n) { return static_cast<double>(n); }

/// Elements of a convolution's three tensors.
struct Tensors {
    double input, output, weights;
    double all() const { return input + output + weights; }
};
Tensors tensors_of(const Convolution& s) {
    return {number(s.batch) * number(s.channels) * number(s.height) * number(s.width),
            number(s.batch) * number(s.filters) * number(s.out_height()) * number(s.out_width()),
            number(s.filters) * number(s.channels / s.groups) * number(s.kernel_height) * number(s.kernel_width)};
}

Seconds moved(double elements, const Chip& chip) {
    return Bytes{elements * chip.element_bytes} / (chip.memory * Fraction{chip.memory_reached});
}

bool pointwise(const Convolution& s) {
    return s.kernel_height == 1 && s.kernel_width == 1 && s.stride_height == 1 && s.stride_width == 1 &&
           s.padding_height == 0 && s.padding_width == 0 && s.groups == 1;
}

/// One product for each sample, which needs no other layout. The gradients of the weights are then added up over the
/// samples.
Seconds sample_by_sample(const Convolution& s, const Chip& chip, Pass pass) {
    Chip arithmetic = chip;
    arithmetic.memory = no_bound_by_memory;
    operators::OperatorRules whole;
    whole.most_splits = 1;
    const Seconds products =
        operators::time_of(Matmul{s.height * s.width, s.filters, s.channels, s.batch}, arithmetic, pass, whole).total -
        chip.launch;
    const Tensors t = tensors_of(s);
    if (pass != Pass::weight_gradient) return std::max(products, moved(t.all(), chip)) + chip.launch;
    const double shares = number(s.batch) * t.weights;
    return std::max(products, moved(t.input + t.output + shares, chip)) + chip.launch +
           moved(shares + t.weights, chip) + adding_up;
}

/// How many elements in a row tensor cores take at once: 16 bytes.
std::int64_t taken_at_once(Precision precision) { return precision == Precision::tf32 ? 4 : 8; }

std::optional<KernelTime> convolution_time(const Convolution& s, const Device& device, Precision precision,
                                           Layout layout, Pass pass) {
    if (!operators::usable(s)) return std::nullopt;
    auto chip = chip_at(device, precision);
    if (chip && chip->matrix_units && (s.channels / s.groups) % taken_at_once(precision) != 0) {
        const double bytes = chip->element_bytes;
        chip = chip_at(device, Precision::fp32);
        if (chip) chip->element_bytes = bytes;
    }
    if (!chip) return std::nullopt;
    operators::OperatorRules rules;
    rules.winograd = !chip->matrix_units;
    const bool transposes = chip->matrix_units && layout == Layout::channels_first;
    Seconds best = operators::time_of(s, *chip, pass, rules).total;
    if (transposes) best += moved(2.0 * tensors_of(s).all(), *chip);
    const bool rows_fit = !chip->matrix_units || s.height * s.width % taken_at_once(precision) == 0;
    if (layout == Layout::channels_first && pointwise(s) && rows_fit)
        best = std::min(best, sample_by_sample(s, *chip, pass));
    return KernelTime{best, chip->matrix_units ? Unit::matrix : Unit::vector};
}

/// The sum over the passes of an operation.
template <class Time>
std::optional<KernelTime> over_passes(const Passes& passes, Time time) {
    KernelTime sum{Seconds{}, Unit::vector};
    for (const auto& [wanted, pass] :
         {std::pair(passes.forward, Pass::forward), std::pair(passes.input_gradient, Pass::input_gradient),
          std::pair(passes.weight_gradient, Pass::weight_gradient)}) {
        if (!wanted) continue;
        const std::optional<KernelTime> one = time(pass);
        if (!one) return std::nullopt;
        sum.time += one->time;
        sum.unit = one->unit;
    }
    return sum;
}

}  // namespace

std::optional<KernelTime> kernel_time(const Work& work, const Device& device, Precision precision, Layout layout) {
    if (const auto* s = std::get_if<Convolution>(&work.shape))
        return over_passes(work.passes,
                           [&](Pass pass) { return convolution_time(*s, device, precision, layout, pass); });
    if (const auto* s = std::get_if<Matmul>(&work.shape)) {
        const auto chip = chip_at(device, precision);
        if (!chip || !operators::usable(*s)) return std::nullopt;
        const Unit unit = chip->matrix_units ? Unit::matrix : Unit::vector;
        return over_passes(work.passes, [&](Pass pass) {
            return std::optional(KernelTime{operators::time_of(*s, *chip, pass).total, unit});
        });
    }
    if (const auto* e = std::get_if<operators::Elementwise>(&work.shape)) {
        const Bytes bytes{(number(e->read) + number(e->written)) * bytes_per_element(precision)};
        return KernelTime{bytes / (device.memory_bandwidth * Fraction{Chip{}.memory_reached}) + kernel_start,
                          Unit::memory};
    }
    return std::nullopt;
}

double carried(Unit here, Unit there) {
    constexpr double same_kind_of_unit = 0.85;
    if (here != there) return 0.0;
    return here == Unit::memory ? 1.0 : same_kind_of_unit;
}

}  // namespace scalescope::transfer
