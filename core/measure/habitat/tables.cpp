// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/habitat/tables.hpp"

#include "core/base/decimal.hpp"
#include "core/base/limits.hpp"
#include "core/measure/habitat/table_columns.hpp"

namespace scalescope::habitat {

namespace {

using formats::CsvTable;
using formats::ProblemList;

constexpr std::int64_t most_bytes = std::int64_t{1} << 40;
constexpr std::int64_t most_count = std::int64_t{1} << 31;

Device device_of(Columns& c, std::size_t row) {
    const auto count = [&](std::string_view name) { return c.integer(row, name, 1, most_count); };
    const auto bytes = [&](std::string_view name) { return c.integer(row, name, 0, most_bytes); };
    Device d;
    d.name = c.text(row, "device");
    d.capability = {static_cast<int>(c.integer(row, "compute_major", 1, 99)),
                    static_cast<int>(c.integer(row, "compute_minor", 0, 9))};
    d.threads_per_block = count("max_threads_per_block");
    d.threads_per_processor = count("max_threads_per_multiprocessor");
    d.registers_per_block = count("regs_per_block");
    d.registers_per_processor = count("regs_per_multiprocessor");
    d.shared_per_block = bytes("shared_mem_per_block");
    d.shared_per_block_optin = bytes("shared_mem_per_block_optin");
    d.shared_per_processor = bytes("shared_mem_per_multiprocessor");
    d.processors = count("num_sms");
    d.bandwidth = gigabytes_per_second(c.number(row, "mem_bandwidth_gb", 1e-6));
    d.clock = Megahertz{c.number(row, "base_clock_mhz", 1e-6)};
    d.peak = gigaflops(c.number(row, "peak_gflops_per_second", 1e-6));
    const auto memory = c.optional_number(row, "mlp_mem");
    const auto bandwidth = c.optional_number(row, "mlp_mem_bw");
    const auto processors = c.optional_number(row, "mlp_num_sm", 1e9);
    const auto single = c.optional_number(row, "mlp_single");
    if (memory && bandwidth && processors && single)
        d.mlp = MlpDevice{gigabytes(*memory), gigabytes_per_second(*bandwidth), static_cast<std::int64_t>(*processors),
                          teraflops(*single)};
    return d;
}

}  // namespace

Result<std::vector<Device>> read_devices(std::string_view text, std::string file, std::string_view source,
                                         const Watch& watch) {
    return read_table(text, std::move(file), watch, [&](const CsvTable& table, ProblemList& problems) {
        std::vector<Device> devices;
        Columns c(
            table, problems,
            {"device", "compute_major", "compute_minor", "max_threads_per_block", "max_threads_per_multiprocessor",
             "regs_per_block", "regs_per_multiprocessor", "shared_mem_per_block", "shared_mem_per_multiprocessor",
             "num_sms", "shared_mem_per_block_optin", "mem_bandwidth_gb", "base_clock_mhz", "peak_gflops_per_second"});
        c.optional({"source", "mlp_mem", "mlp_mem_bw", "mlp_num_sm", "mlp_single"});
        if (problems.has_errors()) return devices;
        Names names("device");
        for (std::size_t row = 0; row < table.rows(); ++row) {
            if (c.has("source") && table.cell(row, c.at("source")) != source) continue;
            devices.push_back(device_of(c, row));
            if (!names.add(devices.back().name))
                c.error(row, "device", "There are two devices " + formats::quoted(devices.back().name) + ".",
                        "Keep one of them.");
        }
        if (devices.empty())
            problems.error(table.name_at(0), {}, "There is no device to predict for.",
                           c.has("source") ? "Add rows whose source is " + std::string(source) + "."
                                           : std::string("Add a row for each device."));
        return devices;
    });
}

Result<std::vector<Kernel>> read_kernels(std::string_view text, std::string file, const Watch& watch) {
    return read_table(text, std::move(file), watch, [](const CsvTable& table, ProblemList& problems) {
        std::vector<Kernel> kernels;
        Columns c(
            table, problems,
            {"id", "num_blocks", "block_size", "registers_per_thread", "static_smem", "dynamic_smem", "run_time_ns"});
        c.optional({"flop_eff_pct", "dram_read_bytes", "dram_write_bytes"});
        if (problems.has_errors()) return kernels;
        Names names("kernel");
        for (std::size_t row = 0; row < table.rows(); ++row) {
            Kernel k;
            k.name = c.text(row, "id");
            k.blocks = c.integer(row, "num_blocks", 1, limits::elements);
            k.block_size = c.integer(row, "block_size", 0, most_count);
            k.registers = c.integer(row, "registers_per_thread", 0, 65535);
            k.static_shared = c.integer(row, "static_smem", 0, most_bytes);
            k.dynamic_shared = c.integer(row, "dynamic_smem", 0, most_bytes);
            k.time = Nanoseconds{c.number(row, "run_time_ns")};
            const auto efficiency = c.optional_number(row, "flop_eff_pct");
            const auto read = c.optional_number(row, "dram_read_bytes");
            const auto written = c.optional_number(row, "dram_write_bytes");
            if (efficiency && read && written)
                k.metrics = Metrics{Fraction{*efficiency / 100.0}, Bytes{*read}, Bytes{*written}};
            if (!names.add(k.name))
                c.error(row, "id", "There are two kernels " + formats::quoted(k.name) + ".", "Give each its own id.");
            kernels.push_back(std::move(k));
        }
        return kernels;
    });
}

Result<RegisterTable> read_registers(std::string_view text, std::string file, const Watch& watch) {
    return read_table(text, std::move(file), watch, [](const CsvTable& table, ProblemList& problems) {
        RegisterTable registers;
        Columns c(table, problems, {"name", "arch", "registers_per_thread"});
        if (problems.has_errors()) return registers;
        for (std::size_t row = 0; row < table.rows(); ++row)
            registers.add(c.text(row, "name"), static_cast<int>(c.integer(row, "arch", 10, 999)),
                          c.integer(row, "registers_per_thread", 0, 65535));
        return registers;
    });
}

Result<std::vector<ScaleCase>> read_scale_cases(std::string_view text, std::string file,
                                                const std::vector<Kernel>& kernels, const std::vector<Device>& devices,
                                                const Watch& watch) {
    return read_table(text, std::move(file), watch, [&](const CsvTable& table, ProblemList& problems) {
        std::vector<ScaleCase> cases;
        Columns c(table, problems, {"origin", "dest"});
        c.optional({"kernel_id"});
        if (problems.has_errors()) return cases;
        const Names known_devices("device", devices), known_kernels("kernel", kernels);
        const std::size_t each = c.has("kernel_id") ? 1 : kernels.size();
        if (table.rows() * each > limits::predictions) {
            problems.error(table.name_at(0), {}, "That is more than " + std::to_string(limits::predictions) + " times.",
                           "Ask for fewer pairs or kernels at once.");
            return cases;
        }
        for (std::size_t row = 0; row < table.rows(); ++row) {
            ScaleCase s{0, known_devices.look_up(c, table, row, "origin"),
                        known_devices.look_up(c, table, row, "dest")};
            if (c.has("kernel_id")) s.kernel = known_kernels.look_up(c, table, row, "kernel_id");
            for (std::size_t k = 0; k < each; ++k, ++s.kernel) cases.push_back(s);
        }
        return cases;
    });
}

Result<std::vector<OccupancyCase>> read_occupancy_cases(std::string_view text, std::string file,
                                                        const std::vector<Device>& devices, const Watch& watch) {
    return read_table(text, std::move(file), watch, [&](const CsvTable& table, ProblemList& problems) {
        std::vector<OccupancyCase> cases;
        Columns c(table, problems, {"device", "block_size", "registers_per_thread", "static_smem", "dynamic_smem"});
        if (problems.has_errors()) return cases;
        const Names known("device", devices);
        for (std::size_t row = 0; row < table.rows(); ++row)
            cases.push_back({known.look_up(c, table, row, "device"), c.integer(row, "block_size", 0, most_count),
                             c.integer(row, "registers_per_thread", 0, 65535),
                             c.integer(row, "static_smem", 0, most_bytes),
                             c.integer(row, "dynamic_smem", 0, most_bytes)});
        return cases;
    });
}

Result<std::vector<MlpCase>> read_mlp_cases(std::string_view text, std::string file, const std::vector<Device>& devices,
                                            const MlpModels& models, const Watch& watch) {
    return read_table(text, std::move(file), watch, [&](const CsvTable& table, ProblemList& problems) {
        std::vector<MlpCase> cases;
        Columns c(table, problems, {"operation", "device", "features"});
        if (problems.has_errors()) return cases;
        const Names known("device", devices);
        Names operations("network");
        for (const auto& model : models) operations.add(model.first);
        for (std::size_t row = 0; row < table.rows(); ++row) {
            MlpCase m;
            operations.look_up(c, table, row, "operation");
            m.operation = c.text(row, "operation");
            m.device = known.look_up(c, table, row, "device");
            m.text = c.text(row, "features");
            m.at = table.at(row, c.at("features"));
            for (std::string_view rest = m.text; !rest.empty();) {
                const auto space = rest.find(' ');
                const auto word = rest.substr(0, space);
                rest.remove_prefix(space == std::string_view::npos ? rest.size() : space + 1);
                if (word.empty()) continue;
                const auto value = parse_decimal(word);
                if (!value)
                    c.error(row, "features", formats::quoted(word) + " is no number.",
                            "Write numbers with spaces between them.");
                m.features.push_back(value.value_or(0.0));
            }
            cases.push_back(std::move(m));
        }
        return cases;
    });
}

}  // namespace scalescope::habitat
