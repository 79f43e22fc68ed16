// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers in the marks of a language, and back.
#include <QtTest>

#include "core/base/format.hpp"
#include "core/language/catalogue.hpp"

using namespace scalescope;
using namespace scalescope::language;

class TestMarks : public QObject {
    Q_OBJECT

    static constexpr NumberMarks german{',', '.'};

private slots:
    void numbers_change_and_names_stay() {
        const auto marked = [](const char* text) { return with_marks(text, german); };
        QCOMPARE(marked("1,024"), std::string("1.024"));
        QCOMPARE(marked("−17.7 %"), std::string("−17,7 %"));
        QCOMPARE(marked("1,234,567.5 of 12.25, or 3, or 4."), std::string("1.234.567,5 of 12,25, or 3, or 4."));
        QCOMPARE(marked("= 53.2 GFLOP / (6.14 TFLOP/s) = 8.66 ms"),
                 std::string("= 53,2 GFLOP / (6,14 TFLOP/s) = 8,66 ms"));
        for (const char* same : {"conv1.5", "v3.1", "1.2.3", "1,2", "12,34,567", "3×3", "", "0", "2,0.5", "A100"})
            QCOMPARE(marked(same), std::string(same));
        QCOMPARE(with_marks("1,024.5", {}), std::string("1,024.5"));
    }

    void what_is_typed_comes_back() {
        const auto read = [](const char* text) { return without_marks(text, german); };
        QCOMPARE(read("1.024"), std::string("1024"));
        QCOMPARE(read("1.024,5"), std::string("1024.5"));
        QCOMPARE(read("0,5 %"), std::string("0.5 %"));
        QCOMPARE(read("1.5"), std::string("1.5"));  // no place for thousands
        QCOMPARE(read("1,"), std::string("1."));
        for (const double value : {0.0, 0.5, 12.25, 1024.0, 1234567.5, -17.7})
            QCOMPARE(std::stod(read(
                         with_marks(format_fixed(value, 3).replace(0, value < 0 ? 3 : 0, value < 0 ? "-" : ""), german)
                             .c_str())),
                     value);
        QCOMPARE(without_marks("1,024.5", {}), std::string("1,024.5"));
    }

    void german_windows_have_german_numbers() {
        const auto found = shipped_catalogue("de");
        QVERIFY(found);
        QVERIFY(found->marks() == german);
        QCOMPARE(found->tell(format_count(1024)), std::string("1.024"));
        QCOMPARE(found->tell(format_percent(Fraction{0.007})), std::string("0,7\u00a0%"));
        QCOMPARE(found->tell(format_work(Flops{53.2e9})), std::string("53,2\u00a0GFLOP"));
        QCOMPARE(found->tell("1,024 workers"), std::string("1.024 Worker"));
        const std::string sentence = found->tell("The step needs 1.31\u00a0TB on a device of 80.0\u00a0GB.");
        QVERIFY2(sentence.find("1,31\u00a0TB") != std::string::npos && sentence.find("80,0") != std::string::npos,
                 sentence.c_str());
        QCOMPARE(found->tell("PCIe 3.0 x16"), std::string("PCIe 3.0 x16"));
    }
};

QTEST_APPLESS_MAIN(TestMarks)
#include "tst_marks.moc"
