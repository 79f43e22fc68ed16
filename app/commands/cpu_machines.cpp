// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/cpu_machines.hpp"

#include <filesystem>

#include "core/formats/catalogue_json.hpp"
#include "core/formats/input_file.hpp"

namespace scalescope::app {

Result<CpuMachine> machine_named(const std::string& name, const formats::Library& library) {
    std::error_code error;
    if (std::filesystem::is_regular_file(name, error)) {
        const auto text = formats::read_input_file(name);
        if (!text) return fail(text.error());
        auto machines = formats::read_machines(*text, name);
        if (!machines) return fail(machines.error());
        if (machines->size() == 1) return std::move(machines->front());
        return fail(
            make_error("This file has " + std::to_string(machines->size()) + " machines.",
                       "write a file with the one that is meant, or put this one into your own folder of machines "
                       "and name it",
                       {name, 0, 0}));
    }
    if (const CpuMachine* known = library.catalogue.machine(name)) return *known;
    std::vector<std::string_view> ids;
    for (const CpuMachine& m : library.catalogue.machines) ids.push_back(m.id);
    return fail(make_error("There is no machine called " + formats::quoted(name) + ".",
                           formats::did_you_mean(name, ids, "See: scalescope list machines")));
}

}  // namespace scalescope::app
