// SPDX-License-Identifier: GPL-3.0-or-later
// Times of operators corrected by measured ones, worked out by hand, and what `predict` writes of them.
#include <QtTest>
#include <cmath>
#include <map>

#include "core/formats/library.hpp"
#include "core/measure/kineto/reader.hpp"
#include "core/measure/operators/times.hpp"
#include "core/measure/transfer/predict.hpp"
#include "core/measure/transfer/tables.hpp"
#include "core/measure/transfer/work.hpp"

using namespace scalescope;
using namespace scalescope::transfer;
using transfer::Passes;
using transfer::Work;

namespace {

const formats::Library& library() {
    static const formats::Library shipped = formats::load_shipped();
    return shipped;
}
const Device& device(const char* id) { return *library().catalogue.device(id); }
bool close(double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); }

constexpr const char *v100 = "tesla-v100-sxm2-32gb", *a100 = "a100-sxm-40gb";

/// Levels alone: twice as long on a V100, half as long again on any other, whatever the shape.
OperatorCorrection twice_on_a_v100(const std::string& kind, std::size_t features, const std::string& pass = "forward") {
    OperatorCorrection c;
    c.kind = kind;
    c.pass = pass;
    c.precision = "fp32";
    c.points = 1234;
    c.devices = {v100};
    c.levels = {std::log(2.0)};
    c.level = std::log(1.5);
    const double far = 1e9;
    c.features.assign(features, {0.0, 1.0, 0.0, -far, far});
    return c;
}
Corrections corrections(std::vector<OperatorCorrection> operators) {
    Calibration calibration;
    calibration.name = "ours";
    calibration.operators = std::move(operators);
    auto read = Corrections::from(calibration);
    if (!read) qFatal("%s", to_text(read.error().front()).c_str());
    return std::move(*read);
}

const operators::Matmul product{4096, 4096, 4096, 1};
Work work_of(transfer::Shape shape, Passes passes) {
    Work w;
    w.shape = shape;
    w.passes = passes;
    w.source = ShapeSource::recorded;
    return w;
}
Seconds plain(const char* id, operators::Pass pass = operators::Pass::forward) {
    auto chip = *operators::chip_of(device(id), Precision::fp32);
    chip.launch = kernel_start;
    return operators::time_of(product, chip, pass).total;
}

/// One product of 10 ms on a V100.
kineto::Trace one_product(const std::string& more = {}) {
    auto read = kineto::parse_trace(R"({"deviceProperties":[{"id":0,"name":"Tesla V100-SXM2-32GB","numSms":80}],
        "traceEvents":[
        {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":10,"dur":8,"args":{"External id":1}},
        {"ph":"X","cat":"kernel","name":"volta_sgemm_128x64_nn","pid":0,"tid":7,"ts":20,"dur":10000,
         "args":{"External id":1,"grid":[1000,1,1],"block":[256,1,1],"registers per thread":32}})" +
                                        more + "]}",
                                    "trace.json");
    if (!read) qFatal("%s", to_text(read.error().front()).c_str());
    return std::move(*read);
}

std::string cell(const FigureTable& table, std::size_t row, const std::string& column) {
    for (std::size_t c = 0; c < table.columns.size(); ++c)
        if (table.columns[c] == column) return std::get<std::string>(table.rows.at(row).at(c));
    qFatal("no column %s", column.c_str());
}

}  // namespace

class TestTransferCorrections : public QObject {
    Q_OBJECT

private slots:
    void times_by_levels() {
        const auto c = corrections({twice_on_a_v100("matmul", 20), twice_on_a_v100("matmul", 20, "input_gradient")});
        QCOMPARE(c.points(), std::size_t{2468});
        const Work forward = work_of(product, {true, false, false});
        const auto here = c.time(forward, device(v100), Precision::fp32);
        QVERIFY(here && here->inside);
        QCOMPARE(here->points, std::size_t{1234});
        QVERIFY(close(here->time.value, 2.0 * plain(v100).value));
        const auto there = c.time(forward, device(a100), Precision::fp32);
        QVERIFY(there && !there->inside);  // nobody measured on one
        QVERIFY(close(there->time.value, 1.5 * plain(a100).value));
        // Passes add up; one that nobody measured leaves the operation as it is, and so does another precision.
        const auto both = c.time(work_of(product, {true, true, false}), device(v100), Precision::fp32);
        QVERIFY(both);
        QVERIFY(
            close(both->time.value, 2.0 * (plain(v100).value + plain(v100, operators::Pass::input_gradient).value)));
        QVERIFY(!c.time(work_of(product, {false, true, true}), device(v100), Precision::fp32));
        QVERIFY(!c.time(forward, device(v100), Precision::fp16));
        QVERIFY(!c.time(work_of(operators::Elementwise{100, 100}, {}), device(v100), Precision::fp32));
    }

    void shapes_beyond_what_was_measured() {
        auto narrow = twice_on_a_v100("matmul", 20);
        narrow.features[8].low = std::log(16.0), narrow.features[8].high = std::log(64.0);  // k
        const auto c = corrections({narrow});
        const auto beyond = c.time(work_of(product, {true, false, false}), device(v100), Precision::fp32);
        QVERIFY(beyond && !beyond->inside);
    }

    /// (what the model says there, corrected) · (measured / what it says here, corrected)^0.85.
    void both_sides_are_corrected() {
        const auto trace = one_product();
        const auto digest = kineto::digest(trace);
        const Works works{work_of(product, {true, false, false})};
        const Gpu from = *gpu_of(trace, library().catalogue), to = *gpu_of(device(a100));
        const auto c = corrections({twice_on_a_v100("matmul", 20)});
        Options options;
        options.corrections = &c;
        const auto p = predict(trace, digest, works, from, to, options);
        const auto& o = p.operations.front();
        QVERIFY(o.rule == Rule::corrected_model);
        const double there = 1.5 * plain(a100).value, here = 2.0 * plain(v100).value;
        QVERIFY(close(o.predicted.value, there * std::pow(0.01 / here, 0.85)));
        QCOMPARE(evidence_of(o), std::string("corrected on 1,234 points, outside of what was measured"));
        // What the ratio lacks on one side, it lacks.
        options.fp16 = true;
        const auto halves = predict(trace, digest, works, from, to, options);
        QVERIFY(halves.operations.front().rule == Rule::operator_model);
        QCOMPARE(evidence_of(halves.operations.front()), std::string("the model's time there: other units multiply"));
    }

    void operations_say_their_evidence() {
        const auto trace = one_product();
        const auto digest = kineto::digest(trace);
        const Works works{work_of(product, {true, false, false})};
        const Gpu from = *gpu_of(trace, library().catalogue), to = *gpu_of(device(a100));
        auto table = operations_header();
        add_operations(table, trace, digest, works, to, predict(trace, digest, works, from, to));
        add_operations(table, trace, digest, works, from, predict(trace, digest, works, from, from));
        add_operations(table, trace, digest, Works(1), to, predict(trace, digest, Works(1), from, to));
        QCOMPARE(table.rows.size(), std::size_t{3});
        for (const auto& row : table.rows) QCOMPARE(row.size(), table.columns.size());
        QCOMPARE(cell(table, 0, "rule"), std::string("operator model"));
        QCOMPARE(cell(table, 0, "evidence"), std::string("ratio of the model's times on both GPUs"));
        QCOMPARE(cell(table, 1, "evidence"), std::string("the same GPU"));
        QCOMPARE(cell(table, 2, "rule"), std::string("wave scaling"));
        QCOMPARE(cell(table, 2, "evidence"), std::string("kernel by kernel, by the GPUs' bandwidths and waves"));
    }

    /// 3 ms of NCCL, of which 1 runs beside the product.
    void communication_is_kept_apart() {
        const auto trace = one_product(R"(,{"ph":"X","cat":"kernel","name":"ncclKernel_AllReduce_RING_LL_Sum_float",
            "pid":0,"tid":9,"ts":9020,"dur":3000,"args":{"grid":[2,1,1],"block":[512,1,1]}})");
        const auto digest = kineto::digest(trace);
        const Communication c = communication_of(digest);
        QVERIFY(close(c.total.value, 3e-3) && close(c.overlapped.value, 1e-3) && close(c.exposed.value, 2e-3));
        const Gpu from = *gpu_of(trace, library().catalogue), to = *gpu_of(device(a100));
        auto table = summary_header();
        add_summary(table, digest, from, to, predict(trace, digest, Works(digest.operations.size()), from, to));
        std::map<std::string, std::pair<double, double>> rows;
        for (std::size_t r = 0; r < table.rows.size(); ++r)
            if (cell(table, r, "part") == "communication") {
                rows[cell(table, r, "name")] = {std::get<double>(table.rows[r][4]), std::get<double>(table.rows[r][5])};
                QCOMPARE(cell(table, r, "rules"), std::string("as measured"));
            }
        QCOMPARE(rows.size(), std::size_t{3});
        QVERIFY(close(rows["NCCL"].first, 3.0) && close(rows["NCCL"].second, 3.0));
        QVERIFY(close(rows["exposed"].second, 2.0) && close(rows["overlapped"].second, 1.0));
        QVERIFY(!communication_of(kineto::digest(one_product())));
    }

    void calibrations_without_operators_are_refused() {
        Calibration constants;
        constants.name = "of steps";
        const auto none = Corrections::from(constants);
        QVERIFY(!none);
        QCOMPARE(none.error().front().what, std::string("The calibration \"of steps\" corrects no operators."));
        Calibration old;
        old.operators = {twice_on_a_v100("matmul", 19)};
        QVERIFY(!Corrections::from(old));
    }
};

QTEST_APPLESS_MAIN(TestTransferCorrections)
#include "tst_transfer_corrections.moc"
