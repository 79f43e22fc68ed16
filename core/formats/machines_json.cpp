// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/catalogue_rows.hpp"

namespace scalescope::formats {

const FileFormat machines_format{"scalescope-machines", "machine", {}};

namespace {

constexpr double most_machine_figure = 1e15, above_zero = 1e-12;

template <class Record, class Row>
void describe_machine(Record& record, Row& m, const SourceKeys& sources) {
    const auto figure = [&](std::string_view name, auto& value, int power, double least) {
        record.scaled(name, value, power, least, most_machine_figure);
    };
    const auto figure_or = [&](std::string_view name, auto& value, auto usual, int power, double least) {
        record.scaled_or(name, value, usual, power, least, most_machine_figure);
    };
    describe_name(record, m);
    record.optional_text("vendor", m.vendor);
    record.integer("cores", m.cores, 1, limits::workers);
    record.optional_integer("threads", m.threads, m.cores, 1, limits::workers);
    figure("l2_bytes", m.l2, 0, 0);
    figure("l3_bytes", m.l3, 0, 0);
    figure("memory_gb", m.memory, 9, above_zero);
    figure("multiply_add_l2_ns", m.multiply_add_l2, -9, above_zero);
    figure("multiply_add_l3_ns", m.multiply_add_l3, -9, above_zero);
    figure("multiply_add_memory_ns", m.multiply_add_memory, -9, above_zero);
    figure("contention", m.contention, 0, 0);
    figure_or("contention_beyond_cores", m.contention_beyond_cores, 0.0, 0, 0);
    figure("memory_bandwidth_gb_s", m.memory_bandwidth, 9, above_zero);
    figure("activation_ns", m.activation, -9, 0);
    figure("error_ns", m.error, -9, 0);
    figure("update_ns", m.update, -9, 0);
    figure_or("exponential_ns", m.exponential, Seconds{}, -9, 0);
    figure("latency_us", m.latency, -6, 0);
    figure("network_gb_s", m.network, 9, above_zero);
    figure("server_network_gb_s", m.server_network, 9, above_zero);
    figure("server_updates_per_s", m.server_updates, 0, above_zero);
    figure_or("activation_bytes", m.activation_bytes, Bytes{4}, 0, above_zero);
    figure_or("weight_bytes", m.weight_bytes, Bytes{4}, 0, above_zero);
    record.optional_scaled("price_usd_per_hour", m.price_per_hour, 0, above_zero, most_machine_figure);
    record.optional_scaled("power_w", m.power_w, 0, above_zero, most_machine_figure);
    describe_evidence(record, m, sources);
    record.optional_text("note", m.note);
}

}  // namespace

std::optional<CpuMachine> decode_machine(JsonValue row, std::string path, const SourceKeys& sources,
                                         ProblemList& problems) {
    auto machine = decode_row<CpuMachine>(row, path, problems,
                                          [&](auto& record, CpuMachine& m) { describe_machine(record, m, sources); });
    if (machine && machine->l3 < machine->l2)
        problems.error(row.at(), path, "The last-level cache is smaller than the second-level cache.",
                       "Give both in bytes: \"l2_bytes\" of a core, \"l3_bytes\" of what a thread can fill.");
    if (machine && machine->threads < machine->cores)
        problems.error(row.at(), path, "There are fewer threads than cores.", "Leave \"threads\" out, or correct it.");
    if (machine && (machine->l3 < machine->l2 || machine->threads < machine->cores)) return std::nullopt;
    return machine;
}

void encode_machine(JsonWriter& out, const CpuMachine& machine) {
    encode_row(out, machine, [](auto& record, const CpuMachine& m) { describe_machine(record, m, {}); });
}

Result<std::vector<CpuMachine>> read_machines(std::string_view text, std::string file) {
    return read_rows<CpuMachine>(text, std::move(file), machines_format, "machines", decode_machine);
}

std::string write_machines(std::span<const CpuMachine> machines) {
    return write_rows(machines_format, "machines", machines, encode_machine);
}

}  // namespace scalescope::formats
