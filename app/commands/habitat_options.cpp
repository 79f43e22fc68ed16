// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/habitat_options.hpp"

#include "core/measure/habitat/mlp.hpp"
#include "core/measure/habitat/tables.hpp"

namespace scalescope::app {

void add_variant(Options& options) {
    options.choice("variant", {"habitat", "deepview", "corrected"},
                   "Habitat as published; its successor, with CUDA 13's occupancy; or that with the opt-in limit of "
                   "shared memory, and kernels that cannot run without a time (habitat)");
}

habitat::Edition edition_of(const Arguments& a) {
    const auto variant = a.value("variant").value_or("habitat");
    if (variant == "corrected") return habitat::Edition::corrected;
    return variant == "deepview" ? habitat::Edition::deepview : habitat::Edition::habitat;
}

Result<std::vector<habitat::Device>> devices_of(const Arguments& a) {
    const std::string_view source = edition_of(a) == habitat::Edition::habitat ? "habitat" : "deepview";
    return read_option_file(a, "devices", [&](const std::string& text, const std::string& file) {
        return habitat::read_devices(text, file, source);
    });
}

Result<habitat::MlpModels> models_of(const Arguments& a) {
    const auto path = a.value("models");
    return path ? habitat::read_mlp_models(*path) : habitat::MlpModels{};
}

void add_habitat_format(Options& options) {
    options.choice("format", {"csv", "table", "json"}, "how to write the result (csv)");
}

void write_result(std::ostream& out, const Table& table, const Arguments& a) {
    write_table(out, table, a.has("format") ? a.format() : OutputFormat::csv);
}

}  // namespace scalescope::app
