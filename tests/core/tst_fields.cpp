// SPDX-License-Identifier: GPL-3.0-or-later
// The field table: every row reads and sets one figure of a scenario, and nothing else.
#include <QtTest>
#include <set>

#include "core/formats/library.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/scenario/fields.hpp"
#include "support_choices.hpp"
#include "support_library.hpp"

using namespace scalescope;
using namespace scalescope::formats;
using support::library;
using support::messages;

namespace {

Scenario example() {
    const Preset* preset = library().find_scenario("example");
    return read_scenario(preset->text, preset->file, library())->scenario;
}

Result<void> set(Scenario& s, std::string_view path, std::string_view text) {
    return set_field(s, path, text, library().catalogue);
}

/// A text that differs from the field's present one and is allowed.
std::string other_text(const Field& f, const Scenario& s) {
    switch (f.type) {
        case FieldType::integer: return field_text(f, s) == "7" ? "8" : "7";
        case FieldType::number: return field_text(f, s) == "3.25" ? "4.5" : "3.25";
        case FieldType::boolean: return field_text(f, s) == "true" ? "false" : "true";
        case FieldType::choice: return std::string(field_text(f, s) == f.choices[0] ? f.choices[1] : f.choices[0]);
        case FieldType::device: return "a100-sxm-40gb";
        case FieldType::link: return "nvlink-3";
        case FieldType::machine: return field_text(f, s) == "adam-like" ? "xeon-e5-2650" : "adam-like";
        case FieldType::layer: return "fc6";
        case FieldType::layers: return "conv3,fc6";
        case FieldType::words: return "bytes,update";
    }
    return {};
}

}  // namespace

class Fields : public QObject {
    Q_OBJECT
private slots:
    void table_is_well_formed();
    void each_field_sets_itself_and_nothing_else();
    void another_price_has_no_source();
    void key_settings_are_those_of_the_scenario();
    void text_goes_round();
    void numbers_are_in_their_unit();
    void nodes_set_workers();
    void layers_are_named();
    void wrong_values_change_nothing_data();
    void wrong_values_change_nothing();
    void unknown_paths_suggest();
    void percents_go_to_all_shares();
    void changes_are_described_data();
    void changes_are_described();
};

void Fields::table_is_well_formed() {
    std::set<std::string_view> paths, labels;
    for (const Field& f : all_fields()) {
        QVERIFY2(paths.insert(f.path).second, f.path.data());
        QVERIFY2(labels.insert(f.label).second, f.label.data());
        QVERIFY2(!f.label.empty() && f.text.size() > 10 && f.text.back() == '.', f.path.data());
        QVERIFY2(f.path.starts_with("training.") || f.path.starts_with("cluster.") ||
                     f.path.starts_with("parallelism.") || f.path.starts_with("cpu.") || f.path.starts_with("model.") ||
                     f.path.starts_with("reliability."),
                 f.path.data());
        if (f.type == FieldType::choice) QVERIFY2(f.choices.size() >= 2, f.path.data());
        if (f.type == FieldType::integer || f.type == FieldType::number) QVERIFY2(f.least < f.most, f.path.data());
        QCOMPARE(find_field(f.path), &f);
    }
}

void Fields::each_field_sets_itself_and_nothing_else() {
    const Scenario before = example();
    for (const Field& f : all_fields()) {
        Scenario s = before;
        const std::string text = other_text(f, s);
        const auto done = set_field(s, f, text, library().catalogue);
        QVERIFY2(done.has_value(), done ? "" : messages(done.error()).c_str());
        QVERIFY2(!(s == before), f.path.data());
        QCOMPARE(field_text(f, s), text);
        const auto changed = changed_fields(before, s);
        QVERIFY2(changed.size() == 1, f.path.data());
        if (f.derived)
            QCOMPARE(changed.front()->path, std::string_view("cluster.workers"));
        else
            QCOMPARE(changed.front(), &f);
    }
}

/// Where a price comes from is said of that price only.
void Fields::another_price_has_no_source() {
    Scenario s = example();
    QVERIFY(set(s, "cluster.device", "h100-sxm-80gb").has_value());
    const std::string basis = s.cluster.device.price_basis;
    QVERIFY(!basis.empty());
    QVERIFY(set(s, "cluster.device.price_usd_per_hour", "6.88").has_value());
    QCOMPARE(s.cluster.device.price_basis, basis);
    QVERIFY(set(s, "cluster.device.price_usd_per_hour", "2").has_value());
    QCOMPARE(s.cluster.device.price_basis, std::string("set by hand"));
    s.cluster.device.set_price(std::nullopt);
    QVERIFY(s.cluster.device.price_basis.empty());
}

/// The comment of an exported table: what decides its numbers, as --set takes it.
void Fields::key_settings_are_those_of_the_scenario() {
    Scenario s = example();
    QVERIFY(set(s, "training.batch", "96").has_value());
    const std::string gpus = key_settings(s);
    for (const char* part : {"cluster.device=", "cluster.between=", "cluster.inside=", "training.batch=96",
                             "training.precision=", "cluster.workers="})
        QVERIFY2(gpus.find(part) != std::string::npos, gpus.c_str());
    QVERIFY2(gpus.find("cluster.machine") == std::string::npos, gpus.c_str());
    s.model.method = Method::cpu_cluster;
    const std::string cpus = key_settings(s);
    QVERIFY2(cpus.find("cluster.machine=") == 0 && cpus.find("cluster.device") == std::string::npos, cpus.c_str());
}

void Fields::text_goes_round() {
    Scenario s = example();
    QVERIFY(set(s, "cluster.machine", "adam-like").has_value());
    for (const Field& f : all_fields()) {
        Scenario t = s;
        const auto done = set_field(t, f, field_text(f, s), library().catalogue);
        QVERIFY2(done.has_value(), done ? "" : messages(done.error()).c_str());
        QVERIFY2(t == s, f.path.data());
    }
}

void Fields::numbers_are_in_their_unit() {
    Scenario s = example();
    QVERIFY(set(s, "cluster.between.bandwidth_gb_s", "2.5").has_value());
    QCOMPARE(s.cluster.between.bandwidth.value, 2.5e9);
    QVERIFY(set(s, "cluster.between.latency_us", "1.9").has_value());
    QCOMPARE(s.cluster.between.latency.value, 1.9e-6);
    QVERIFY(set(s, "model.compute", "62").has_value());
    QCOMPARE(s.model.compute.value, 0.62);
    QCOMPARE(*field_number(*find_field("model.compute"), s), 62.0);
    QVERIFY(set(s, "model.workspace_mib", "512").has_value());
    QCOMPARE(s.model.workspace.value, 536870912.0);
    QCOMPARE(field_text(*find_field("model.workspace_mib"), s), std::string("512"));
    QVERIFY(set(s, "cluster.device.peak_tflops.fp32", "6.144").has_value());
    QCOMPARE(s.cluster.device.peak_at(Precision::fp32)->value, 6.144e12);
    QVERIFY(set(s, "cluster.device.memory_gb", "").has_value());
    QVERIFY(!s.cluster.device.memory);
    QVERIFY(!field_number(*find_field("cluster.device.memory_gb"), s));
    QVERIFY(set_field(s, *find_field("training.batch"), 255.6).has_value());
    QCOMPARE(s.training.batch, std::int64_t{256});
    QVERIFY(set_field(s, *find_field("model.compute"), 12.5).has_value());
    QCOMPARE(s.model.compute.value, 0.125);
    QVERIFY(!set_field(s, *find_field("model.compute"), std::numeric_limits<double>::quiet_NaN()));
    QVERIFY(set(s, "training.batch", "1e3").has_value());
    QCOMPARE(s.training.batch, std::int64_t{1000});
    QVERIFY(set(s, "training.data_set", " 1281167 ").has_value());
}

void Fields::nodes_set_workers() {
    Scenario s = example();
    s.cluster.devices_per_node = 8;
    QCOMPARE(field_text(*find_field("cluster.nodes"), s), std::string("4"));
    QVERIFY(set(s, "cluster.nodes", "5").has_value());
    QCOMPARE(s.cluster.workers, std::int64_t{40});
    s.cluster.workers = 41;
    QCOMPARE(field_text(*find_field("cluster.nodes"), s), std::string("6"));
    QVERIFY(!set(s, "cluster.nodes", "1000000"));
    QCOMPARE(s.cluster.workers, std::int64_t{41});
}

void Fields::layers_are_named() {
    Scenario s = example();
    QVERIFY(set(s, "training.frozen", "fc6, conv1,conv1").has_value());
    QCOMPARE(field_text(*find_field("training.frozen"), s), std::string("conv1,fc6"));
    QVERIFY(set(s, "training.frozen", "").has_value());
    QVERIFY(s.training.frozen.empty());
    QVERIFY(set(s, "parallelism.recompute_layers", "fc6,conv1,fc6").has_value());
    QCOMPARE(field_text(*find_field("parallelism.recompute_layers"), s), std::string("conv1,fc6"));
    QVERIFY(set(s, "parallelism.cut", "fc7").has_value());
    QVERIFY(!s.parallelism.cut_auto);
    QCOMPARE(field_text(*find_field("parallelism.cut"), s), std::string("fc7"));
    QVERIFY(set(s, "parallelism.cut", "none").has_value());
    QVERIFY(!s.parallelism.cut_auto && s.parallelism.cut == LayerId{});
    QVERIFY(set(s, "parallelism.cut", "automatic").has_value());
    QVERIFY(s.parallelism.cut_auto);
    const auto wrong = set(s, "parallelism.cut", "fc66");
    QVERIFY(!wrong);
    QCOMPARE(messages(wrong.error()),
             std::string("parallelism.cut: AlexNet, one tower has no layer called \"fc66\"; did you mean \"fc6\"?\n"));
    s.workload.clear();
    QVERIFY(!set(s, "parallelism.cut", "fc6"));
}

void Fields::wrong_values_change_nothing_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* path, const char* text, const char* message) {
        QTest::newRow(qPrintable(QString(path) + '=' + text)) << path << text << message;
    };
    row("cluster.workers", "0", "Workers must be a whole number from 1 to 1048576, not \"0\"");
    row("cluster.workers", "-3", "Workers must be");
    row("cluster.workers", "2.5", "Workers must be");
    row("cluster.workers", "many", "Workers must be");
    row("cluster.workers", "", "Workers must be");
    row("cluster.workers", "1e300", "Workers must be");
    row("cluster.workers", "99999999999999999999", "Workers must be");
    row("model.compute", "-1", "from 0 to 100 %");
    row("model.compute", "101", "from 0 to 100 %");
    row("model.compute", "nan", "from 0 to 100 %");
    row("model.compute", "inf", "from 0 to 100 %");
    row("model.compute", "62 %", "from 0 to 100 %");
    row("model.compute", "0,62", "from 0 to 100 %");
    row("cluster.device.memory_bandwidth_gb_s", "", "Memory bandwidth must be a number");
    row("cluster.device.peak_tflops.fp32", "0", "FP32 peak must be a number");
    row("model.overlap_memory", "maybe", "must be true or false");
    row("parallelism.fill", "tensro", "did you mean \"tensor\"?");
    row("parallelism.fill", "x", "use one of data, tensor, pipeline, context.");
    row("cluster.device", "tesla-v100-sxm2-61gb", "did you mean \"tesla-v100-sxm2-16gb\"?");
    row("cluster.between", "carrier pigeon", "There is no link called \"carrier pigeon\"");
    row("training.frozen", "conv1,conv99", "no layer called \"conv99\"");
}

void Fields::wrong_values_change_nothing() {
    QFETCH(QString, path);
    QFETCH(QString, text);
    QFETCH(QString, message);
    const Scenario before = example();
    Scenario s = before;
    const auto done = set(s, path.toStdString(), text.toStdString());
    QVERIFY(!done);
    QVERIFY(s == before);
    QCOMPARE(done.error().size(), std::size_t{1});
    QCOMPARE(QString::fromStdString(done.error().front().where), path);
    QVERIFY2(QString::fromStdString(to_text(done.error().front())).contains(message),
             to_text(done.error().front()).c_str());
}

void Fields::unknown_paths_suggest() {
    Scenario s = example();
    const auto done = set(s, "cluster.worker", "3");
    QVERIFY(!done);
    QCOMPARE(messages(done.error()),
             std::string("There is no field called \"cluster.worker\"; did you mean \"cluster.workers\"?\n"));
}

void Fields::percents_go_to_all_shares() {
    Scenario s = example();
    apply(*library().catalogue.percent("caffe"), s.model);
    for (auto [path, text] : {std::pair("model.compute", "21"), std::pair("model.memory", "21"),
                              std::pair("model.inside", "56"), std::pair("model.between", "56")})
        QCOMPARE(field_text(*find_field(path), s), std::string(text));
}

void Fields::changes_are_described_data() {
    QTest::addColumn<QStringList>("edits");
    QTest::addColumn<QString>("text");
    const auto row = [](const QStringList& edits, const QString& text) {
        QTest::newRow(qPrintable(edits.join(' '))) << edits << text;
    };
    row({}, "");
    row({"cluster.workers=64"}, "Workers 32 → 64");
    row({"cluster.between.bandwidth_gb_s=2.5"}, "Bandwidth between nodes 8.75\u00a0GB/s → 2.5\u00a0GB/s");
    row({"cluster.device=a100-sxm-40gb"}, "Device Titan X (PALEO) → A100 SXM 40GB");
    row({"cluster.inside=nvlink-3"}, "Link inside a node PCIe 3.0, 128 Gb/s (PALEO) → NVLink 3 (A100)");
    row({"parallelism.collective=one_to_all"}, "Collective ring → one to all");
    row({"parallelism.cut=fc6"}, "Cut automatic → fc6");
    row({"model.overlap_memory=true"}, "Overlap memory off → on");
    row({"training.frozen=conv1"}, "Frozen layers");
    row({"cluster.device.memory_gb=24"}, "Device memory 12\u00a0GB → 24\u00a0GB");
    row({"cluster.workers=64", "training.batch=64"}, "2 changes");
    row({"cluster.workers=64", "cluster.devices_per_node=8"}, "Cluster");
}

void Fields::changes_are_described() {
    QFETCH(QStringList, edits);
    QFETCH(QString, text);
    const Scenario before = example();
    Scenario s = before;
    for (const QString& edit : edits)
        QVERIFY(set(s, edit.section('=', 0, 0).toStdString(), edit.section('=', 1).toStdString()).has_value());
    QCOMPARE(QString::fromStdString(describe_change(before, s)), text);
    Scenario other = before;
    other.workload[0].network = *library().network("vgg-16");
    QCOMPARE(describe_change(before, other), std::string("Network AlexNet, one tower → ") + other.network()->name());
}

QTEST_APPLESS_MAIN(Fields)
#include "tst_fields.moc"
