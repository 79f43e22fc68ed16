// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/problem.hpp"
#include "core/base/watch.hpp"
#include "core/evidence/calibration.hpp"
#include "core/hardware/catalogue.hpp"
#include "core/network/network.hpp"

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Everything that can be had by name: what is shipped, compiled into the program, and what a person keeps in a folder.
namespace scalescope::formats {

/// Families of models: hugging_face/import.hpp.
class Families;
class KeptNetworks;

/// A network, scenario or lesson file. Its text is kept unparsed: networks are read when somebody wants one.
struct Preset {
    std::string id;    ///< "vgg-16", "paleo/nin": the file's name without ".json"
    std::string name;  ///< "VGG-16"
    std::string description;
    std::string text;
    std::string file;  ///< for messages
    bool own = false;  ///< a person's, not shipped
};

struct Library {
    Catalogue catalogue;
    std::vector<Preset>
        networks;  ///< Scalescope's, transformers ("transformers/…"), PALEO's ("paleo/…"), a person's; each by id
    std::vector<Preset> scenarios;             ///< by id, the first-start example ("example") first, a person's last
    std::vector<Calibration> calibrations;     ///< a person's, by file
    std::shared_ptr<const Families> families;  ///< with a person's own; nullptr: those that are shipped alone
    Problems problems;            ///< warnings about a person's files: what was left out, or takes another's place
    std::vector<Preset> lessons;  ///< by id, a person's last; read by core/lessons

    /// Those of Hugging Face that can be drawn, with a person's own.
    const Families& known_families() const;
    /// By id, then by name, then ("bert-base") by the id without its folder; nullptr if there is none.
    const Preset* find_network(std::string_view name) const;
    const Preset* find_scenario(std::string_view name) const;
    const Preset* find_lesson(std::string_view name) const;
    const Calibration* find_calibration(std::string_view name) const;  ///< by id, then by name

    /// An unknown name is a Problem that names the closest one. The last few that were read are kept, so that whoever
    /// compares a design with its preset again and again does not read that each time; for any thread.
    Result<std::shared_ptr<const Network>> network(std::string_view name) const;

    std::shared_ptr<KeptNetworks> kept_networks;  ///< made by load_shipped(); copies share it
};

/// How a problem that kept a person's file out begins.
inline constexpr std::string_view left_out = "Left out: ";

/// What is shipped.
Library load_shipped();

/// Adds a person's files: `folder`/families/*.json, devices/*.json, links/*.json, clusters/*.json, machines/*.json,
/// ways/*.json, percent_of_peak/*.json, networks/*.json, scenarios/*.json, lessons/*.json and calibrations/*.json, in
/// the formats of the shipped ones; what is wrong inside a lesson is found when somebody opens it. An id that is there
/// already is replaced, with a warning. A file that cannot be read is left out, with a warning. A folder that does not
/// exist is an empty one.
void add_folder(Library& library, const std::filesystem::path& folder);

/// Takes a lesson into the library that was just written into a person's folder, in place of what was read from that
/// file before. One that cannot be read is left out.
void take_own_lesson(Library& library, const std::filesystem::path& file);

/// Where a person's files lie, given the environment variables XDG_DATA_HOME and HOME (null where they are not set):
/// $XDG_DATA_HOME/scalescope, by default ~/.local/share/scalescope; empty if neither says.
std::filesystem::path own_folder(const char* xdg_data_home, const char* home);

/// Whether a text is plainly a network of a format this program reads, right or wrong. Stricter than the readers, which
/// take a person's word for it: a text of fields is Caffe's only with layers in it.
bool is_any_network(std::string_view text);

/// A network file of any format this program reads, recognised by its content. `sizes` are known before it is read, for
/// formats whose layers depend on sizes that the file leaves open; a network that has symbols is bound to them later
/// (Network::with). `families`: of Hugging Face's configurations; nullptr for those that are shipped. `part`: the one
/// part to read of such a configuration (import_hugging_face_config); files of other formats have none.
Result<NetworkDraft> read_any_network_draft(std::string_view text, std::string file, Problems* warnings = nullptr,
                                            const Watch& watch = {}, std::span<const Binding> sizes = {},
                                            const Families* families = nullptr, std::string_view part = {});
Result<std::shared_ptr<const Network>> read_any_network(std::string_view text, std::string file,
                                                        Problems* warnings = nullptr, const Watch& watch = {},
                                                        std::span<const Binding> sizes = {},
                                                        const Families* families = nullptr, std::string_view part = {});

}  // namespace scalescope::formats
