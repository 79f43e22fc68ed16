// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of logs, as trainers print them, read as tables.

#include <QTest>
#include <cmath>

#include "core/measure/validate/validate.hpp"
#include "support_library.hpp"
#include "support_tables.hpp"

using namespace scalescope;
using namespace scalescope::formats;
using namespace std::literals;
using namespace support;

class TestLogTables : public QObject {
    Q_OBJECT

private slots:
    void lines_of_one_kind() {
        QCOMPARE(read("Llama 3 8B\n[titan] step:  10  loss:  8.1  memory: 38.1GiB(48%)  tps: 5,000  mfu: 40.1%\n"
                      "[titan] step:  20  loss:  7.9  memory: 38.1GiB(48%)  tps: 5,010  mfu: 40.2%\n"),
                 "Llama 3 8B; step; loss; memory; tps; mfu / 10; 8.1; 38.1GiB(48%); 5,000; 40.1% / "
                 "20; 7.9; 38.1GiB(48%); 5,010; 40.2%"s);
        // bars and a time of day, as Megatron has them, with another line between
        QCOMPARE(
            read(
                " [2025-08-01 07:19:37] iteration 1/ 50 | elapsed time per iteration (ms): 12936.1 | loss: 1.04E+01 |\n"
                "saving checkpoint\n"
                " [2025-08-01 07:19:50] iteration 2/ 50 | elapsed time per iteration (ms): 12978.1 | loss: 1.03E+01 "
                "|\n"),
            "; elapsed time per iteration (ms); loss / 12936.1; 1.04E+01 / 12978.1; 1.03E+01"s);
        // one number a line, the same name three times
        QCOMPARE(read("Model: ResNet50\nIter #0: 448.0 img/sec per GPU\nIter #1: 486.4 img/sec per GPU\n"
                      "Iter #2: 487.6 img/sec per GPU\n"),
                 "Model: ResNet50; Iter # / 448.0 img/sec per GPU / 486.4 img/sec per GPU / 487.6 img/sec per GPU"s);
        // equals signs, and one line that says enough
        QCOMPARE(read("completed step=10, seconds=13.3, TFLOP/s/device=305.1\n"),
                 "; completed step; seconds; TFLOP/s/device / 10; 13.3; 305.1"s);
    }

    /// Two logs below each other are two tables; what stands between is about the second.
    void logs_below_each_other() {
        const std::string one = "a: 1, b: 2\na: 3, b: 4\n", text = one + "x\nx\nx\nx\nx\nx\n8 GPUs\n" + one;
        const auto first = parse_csv(text, "t.txt").value();
        QCOMPARE(first.rows(), std::size_t{2});
        const auto second = first.next();
        QVERIFY(second && second->rows() == 2);
        QVERIFY(second->title().ends_with("8 GPUs"));
    }

    /// Neither tables with commas, whose cells may have colons, nor options, settings and networks are logs.
    void what_is_no_log() {
        QCOMPARE(read("name,value\na: 1 b: 2,3\n"), "; name; value / a: 1 b: 2; 3"s);
        QCOMPARE(read("\"a=1 b=2 c=3\",x\n\"d=1 e=2 f=3\",y\n"), "; a=1 b=2 c=3; x / d=1 e=2 f=3; y"s);
        for (const char* text : {"python train.py --lr=1 --bs=2 --tp=3\n", "layers: 12\nhidden: 768\nheads: 12\n"})
            QCOMPARE(parse_csv(text, "t.txt").value().rows(), std::size_t{text[0] == 'p' ? 0u : 2u});
        QVERIFY(!looks_like_csv("input_dim: 1\ninput_dim: 3\ninput_dim: 224\ninput_dim: 224\n"));
        QVERIFY(!looks_like_csv("a: 1, b: 2\na: 3, b: 4\n"));
    }

    /// Its reader looks for separators from each number on, so that a long line must not be one.
    void long_lines() {
        std::string line;
        while (line.size() <= 4096) line += "a=1 ";
        QVERIFY(parse_csv(line + '\n' + line + '\n', "t.txt").value().rows() <= 1);
        QCOMPARE(parse_csv(line.substr(0, 40) + '\n' + line.substr(0, 40) + '\n', "t.txt").value().rows(),
                 std::size_t{2});
    }

    /// A row that begins with a number sign and a digit is no comment.
    void numbers_of_issues() { QCOMPARE(read("# of May\nissue,speed\n#12,3\n"), "# of May; issue; speed / #12; 3"s); }

    /// The text above says what was trained, and on what.
    void a_log_is_predicted() {
        const auto rows = measure::read_published(
            parse_csv("Llama 3 8B on 8x H100 SXM, FSDP\nSEQUENCE LENGTH: 8192\n"
                      "iteration 1 | elapsed time per iteration (ms): 2900.1 | global batch size: 16 |\n"
                      "iteration 2 | elapsed time per iteration (ms): 2890.1 | global batch size: 16 |\n",
                      "t.log")
                .value());
        QVERIFY(rows && rows->size() == 2);
        const auto v = measure::validate(*rows, library(), measure::shipped_profiles().value(), {}).value();
        QVERIFY2(v.rows[0].predicted, v.rows[0].reason.c_str());
        QCOMPARE(v.rows[0].scenario->cluster.workers, std::int64_t{8});
        QVERIFY(std::abs(std::log(*v.rows[0].predicted / 2900)) < std::log(2));
    }
};

QTEST_APPLESS_MAIN(TestLogTables)
#include "tst_log_tables.moc"
