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

std::optional<ClusterPreset> decode_cluster(JsonValue row, std::string path, const SourceKeys& sources,
                                            const Catalogue& known, ProblemList& problems) {
    const std::size_t errors = problems.errors();
    JsonFields fields(row, std::move(path), problems);
    ClusterPreset c;
    decode_name(fields, c);
    c.vendor = text_or_empty(fields, "vendor");
    c.family = text_or_empty(fields, "family");
    c.note = text_or_empty(fields, "note");
    c.devices_per_node = fields.integer("devices_per_node", 1, limits::workers).value_or(1);
    c.nics_per_node = fields.optional_integer("nics_per_node", 1, limits::workers).value_or(1);
    c.nodes = fields.optional_integer("nodes", 1, limits::workers);
    c.device = known_part(fields, "device", "device", known.devices, &Catalogue::device, known);
    c.inside = known_part(fields, "inside", "link", known.links, &Catalogue::link, known);
    c.between = known_part(fields, "between", "link", known.links, &Catalogue::link, known);
    decode_evidence(fields, sources, c);
    fields.finish();
    if (problems.errors() > errors) return std::nullopt;
    const auto needs = [&](bool needed, const std::string& part, std::string_view member, const char* why) {
        if (needed && part.empty())
            fields.error("The field " + quoted(member) + " is missing: " + why, "Add it, with the id of a preset.");
    };
    needs(true, c.device, "device", "it is what the nodes compute with.");
    needs(c.devices_per_node > 1, c.inside, "inside", "a node has more than one device.");
    needs(c.nodes != 1, c.between, "between", "there can be more than one node.");
    if (problems.errors() > errors) return std::nullopt;
    return c;
}

void encode_cluster(JsonWriter& out, const ClusterPreset& c) {
    out.begin_object();
    encode_name(out, c);
    encode_text(out, "vendor", c.vendor);
    encode_text(out, "family", c.family);
    encode_text(out, "device", c.device);
    out.key("devices_per_node");
    out.integer(c.devices_per_node);
    out.key("nics_per_node");
    out.integer(c.nics_per_node);
    encode_text(out, "inside", c.inside);
    encode_text(out, "between", c.between);
    if (c.nodes) {
        out.key("nodes");
        out.integer(*c.nodes);
    }
    encode_evidence(out, c);
    encode_text(out, "note", c.note);
    out.end_object();
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
