// SPDX-License-Identifier: GPL-3.0-or-later
// CPU machines: the rule that the shipped ones follow, their files, and machines from measured threads.
#include <QtTest>

#include "core/formats/catalogue_json.hpp"
#include "core/formats/library.hpp"
#include "core/measure/machines/thread_benchmark.hpp"
#include "core/yan/model.hpp"
#include "support_library.hpp"
#include "support_yan.hpp"

using namespace scalescope;
using support::messages;

namespace {

std::string benchmark_text() {
    std::ifstream in(SCALESCOPE_TEST_DATA "/fit/y1-thread-contention-noise2.csv");
    return {std::istreambuf_iterator<char>(in), {}};
}

/// A benchmark of a machine that is known exactly.
std::string exact_benchmark(const CpuMachine& m, const std::vector<std::int64_t>& threads,
                            const std::vector<double>& kib) {
    std::ostringstream text;
    text.precision(17);
    text << "threads,weight_working_set_kib,time_per_muladd_s\n";
    for (const std::int64_t h : threads)
        for (const double k : kib)
            text << h << ',' << k << ',' << yan::multiply_add(m, h, Bytes{k * 1024}).value << '\n';
    return text.str();
}

bool near(double a, double b, double share) { return std::abs(a / b - 1.0) <= share; }

}  // namespace

class YanMachines : public QObject {
    Q_OBJECT
private slots:
    void shipped_ones_pass() {
        for (const CpuMachine& m : support::library().catalogue.machines) {
            QVERIFY2(yan::check(m).empty(), m.id.c_str());
            QVERIFY2(!m.sources.empty() || !m.unverified.empty(), m.id.c_str());
            QVERIFY(!m.note.empty());
        }
        QVERIFY(support::library().catalogue.machine("worked-example"));
        QVERIFY(support::library().catalogue.machine("adam-like"));
        // The worked example's test states the constants of its own.
        CpuMachine example = *support::library().catalogue.machine("worked-example");
        CpuMachine own = support::example_machine();
        own.id = example.id;
        own.name = example.name;
        own.note = example.note;
        own.sources = example.sources;
        own.unverified = example.unverified;
        QVERIFY(own == example);
    }

    /// docs/decisions/cpu-clusters.md: from a socket's cores, peak, bandwidth and cache.
    void sockets_follow_the_rule() {
        const Catalogue& all = support::library().catalogue;
        int followed = 0;
        for (const CpuMachine& m : all.machines) {
            const Device* socket = all.device(m.id);
            if (!socket) continue;
            ++followed;
            const double cores = static_cast<double>(*socket->multiprocessors);
            const double add = 8.0 * cores / socket->peak_at(Precision::fp32)->value;
            QCOMPARE(m.cores, *socket->multiprocessors);
            QCOMPARE(m.l3.value, std::floor(socket->l2->value / 1e6 * 1048576.0));
            QCOMPARE(m.memory_bandwidth.value, socket->memory_bandwidth.value);
            QVERIFY(near(m.multiply_add_l2.value, add, 1e-3));
            QVERIFY(near(m.multiply_add_l3.value, 1.5 * add, 1e-3));
            QVERIFY(near(m.multiply_add_memory.value, 4.5 * add, 1e-3));
            QVERIFY(near(m.activation.value, 10 * add, 1e-3));
            QVERIFY(near(m.error.value, 10 * add, 1e-3));
            QVERIFY(near(m.update.value, 5 * add, 1e-3));
            QVERIFY(near(m.exponential.value, 100 * add, 1e-3));
            QVERIFY(near(m.server_updates.value, m.memory_bandwidth.value / 190.0, 1e-3));
            QCOMPARE(m.contention, 0.018);
            // What the socket does not vouch for, its machine does not either.
            const auto doubtful = [](const auto& x, const char* field) {
                return std::find(x.unverified.begin(), x.unverified.end(), field) != x.unverified.end();
            };
            QCOMPARE(doubtful(m, "cores"), doubtful(*socket, "multiprocessors"));
            QCOMPARE(doubtful(m, "l3_bytes"), doubtful(*socket, "l2_mb"));
            QCOMPARE(doubtful(m, "memory_bandwidth_gb_s"), doubtful(*socket, "memory_bandwidth_gb_s"));
            for (const char* derived : {"multiply_add_l2_ns", "contention", "memory_gb", "network_gb_s", "latency_us"})
                QVERIFY2(doubtful(m, derived), derived);
            QVERIFY(m.sources == socket->sources);
        }
        QCOMPARE(followed, 7);
    }

    void bad_rows_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* from, const char* to, const char* said) {
            QTest::newRow(to) << QString::fromUtf8(from) << QString::fromUtf8(to) << QString::fromUtf8(said);
        };
        row("\"cores\": 16", "\"cores\": 0", "machines › adam-like › cores");
        row("\"cores\": 16", "\"cores\": 16, \"threads\": 8", "fewer threads than cores");
        row("\"l3_bytes\": 20971520", "\"l3_bytes\": 5", "smaller than the second-level cache");
        row("\"memory_gb\": 98", "\"memory_gb\": 0", "machines › adam-like › memory_gb");
        row("\"memory_gb\": 98", "\"memroy_gb\": 98", "did you mean \"memory_gb\"?");
        row("\"contention\": 0.018", "\"contention\": -1", "machines › adam-like › contention");
        row("\"contention\": 0.018", "\"contention\": \"much\"", "machines › adam-like › contention");
        row("scalescope-machines", "scalescope-devices", "scalescope-devices");
    }
    void bad_rows() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, said);
        const CpuMachine m = *support::library().catalogue.machine("adam-like");
        QString text = QString::fromStdString(formats::write_machines(std::span(&m, 1)));
        QVERIFY(formats::read_machines(text.toStdString(), "m.json").has_value());
        QVERIFY(text.contains(from));
        text.replace(from, to);
        const auto read = formats::read_machines(text.toStdString(), "m.json");
        QVERIFY(!read);
        QVERIFY2(QString::fromStdString(messages(read.error())).contains(said), messages(read.error()).c_str());
    }

    /// The noisy benchmark of tests/data/fit: the reference's constants (scipy, see its README) within half a percent.
    void threads_that_were_measured() {
        const CpuMachine base = *support::library().catalogue.machine("xeon-e5-2690");
        const auto found = measure::machine_from_threads(benchmark_text(), "y1.csv", base, {"ours", "Ours"});
        QVERIFY2(found.has_value(), found ? "" : messages(found.error()).c_str());
        const CpuMachine& m = found->machine;
        QVERIFY(near(m.multiply_add_l2.value, 1.979e-10, 5e-3));
        QVERIFY(near(m.multiply_add_l3.value, 2.981e-10, 5e-3));
        QVERIFY(near(m.multiply_add_memory.value, 8.970e-10, 5e-3));
        QVERIFY(near(m.contention, 0.01886, 2e-2));
        QVERIFY(near(m.memory_bandwidth.value, 37.71e9, 5e-3));
        QVERIFY(near(found->mean_error, 0.0151, 2e-2));
        QCOMPARE(found->runs, std::size_t{77});
        QVERIFY(found->warnings.empty());
        QCOMPARE(m.id, std::string("ours"));
        QCOMPARE(m.cores, base.cores);
        QCOMPARE(m.network.value, base.network.value);
        for (const auto& field : m.unverified) QVERIFY(field != "contention" && field != "multiply_add_l2_ns");
        QVERIFY(m.sources.back().find("fnv1a64:") != std::string::npos);
        const auto back = formats::read_machines(formats::write_machines(std::span(&m, 1)), "ours.json");
        QVERIFY(back.has_value());
        QVERIFY(back->front() == m);
    }

    void threads_that_are_known() {
        CpuMachine m = support::example_machine();
        m.multiply_add_l3 = Seconds{4.5e-10};
        m.contention = 0.05;
        CpuMachine base = support::example_machine();
        const std::vector<double> all{64, 256, 1024, 20480, 40000, 100000};
        const auto found =
            measure::machine_from_threads(exact_benchmark(m, {1, 2, 4, 8, 16}, all), "t.csv", base, {"m", "M"});
        QVERIFY(found.has_value());
        QVERIFY(near(found->machine.multiply_add_l2.value, 2e-10, 1e-6));
        QVERIFY(near(found->machine.multiply_add_l3.value, 4.5e-10, 1e-6));
        QVERIFY(near(found->machine.contention, 0.05, 1e-6));
    }

    /// What no run tells stays the base's, and is said.
    void threads_that_tell_little() {
        const CpuMachine m = support::example_machine();
        CpuMachine base = m;
        base.multiply_add_memory = Seconds{7e-10};
        base.contention = 0.3;
        base.memory_bandwidth = BytesPerSecond{11e9};
        const auto found = measure::machine_from_threads(exact_benchmark(m, {1}, {16, 64, 128, 512, 1024, 4096}),
                                                         "t.csv", base, {"m", "M"});
        QVERIFY2(found.has_value(), found ? "" : messages(found.error()).c_str());
        QVERIFY(near(found->machine.multiply_add_l2.value, 2e-10, 1e-6));
        QCOMPARE(found->machine.multiply_add_memory.value, 7e-10);
        QCOMPARE(found->machine.contention, 0.3);
        QCOMPARE(found->machine.memory_bandwidth.value, 11e9);
        const std::string all = messages(found->warnings);
        for (const char* part : {"the time in memory", "how threads slow each other", "the bandwidth of memory"})
            QVERIFY2(all.find(part) != std::string::npos, all.c_str());
    }

    void tables_that_are_none() {
        const CpuMachine base = support::example_machine();
        for (const char* text : {"", "a,b\n1,2\n", "threads,weight_working_set_kib,time_per_muladd_s\n",
                                 "threads,weight_working_set_kib,time_per_muladd_s\none,2,3e-10\n",
                                 "threads,time_per_muladd_s\n1,3e-10\n2,3e-10\n"}) {
            const auto found = measure::machine_from_threads(text, "t.csv", base, {"m", "M"});
            QVERIFY2(!found.has_value(), text);
            for (const Problem& p : found.error()) QVERIFY(!p.what.empty());
        }
    }
};

QTEST_APPLESS_MAIN(YanMachines)
#include "tst_yan_machines.moc"
