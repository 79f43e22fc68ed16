// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/paleo/price.hpp"
#include "reference/support_paleo.hpp"

#include <QTest>
#include <set>

using namespace scalescope;
using namespace scalescope::paleo;
using paleo::Layer;
using paleo::Pass;

namespace {

AlgorithmChoice choice(Pass pass, Algorithm algorithm) {
    AlgorithmChoice result;
    result.passes[index(pass)] = algorithm;
    return result;
}

}  // namespace

class TestPaleoProfile : public QObject {
    Q_OBJECT

private slots:
    void gemm_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("rows");
        QTest::newRow("profile_gemm") << "profile_gemm" << 2000;
        QTest::newRow("profile_gemm_ppp") << "profile_gemm_ppp" << 136;
        QTest::newRow("synthetic_profile_gemm") << "synthetic_profile_gemm" << 88;
    }

    void gemm() {
        QFETCH(QString, file);
        QFETCH(int, rows);
        int checked = 0;
        for (const auto& row : paleo_test::csv(file.toStdString()).rows) {
            const auto& net = paleo_test::net(row["net"]);
            const auto& plan = paleo_test::plan(row["net"], Era::head);
            const auto place = static_cast<std::size_t>(row.integer("index"));
            const Layer& layer = net.layers[place];
            QCOMPARE(layer.name, row["layer"]);
            QCOMPARE(priced_as(layer), row["paleo_layertype"]);
            QCOMPARE(paleo_test::joined(layer.output, row.integer("batch")), row["outputs_nhwc"]);
            QCOMPARE(layer.parameters, row.integer("num_params"));
            const auto rates = make_rates(plan.method, paleo_test::setup(row));
            const auto cost = price_layer(plan, plan.layers[place], rates, row.number("batch"));
            const std::array names{"fwd", "bwd_data", "bwd_filter"};
            for (const Pass pass : passes) {
                const std::string name = names[index(pass)];
                const auto& part = cost[pass];
                PALEO_AGREES(row, name + "_flops", part.flops.value);
                PALEO_AGREES(row, name + "_bytes", part.bytes.value);
                PALEO_AGREES(row, name + "_comp_ms", in_milliseconds(part.compute));
                PALEO_AGREES(row, name + "_mem_ms", in_milliseconds(part.memory));
                PALEO_AGREES(row, name + "_total_ms", in_milliseconds(part.total()));
            }
            PALEO_AGREES(row, "bwd_total_ms", in_milliseconds(cost.backward(false)));
            PALEO_AGREES(row, "bwd_pipelined_ms", in_milliseconds(cost.backward(true)));
            ++checked;
        }
        qInfo("%d rows", checked);
        QCOMPARE(checked, rows);
    }

    void forced_algorithm_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("winograd");
        QTest::newRow("profile_forced_algo") << "profile_forced_algo" << 1606 << 176;
        QTest::newRow("synthetic_profile_forced_algo") << "synthetic_profile_forced_algo" << 88 << 12;
    }

    /// Named exception: Winograd, which PALEO prices at zero. It is refused here, so those rows check the refusal (with
    /// a 1×1 filter PALEO ignores the algorithm: then the row is checked like any other).
    void forced_algorithm() {
        QFETCH(QString, file);
        QFETCH(int, rows);
        QFETCH(int, winograd);
        int checked = 0, refused = 0;
        const std::map<std::string, Pass> pass_of{
            {"fwd", Pass::forward}, {"bwd_data", Pass::data_gradient}, {"bwd_filter", Pass::filter_gradient}};
        for (const auto& row : paleo_test::csv(file.toStdString()).rows) {
            ++checked;
            const auto& net = paleo_test::net(row["net"]);
            const auto place = static_cast<std::size_t>(row.integer("index"));
            const Layer& layer = net.layers[place];
            QCOMPARE(layer.name, row["layer"]);
            QCOMPARE(layer.filter[0] == 1 && layer.filter[1] == 1, row["is_1x1_gemm_override"] == "1");
            const Pass pass = pass_of.at(row["pass"]);
            const auto algorithm = algorithm_of(pass, static_cast<int>(row.integer("algo_enum")), Era::head);
            const bool is_winograd = row["algo"].find("WINOGRAD") != std::string::npos;
            QCOMPARE(algorithm.has_value(), !is_winograd);
            if (is_winograd && row["is_1x1_gemm_override"] == "0") {
                QVERIFY(row.number("total_ms") == 0.0);
                ++refused;
                continue;
            }
            const std::vector<AlgorithmChoice> choices(net.layers.size(),
                                                       choice(pass, algorithm.value_or(Algorithm::fft)));
            const auto plan = make_plan(net, {}, choices);
            const auto rates = make_rates(plan.method, paleo_test::setup(row));
            const auto cost = price_pass(plan, plan.layers[place].passes[index(pass)], rates, row.number("batch"));
            PALEO_AGREES(row, "comp_ms", in_milliseconds(cost.compute));
            PALEO_AGREES(row, "mem_ms", in_milliseconds(cost.memory));
            PALEO_AGREES(row, "total_ms", in_milliseconds(cost.total()));
        }
        qInfo("%d rows, %d of them Winograd, which is refused", checked, refused);
        QCOMPARE(checked, rows);
        QCOMPARE(refused, winograd);
    }
};

QTEST_APPLESS_MAIN(TestPaleoProfile)
#include "tst_paleo_profile.moc"
