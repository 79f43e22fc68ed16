// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/catalogue_json.hpp"

#include "core/base/listed.hpp"
#include "core/formats/catalogue_rows.hpp"

namespace scalescope::formats {

const FileFormat devices_format{"scalescope-devices", "device", {}};
const FileFormat links_format{"scalescope-links", "link", {}};
const FileFormat percents_format{"scalescope-percent-of-peak", "percent-of-peak", {}};

namespace {

// No figure of a device or link is outside of these, in the units of the files; they keep every later product finite.
constexpr double least_figure = 1e-9, most_figure = 1e12;

auto& of_kernel(auto& device, AttentionKernel k) { return device.attention[static_cast<std::size_t>(k)]; }

template <class Record, class Row>
void describe_device(Record& record, Row& d, const SourceKeys& sources) {
    const auto figure = [&](std::string_view name, auto& value, int power) {
        record.optional_scaled(name, value, power, least_figure, most_figure);
    };
    describe_name(record, d);
    record.optional_text("vendor", d.vendor);
    record.optional_text("architecture", d.architecture);
    record.optional_text("family", d.family);
    record.optional_text("paleo_key", d.paleo_key);
    record.optional_text("compute_capability", d.compute_capability);
    record.optional_text("memory_type", d.memory_type);
    record.optional_text("host_link", d.host_link);
    record.optional_text("peer_link", d.peer_link);
    record.optional_text("price_basis", d.price_basis);
    record.optional_text("note", d.note);
    record.optional_integer("year", d.year, 0, 0, 9999);
    record.optional_integer("multiprocessors", d.multiprocessors, 1, 1'000'000'000);
    record.inline_object("peak_tflops", d, [](auto& peaks, auto& of) {
        for (const Precision p : all_precisions)
            if (has_peak(p))
                peaks.optional_scaled(name_of(p), of.peak[static_cast<std::size_t>(p)], 12, least_figure, most_figure);
    });
    figure("base_mhz", d.clock_mhz, 0);
    figure("boost_mhz", d.boost_mhz, 0);
    figure("tdp_w", d.tdp_w, 0);
    figure("sustained_fraction", d.sustained_fraction, 0);
    const auto share = [&](std::string_view name, auto& value) {
        record.optional_number(name, value, least_figure, 1);
    };
    share("sustained_matrix_fraction", d.sustained_matrix_fraction);
    share("training_matrix_fraction", d.training_matrix_fraction);
    share("attention_flash_2_fraction", of_kernel(d, AttentionKernel::flash_2));
    share("attention_flash_3_fraction", of_kernel(d, AttentionKernel::flash_3));
    share("attention_triton_fraction", of_kernel(d, AttentionKernel::triton));
    figure("memory_gb", d.memory, 9);
    figure("l2_mb", d.l2, 6);
    figure("peer_link_gb_s", d.peer_bandwidth, 9);
    figure("host_link_gb_s", d.host_bandwidth, 9);
    figure("price_usd_per_hour", d.price_per_hour, 0);
    record.scaled("memory_bandwidth_gb_s", d.memory_bandwidth, 9, least_figure, most_figure);
    describe_evidence(record, d, sources);
}

template <class Record, class Row>
void describe_link(Record& record, Row& l, const SourceKeys& sources) {
    describe_name(record, l);
    record.optional_text("scope", l.scope);
    record.optional_text("family", l.family);
    record.optional_text("paleo_key", l.paleo_key);
    record.scaled("bandwidth_gb_s_one_way", l.bandwidth, 9, least_figure, most_figure);
    record.scaled("latency_us", l.latency, -6, 0, 1e9);
    describe_evidence(record, l, sources);
    record.optional_text("note", l.note);
}

std::optional<PercentOfPeak> decode_percent(JsonValue row, std::string path, const SourceKeys& sources,
                                            ProblemList& problems) {
    return decode_row<PercentOfPeak>(row, std::move(path), problems, [&](RecordReader& record, PercentOfPeak& p) {
        std::vector<std::string> from;
        describe_name(record, p);
        record.optional_text("description", p.description);
        record.number("compute", p.compute, 0, 1);
        record.number("memory", p.memory, 1e-6, 1);
        record.number("communication", p.communication, 1e-6, 1);
        record.optional_texts("sources", from);
        spell_out(from, sources);
        p.source = joined(from, "; ");
    });
}

}  // namespace

std::optional<Device> decode_device(JsonValue row, std::string path, const SourceKeys& sources, ProblemList& problems) {
    return decode_row<Device>(row, std::move(path), problems,
                              [&](auto& record, Device& d) { describe_device(record, d, sources); });
}

std::optional<Link> decode_link(JsonValue row, std::string path, const SourceKeys& sources, ProblemList& problems) {
    return decode_row<Link>(row, std::move(path), problems,
                            [&](auto& record, Link& l) { describe_link(record, l, sources); });
}

void encode_device(JsonWriter& out, const Device& device) {
    encode_row(out, device, [](auto& record, const Device& d) { describe_device(record, d, {}); });
}

void encode_link(JsonWriter& out, const Link& link) {
    encode_row(out, link, [](auto& record, const Link& l) { describe_link(record, l, {}); });
}

Result<std::vector<Device>> read_devices(std::string_view text, std::string file) {
    return read_rows<Device>(text, std::move(file), devices_format, "devices", decode_device);
}
Result<std::vector<Link>> read_links(std::string_view text, std::string file) {
    return read_rows<Link>(text, std::move(file), links_format, "links", decode_link);
}
Result<std::vector<PercentOfPeak>> read_percents_of_peak(std::string_view text, std::string file) {
    return read_rows<PercentOfPeak>(text, std::move(file), percents_format, "presets", decode_percent);
}

std::string write_devices(std::span<const Device> devices) {
    return write_rows(devices_format, "devices", devices, encode_device);
}
std::string write_links(std::span<const Link> links) { return write_rows(links_format, "links", links, encode_link); }

}  // namespace scalescope::formats
