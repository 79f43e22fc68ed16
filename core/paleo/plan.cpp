// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/paleo/plan.hpp"

#include "core/paleo/gradients.hpp"

#include <algorithm>

namespace scalescope::paleo {

namespace {

double elements(const Shape& shape) { return static_cast<double>(shape.per_sample()); }

/// An amount worked out for one sample: grows with the batch, or stays at that of `batch` samples.
Amount scaled(double amount, double fixed_batch) {
    return fixed_batch > 0 ? Amount{0.0, amount * fixed_batch} : Amount{amount, 0.0};
}

class Planner {
public:
    Planner(const Net& net, const Method& method, const std::vector<AlgorithmChoice>& choices)
        : net_(net), era_(method.era), corrections_(method.corrections), choices_(choices) {
        plan_.method = method;
    }

    Plan run() {
        plan_.layers.reserve(net_.layers.size());
        for (std::size_t i = 0; i < net_.layers.size(); ++i) {
            const Layer& layer = net_.layers[i];
            trains_.push_back(layer.parameters > 0);
            for (const int parent : layer.parents)
                if (trains_[static_cast<std::size_t>(parent)]) trains_[i] = true;
            LayerPlan out;
            for (const Pass pass : passes) out.passes[index(pass)] = plan_pass(layer, i, pass);
            plan_fetches(layer, out);
            out.is_split = layer.split != not_split;
            count(layer);
            flatten(out);
            plan_.layers.push_back(out);
        }
        plan_.walk = net_.walk;
        if (plan_.walk.empty())
            for (const auto& layer : net_.layers) plan_.parents.push_back(layer.parents);
        return std::move(plan_);
    }

private:
    static bool multiplies(const Layer& layer) {
        return layer.kind == LayerType::convolution || layer.kind == LayerType::deconvolution ||
               layer.kind == LayerType::inner_product;
    }

    PassPlan plan_pass(const Layer& layer, std::size_t place, Pass pass) {
        if (!multiplies(layer)) return corrections_.bytes_only ? corrected(layer, pass) : light(layer, pass);
        // A deconvolution's forward pass is priced as a gradient: it is mended with the gradients.
        const bool gradient = pass != Pass::forward || layer.kind == LayerType::deconvolution;
        const bool mended = gradient ? corrections_.gradient_work : corrections_.tensor_bytes;
        if (layer.kind == LayerType::inner_product) return mended ? corrected(layer, pass) : inner_product(layer, pass);
        if (layer.kind == LayerType::convolution) return convolution(layer, pass, choose(layer, place, pass), mended);
        auto plan = mended ? corrected(layer, pass) : deconvolution(layer, pass);
        if (mended && !corrections_.deconvolution_batch) freeze(plan, static_cast<double>(layer.output.batch()));
        return plan;
    }

    PassPlan corrected(const Layer& layer, Pass pass) const {
        bool input_trains = false;
        for (const int parent : layer.parents) input_trains = input_trains || trains_[static_cast<std::size_t>(parent)];
        return corrected_pass(net_, layer, pass, input_trains);
    }

    /// Quirk: whatever batch is asked for, a deconvolution keeps the one of the file.
    static void freeze(PassPlan& plan, double batch) {
        plan.flops = {0.0, plan.flops.at(batch)};
        for (auto& transfer : plan.transfers) transfer = {0.0, transfer.at(batch)};
    }

    Algorithm choose(const Layer& layer, std::size_t place, Pass pass) const {
        const bool one_by_one = layer.filter[0] == 1 && layer.filter[1] == 1;
        if (one_by_one || place >= choices_.size() || layer.kind != LayerType::convolution) return Algorithm::gemm;
        return choices_[place].passes[index(pass)];
    }

    static PassPlan light(const Layer& layer, Pass pass) {
        PassPlan plan;
        if (pass == Pass::filter_gradient) return plan;
        if (layer.kind == LayerType::pooling)
            plan.flops.per_sample = 2.0 * static_cast<double>(layer.window[1]) * static_cast<double>(layer.window[2]) *
                                    elements(layer.output);
        else if (layer.kind == LayerType::dropout)
            plan.flops.per_sample = elements(layer.output);
        else
            return plan;
        plan.transfer({element_bytes * elements(layer.input), 0.0});
        plan.transfer({element_bytes * elements(layer.output), 0.0});
        return plan;
    }

    static PassPlan inner_product(const Layer& layer, Pass pass) {
        const double k = elements(layer.input), o = elements(layer.output);
        const Amount in{element_bytes * k, 0.0}, weights{0.0, element_bytes * k * o}, out{element_bytes * o, 0.0};
        PassPlan plan;
        plan.flops.per_sample = 2.0 * k * o;
        const std::array<Amount, 3> order = pass == Pass::forward         ? std::array{in, weights, out}
                                            : pass == Pass::data_gradient ? std::array{out, weights, in}
                                                                          : std::array{in, out, weights};
        for (const auto& amount : order) plan.transfer(amount);
        return plan;
    }

    /// The price of a convolution as a matrix product; `fixed_batch` > 0 keeps it at that batch.
    PassPlan product(const Convolution& c, double fixed_batch) const {
        const bool padded = era_ == Era::head && !corrections_.tensor_bytes;
        const double height = padded ? c.h + 2 * c.ph : c.h, width = padded ? c.w + 2 * c.pw : c.w;
        const double filter = element_bytes * c.kh * c.kw * c.in * c.out,
                     result = element_bytes * c.n * c.oh * c.ow * c.out;
        PassPlan plan;
        plan.flops = scaled(2.0 * c.kh * c.kw * c.in * c.oh * c.ow * c.out * c.n, fixed_batch);
        plan.transfer(scaled(element_bytes * c.n * height * width * c.in, fixed_batch));
        plan.transfer(c.batch_is_in ? scaled(filter, fixed_batch) : Amount{0.0, filter});
        plan.transfer(c.batch_is_in ? Amount{0.0, result} : scaled(result, fixed_batch));
        return plan;
    }

    PassPlan data_gradient(const StandIn& s, double fixed_batch) const {
        auto plan = product(s.convolution, fixed_batch);
        const auto& c = s.convolution;
        if (era_ == Era::head && s.holes > 0) {
            const auto filled = scaled(2.0 * c.n * c.h * c.w * c.in * (1.0 - s.holes), fixed_batch);
            plan.flops.per_sample += filled.per_sample;
            plan.flops.fixed += filled.fixed;
        }
        return plan;
    }

    PassPlan filter_gradient(const StandIn& s, double fixed_batch) const {
        auto plan = product(s.convolution, fixed_batch);
        for (Amount* amount : {&plan.flops, &plan.transfers[1]}) {
            amount->per_sample *= 1.0 - s.holes;
            amount->fixed *= 1.0 - s.holes;
        }
        return plan;
    }

    PassPlan convolution(const Layer& layer, Pass pass, Algorithm algorithm, bool mended) {
        const auto own = own_convolution(layer, era_);
        if (pass == Pass::forward)
            return with_algorithm(mended ? corrected(layer, pass) : product(own, 0.0), own, algorithm);
        if (pass == Pass::data_gradient && layer.reads_data) return {};
        const bool to_data = pass == Pass::data_gradient;
        const auto stand_in = to_data ? data_gradient_of(layer, own, era_) : filter_gradient_of(layer, own, era_);
        if (!stand_in.is_exact && !mended) note(layer);
        PassPlan plan = mended    ? corrected(layer, pass)
                        : to_data ? data_gradient(stand_in, 0.0)
                                  : filter_gradient(stand_in, 0.0);
        if (mended && plan.transfer_count == 0) return plan;  // a gradient nobody wants
        if (algorithm == Algorithm::gemm_with_copy && to_data)
            plan.transfer({8.0 * own.h * own.w * own.kh * own.kw * own.out, 0.0});
        return with_algorithm(plan, stand_in.convolution, algorithm);
    }

    PassPlan with_algorithm(PassPlan plan, const Convolution& c, Algorithm algorithm) {
        plan.algorithm = algorithm;
        if (algorithm == Algorithm::fft || algorithm == Algorithm::fft_tiled) {
            plan.convolution = static_cast<int>(plan_.convolutions.size());
            plan_.convolutions.push_back(c);
        }
        return plan;
    }

    PassPlan deconvolution(const Layer& layer, Pass pass) {
        const double fixed_batch = corrections_.deconvolution_batch ? 0.0 : static_cast<double>(layer.output.batch());
        const auto own = own_convolution(layer, era_);
        const auto forward = data_gradient_of(layer, own, era_);
        if (!forward.is_exact && pass == Pass::forward) note(layer);
        if (pass == Pass::forward) return data_gradient(forward, fixed_batch);
        if (pass == Pass::data_gradient) return product(own, fixed_batch);
        return filter_gradient(deconvolution_filter_gradient(forward), fixed_batch);
    }

    void note(const Layer& layer) {
        if (!plan_.notes.empty() && plan_.notes.back().where == "layers › " + layer.name) return;
        if (plan_.notes.size() > limits::problems) return;
        plan_.notes.push_back(
            make_warning("PALEO itself would stop here: its stand-in for the gradient has the wrong size.",
                         "The layer is priced by the same formulas.",
                         {net_.description.file, layer.at.line, layer.at.column}, "layers › " + layer.name));
    }

    /// PALEO compares a text with a number here: copy "0" is never on the device 0 of the unsplit layers.
    bool is_remote(const Layer& a, const Layer& b) const {
        if (a.split == b.split) return false;
        const bool one_unsplit = a.split == not_split || b.split == not_split;
        return !(corrections_.unsplit_device && one_unsplit && a.split <= 0 && b.split <= 0);
    }

    void plan_fetches(const Layer& layer, LayerPlan& out) {
        const auto group = [](const Layer& l) { return l.split == not_split ? 0 : l.split / 4; };
        out.first_fetch = static_cast<int>(plan_.fetches.size());
        double halvings = 1.0;
        for (const int place : layer.parents) {
            const Layer& parent = net_.layers[static_cast<std::size_t>(place)];
            if (!is_remote(layer, parent)) continue;
            const bool far = layer.parents.size() > 1 && group(parent) != group(layer);
            if (far && !corrections_.no_halving) halvings *= 2.0;
            if (layer.split != not_split && parent.split == not_split) plan_.split_input_is_fetched = true;
            plan_.fetches.push_back({{element_bytes * elements(parent.output), 0.0}, halvings});
        }
        out.last_fetch = static_cast<int>(plan_.fetches.size());
    }

    void flatten(const LayerPlan& layer) {
        for (const Pass pass : passes) {
            const auto direction = pass == Pass::forward ? Direction::forward : Direction::backward;
            auto& to = plan_.directions[static_cast<std::size_t>(direction)][layer.is_split ? 1 : 0];
            const auto& from = layer.passes[index(pass)];
            if (from.convolution >= 0) {
                to.transforms.push_back(from);
                continue;
            }
            if (from.flops.per_sample != 0.0 || from.flops.fixed != 0.0) to.flops.add(from.flops);
            for (std::size_t i = 0; i < from.transfer_count; ++i) to.transfers.add(from.transfers[i]);
        }
        for (int i = layer.first_fetch; i < layer.last_fetch; ++i) {
            const auto& fetch = plan_.fetches[static_cast<std::size_t>(i)];
            for (auto& direction : plan_.directions)
                direction[layer.is_split ? 1 : 0].fetches.add(fetch.bytes, fetch.halvings);
        }
    }

    void count(const Layer& layer) {
        if (layer.name == "data") plan_.own_batch = layer.output.batch();
        const auto parameters = static_cast<double>(layer.parameters);
        plan_.parameters += parameters;
        if (layer.split == not_split) return;
        plan_.split_parameters += parameters;
        if (plan_.split_input_per_sample == 0.0 && !layer.parents.empty())
            plan_.split_input_per_sample =
                elements(net_.layers[static_cast<std::size_t>(layer.parents.front())].output);
    }

    const Net& net_;
    Era era_;
    Corrections corrections_;
    const std::vector<AlgorithmChoice>& choices_;
    std::vector<bool> trains_;  ///< the layer or one before it has weights
    Plan plan_;
};

}  // namespace

double Amounts::price(double batch, double rate, double tick) const {
    // Four running sums: the additions of one sum have to wait for each other.
    std::array<double, 4> sums{};
    const std::size_t n = per_sample.size();
    const auto term = [&](std::size_t i) { return std::max(tick, (per_sample[i] * batch + fixed[i]) * rate); };
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (std::size_t k = 0; k < 4; ++k) sums[k] += term(i + k);
    for (; i < n; ++i) sums[0] += term(i);
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

Plan make_plan(const Net& net, const Method& method, const std::vector<AlgorithmChoice>& choices) {
    return Planner(net, method, choices).run();
}

}  // namespace scalescope::paleo
