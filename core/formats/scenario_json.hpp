// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/watch.hpp"
#include "core/formats/library.hpp"
#include "core/formats/versions.hpp"
#include "core/scenario/pin.hpp"
#include "core/scenario/scenario.hpp"

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

/// Scenario files: "scalescope-scenario", see presets/schema/scenario.schema.json. A file carries the figures of its
/// device and links and, unless it is a shipped one, its network: it means the same on another machine and next year.
namespace scalescope::formats {

struct ReadScenario {
    Scenario scenario;
    Pins pins;          ///< designs kept beside it
    std::string view;   ///< JSON text of the file's "view": what a window shows of it; empty if there is none
    Problems warnings;  ///< such as a preset whose figures have changed since the file was written
};

/// Where a network named by {"file": …} comes from; the path is the one in the file, next to which a relative one lies.
using ReadText = std::function<Result<std::string>(const std::filesystem::path&)>;

/// For a scenario without a folder of its own, such as a link: it reads no files, and `refusal` says so.
inline ReadText no_files(Problem refusal) {
    return
        [refusal = std::move(refusal)](const std::filesystem::path&) -> Result<std::string> { return fail(refusal); };
}

/// The refusal for what the program itself keeps: it writes networks out.
inline Problem kept_names_a_file() {
    return make_error("A kept scenario cannot name a file.", "Open the scenario's own file.");
}

/// `file` names the scenario in messages, and its folder is where paths in it begin: a scenario reads networks in and
/// below that folder only, and problems with what is no network there quote nothing of it. Without `read_text` such
/// files are read from the disk. Everything of a Scenario that the file leaves out keeps its initial value, but the
/// network, the device and the links must be there; a CPU cluster needs the last two for nothing, and has the usual
/// ones then. Parsing is what takes time, and what `watch` follows. `sizes` replace the values
/// that the file gives to symbols of these names, before a network is read that depends on them; names that no network
/// has are ignored.
Result<ReadScenario> read_scenario(std::string_view text, std::string file, const Library& library,
                                   const ReadText& read_text = {}, const Watch& watch = {},
                                   std::span<const Binding> sizes = {});

/// A whole file. Reading it gives the same scenario, bit for bit, its layers numbered 1, 2, … A network that is a
/// preset of the library is named, any other is written out. `view` is JSON text, kept as it is. Pins are written
/// whole.
std::string write_scenario(const Scenario& scenario, const Library& library, std::string_view view = {},
                           const Pins& pins = {});

extern const FileFormat scenario_format;

}  // namespace scalescope::formats
