// SPDX-License-Identifier: GPL-3.0-or-later
#include "support_calculon.hpp"

#include <QtGlobal>
#include <map>

#include "core/network/kind.hpp"
#include "support_parallel.hpp"

namespace calculon {

using namespace scalescope;
using paleo_test::Csv;

const Csv& runs() {
    static const Csv all = support::parallel_csv("calculon_runs.csv.gz");
    return all;
}

const Row& run_called(const std::string& id) {
    static const auto by_id = [] {
        std::map<std::string, const Row*> all;
        for (const Row& row : runs().rows) all[row["id"]] = &row;
        return all;
    }();
    return *by_id.at(id);
}

Sizes::Sizes(const Row& row)
    : blocks(row.integer("num_blocks")),
      heads(row.integer("attn_heads")),
      width_of_head(row.integer("attn_size")),
      hidden(row.integer("hidden")),
      inner(row.integer("feedforward")),
      positions(row.integer("seq_size")),
      samples(row.integer("microbatch_size")),
      tensor(row.integer("tensor_par")),
      pipeline(row.integer("pipeline_par")),
      data(row.integer("data_par")),
      chunks(row.integer("pipeline_interleaving")),
      micro_batches(row.integer("batch_size") / (data * samples)),
      multiquery(row["attention_type"] == "multiquery"),
      sequence(row["tensor_par_comm_type"] == "rs_ag" && tensor > 1),
      pieces_at_border(row["tensor_par_comm_type"] != "ar"),
      fused(row["fused_activation"] == "1"),
      split(row["tensor_par_overlap"] != "none"),
      gathers_again(row["seq_par_ag_redo"] == "1"),
      sharded(row["optimizer_sharding"] == "1"),
      recompute(row["activation_recompute"]) {
    const double rows = static_cast<double>(samples * positions);
    whole = rows * static_cast<double>(hidden);
    rank = sequence ? of_tensor(whole) : whole;
    queries = of_tensor(rows * static_cast<double>(heads * width_of_head));
    keys = multiquery ? rows * static_cast<double>(width_of_head) : queries;
    scores = of_tensor(rows * static_cast<double>(heads * positions));
    middle = of_tensor(rows * static_cast<double>(inner));
}

bool Sizes::interleaves() const {
    return chunks > 1 && pipeline > 1 && blocks % (chunks * pipeline) == 0 && micro_batches % pipeline == 0;
}

std::shared_ptr<const Network> network_of(const Sizes& s) {
    using Key = std::array<std::int64_t, 7>;
    static std::map<Key, std::shared_ptr<const Network>> known;
    auto& network = known[{s.blocks, s.heads, s.width_of_head, s.hidden, s.inner, s.positions, s.multiquery}];
    if (network) return network;
    NetworkDraft draft;
    using Values = std::vector<std::pair<const char*, AttributeValue>>;
    const auto add = [&](const std::string& name, const char* kind, std::vector<LayerId> inputs,
                         const Values& values = {}) {
        Layer& l = draft.layers.emplace_back();
        l.id = LayerId{static_cast<std::uint32_t>(draft.layers.size())};
        l.name = name;
        l.kind = find_kind(kind);
        l.inputs = std::move(inputs);
        for (const AttributeInfo& a : l.kind->attributes) {
            l.attributes.push_back(a.initial);
            for (const auto& [attribute, value] : values)
                if (a.name == attribute) l.attributes.back() = value;
        }
        return l.id;
    };
    const auto product = [&](const std::string& name, LayerId in, std::int64_t units) {
        return add(name, "dense", {in}, {{"units", units}, {"bias", false}, {"per_position", true}});
    };
    const std::int64_t width = s.heads * s.width_of_head, keys = s.multiquery ? s.width_of_head : width;
    LayerId x =
        add("input", "input", {}, {{"shape", std::vector<Dim>{{1, "batch"}, {s.positions, ""}, {s.hidden, ""}}}});
    for (std::int64_t b = 0; b < s.blocks; ++b) {
        const std::string at = "h" + std::to_string(b) + '/';
        const LayerId n = add(at + "norm", "layer_norm", {x}), q = product(at + "query", n, width),
                      k = product(at + "key", n, keys), v = product(at + "value", n, keys);
        const LayerId core =
            add(at + "attention", "attention", {q, k, v},
                {{"heads", s.heads}, {"kv_heads", s.multiquery ? std::int64_t{1} : s.heads}, {"flash", false}});
        const LayerId out = add(at + "dropout", "dropout", {product(at + "projection", core, s.hidden)});
        const LayerId y = add(at + "sum", "add", {x, out});
        const LayerId up = product(at + "up", add(at + "norm2", "layer_norm", {y}), s.inner);
        const LayerId gelu = add(at + "gelu", "activation", {up}, {{"function", std::string("gelu")}});
        const LayerId down = add(at + "dropout2", "dropout", {product(at + "down", gelu, s.hidden)});
        x = add(at + "sum2", "add", {y, down});
    }
    // Something has to read the last block, or it would not be computed again as the others are.
    add("loss", "loss", {x, x});
    auto made = Network::make(std::move(draft));
    if (!made) qFatal("%s", to_text(made.error().front()).c_str());
    return network = *made;
}

Scenario scenario_of(const Sizes& sizes) {
    Scenario s;
    s.workload.push_back({network_of(sizes), {}, 1, {}});
    s.training.batch = sizes.data * sizes.samples * sizes.micro_batches;
    s.training.batch_rule = BatchRule::total;
    s.training.precision = Precision::fp16;
    s.training.optimizer = Optimizer::adam;
    Device& device = s.cluster.device;
    device.name = "device";
    device.peak[static_cast<std::size_t>(Precision::fp16)] = teraflops(312);
    device.memory_bandwidth = gigabytes_per_second(2048);
    s.cluster.inside.bandwidth = gigabytes_per_second(300);
    s.cluster.between.bandwidth = gigabytes_per_second(25);
    s.cluster.devices_per_node = 8;
    s.cluster.nics_per_node = 8;
    s.cluster.workers = sizes.tensor * sizes.pipeline * sizes.data;
    Parallelism& p = s.parallelism;
    p.degrees_given() = {sizes.tensor, sizes.pipeline, 1, 1};
    p.sequence = sizes.sequence;
    p.sharded = sizes.sharded ? Sharded::optimizer : Sharded::nothing;
    p.recompute = sizes.recompute == "full"        ? Recompute::blocks
                  : sizes.recompute == "attn_only" ? Recompute::attention
                                                   : Recompute::nothing;
    if (sizes.pipeline == 1) {
        s.training.accumulation = sizes.micro_batches;
        return s;
    }
    p.micro_batches = sizes.micro_batches;
    p.order = sizes.interleaves() ? PipelineOrder::interleaved : PipelineOrder::one_f_one_b;
    if (sizes.interleaves()) p.chunks = sizes.chunks;
    // Calculon rounds the blocks of a stage up, also where not all stages can have as many.
    const std::int64_t stages = sizes.pipeline * (sizes.interleaves() ? sizes.chunks : 1);
    for (std::int64_t i = 1; i < stages; ++i) {
        const std::int64_t first = (i * sizes.blocks + stages - 1) / stages;
        const auto at = s.network()->position("h" + std::to_string(first) + "/norm");
        p.boundaries.push_back(s.network()->layers()[static_cast<std::size_t>(*at)].id);
    }
    return s;
}

Estimated::Estimated(const Row& row) : sizes(row) {
    const Scenario s = scenario_of(sizes);
    auto prepared = prepare(s);
    if (!prepared) qFatal("%s: %s", row.where().c_str(), to_text(prepared.error().front()).c_str());
    plan = std::move(*prepared);
    Scratch scratch = make_scratch(plan);
    auto answer = estimate(s, plan, scratch, Remedies::left_out);
    if (!answer) qFatal("%s: %s", row.where().c_str(), to_text(answer.error().front()).c_str());
    e = std::move(*answer);
}

const LayerEstimate& Estimated::layer(const std::string& name) const {
    return e.layers[static_cast<std::size_t>(*network().position("h1/" + name))];
}

std::vector<const LayerEstimate*> Estimated::block() const {
    std::vector<const LayerEstimate*> all;
    for (const LayerEstimate& row : e.layers)
        if (network().layers()[static_cast<std::size_t>(row.position)].name.starts_with("h1/")) all.push_back(&row);
    return all;
}

std::vector<const MessageEstimate*> Estimated::tensor_messages(bool forward, bool again) const {
    std::vector<const MessageEstimate*> all;
    for (const MessageEstimate& m : e.messages)
        if (m.axis == MeshAxis::tensor && !m.gradients && m.forward == forward &&
            (m.again || m.carries == Carried::kept_input) == again &&
            network().layers()[static_cast<std::size_t>(m.layers.front())].name.starts_with("h1/"))
            all.push_back(&m);
    return all;
}

double Estimated::sent(bool forward, bool again) const {
    double bytes = 0;
    for (const MessageEstimate* m : tensor_messages(forward, again)) bytes += m->bytes.value;
    return bytes;
}

int Estimated::messages(bool forward) const { return static_cast<int>(tensor_messages(forward, false).size()); }

double figure(const std::string& system, const std::string& name) {
    static const auto all = [] {
        std::map<std::string, double> values;
        for (const Row& row : support::parallel_csv("calculon_systems.csv").rows)
            values[row["system"] + row["figure"]] = row["value"].empty() ? 0 : row.number("value");
        return values;
    }();
    return all.at(system + name);
}

double granted(const std::string& system, const std::string& table, double size) {
    for (int i = 0;; ++i) {
        const std::string at = table + '[' + std::to_string(i) + ']';
        if (size >= figure(system, at + "[0]")) return figure(system, at + "[1]");
    }
}

double small_operation(const std::string& system, double flops, double bytes) {
    DeviceRates rates;
    rates.arithmetic = teraflops(figure(system, "vector.float16.tflops") *
                                 granted(system, "vector.float16.gflops_efficiency", flops / 1e9));
    rates.memory =
        gigabytes_per_second(figure(system, "mem1.GBps") * granted(system, "mem1.MB_efficiency", bytes / 1e6));
    return rates.price(Flops{flops}, Bytes{bytes}).value;
}

}  // namespace calculon
