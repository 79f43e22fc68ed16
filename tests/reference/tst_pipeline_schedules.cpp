// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "core/schedule/pipeline_order.hpp"
#include "support_parallel.hpp"

using namespace scalescope;

namespace {

const std::map<std::string, PipelineOrder> orders{{"gpipe", PipelineOrder::fill_drain},
                                                  {"1f1b", PipelineOrder::one_f_one_b},
                                                  {"interleaved", PipelineOrder::interleaved},
                                                  {"zb-h1", PipelineOrder::zero_bubble},
                                                  {"zb-h2", PipelineOrder::zero_bubble_h2}};

/// "1;2;3", or one value for all.
std::vector<double> list(const std::string& text, int count) {
    std::vector<double> all;
    std::istringstream in(text);
    for (std::string one; std::getline(in, one, ';');) all.push_back(std::stod(one));
    if (all.size() == 1) all.resize(static_cast<std::size_t>(count), all[0]);
    return all;
}

}  // namespace

/// Against 4,101 pipelines worked out node by node (tests/data/parallel).
class TestPipelineOrderReference : public QObject {
    Q_OBJECT

private slots:
    void all_rows() {
        const auto csv = support::parallel_csv("pipeline_schedules.csv");
        QCOMPARE(csv.rows.size(), std::size_t{4101});
        for (const auto& row : csv.rows) {
            const PipelineOrder order = orders.at(row["schedule"]);
            PipelineShape shape{static_cast<int>(row.integer("p")), static_cast<int>(row.integer("v")),
                                row.integer("M")};
            shape.group = row["group"].empty() ? shape.devices : row.integer("group");
            QVERIFY2(can_run(order, shape) == (row["legal_in_megatron"] == "1"), row.where().c_str());
            const int stages = shape.stages();
            const auto forward = list(row["f"], stages), backward = list(row["b"], stages),
                       weights = list(row["w"], stages);
            const std::vector<double> message(static_cast<std::size_t>(stages),
                                              shape.devices > 1 ? row.number("comm") : 0.0);
            PipelineRun run;
            run_pipeline(order, shape, {forward, backward, weights, message, message, false}, true, run);
            if (row["status"] == "deadlock") {
                QVERIFY2(std::isinf(run.makespan.value), row.where().c_str());
                continue;
            }
            QVERIFY2(paleo_test::agrees(run.makespan.value, row.number("makespan")), row.where().c_str());
            double span = 0;
            std::vector<double> held;
            for (const auto& d : run.devices) {
                span = std::max(span, d.end - d.start);
                held.push_back(d.most_held);
            }
            QVERIFY2(paleo_test::agrees(span, row.number("span")), row.where().c_str());
            // The pieces on the longest chain add up to it.
            const PipelineChain chain = longest_chain(run.pieces, stages);
            const std::array<std::vector<double>, 5> lengths{forward, backward, weights, message, message};
            double length = 0;
            for (std::size_t kind = 0; kind < chain.size(); ++kind)
                for (std::size_t k = 0; k < chain[kind].size(); ++k) {
                    double one = lengths[kind][k];
                    if (kind == 1 && !splits_backward(order)) one += weights[k];
                    length += one * static_cast<double>(chain[kind][k]);
                }
            QVERIFY2(paleo_test::agrees(length, run.makespan.value), row.where().c_str());
            if (shape.devices <= 8)
                QCOMPARE(held, list(row["peak_sets"], shape.devices));
            else
                QCOMPARE(*std::max_element(held.begin(), held.end()), list(row["peak_sets"], 1)[0]);
        }
    }
};

QTEST_APPLESS_MAIN(TestPipelineOrderReference)
#include "tst_pipeline_schedules.moc"
