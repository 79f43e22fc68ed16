// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/sequences.hpp"
#include "core/formats/hugging_face/import.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/measure/validate/resolve.hpp"

namespace scalescope::measure {

namespace {

/// Whether the row must describe a language model, whatever the name of its network.
bool is_of_language(const PublishedRow& row) {
    return row.sequence > 0 || row.vocabulary > 0 || row.tensor * row.pipeline > 0 ||
           row.unit.find("tok") != std::string::npos || row.unit.find("FLOP") != std::string::npos ||
           row.metric == "mfu" || row.metric == "hfu";
}

/// Family of language models whose own family is unknown.
constexpr const char* plain_family = "llama-2";

}  // namespace

std::shared_ptr<const Network> RowResolver::known(const std::string& key, ResolvedRow& resolved,
                                                  const std::function<Result<std::shared_ptr<const Network>>()>& make) {
    auto found = networks_.find(key);
    if (found == networks_.end()) found = networks_.emplace(key, make()).first;
    if (found->second) return *found->second;
    resolved.reason = first_line(found->second.error());
    return nullptr;
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
    if (!row.network.empty()) {
        const NetworkReading read = read_once(row.network);
        if (!read.id.empty() || !read.family.empty()) return read;
    }
    for (const std::string& text : row.texts) {
        NetworkReading read = read_once(text);
        if (read.id.empty() && read.family.empty()) continue;
        add_once(resolved.assumed, "The network is read from " + quoted_start(text) + ".");
        if (row.network.empty()) row.network = text;
        return read;
    }
    return {};
}

/// A transformer drawn from the figures of the row.
std::shared_ptr<const Network> RowResolver::drawn(PublishedRow& row, const FamilyAlias& family, ResolvedRow& resolved) {
    add_once(resolved.assumed, family.note);
    if (row.heads == 0) {
        for (const std::int64_t width : {128, 64, 96, 80, 1})
            if (row.heads == 0 && row.hidden % width == 0) row.heads = row.hidden / width;
        add_once(resolved.assumed, std::to_string(row.heads) + " heads of attention are assumed.");
    }
    if (row.vocabulary == 0) add_once(resolved.assumed, "The usual vocabulary of its family is assumed.");
    resolved.network = row.network;
    resolved.measured.tokens_per_sample = static_cast<double>(row.sequence);
    return known(row.network + '\n' + transformer_config(row, family), resolved,
                 [&] { return transformer_of(row, family); });
}

/// A network of a family with the given number of parameters.
std::shared_ptr<const Network> RowResolver::of_family(const PublishedRow& row, const NetworkReading& read,
                                                      ResolvedRow& resolved) {
    const std::string key = read.family + '\n' + std::to_string(read.billions);
    resolved.network = row.network;
    resolved.measured.tokens_per_sample = static_cast<double>(row.sequence);
    const auto network = known(key, resolved, [&]() -> Result<std::shared_ptr<const Network>> {
        ASSIGN_OR_RETURN(auto sized,
                         formats::network_with_parameters(library_.known_families(), read.family, read.billions));
        scaled_[key] = sized.assumed;
        return Network::make(std::move(sized.draft));
    });
    if (network) add_once(resolved.assumed, scaled_[key]);
    return network;
}

std::shared_ptr<const Network> RowResolver::network(PublishedRow& row, ResolvedRow& resolved) {
    const NetworkAlias* named = aliases_.network(row.network);
    const FamilyAlias* family = aliases_.family(row.network);
    for (const std::string& text : row.texts)
        if (!family) family = aliases_.family(text);
    const bool stated = has_transformer(row) && row.heads > 0 && row.vocabulary > 0 && row.sequence > 0;
    if (!named && family && stated) return drawn(row, *family, resolved);
    NetworkReading read = named ? NetworkReading{.id = named->network} : read_network_of(row, resolved);
    add_once(resolved.assumed, read.assumed);
    if (named || !read.id.empty()) {
        resolved.network = read.id;
        resolved.measured.tokens_per_sample = named ? named->tokens_per_sample : static_cast<double>(row.sequence);
        if (!named && row.sequence == 0) resolved.measured.tokens_per_sample = 1;
        return known(read.id, resolved, [&] { return library_.network(read.id); });
    }
    if (family && has_transformer(row)) return drawn(row, *family, resolved);
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
