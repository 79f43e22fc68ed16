// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/catalogue_rows.hpp"

namespace scalescope::formats {

const FileFormat clusters_format{"scalescope-clusters", "cluster", {}};

namespace {

/// The id of the device or link that a row names; reports a name that nothing has.
template <class T>
std::string known_part(JsonFields& row, std::string_view member, std::string_view what, const std::vector<T>& all,
                       const T* (Catalogue::*find)(std::string_view) const, const Catalogue& known) {
    const auto value = row.any(member);
    if (!value || value->is_null()) return {};
    if (!value->is_string()) {
        row.error(member, *value, "This must be the name of a " + std::string(what) + ".",
                  "Write its id in double quotes.");
        return {};
    }
    if (const T* found = (known.*find)(value->text())) return found->id;
    std::vector<std::string_view> ids;
    for (const T& x : all) ids.push_back(x.id);
    row.error(member, *value, "There is no " + std::string(what) + " called " + quoted(value->text()) + ".",
              did_you_mean(value->text(), ids, "See: scalescope list " + std::string(what) + "s"));
    return {};
}

template <class Record, class Row>
void describe_cluster(Record& record, Row& c, const SourceKeys& sources, const Catalogue& known) {
    const auto part = [&](std::string_view member, std::string_view what, auto& id, const auto& all, auto find) {
        if constexpr (Record::reads)
            id = known_part(record.fields, member, what, all, find, known);
        else
            record.optional_text(member, id);
    };
    describe_name(record, c);
    record.optional_text("vendor", c.vendor);
    record.optional_text("family", c.family);
    part("device", "device", c.device, known.devices, &Catalogue::device);
    record.integer("devices_per_node", c.devices_per_node, 1, limits::workers);
    if constexpr (Record::reads)
        c.nics_per_node = record.fields.optional_integer("nics_per_node", 1, limits::workers).value_or(1);
    else
        record.integer("nics_per_node", c.nics_per_node);
    part("inside", "link", c.inside, known.links, &Catalogue::link);
    part("between", "link", c.between, known.links, &Catalogue::link);
    record.optional_integer("nodes", c.nodes, 1, limits::workers);
    describe_evidence(record, c, sources);
    record.optional_text("note", c.note);
}

std::optional<ClusterPreset> decode_cluster(JsonValue row, std::string path, const SourceKeys& sources,
                                            const Catalogue& known, ProblemList& problems) {
    auto cluster = decode_row<ClusterPreset>(
        row, path, problems, [&](auto& record, ClusterPreset& c) { describe_cluster(record, c, sources, known); });
    if (!cluster) return std::nullopt;
    const std::size_t errors = problems.errors();
    const auto needs = [&](bool needed, const std::string& part, std::string_view member, const char* why) {
        if (needed && part.empty())
            problems.error(row.at(), path, "The field " + quoted(member) + " is missing: " + why,
                           "Add it, with the id of a preset.");
    };
    needs(true, cluster->device, "device", "it is what the nodes compute with.");
    needs(cluster->devices_per_node > 1, cluster->inside, "inside", "a node has more than one device.");
    needs(cluster->nodes != 1, cluster->between, "between", "there can be more than one node.");
    if (problems.errors() > errors) return std::nullopt;
    return cluster;
}

void encode_cluster(JsonWriter& out, const ClusterPreset& cluster) {
    encode_row(out, cluster, [](auto& record, const ClusterPreset& c) { describe_cluster(record, c, {}, {}); });
}

}  // namespace

Result<std::vector<ClusterPreset>> read_clusters(std::string_view text, std::string file, const Catalogue& known) {
    const auto decode = [&](JsonValue row, std::string path, const SourceKeys& sources, ProblemList& problems) {
        return decode_cluster(row, std::move(path), sources, known, problems);
    };
    return read_rows<ClusterPreset>(text, std::move(file), clusters_format, "clusters", decode);
}

std::string write_clusters(std::span<const ClusterPreset> clusters) {
    return write_rows(clusters_format, "clusters", clusters, encode_cluster);
}

}  // namespace scalescope::formats
