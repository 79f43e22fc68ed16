// SPDX-License-Identifier: GPL-3.0-or-later
// Rates and times in words, by their units.
#include <QtTest>

#include "core/words/figure_words.hpp"
#include "core/words/table_words.hpp"

using namespace scalescope;

class TestFigureWords : public QObject {
    Q_OBJECT

private slots:
    void units_data() {
        QTest::addColumn<QString>("metric");
        QTest::addColumn<QString>("unit");
        QTest::addColumn<double>("each");
        const auto row = [](const char* text, const char* metric, const char* unit, double each = 1) {
            QTest::newRow(text) << metric << unit << each;
        };
        row("Tokens / sec / GPU", "throughput", "tokens/s");
        row("tokens per GPU per second", "throughput", "tokens/s");
        row("tokens/p/s", "throughput", "tokens/s");
        row("S/s", "throughput", "samples/s");
        row("imgs per minute", "throughput", "images/min");
        row("throughput (k tokens/s)", "throughput", "k tokens/s");
        row("M samples per hour", "throughput", "M samples/h");
        row("it/s", "throughput", "steps/s");
        row("TFLOP/s/chip", "flop_rate", "TFLOP/s");
        row("PFLOPs per second", "flop_rate", "PFLOP/s");
        row("ms/iter", "step", "ms");
        row("iteration_s", "step", "s");
        row("step s", "step", "s");
        row("elapsed time per iteration (ms)", "step", "ms");
        row("secs per 20 iters", "step", "s", 20);
        row("Time per Global Step (s)", "step", "s");
        row("epoch time (h)", "epoch", "h");
        row("ms/image", "throughput", "images/ms");
        row("sec/kimg", "throughput", "k images/s");
        row("the time needed to complete 100 steps", "step", "s", 100);
        row("number of images the trainer can process per second", "throughput", "images/s");
        row("minutes per epoch", "epoch", "min");
        row("time / 200-ep.", "epoch", "s", 200);
        row("h/ep", "epoch", "h");
        row("迭代耗时（毫秒）", "step", "ms");
        row("样本/秒", "throughput", "samples/s");
        for (const char* none : {"time to all epochs", "tokens per step", "epochs", "TP/EP time", "time, EP 8", "t s",
                                 "speed", "batch size", ""})
            row(none, "", "");
    }
    void units() {
        QFETCH(QString, metric);
        QFETCH(QString, unit);
        QFETCH(double, each);
        const FigureWords read = read_figure_words(pieces_of(QTest::currentDataTag()));
        QCOMPARE(QString::fromStdString(read.metric), metric);
        if (!metric.isEmpty()) QCOMPARE(QString::fromStdString(read.unit), unit);
        if (!metric.isEmpty()) QCOMPARE(read.each, each);
    }

    /// A meaning that is shown is one that can be given.
    void a_meaning_is_read_again() {
        for (const char* header : {"samples/min", "tokens/s per GPU", "step time (ms)", "GPU-hours", "hours"}) {
            const ColumnReading read = read_column(header, true);
            QVERIFY2(!read.means.empty(), header);
            QCOMPARE(meaning_of(read_column(meaning_of(read), true)), meaning_of(read));
        }
    }
};

QTEST_APPLESS_MAIN(TestFigureWords)
#include "tst_figure_words.moc"
