// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/formats/library.hpp"
#include "core/measure/validate/aliases.hpp"
#include "core/measure/validate/metrics.hpp"
#include "core/measure/validate/published.hpp"
#include "core/network/network.hpp"
#include "core/scenario/scenario.hpp"
#include "core/words/device_words.hpp"
#include "core/words/network_words.hpp"

namespace scalescope::measure {

/// The scenario of a row, or the reason why there is none.
struct ResolvedRow {
    std::optional<Scenario> scenario;
    std::string network;  ///< id; for a network drawn from its figures, its name in the table
    Measured measured;
    bool undivided = false;            ///< no degree and no sharding is given: each worker holds a whole copy
    bool batch_assumed = false;        ///< the table does not give any kind of batch
    bool recalled = false;             ///< a figure of its device or links was not checked against a source
    bool modelled = false;             ///< its value was computed, not measured
    std::vector<std::string> sources;  ///< of values that the table leaves open, without repetition
    std::vector<std::string> assumed;  ///< assumptions without a source, each a sentence
    std::string reason;                ///< why the row cannot be predicted, as a sentence; empty if it can
};

/// Adds a sentence unless it is empty or already in the list.
void add_once(std::vector<std::string>& list, const std::string& text);
/// The first problem and its remedy, as sentences.
std::string first_line(const Problems& problems);
/// The beginning of a text, in quotes.
std::string quoted_start(std::string_view text);

/// Turns rows into scenarios with the help of the aliases. Reads each network once.
class RowResolver {
public:
    RowResolver(const formats::Library& library, const Aliases& aliases) : library_(library), aliases_(aliases) {}
    ResolvedRow resolve(const PublishedRow& row);

private:
    /// The row with empty cells filled from the aliases.
    PublishedRow filled(const PublishedRow& row, ResolvedRow& resolved) const;
    const DeviceReading& read_cached(const std::string& text);
    const DeviceReading& device(const PublishedRow& row, ResolvedRow& resolved);
    std::shared_ptr<const Network> network(PublishedRow& row, ResolvedRow& resolved);
    NetworkReading read_network_of(PublishedRow& row, ResolvedRow& resolved);
    std::shared_ptr<const Network> drawn(PublishedRow& row, const FamilyAlias& family, ResolvedRow& resolved);
    std::shared_ptr<const Network> of_family(const PublishedRow& row, const NetworkReading& read,
                                             ResolvedRow& resolved);
    std::shared_ptr<const Network> known(const std::string& key, ResolvedRow& resolved,
                                         const std::function<Result<std::shared_ptr<const Network>>()>& make);
    void assume_batch(PublishedRow& row, const Network& network, ResolvedRow& resolved) const;
    void complete(PublishedRow& row, const DeviceReading& device, ResolvedRow& resolved) const;
    void set_links(const PublishedRow& row, Scenario& scenario, ResolvedRow& resolved) const;
    void set_states(const PublishedRow& row, Scenario& scenario, ResolvedRow& resolved) const;
    std::string set_mesh(const PublishedRow& row, Scenario& scenario) const;
    std::string set_rules(const PublishedRow& row, Scenario& scenario, ResolvedRow& resolved) const;

    const formats::Library& library_;
    const Aliases& aliases_;
    std::map<std::string, Result<std::shared_ptr<const Network>>> networks_;
    std::map<std::string, std::string> scaled_;  ///< assumptions about networks with a given number of parameters
    std::map<std::string, DeviceReading> devices_;
    std::map<std::string, NetworkReading> readings_;  ///< by text and number of parameters
    std::map<std::shared_ptr<const Network>, CountedFlops> counted_;
};

/// Whether the row has the figures that a transformer needs at least: layers and width.
bool has_transformer(const PublishedRow& row);
/// The columns of the figures that the row lacks: "layers, hidden".
std::string missing_figures(const PublishedRow& row);

/// The configuration of a decoder with these figures, in the format of Hugging Face's transformers. The family
/// determines what the figures leave open: biases, norms, gates, position tables. Llama's feed-forward network is
/// 8/3 of the width, rounded up to a multiple of 256, unless the row states otherwise (Touvron et al., LLaMA, 2023);
/// GPT-2's and MPT's is four times the width.
std::string transformer_config(const PublishedRow& row, const FamilyAlias& family);

/// The network drawn from transformer_config().
Result<std::shared_ptr<const Network>> transformer_of(const PublishedRow& row, const FamilyAlias& family);

}  // namespace scalescope::measure
