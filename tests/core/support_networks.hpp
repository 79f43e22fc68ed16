// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/estimate/plan.hpp"
#include "core/network/network.hpp"
#include "core/scenario/scenario.hpp"

/// Networks and scenarios for tests, made in code.
namespace support {

using scalescope::Network;
using NetworkPtr = std::shared_ptr<const Network>;

/// Ends the program with what was wrong.
[[noreturn]] void stop(const scalescope::Problems& problems);

/// Collects layers; every method returns the index of the layer it added. Attributes not named keep their defaults.
class Builder {
public:
    int input(std::vector<std::int64_t> shape);
    int conv(int in, std::int64_t filters, std::int64_t kernel, std::int64_t stride = 1, std::int64_t groups = 1,
             bool same = true, bool bias = true);
    int transposed(int in, std::int64_t filters, std::int64_t kernel, std::int64_t stride);
    int pool(int in, std::int64_t kernel, std::int64_t stride, const std::string& mode = "max");
    int global_pool(int in);
    int upsample(int in, std::int64_t factor);
    int dense(int in, std::int64_t units, bool bias = true);
    int activation(int in) { return simple("activation", {in}); }
    int dropout(int in) { return simple("dropout", {in}); }
    int batch_norm(int in) { return simple("batch_norm", {in}); }
    int lrn(int in) { return simple("lrn", {in}); }
    int softmax(int in) { return simple("softmax", {in}); }
    int concat(std::vector<int> in) { return simple("concat", std::move(in)); }
    int add(std::vector<int> in) { return simple("add", std::move(in)); }
    int flatten(int in) { return simple("flatten", {in}); }
    int reshape(int in, std::vector<std::int64_t> shape);
    int unknown(std::vector<int> in, std::vector<std::int64_t> shape = {});
    int simple(const std::string& kind, std::vector<int> in);
    /// Of another kind with the same attributes.
    void become(int layer, const std::string& kind);
    int parameter(std::vector<std::int64_t> shape);
    void share(int layer, int with) { draft_.layers[static_cast<std::size_t>(layer)].shares_weights_with = id(with); }
    void set(int layer, const std::string& attribute, scalescope::AttributeValue value);

    const scalescope::AttributeValue& value(int layer, const std::string& attribute) const;
    std::string_view kind(int layer) const;
    scalescope::LayerId id(int layer) const { return draft_.layers[static_cast<std::size_t>(layer)].id; }
    /// The layer's channels may come from a concatenation.
    bool made_of_parts(int layer) const;
    const scalescope::NetworkDraft& draft() const { return draft_; }
    int size() const { return static_cast<int>(draft_.layers.size()); }
    /// Fails the program with the problems' texts if the network is wrong.
    NetworkPtr make() const;

private:
    scalescope::NetworkDraft draft_;
};

/// A random acyclic network of about `layers` layers of every kind, with branches, concatenations and sums. Tensors
/// stay small enough to be enumerated element by element.
NetworkPtr random_network(std::mt19937& random, int layers);

/// Every shipped network, Scalescope's own and PALEO's translated ones excepted.
std::vector<std::pair<std::string, NetworkPtr>> preset_networks();
NetworkPtr preset(const std::string& id);

/// A chain with branches of `layers` layers, for speed.
NetworkPtr long_network(int layers);

/// A plausible scenario on this network: K80-like device, two link levels, batch 8 per worker, no start-up times.
scalescope::Scenario scenario(NetworkPtr network);

/// The same with everything varied that may vary: devices, links, batch, strategy, overlap … Always valid, not always
/// feasible.
scalescope::Scenario random_scenario(std::mt19937& random, NetworkPtr network);

/// The step of a scenario that can be prepared; ends the program otherwise.
scalescope::Summary score_of(const scalescope::Scenario& s);

double real(std::mt19937& random, double low, double high);
std::int64_t pick(std::mt19937& random, std::int64_t low, std::int64_t high);
template <class T>
const T& choose(std::mt19937& random, const std::vector<T>& all) {
    return all[static_cast<std::size_t>(pick(random, 0, static_cast<std::int64_t>(all.size()) - 1))];
}

}  // namespace support
