// SPDX-License-Identifier: GPL-3.0-or-later
#include <QImage>
#include <QPainter>
#include <QtTest>

#include "ui/theme/paint.hpp"
#include "ui/theme/text.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/file_names.hpp"

using namespace scalescope::ui;

namespace {

/// How much was painted, in black pixels.
double ink(const QImage& image) {
    double sum = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) sum += 1 - qGray(image.pixel(x, y)) / 255.0;
    return sum;
}

}  // namespace

class TestText : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { apply_theme(*qApp, ThemeChoice::light); }

    void files_are_called_after_what_they_are_about() {
        const auto name = [](const char* title) {
            return file_name_from(QString::fromUtf8(title), QStringLiteral("network"));
        };
        QCOMPARE(name("Time per layer"), QStringLiteral("time-per-layer"));
        QCOMPARE(name("bert_base/v1.2"), QStringLiteral("bert_base-v1.2"));
        QCOMPARE(name("Inception v3, 299 × 299"), QStringLiteral("inception-v3-299-299"));
        QCOMPARE(name("../../.profile"), QStringLiteral("profile"));
        QCOMPARE(name("Überschrift: 1"), QStringLiteral("überschrift-1"));
        QCOMPARE(name(" ./ "), QStringLiteral("network"));
        QCOMPARE(name(QByteArray(500, 'x').constData()).size(), 80);
    }

    void long_words_may_be_broken() {
        const auto parts = [](const char* text) {
            return breakable(QString::fromUtf8(text)).split(QChar(0x200B)).join(QLatin1Char('|'));
        };
        QCOMPARE(parts("conv1 gives 26×26×192."), QStringLiteral("conv1 gives 26×26×192."));
        QCOMPARE(parts("residual_unit_number_7 is short"), QStringLiteral("residual_unit_number_7 is short"));
        QCOMPARE(parts("residual_unit_number_7/convolution reads"),
                 QStringLiteral("residual_unit|_number_7|/convolution reads"));
        const QString words = breakable(QString(100, QLatin1Char('x')));
        for (const QString& part : words.split(QChar(0x200B))) QVERIFY(part.size() <= 24);
        QCOMPARE(QString(words).remove(QChar(0x200B)), QString(100, QLatin1Char('x')));
        QCOMPARE(parts(""), QString());
    }

    void widths_are_those_of_the_font() {
        for (const char* text : {"", "Forward", "128.5 ms", "26×26×192"})
            for (const QFont& font : {type::table(), type::caption(), type::table_strong()})
                for (int again = 0; again < 2; ++again)
                    QCOMPARE(text_width(font, QString::fromUtf8(text)),
                             QFontMetricsF(font).horizontalAdvance(QString::fromUtf8(text)));
    }

    /// As Qt draws it, to the pixel; on finer screens glyphs may fall on the next quarter of a device pixel.
    void a_remembered_text_is_drawn_as_a_new_one_data() {
        QTest::addColumn<double>("scale");
        for (double scale : {1.0, 1.5, 2.0}) QTest::addRow("%g", scale) << scale;
    }
    void a_remembered_text_is_drawn_as_a_new_one() {
        QFETCH(double, scale);
        int number = 0;
        for (const int across : {int(Qt::AlignLeft), int(Qt::AlignHCenter), int(Qt::AlignRight)})
            for (const int along : {int(Qt::AlignTop), int(Qt::AlignVCenter), int(Qt::AlignBottom)})
                for (const double shift : {0.0, 0.25, 0.5, 0.8})
                    for (const QFont& font : {type::table(), type::caption(), type::title()}) {
                        const QString text = QStringLiteral("Time, 12.5 ms (%1)").arg(number++);
                        const QRectF box(8 + shift, 5 + shift, 171.3, 21);
                        const auto draw = [&](bool remembered) {
                            QImage image(qRound(200 * scale), qRound(32 * scale), QImage::Format_ARGB32_Premultiplied);
                            image.setDevicePixelRatio(scale);
                            image.fill(Qt::white);
                            QPainter painter(&image);
                            painter.setRenderHint(QPainter::Antialiasing);
                            if (remembered) {
                                draw_line(painter, box, across | along, font, Qt::black, text);
                            } else {
                                painter.setFont(font);
                                painter.setPen(Qt::black);
                                painter.drawText(box, across | along | Qt::TextSingleLine | Qt::TextDontClip, text);
                            }
                            return image;
                        };
                        const QImage plain = draw(false), first = draw(true);
                        for (int again = 0; again < 3; ++again) QCOMPARE(draw(true), first);  // it must not tremble
                        if (scale == 1.0) QCOMPARE(first, plain);
                        QVERIFY2(std::abs(ink(first) - ink(plain)) < ink(plain) / 20, qPrintable(text));
                    }
    }

    void a_card_is_a_rounded_box() {
        for (const double scale : {1.0, 2.0, 1.5})
            for (const int width : {1, 2})
                for (int again = 0; again < 2; ++again) {
                    const auto draw = [&](bool card) {
                        QImage image(qRound(120 * scale), qRound(80 * scale), QImage::Format_ARGB32_Premultiplied);
                        image.setDevicePixelRatio(scale);
                        image.fill(Theme::light().window);
                        QPainter painter(&image);
                        const QRect box(4, 6, 100, 60);
                        const Theme& t = Theme::light();
                        if (card)
                            draw_card(painter, box, t.card, t.card_border, width);
                        else
                            draw_box(painter, QRectF(box), t.card, t.card_border, space::card_radius, width);
                        return image;
                    };
                    const QImage fast = draw(true), plain = draw(false);
                    for (int y = 0; y < plain.height(); ++y)
                        for (int x = 0; x < plain.width(); ++x) {
                            const QColor a = fast.pixelColor(x, y), b = plain.pixelColor(x, y);
                            const int apart = std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) +
                                              std::abs(a.blue() - b.blue());
                            QVERIFY2(apart <= 6, qPrintable(QStringLiteral("%1,%2 at %3").arg(x).arg(y).arg(scale)));
                        }
                }
    }
};

QTEST_MAIN(TestText)
#include "tst_text.moc"
