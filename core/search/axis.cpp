// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/axis.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "core/base/format.hpp"
#include "core/network/editing/adapters.hpp"
#include "core/scenario/adapters.hpp"
#include "core/search/values.hpp"

namespace scalescope::search {
namespace {

tl::unexpected<Problems> refuse(const std::string& path, std::string what, std::string remedy) {
    return fail(make_error(std::move(what), std::move(remedy), {}, path));
}

bool read_whole(std::string_view text, std::int64_t& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

/// "1..1024" (every number) or "1..1024*2" (each twice the one before). False if it is neither.
bool add_range(std::string_view text, std::vector<std::string>& values) {
    const auto dots = text.find("..");
    const auto star = text.find('*');
    if (dots == std::string_view::npos || (star != std::string_view::npos && star < dots)) return false;
    std::int64_t first = 0, last = 0, factor = 1;
    const auto to = text.substr(dots + 2, star == std::string_view::npos ? star : star - dots - 2);
    if (!read_whole(text.substr(0, dots), first) || !read_whole(to, last) || first < 1 || last < first) return false;
    if (star != std::string_view::npos && (!read_whole(text.substr(star + 1), factor) || factor < 2)) return false;
    for (std::int64_t value = first;; value = factor == 1 ? value + 1 : value * factor) {
        values.push_back(std::to_string(value));
        // Before the next one, so that nothing overflows; one too many is found by the caller.
        if (value > (factor == 1 ? last - 1 : last / factor) || values.size() > most_axis_values) return true;
    }
}

}  // namespace

Result<Axis> read_axis(std::string path, const Field* field, std::string_view values, const Scenario& scenario,
                       const Catalogue& catalogue) {
    Axis axis{std::move(path), {}};
    const bool lists = field && (field->type == FieldType::layers || field->type == FieldType::words);
    for (std::string_view rest = values;;) {
        const auto comma = rest.find(',');
        const auto item = rest.substr(0, comma);
        if (field && field->type == FieldType::integer && item.find("..") != std::string_view::npos) {
            if (!add_range(item, axis.values))
                return refuse(axis.path, "\"" + std::string(item) + "\" is no range of whole numbers.",
                              "write 1..1024, or 1..1024*2 for powers of two");
        } else if (item == "*") {
            const std::size_t before = axis.values.size();
            if (field)
                for (Nameable& one : nameable_values(*field, scenario, catalogue))
                    if (one.in_star) axis.values.push_back(std::move(one.id));
            if (axis.path == "way")
                for (const Way& way : catalogue.ways) axis.values.push_back(way.id);
            if (axis.path == "trainer")
                for (const Trainer& trainer : catalogue.trainers) axis.values.push_back(trainer.id);
            if (axis.path == "adapters") {
                axis.values.emplace_back(no_adapters);
                for (const editing::AdapterChoice& choice : editing::adapter_choices)
                    axis.values.emplace_back(choice.word);
            }
            if (axis.path == "cluster")
                for (const ClusterPreset& cluster : catalogue.clusters) axis.values.push_back(cluster.id);
            if (axis.values.size() == before)
                return refuse(axis.path, "\"*\" stands for nothing here.", "write the values, separated by commas");
        } else {
            axis.values.emplace_back(item);
            if (lists) std::replace(axis.values.back().begin(), axis.values.back().end(), '+', ',');
        }
        if (axis.values.size() > most_axis_values)
            return refuse(axis.path, "These are more than " + format_count(most_axis_values) + " values.",
                          "vary fewer; a range may grow by a factor: 1..1024*2");
        if (comma == std::string_view::npos) return axis;
        rest.remove_prefix(comma + 1);
    }
}

}  // namespace scalescope::search
