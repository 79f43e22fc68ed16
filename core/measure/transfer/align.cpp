// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/transfer/work.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <utility>

#include "core/base/checked.hpp"

namespace scalescope::transfer {

namespace {

using kineto::Operation;
using kineto::Phase;
using kineto::WorkClass;

/// Runs a network layer by layer as operations of a trace appear: says which layers could come next. Layers of no
/// interest run by themselves.
class ExecutionOrder {
public:
    /// `tracked`: by position, whether a layer waits for its operation.
    ExecutionOrder(const Network& network, std::vector<bool> tracked)
        : network_(network),
          tracked_(std::move(tracked)),
          waits_for_(static_cast<std::size_t>(network.size())),
          readers_(static_cast<std::size_t>(network.size())) {
        std::vector<int> sources;
        for (int p = 0; p < network_.size(); ++p) {
            const auto inputs = network_.inputs(p);
            waits_for_[static_cast<std::size_t>(p)] = static_cast<int>(inputs.size());
            for (const int input : inputs) readers_[static_cast<std::size_t>(input)].push_back(p);
            if (inputs.empty()) sources.push_back(p);
        }
        for (const int p : sources) {
            if (tracked_[static_cast<std::size_t>(p)])
                ready_.push_back({p, now_});
            else
                done(p);
        }
    }

    /// The layer that comes next among those that `fits`: the one that the latest step made possible, of several the
    /// first in the network's order.
    std::optional<int> next(const std::function<bool(int)>& fits) const {
        const Ready* best = nullptr;
        for (const Ready& r : ready_)
            if (fits(r.position) &&
                (!best || r.since > best->since || (r.since == best->since && r.position < best->position)))
                best = &r;
        return best ? std::optional(best->position) : std::nullopt;
    }

    void run(int position) {
        ++now_;
        const auto at = std::ranges::find(ready_, position, &Ready::position);
        if (at == ready_.end()) return;
        ready_.erase(at);
        done(position);
    }

    bool finished() const { return ready_.empty(); }

private:
    struct Ready {
        int position;
        int since;
    };

    void done(int position) {
        std::vector<int> open{position};
        while (!open.empty()) {
            const int p = open.back();
            open.pop_back();
            for (const int reader : readers_[static_cast<std::size_t>(p)]) {
                const auto r = static_cast<std::size_t>(reader);
                if (--waits_for_[r] > 0) continue;
                if (tracked_[r])
                    ready_.push_back({reader, now_});
                else
                    open.push_back(reader);
            }
        }
    }

    const Network& network_;
    std::vector<bool> tracked_;
    std::vector<int> waits_for_;
    std::vector<std::vector<int>> readers_;
    std::vector<Ready> ready_;
    int now_ = 0;
};

enum Tracked : std::size_t { convolutions, norms, products, tracked_kinds };
constexpr std::array<std::string_view, tracked_kinds> plural{"convolutions", "batch norms", "linear layers"},
    kind_names{"convolution", "batch_norm", "dense"};
constexpr std::array<WorkClass, tracked_kinds> classes{WorkClass::convolution, WorkClass::batch_norm,
                                                       WorkClass::matmul};

/// The place of `one` among `all`, which are in the order of Tracked.
template <class T>
std::optional<Tracked> tracked_among(const std::array<T, tracked_kinds>& all, T one) {
    const auto it = std::ranges::find(all, one);
    return it == all.end() ? std::nullopt : std::optional(static_cast<Tracked>(it - all.begin()));
}
std::optional<Tracked> tracked_class(WorkClass c) { return tracked_among(classes, c); }
std::optional<Tracked> tracked_kind(const Layer& layer) { return tracked_among(kind_names, layer.kind->name); }

std::int64_t least_padding(std::int64_t out, std::int64_t stride, std::int64_t kernel, std::int64_t in) {
    return std::max<std::int64_t>(0, ((out - 1) * stride + kernel - in + 1) / 2);
}

/// What a layer computes for `batch` samples; unknown for volumes and transposed convolutions. A batch norm in training
/// reads its input twice and writes once; backward it reads input and gradient twice each.
Shape shape_of(const LayerFacts& facts, Tracked kind, std::int64_t batch, bool pass_is_forward) {
    if (kind == norms) {
        const Checked written = Checked(facts.out_elements) * batch, read = Checked(pass_is_forward ? 2 : 4) * written;
        return read.ok() ? Shape(operators::Elementwise{read.value(), written.value()}) : Shape();
    }
    if (kind == products) {
        const std::int64_t outputs = std::max<std::int64_t>(1, facts.units);
        const std::int64_t rows = std::max<std::int64_t>(1, facts.out_elements / outputs);
        const Checked m = Checked(batch) * rows;
        const operators::Matmul product{m.value(), outputs, std::max<std::int64_t>(1, facts.in_elements / rows), 1};
        return m.ok() && operators::usable(product) ? Shape(product) : Shape();
    }
    if (!facts.convolution || !facts.convolution->flat() || facts.convolution->transposed) return {};
    const ConvolutionGeometry& g = *facts.convolution;
    operators::Convolution c;
    c.batch = batch;
    c.channels = g.in_c;
    c.height = g.in_h;
    c.width = g.in_w;
    c.filters = g.out_c;
    c.kernel_height = g.kernel_h;
    c.kernel_width = g.kernel_w;
    c.stride_height = g.stride_h;
    c.stride_width = g.stride_w;
    c.groups = g.groups;
    // One padding on both sides, such that the output is as large as the layer's, gaps between taps or not.
    c.padding_height = least_padding(g.out_h, g.stride_h, g.kernel_h, g.in_h);
    c.padding_width = least_padding(g.out_w, g.stride_w, g.kernel_w, g.in_w);
    return operators::usable(c) ? Shape(c) : Shape();
}

bool has_bias(const Layer& layer) {
    for (std::size_t i = 0; i < layer.attributes.size(); ++i)
        if (layer.kind->attributes[i].name == "bias")
            if (const bool* bias = std::get_if<bool>(&layer.attributes[i])) return *bias;
    return false;
}

struct Sequence {
    std::vector<std::size_t> forward;  ///< operations, in order
    std::array<std::vector<std::size_t>, tracked_kinds> backward;
};

class Aligner {
public:
    Aligner(Works& works, const kineto::Trace& trace, const kineto::Digest& digest, const Network& network,
            std::int64_t batch)
        : works_(works), trace_(trace), digest_(digest), network_(network), batch_(batch) {}

    Result<void> run() {
        tracked_.resize(static_cast<std::size_t>(network_.size()));
        for (int p = 0; p < network_.size(); ++p)
            if (const auto kind = tracked_kind(layer(p))) {
                tracked_[static_cast<std::size_t>(p)] = true;
                ++layers_[*kind];
            }
        feeds_norm_.resize(static_cast<std::size_t>(network_.size()));
        for (int p = 0; p < network_.size(); ++p)
            if (tracked_kind(layer(p)) == norms)
                for (const int input : network_.inputs(p)) feeds_norm_[static_cast<std::size_t>(input)] = true;
        std::vector<Sequence> steps(digest_.steps.size());
        collect(steps);
        for (std::size_t s = 0; s < steps.size(); ++s)
            if (auto done = align_step(steps[s], digest_.steps[s].name); !done) return done;
        return {};
    }

private:
    const Layer& layer(int p) const { return network_.layers()[static_cast<std::size_t>(p)]; }
    const LayerFacts& facts(int p) const { return network_.facts()[static_cast<std::size_t>(p)]; }

    void collect(std::vector<Sequence>& steps) const {
        for (std::size_t i = 0; i < digest_.operations.size(); ++i) {
            const Operation& o = digest_.operations[i];
            const auto kind = tracked_class(o.cls);
            if (!kind || o.step == kineto::unknown || o.phase == Phase::optimizer) continue;
            Sequence& s = steps[static_cast<std::size_t>(o.step)];
            const bool back = o.phase == Phase::backward || trace_.name(o.name).find("backward") != std::string::npos;
            if (back)
                s.backward[*kind].push_back(i);
            else
                s.forward.push_back(i);
        }
    }

    tl::unexpected<Problems> problem(const std::string& step, std::string what, std::string remedy) const {
        return fail(make_error(std::move(what), std::move(remedy), {trace_.file, 0, 0}, step));
    }

    Result<void> align_step(const Sequence& s, const std::string& step) {
        std::array<std::size_t, tracked_kinds> found{};
        for (const std::size_t i : s.forward) ++found[*tracked_class(digest_.operations[i].cls)];
        std::size_t rounds = 0;
        for (std::size_t k = 0; k < tracked_kinds; ++k)
            if (layers_[k] > 0 && found[k] > 0) rounds = std::max(rounds, found[k] / layers_[k]);
        rounds = std::max<std::size_t>(rounds, 1);
        for (std::size_t k = 0; k < tracked_kinds; ++k)
            if (found[k] != rounds * layers_[k])
                return problem(step,
                               "The forward pass has " + std::to_string(found[k]) + ' ' + std::string(plural[k]) +
                                   ", " + network_.name() + " has " + std::to_string(layers_[k]) + ".",
                               "Choose the network that was recorded with --network.");
        const std::size_t each = s.forward.size() / rounds;
        std::array<std::vector<std::pair<std::size_t, int>>, tracked_kinds> matched;
        for (std::size_t r = 0; r < rounds; ++r) {
            ExecutionOrder order(network_, tracked_);
            for (std::size_t j = 0; j < each; ++j) {
                const std::size_t i = s.forward[r * each + j];
                const Tracked kind = *tracked_class(digest_.operations[i].cls);
                const auto channels = channels_seen(i);
                const auto of_kind = [&](int p) {
                    return tracked_kind(layer(p)) == kind && (!channels || channels_of(p) == *channels);
                };
                // A convolution shows no channels, but a batch norm right behind it does.
                const auto hint =
                    kind == convolutions && j + 1 < each ? channels_seen(s.forward[r * each + j + 1]) : std::nullopt;
                auto position = order.next([&](int p) {
                    return of_kind(p) &&
                           (!hint || !feeds_norm_[static_cast<std::size_t>(p)] || channels_of(p) == *hint);
                });
                if (!position) position = order.next(of_kind);
                if (!position) return mismatch(step, i, kind, channels);
                order.run(*position);
                matched[kind].emplace_back(i, *position);
                Passes forward;
                forward.forward = true;
                fill(i, kind, *position, forward);
            }
        }
        for (const Tracked kind : {convolutions, norms, products})
            if (auto done = align_backward(s.backward[kind], matched[kind], kind, rounds, step); !done) return done;
        return {};
    }

    tl::unexpected<Problems> mismatch(const std::string& step, std::size_t i, Tracked kind,
                                      const std::optional<std::int64_t>& channels) const {
        const std::string name = trace_.name(digest_.operations[i].name);
        return problem(step,
                       "The " + name + " at " + std::to_string(i + 1) + " has no counterpart among the " +
                           std::string(plural[kind]) + " that " + network_.name() + " can run then" +
                           (channels ? ": its kernel has " + std::to_string(*channels) + " channels." : "."),
                       "Choose the network that was recorded with --network.");
    }

    /// Later rounds' gradients come after earlier ones', each from the last layer to the first.
    Result<void> align_backward(const std::vector<std::size_t>& back,
                                const std::vector<std::pair<std::size_t, int>>& matched, Tracked kind,
                                std::size_t rounds, const std::string& step) {
        if (back.empty() || matched.empty()) return {};
        const std::size_t layers = matched.size() / rounds;
        const std::size_t each = back.size() / rounds;
        const bool by_gradient = kind == products;  // two products a layer; the first layer's input has no gradient
        const bool counts = by_gradient ? each == 2 * layers || each + 1 == 2 * layers : each == layers;
        if (!counts || back.size() % rounds != 0)
            return problem(step,
                           "The backward pass has " + std::to_string(back.size()) + " operators of " +
                               std::string(plural[kind]) + "; the forward pass had " + std::to_string(matched.size()) +
                               ".",
                           "Record a step in which every layer is trained.");
        for (std::size_t r = 0; r < rounds; ++r)
            for (std::size_t j = 0; j < each; ++j) {
                const std::size_t nth = by_gradient ? j / 2 : j;
                const int position = matched[r * layers + layers - 1 - nth].second;
                const bool first = layers - 1 - nth == 0 && !reads_tracked(position);
                Passes passes;
                if (by_gradient) {
                    passes.input_gradient = j % 2 == 0 && j + 1 < each;
                    passes.weight_gradient = !passes.input_gradient;
                } else {
                    passes.input_gradient = !first;
                    passes.weight_gradient = true;
                }
                fill(back[r * each + j], kind, position, passes);
            }
        return {};
    }

    /// Whether what a layer reads was computed by another one: else nobody asks for the gradient of its input.
    bool reads_tracked(int position) const {
        std::vector<int> open(network_.inputs(position).begin(), network_.inputs(position).end());
        std::vector<bool> seen(static_cast<std::size_t>(network_.size()));
        while (!open.empty()) {
            const int p = open.back();
            open.pop_back();
            if (seen[static_cast<std::size_t>(p)]) continue;
            seen[static_cast<std::size_t>(p)] = true;
            if (facts(p).parameters() > 0) return true;
            open.insert(open.end(), network_.inputs(p).begin(), network_.inputs(p).end());
        }
        return false;
    }

    std::int64_t channels_of(int position) const {
        const auto& output = facts(position).output;
        return output.empty() ? 0 : output.back();
    }

    /// cuDNN's batch norm runs one block for each channel.
    std::optional<std::int64_t> channels_seen(std::size_t operation) const {
        for (const auto k : digest_.kernels_of(digest_.operations[operation])) {
            const auto& kernel = trace_.kernels[k];
            if (trace_.name(kernel.name).find("1C11") != std::string::npos) return kernel.grid[0];
        }
        return std::nullopt;
    }

    void fill(std::size_t operation, Tracked kind, int position, Passes passes) {
        Work& work = works_[operation];
        if (work.source == ShapeSource::recorded) return;
        work.shape = shape_of(facts(position), kind, batch_, passes.forward);
        work.passes = passes;
        work.layer = layer(position).name;
        work.bias = has_bias(layer(position));
        if (work.known()) work.source = ShapeSource::aligned;
    }

    Works& works_;
    const kineto::Trace& trace_;
    const kineto::Digest& digest_;
    const Network& network_;
    std::int64_t batch_;
    std::vector<bool> tracked_;
    std::vector<bool> feeds_norm_;  ///< by position: a batch norm reads it
    std::array<std::size_t, tracked_kinds> layers_{};
};

}  // namespace

Result<void> align(Works& works, const kineto::Trace& trace, const kineto::Digest& digest, const Network& network,
                   std::int64_t batch) {
    return Aligner(works, trace, digest, network, batch).run();
}

}  // namespace scalescope::transfer
