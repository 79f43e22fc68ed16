// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/habitat/mlp_training.hpp"

#include "core/measure/habitat/table_columns.hpp"

#include <array>
#include <map>

namespace scalescope::habitat {

namespace {

struct SampleColumns {
    std::vector<std::size_t> features;  ///< those of the device too, unless `device` is there
    std::optional<std::size_t> operation, device, forward;
    std::size_t time = 0;
};

std::optional<SampleColumns> find_columns(formats::CsvFields& fields, const std::vector<std::string>& own) {
    SampleColumns c;
    bool whole = true;
    const auto take = [&](std::string_view name) {
        const auto found = fields.required(name);
        if (found) c.features.push_back(*found);
        whole = whole && found;
    };
    for (const std::string& name : own) take(name);
    c.operation = fields.optional("operation");
    c.device = fields.optional("device");
    c.forward = fields.optional("is_forward");
    if (!c.device)
        for (const std::string& name : device_feature_names()) take(name);
    const auto time = fields.required("run_time_ms");
    if (!time || !whole) return std::nullopt;
    c.time = *time;
    return c;
}

/// Times of equal features, by direction.
struct Directions {
    std::array<double, 2> sum{};
    std::array<std::int64_t, 2> count{};
    double mean(std::size_t i) const { return sum[i] / static_cast<double>(count[i]); }
};

class SampleReader {
public:
    SampleReader(const formats::CsvTable& table, formats::ProblemList& problems, SampleColumns columns,
                 std::span<const Device> devices)
        : table_(table), fields_(table, problems), columns_(std::move(columns)), devices_(devices) {
        for (const Device& d : devices) known_.add(d.name);
    }

    void read(std::size_t row) {
        MlpSample sample;
        for (const std::size_t column : columns_.features)
            sample.features.push_back(fields_.number(row, column, -1e30, 1e30).value_or(0.0));
        if (columns_.device && !add_device(row, sample.features)) return;
        sample.time = Milliseconds{fields_.number(row, columns_.time, least_time, 1e30).value_or(least_time)};
        if (!columns_.forward) return samples_.push_back(std::move(sample));
        const auto forward = fields_.integer(row, *columns_.forward, 0, 1);
        Directions& all = by_features_[std::move(sample.features)];
        const std::size_t i = forward.value_or(0) == 1 ? 1 : 0;
        all.sum[i] += sample.time.value;
        ++all.count[i];
    }

    /// The samples, and how many were left out because one direction is missing.
    std::pair<std::vector<MlpSample>, std::size_t> take() {
        std::size_t alone = 0;
        for (const auto& [features, all] : by_features_) {
            if (all.count[0] == 0 || all.count[1] == 0)
                ++alone;
            else
                samples_.push_back({features, Milliseconds{all.mean(1) + all.mean(0)}});
        }
        return {std::move(samples_), alone};
    }

private:
    static constexpr double least_time = 1e-9;

    bool add_device(std::size_t row, std::vector<double>& features) {
        const auto name = table_.cell(row, *columns_.device);
        const auto found = known_.find(name);
        if (!found) {
            fields_.error(row, *columns_.device, known_.missing(name), known_.remedy(name));
            return false;
        }
        const Device& device = devices_[*found];
        if (!device.mlp) {
            fields_.error(row, *columns_.device, "Device " + device.name + " has no figures for networks.",
                          "Fill in mlp_mem, mlp_mem_bw, mlp_num_sm and mlp_single.");
            return false;
        }
        for (const double value : features_of(*device.mlp)) features.push_back(value);
        return true;
    }

    const formats::CsvTable& table_;
    formats::CsvFields fields_;
    SampleColumns columns_;
    std::span<const Device> devices_;
    Names known_{"device"};
    std::vector<MlpSample> samples_;
    std::map<std::vector<double>, Directions> by_features_;
};

}  // namespace

std::vector<std::string> usual_features(std::string_view operation) {
    if (operation == "linear") return {"bias", "batch", "in_features", "out_features"};
    if (operation == "bmm") return {"batch", "left", "middle", "right"};
    if (operation == "conv2d")
        return {"bias", "batch", "image_size", "in_channels", "out_channels", "kernel_size", "stride", "padding"};
    if (operation == "lstm")
        return {"bias", "bidirectional", "batch", "seq_len", "input_size", "hidden_size", "num_layers"};
    return {};
}

std::vector<std::string> device_feature_names() { return {"mem", "mem_bw", "num_sm", "single"}; }

Result<MlpSamples> read_mlp_samples(std::string_view text, std::string file, std::string_view operation,
                                    std::vector<std::string> features, std::span<const Device> devices,
                                    const Watch& watch) {
    return read_table(
        text, std::move(file), watch, [&](const formats::CsvTable& table, formats::ProblemList& problems) {
            MlpSamples result;
            result.features = std::move(features);
            formats::CsvFields fields(table, problems);
            const auto columns = find_columns(fields, result.features);
            if (!columns) return result;
            if (columns->device && devices.empty()) {
                problems.error(table.name_at(*columns->device), {}, "The samples name devices, but none is known.",
                               "Give a file of devices, or columns mem, mem_bw, num_sm and single instead.");
                return result;
            }
            SampleReader reader(table, problems, *columns, devices);
            for (std::size_t row = 0; row < table.rows(); ++row)
                if (!columns->operation || table.cell(row, *columns->operation) == operation) reader.read(row);
            auto [samples, alone] = reader.take();
            result.samples = std::move(samples);
            for (const std::string& name : device_feature_names()) result.features.push_back(name);
            if (alone > 0)
                result.warnings.push_back(
                    make_warning(std::to_string(alone) + " configurations have a forward or a backward time, not both.",
                                 "They are left out; measure the other direction too.", {table.file(), 0, 0}));
            if (result.samples.empty() && !problems.has_errors())
                problems.error(table.name_at(columns->time), {},
                               "There is no sample of " + formats::quoted(operation) + ".",
                               "Check the column operation, or measure some.");
            return result;
        });
}

}  // namespace scalescope::habitat
