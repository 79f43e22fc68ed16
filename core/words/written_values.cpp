// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/written_values.hpp"

#include <algorithm>

#include "core/scenario/fields.hpp"
#include "core/scenario/names.hpp"
#include "core/words/choices.hpp"
#include "core/words/device_words.hpp"
#include "core/words/link_words.hpp"
#include "core/words/network_words.hpp"
#include "core/words/vocabulary.hpp"

namespace scalescope {

std::string value_meant(const formats::Library& library, const Scenario& scenario, std::string_view path,
                        const std::string& value) {
    const Catalogue& catalogue = library.catalogue;
    const auto id_of = [&](const auto* found) { return found ? found->id : value; };
    if (path == "cluster") return catalogue.cluster(value) ? value : id_of(read_device(catalogue, value).cluster);
    if (path == "network") {
        if (library.find_network(value)) return value;
        const NetworkReading read = read_network(library, value);
        return read.id.empty() || !read.assumed.empty() ? value : read.id;
    }
    const Field* field = find_field(path);
    if (!field) return value;
    if (field->type == FieldType::device)
        return catalogue.device(value) ? value : id_of(device_called(catalogue, value));
    if (field->type == FieldType::link) {
        if (catalogue.link(value)) return value;
        const LinkReading read = read_links(catalogue, value, &scenario.cluster.device);
        return id_of(path == "cluster.inside" ? read.inside : read.between);
    }
    if (field->type != FieldType::choice ||
        std::find(field->choices.begin(), field->choices.end(), value) != field->choices.end())
        return value;
    if (path == "training.precision") {
        const auto read = read_precision(value);
        return read ? std::string(name_of(*read)) : value;
    }
    const char* kind = path == "parallelism.recompute" ? "recompute" : path == "parallelism.sharded" ? "sharding" : "";
    const std::string meant = *kind != 0 ? shipped_vocabulary().read(kind, value).means : std::string();
    return std::find(field->choices.begin(), field->choices.end(), meant) != field->choices.end() ? meant : value;
}

}  // namespace scalescope
