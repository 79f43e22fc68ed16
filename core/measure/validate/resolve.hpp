// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/formats/library.hpp"
#include "core/measure/validate/metrics.hpp"
#include "core/measure/validate/profiles.hpp"
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
    bool device_assumed = false;       ///< no text names one
    bool batch_assumed = false;        ///< the table does not give any kind of batch
    bool recalled = false;             ///< a figure of its device or links was not checked against a source
    std::vector<std::string> sources;  ///< of values that the table leaves open, without repetition
    std::vector<std::string> assumed;  ///< assumptions without a source, each a sentence
    std::string reason;                ///< why the row cannot be predicted, as a sentence; empty if it can
};

/// Adds a sentence unless it is empty or already in the list.
void add_once(std::vector<std::string>& list, const std::string& text);
/// The first problem and its remedy, as sentences.
std::string first_line(const Problems& problems);
/// "Precision bf16" → "Precision bf16 is assumed."
std::string assumed_sentence(std::string what);
/// Whether the network is a language model that generates one token after another.
bool is_decoder(const Network& network);
bool is_transformer(const Network& network);
/// The beginning of a text, in quotes.
std::string quoted_start(std::string_view text);

/// Turns rows into scenarios with the help of the profiles. Reads each network once.
class RowResolver {
public:
    RowResolver(const formats::Library& library, const Profiles& profiles) : library_(library), profiles_(profiles) {}
    ResolvedRow resolve(const PublishedRow& row);

private:
    /// The row with empty cells filled from the profiles.
    PublishedRow filled(const PublishedRow& row, ResolvedRow& resolved);
    const DeviceReading& read_cached(const std::string& text);
    const std::string& word_in(const char* kind, const std::string& text);
    std::string adapters_of(const PublishedRow& row);
    const std::string& family_in(const std::string& text);
    const DeviceReading& device(const PublishedRow& row, ResolvedRow& resolved);
    const ClusterPreset* system_of(const PublishedRow& row, const DeviceReading& named);
    std::shared_ptr<const Network> network(PublishedRow& row, ResolvedRow& resolved);
    NetworkReading read_network_of(PublishedRow& row, ResolvedRow& resolved);
    std::shared_ptr<const Network> of_family(const PublishedRow& row, const NetworkReading& read,
                                             ResolvedRow& resolved);
    std::shared_ptr<const Network> known(const std::string& key, ResolvedRow& resolved,
                                         const std::function<Result<std::shared_ptr<const Network>>()>& make);
    const CountedFlops& counted(const std::shared_ptr<const Network>& network);
    void assume_batch(PublishedRow& row, const std::shared_ptr<const Network>& network, ResolvedRow& resolved);
    void complete(PublishedRow& row, const DeviceReading& device, ResolvedRow& resolved) const;
    struct AssumedLink {
        const Link* link;
        bool between;
        std::string sentence;
    };
    std::vector<AssumedLink> set_links(const PublishedRow& row, const ClusterPreset* system, Scenario& scenario,
                                       ResolvedRow& resolved) const;
    void set_states(const PublishedRow& row, Scenario& scenario, ResolvedRow& resolved) const;
    std::string set_mesh(const PublishedRow& row, Scenario& scenario, ResolvedRow& resolved) const;
    std::string set_profiles(const PublishedRow& row, Scenario& scenario, ResolvedRow& resolved) const;

    const formats::Library& library_;
    const Profiles& profiles_;
    std::map<std::string, Result<std::shared_ptr<const Network>>> networks_;
    std::map<std::string, std::string> scaled_;  ///< assumptions about networks with a given number of parameters
    std::map<std::string, DeviceReading> devices_;
    std::map<std::string, std::string> words_;        ///< meanings by kind and text
    std::map<std::string, std::string> families_;     ///< by text
    std::map<std::string, NetworkReading> readings_;  ///< by text and number of parameters
    std::map<std::shared_ptr<const Network>, CountedFlops> counted_;
};

/// Whether the row has the figures that a transformer needs at least: layers and width.
bool has_transformer(const PublishedRow& row);
/// The columns of the figures that the row lacks: "layers, hidden".
std::string missing_figures(const PublishedRow& row);

}  // namespace scalescope::measure
