// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/catalogue_json.hpp"

#include <array>

#include "core/formats/catalogue_rows.hpp"
#include "core/formats/scaled_json.hpp"

namespace scalescope::formats {

const FileFormat devices_format{"scalescope-devices", "device", {}};
const FileFormat links_format{"scalescope-links", "link", {}};
const FileFormat percents_format{"scalescope-percent-of-peak", "percent-of-peak", {}};

namespace {

// No figure of a device or link is outside of these, in the units of the files; they keep every later product finite.
constexpr double least_figure = 1e-9, most_figure = 1e12;

/// A figure of a device that may be unknown: its name in files, its power of ten, and where it lives.
struct Figure {
    std::string_view name;
    int power;
    std::optional<double> (*get)(const Device&);
    void (*set)(Device&, double);
};

template <class T>
std::optional<double> value_of(const std::optional<T>& figure) {
    return figure ? std::optional(figure->value) : std::nullopt;
}

const std::array<Figure, 10> figures{{
    {"base_mhz", 0, [](const Device& d) { return d.clock_mhz; }, [](Device& d, double v) { d.clock_mhz = v; }},
    {"boost_mhz", 0, [](const Device& d) { return d.boost_mhz; }, [](Device& d, double v) { d.boost_mhz = v; }},
    {"tdp_w", 0, [](const Device& d) { return d.tdp_w; }, [](Device& d, double v) { d.tdp_w = v; }},
    {"sustained_fraction", 0, [](const Device& d) { return d.sustained_fraction; },
     [](Device& d, double v) { d.sustained_fraction = v; }},
    {"sustained_matrix_fraction", 0, [](const Device& d) { return d.sustained_matrix_fraction; },
     [](Device& d, double v) { d.sustained_matrix_fraction = v; }},
    {"memory_gb", 9, [](const Device& d) { return value_of(d.memory); },
     [](Device& d, double v) { d.memory = Bytes{v}; }},
    {"l2_mb", 6, [](const Device& d) { return value_of(d.l2); }, [](Device& d, double v) { d.l2 = Bytes{v}; }},
    {"peer_link_gb_s", 9, [](const Device& d) { return value_of(d.peer_bandwidth); },
     [](Device& d, double v) { d.peer_bandwidth = BytesPerSecond{v}; }},
    {"price_usd_per_hour", 0, [](const Device& d) { return d.price_per_hour; },
     [](Device& d, double v) { d.price_per_hour = v; }},
    {"memory_bandwidth_gb_s", 9, [](const Device& d) { return std::optional(d.memory_bandwidth.value); },
     [](Device& d, double v) { d.memory_bandwidth = BytesPerSecond{v}; }},
}};

struct Text {
    std::string_view name;
    std::string Device::*member;
};
const std::array<Text, 10> device_texts{{
    {"vendor", &Device::vendor},
    {"architecture", &Device::architecture},
    {"family", &Device::family},
    {"paleo_key", &Device::paleo_key},
    {"compute_capability", &Device::compute_capability},
    {"memory_type", &Device::memory_type},
    {"host_link", &Device::host_link},
    {"peer_link", &Device::peer_link},
    {"price_basis", &Device::price_basis},
    {"note", &Device::note},
}};

void decode_peaks(JsonFields& device, Device& d, ProblemList& problems) {
    const auto value = device.required("peak_tflops", JsonKind::object);
    if (!value) return;
    JsonFields peaks(*value, join_path(device.path(), "peak_tflops"), problems);
    for (Precision p : all_precisions)
        if (const auto v = optional_scaled(peaks, name_of(p), 12, least_figure, most_figure))
            d.peak[static_cast<std::size_t>(p)] = FlopsPerSecond{*v};
    if (const auto v = optional_scaled(peaks, "fp8", 12, least_figure, most_figure)) d.peak_fp8 = FlopsPerSecond{*v};
    peaks.finish();
}

std::optional<PercentOfPeak> decode_percent(JsonValue row, std::string path, const SourceKeys& sources,
                                            ProblemList& problems) {
    const std::size_t errors = problems.errors();
    JsonFields fields(row, std::move(path), problems);
    PercentOfPeak p;
    decode_name(fields, p);
    p.description = text_or_empty(fields, "description");
    p.compute = fields.number("compute", 1e-6, 1).value_or(1);
    p.memory = fields.number("memory", 1e-6, 1).value_or(1);
    p.communication = fields.number("communication", 1e-6, 1).value_or(1);
    for (const auto& s : decode_sources(fields, sources)) p.source += (p.source.empty() ? "" : "; ") + s;
    fields.finish();
    if (problems.errors() > errors) return std::nullopt;
    return p;
}

}  // namespace

std::optional<Device> decode_device(JsonValue row, std::string path, const SourceKeys& sources, ProblemList& problems) {
    const std::size_t errors = problems.errors();
    JsonFields fields(row, std::move(path), problems);
    Device d;
    decode_name(fields, d);
    for (const Text& t : device_texts) d.*t.member = text_or_empty(fields, t.name);
    d.year = static_cast<int>(fields.optional_integer("year", 0, 9999).value_or(0));
    d.multiprocessors = fields.optional_integer("multiprocessors", 1, 1'000'000'000);
    decode_peaks(fields, d, problems);
    for (const Figure& f : figures) {
        const bool needed = f.name == "memory_bandwidth_gb_s";
        const auto v = needed ? scaled(fields, f.name, f.power, least_figure, most_figure)
                              : optional_scaled(fields, f.name, f.power, least_figure, most_figure);
        if (v) f.set(d, *v);
    }
    decode_evidence(fields, sources, d);
    fields.finish();
    if (problems.errors() > errors) return std::nullopt;
    return d;
}

std::optional<Link> decode_link(JsonValue row, std::string path, const SourceKeys& sources, ProblemList& problems) {
    const std::size_t errors = problems.errors();
    JsonFields fields(row, std::move(path), problems);
    Link l;
    decode_name(fields, l);
    l.scope = text_or_empty(fields, "scope");
    l.family = text_or_empty(fields, "family");
    l.paleo_key = text_or_empty(fields, "paleo_key");
    l.note = text_or_empty(fields, "note");
    l.bandwidth = BytesPerSecond{scaled(fields, "bandwidth_gb_s_one_way", 9, least_figure, most_figure).value_or(0)};
    l.latency = Seconds{scaled(fields, "latency_us", -6, 0, 1e9).value_or(0)};
    decode_evidence(fields, sources, l);
    fields.finish();
    if (problems.errors() > errors) return std::nullopt;
    return l;
}

void encode_device(JsonWriter& out, const Device& d) {
    out.begin_object();
    encode_name(out, d);
    for (const Text& t : device_texts) encode_text(out, t.name, d.*t.member);
    if (d.year != 0) {
        out.key("year");
        out.integer(d.year);
    }
    if (d.multiprocessors) {
        out.key("multiprocessors");
        out.integer(*d.multiprocessors);
    }
    out.key("peak_tflops");
    out.begin_inline_object();
    for (Precision p : all_precisions)
        if (const auto peak = d.peak_at(p)) write_scaled(out, name_of(p), peak->value, 12);
    if (d.peak_fp8) write_scaled(out, "fp8", d.peak_fp8->value, 12);
    out.end_object();
    for (const Figure& f : figures)
        if (const auto v = f.get(d)) write_scaled(out, f.name, *v, f.power);
    encode_evidence(out, d);
    out.end_object();
}

void encode_link(JsonWriter& out, const Link& l) {
    out.begin_object();
    encode_name(out, l);
    encode_text(out, "scope", l.scope);
    encode_text(out, "family", l.family);
    encode_text(out, "paleo_key", l.paleo_key);
    write_scaled(out, "bandwidth_gb_s_one_way", l.bandwidth.value, 9);
    write_scaled(out, "latency_us", l.latency.value, -6);
    encode_evidence(out, l);
    encode_text(out, "note", l.note);
    out.end_object();
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
