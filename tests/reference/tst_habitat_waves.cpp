// SPDX-License-Identifier: GPL-3.0-or-later
// Occupancy and wave scaling against Habitat's own results and those of its successor.
#include "support_habitat.hpp"

using namespace scalescope;
using namespace scalescope::habitat;
using habitat::Device;
using habitat_test::Inputs;

namespace {

constexpr double tolerance = 1e-12;

/// What a row of the files says about one rule.
bool agrees(const habitat::Transfer& found, std::string_view expected) {
    if (expected == "error:AttributeError") return !found.time && found.outcome == Outcome::no_metrics;
    if (expected == "error:ZeroDivisionError")
        return !found.time &&
               (found.outcome == Outcome::cannot_run_there || found.outcome == Outcome::cannot_have_run_here);
    return found.time && found.outcome == Outcome::scaled &&
           habitat_test::close(found.time->value, habitat_test::number(expected), tolerance);
}

}  // namespace

class TestHabitatWaves : public QObject {
    Q_OBJECT

    static void editions() {
        QTest::addColumn<bool>("deepview");
        QTest::addColumn<int>("rows");
    }

private slots:
    void blocks_data() {
        editions();
        QTest::newRow("habitat") << false << 1560;
        QTest::newRow("deepview") << true << 2925;
    }
    void blocks() {
        QFETCH(bool, deepview);
        QFETCH(int, rows);
        const Inputs in(deepview);
        const auto name = in.prefix + "occupancy.csv";
        const auto cases = habitat_test::need(read_occupancy_cases(habitat_test::text(name), name, in.devices));
        const auto expected = habitat_test::table(name);
        QCOMPARE(static_cast<int>(cases.size()), rows);
        const auto blocks = *expected.column("blocks_per_sm"), wave = *expected.column("wave_size");
        for (std::size_t i = 0; i < cases.size(); ++i) {
            const Device& device = in.devices[cases[i].device];
            const auto found = occupancy(cases[i].demand(), device, in.edition);
            const auto where = to_text(Problem{Severity::error, "differs", {}, {}, expected.at(i, 0)});
            QVERIFY2(std::to_string(found.blocks) == expected.cell(i, blocks), where.c_str());
            QVERIFY2(std::to_string(found.blocks * device.processors) == expected.cell(i, wave), where.c_str());
        }
    }

    void times_data() {
        editions();
        QTest::newRow("habitat") << false << 2500;
        QTest::newRow("deepview") << true << 1800;
    }
    void times() {
        QFETCH(bool, deepview);
        QFETCH(int, rows);
        const Inputs in(deepview);
        const auto name = in.prefix + "wave_scaling.csv";
        const auto cases = habitat_test::need(read_scale_cases(habitat_test::text(name), name, in.kernels, in.devices));
        const auto expected = habitat_test::table(name);
        QCOMPARE(static_cast<int>(cases.size()), rows);
        for (std::size_t i = 0; i < cases.size(); ++i) {
            const auto cell = [&](std::string_view column) { return expected.cell(i, *expected.column(column)); };
            const Kernel& kernel = in.kernels[cases[i].kernel];
            const Device& origin = in.devices[cases[i].origin];
            const Device& destination = in.devices[cases[i].destination];
            const Waves w = waves(kernel, origin, destination, in.registers, in.edition);
            const auto where = to_text(Problem{Severity::error, "differs", {}, {}, expected.at(i, 0)});
            QVERIFY2((w.destination_registers ? std::to_string(*w.destination_registers) : "") ==
                         cell("dest_registers_lookup"),
                     where.c_str());
            QVERIFY2(std::to_string(w.origin.blocks) == cell("origin_blocks_per_sm"), where.c_str());
            QVERIFY2(std::to_string(w.destination.blocks) == cell("dest_blocks_per_sm"), where.c_str());
            QVERIFY2(std::to_string(w.origin_wave) == cell("origin_wave_size"), where.c_str());
            QVERIFY2(std::to_string(w.destination_wave) == cell("dest_wave_size"), where.c_str());
            QVERIFY2((w.small ? *w.small ? "1" : "0" : "") == cell("small_kernel"), where.c_str());
            QVERIFY2(w.gamma.has_value() == !cell("gamma").empty(), where.c_str());
            if (w.gamma) QVERIFY2(std::abs(*w.gamma - habitat_test::number(cell("gamma"))) <= tolerance, where.c_str());
            const auto by = [&](Rule rule) { return transfer(kernel, origin, destination, w, rule, in.edition); };
            QVERIFY2(agrees(by(Rule::unified), cell("unified_ns")), where.c_str());
            QVERIFY2(agrees(by(Rule::roofline), cell("roofline_ns")), where.c_str());
            QVERIFY2(agrees(by(Rule::resimplified), cell("resimplified_ns")), where.c_str());
        }
    }

    void the_papers_general_form() {
        // By hand: blocks of 256 threads and 32 registers fill 8 to a processor of a V100 (64 warps) and 4 to one of a
        // T4 (32 warps), waves of 640 and 160. 1,600 blocks are 3 rounds here and 10 there.
        const Inputs in(false);
        Kernel kernel;
        kernel.name = "k";
        kernel.blocks = 1600;
        kernel.block_size = 256;
        kernel.registers = 32;
        kernel.time = Nanoseconds{1000};
        const Device& v100 = in.device("V100");
        const Device& t4 = in.device("T4");
        auto w = waves(kernel, v100, t4, in.registers, in.edition);
        QCOMPARE(w.origin_wave, 640);
        QCOMPARE(w.destination_wave, 160);
        const auto bound_by_memory = transfer(kernel, v100, t4, w, Rule::paper, in.edition);
        QVERIFY(habitat_test::close(bound_by_memory.time->value, 1000.0 * 10 * (739.0 / 239.0 * 0.25) / 3, 1e-12));
        kernel.metrics = Metrics{Fraction{0.5}, Bytes{0}, Bytes{0}};  // no traffic: bound by computing
        w = waves(kernel, v100, t4, in.registers, in.edition);
        QCOMPARE(*w.gamma, 0.0);
        const auto bound_by_computing = transfer(kernel, v100, t4, w, Rule::paper, in.edition);
        QVERIFY(habitat_test::close(bound_by_computing.time->value, 1000.0 * 10 * (1312.0 / 585.0) / 3, 1e-12));
        QVERIFY(bound_by_computing.used == Rule::paper);
    }

    void above_48_kib_the_opt_in_limit_holds() {
        const Inputs in(true);
        const Device& a100 = in.device("A100");
        const BlockDemand demand{256, 32, 64 * 1024};
        QCOMPARE(occupancy(demand, a100, Edition::deepview).blocks, 0);
        QVERIFY(occupancy(demand, a100, Edition::deepview).limit == OccupancyLimit::shared);
        QCOMPARE(occupancy(demand, a100, Edition::corrected).blocks, 2);  // of 164 KiB
        QCOMPARE(occupancy({256, 32, 164 * 1024}, a100, Edition::corrected).blocks, 0);
        QCOMPARE(occupancy({256, 32, 40 * 1024}, a100, Edition::corrected).blocks,
                 occupancy({256, 32, 40 * 1024}, a100, Edition::deepview).blocks);
    }

    void a_kernel_that_cannot_run_is_reported() {
        const Inputs in(true);
        Kernel kernel;
        kernel.name = "k";
        kernel.blocks = 10;
        kernel.block_size = 1024;
        kernel.registers = 255;  // 255 · 1,024 are more than 65,536
        kernel.time = Nanoseconds{1000};
        const Device& a100 = in.device("A100");
        const Device& h100 = in.device("H100");
        const auto w = waves(kernel, a100, h100, in.registers, Edition::corrected);
        QVERIFY(!w.small && w.origin_wave == 0 && w.origin.limit == OccupancyLimit::registers);
        for (const Rule rule : {Rule::unified, Rule::resimplified, Rule::paper}) {
            const auto found = transfer(kernel, a100, h100, w, rule, Edition::corrected);
            QVERIFY(!found.time && found.outcome == Outcome::cannot_have_run_here);
        }
        QVERIFY(transfer(kernel, a100, h100, w, Rule::unified, Edition::corrected).used == Rule::resimplified);
    }

    void registers_of_the_newest_architecture_not_newer() {
        RegisterTable registers;
        registers.add("k", 60, 24);
        registers.add("k", 75, 40);
        registers.add("k", 75, 41);  // the first counts
        QVERIFY(!registers.find("k", {5, 2}) && !registers.find("l", {7, 5}));
        QCOMPARE(registers.find("k", {7, 0}), std::optional<std::int64_t>(24));
        QCOMPARE(registers.find("k", {7, 5}), std::optional<std::int64_t>(40));
        QCOMPARE(registers.find("k", {9, 0}), std::optional<std::int64_t>(40));
    }
};

QTEST_APPLESS_MAIN(TestHabitatWaves)
#include "tst_habitat_waves.moc"
