// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/network.hpp"

#include <algorithm>
#include <map>
#include <queue>
#include <unordered_map>

#include "core/base/checked.hpp"
#include "core/base/limits.hpp"
#include "core/base/suggest.hpp"

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

constexpr std::string_view batch_symbol = "batch";

std::string join_symbol(const std::string& symbol) { return "symbols." + symbol; }

std::string list_of(const std::vector<std::string>& names) {
    std::string all;
    for (std::size_t i = 0; i < names.size(); ++i)
        all += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
    return all;
}

bool open_dim(const Dim& d) { return !d.symbol.empty() && d.symbol != batch_symbol; }

/// The layer with a number for every dimension but the batch; nothing if it has numbers only.
Result<std::optional<Layer>> with_values(const Layer& layer, std::span<const Binding> bindings) {
    std::optional<Layer> bound;
    for (std::size_t a = 0; a < layer.attributes.size(); ++a) {
        const auto* dims = std::get_if<std::vector<Dim>>(&layer.attributes[a]);
        if (!dims || std::none_of(dims->begin(), dims->end(), open_dim)) continue;
        if (!bound) bound = layer;
        for (Dim& d : std::get<std::vector<Dim>>(bound->attributes[a])) {
            if (!open_dim(d)) continue;
            const auto b = std::find_if(bindings.begin(), bindings.end(),
                                        [&](const Binding& known) { return known.symbol == d.symbol; });
            if (b == bindings.end())
                return fail(Problem{Severity::error,
                                    "The dimension \"" + d.symbol + "\" has no value.",
                                    {},
                                    "write a number, or name it among the network's symbols with a default",
                                    {}});
            const Checked size = Checked(d.factor) * b->value;
            if (!size.ok() || size.value() > limits::dimension)
                return fail(Problem{Severity::error,
                                    "The dimension " + std::to_string(d.factor) + "*" + d.symbol +
                                        " is beyond what this program accepts.",
                                    {},
                                    "use a smaller value for " + d.symbol + ", here " + std::to_string(b->value),
                                    {}});
            d = Dim{size.value(), {}};
        }
    }
    return bound;
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

Result<std::shared_ptr<const Network>> Network::make(NetworkDraft draft, std::span<const Binding> bindings) {
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
    for (const Layer& l : draft.layers) {
        for (LayerId in : l.inputs) network->inputs_.items.push_back(by_id.at(in.value));
        network->inputs_.close();
    }
    network->draft_ = std::make_shared<const NetworkDraft>(std::move(draft));
    network->index();
    if (auto bound = network->bind(bindings); !bound) return tl::unexpected(bound.error());
    if (auto measured = network->measure(); !measured) return tl::unexpected(measured.error());
    return std::shared_ptr<const Network>(network);
}

Result<std::shared_ptr<const Network>> Network::with(std::span<const Binding> bindings) const {
    auto network = std::shared_ptr<Network>(new Network(*this));
    if (auto bound = network->bind(bindings); !bound) return tl::unexpected(bound.error());
    if (auto measured = network->measure(); !measured) return tl::unexpected(measured.error());
    return std::shared_ptr<const Network>(network);
}

Result<void> Network::bind(std::span<const Binding> bindings) {
    Report report;
    if (bindings_.empty())
        for (const Symbol& s : draft_->symbols)
            if (s.name != batch_symbol) bindings_.push_back({s.name, s.initial});
    for (const Binding& b : bindings) {
        const auto it = std::find_if(bindings_.begin(), bindings_.end(),
                                     [&](const Binding& known) { return known.symbol == b.symbol; });
        if (it != bindings_.end()) {
            it->value = b.value;
        } else if (b.symbol == batch_symbol) {
            report.add(nullptr, {Severity::error,
                                 "The batch is no size of the network.",
                                 join_symbol(b.symbol),
                                 "set training.batch instead",
                                 {}});
        } else {
            std::vector<std::string> known;
            for (const Binding& k : bindings_) known.push_back(k.symbol);
            const auto near = closest(b.symbol, known);
            report.add(nullptr, {Severity::error,
                                 draft_->name + " has no symbol \"" + b.symbol.substr(0, 60) + "\".",
                                 join_symbol(b.symbol),
                                 near            ? "did you mean \"" + *near + "\"?"
                                 : known.empty() ? "leave it out; this network has sizes in numbers only"
                                                 : "use " + list_of(known),
                                 {}});
        }
    }
    for (const Binding& b : bindings_)
        if (b.value < 1 || b.value > limits::dimension)
            report.add(nullptr, {Severity::error,
                                 "The symbol \"" + b.symbol + "\" cannot be " + std::to_string(b.value) + ".",
                                 join_symbol(b.symbol),
                                 "use a whole number from 1 to " + std::to_string(limits::dimension),
                                 {}});
    if (report.failed()) return fail(report.take());
    return {};
}

/// Shapes and work of every layer, with the symbols' values.
Result<void> Network::measure() {
    Report report;
    const std::size_t n = draft_->layers.size();
    facts_.assign(n, {});
    unknown_kinds_ = 0;
    std::vector<bool> known(n, false);
    Checked parameters = 0, macs = 0;
    bool any_input = false;
    std::vector<Shape> shapes;
    for (std::size_t i = 0; i < n; ++i) {
        const Layer& l = draft_->layers[i];
        shapes.clear();
        bool inputs_known = true;
        for (const int p : inputs(static_cast<int>(i))) {
            inputs_known = inputs_known && known[static_cast<std::size_t>(p)];
            shapes.push_back(facts_[static_cast<std::size_t>(p)].output);
        }
        if (!inputs_known) continue;  // its cause is reported already
        auto bound = with_values(l, bindings_);
        if (!bound) {
            for (auto& p : bound.error()) report.add(&l, std::move(p));
            continue;
        }
        auto facts = l.kind->infer(*bound ? **bound : l, shapes);
        if (!facts) {
            for (auto& p : facts.error()) report.add(&l, std::move(p));
            continue;
        }
        any_input |= facts->division == Division::source;
        known[i] = true;
        parameters = parameters + facts->weights;
        macs = macs + facts->multiply_adds;
        unknown_kinds_ += facts->unknown;
        facts_[i] = std::move(*facts);
    }
    if (!report.failed() && !any_input)
        report.error(nullptr, "The network has no input layer.",
                     "add a layer of kind \"input\" with the shape of the data");
    if (!report.failed() && (!parameters.ok() || !macs.ok() || macs.value() > (1LL << 52)))
        report.error(nullptr, "The network is too large to count: its totals overflow.",
                     "check the sizes for a typing error");
    if (report.failed()) return fail(report.take());
    parameters_ = parameters.value();
    multiply_adds_ = macs.value();
    find_roots();
    return {};
}

/// Which tensors the layers read, views looked through.
void Network::find_roots() {
    const int n = size();
    root_.clear();
    reads_ = Rows{};
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
    }
}

/// Layers by id and by name.
void Network::index() {
    for (int l = 0; l < size(); ++l) {
        by_id_.push_back(l);
        by_name_.push_back(l);
    }
    const auto& layers = draft_->layers;
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
    for (const auto& s : draft_->symbols)
        if (s.name == batch_symbol) return s.initial;
    return 1;
}

}  // namespace scalescope
