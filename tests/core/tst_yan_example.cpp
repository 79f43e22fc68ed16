// SPDX-License-Identifier: GPL-3.0-or-later
// The worked example of the method after Yan et al. (KDD 2015), every figure of it, to as many digits as are printed.
#include <QtTest>

#include "core/yan/optimize.hpp"
#include "support_yan.hpp"

using namespace scalescope;
using namespace scalescope::yan;

namespace {

/// Equal in the digits that are printed: `unit` is one of the last.
bool printed(double value, double figure, double unit) { return std::abs(value - figure) <= 0.5000001 * unit; }

PreparedNetwork example_of(bool alexnet) {
    return prepare(alexnet ? *support::example_alexnet() : *support::example_mnist(), support::example_machine(),
                   support::as_printed());
}

Configuration on(std::int64_t partitions, std::int64_t replicas, std::int64_t servers, std::int64_t threads) {
    Configuration c;
    c.partitions = partitions;
    c.replicas = replicas;
    c.servers = servers;
    c.threads = threads;
    return c;
}

}  // namespace

class YanExample : public QObject {
    Q_OBJECT
private slots:
    void sizes_of_the_networks() {
        const auto sums = [](const PreparedNetwork& p) {
            double adds = 0.0;
            for (const LayerWork& w : p.list.layers) adds += w.forward_adds;
            return std::pair(adds, p.weights.value);
        };
        QCOMPARE(sums(example_of(false)), std::pair(2'293'000.0, 431'080.0));
        QCOMPARE(sums(example_of(true)), std::pair(1'220'620'832.0, 147'763'921.0));
    }

    void times_of_a_sample_data() {
        QTest::addColumn<bool>("alexnet");
        QTest::addColumn<int>("partitions");
        QTest::addColumn<int>("threads");
        QTest::addColumn<double>("forward");
        QTest::addColumn<double>("backward");
        QTest::addColumn<double>("update");
        QTest::addColumn<double>("unit");
        QTest::addColumn<double>("throughput");
        const auto row = [](bool alexnet, int p, int h, double f, double b, double w, double unit, double x) {
            QTest::addRow("%s P %d H %d", alexnet ? "AlexNet-22K" : "MNIST", p, h)
                << alexnet << p << h << f << b << w << unit << x;
        };
        row(false, 1, 1, 5.585000e-04, 4.788000e-04, 9.296800e-04, 1e-10, 0);
        row(false, 1, 8, 6.213236e-04, 5.343660e-04, 9.925036e-04, 1e-10, 0);
        row(false, 1, 16, 6.931220e-04, 5.978700e-04, 1.064302e-03, 1e-9, 0);
        row(true, 1, 1, 4.456013e-01, 4.236790e-01, 5.898007e-01, 1e-7, 0.685);
        row(true, 1, 16, 6.428784e-01, 6.152636e-01, 7.870777e-01, 1e-7, 7.823);
        row(true, 2, 16, 3.259921e-01, 3.118496e-01, 3.935388e-01, 1e-7, 15.513);
        row(true, 4, 16, 1.605050e-01, 1.532362e-01, 1.913034e-01, 1e-7, 31.680);
        row(true, 8, 16, 7.722815e-02, 7.341121e-02, 8.950236e-02, 1e-8, 66.627);
    }
    void times_of_a_sample() {
        QFETCH(bool, alexnet);
        QFETCH(int, partitions);
        QFETCH(int, threads);
        QFETCH(double, forward);
        QFETCH(double, backward);
        QFETCH(double, update);
        QFETCH(double, unit);
        QFETCH(double, throughput);
        const PreparedNetwork prepared = example_of(alexnet);
        Scratchpad scratch;
        const Score s = score(prepared, on(partitions, 1, 1, threads), scratch);
        QVERIFY2(printed(s.sample.forward.value, forward, unit), qPrintable(QString::number(s.sample.forward.value)));
        QVERIFY2(printed(s.sample.backward.value, backward, unit),
                 qPrintable(QString::number(s.sample.backward.value)));
        QVERIFY2(printed(s.sample.update.value, update, unit), qPrintable(QString::number(s.sample.update.value)));
        if (throughput > 0) QVERIFY(printed(s.replica_throughput.value, throughput, 1e-3));
    }

    void epochs_of_mnist() {
        Configuration c = on(1, 4, 1, 8);
        c.exchange_every = 32;
        c.samples = Samples{60000};
        const auto e = evaluate(example_of(false), c);
        QVERIFY(e.has_value());
        QVERIFY(printed(e->asynchronous.time.value, 4.041375, 1e-6));
        QCOMPARE(e->asynchronous.binding, Resource::server_cpu);
        QVERIFY(printed(e->score.load.server_cpu.value, 2.1554e-3, 1e-7));
        QVERIFY(printed(e->synchronous.time.value, 11.87181225, 1e-8));
        QCOMPARE(e->score.epoch.time, e->asynchronous.time);
    }

    void epochs_of_alexnet() {
        Configuration c = on(4, 4, 4, 16);
        c.exchange_every = 256;
        c.samples = Samples{14.2e6};
        const auto e = evaluate(example_of(true), c);
        QVERIFY(e.has_value());
        QVERIFY(printed(e->asynchronous.time.value, 112056.75, 1e-2));
        QCOMPARE(e->asynchronous.binding, Resource::compute);
        QVERIFY(printed(e->synchronous.time.value, 131380.73, 1e-2));
        // Σ of the synchronous parts is the epoch.
        double sum = 0.0;
        for (const Seconds s : e->synchronous.terms) sum += s.value;
        QVERIFY(std::abs(sum - e->synchronous.time.value) < 1e-6);
    }

    void search_data() {
        QTest::addColumn<bool>("synchronous");
        QTest::addColumn<QString>("first");
        QTest::newRow("asynchronous") << false
                                      << "1,19,1,16 95533.28; 16,1,1,16 97120.74; 16,1,2,16 97120.74; "
                                         "16,1,3,16 97120.74; 16,1,4,16 97120.74";
        QTest::newRow("synchronous") << true
                                     << "16,1,4,16 116447.21; 16,1,3,16 122888.26; 8,2,4,16 125887.70; "
                                        "4,4,4,16 131380.73";
    }
    void search() {
        QFETCH(bool, synchronous);
        QFETCH(QString, first);
        ClusterSpace space;
        space.machines = 20;
        space.base.exchange_every = 256;
        space.base.samples = Samples{14.2e6};
        space.base.synchronous = synchronous;
        const PreparedNetwork prepared = example_of(true);
        const auto found = optimize(prepared, space);
        QVERIFY(found.has_value());
        const QStringList wanted = first.split(QStringLiteral("; "));
        for (qsizetype i = 0; i < wanted.size(); ++i) {
            const Ranked& r = found->best[static_cast<std::size_t>(i)];
            const Configuration& c = r.configuration;
            const QString is = QStringLiteral("%1,%2,%3,%4 %5")
                                   .arg(c.partitions)
                                   .arg(c.replicas)
                                   .arg(c.servers)
                                   .arg(c.threads)
                                   .arg(r.score.epoch.time.value, 0, 'f', 2);
            QCOMPARE(is, wanted[i]);
            Scratchpad scratch;
            QCOMPARE(score(prepared, c, scratch).epoch.time, r.score.epoch.time);  // the same bits
        }
        QVERIFY(found->proven);
    }

    void splits_of_the_dynamic_programme_data() {
        QTest::addColumn<int>("partitions");
        QTest::addColumn<double>("sample");
        QTest::newRow("1") << 1 << 2.045220;
        QTest::newRow("2") << 2 << 1.031381;
        QTest::newRow("4") << 4 << 0.505045;
        QTest::newRow("8") << 8 << 0.240142;
    }
    void splits_of_the_dynamic_programme() {
        QFETCH(int, partitions);
        QFETCH(double, sample);
        const PreparedNetwork prepared = example_of(true);
        const BestSplits best = best_splits(prepared, on(partitions, 1, 1, 16), doubling(partitions));
        QVERIFY2(printed(best.sample.total().value, sample, 1e-6),
                 qPrintable(QString::number(best.sample.total().value, 'g', 10)));
        for (const std::int64_t p : best.splits) QCOMPARE(p, std::int64_t{partitions});
        QVERIFY(best.proven && !best.memory_binds);
        QCOMPARE(best.method, SplitMethod::dynamic_programme);
    }

    /// Eight machines are 8.5 times as fast as one: their segments fit into the last-level cache.
    void more_than_linear() {
        const PreparedNetwork prepared = example_of(true);
        Scratchpad scratch;
        const double one = score(prepared, on(1, 1, 1, 16), scratch).replica_throughput.value,
                     eight = score(prepared, on(8, 1, 1, 16), scratch).replica_throughput.value;
        QVERIFY(printed(eight / one, 8.5, 0.1));
    }
};

QTEST_APPLESS_MAIN(YanExample)
#include "tst_yan_example.moc"
