// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/named_settings.hpp"

#include <algorithm>
#include <utility>

#include "core/base/atomic_file.hpp"
#include "core/base/suggest.hpp"
#include "core/formats/calibration_json.hpp"
#include "core/scenario/adapters.hpp"
#include "core/scenario/calibrated.hpp"
#include "core/scenario/clusters.hpp"
#include "core/scenario/fields.hpp"
#include "core/scenario/ways.hpp"

namespace scalescope::formats {
namespace {

Problem unknown_name(const std::string& what, const std::string& name, const std::vector<std::string>& known) {
    const auto meant = closest(name, known);
    return make_error("There is no " + what + " called \"" + name + "\".",
                      meant ? "Did you mean " + *meant + "?" : "See: scalescope list " + what + 's', {}, what);
}

template <class T>
std::vector<std::string> ids(const std::vector<T>& all) {
    std::vector<std::string> names;
    for (const auto& one : all) names.push_back(one.id);
    return names;
}

/// "Our K80s, fp16" becomes "our-k80s-fp16": letters of other scripts are left out, since not every disk takes them.
std::string id_from(const std::string& name) {
    std::string id;
    for (const char c : name) {
        const bool upper = c >= 'A' && c <= 'Z';
        if (upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            id += upper ? static_cast<char>(c - 'A' + 'a') : c;
        else if (!id.empty() && id.back() != '-')
            id += '-';
    }
    while (!id.empty() && id.back() == '-') id.pop_back();
    return id.empty() ? "calibration" : id.substr(0, 80);
}

}  // namespace

Result<void> set_by_name(Scenario& scenario, const std::string& path, const std::string& value,
                         const Library& library) {
    if (path == "cluster") {
        const auto* cluster = library.catalogue.cluster(value);
        if (!cluster) return fail(unknown_name("cluster", value, ids(library.catalogue.clusters)));
        scenario.cluster = built_as(*cluster, library.catalogue, scenario.cluster);
        return {};
    }
    if (path == "way") {
        const auto* way = library.catalogue.way(value);
        if (!way) return fail(unknown_name("way", value, ids(library.catalogue.ways)));
        scenario = divided_as(*way, std::move(scenario));
        return {};
    }
    if (path == "trainer") {
        const auto* trainer = library.catalogue.trainer(value);
        if (!trainer) return fail(unknown_name("trainer", value, ids(library.catalogue.trainers)));
        scenario = as_trained_by(*trainer, std::move(scenario));
        return {};
    }
    if (path == "network") {
        ASSIGN_OR_RETURN(auto network, library.network(value));
        scenario = with_network(std::move(scenario), std::move(network));
        return {};
    }
    if (path == "adapters") {
        ASSIGN_OR_RETURN(scenario, with_adapters(scenario, value));
        return {};
    }
    if (path == "calibration") {
        ASSIGN_OR_RETURN(auto calibration, own_calibration(value, library));
        scenario = with_calibration(std::move(scenario), {std::make_shared<const Calibration>(std::move(calibration))});
        return {};
    }
    return set_field(scenario, path, value, library.catalogue);
}

Result<Calibration> own_calibration(const std::string& name, const Library& library) {
    if (const Calibration* own = library.find_calibration(name)) return *own;
    return fail(unknown_name("calibration", name, ids(library.calibrations)));
}

Result<std::string> keep_calibration(Calibration calibration, const std::filesystem::path& own_folder,
                                     Library& library) {
    const auto same = std::ranges::find(library.calibrations, calibration.name, &Calibration::name);
    if (same != library.calibrations.end()) {
        calibration.id = same->id;
    } else {
        const std::string wanted = id_from(calibration.name);
        calibration.id = wanted;
        const auto taken = [&] {
            return std::ranges::any_of(library.calibrations,
                                       [&](const Calibration& c) { return c.id == calibration.id; });
        };
        for (int n = 2; taken(); ++n) calibration.id = wanted + '-' + std::to_string(n);
    }
    const auto folder = own_folder / "calibrations";
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    const std::string file = (folder / (calibration.id + ".json")).string();
    if (auto written = write_file(file, write_calibration(calibration)); !written) return fail(written.error());
    if (same != library.calibrations.end())
        *same = std::move(calibration);
    else
        library.calibrations.push_back(std::move(calibration));
    return file;
}

}  // namespace scalescope::formats
