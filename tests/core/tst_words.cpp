// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "core/words/pieces.hpp"
#include "core/words/vocabulary.hpp"

using namespace scalescope;

namespace {

QString joined(const std::vector<Piece>& pieces) {
    QStringList all;
    for (const Piece& p : pieces) all << QString::fromStdString(p.text);
    return all.join(' ');
}

}  // namespace

class TestWords : public QObject {
    Q_OBJECT

private slots:
    void pieces_data() {
        QTest::addColumn<QString>("written");
        QTest::addColumn<QString>("cut");
        QTest::newRow("signs") << "8× H100-SXM5 80GB"
                               << "8 x h 100 sxm 5 80 gb";
        QTest::newRow("count") << "8xH100"
                               << "8 x h 100";
        QTest::newRow("small count") << "8xh100"
                                     << "8 x h 100";
        QTest::newRow("camel case") << "NVLink3+NVSwitch"
                                    << "nv link 3 nv switch";
        QTest::newRow("plurals of capitals") << "TFLOPs / GPUs"
                                             << "tflops per gpus";
        QTest::newRow("numbers") << "1,234,567.5 of 2.4TB/s, 12,5"
                                 << "1234567.5 of 2.4 tb per s 12 5";
        QTest::newRow("underscores") << "a100_80gb"
                                     << "a 100 80 gb";
        QTest::newRow("per cent") << "MFU (%)"
                                  << "mfu %";
        QTest::newRow("nothing") << " - "
                                 << "";
    }
    void pieces() {
        QFETCH(QString, written);
        QFETCH(QString, cut);
        QCOMPARE(joined(pieces_of(written.toStdString())), cut);
    }

    void words_are_found_whatever_cuts_them() {
        for (const char* text : {"NVLink", "nv-link", "NVLINK", "nv link", "NvLinks"})
            QVERIFY2(PieceMatcher(pieces_of(text)).find("nvlink"), text);
        for (const char* text : {"NV linked", "invlink", "link", "nvlink2x"})
            QCOMPARE(PieceMatcher(pieces_of(text)).find("nvlink"), std::string(text) == "nvlink2x");
        const auto pieces = pieces_of("fp16 fp16");
        PieceMatcher both(pieces);
        QVERIFY(both.take("fp16"));
        QVERIFY(both.take("fp16"));
        QVERIFY(!both.take("fp16"));
    }
};

QTEST_APPLESS_MAIN(TestWords)
#include "tst_words.moc"
