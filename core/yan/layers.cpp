// SPDX-License-Identifier: GPL-3.0-or-later
// How each kind of layer is treated: docs/decisions/cpu-clusters.md has the table.
#include "core/yan/layers.hpp"

#include <algorithm>
#include <string_view>

#include "core/base/name_list.hpp"

namespace scalescope::yan {

namespace {

enum class Treatment { convolution, window, product, softmax, touch, rearrange, summary };

Treatment treatment_of(const Layer& layer, const LayerFacts& facts) {
    constexpr std::string_view summaries = "global_pooling adaptive_pooling reduce argmax",
                               rearranging = "transpose gather slice sort top_k scatter unknown cumulative_sum";
    const std::string_view kind = layer.kind->name;
    // A filter as large as the image has one place: a dense layer by another name.
    if (kind == "convolution" && facts.out_elements == facts.output.back()) return Treatment::product;
    if (kind == "convolution" || kind == "transposed_convolution") return Treatment::convolution;
    if (kind == "pooling") return Treatment::window;
    if (facts.multiply_adds > 0 || kind == "embedding") return Treatment::product;
    if (kind == "softmax" || kind == "log_softmax") return Treatment::softmax;
    if (is_among(kind, summaries)) return Treatment::summary;
    return is_among(kind, rearranging) ? Treatment::rearrange : Treatment::touch;
}

using SizeList = std::vector<std::int64_t>;

std::int64_t first_size(const Layer& layer, std::string_view name) {
    const auto& sizes = std::get<SizeList>(attribute(layer, name));
    return sizes.empty() ? 1 : sizes.front();
}

double product_of(const SizeList& sizes) {
    double p = 1.0;
    for (const std::int64_t s : sizes) p *= static_cast<double>(s);
    return p;
}

double count(std::int64_t n) { return static_cast<double>(n); }

class Reading {
public:
    Reading(const Network& network, const MethodOptions& options)
        : network_(network),
          options_(options),
          index_(static_cast<std::size_t>(network.size()), Need::outside),
          trained_(static_cast<std::size_t>(network.size())),
          uses_vectors_(trained_.size(), 1) {
        for (const WeightUse& use : network.weight_uses()) uses_vectors_[static_cast<std::size_t>(use.owner)] = 0;
    }

    LayerList read() {
        for (int p = 0; p < network_.size(); ++p) {
            const LayerFacts& facts = facts_at(p);
            bool trains_before = false;
            for (const int in : network_.inputs(p)) trains_before = trains_before || trained_[at(in)];
            trained_[at(p)] = trains_before || facts.weights > 0;
            if (facts.division == Division::source) {
                if (facts.weights > 0) add_trained_tensor(p);
            } else if (facts.division != Division::view) {
                add(p, trains_before);
            }
        }
        return std::move(list_);
    }

private:
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }
    const LayerFacts& facts_at(int p) const { return network_.facts()[at(p)]; }
    const Layer& layer_at(int p) const { return network_.layers()[at(p)]; }
    bool is_source(int p) const { return facts_at(p).division == Division::source; }

    /// A tensor that is trained itself: held where it is used.
    void add_trained_tensor(int p) {
        LayerWork w = start(p);
        w.weights = count(facts_at(p).weights);
        w.own_weights = w.updated = count(facts_at(p).parameters());
        finish(w, {});
    }

    void add(int p, bool trains_before) {
        const LayerFacts& facts = facts_at(p);
        const Layer& layer = layer_at(p);
        const Treatment treatment = treatment_of(layer, facts);
        LayerWork w = start(p);
        bool reads_layers = false;
        for (const int r : network_.reads(p)) reads_layers = reads_layers || !is_source(r);
        w.backward = options_.worked_example ? reads_layers : trains_before;
        weigh(w, facts, layer, treatment);
        count_work(w, facts, layer, treatment);
        split(w, facts, layer, treatment);
        std::vector<Need> needs;
        for (const int r : network_.reads(p)) needs.push_back(need_of(w, r, layer, treatment));
        if (treatment == Treatment::summary && w.leader != index())
            needs.push_back({index(), w.outputs, Reach::everything, 0.0, w.backward});
        std::erase_if(needs, [](const Need& n) { return n.elements == 0.0; });
        finish(w, std::move(needs));
    }

    int index() const { return static_cast<int>(list_.layers.size()); }

    LayerWork start(int p) const {
        LayerWork w;
        w.position = p;
        w.outputs = count(facts_at(p).out_elements);
        w.inputs = count(facts_at(p).in_elements);
        w.leader = index();
        return w;
    }

    void finish(const LayerWork& work, std::vector<Need> needs) {
        std::stable_partition(needs.begin(), needs.end(), [](const Need& n) { return n.gradient; });
        LayerWork w = work;
        w.first_need = static_cast<std::uint32_t>(list_.needs.size());
        list_.needs.insert(list_.needs.end(), needs.begin(), needs.end());
        w.last_need = static_cast<std::uint32_t>(list_.needs.size());
        index_[at(w.position)] = index();
        list_.layers.push_back(w);
    }

    void weigh(LayerWork& w, const LayerFacts& facts, const Layer& layer, Treatment treatment) const {
        w.weights = count(facts.weights);
        w.own_weights = w.updated = count(facts.parameters());
        // A look-up changes the rows that it read.
        if (layer.kind->name == "embedding") w.updated = std::min(w.updated, w.outputs);
        const bool dense = layer.kind->name == "dense" ||
                           (layer.kind->name == "convolution" && treatment == Treatment::product),
                   factors = dense || layer.kind->name == "embedding";
        if (factors && facts.parameters() > 0 && uses_vectors_[at(w.position)])
            w.vectors = w.outputs + (dense ? w.inputs : 0.0);
    }

    void count_work(LayerWork& w, const LayerFacts& facts, const Layer& layer, Treatment treatment) const {
        const bool moves = facts.forward.inputs > 0 || facts.forward.outputs > 0;
        const bool moves_back = facts.grad_input.inputs > 0 || facts.grad_input.outputs > 0;
        w.is_product = facts.multiply_adds > 0;
        w.forward_adds = count(facts.multiply_adds);
        w.backward_adds = w.backward ? count(facts.input_multiply_adds) : 0.0;
        w.delta_adds = count(facts.weight_multiply_adds);
        switch (treatment) {
            case Treatment::convolution:
            case Treatment::product:
                w.activations = w.outputs;
                w.errors = w.inputs;
                break;
            case Treatment::window:
                w.activations = w.errors = w.outputs * product_of(std::get<SizeList>(attribute(layer, "kernel")));
                w.errors_by_output = true;
                break;
            case Treatment::softmax:  // the worked example's is a dense layer that costs no more for being last
                if (options_.worked_example) break;
                w.exponentials = w.errors = w.outputs;
                break;
            case Treatment::touch:
            case Treatment::rearrange:
            case Treatment::summary:
                if (is_free_activation(layer, w.position)) break;
                w.activations = moves ? std::max(w.outputs, w.inputs - w.outputs) : 0.0;
                w.errors = moves_back ? w.inputs : 0.0;
                break;
        }
        if (!w.backward) w.errors = 0.0;
        if (!options_.worked_example && w.weights > 0 && w.is_product) w.reuse = reuse_of(w, facts);
    }

    /// C_act of the product before it pays for the function that is applied to its outputs.
    bool is_free_activation(const Layer& layer, int p) const {
        if (layer.kind->name != "activation") return false;
        const int before = network_.root(network_.inputs(p)[0]);
        return facts_at(before).multiply_adds > 0 && facts_at(before).weights > 0;
    }

    static double reuse_of(const LayerWork& w, const LayerFacts& facts) {
        if (facts.convolution) {
            const auto& g = *facts.convolution;
            return g.transposed ? count(g.in_d * g.in_h * g.in_w) : count(g.out_d * g.out_h * g.out_w);
        }
        return std::max(1.0, w.forward_adds / (w.weights * std::max(1.0, facts.forward.weights)));
    }

    void split(LayerWork& w, const LayerFacts& facts, const Layer& layer, Treatment treatment) const {
        const bool rows = options_.convolutions == ConvolutionSplit::rows && facts.output.size() > 1;
        const bool decides = treatment == Treatment::convolution || treatment == Treatment::product ||
                             (treatment == Treatment::window && (rows || options_.worked_example));
        int leader = Need::outside;
        if (!decides)
            for (const int r : network_.reads(w.position))
                if (index_[at(r)] != Need::outside && !is_source(r)) {
                    leader = list_.layers[at(index_[at(r)])].leader;
                    break;
                }
        if (leader != Need::outside) {
            const LayerWork& led_by = list_.layers[at(leader)];
            w.leader = leader;
            w.extent = led_by.extent;
            w.replicates = led_by.replicates && !w.is_product && w.weights > 0;
            return;
        }
        if (is_among(layer.kind->name, "rnn lstm gru conv_lstm unknown")) return;  // stay whole
        const bool by_rows = rows && (treatment == Treatment::convolution || treatment == Treatment::window);
        w.extent = std::max<std::int64_t>(1, by_rows ? facts.output.front() : facts.units);
        // Filters that differ from place to place go with their places.
        w.replicates = by_rows && facts.convolution.has_value() && !options_.worked_example;
    }

    Need need_of(const LayerWork& w, int read, const Layer& layer, Treatment treatment) const {
        Need need;
        need.from = is_source(read) ? Need::outside : index_[at(read)];
        if (is_source(read) && layer_at(read).kind->name != "input") return need;  // constants are everywhere
        const LayerFacts& from = facts_at(read);
        need.elements = count(from.out_elements);
        need.gradient = need.from != Need::outside && w.backward && (options_.worked_example || trained_[at(read)]);
        const bool windowed = treatment == Treatment::convolution || treatment == Treatment::window;
        if (windowed && options_.convolutions == ConvolutionSplit::rows) {
            need.reach = Reach::rows;
            const double reach = count((first_size(layer, "kernel") - 1) * dilation_of(layer) + 1),
                         stride = count(first_size(layer, "stride"));
            const double beyond = std::max(0.0, reach - stride);
            const bool transposed = layer.kind->name == "transposed_convolution";
            need.halo = (transposed ? beyond / stride : beyond) / count(rows_read(w.position));
        } else if (treatment == Treatment::convolution || treatment == Treatment::product ||
                   treatment == Treatment::rearrange || (treatment == Treatment::window && options_.worked_example)) {
            need.reach = Reach::everything;
        }
        return need;
    }

    static std::int64_t dilation_of(const Layer& layer) {
        return layer.kind->name == "pooling" ? 1 : first_size(layer, "dilation");
    }
    /// Rows of what the layer reads, as views hand it on.
    std::int64_t rows_read(int p) const {
        const Shape& shape = facts_at(network_.inputs(p)[0]).output;
        return shape.empty() ? 1 : shape.front();
    }

    const Network& network_;
    const MethodOptions& options_;
    LayerList list_;
    std::vector<int> index_;  ///< by position
    std::vector<char> trained_, uses_vectors_;
};

}  // namespace

LayerList layers_of(const Network& network, const MethodOptions& options) { return Reading(network, options).read(); }

}  // namespace scalescope::yan
