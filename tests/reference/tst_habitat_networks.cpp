// SPDX-License-Identifier: GPL-3.0-or-later
// The networks, their training, and whole iterations, against Habitat's own results.
#include "core/formats/json_document.hpp"
#include "core/measure/habitat/mlp_training.hpp"
#include "core/measure/habitat/trace.hpp"
#include "support_habitat.hpp"

using namespace scalescope;
using namespace scalescope::habitat;
using habitat::Device;
using habitat_test::close;
using habitat_test::Inputs;
using habitat_test::need;

namespace {

MlpModels models() { return need(parse_mlp_models(habitat_test::text("mlp_models.json"), "mlp_models.json")); }

double largest_difference(const std::vector<MlpLayer>& a, const std::vector<MlpLayer>& b) {
    double largest = 0.0;
    const auto compare = [&](const std::vector<float>& x, const std::vector<float>& y) {
        if (x.size() != y.size()) qFatal("sizes differ");
        for (std::size_t i = 0; i < x.size(); ++i)
            largest = std::max(largest, std::abs(static_cast<double>(x[i]) - static_cast<double>(y[i])));
    };
    for (std::size_t l = 0; l < a.size(); ++l) {
        compare(a[l].weights, b[l].weights);
        compare(a[l].bias, b[l].bias);
    }
    return largest;
}

/// The network as the vectors have it, with other parameters.
Mlp network(formats::JsonValue described, formats::JsonValue parameters) {
    std::string text = "{\"it\": {";
    for (const char* name : {"features", "layers", "layer_size", "mu", "sigma"})
        text += '"' + std::string(name) + "\": " + std::string(described.find(name)->source()) + ", ";
    text += "\"parameters\": " + std::string(parameters.source()) + "}}";
    return need(parse_mlp_models(text, "it.json")).at("it");
}

/// Times that follow a product of two features.
std::vector<MlpSample> invented_samples() {
    std::vector<MlpSample> samples;
    for (int i = 0; i < 200; ++i) {
        const double a = 1 + i % 10, b = 1 + i / 10;
        samples.push_back({{a, b, 16, 900, 80, 14}, Milliseconds{0.5 + 0.05 * a * b}});
    }
    return samples;
}

}  // namespace

class TestHabitatNetworks : public QObject {
    Q_OBJECT

private slots:
    void predictions() {
        const Inputs in(false);
        const auto all = models();
        const auto text = habitat_test::text("mlp_predictions.csv");
        const auto cases = need(read_mlp_cases(text, "mlp_predictions.csv", in.devices, all));
        const auto expected = habitat_test::table("mlp_predictions.csv");
        QCOMPARE(cases.size(), 240u);
        for (std::size_t i = 0; i < cases.size(); ++i) {
            const auto found =
                need(predict(all.at(cases[i].operation), cases[i].features, in.devices[cases[i].device]));
            const double wanted = habitat_test::number(expected.cell(i, *expected.column("predicted_ms")));
            QVERIFY2(close(found.value, wanted, 1e-5), to_text({{}, "differs", {}, {}, cases[i].at}).c_str());
        }
    }

    void steps_of_training() {
        const auto text = habitat_test::text("mlp_training_steps.json");
        const auto document = need(formats::parse_json(text, "mlp_training_steps.json"));
        const auto root = document.root();
        const auto initial = *root.find("initial");
        const Mlp mlp = network(initial, *initial.find("parameters"));
        std::vector<float> inputs, targets;
        const auto all_rows = root.find("x_raw");
        for (const auto row : *all_rows) {
            std::vector<double> features;
            for (const auto value : row) features.push_back(value.number());
            for (const float value : normalised(mlp, features)) inputs.push_back(value);
        }
        const auto all_values = root.find("y_ms");
        for (const auto value : *all_values) targets.push_back(static_cast<float>(value.number()));
        QCOMPARE(targets.size(), 32u);
        const auto after = *root.find("parameters_after_step");
        MlpTrainer trainer(mlp.layers, AdamSettings{});
        int step = 0, compared = 0;
        const auto all_losses = root.find("loss_before_step");
        for (const auto loss : *all_losses) {
            const float found = trainer.step(inputs, targets);
            QVERIFY2(close(found, loss.number(), 2e-6), std::to_string(step).c_str());
            ++step;
            const auto wanted = after.find(std::to_string(step));
            if (!wanted) continue;
            const Mlp expected = network(initial, *wanted);
            const double difference = largest_difference(trainer.layers(), expected.layers);
            QVERIFY2(difference <= 1e-6, std::to_string(difference).c_str());
            ++compared;
        }
        QCOMPARE(step, 50);
        QCOMPARE(compared, 4);
    }

    void iterations() {
        const Inputs in(false);
        const auto all = models();
        const auto text = habitat_test::text("traces.json");
        const auto cases = need(read_traces(text, "traces.json", in.kernels));
        const auto document = need(formats::parse_json(text, "traces.json"));
        QCOMPARE(cases.size(), 14u);
        int compared = 0, clamped = 0;
        std::size_t index = 0;
        for (const auto expected_trace : document.root()) {
            const Trace& trace = cases[index++].trace;
            QVERIFY(close(trace.time().value, expected_trace.find("measured_run_time_ms")->number(), 1e-12));
            const auto all_predictions = expected_trace.find("predictions");
            for (const auto expected : *all_predictions) {
                const Device& destination = in.device(expected.find("dest")->text());
                const auto found = need(predict(trace, in.device(trace.origin), destination, {in.registers, all}));
                QVERIFY(close(found.time.value, expected.find("run_time_ms")->number(), 1e-9));
                std::size_t i = 0;
                const auto all_operations = expected.find("operations");
                for (const auto operation : *all_operations) {
                    const PredictedOperation& p = found.operations.at(i++);
                    QVERIFY(close(p.time().value, operation.find("run_time_ms")->number(), 1e-9));
                    QVERIFY(close(p.forward.value, operation.find("forward_ms")->number(), 1e-9));
                    QCOMPARE(p.backward.has_value(), operation.find("backward_ms")->is_number());
                    if (p.backward) QVERIFY(close(p.backward->value, operation.find("backward_ms")->number(), 1e-9));
                    clamped += p.clamped;
                }
                QCOMPARE(i, found.operations.size());
                ++compared;
            }
        }
        QCOMPARE(compared, 56);
        QCOMPARE(clamped, 18);
    }

    void files_of_networks_read_back() {
        const auto all = models();
        const auto written = write_mlp_models(all);
        const auto again = need(parse_mlp_models(written, "written.json"));
        QCOMPARE(again.size(), all.size());
        QCOMPARE(write_mlp_models(again), written);
        for (const auto& entry : all) {
            const Mlp& other = again.at(entry.first);
            QVERIFY(other.features == entry.second.features && other.mu == entry.second.mu &&
                    other.sigma == entry.second.sigma);
            QCOMPARE(largest_difference(other.layers, entry.second.layers), 0.0);
        }
    }

    void training_learns_and_keeps_the_best() {
        const auto samples = invented_samples();
        MlpTraining how;
        how.hidden_blocks = 2;
        how.width = 16;
        how.epochs = 60;
        how.batch = 16;
        how.adam.rate = 5e-3;
        how.later_rate = 1e-3;
        const std::vector<std::string> names{"a", "b", "mem", "mem_bw", "num_sm", "single"};
        const auto found = need(train(names, samples, how));
        QCOMPARE(found.epochs.size(), 60u);
        QCOMPARE(found.warnings.size(), 4u);  // one device: its figures never vary
        const MlpEpoch& best = found.epochs[found.best_epoch];
        for (const MlpEpoch& epoch : found.epochs) QVERIFY(best.validation_error <= epoch.validation_error);
        QVERIFY2(best.validation_error < 0.1, std::to_string(best.validation_error).c_str());
        QVERIFY(best.validation_error < found.epochs.front().validation_error / 3);
        QVERIFY(close(found.mlp.mu[0], 5.5, 1e-12) && close(found.mlp.sigma[0], std::sqrt(8.25), 1e-12));
        const auto same = need(train(names, samples, how));
        QCOMPARE(largest_difference(same.mlp.layers, found.mlp.layers), 0.0);
    }

    void training_that_cannot_be() {
        auto samples = invented_samples();
        const std::vector<std::string> names{"a", "b", "mem", "mem_bw", "num_sm", "single"};
        QVERIFY(!train(names, std::span(samples).first(4)));
        samples[6].time = Milliseconds{0};
        const auto no_time = train(names, samples);
        QVERIFY(!no_time && no_time.error().front().what == "Sample 7 cannot be learnt from.");
        CancelSource source;
        source.cancel();
        samples[6].time = Milliseconds{1};
        const auto given_up = train(names, samples, {}, Watch{{}, source.token()});
        QVERIFY(!given_up && given_up.error().front().what == "The training was given up.");
        MlpTraining how;
        how.width = std::size_t{1} << 16;
        const auto too_large = train(names, samples, how);
        QVERIFY(!too_large &&
                too_large.error().front().what == "The network would have more than 67108864 parameters.");
    }

    void training_that_is_ended_keeps_the_best_so_far() {
        MlpTraining how;
        how.hidden_blocks = 1;
        how.width = 8;
        how.epochs = 50;
        how.batch = 16;
        const auto samples = invented_samples();
        const std::vector<std::string> names{"a", "b", "mem", "mem_bw", "num_sm", "single"};
        CancelSource source;
        std::vector<std::string> said;
        const Progress until_the_third([&](double, std::string_view text) {
            if (said.empty() || said.back() != text) said.emplace_back(text);
            if (text.starts_with("Epoch 3 of 50")) source.cancel();
        });
        const auto found = need(train(names, samples, how, Watch{until_the_third, source.token()}));
        QCOMPARE(found.epochs.size(), 3u);
        QCOMPARE(found.warnings.back().what, std::string("The training was ended after 3 of 50 epochs."));
        const auto whole = need(train(names, samples, how));
        for (std::size_t i = 0; i < 3; ++i) QCOMPARE(found.epochs[i].loss, whole.epochs[i].loss);
        QVERIFY2(said.at(1).starts_with("Epoch 1 of 50: loss "), said.at(1).c_str());
    }

    void broken_files_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* kind, const char* text, const char* says) {
            QTest::addRow("%s: %s", kind, says) << QString(kind) << QString::fromUtf8(text) << QString::fromUtf8(says);
        };
        row("devices", "device,num_sms\nT4,40\n", "f:1:1: There is no column \"compute_major\"");
        row("kernels", "id,num_block\n", "f:1:1: There is no column \"num_blocks\"; did you mean \"num_block\"?");
        row("kernels",
            "id,num_blocks,block_size,registers_per_thread,static_smem,dynamic_smem,run_time_ns\nk,1,2,x,0,0,5\n",
            "f:2:7: registers_per_thread: \"x\" cannot stand here; write a whole number from 0 to 65535.");
        row("pairs", "origin,dest\nT4,V10\n", "f:2:4: dest: There is no device called \"V10\"; did you mean \"V100\"?");
        row("traces", "{}", "f:1:1: This is no list of traces");
        row("traces",
            "[{\"id\": \"t\", \"origin\": \"T4\", \"operations\":\n [{\"name\": \"add\", \"forward\": "
            "{\"run_time_ms\": 1, "
            "\"kernels\": [\"k\"]}}]}]",
            "f:2:61: t \u203a operation 1 \u203a forward: There is no kernel called \"k\"");
        row("traces", "[{\"id\": \"t\",", "f:1:");
    }
    void broken_files() {
        QFETCH(QString, kind);
        QFETCH(QString, text);
        QFETCH(QString, says);
        const auto t = text.toStdString();
        const auto said = [](const auto& result) {
            return result ? QString() : QString::fromStdString(to_text(result.error().front()));
        };
        QString found;
        if (kind == QLatin1String("devices")) found = said(read_devices(t, "f", "habitat"));
        if (kind == QLatin1String("kernels")) found = said(read_kernels(t, "f"));
        if (kind == QLatin1String("pairs")) found = said(read_scale_cases(t, "f", {}, Inputs(false).devices));
        if (kind == QLatin1String("traces")) found = said(read_traces(t, "f", {}));
        QVERIFY2(found.startsWith(says), qPrintable(found));
    }
};

QTEST_APPLESS_MAIN(TestHabitatNetworks)
#include "tst_habitat_networks.moc"
