// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/network.hpp"

#include <algorithm>
#include <map>
#include <queue>
#include <unordered_map>

#include "core/base/checked.hpp"
#include "core/base/limits.hpp"
#include "core/network/shared_weights.hpp"

namespace scalescope {
namespace {

/// Collects problems with the layer's name and position filled in; stops growing at the limit.
class Report {
public:
    void add(const Layer* layer, Problem p) {
        if (problems_.size() >= limits::problems) return;
        if (layer) {
            if (p.where.empty()) p.where = layer->name;
            if (p.at == SourcePosition{}) p.at = layer->at;
        }
        failed_ |= p.severity == Severity::error;
        problems_.push_back(std::move(p));
    }
    void error(const Layer* layer, std::string what, std::string remedy) {
        add(layer, Problem{Severity::error, std::move(what), {}, std::move(remedy), {}});
    }
    bool failed() const { return failed_; }
    Problems take() { return std::move(problems_); }

private:
    Problems problems_;
    bool failed_ = false;
};

/// Order of the layers by their inputs; file order wherever that is possible. Empty positions mean a cycle.
std::vector<int> topological_order(const std::vector<Layer>& layers,
                                   const std::unordered_map<std::uint32_t, int>& by_id) {
    const std::size_t n = layers.size();
    std::vector<int> pending(n, 0);
    std::vector<std::vector<int>> readers(n);
    for (std::size_t i = 0; i < n; ++i)
        for (LayerId in : layers[i].inputs) {
            readers[static_cast<std::size_t>(by_id.at(in.value))].push_back(static_cast<int>(i));
            ++pending[i];
        }
    std::priority_queue<int, std::vector<int>, std::greater<>> ready;
    for (std::size_t i = 0; i < n; ++i)
        if (pending[i] == 0) ready.push(static_cast<int>(i));
    std::vector<int> order;
    order.reserve(n);
    while (!ready.empty()) {
        const int i = ready.top();
        ready.pop();
        order.push_back(i);
        for (int r : readers[static_cast<std::size_t>(i)])
            if (--pending[static_cast<std::size_t>(r)] == 0) ready.push(r);
    }
    return order;
}

}  // namespace

std::int64_t elements(const Shape& shape) {
    Checked n = 1;
    for (auto d : shape) n = n * d;
    return n.ok() ? n.value() : limits::elements + 1;
}

std::string to_text(const Shape& shape) {
    if (shape.empty()) return "1";
    std::string text;
    for (auto d : shape) {
        if (!text.empty()) text += "×";
        text += std::to_string(d);
    }
    return text;
}

std::string_view leaf_name(std::string_view name) {
    const auto slash = name.rfind('/');
    return slash == std::string_view::npos ? name : name.substr(slash + 1);
}

std::string_view block_name(std::string_view name) {
    const auto slash = name.find('/');
    return slash == std::string_view::npos ? std::string_view{} : name.substr(0, slash);
}

Result<std::shared_ptr<const Network>> Network::make(NetworkDraft draft) {
    Report report;
    if (draft.layers.empty())
        report.error(nullptr, "The network has no layers.", "add an input layer and at least one more");
    if (draft.layers.size() > limits::layers) {
        report.error(nullptr, "The network has " + std::to_string(draft.layers.size()) + " layers.",
                     "this program accepts up to " + std::to_string(limits::layers));
        return fail(report.take());
    }
    std::unordered_map<std::uint32_t, int> by_id;
    std::map<std::string_view, const Layer*> by_name;
    for (std::size_t i = 0; i < draft.layers.size(); ++i) {
        const Layer& l = draft.layers[i];
        if (!by_id.emplace(l.id.value, static_cast<int>(i)).second)
            report.error(&l, "Two layers have the number " + std::to_string(l.id.value) + ".",
                         "give each layer a number of its own");
        auto [it, fresh] = by_name.emplace(l.name, &l);
        if (!fresh)
            report.error(&l, "Two layers are called \"" + l.name + "\".",
                         it->second->at.line > 0
                             ? "rename one; the other is on line " + std::to_string(it->second->at.line)
                             : "rename one of them");
    }
    for (const Layer& l : draft.layers) {
        const int n = static_cast<int>(l.inputs.size());
        if (n < l.kind->min_inputs || (l.kind->max_inputs >= 0 && n > l.kind->max_inputs)) {
            std::string wants = l.kind->max_inputs < 0    ? std::to_string(l.kind->min_inputs) + " or more inputs"
                                : l.kind->max_inputs == 0 ? "no inputs"
                                : l.kind->max_inputs == 1 ? "one input"
                                                          : std::to_string(l.kind->max_inputs) + " inputs";
            report.error(&l,
                         "A " + std::string(l.kind->name) + " layer takes " + wants + ", this one has " +
                             std::to_string(n) + ".",
                         "correct its inputs");
        }
        for (LayerId in : l.inputs)
            if (!by_id.contains(in.value))
                report.error(&l, "An input names a layer that does not exist.",
                             "connect it to a layer of this network");
    }
    if (report.failed()) return fail(report.take());

    const auto order = topological_order(draft.layers, by_id);
    if (order.size() != draft.layers.size()) {
        std::vector<bool> done(draft.layers.size(), false);
        for (int i : order) done[static_cast<std::size_t>(i)] = true;
        const auto it = std::find(done.begin(), done.end(), false);
        const Layer& l = draft.layers[static_cast<std::size_t>(it - done.begin())];
        report.error(&l, "The layer depends on itself through a cycle.", "remove one of the connections of the cycle");
        return fail(report.take());
    }
    std::vector<Layer> sorted;
    sorted.reserve(order.size());
    for (int i : order) sorted.push_back(std::move(draft.layers[static_cast<std::size_t>(i)]));
    draft.layers = std::move(sorted);

    auto network = std::shared_ptr<Network>(new Network);
    by_id.clear();
    for (std::size_t i = 0; i < draft.layers.size(); ++i) by_id.emplace(draft.layers[i].id.value, static_cast<int>(i));
    const std::size_t n = draft.layers.size();
    network->facts_.resize(n);
    std::vector<bool> known(n, false);
    Checked parameters = 0, macs = 0;
    bool any_input = false;
    std::vector<Shape> shapes;
    std::vector<const LayerFacts*> of_inputs;
    for (std::size_t i = 0; i < n; ++i) {
        const Layer& l = draft.layers[i];
        shapes.clear();
        of_inputs.clear();
        bool inputs_known = true;
        for (LayerId in : l.inputs) {
            const int p = by_id.at(in.value);
            network->inputs_.items.push_back(p);
            inputs_known = inputs_known && known[static_cast<std::size_t>(p)];
            shapes.push_back(network->facts_[static_cast<std::size_t>(p)].output);
            of_inputs.push_back(&network->facts_[static_cast<std::size_t>(p)]);
        }
        network->inputs_.close();
        if (!inputs_known) continue;  // its cause is reported already
        auto facts = l.kind->infer(l, shapes);
        if (!facts) {
            for (auto& p : facts.error()) report.add(&l, std::move(p));
            continue;
        }
        split_trained_inputs(*facts, of_inputs);
        if (l.shares_weights_with != LayerId{}) {
            int owner = 0;
            auto shared = share_weights(draft.layers, network->facts_, static_cast<int>(i), *facts, owner);
            if (!shared) {
                for (auto& p : shared.error()) report.add(&l, std::move(p));
                continue;
            }
            network->uses_.push_back({owner, static_cast<int>(i), owner, false});
        }
        any_input |= facts->division == Division::source;
        known[i] = true;
        parameters = parameters + facts->parameters();
        macs = macs + facts->multiply_adds;
        network->unknown_kinds_ += facts->unknown;
        network->facts_[i] = std::move(*facts);
    }
    if (!report.failed() && !any_input)
        report.error(nullptr, "The network has no input layer.",
                     "add a layer of kind \"input\" with the shape of the data");
    if (!report.failed() && (!parameters.ok() || !macs.ok() || macs.value() > (1LL << 52)))
        report.error(nullptr, "The network is too large to count: its totals overflow.",
                     "check the sizes for a typing error");
    if (report.failed()) return fail(report.take());
    network->parameters_ = parameters.value();
    network->multiply_adds_ = macs.value();
    network->draft_ = std::move(draft);
    network->index();
    return std::shared_ptr<const Network>(network);
}

/// What follows from the checked layers and is asked for often.
void Network::index() {
    const int n = size();
    std::vector<int> last_reader(static_cast<std::size_t>(n), -1);
    for (int l = 0; l < n; ++l) {
        const auto in = inputs(l);
        root_.push_back(facts_[static_cast<std::size_t>(l)].division == Division::view ? root(in[0]) : l);
        for (int i : in) {
            int& last = last_reader[static_cast<std::size_t>(root(i))];
            if (last != l) reads_.items.push_back(root(i));
            last = l;
        }
        reads_.close();
        for (int r : reads(l))
            if (facts_[static_cast<std::size_t>(r)].per_step && root(l) == l) uses_.push_back({r, l, r, true});
        by_id_.push_back(l);
        by_name_.push_back(l);
    }
    std::sort(uses_.begin(), uses_.end(), [](const WeightUse& a, const WeightUse& b) {
        return std::pair(a.owner, a.layer) < std::pair(b.owner, b.layer);
    });
    for (std::size_t i = 1; i < uses_.size(); ++i)
        if (uses_[i].owner == uses_[i - 1].owner) uses_[i].previous = uses_[i - 1].layer;
    const auto& layers = draft_.layers;
    std::sort(by_id_.begin(), by_id_.end(), [&](int a, int b) {
        return layers[static_cast<std::size_t>(a)].id < layers[static_cast<std::size_t>(b)].id;
    });
    std::sort(by_name_.begin(), by_name_.end(), [&](int a, int b) {
        return layers[static_cast<std::size_t>(a)].name < layers[static_cast<std::size_t>(b)].name;
    });
}

std::optional<int> Network::position(LayerId id) const {
    const auto it = std::lower_bound(by_id_.begin(), by_id_.end(), id,
                                     [&](int l, LayerId x) { return layers()[static_cast<std::size_t>(l)].id < x; });
    if (it == by_id_.end() || layers()[static_cast<std::size_t>(*it)].id != id) return std::nullopt;
    return *it;
}

std::optional<int> Network::position(std::string_view name) const {
    const auto it = std::lower_bound(by_name_.begin(), by_name_.end(), name, [&](int l, std::string_view x) {
        return layers()[static_cast<std::size_t>(l)].name < x;
    });
    if (it == by_name_.end() || layers()[static_cast<std::size_t>(*it)].name != name) return std::nullopt;
    return *it;
}

std::vector<std::string_view> Network::unknown_types() const {
    std::vector<std::string_view> types;
    for (int l = 0; l < size(); ++l) {
        if (!facts_[static_cast<std::size_t>(l)].unknown) continue;
        const auto& type = std::get<std::string>(attribute(layers()[static_cast<std::size_t>(l)], "type"));
        if (!type.empty()) types.push_back(type);
    }
    std::sort(types.begin(), types.end());
    types.erase(std::unique(types.begin(), types.end()), types.end());
    return types;
}

std::string about_unknown_kinds(const Network& network) {
    const int n = network.unknown_kinds();
    if (n == 0) return {};
    const auto types = network.unknown_types();
    constexpr std::size_t most = 8;  // a sentence, not a list
    const std::size_t named = std::min(types.size(), most), more = types.size() - named;
    std::string list;
    for (std::size_t i = 0; i < named; ++i) {
        if (i > 0) list += i + 1 == named && more == 0 ? " and " : ", ";
        list += types[i];
    }
    if (more > 0) list += " and " + std::to_string(more) + " more";
    if (!list.empty()) list = (types.size() == 1 ? " (type " : " (types ") + list + ')';
    return std::to_string(n) + (n == 1 ? " layer" : " layers") + " of unknown kind" + list +
           (n == 1 ? " is priced by the bytes it moves." : " are priced by the bytes they move.");
}

std::int64_t Network::default_batch() const {
    for (const auto& s : draft_.symbols)
        if (s.name == "batch") return s.initial;
    return 1;
}

}  // namespace scalescope
