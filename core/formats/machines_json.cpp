// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "core/formats/catalogue_rows.hpp"
#include "core/formats/scaled_json.hpp"

namespace scalescope::formats {

const FileFormat machines_format{"scalescope-machines", "machine", {}};

namespace {

/// A figure: its name in files, its power of ten there, the least it may be, and where it lives.
struct MachineFigure {
    std::string_view name;
    int power;
    double least;
    double& (*get)(CpuMachine&);
    bool required = true;
    double usual = 0.0;  ///< in the program's unit, where it is not required
};

constexpr double most_machine_figure = 1e15, above_zero = 1e-12;

const std::array<MachineFigure, 19> machine_figures{{
    {"l2_bytes", 0, 0, [](CpuMachine& m) -> double& { return m.l2.value; }},
    {"l3_bytes", 0, 0, [](CpuMachine& m) -> double& { return m.l3.value; }},
    {"memory_gb", 9, above_zero, [](CpuMachine& m) -> double& { return m.memory.value; }},
    {"multiply_add_l2_ns", -9, above_zero, [](CpuMachine& m) -> double& { return m.multiply_add_l2.value; }},
    {"multiply_add_l3_ns", -9, above_zero, [](CpuMachine& m) -> double& { return m.multiply_add_l3.value; }},
    {"multiply_add_memory_ns", -9, above_zero, [](CpuMachine& m) -> double& { return m.multiply_add_memory.value; }},
    {"contention", 0, 0, [](CpuMachine& m) -> double& { return m.contention; }},
    {"contention_beyond_cores", 0, 0, [](CpuMachine& m) -> double& { return m.contention_beyond_cores; }, false},
    {"memory_bandwidth_gb_s", 9, above_zero, [](CpuMachine& m) -> double& { return m.memory_bandwidth.value; }},
    {"activation_ns", -9, 0, [](CpuMachine& m) -> double& { return m.activation.value; }},
    {"error_ns", -9, 0, [](CpuMachine& m) -> double& { return m.error.value; }},
    {"update_ns", -9, 0, [](CpuMachine& m) -> double& { return m.update.value; }},
    {"exponential_ns", -9, 0, [](CpuMachine& m) -> double& { return m.exponential.value; }, false},
    {"latency_us", -6, 0, [](CpuMachine& m) -> double& { return m.latency.value; }},
    {"network_gb_s", 9, above_zero, [](CpuMachine& m) -> double& { return m.network.value; }},
    {"server_network_gb_s", 9, above_zero, [](CpuMachine& m) -> double& { return m.server_network.value; }},
    {"server_updates_per_s", 0, above_zero, [](CpuMachine& m) -> double& { return m.server_updates.value; }},
    {"activation_bytes", 0, above_zero, [](CpuMachine& m) -> double& { return m.activation_bytes.value; }, false, 4.0},
    {"weight_bytes", 0, above_zero, [](CpuMachine& m) -> double& { return m.weight_bytes.value; }, false, 4.0},
}};

}  // namespace

std::optional<CpuMachine> decode_machine(JsonValue row, std::string path, const SourceKeys& sources,
                                         ProblemList& problems) {
    const std::size_t errors = problems.errors();
    JsonFields fields(row, std::move(path), problems);
    CpuMachine m;
    decode_name(fields, m);
    m.vendor = text_or_empty(fields, "vendor");
    m.note = text_or_empty(fields, "note");
    m.cores = fields.integer("cores", 1, limits::workers).value_or(1);
    m.threads = fields.optional_integer("threads", 1, limits::workers).value_or(m.cores);
    for (const MachineFigure& f : machine_figures) {
        const auto value = f.required ? scaled(fields, f.name, f.power, f.least, most_machine_figure)
                                      : optional_scaled(fields, f.name, f.power, f.least, most_machine_figure);
        f.get(m) = value.value_or(f.usual);
    }
    m.price_per_hour = optional_scaled(fields, "price_usd_per_hour", 0, above_zero, most_machine_figure);
    m.power_w = optional_scaled(fields, "power_w", 0, above_zero, most_machine_figure);
    decode_evidence(fields, sources, m);
    fields.finish();
    if (problems.errors() > errors) return std::nullopt;
    if (m.l3 < m.l2)
        fields.error("The last-level cache is smaller than the second-level cache.",
                     "Give both in bytes: \"l2_bytes\" of a core, \"l3_bytes\" of what a thread can fill.");
    if (m.threads < m.cores)
        fields.error("There are fewer threads than cores.", "Leave \"threads\" out, or correct it.");
    if (problems.errors() > errors) return std::nullopt;
    return m;
}

void encode_machine(JsonWriter& out, const CpuMachine& machine) {
    CpuMachine m = machine;
    out.begin_object();
    encode_name(out, m);
    encode_text(out, "vendor", m.vendor);
    out.key("cores");
    out.integer(m.cores);
    if (m.threads != m.cores) {
        out.key("threads");
        out.integer(m.threads);
    }
    for (const MachineFigure& f : machine_figures)
        if (f.required || f.get(m) != f.usual) write_scaled(out, f.name, f.get(m), f.power);
    if (m.price_per_hour) write_scaled(out, "price_usd_per_hour", *m.price_per_hour, 0);
    if (m.power_w) write_scaled(out, "power_w", *m.power_w, 0);
    encode_evidence(out, m);
    encode_text(out, "note", m.note);
    out.end_object();
}

Result<std::vector<CpuMachine>> read_machines(std::string_view text, std::string file) {
    return read_rows<CpuMachine>(text, std::move(file), machines_format, "machines", decode_machine);
}

std::string write_machines(std::span<const CpuMachine> machines) {
    return write_rows(machines_format, "machines", machines, encode_machine);
}

}  // namespace scalescope::formats
