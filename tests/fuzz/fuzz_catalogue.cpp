// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a catalogue of devices, of links, of clusters, of CPU machines or of percents of peak: Problems, or rows
// that read back as written.
#include "core/formats/catalogue_json.hpp"
#include "core/formats/library.hpp"
#include "fuzz/checks.hpp"
#include "fuzz/json_mutator.hpp"

using namespace scalescope;

namespace {

template <class Rows, class Read, class Write>
void check_rows(const Result<Rows>& rows, Read read, Write write) {
    if (!rows) {
        fuzz::check_problems(rows.error());
        return;
    }
    const std::string written = write(*rows);
    const auto again = read(written, "written.json");
    fuzz::require(again.has_value() && write(*again) == written, "a catalogue reads back as it was written");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    check_rows(formats::read_devices(text, "fuzz.json"), formats::read_devices,
               [](const std::vector<Device>& rows) { return formats::write_devices(rows); });
    check_rows(formats::read_links(text, "fuzz.json"), formats::read_links,
               [](const std::vector<Link>& rows) { return formats::write_links(rows); });
    static const Catalogue known = formats::load_shipped().catalogue;
    const auto clusters = [](std::string_view t, std::string file) {
        return formats::read_clusters(t, std::move(file), known);
    };
    check_rows(clusters(text, "fuzz.json"), clusters,
               [](const std::vector<ClusterPreset>& rows) { return formats::write_clusters(rows); });
    check_rows(formats::read_machines(text, "fuzz.json"), formats::read_machines,
               [](const std::vector<CpuMachine>& rows) { return formats::write_machines(rows); });
    if (const auto percents = formats::read_percents_of_peak(text, "fuzz.json"); !percents)
        fuzz::check_problems(percents.error());
    return 0;
}
