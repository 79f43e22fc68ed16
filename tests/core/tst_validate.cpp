// SPDX-License-Identifier: GPL-3.0-or-later
// Published tables: their rows, what their words mean, what is learnt from one row, and how errors are summed up.
#include <QtTest>
#include <cmath>
#include <map>

#include "core/estimate/estimate.hpp"
#include "core/measure/validate/validate.hpp"
#include "support_library.hpp"

using namespace scalescope;
using namespace scalescope::measure;
using support::library;
using support::messages;

namespace {

const std::string header =
    "source,framework,network,device,interconnect,gpus_per_node,workers,batch_per_worker,precision,metric,value,unit,"
    "url,notes\n";

std::vector<PublishedRow> rows_from(const std::string& text) {
    const auto table = formats::parse_csv(text, "t.csv");
    if (!table) qFatal("%s", messages(table.error()).c_str());
    const auto rows = read_published(*table);
    if (!rows) qFatal("%s", messages(rows.error()).c_str());
    return *rows;
}

const Profiles& profiles() {
    static const Profiles all = shipped_profiles().value();
    return all;
}

/// A profile of the tests' own: a link of known speed for what the table calls "wire".
Profiles with_wire() {
    Profile wire;
    wire.when = {{"interconnect", "wire"}};
    wire.set = {
        {"cluster.inside", "pcie-3-x16"}, {"cluster.inside.bandwidth_gb_s", "1"}, {"cluster.inside.latency_us", "0"}};
    wire.sources = {"by hand"};
    return {wire};
}

double rounded(double x) { return std::round(x * 1e6) / 1e6; }

}  // namespace

class TestValidate : public QObject {
    Q_OBJECT

private slots:
    void rows_of_scaling_tables() {
        const auto rows = rows_from(header +
                                    "s,TF,ResNet-50,Tesla K80,eth,8,16,64,fp32,training throughput,100,images/s,u,"
                                    "seq_len=128; grad_accum=4; data=real\n"
                                    "s,TF,ResNet-50,Tesla K80,none,1,1,,fp32,training throughput,0,images/s,u,\n"
                                    "s,TF,ResNet-50,Tesla K80,none,1,1,2.5,fp32,training throughput,3,images/s,u,\n");
        QCOMPARE(rows.size(), std::size_t{3});
        QCOMPARE(rows[0].workers, 16);
        QCOMPARE(rows[0].devices_per_node, 8);
        QCOMPARE(rows[0].batch_per_worker, 64);
        QCOMPARE(rows[0].accumulation, 4);
        QCOMPARE(rows[0].sequence, 128);
        QCOMPARE(rows[0].line, 2);
        QVERIFY(rows[0].wrong.empty());
        QCOMPARE(rows[1].batch_per_worker, 0);
        QCOMPARE(rows[1].wrong, std::string("Its value is not above zero."));
        QVERIFY(QString::fromStdString(rows[2].wrong).contains("no whole number"));
        QCOMPARE(phrases_of(" a; b=1 ;;c "), (std::vector<std::string>{"a", "b=1", "c"}));
    }

    void rows_of_language_tables() {
        const auto rows = rows_from(
            "network,device,gpus,batch_global,micro_batch,seq,tp,pp,metric,value,unit,note\n"
            "n,d,4,64,4,128,1,1,throughput,5,tokens/s,x\n"   // 16 each in four micro-steps
            "n,d,4,64,,128,2,1,throughput,5,tokens/s,\n"     // split by tensor
            "n,d,4,63,3,128,,,throughput,5,tokens/s/GPU,\n"  // 63 are not four equal parts
            "n,d,4,,,,,,throughput,5,tokens/s,\n");
        QCOMPARE(rows[0].batch_per_worker, 4);
        QCOMPARE(rows[0].accumulation, 4);
        QCOMPARE(rows[0].source, std::string("t.csv"));
        QVERIFY(rows[1].wrong.empty());
        QCOMPARE(rows[1].tensor, 2);
        QCOMPARE(rows[1].batch_per_worker, 32);  // of each of two replicas
        QCOMPARE(rows[2].batch_per_worker, 3);
        QCOMPARE(rows[3].batch_per_worker, 0);
    }

    void missing_columns_are_named() {
        const auto table = formats::parse_csv("network,device,val,unit,workers\n", "t.csv");
        const auto rows = read_published(*table);
        QVERIFY(!rows);
        QVERIFY2(messages(rows.error()).find("no figure") != std::string::npos, messages(rows.error()).c_str());
    }

    /// Every profile has a source or says what it assumes, fills cells of columns that exist, and none looks at where a
    /// table comes from.
    void shipped_profiles_fit() {
        QVERIFY(profiles().size() > 10);
        for (const Profile& profile : profiles()) {
            QVERIFY(!profile.set.empty() || !profile.cells.empty());
            QVERIFY(!profile.sources.empty());
            for (const auto& source : profile.sources) QVERIFY2(source.size() > 10, source.c_str());
            for (const auto& condition : profile.when) QVERIFY(condition.first != "source");
            for (const auto& [column, text] : profile.cells) {
                PublishedRow row;
                row.workers = 0;
                QVERIFY2(fill_cell(row, column, text), (column + "=" + text).c_str());
            }
        }
        const std::string begin = R"({"format": "scalescope-profiles", "version": 1, "profiles": )";
        const auto of_source =
            read_profiles(begin + R"([{"when": {"source": "x"}, "set": {"a": "1"}, "sources": ["s"]}]})", "p.json");
        QVERIFY(!of_source);
        QVERIFY(messages(of_source.error()).find("cannot look at \"source\"") != std::string::npos);
    }

    void broken_profiles_say_where() {
        const std::string begin = R"({"format": "scalescope-profiles", "version": 1,)";
        const auto broken = read_profiles(begin +
                                              "\n"
                                              R"("profiles": [{"when": {"url": "x"}, "set": {"a": 1},
                                                 "cells": {"colour": "red"}, "sources": []}]})",
                                          "a.json");
        QVERIFY(!broken);
        const QString text = QString::fromStdString(messages(broken.error()));
        for (const char* says : {"cannot look at \"url\"", "a.json:2", "no column \"colour\"", "value is a text"})
            QVERIFY2(text.contains(says), qPrintable(text));
        QVERIFY(!read_profiles("{", "a.json"));
    }

    void profiles_look_at_cells() {
        PublishedRow row;
        row.framework = "PyTorch 2.1";
        row.notes = "DGX-1; real";
        QVERIFY(meets(row, {{"framework", "pytorch"}, {"notes", "dgx-1"}}));
        QVERIFY(!meets(row, {{"framework", "pytorch"}, {"notes", "DGX-2"}}));
        QVERIFY(meets(row, {}));
        QVERIFY(meets(row, {{"recompute", ""}}) && !meets(row, {{"notes", ""}}));
        row.workers = 4;
        QVERIFY(meets(row, {{"workers", "4"}}) && !meets(row, {{"workers", "40"}}));
        Cluster cluster;
        cluster.inside.id = "nvlink-2";
        QVERIFY(meets(row, {{"inside", "nv"}}, &cluster) && !meets(row, {{"between", "nv"}}, &cluster));
        QVERIFY(!meets(row, {{"inside", "nv"}}));
    }

    /// A step waits for the slowest of its workers, gradients under the backward pass take some of it, a parameter
    /// server's weights come back under nothing, and gradients may travel in another format.
    void what_scaling_costs() {
        auto rows = rows_from(header + "s,f,VGG16,Tesla K80,wire,8,8,32,fp32,throughput,32,images/s,u,\n");
        Scenario s = *validate(rows, library(), with_wire()).value().rows[0].scenario;
        s.parallelism.overlap = Overlap::perfect;
        s.model.compute = s.model.memory = Fraction{0.2};
        const auto plain = estimate(s).value().summary;
        s.model.spread = Fraction{0.02};
        const auto spread = estimate(s).value().summary;
        QCOMPARE(rounded(spread.idle.value),
                 rounded(0.02 * std::sqrt(2 * std::log(8.0)) * (plain.forward + plain.backward).value));
        QCOMPARE(rounded(spread.step.value), rounded((plain.step + spread.idle).value));
        s.model.spread = Fraction{0};
        s.model.interference = Fraction{0.15};
        // 2·7/8·553.430176 MB at 1 GB/s, all of it under the backward pass.
        const double ring = 1.75 * 553.430176e-3;
        QVERIFY(plain.backward.value > ring);
        QCOMPARE(plain.communication.value, 0.0);
        const auto slowed = estimate(s).value().summary;
        QCOMPARE(rounded(slowed.communication.value), rounded(0.15 * ring));
        QCOMPARE(rounded(slowed.hidden.value), rounded(0.85 * ring));
        s.parallelism.gradients = GradientFormat::fp16;
        QCOMPARE(rounded(estimate(s).value().summary.communication.value), rounded(0.075 * ring));
        s.parallelism.gradients = GradientFormat::as_weights;
        s.model.interference = Fraction{0};
        s.parallelism.collective = Collective::parameter_server;
        for (const Overlap overlap : {Overlap::perfect, Overlap::buckets}) {
            s.parallelism.overlap = overlap;
            const auto server = estimate(s).value();
            QVERIFY(server.summary.communication.value >= 0.553430176 && server.summary.communication.value < 0.6);
            double exposed = 0;
            for (const auto& m : server.messages) exposed += m.exposed.value;
            QCOMPARE(rounded(exposed), rounded(server.summary.communication.value));
        }
        s.parallelism.overlap = Overlap::off;
        QCOMPARE(rounded(estimate(s).value().summary.communication.value), rounded(2 * 0.553430176));
        s.cluster.workers = 1;
        QCOMPARE(rounded(estimate(s).value().summary.communication.value), rounded(2 * 0.553430176));
    }

    /// Into the buffer and back, read and written each time: 4·553.430176 MB at a fifth of the memory's 240 GB/s, when
    /// nothing is computed. One worker has nothing to send.
    void copies_of_gradients() {
        auto rows = rows_from(header + "s,f,VGG16,Tesla K80,wire,8,8,32,fp32,throughput,32,images/s,u,\n");
        Scenario s = *validate(rows, library(), with_wire()).value().rows[0].scenario;
        s.model.compute = s.model.memory = Fraction{0.2};
        QCOMPARE(s.cluster.device.memory_bandwidth.value, 240e9);
        const double copies = 4 * 553.430176e6 / (0.2 * 240e9);
        for (const Collective collective : {Collective::ring, Collective::parameter_server})
            for (const Overlap overlap : {Overlap::off, Overlap::buckets, Overlap::perfect})
                for (const double interference : {0.0, 0.15}) {
                    s.parallelism.collective = collective;
                    s.parallelism.overlap = overlap;
                    s.model.interference = Fraction{interference};
                    s.cluster.workers = 8;
                    s.parallelism.copies = false;
                    const auto plain = estimate(s).value();
                    s.parallelism.copies = true;
                    const auto copied = estimate(s).value();
                    QCOMPARE(rounded(copied.summary.communication.value),
                             rounded(plain.summary.communication.value + copies));
                    QCOMPARE(rounded(copied.summary.step.value), rounded(plain.summary.step.value + copies));
                    QCOMPARE(rounded(copied.summary.hidden.value), rounded(plain.summary.hidden.value));
                    double exposed = 0, hidden = 0;
                    for (const auto& m : copied.messages) exposed += m.exposed.value, hidden += m.hidden.value;
                    QCOMPARE(rounded(exposed), rounded(copied.summary.communication.value));
                    QCOMPARE(rounded(hidden), rounded(copied.summary.hidden.value));
                    s.cluster.workers = 1;
                    const double one = estimate(s).value().summary.communication.value;
                    s.parallelism.copies = false;
                    QCOMPARE(one, estimate(s).value().summary.communication.value);
                }
        // Half as many bytes in fp16.
        s.cluster.workers = 8;
        const double plain = estimate(s).value().summary.communication.value;
        s.parallelism.gradients = GradientFormat::fp16;
        const double half = estimate(s).value().summary.communication.value;
        s.parallelism.copies = true;
        QCOMPARE(rounded(estimate(s).value().summary.communication.value), rounded(half + copies / 2));
        QVERIFY(half < plain);
    }

    /// What a table leaves out, or says in words that nobody knows, is assumed and said.
    void what_is_assumed_is_said() {
        const auto rows = rows_from(header +
                                    "s,f,VGG16,Tesla K80,string,2,2,8,fp32,throughput,1,images/s,u,\n"
                                    "s,f,VGG16,V100,,2,2,8,,throughput,1,images/s,u,\n");
        const auto v = validate(rows, library(), profiles()).value();
        const auto says = [&](std::size_t row, const char* words) {
            return std::any_of(v.rows[row].assumed.begin(), v.rows[row].assumed.end(),
                               [&](const std::string& s) { return s.find(words) != std::string::npos; });
        };
        QVERIFY(v.rows[0].predicted && v.rows[1].predicted);
        QVERIFY(says(0, "\"string\" names no link that is known"));
        QVERIFY(says(1, "\"V100\" is read as"));
        QVERIFY(says(1, "Precision fp32"));
        QVERIFY(says(1, "inside a node is assumed"));
    }

    void reasons_are_given() {
        const auto rows = rows_from(header +
                                    "s,f,Nonesuch,Tesla K80,none,1,1,8,fp32,throughput,1,images/s,u,\n"
                                    "s,f,VGG16,Abacus,none,1,1,8,fp32,throughput,1,images/s,u,\n"
                                    "s,f,VGG16,Tesla K80,none,1,1,8,fp3,throughput,1,images/s,u,\n"
                                    "s,f,VGG16,Tesla K80,none,1,1,8,fp32,energy,1,J,u,\n"
                                    "s,f,VGG16,Tesla K80,none,1,1,,fp32,iteration_time,1,s,u,\n"
                                    "s,f,VGG16,Tesla K80,none,1,1,8,fp32,inference throughput,1,images/s,u,\n");
        const auto v = validate(rows, library(), with_wire()).value();
        const char* const says[] = {"\"Nonesuch\"", "\"Abacus\"", "\"fp3\"", "\"J\"", "batch", "inference"};
        for (std::size_t i = 0; i < rows.size(); ++i) {
            QVERIFY(!v.rows[i].predicted);
            QVERIFY2(v.rows[i].reason.find(says[i]) != std::string::npos, v.rows[i].reason.c_str());
        }
        QCOMPARE(v.reasons.size(), rows.size());
        QCOMPARE(v.groups[0].coverage(), 0.0);
    }

    /// VGG-16, one K80, then two over a wire of 1 GB/s: what one measured makes the speed, and the all-reduce of
    /// 138,357,544 gradients of 4 bytes over two workers takes 2·1/2·553.43 MB / 1 GB/s on top.
    void one_row_calibrates() {
        const auto rows = rows_from(header +
                                    "s,f,VGG16,Tesla K80,none,1,1,32,fp32,throughput,32,images/s,u,a; b\n"
                                    "s,f,VGG16,Tesla K80,wire,2,2,32,fp32,throughput,50,images/s,u,a; b\n");
        const auto v = validate(rows, library(), with_wire(), {Calibrate::first_row, {}}).value();
        QVERIFY(v.rows[0].learnt_from);
        QCOMPARE(rounded(*v.rows[0].predicted), 32.0);
        const double step = 1.0 + 553.430176e-3;
        QVERIFY2(v.rows[1].predicted, v.rows[1].reason.c_str());
        QCOMPARE(rounded(*v.rows[1].predicted), rounded(64 / step));
        QCOMPARE(rounded(*v.rows[1].error()), rounded(64 / step / 50 - 1));
        QCOMPARE(*v.rows[1].linear, 64.0);
        QCOMPARE(v.rows[1].evidence, Evidence::calibrated);
        QCOMPARE(v.rows[1].calibrated_on, 1);
        QCOMPARE(v.rows[1].sources, (std::vector<std::string>{"by hand"}));
        // The kept scenario is the one that was priced.
        QCOMPARE(rounded(estimate(*v.rows[1].scenario)->throughput.value), rounded(*v.rows[1].predicted));
        // The row learnt from counts nowhere.
        QCOMPARE(v.groups.size(), std::size_t{2});
        QCOMPARE(v.groups[0].range, std::string("2–8 workers"));
        QCOMPARE(v.groups[1].range, std::string("table"));
        QCOMPARE(v.groups[1].rows, std::size_t{1});
    }

    /// Faster than the data sheet: the peaks themselves grow.
    void speed_has_no_bound() {
        const auto rows = rows_from(header + "s,f,VGG16,Tesla K80,none,1,1,32,fp32,throughput,9000,images/s,u,\n");
        const auto v = validate(rows, library(), with_wire(), {Calibrate::first_row, {}}).value();
        QCOMPARE(rounded(*v.rows[0].predicted), 9000.0);
        QCOMPARE(v.rows[0].scenario->model.compute.value, 0.0);  // nobody set a share: the peak is scaled
        QVERIFY(v.rows[0].scenario->cluster.device.peak_at(Precision::fp32)->value > 4.37e12);
        Scenario s;
        s.cluster.device.peak[1] = FlopsPerSecond{10};
        s.cluster.device.memory_bandwidth = BytesPerSecond{8};
        s.model.compute = Fraction{0.5};
        s.model.memory = Fraction{0.25};
        const Scenario fast = scaled_speed(s, 3.0);
        QCOMPARE(fast.model.compute.value, 1.0);
        QCOMPARE(fast.cluster.device.peak_at(Precision::fp32)->value, 15.0);
        QCOMPARE(fast.model.memory.value, 0.75);
        QCOMPARE(fast.cluster.device.memory_bandwidth.value, 8.0);
    }

    void the_nearest_row_of_one_worker() {
        auto row = [](const char* notes, int workers, int batch) {
            return "s,f,VGG16,Tesla K80,wire,8," + std::to_string(workers) + "," + std::to_string(batch) +
                   ",fp32,throughput,1,images/s,u," + notes + "\n";
        };
        const auto rows = rows_from(header + row("x; y", 1, 64) + row("x; z", 1, 64) + row("x; z", 1, 8) +
                                    row("x; z; 2 nodes", 8, 16) + row("w", 8, 64));
        QCOMPARE(*one_worker_row(rows, 3), std::size_t{2});  // most phrases, then the nearest batch
        QCOMPARE(*one_worker_row(rows, 4), std::size_t{1});  // then the nearest line
        auto other = rows;
        for (auto& r : other)
            if (r.workers == 1) r.precision = "fp16";
        QVERIFY(!one_worker_row(other, 3));
        const auto v = validate(other, library(), with_wire(), {Calibrate::first_row, {}}).value();
        QVERIFY(v.rows[3].reason.find("No row of one worker") == 0);
    }

    /// Every second row teaches; the factor is the middle one, and the others are predicted.
    void halves_teach() {
        const auto rows = rows_from(header +
                                    "s,f,VGG16,Tesla K80,none,1,1,32,fp32,throughput,30,images/s,u,\n"
                                    "s,f,VGG16,Tesla K80,none,1,1,32,fp32,throughput,25,images/s,u,\n"
                                    "s,f,VGG16,Tesla K80,none,1,1,32,fp32,throughput,20,images/s,u,\n");
        const auto v = validate(rows, library(), with_wire(), {Calibrate::split, {}}).value();
        QVERIFY(v.rows[0].learnt_from && !v.rows[1].learnt_from && v.rows[2].learnt_from);
        QCOMPARE(v.rows[1].calibrated_on, 2);
        QCOMPARE(rounded(*v.rows[1].predicted), rounded(std::sqrt(600.0)));
    }

    /// Times of passes go to the image and update nothing.
    void metrics() {
        const Profiles own = with_wire();
        const auto rows =
            rows_from(header +
                      "s,f,InceptionV3,Tesla K80,none,1,1,8,fp32,forward time,1,ms,u,\n"
                      "s,f,InceptionV3,Tesla K80,none,1,1,8,fp32,backward time,1,s,u,\n"
                      "s,f,InceptionV3,Tesla K80,none,1,1,8,fp32,iteration time (forward+backward),1,s,u,\n"
                      "s,f,InceptionV3,Tesla K80,none,1,1,8,fp32,step time,1000000,us,u,\n"
                      "s,f,InceptionV3,Tesla K80,none,1,1,8,fp32,throughput,1,images/s,u,\n"
                      "s,f,InceptionV3,Tesla K80,none,1,1,8,fp32,throughput,1,tokens/s,u,\n");
        const auto v = validate(rows, library(), own, {Calibrate::none, {}}).value();
        std::vector<double> p;
        for (const auto& r : v.rows) {
            QVERIFY2(r.predicted, r.reason.c_str());
            p.push_back(*r.predicted);
        }
        QCOMPARE(rounded(p[0] / 1e3 + p[1]), rounded(p[2]));
        QVERIFY(v.rows[0].scenario->workload[0].passes.to_data && !v.rows[0].scenario->workload[0].passes.update);
        QCOMPARE(rounded(p[4]), rounded(8e6 / p[3]));
        QCOMPARE(rounded(p[5]), rounded(p[4]));  // a sample is what is counted
        // By the roofline of the data sheet, nothing is slower than unhidden traffic.
        QVERIFY(*v.rows[4].roofline > p[4]);
        const auto plain = validate(rows, library(), own, {Calibrate::none, ValidationModel::roofline}).value();
        QCOMPARE(*plain.rows[4].predicted, *v.rows[4].roofline);
    }

    void baselines() {
        // Speedups 2 of 2, 3 of 4, 4 of 8.
        const std::vector<ScalingPoint> points{{2, 2}, {3, 4}, {4, 8}};
        QCOMPARE(rounded(linear_baseline(points).mean), rounded((0 + 1.0 / 3 + 1) / 3));
        // c·(1, 4/3, 2): at c = 3/4 errors 1/4, 0, 1/2; at 1/2: 1/2, 1/3, 0; at 1: 0, 1/3, 1.
        const auto constant = constant_baseline(points);
        QCOMPARE(constant.constant, 0.75);
        QCOMPARE(rounded(constant.mean), 0.25);
        // 2^a, 4^a, 8^a against 2, 3, 4: a = 2/3 hits the last; log 3/log 4 the middle one.
        const auto power = power_baseline(points);
        double least = 1;
        for (int i = 0; i <= 100000; ++i) {
            const double a = i * 1e-5;
            least = std::min(least, (std::abs(std::pow(2, a) / 2 - 1) + std::abs(std::pow(4, a) / 3 - 1) +
                                     std::abs(std::pow(8, a) / 4 - 1)) /
                                        3);
        }
        QVERIFY(std::abs(power.mean - least) < 2e-5);
        QCOMPARE(constant_baseline({}).mean, 0.0);
        QCOMPARE(power_baseline({}).mean, 0.0);
    }

    void summaries() {
        const auto even = summarise_errors({-0.3, 0.1, 0.2, -0.4});
        QCOMPARE(even.rows, std::size_t{4});
        QCOMPARE(rounded(even.mean), 0.25);
        QCOMPARE(rounded(even.median), 0.25);
        QCOMPARE(even.worst, 0.4);
        QCOMPARE(summarise_errors({0.1, -0.5, 0.2}).median, 0.2);
        QCOMPARE(summarise_errors({}).rows, std::size_t{0});
        ValidatedRow r;
        r.row.source = "a:b";
        r.row.value = 2;
        r.row.workers = 2;
        r.predicted = 3;
        r.linear = 4;
        ValidatedRow lost = r;
        lost.predicted.reset();
        lost.reason = "why";
        const auto groups = summarise({r, lost});
        QCOMPARE(groups.size(), std::size_t{2});
        QCOMPARE(groups[0].group, std::string("a"));
        QCOMPARE(groups[0].rows, std::size_t{2});
        QCOMPARE(groups[0].coverage(), 0.5);
        QCOMPARE(groups[0].ours.mean, 0.5);
        QCOMPARE(groups[0].linear->mean, 1.0);
        QCOMPARE(groups[0].constant->mean, 0.0);
    }

    void can_be_cancelled() {
        const auto rows = rows_from(header + "s,f,VGG16,Tesla K80,none,1,1,32,fp32,throughput,30,images/s,u,\n");
        CancelSource cancel;
        double last = 0;
        Watch watch{Progress([&](double share, std::string_view) { last = share; }), cancel.token()};
        QVERIFY(validate(rows, library(), with_wire(), {}, watch));
        QVERIFY(last > 0);
        cancel.cancel();
        QVERIFY(!validate(rows, library(), with_wire(), {}, watch));
    }
};

QTEST_APPLESS_MAIN(TestValidate)
#include "tst_validate.moc"
