// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of the fullest machine of a CPU cluster.
#include <algorithm>

#include "core/base/format.hpp"
#include "core/estimate/explain_cpu.hpp"

namespace scalescope::explaining::cpus {
namespace {

double held_share(const Cpu& cpu, std::size_t l) {
    const yan::LayerWork& w = cpu.method.prepared.list.layers[l];
    return w.replicates ? 1.0 : yan::largest_share(w, cpu.e.layers[l].split, cpu.method.prepared.options);
}

/// Those that the fullest machine has a segment of.
std::vector<std::size_t> layers_there(const Cpu& cpu) {
    std::vector<std::size_t> all;
    const auto& list = cpu.method.prepared.list.layers;
    std::int32_t fullest = -1;
    if (cpu.e.placement) {
        std::vector<double> bytes(static_cast<std::size_t>(cpu.configuration().partitions), 0.0);
        for (std::size_t l = 0; l < list.size(); ++l)
            for (const std::int32_t machine : cpu.e.placement->of(l))
                bytes[static_cast<std::size_t>(machine)] +=
                    yan::segment_memory(cpu.method.prepared, list[l], cpu.e.layers[l].split,
                                        cpu.configuration().threads)
                        .value;
        fullest = static_cast<std::int32_t>(std::max_element(bytes.begin(), bytes.end()) - bytes.begin());
    }
    for (std::size_t l = 0; l < list.size(); ++l) {
        if (fullest >= 0) {
            const auto on = cpu.e.placement->of(l);
            if (std::find(on.begin(), on.end(), fullest) == on.end()) continue;
        }
        all.push_back(l);
    }
    return all;
}

Page weights_page(const Cpu& cpu, const Item& item) {
    const MemoryEstimate& m = cpu.c.estimate.memory;
    const double bytes = (item.topic == Topic::weights ? m.weights : m.gradients).value;
    std::vector<Term> terms;
    for (const std::size_t l : layers_there(cpu)) {
        const yan::LayerWork& w = cpu.method.prepared.list.layers[l];
        terms.push_back({cpu.c.layer_name(0, w.position), w.own_weights * held_share(cpu, l),
                         Item{Topic::layer_parameters, 0, w.position}});
    }
    const bool rest = item.from > 0;
    Page page = cpu_page(cpu, item, rest ? "N" : "m", rest ? rest_of(terms, item.from) : bytes,
                         rest ? Measure::count : Measure::bytes);
    if (!rest && bytes == 0) {
        page.nothing(item.topic == Topic::gradients && m.weights.value > 0
                         ? "The worked example leaves no room for deltas that wait."
                         : "No layer has weights.");
        return page.fact("network", cpu.c.part(0).network->name(), fields::workload);
    }
    if (!rest)
        machine_figure(page, cpu, "w", item.topic == Topic::weights ? "bytes of a weight" : "bytes of a delta",
                       cpu.machine().weight_bytes.value, Measure::bytes, "weight_bytes", "weight_bytes");
    const std::string sum = page.sum(terms, Measure::count, Evidence::exact, "layers", "N");
    if (item.topic == Topic::gradients && !rest) page.note("Deltas wait here for the servers.");
    return page.formula(rest ? sum : sum.find(' ') == std::string::npos ? "w*" + sum : "w*(" + sum + ')');
}

Page activations_page(const Cpu& cpu, const Item& item) {
    std::vector<Term> terms;
    for (const std::size_t l : layers_there(cpu)) {
        const int position = cpu.method.prepared.list.layers[l].position;
        terms.push_back(
            {cpu.c.layer_name(0, position), cpu.c.row(0, position).kept.value, Item{Topic::layer_kept, 0, position}});
    }
    const bool rest = item.from > 0;
    Page page = cpu_page(cpu, item, "m", rest ? rest_of(terms, item.from) : cpu.c.estimate.memory.activations.value,
                         Measure::bytes);
    page.formula(page.sum(terms, Measure::bytes, Evidence::exact, "layers", "m"));
    return page;
}

Page kept_page(const Cpu& cpu, const Item& item) {
    const auto at = cpu.layer_at(item.layer);
    Page page = cpu_page(cpu, item, "m", cpu.c.row(0, item.layer).kept.value, Measure::bytes);
    if (!at)
        return page.nothing("Inputs and views keep nothing.")
            .fact("network", cpu.c.part(0).network->name(), fields::workload);
    const yan::LayerWork& w = cpu.method.prepared.list.layers[*at];
    page.field("h", "threads of a machine, each with a sample", static_cast<double>(cpu.configuration().threads),
               Measure::count, "cpu.threads");
    machine_figure(page, cpu, "b", "bytes of an activation", cpu.machine().activation_bytes.value, Measure::bytes,
                   "activation_bytes", "activation_bytes");
    page.field("n", "outputs of a sample", w.outputs, Measure::count, fields::workload);
    page.link("s", "share of the largest segment", cpu.c.row(0, item.layer).shares.outputs, Measure::number,
              Item{Topic::share, 0, item.layer});
    page.note("Activations, and as many errors.");
    return page.formula("2*h*b*n*s");
}

Page parameters_page(const Cpu& cpu, const Item& item) {
    const auto at = cpu.layer_at(item.layer);
    const double n = at ? cpu.method.prepared.list.layers[*at].own_weights * held_share(cpu, *at) : 0.0;
    Page page = cpu_page(cpu, item, "N", n, Measure::count);
    if (n == 0)
        return page.nothing("The layer has no weights of its own.")
            .fact("network", cpu.c.part(0).network->name(), fields::workload);
    const yan::LayerWork& w = cpu.method.prepared.list.layers[*at];
    page.field("w", "weights and biases", w.own_weights, Measure::count, fields::workload);
    const double share = held_share(cpu, *at);
    if (share == 1) return page.formula("w");
    page.link("s", "share of the largest segment", share, Measure::number, Item{Topic::share, 0, item.layer});
    return page.formula("w*s");
}

}  // namespace

Page memory_page(const Cpu& cpu, const Item& item) {
    const MemoryEstimate& m = cpu.c.estimate.memory;
    switch (item.topic) {
        case Topic::weights:
        case Topic::gradients: return weights_page(cpu, item);
        case Topic::activations: return activations_page(cpu, item);
        case Topic::layer_kept: return kept_page(cpu, item);
        case Topic::layer_parameters: return parameters_page(cpu, item);
        case Topic::optimizer: {
            Page page = cpu_page(cpu, item, "m", 0, Measure::bytes);
            return page.nothing("Local updates keep nothing beside the weights and their deltas.")
                .fact("optimizer", "SGD", fields::optimizer);
        }
        default: break;
    }
    Page page = cpu_page(cpu, item, "M", m.peak.value, Measure::bytes);
    std::string text = "m_w + m_d + m_a";
    page.link("m_w", "weights", m.weights.value, Measure::bytes, Item{Topic::weights});
    page.link("m_d", "deltas that wait", m.gradients.value, Measure::bytes, Item{Topic::gradients});
    page.link("m_a", "activations and errors", m.activations.value, Measure::bytes, Item{Topic::activations});
    if (const Bytes buffers = cpu.method.prepared.options.buffers; buffers.value > 0) {
        page.field("m_b", "buffers", buffers.value, Measure::bytes, "cpu.buffers_gb");
        text += " + m_b";
    }
    const bool serves = !cpu.alone();
    if (serves) {
        machine_figure(page, cpu, "b", "bytes of a weight", cpu.machine().weight_bytes.value, Measure::bytes,
                       "weight_bytes", "weight_bytes");
        page.field("N", "weights of the network", cpu.method.prepared.weights.value, Measure::count, fields::workload);
        page.field("S", "parameter servers", static_cast<double>(cpu.configuration().servers), Measure::count,
                   "parallelism.servers");
        if (cpu.configuration().servers_beside) {
            text += " + b*N/S";
        } else {
            text = "max(" + text + ", b*N/S)";
            page.note("Of a worker, or of a server on a machine of its own.");
        }
    }
    page.parts("A worker", (m.weights + m.gradients + m.activations).value, Measure::bytes,
               {{"Weights", m.weights.value, Item{Topic::weights}},
                {"Deltas", m.gradients.value, Item{Topic::gradients}},
                {"Activations", m.activations.value, Item{Topic::activations}}});
    return page.formula(text);
}

}  // namespace scalescope::explaining::cpus
