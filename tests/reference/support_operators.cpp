// SPDX-License-Identifier: GPL-3.0-or-later
#include "support_operators.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "core/formats/library.hpp"
#include "core/measure/fit/forms.hpp"
#include "core/measure/fit/random.hpp"
#include "core/words/device_words.hpp"

namespace support {

using namespace scalescope;
using namespace scalescope::operators;

namespace {

std::string text_of(const std::string& file) {
    std::ifstream in(SCALESCOPE_TEST_DATA "/measured/" + file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

std::uint64_t shape_hash(const OperatorShape& shape) {
    std::uint64_t hash = 14695981039346656037ULL;
    const auto add = [&hash](std::int64_t v) { hash = (hash ^ static_cast<std::uint64_t>(v)) * 1099511628211ULL; };
    if (const auto* m = std::get_if<Matmul>(&shape)) {
        for (const std::int64_t v : {m->m, m->n, m->k, m->batch}) add(v);
    } else if (const auto* c = std::get_if<Convolution>(&shape)) {
        for (const std::int64_t v : {c->batch, c->channels, c->height, c->filters, c->kernel_height, c->stride_height})
            add(v);
    }
    return hash >> 20;
}

Errors errors_with(const std::vector<Sample>& samples, const Correction& c, double level) {
    std::vector<double> errors;
    for (const Sample& s : samples)
        errors.push_back(std::abs(corrected(s.features, c, level).time.value / std::exp(s.log_seconds) - 1.0));
    return errors_of(std::move(errors));
}

/// The level that samples of one more device give, with the slopes as they are.
double level_on(const Correction& c, std::span<const Sample> samples) {
    std::vector<double> left;
    for (const Sample& s : samples) left.push_back(s.log_seconds - std::log(corrected(s.features, c, 0.0).time.value));
    return measure::median_of(std::move(left));
}

}  // namespace

std::vector<MeasuredDevice> measured_devices(const std::string& file) {
    static const formats::Library shipped = formats::load_shipped();
    const auto table = formats::parse_csv(text_of(file), file);
    const auto read = read_operator_table(*table);
    std::vector<MeasuredDevice> devices(read->devices.size());
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const Device* device = require_device(shipped.catalogue, read->devices[i]).value();
        devices[i].id = device->id;
        devices[i].chip = chip_of(*device, Precision::fp32).value();
    }
    for (const auto& row : read->rows) {
        auto& device = devices[row.device];
        Chip chip = device.chip;
        chip.reached = 0.85;
        const Sample sample{features_of(row, chip), std::log(row.time.value), 0};
        (shape_hash(row.shape) % 5 == 0 ? device.held_out : device.fitted).push_back(sample);
        device.rows.push_back(row);
    }
    std::sort(devices.begin(), devices.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    for (auto& device : devices) {  // so that the first n are any n
        measure::Draws draws(11);
        for (std::size_t i = device.fitted.size(); i > 1; --i)
            std::swap(device.fitted[i - 1],
                      device.fitted[static_cast<std::size_t>(draws.uniform() * static_cast<double>(i))]);
    }
    return devices;
}

std::vector<ErrorRow> errors_of_models(const std::string& file) {
    const auto devices = measured_devices(file);
    std::vector<ErrorRow> rows;
    for (const auto& device : devices) {
        const auto add = [&](const std::string& model, Errors errors) {
            rows.push_back({file, device.id, model, errors});
        };
        std::vector<double> roofline, tiles, reached;
        Chip plain = device.chip;
        plain.reached = 0.85;
        for (const auto& row : device.rows) {
            roofline.push_back(std::abs(roofline_of(row, plain) / row.time - 1.0));
            tiles.push_back(std::abs(time_of(row, plain).total / row.time - 1.0));
            reached.push_back(std::abs(time_of(row, device.chip).total / row.time - 1.0));
        }
        add("roofline", errors_of(roofline));
        add("tiles", errors_of(tiles));
        if (device.chip.measured) add("tiles, share reached measured", errors_of(reached));
        const auto first = [&](std::size_t n) {
            return std::span(device.fitted).first(std::min(n, device.fitted.size()));
        };
        const Correction factor = levels_of(first(20));
        add("one factor from 20", errors_with(device.held_out, factor, factor.levels.front()));
        for (const std::size_t n : {std::size_t{30}, std::size_t{100}, std::size_t{300}, device.fitted.size()}) {
            const Correction c = fit_correction(first(n)).value();
            add("corrected by " + (n == device.fitted.size() ? std::string("all") : std::to_string(n)),
                errors_with(device.held_out, c, c.levels.front()));
        }
        std::vector<Sample> others;
        std::size_t number = 0;
        for (const auto& other : devices) {
            if (other.id == device.id) continue;
            for (Sample sample : other.fitted) {
                sample.device = number;
                others.push_back(sample);
            }
            ++number;
        }
        const Correction c = fit_correction(others).value();
        add("by other devices", errors_with(device.held_out, c, c.level));
        add("by other devices and one factor from 20", errors_with(device.held_out, c, level_on(c, first(20))));
    }
    return rows;
}

}  // namespace support
