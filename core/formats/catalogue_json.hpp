// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/json_decoder.hpp"
#include "core/formats/json_writer.hpp"
#include "core/formats/versions.hpp"
#include "core/hardware/catalogue.hpp"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// Devices, links, clusters, CPU machines, percents of peak, ways to divide the work and trainers as files hold them:
/// presets/schema/{devices,links,clusters,machines,percent_of_peak,ways,trainers}.schema.json.
/// The files' units are powers of ten apart from the program's; figures survive reading and writing bit for bit.
namespace scalescope::formats {

Result<std::vector<Device>> read_devices(std::string_view text, std::string file);
Result<std::vector<Link>> read_links(std::string_view text, std::string file);
Result<std::vector<CpuMachine>> read_machines(std::string_view text, std::string file);
Result<std::vector<PercentOfPeak>> read_percents_of_peak(std::string_view text, std::string file);
/// Each way sets fields of parallelism to values that these take.
Result<std::vector<Way>> read_ways(std::string_view text, std::string file);
/// Each trainer sets fields of TrainerMemory to values that these take.
Result<std::vector<Trainer>> read_trainers(std::string_view text, std::string file);

/// A cluster's device and links must be in `known`; they are held by their ids.
Result<std::vector<ClusterPreset>> read_clusters(std::string_view text, std::string file, const Catalogue& known);

/// A whole file, as a person's own catalogue is saved.
std::string write_devices(std::span<const Device> devices);
std::string write_links(std::span<const Link> links);
std::string write_clusters(std::span<const ClusterPreset> clusters);
std::string write_machines(std::span<const CpuMachine> machines);

/// One row, in a catalogue or inside a scenario. `sources` spells out the keys that rows use; without an entry a source
/// stands for itself. Nothing is returned if there was an error.
using SourceKeys = std::map<std::string, std::string, std::less<>>;
std::optional<Device> decode_device(JsonValue row, std::string path, const SourceKeys& sources, ProblemList& problems);
std::optional<Link> decode_link(JsonValue row, std::string path, const SourceKeys& sources, ProblemList& problems);
std::optional<CpuMachine> decode_machine(JsonValue row, std::string path, const SourceKeys& sources,
                                         ProblemList& problems);
void encode_machine(JsonWriter& out, const CpuMachine& machine);
void encode_device(JsonWriter& out, const Device& device);
void encode_link(JsonWriter& out, const Link& link);

extern const FileFormat devices_format, links_format, percents_format, clusters_format, machines_format, ways_format,
    trainers_format;

}  // namespace scalescope::formats
