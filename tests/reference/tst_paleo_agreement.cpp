// SPDX-License-Identifier: GPL-3.0-or-later
// With every correction on, PALEO's room and the pipeline are two independent programs for the same thing.
#include "core/estimate/estimate.hpp"
#include "core/formats/library.hpp"
#include "core/formats/paleo/convert.hpp"
#include "core/paleo/simulate.hpp"

#include <QTest>
#include <cmath>
#include <set>

using namespace scalescope;

namespace {

bool close(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b)); }

const formats::Library& library() {
    static const auto shipped = formats::load_shipped();
    return shipped;
}

/// 62 % of a K40's peak, 80 % of its memory's, 72 % of a 10 Gb/s link; no start-up times, nothing overlaps.
Scenario scenario_of(std::shared_ptr<const Network> network) {
    Scenario s;
    WorkloadPart part;
    part.network = std::move(network);
    s.workload.push_back(std::move(part));
    s.cluster.device = *library().catalogue.device("paleo-k40");
    s.cluster.between.bandwidth = gigabits_per_second(10);
    s.cluster.inside = s.cluster.between;
    s.model.compute = Fraction{0.62};
    s.model.memory = Fraction{0.8};
    s.model.between = s.model.inside = Fraction{0.72};
    return s;
}

const paleo::Setup setup{*paleo::find_device("K40"), *paleo::find_link("ethernet"), 0.62, 0.72, 0.8, false};

struct Pair {
    std::shared_ptr<const Network> network;
    paleo::Net net;
};

Pair both(const QString& id) {
    const auto* preset = library().find_network(id.toStdString());
    auto network = formats::read_any_network(preset->text, preset->file);
    if (!network) qFatal("%s", to_text(network.error().front()).c_str());
    auto net = formats::to_paleo(**network);
    if (!net) qFatal("%s", to_text(net.error().front()).c_str());
    return {*network, std::move(*net)};
}

/// PALEO has a bias everywhere, and counts that of a deconvolution by its inputs: there the weights differ by
/// definition.
bool has_other_weights(const Layer& layer) {
    for (std::size_t i = 0; i < layer.kind->attributes.size(); ++i)
        if (layer.kind->attributes[i].name == "bias" && !std::get<bool>(layer.attributes[i])) return true;
    return layer.kind->name == "transposed_convolution";
}

}  // namespace

class TestPaleoAgreement : public QObject {
    Q_OBJECT

private slots:
    void layers_data() {
        QTest::addColumn<QString>("id");
        // These must have words in PALEO; of later networks, those that have.
        std::set<std::string_view> must{"alexnet-one-tower",
                                        "alexnet-two-tower-hybrid",
                                        "dcgan-discriminator",
                                        "dcgan-generator",
                                        "densenet-121",
                                        "inception-v1",
                                        "inception-v3",
                                        "nin",
                                        "overfeat",
                                        "resnet-101",
                                        "resnet-152",
                                        "resnet-18",
                                        "resnet-200",
                                        "resnet-34",
                                        "resnet-50",
                                        "vgg-16",
                                        "vgg-19"};
        for (const auto& preset : library().networks) {
            if (preset.id.starts_with("paleo/")) continue;
            const auto network = formats::read_any_network(preset.text, preset.file);
            if (!network || !formats::to_paleo(**network)) continue;  // groups, gates, attention: no words of PALEO's
            QTest::newRow(preset.id.c_str()) << QString::fromStdString(preset.id);
            must.erase(preset.id);
        }
        QVERIFY2(must.empty(), must.empty() ? "" : std::string(*must.begin()).c_str());
    }

    void layers() {
        QFETCH(QString, id);
        const auto [network, net] = both(id);
        const auto plan = paleo::make_plan(net, {paleo::Era::head, paleo::all_corrections()});
        const auto rates = paleo::make_rates(plan.method, setup);
        const auto scenario = scenario_of(network);
        const auto device = device_rates(scenario.cluster, scenario.model, Precision::fp32);
        QVERIFY(device);
        const auto work = make_work(*network, {}, scenario.training);
        PassTimes times;
        times.resize(work.layers);
        price_passes(work, 0, work.layers, 48, {}, *device, times);
        std::map<std::string, std::size_t> place;
        for (std::size_t i = 0; i < net.layers.size(); ++i) place[net.layers[i].name] = i;
        int compared = 0;
        for (int l = 0; l < network->size(); ++l) {
            const Layer& layer = network->layers()[static_cast<std::size_t>(l)];
            if (has_other_weights(layer) || layer.kind->name == "input") continue;
            const auto cost = price_layer(plan, plan.layers[place.at(layer.name)], rates, 48);
            for (std::size_t pass = 0; pass < 3; ++pass) {
                const double pipeline = times.pass[pass][static_cast<std::size_t>(l)],
                             paleo = cost.passes[pass].total().value;
                QVERIFY2(close(paleo, pipeline), qPrintable(QString("%1 pass %2: PALEO %3, pipeline %4")
                                                                .arg(QString::fromStdString(layer.name))
                                                                .arg(pass)
                                                                .arg(paleo, 0, 'g', 15)
                                                                .arg(pipeline, 0, 'g', 15)));
            }
            ++compared;
        }
        qInfo("%d of %d layers", compared, network->size());
        QVERIFY(compared > 0);
    }

    void steps_data() {
        QTest::addColumn<QString>("id");
        for (const auto* id : {"alexnet-one-tower", "inception-v1", "nin", "overfeat", "vgg-16", "vgg-19"})
            QTest::newRow(id) << id;
    }

    /// Whole steps, with PALEO's own schemes for the gradients.
    void steps() {
        QFETCH(QString, id);
        const auto [network, net] = both(id);
        const auto plan = paleo::make_plan(net, {paleo::Era::head, paleo::all_corrections()});
        QCOMPARE(plan.parameters, static_cast<double>(network->parameters()));
        const std::array<std::pair<Collective, paleo::Scheme>, 4> schemes{
            {{Collective::one_to_all, paleo::Scheme::one_to_all},
             {Collective::paleo_tree, paleo::Scheme::tree_all_reduce},
             {Collective::butterfly, paleo::Scheme::butterfly_all_reduce},
             {Collective::butterfly_mixing, paleo::Scheme::butterfly_mixing}}};
        for (const auto& [collective, scheme] : schemes)
            for (const auto rule : {BatchRule::per_worker, BatchRule::total})
                for (const std::int64_t workers : {1, 2, 3, 8, 100}) {
                    auto scenario = scenario_of(network);
                    scenario.training.batch = 128;
                    scenario.training.batch_rule = rule;
                    scenario.cluster.workers = workers;
                    scenario.parallelism.collective = collective;
                    const auto whole = estimate(scenario);
                    QVERIFY(whole);
                    const auto scaling = rule == BatchRule::per_worker ? paleo::Scaling::weak : paleo::Scaling::strong;
                    const auto point = simulate_data(plan, setup, scaling, 128, workers);
                    QCOMPARE(point.effective_batch, whole->summary.batch.effective);
                    QVERIFY(close(point.forward.value, whole->summary.forward.value));
                    QVERIFY(close(point.backward.value, whole->summary.backward.value));
                    QVERIFY(close(point.update.value, whole->summary.update.value));
                    QVERIFY(close(point.communication[paleo::index(scheme)].value, whole->summary.communication.value));
                    QVERIFY(close(point.iteration(scheme).value, whole->summary.step.value));
                }
    }
};

QTEST_APPLESS_MAIN(TestPaleoAgreement)
#include "tst_paleo_agreement.moc"
