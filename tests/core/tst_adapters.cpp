// SPDX-License-Identifier: GPL-3.0-or-later
// Low-rank adapters: what stands beside which products, what is trained, and what a step then costs (specification:
// trainers, section 6; Hu et al., ICLR 2022).
#include <QtTest>
#include <algorithm>
#include <numeric>

#include "core/estimate/block_borders.hpp"
#include "core/estimate/estimate.hpp"
#include "core/estimate/recompute_modules.hpp"
#include "core/formats/named_settings.hpp"
#include "core/formats/network_export.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/network/adapters.hpp"
#include "core/network/network.hpp"
#include "core/scenario/adapters.hpp"
#include "core/scenario/fields.hpp"
#include "core/scenario/symbol_fields.hpp"
#include "core/search/axis.hpp"
#include "core/search/values.hpp"
#include "core/work/work.hpp"
#include "support_hugging_face.hpp"
#include "support_library.hpp"
#include "support_mesh.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using support::library;
using support::NetworkPtr;

namespace {

Scenario adapted(Scenario s, const char* words, std::optional<std::int64_t> rank = {}) {
    auto made = with_adapters(std::move(s), words, rank);
    if (!made) qFatal("%s", support::messages(made.error()).c_str());
    return std::move(*made);
}
Scenario adapted(const NetworkPtr& network, const char* words, std::optional<std::int64_t> rank = {}) {
    return adapted(support::scenario(network), words, rank);
}
std::string refused(const NetworkPtr& network, const char* words) {
    const auto made = with_adapters(support::scenario(network), words);
    return made ? std::string() : support::messages(made.error());
}

const Network& network_of(const Scenario& s) { return *s.network(); }
Work work_of(const Scenario& s) { return make_work(network_of(s), Passes{}, s.training); }
std::int64_t adapters_of(const Scenario& s) { return count_adapters(s).adapters; }
double trained(const Scenario& s) {
    const Work w = work_of(s);
    return std::accumulate(w.trained.begin(), w.trained.end(), 0.0);
}
std::size_t at(const Network& n, const std::string& name) {
    const auto l = n.position(name);
    if (!l) qFatal("no layer %s", name.c_str());
    return static_cast<std::size_t>(*l);
}
double flops(const Work& w, Pass pass, std::size_t l) { return w.pass[index_of(pass)].flops[l]; }

/// Llama 2 7B in bf16 with Adam, one sequence for each replica.
Scenario llama(const char* words = "linear") {
    Scenario s = support::scenario(support::preset("llama-2-7b"));
    s.training.precision = Precision::bf16;
    s.training.optimizer = Optimizer::adam;
    s.training.batch = 1;
    s.cluster.workers = s.cluster.devices_per_node = 8;
    return words ? adapted(std::move(s), words) : s;
}
constexpr double linear_parameters = 37'879'808, all_parameters = 6'738'415'616;

MemoryEstimate memory(const Scenario& s) { return support::Answer(s).e.memory; }

/// Whether some layers carry a state along the sequence: their scans are of unknown kind.
bool has_scans(const Network& network) {
    return std::any_of(network.layers().begin(), network.layers().end(),
                       [](const Layer& l) { return l.kind->name == "unknown"; });
}

}  // namespace

class TestAdapters : public QObject {
    Q_OBJECT

private slots:
    /// r · (in + out) for each product; 32 blocks of 4,096 features and 11,008 hidden units.
    void parameters_by_hand() {
        const auto network = support::preset("llama-2-7b");
        QCOMPARE(trained(adapted(network, "q,v")), 32.0 * 2 * 16 * (4096 + 4096));
        QCOMPARE(trained(adapted(network, "q,v")), 8'388'608.0);
        QCOMPARE(count_adapters(adapted(network, "q,v")).parameters, std::int64_t{8'388'608});
        QCOMPARE(trained(adapted(network, "attention")), 16'777'216.0);
        // Gate and up are one product of 22,016 columns, which has one adapter.
        QCOMPARE(trained(adapted(network, "feed-forward")), 32.0 * 16 * (4096 + 22016 + 11008 + 4096));
        QCOMPARE(trained(adapted(network, "linear")), linear_parameters);
        QCOMPARE(trained(adapted(network, "linear", 8)), linear_parameters / 2);
    }

    /// A block with gate and up apart, as model hubs count them: 39,976,960 in 32 blocks.
    void gate_and_up_apart() {
        support::Builder b;
        const auto dense = [&](int in, std::int64_t units) {
            const int l = b.dense(in, units, false);
            b.set(l, "per_position", true);
            return l;
        };
        const int x = b.input({4, 4096}), q = dense(x, 4096), k = dense(x, 4096), v = dense(x, 4096),
                  stream = b.add({x, dense(b.add({q, k, v}), 4096)}),
                  down = dense(b.simple("elementwise", {dense(stream, 11008), dense(stream, 11008)}), 4096);
        dense(b.add({stream, down}), 32000);
        QCOMPARE(32 * trained(adapted(b.make(), "linear")), 39'976'960.0);
    }

    /// What a file asks for is what the command line adds; saved and read again, it stays the same.
    void files_ask_for_adapters() {
        const auto file = [](const char* adapters) {
            return std::string(R"({"format": "scalescope-scenario", "version": 2, "workload": [{"network": )"
                               R"("transformers/llama-2-7b"}], "cluster": {"device": "h100-sxm-80gb", "inside": )"
                               R"("nvlink-4", "between": "ethernet-100g"})") +
                   adapters + "}";
        };
        const auto plain = formats::read_scenario(file(""), "plain.json", library());
        const auto read =
            formats::read_scenario(file(R"(, "adapters": {"layers": "attention", "rank": 8})"), "lora.json", library());
        QVERIFY2(plain && read, read ? "" : support::messages(read.error()).c_str());
        const auto written = [](const Scenario& s) {
            return QString::fromStdString(formats::write_scenario(s, library()));
        };
        QCOMPARE(written(read->scenario), written(adapted(plain->scenario, "attention", 8)));
        QCOMPARE(adapters_of(read->scenario), std::int64_t{4 * 32});
        const auto again = formats::read_scenario(written(read->scenario).toStdString(), "saved.json", library());
        QVERIFY2(again.has_value(), again ? "" : support::messages(again.error()).c_str());
        QCOMPARE(written(again->scenario), written(read->scenario));
        for (const char* wrong : {R"(, "adapters": {"layers": "lienar"})", R"(, "adapters": {"rank": 8})",
                                  R"(, "adapters": {"layers": "linear", "rank": 0})", R"(, "adapters": "linear")"})
            QVERIFY2(!formats::read_scenario(file(wrong), "wrong.json", library()), wrong);
    }

    void choices_by_words_and_by_names() {
        const auto network = support::preset("llama-2-7b");
        QCOMPARE(adapters_of(adapted(network, "linear")), std::int64_t{6 * 32});
        QCOMPARE(adapters_of(adapted(network, "attention")), std::int64_t{4 * 32});
        QCOMPARE(adapters_of(adapted(network, "feed-forward")), std::int64_t{2 * 32});
        QCOMPARE(adapters_of(adapted(network, "attention+down")), std::int64_t{5 * 32});
        QCOMPARE(adapters_of(adapted(network, "h3/attention/*")), std::int64_t{4});
        QCOMPARE(adapters_of(adapted(network, "q_proj, v_proj")), std::int64_t{2 * 32});
        QCOMPARE(adapters_of(adapted(network, "o_proj,up_proj,gate_proj,down_proj")), std::int64_t{3 * 32});
        QCOMPARE(refused(network, "lienar"),
                 std::string("adapters: No linear layer is called \"lienar\"; did you mean linear?\n"));
        QCOMPARE(refused(network, "logits"),
                 std::string("adapters: No linear layer is called \"logits\"; use linear, attention, feed-forward, "
                             "none, or names of layers: q, k, v, out, gate_up, down\n"));
        QVERIFY(QString::fromStdString(refused(support::preset("nin"), "linear")).contains("has no linear layers"));
    }

    /// In every shipped transformer attention and feed-forward networks are all there is, but for heads of their own,
    /// for layers that carry a state, and for the condition of a diffusion transformer.
    void families_of_all_presets() {
        int checked = 0;
        for (const auto& [name, network] : support::transformers()) {
            int blocks = 0;
            for (const LayerFacts& f : network->facts()) blocks += f.along(ShardAlong::heads) > 0 ? 1 : 0;
            const std::int64_t all = adapters_of(adapted(network, "linear")),
                               attention = adapters_of(adapted(network, "attention")),
                               rest = refused(network, "feed-forward").empty()
                                          ? adapters_of(adapted(network, "feed-forward"))
                                          : 0;
            QVERIFY2(attention >= 2 * blocks && attention <= 7 * blocks, name.c_str());
            QVERIFY2(attention + rest <= all, name.c_str());
            const bool more = has_scans(*network) || name == "dit-xl-2";
            QVERIFY2(more || all - attention - rest <= 2, name.c_str());
            ++checked;
        }
        QVERIFY2(checked > 15, qPrintable(QString::number(checked)));
    }

    void only_adapters_are_trained() {
        const Scenario s = llama();
        const Network& n = network_of(s);
        const Work w = work_of(s);
        for (int l = 0; l < n.size(); ++l) {
            const std::string& name = n.layers()[static_cast<std::size_t>(l)].name;
            const bool adapter = name.ends_with("_lora_a") || name.ends_with("_lora_b");
            QCOMPARE(w.trained[static_cast<std::size_t>(l)] > 0, adapter);
            QCOMPARE(w.gradient_bytes[static_cast<std::size_t>(l)] > 0, adapter);
            QCOMPARE(flops(w, Pass::grad_weights, static_cast<std::size_t>(l)) > 0, adapter);
        }
    }

    /// Below the first adapters no gradient is needed; from there on it passes through frozen products.
    void gradients_stop_at_the_first_adapter() {
        const Scenario s = llama();
        const Network& n = network_of(s);
        const Work w = work_of(s);
        for (const char* name : {"embeddings/tokens", "h0/norm_attention", "h0/attention/q", "h0/attention/v"}) {
            for (const Pass pass : {Pass::grad_input, Pass::grad_weights})
                QCOMPARE(w.pass[index_of(pass)].active[at(n, name)], 0.0);
            QCOMPARE(static_cast<int>(w.gradient_needed[at(n, "h0/norm_attention")]), 0);
        }
        QCOMPARE(flops(w, Pass::grad_input, at(n, "h0/attention/q_lora_a")), 0.0);
        QVERIFY(flops(w, Pass::grad_weights, at(n, "h0/attention/q_lora_a")) > 0);
        for (const char* name : {"h0/attention/out", "h1/attention/q", "h31/mlp/down", "head/logits"})
            QCOMPARE(flops(w, Pass::grad_input, at(n, name)), flops(w, Pass::forward, at(n, name)));

        const Scenario last = adapted(support::preset("llama-2-7b"), "h31/attention/out");
        const Work of_last = work_of(last);
        for (int l = 0; l < network_of(last).size(); ++l)
            if (!network_of(last).layers()[static_cast<std::size_t>(l)].name.starts_with("h31/attention/out") &&
                static_cast<std::size_t>(l) < at(network_of(last), "h31/attention/out"))
                QCOMPARE(of_last.pass[1].active[static_cast<std::size_t>(l)], 0.0);
    }

    /// Products cost two thirds of full training but for the first three, which pass no gradient on; each adapter costs
    /// what a trained product of its size does.
    void two_thirds_of_the_arithmetic_and_the_adapters() {
        const Scenario s = llama();
        const Network& n = network_of(s);
        const Work w = work_of(s);
        double products = 0, others = 0;
        for (int l = 0; l < n.size(); ++l) {
            const std::size_t i = static_cast<std::size_t>(l);
            const double all =
                flops(w, Pass::forward, i) + flops(w, Pass::grad_input, i) + flops(w, Pass::grad_weights, i);
            if (n.layers()[i].name.find("_lora_") == std::string::npos && n.facts()[i].linear())
                products += all;
            else if (n.facts()[i].linear())
                others += all;
        }
        const double tokens = 2048, block = 4 * 4096.0 * 4096 + 3 * 4096.0 * 11008, logits = 4096.0 * 32000;
        QCOMPARE(products, tokens * (4 * (32 * block + logits) - 2 * 3 * 4096.0 * 4096));
        QCOMPARE(others, tokens * (6 * linear_parameters - 2 * 3 * 16.0 * 4096));
    }

    /// A frozen product keeps no input for the gradient of its weights; an adapter keeps what it reads.
    void kept_tensors() {
        const Scenario s = llama("q,v");
        const Network& n = network_of(s);
        const Work w = work_of(s);
        for (const char* frozen :
             {"h1/attention/q", "h1/attention/out", "h1/mlp/gate_up", "h1/mlp/down", "head/logits"})
            QCOMPARE(static_cast<int>(w.keeps_input[at(n, frozen)]), 0);
        for (const char* own : {"h1/attention/q_lora_a", "h1/attention/q_lora_b", "h1/attention/v_lora_a"})
            QCOMPARE(static_cast<int>(w.keeps_input[at(n, own)]), 1);
        QVERIFY(memory(s).activations < memory(llama()).activations);
        QVERIFY(memory(llama()).activations.value <= memory(llama(nullptr)).activations.value * 1.01);
    }

    /// Weights in bf16, of everything; gradients and 12 bytes of master weights and moments for a trained parameter.
    void memory_by_hand() {
        const MemoryEstimate m = memory(llama());
        QCOMPARE(m.weights.value, 2 * (all_parameters + linear_parameters));
        QCOMPARE(m.gradients.value, memory(llama(nullptr)).gradients.value / all_parameters * linear_parameters);
        QCOMPARE(m.optimizer.value, 12 * linear_parameters);
        Scenario sgd = llama();
        sgd.training.optimizer = Optimizer::sgd;
        QCOMPARE(memory(sgd).optimizer.value, 4 * linear_parameters);
    }

    void sharded_states() {
        const double weights = 2 * (all_parameters + linear_parameters);
        const MemoryEstimate whole = memory(llama());
        for (const Sharded sharded : {Sharded::optimizer, Sharded::gradients, Sharded::weights}) {
            Scenario s = llama();
            s.parallelism.sharded = sharded;
            const support::Answer a(s);
            const MemoryEstimate& m = a.e.memory;
            QVERIFY(std::abs(m.optimizer.value - whole.optimizer.value / 8) < 1e4);
            // Gradients alone travel, of trained parameters; sharded weights are gathered twice, all of them.
            double exchanged = 0, gathered = 0;
            for (const MessageEstimate& message : a.e.messages)
                (message.message == Message::reduce_scatter || message.message == Message::all_reduce ? exchanged
                                                                                                      : gathered) +=
                    message.bytes.value;
            QVERIFY(std::abs(exchanged / (2 * linear_parameters) - 1) < 1e-6);
            if (sharded == Sharded::weights) {
                QVERIFY(m.weights.value < weights / 4);
                QVERIFY(gathered > 1.9 * weights && gathered < 2.1 * weights);
            } else {
                QVERIFY(std::abs(m.weights.value - weights) < 1e4);
                QVERIFY(std::abs(gathered / (2 * linear_parameters) - 1) < 1e-6);
            }
        }
    }

    void stages_and_recomputed_blocks() {
        const auto plain = support::preset("llama-2-7b");
        const Scenario s = adapted(plain, "linear");
        const auto blocks = [](const Network& n) {
            const auto& places = places_of_blocks(n);
            return *std::max_element(places.begin(), places.end()) + 1;
        };
        QCOMPARE(blocks(network_of(s)), blocks(*plain));
        const auto modules = [](const Network& n) {
            std::map<RecomputeModule, int> count;
            for (const ModulePiece& piece : find_modules(n)) ++count[piece.module];
            return count;
        };
        QCOMPARE(modules(network_of(s)), modules(*plain));
        QVERIFY(modules(*plain).at(RecomputeModule::mlp) == 32);

        Scenario stages = llama();
        stages.parallelism.pipeline = 4;
        stages.parallelism.micro_batches = 2;
        stages.training.batch = 2;
        const support::Answer a(stages);
        double optimizer = 0;
        for (const StageEstimate& stage : a.e.stages) optimizer += stage.memory.optimizer.value;
        QCOMPARE(optimizer, 12 * linear_parameters);
        Scenario again = llama();
        again.parallelism.recompute = Recompute::blocks;
        QVERIFY(memory(again).activations.value < memory(llama()).activations.value / 4);
    }

    void taken_out_again() {
        const auto plain = support::preset("llama-2-7b");
        Scenario s = adapted(plain, "linear");
        s = adapted(std::move(s), "none");
        QVERIFY(same_layers(network_of(s), *plain));
        QVERIFY(s.training.frozen.empty());
        // Of a network without any, what is frozen stays so.
        s.training.frozen = {plain->layers()[1].id};
        QCOMPARE(adapted(s, "none").training.frozen, s.training.frozen);
    }

    /// The second choice replaces the first; the rank stays.
    void set_twice() {
        const auto plain = support::preset("llama-2-7b");
        const Scenario once = adapted(plain, "q,v", 8), twice = adapted(once, "attention");
        QVERIFY(same_layers(network_of(adapted(adapted(plain, "attention"), "q,v", 8)), network_of(once)));
        QCOMPARE(adapters_of(twice), std::int64_t{128});
        QCOMPARE(symbol_value(twice, rank_symbol), std::optional<std::int64_t>(8));
        QCOMPARE(trained(twice), 8'388'608.0);
    }

    void rank_is_a_size_of_the_network() {
        Scenario s = llama();
        QVERIFY(set_field(s, "symbols.rank", "64", library().catalogue));
        QCOMPARE(trained(s), 4 * linear_parameters);
        QVERIFY(set_field(s, "symbols.sequence", "1024", library().catalogue));
        QCOMPARE(symbol_value(adapted(s, "attention"), "sequence"), std::optional<std::int64_t>(1024));
    }

    void set_by_its_name() {
        Scenario s = llama(nullptr);
        QVERIFY(formats::set_by_name(s, "adapters", "q_proj+v_proj", library()));
        QCOMPARE(trained(s), 8'388'608.0);
        QVERIFY(!formats::set_by_name(s, "adapters", "loar", library()));
        QCOMPARE(trained(s), 8'388'608.0);
        QVERIFY(formats::set_by_name(s, "adapters", "none", library()));
        QCOMPARE(trained(s), all_parameters);
    }

    void kept_in_files() {
        const Scenario s = llama("q,v");
        const auto read = formats::read_scenario(formats::write_scenario(s, library()), "a.json", library());
        QVERIFY(read);
        QVERIFY(same_layers(network_of(read->scenario), network_of(s)));
        QCOMPARE(trained(read->scenario), 8'388'608.0);
        Scenario wider = read->scenario;
        QVERIFY(set_field(wider, "symbols.rank", "32", library().catalogue));
        QCOMPARE(trained(wider), 2 * 8'388'608.0);
        QVERIFY(same_layers(network_of(adapted(wider, "none")), network_of(llama(nullptr))));
    }

    void varied_by_searches() {
        const Scenario s = llama(nullptr);
        const auto axis = search::read_axis("adapters", nullptr, "*", s, library().catalogue);
        QVERIFY(axis);
        QCOMPARE(axis->values, (std::vector<std::string>{"none", "linear", "attention", "feed-forward"}));
        for (const std::string& value : axis->values) {
            Scenario next = s;
            QVERIFY(formats::set_by_name(next, "adapters", value, library()));
        }
        QCOMPARE(search::value_name(*axis, 1, library()), std::string("All linear layers"));
        QCOMPARE(search::nameable_values("adapters", s, library()).size(), std::size_t{4});
    }

    /// As ONNX the rank is a number, since weights depend on it.
    void exported() {
        QVERIFY(formats::export_network(network_of(llama()), formats::NetworkFormat::scalescope));
        QVERIFY(formats::export_network(network_of(llama()), formats::NetworkFormat::onnx, true));
    }

    /// The activation that a product applies itself comes behind the sum.
    void built_in_activations() {
        support::Builder b;
        const int hidden = b.dense(b.input({64}), 32), out = b.dense(hidden, 10);
        b.set(hidden, "activation", std::string("relu"));
        b.simple("loss", {out});
        const auto plain = b.make();
        const Scenario s = adapted(plain, "linear", 4);
        QCOMPARE(adapters_of(s), std::int64_t{1});
        QCOMPARE(trained(s), 4.0 * (64 + 32));
        int fused = 0;
        for (const Layer& l : network_of(s).layers())
            if (l.kind->name == "add" || l.kind->name == "dense")
                fused += attribute(l, "activation") == AttributeValue(std::string("relu")) ? 1 : 0;
        QCOMPARE(fused, 1);
        QVERIFY(same_layers(network_of(adapted(s, "none")), *plain));
    }

    /// Products that share weights share an adapter, as one module that is called several times has one.
    void shared_products_share_adapters() {
        const auto network = support::read(R"({"model_type": "albert", "vocab_size": 300, "embedding_size": 16,
            "hidden_size": 64, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 256,
            "max_position_embeddings": 32, "num_hidden_groups": 1, "hidden_act": "gelu", "type_vocab_size": 2})");
        const Scenario s = adapted(network, "attention", 2);
        QCOMPARE(adapters_of(s), std::int64_t{3 * 4});
        QCOMPARE(trained(s), 4 * 2.0 * (64 + 64));
    }

    void experts_have_none_and_a_note_says_so() {
        const Scenario before = support::scenario(support::preset("mixtral-8x22b")), s = adapted(before, "linear");
        QCOMPARE(adapters_of(s), std::int64_t{4 * 56});
        const Problems notes = notes_on_adapters(before, s);
        QCOMPARE(notes.size(), std::size_t(1));
        QCOMPARE(notes[0].what, std::string("The experts of 56 layers have no adapters."));
        QVERIFY(notes_on_adapters(llama(nullptr), llama()).empty());
    }

    /// Frozen layers are named by number, whatever network they are in.
    void several_networks() {
        Scenario s = support::scenario(support::preset("llama-2-7b"));
        s.workload.push_back({support::preset("gpt-2"), {}, 1, {}});
        s.workload.push_back(s.workload.front());
        s = adapted(std::move(s), "attention");
        QVERIFY(s.workload[0].network == s.workload[2].network);
        for (const WorkloadPart& part : s.workload) {
            const Work w = make_work(*part.network, Passes{}, s.training);
            for (const Adapter& a : find_adapters(*part.network)) {
                QVERIFY(w.trained[static_cast<std::size_t>(a.down)] > 0 &&
                        w.trained[static_cast<std::size_t>(a.up)] > 0);
                QVERIFY(w.trained[static_cast<std::size_t>(a.product)] == 0);
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestAdapters)
#include "tst_adapters.moc"
