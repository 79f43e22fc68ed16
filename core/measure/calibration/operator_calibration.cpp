// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/calibration/operator_calibration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "core/words/device_words.hpp"

namespace scalescope::calibration {
namespace {

using operators::Correction;
using operators::Errors;
using operators::MeasuredOperator;
using operators::Sample;

/// The same for the same shape on any device and in any order of rows.
std::uint64_t hash_of(const operators::OperatorShape& shape) {
    std::uint64_t hash = 14695981039346656037ULL;
    const auto add = [&hash](std::initializer_list<std::int64_t> sides) {
        for (const std::int64_t side : sides) hash = (hash ^ static_cast<std::uint64_t>(side)) * 1099511628211ULL;
    };
    if (const auto* m = std::get_if<operators::Matmul>(&shape)) add({m->m, m->n, m->k, m->batch});
    if (const auto* c = std::get_if<operators::Convolution>(&shape))
        add({c->batch, c->channels, c->height, c->width, c->filters, c->kernel_height, c->kernel_width,
             c->stride_height, c->padding_height, c->groups});
    if (const auto* e = std::get_if<operators::Elementwise>(&shape)) add({e->read, e->written});
    return hash >> 20;
}

struct Point {
    Sample sample;
    double roofline = 0, tiles = 0;  ///< errors of the plain models
    bool held_out = false;
};

struct Group {
    std::vector<std::string> devices;  ///< ids
    std::vector<Point> points;         ///< Sample::device is the place in `devices`
};

using Key = std::tuple<operators::OperatorKind, operators::Pass, Precision>;

double error_with(const Sample& s, const Correction& c, double level) {
    return std::abs(corrected(s.features, c, level).time.value / std::exp(s.log_seconds) - 1.0);
}

OperatorCorrection kept(const Key& key, const Group& group, const Correction& c) {
    OperatorCorrection o;
    o.kind = operators::name_of(std::get<0>(key));
    o.pass = operators::name_of(std::get<1>(key));
    o.precision = name_of(std::get<2>(key));
    o.points = static_cast<std::int64_t>(c.points);
    o.devices = group.devices;
    o.levels = c.levels;
    o.level = c.level;
    if (std::isfinite(c.ridge)) o.ridge = c.ridge;
    o.deviation = c.deviation;
    for (std::size_t i = 0; i < c.slope.size(); ++i)
        o.features.push_back({c.mean[i], c.scale[i], c.slope[i], c.low[i], c.high[i]});
    return o;
}

/// Errors of every device: by a fit without every fifth shape, and by one without the device.
Result<std::vector<OperatorErrors>> judge(const Key& key, const Group& group, const Watch& watch) {
    std::vector<Sample> seen;
    bool any_held_out = false;
    for (const Point& p : group.points) {
        if (!p.held_out) seen.push_back(p.sample);
        any_held_out = any_held_out || p.held_out;
    }
    const auto by_shape = seen.empty() || !any_held_out ? Result<Correction>{} : operators::fit_correction(seen);
    std::vector<OperatorErrors> all;
    for (std::size_t d = 0; d < group.devices.size(); ++d) {
        if (watch.cancel.cancelled()) return fail(make_error("The fit was ended.", "start it again"));
        std::vector<double> roofline, tiles, shapes, device;
        std::vector<Sample> others;
        for (const Point& p : group.points) {
            if (p.sample.device != d) {
                others.push_back(p.sample);
                others.back().device -= p.sample.device > d ? 1 : 0;
                continue;
            }
            roofline.push_back(p.roofline);
            tiles.push_back(p.tiles);
            if (p.held_out && by_shape && d < by_shape->levels.size())
                shapes.push_back(error_with(p.sample, *by_shape, by_shape->levels[d]));
        }
        OperatorErrors e;
        e.kind = operators::name_of(std::get<0>(key));
        e.pass = operators::name_of(std::get<1>(key));
        e.precision = name_of(std::get<2>(key));
        e.device = group.devices[d];
        e.roofline = operators::errors_of(roofline);
        e.tiles = operators::errors_of(tiles);
        if (!shapes.empty()) e.shapes_never_seen = operators::errors_of(shapes);
        if (!others.empty()) {
            const auto c = operators::fit_correction(others);
            for (const Point& p : group.points)
                if (c && p.sample.device == d) device.push_back(error_with(p.sample, *c, c->level));
            e.device_never_seen = operators::errors_of(device);
        }
        all.push_back(std::move(e));
    }
    return all;
}

SourcePosition place_of(const operators::MeasuredOperators& measured, std::size_t device) {
    return device < measured.device_places.size() ? measured.device_places[device] : SourcePosition{};
}

}  // namespace

Result<OperatorFit> calibrate_operators(const operators::MeasuredOperators& measured, const Catalogue& catalogue,
                                        const Watch& watch) {
    OperatorFit fit;
    std::vector<const Device*> devices;
    for (const auto& name : measured.devices) {
        devices.push_back(device_called(catalogue, name));
        if (devices.back()) continue;
        const auto device = require_device(catalogue, name);  // says what to write instead
        Problem p = device.error().front();
        p.severity = Severity::warning;
        p.what += " Its rows are left out.";
        p.at = place_of(measured, devices.size() - 1);
        fit.warnings.push_back(std::move(p));
    }
    std::map<Key, Group> groups;
    std::map<std::pair<std::size_t, Precision>, std::optional<operators::Chip>> chips;
    for (const MeasuredOperator& row : measured.rows) {
        if (!devices[row.device]) continue;
        const auto place = std::pair(row.device, row.precision);
        if (!chips.contains(place)) {
            const auto chip = operators::chip_of(*devices[row.device], row.precision);
            chips[place] = chip ? std::optional(*chip) : std::nullopt;
            if (!chip) {
                Problem p = chip.error().front();
                p.severity = Severity::warning;
                p.at = place_of(measured, row.device);
                fit.warnings.push_back(std::move(p));
            }
        }
        const auto& chip = chips[place];
        if (!chip) continue;
        Group& group = groups[{kind_of(row.shape), row.pass, row.precision}];
        const std::string& id = devices[row.device]->id;
        const auto at = std::ranges::find(group.devices, id);
        const auto device = static_cast<std::size_t>(at - group.devices.begin());
        if (at == group.devices.end()) group.devices.push_back(id);
        Point p;
        p.sample = {features_of(row, *chip), std::log(row.time.value), device};
        p.roofline = std::abs(roofline_of(row, *chip) / row.time - 1.0);
        p.tiles = std::abs(time_of(row, *chip).total / row.time - 1.0);
        p.held_out = hash_of(row.shape) % 5 == 0;
        group.points.push_back(std::move(p));
    }
    if (groups.empty()) {
        Problems all = std::move(fit.warnings);
        all.push_back(
            make_error("No measured operator is left to calibrate by.", "see the warnings", place_of(measured, 0)));
        return fail(std::move(all));
    }
    for (const auto& [key, group] : groups) {
        auto errors = judge(key, group, watch);
        if (!errors) return scalescope::fail(errors.error());
        fit.errors.insert(fit.errors.end(), errors->begin(), errors->end());
        std::vector<Sample> all;
        for (const Point& p : group.points) all.push_back(p.sample);
        const auto correction = operators::fit_correction(all);
        if (!correction) return scalescope::fail(correction.error());
        fit.corrections.push_back(kept(key, group, *correction));
    }
    return fit;
}

void add_operators(Calibration& c, const OperatorFit& fit, const operators::MeasuredOperators& measured) {
    if (fit.corrections.empty()) return;
    if (c.points == 0) c.deviation = fit.corrections.front().deviation;
    for (const auto& o : fit.corrections) c.points += o.points;
    if (measured.frameworks.size() == 1) c.framework = measured.frameworks.front();
    if (c.device.empty() && measured.devices.size() == 1) c.device = fit.corrections.front().devices.front();
    c.operators = fit.corrections;
}

Result<operators::Correction> to_correction(const OperatorCorrection& o) {
    std::size_t expected = 0;
    for (const auto kind :
         {operators::OperatorKind::matmul, operators::OperatorKind::convolution, operators::OperatorKind::elementwise})
        if (o.kind == operators::name_of(kind)) expected = operators::feature_count(kind);
    if (o.features.size() != expected || o.levels.size() != o.devices.size())
        return scalescope::fail(make_error("The correction of " + o.kind + " has " + std::to_string(o.features.size()) +
                                               " features, not " + std::to_string(expected) + ".",
                                           "calibrate again with this version", {}, "operators"));
    operators::Correction c;
    c.points = static_cast<std::size_t>(o.points);
    c.levels = o.levels;
    c.level = o.level;
    c.ridge = o.ridge.value_or(std::numeric_limits<double>::infinity());
    c.deviation = o.deviation;
    for (const auto& f : o.features) {
        c.mean.push_back(f.mean);
        c.scale.push_back(f.scale);
        c.slope.push_back(f.slope);
        c.low.push_back(f.low);
        c.high.push_back(f.high);
    }
    return c;
}

}  // namespace scalescope::calibration
