// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "core/base/listed.hpp"
#include "core/base/sequences.hpp"
#include "core/formats/hugging_face/import.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/measure/validate/resolve.hpp"

namespace scalescope::measure {

namespace {

/// Whether the row must describe a language model, whatever the name of its network.
bool is_of_language(const PublishedRow& row) {
    constexpr double large = 1e9;  // parameters
    return row.sequence > 0 || row.vocabulary > 0 || row.tokens > 0 || row.parameters >= large ||
           row.tensor + row.pipeline > 0 || row.unit.find("tok") != std::string::npos ||
           row.unit.find("FLOP") != std::string::npos || row.metric == "mfu" || row.metric == "hfu";
}

/// Family of language models whose own family is unknown.
constexpr const char* plain_family = "llama-2";
constexpr const char* plain_mixture = "mixtral";

/// Figures of a transformer by the name that families give them.
constexpr std::array<std::pair<const char*, std::int64_t PublishedRow::*>, 9> figure_columns{
    {{"layers", &PublishedRow::layers},
     {"width", &PublishedRow::hidden},
     {"heads", &PublishedRow::heads},
     {"kv_heads", &PublishedRow::kv_heads},
     {"hidden", &PublishedRow::feed_forward},
     {"vocabulary", &PublishedRow::vocabulary},
     {"positions", &PublishedRow::sequence},
     {"experts", &PublishedRow::experts},
     {"experts_used", &PublishedRow::experts_used}}};

}  // namespace

bool has_transformer(const PublishedRow& row) { return row.layers > 0 && row.hidden > 0; }

std::string missing_figures(const PublishedRow& row) {
    std::vector<std::string_view> missing;
    if (row.layers == 0) missing.emplace_back("layers");
    if (row.hidden == 0) missing.emplace_back("hidden");
    return listed(missing);
}

std::shared_ptr<const Network> RowResolver::known(const std::string& key, ResolvedRow& resolved,
                                                  const std::function<Result<std::shared_ptr<const Network>>()>& make) {
    auto found = networks_.find(key);
    if (found == networks_.end()) found = networks_.emplace(key, make()).first;
    if (found->second) return *found->second;
    resolved.reason = first_line(found->second.error());
    return nullptr;
}

const std::string& RowResolver::family_in(const std::string& text) {
    auto found = families_.find(text);
    if (found == families_.end()) found = families_.emplace(text, family_called(library_, text)).first;
    return found->second;
}

/// Reads the network from its own cell, otherwise from the texts around the cells.
NetworkReading RowResolver::read_network_of(PublishedRow& row, ResolvedRow& resolved) {
    const auto read_once = [&](const std::string& text) {
        const auto key = text + '\n' + std::to_string(row.parameters);
        auto found = readings_.find(key);
        if (found == readings_.end())
            found = readings_.emplace(key, read_network(library_, text, row.parameters)).first;
        return found->second;
    };
    NetworkReading named = read_once(row.network);
    const auto is_found = [](const NetworkReading& read) { return !read.id.empty() || !read.family.empty(); };
    if (!row.network.empty() && (!named.id.empty() || (is_found(named) && named.assumed.empty()))) return named;
    std::vector<std::string> texts{row.device, row.notes};
    texts.insert(texts.end(), row.texts.begin(), row.texts.end());
    // The cell may give only the size, "LARGE", and another text its family, "wav2vec 2.0".
    const bool named_elsewhere = !is_found(named) && names_size(row.network);
    const auto with_size = [&](const std::string& text) -> std::optional<NetworkReading> {
        if (!named_elsewhere || family_in(text).empty()) return std::nullopt;
        NetworkReading both = read_once(text + " " + row.network);
        if (!is_found(both) || !both.assumed.empty()) return std::nullopt;
        add_once(resolved.assumed, "The network is read from " + quoted_start(text) + ".");
        return both;
    };
    if (const auto both = with_size(row.source)) return *both;
    for (const std::string& text : texts)
        if (const auto both = with_size(text)) return *both;
    // The text that stands nearest says the family, and may leave its size to another one.
    const auto is_sized = [](const std::string& text) { return stated_parameters(text) > 0; };
    const bool sized = is_of_language(row) && (row.parameters > 0 || std::any_of(texts.begin(), texts.end(), is_sized));
    std::string family = named.family;
    NetworkReading first = named;
    for (const std::string& text : texts) {
        const NetworkReading read = read_once(text);
        if (!is_found(read) || (!family.empty() && family_in(text) != family)) continue;
        const bool certain = read.assumed.empty();
        if (certain) add_once(resolved.assumed, "The network is read from " + quoted_start(text) + ".");
        if (!certain && (is_found(first) || (sized && read.id.empty()))) continue;
        if (row.network.empty()) row.network = text;
        if (certain) return read;
        first = read, family = family_in(text);
    }
    return first;
}

/// The network of a family and size, or with the figures of the row.
std::shared_ptr<const Network> RowResolver::of_family(const PublishedRow& row, const NetworkReading& read,
                                                      ResolvedRow& resolved) {
    const bool drawn = has_transformer(row);
    std::string key = read.family + '\n' + read.size + '\n' + std::to_string(read.billions);
    formats::KnownFigures figures;
    for (const auto& [name, place] : figure_columns)
        if (drawn && row.*place > 0) {
            figures[name] = row.*place;
            key += ' ' + std::string(name) + std::to_string(row.*place);
        }
    if (drawn) key += '\n' + row.network;
    if (drawn && row.vocabulary == 0) add_once(resolved.assumed, "The usual vocabulary of its family is assumed.");
    resolved.network = row.network;
    resolved.measured.tokens_per_sample = static_cast<double>(row.sequence);
    const auto network = known(key, resolved, [&]() -> Result<std::shared_ptr<const Network>> {
        const auto& families = library_.known_families();
        if (!drawn && !read.size.empty()) {
            ASSIGN_OR_RETURN(auto draft, formats::network_of_size(families, read.family, read.size));
            return Network::make(std::move(draft));
        }
        ASSIGN_OR_RETURN(auto sized, formats::network_of_family(families, read.family, read.billions, figures));
        scaled_[key] = sized.assumed;
        if (drawn) sized.draft.name = row.network;
        return Network::make(std::move(sized.draft));
    });
    if (network) add_once(resolved.assumed, scaled_[key]);
    return network;
}

std::shared_ptr<const Network> RowResolver::network(PublishedRow& row, ResolvedRow& resolved) {
    std::string family = family_in(row.network);
    for (const std::string& text : row.texts)
        if (family.empty()) family = family_in(text);
    const NetworkReading described{.family = family,
                                   .billions = std::max(stated_parameters(row.network), row.parameters) / 1e9};
    const bool stated = has_transformer(row) && row.heads > 0 && row.vocabulary > 0 && row.sequence > 0;
    if (stated && !family.empty()) return of_family(row, described, resolved);
    NetworkReading read = read_network_of(row, resolved);
    if (!read.id.empty()) {
        add_once(resolved.assumed, read.assumed);
        resolved.network = read.id;
        resolved.measured.tokens_per_sample = std::max(1.0, static_cast<double>(row.sequence));
        return known(read.id, resolved, [&] { return library_.network(read.id); });
    }
    if (has_transformer(row)) {
        if (family.empty())
            add_once(resolved.assumed, std::string("The network is assumed to be a plain decoder (") +
                                           (row.experts > 0 ? "Mixtral" : "Llama 2") + ").");
        read = described;
        if (family.empty()) read.family = row.experts > 0 ? plain_mixture : plain_family;
        return of_family(row, read, resolved);
    }
    if (read.family.empty() && is_of_language(row)) {
        const double stated_in_name = stated_parameters(row.network);
        read.billions = (stated_in_name > 0 ? stated_in_name : row.parameters) / 1e9;
        for (const std::string& text : row.texts)
            if (read.billions == 0) read.billions = stated_parameters(text) / 1e9;
        if (read.billions > 0) {
            read.family = plain_family;
            add_once(resolved.assumed, (row.network.empty() ? "The network" : quoted_start(row.network)) +
                                           " is assumed to be a plain decoder (Llama 2).");
        }
    }
    add_once(resolved.assumed, read.assumed);
    if (!read.family.empty()) return of_family(row, read, resolved);
    if (row.network.empty()) {
        resolved.reason =
            "The row names no network; name its column network, or give one, --map \"network=Llama 3 8B\".";
        return nullptr;
    }
    resolved.reason = "There is no preset or family called " + formats::quoted(row.network) +
                      "; scalescope list networks shows the presets.";
    if (row.has_figures && !has_transformer(row))
        resolved.reason =
            "There is no preset called " + formats::quoted(row.network) +
            "; to predict this network, add the columns that its layers follow from: " + missing_figures(row) + ".";
    return nullptr;
}

}  // namespace scalescope::measure
