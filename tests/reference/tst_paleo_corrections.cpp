// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/paleo/network.hpp"
#include "core/paleo/simulate.hpp"
#include "reference/support_paleo.hpp"

#include <QTest>
#include <cmath>
#include <set>

using namespace scalescope;
using namespace scalescope::paleo;
using paleo::Layer;
using paleo::Parallelism;
using paleo::Pass;
using paleo::Shape;

namespace {

const Setup machine{*find_device("K40"), *find_link("infiniband"), 0.5, 0.8, 0.7, false};

bool close(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b)); }

/// Seconds of work on `machine` as the corrected mode prices it, written out once more.
double seconds(double flops, double bytes) { return flops / (4290e9 * 0.5) + bytes / (288e9 * 0.7); }

struct Sizes {
    double in = 0, weights = 0, out = 0, flops = 0;
};

Sizes sizes_of(const Net& net, const Layer& layer, double batch) {
    Sizes s;
    for (const int parent : layer.parents)
        s.in += 4.0 * batch * static_cast<double>(net.layers[static_cast<std::size_t>(parent)].output.per_sample());
    s.out = 4.0 * batch * static_cast<double>(layer.output.per_sample());
    if (layer.kind == LayerType::convolution || layer.kind == LayerType::deconvolution) {
        double product = 1;
        for (const auto size : layer.filter) product *= static_cast<double>(size);
        const Shape& positions = layer.kind == LayerType::convolution ? layer.output : layer.input;
        s.flops = 2.0 * batch * product * static_cast<double>(positions[1] * positions[2]);
    } else if (layer.kind == LayerType::inner_product) {
        s.flops = 2.0 * batch * static_cast<double>(layer.input[1] * layer.output[1]);
    }
    s.weights = 4.0 * static_cast<double>(layer.parameters);
    return s;
}

Corrections only(const Correction& correction) {
    Corrections result;
    result.*correction.flag = true;
    return result;
}

Net unfold(const QByteArray& text) {
    auto net = formats::read_paleo_network(text.toStdString(), "test.json");
    if (!net) qFatal("%s", to_text(net.error().front()).c_str());
    return *net;
}

}  // namespace

class TestPaleoCorrections : public QObject {
    Q_OBJECT

private slots:
    void all_on_is_the_plain_formula_data() {
        QTest::addColumn<QString>("name");
        for (const auto* name : {"alex_v2", "inception_v3", "nin", "vgg16", "quirk_truncated_walk",
                                 "synthetic_coverage", "synthetic_deconv"})
            QTest::newRow(name) << name;
    }

    void all_on_is_the_plain_formula() {
        QFETCH(QString, name);
        const auto& net = paleo_test::net(name.toStdString());
        for (const Era era : {Era::head, Era::paper}) {
            const auto plan = make_plan(net, {era, all_corrections()});
            const auto rates = make_rates(plan.method, machine);
            const double batch = 48;
            int multiplying = 0;
            std::vector<bool> trains;
            for (std::size_t i = 0; i < net.layers.size(); ++i) {
                const Layer& layer = net.layers[i];
                const auto cost = price_layer(plan, plan.layers[i], rates, batch);
                const auto s = sizes_of(net, layer, batch);
                const bool costs = layer.kind != LayerType::input && layer.kind != LayerType::reshape;
                if (layer.type == "BatchNorm") {  // statistics first: two reads
                    QVERIFY(close(cost[Pass::forward].total().value, seconds(0.0, 2.0 * s.in + s.out)));
                    QVERIFY(close(cost[Pass::data_gradient].total().value, seconds(0.0, 3.0 * s.in + 2.0 * s.out)));
                    trains.push_back(true);
                    continue;
                }
                const double product = costs ? seconds(s.flops, s.in + s.weights + s.out) : 0.0;
                QVERIFY2(close(cost[Pass::forward].total().value, product), layer.name.c_str());
                bool wanted = false;
                for (const int parent : layer.parents) wanted = wanted || trains[static_cast<std::size_t>(parent)];
                trains.push_back(wanted || layer.parameters > 0);
                const bool keeps_output = layer.kind == LayerType::softmax || layer.kind == LayerType::sigmoid;
                const double gradient = !wanted || layer.kind == LayerType::elementwise ? 0.0
                                        : keeps_output ? seconds(0.0, s.in + 2.0 * s.out)
                                                       : product;
                QVERIFY2(close(cost[Pass::data_gradient].total().value, gradient), layer.name.c_str());
                QVERIFY2(close(cost[Pass::filter_gradient].total().value, s.flops > 0 ? product : 0.0),
                         layer.name.c_str());
                QVERIFY(close(cost[Pass::forward].flops.value, s.flops));
                QCOMPARE(cost[Pass::filter_gradient].flops.value, cost[Pass::forward].flops.value);
                multiplying += s.flops > 0 ? 1 : 0;
            }
            QVERIFY(multiplying > 2);
            const auto point = simulate_data(plan, machine, Scaling::weak, 48, 1);
            QVERIFY(close(point.update.value, seconds(2.0 * plan.parameters, 12.0 * plan.parameters)));
            for (const auto time : point.communication) QVERIFY(time == Seconds{});
        }
    }

    /// Each switch by itself moves the number it is about, and nothing where its quirk does not occur.
    void each_has_its_own_effect() {
        const auto split = unfold(R"({"name": "split", "layers": {
            "data": {"parents": [], "type": "Input", "tensor": [16, 8, 8, 4]},
            "few": {"parents": ["data"], "type": "Convolution", "filter": [1, 1, 4, 4], "padding": "SAME", "strides": [1, 1, 1, 1]},
            "pad": {"parents": ["few"], "type": "Convolution", "filter": [3, 3, 4, 32], "padding": "SAME", "strides": [1, 2, 2, 1]},
            "pool": {"parents": ["pad"], "type": "Pooling", "ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": "VALID"},
            "up": {"parents": ["pool"], "type": "Deconvolution", "filter": [3, 3, 32, 32], "padding": "SAME", "strides": [1, 2, 2, 1],
                   "output_shape": [16, 4, 4, 32]},
            "m": {"type": "ModelParallel", "splits": 8, "parents": ["up"], "layers": {
                "fc": {"parents": [], "type": "Convolution", "filter": [4, 4, 32, 512], "padding": "VALID", "strides": [1, 1, 1, 1]}}},
            "join": {"parents": ["m/fc@all"], "type": "Concatenate", "dim": 3}}})");
        const Situation data{Parallelism::data, Scaling::weak, Scheme::butterfly_mixing, 32, 1};
        const Situation model{Parallelism::model, Scaling::weak, Scheme::one_to_all, 32, 1};
        const Situation hybrid{Parallelism::hybrid, Scaling::weak, Scheme::one_to_all, 32, 8};
        const auto change = [&](const Correction& correction, const Situation& situation) {
            const double before = iteration_time(make_plan(split, {}), machine, situation).value;
            return iteration_time(make_plan(split, {Era::head, only(correction)}), machine, situation).value / before -
                   1.0;
        };
        for (const auto& correction : corrections()) {
            const std::string id(correction.id);
            const double in_data = change(correction, data), in_model = change(correction, model),
                         in_hybrid = change(correction, hybrid);
            qInfo("%-20s data %+.3e  model %+.3e  hybrid %+.3e", id.c_str(), in_data, in_model, in_hybrid);
            QVERIFY(std::abs(in_data) + std::abs(in_model) + std::abs(in_hybrid) > 1e-9);
            if (id == "mixing_alone") QVERIFY(in_data < 0 && in_model == 0 && in_hybrid == 0);
            if (id == "hybrid_bytes") QVERIFY(in_data == 0 && in_model == 0 && in_hybrid != 0);
            if (id == "update_percent") QVERIFY(in_data > 0 && in_model == 0);
            if (id == "network_fetch") QVERIFY(in_model > 0 && in_hybrid == 0);
            if (id == "no_halving") QVERIFY(in_data < 0 && in_model < 0 && in_hybrid < 0);
            if (id == "tensor_bytes") QVERIFY(in_data < 0);
            if (id == "memory_percent") QVERIFY(in_data < 0);  // 70 % of the memory's peak instead of 50 %
            if (id == "decimal_units") QVERIFY(in_data > 0);
            if (id == "deconvolution_batch") QVERIFY(in_data > 0);  // 32 samples instead of the file's 16
        }
        // A plain net at one worker under a proper all-reduce: none of these quirks occurs.
        const auto& nin = paleo_test::net("nin");
        const Situation plain{Parallelism::data, Scaling::weak, Scheme::tree_all_reduce, 128, 1};
        const auto before = iteration_time(make_plan(nin, {}), machine, plain);
        for (const auto& correction : corrections())
            if (const std::set<std::string_view> absent{"mixing_alone", "unsplit_device", "no_halving", "network_fetch",
                                                        "hybrid_bytes", "deconvolution_batch"};
                absent.count(correction.id) != 0)
                QVERIFY(iteration_time(make_plan(nin, {Era::head, only(correction)}), machine, plain) == before);
    }

    void first_copy_shares_the_device() {
        const auto& net = paleo_test::net("alex_v2_2gpu");
        const auto fetch_of = [&](const Corrections& corrections, std::string_view name) {
            const auto plan = make_plan(net, {Era::head, corrections});
            const auto rates = make_rates(plan.method, machine);
            for (std::size_t i = 0; i < net.layers.size(); ++i)
                if (net.layers[i].name == name) return price_layer(plan, plan.layers[i], rates, 128).fetch.value;
            return -1.0;
        };
        Corrections corrected;
        corrected.unsplit_device = true;
        QVERIFY(fetch_of({}, "parallel_fc67/fc6@0") > 0.0);
        QCOMPARE(fetch_of(corrected, "parallel_fc67/fc6@0"), 0.0);
        QCOMPARE(fetch_of(corrected, "parallel_fc67/fc6@1"), fetch_of({}, "parallel_fc67/fc6@1"));
        QVERIFY(close(fetch_of({}, "concat7"), 2.0 * fetch_of(corrected, "concat7")));  // from one copy instead of two
    }

    void model_parallel_uses_the_network_when_corrected() {
        const auto& net = paleo_test::net("alex_v2_4gpu");
        auto slow = machine;
        slow.link = *find_link("ethernet");
        const auto reference = make_plan(net, {}), corrected = make_plan(net, {Era::head, all_corrections()});
        QVERIFY(simulate_model(reference, machine, 128).forward.lower ==
                simulate_model(reference, slow, 128).forward.lower);
        QVERIFY(simulate_model(corrected, machine, 128).forward.lower <
                simulate_model(corrected, slow, 128).forward.lower);
    }

    void waterfall_adds_up_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("parallelism");
        QTest::newRow("data") << "inception_v3" << static_cast<int>(Parallelism::data);
        QTest::newRow("model") << "alex_v2_4gpu" << static_cast<int>(Parallelism::model);
        QTest::newRow("hybrid") << "alex_v2_4gpu" << static_cast<int>(Parallelism::hybrid);
    }

    void waterfall_adds_up() {
        QFETCH(QString, name);
        QFETCH(int, parallelism);
        const auto& net = paleo_test::net(name.toStdString());
        const Situation situation{static_cast<Parallelism>(parallelism), Scaling::strong, Scheme::tree_all_reduce, 512,
                                  4};
        for (const Era era : {Era::head, Era::paper}) {
            const auto steps = waterfall(net, era, machine, situation);
            QCOMPARE(steps.size(), corrections().size() + 1);
            QVERIFY(steps.front().iteration == iteration_time(make_plan(net, {era, {}}), machine, situation));
            QVERIFY(steps.back().iteration ==
                    iteration_time(make_plan(net, {era, all_corrections()}), machine, situation));
            Seconds sum = steps.front().iteration;
            Corrections so_far;
            for (std::size_t i = 1; i < steps.size(); ++i) {
                QVERIFY(steps[i].correction == &corrections()[i - 1]);
                sum += steps[i].difference;
                so_far.*steps[i].correction->flag = true;
                QVERIFY(steps[i].iteration == iteration_time(make_plan(net, {era, so_far}), machine, situation));
            }
            QVERIFY(close(sum.value, steps.back().iteration.value));
        }
    }

    /// However slow the link and however many the workers: with everything corrected no time is negative, one worker
    /// exchanges nothing, and a wider link never slows a step. (PALEO's own hybrid times do turn negative.)
    void corrected_hybrid_is_sane() {
        const auto& net = paleo_test::net("alex_v2_8gpu");
        const auto plan = make_plan(net, {Era::head, all_corrections()});
        auto setup = machine;
        for (const std::int64_t workers : {1, 2, 8, 1024}) {
            Seconds before{1e300};
            for (const double gbit : {0.01, 1.0, 10.0, 100.0, 1e5}) {
                setup.link.gbit_per_s = gbit;
                const auto point = simulate_hybrid(plan, setup, 128, workers);
                QVERIFY(point.model.forward > Seconds{} && point.model.backward > Seconds{});
                QVERIFY(point.iteration() <= before);
                before = point.iteration();
            }
        }
        setup.link.gbit_per_s = 10.0;
        const auto at = [&](std::int64_t workers) { return simulate_hybrid(plan, setup, 128, workers).model.forward; };
        QVERIFY(at(1) < at(2) && at(2) < at(3));
        setup.link.gbit_per_s = 0.01;
        QVERIFY(simulate_hybrid(paleo_test::plan("alex_v2_8gpu", Era::head), setup, 128, 1024).model.forward <
                Seconds{});
    }

    /// The sum over flat arrays, used for sweeps, is that of the layers.
    void totals_are_sums_of_layers() {
        for (const auto* name : {"inception_v3", "alex_v2_8gpu", "synthetic_coverage", "synthetic_deconv"})
            for (const bool corrected : {false, true}) {
                const auto& net = paleo_test::net(name);
                std::vector<AlgorithmChoice> choices(net.layers.size());
                for (std::size_t i = 0; i < choices.size(); i += 3)
                    choices[i].passes = {Algorithm::fft, Algorithm::gemm_with_copy, Algorithm::fft_tiled};
                const auto plan = make_plan(net, {Era::head, corrected ? all_corrections() : Corrections{}}, choices);
                std::vector<LayerCost> costs;
                price_layers(plan, make_rates(plan.method, machine), 48, costs);
                Seconds forward, backward;
                for (const auto& cost : costs) {
                    forward += cost.forward(false);
                    backward += cost.backward(false);
                }
                const auto point = simulate_data(plan, machine, Scaling::weak, 48, 4);
                QVERIFY(close(point.forward.value, forward.value) && close(point.backward.value, backward.value));
            }
    }

    /// With everything corrected, the eras say the same.
    void eras_meet() {
        for (const auto* name : {"inception_v3", "alex_v2", "nin"}) {
            const auto head = make_plan(paleo_test::net(name), {Era::head, all_corrections()});
            const auto paper = make_plan(paleo_test::net(name), {Era::paper, all_corrections()});
            QVERIFY(simulate_data(head, machine, Scaling::weak, 64, 8).computing() ==
                    simulate_data(paper, machine, Scaling::weak, 64, 8).computing());
        }
    }

    void table_is_complete() {
        std::set<std::string_view> ids, names;
        for (const auto& correction : corrections()) {
            QVERIFY(ids.insert(correction.id).second && names.insert(correction.name).second);
            QVERIFY(correction.sentence.size() > 40 && correction.sentence.back() == '.');
        }
        QVERIFY(ids.size() == sizeof(Corrections));  // one switch, one row
        QVERIFY(all_corrections() != Corrections{});
    }

    void layers_on_which_paleo_stops_are_priced_and_named() {
        const auto net = unfold(R"({"name": "odd", "layers": {
            "data": {"parents": [], "type": "Input", "tensor": [4, 17, 17, 3]},
            "a": {"parents": ["data"], "type": "Convolution", "filter": [1, 1, 3, 8], "padding": "VALID", "strides": [1, 1, 1, 1]},
            "odd": {"parents": ["a"], "type": "Convolution", "filter": [3, 3, 8, 8], "padding": "VALID", "strides": [1, 3, 3, 1]}}})");
        const auto plan = make_plan(net, {});
        QCOMPARE(plan.notes.size(), 1u);
        QCOMPARE(plan.notes.front().where, std::string("layers › odd"));
        const auto cost = price_layer(plan, plan.layers[2], make_rates(plan.method, machine), 4.0);
        for (const Pass pass : passes)
            QVERIFY(std::isfinite(cost[pass].total().value) && cost[pass].total() > Seconds{});
        for (const auto* name : {"alex_v2", "nin", "vgg16", "inception_v3", "synthetic_coverage", "synthetic_deconv"})
            QVERIFY(paleo_test::plan(name, Era::head).notes.empty());
    }
};

QTEST_APPLESS_MAIN(TestPaleoCorrections)
#include "tst_paleo_corrections.moc"
