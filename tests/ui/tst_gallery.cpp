// SPDX-License-Identifier: GPL-3.0-or-later
// Presets with pictures: every one has one, and is found and opened.
#include <QLineEdit>
#include <QListView>
#include <QPainter>

#include "support_window.hpp"
#include "ui/gallery/gallery_dialog.hpp"
#include "ui/widgets/search_field.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestGallery : public QObject, private window_test::WindowFixture {
    Q_OBJECT

    GalleryDialog* gallery() { return window_->findChild<GalleryDialog*>(); }
    void open_gallery() {
        find<QAction>("presets")->trigger();
        QVERIFY(gallery() && gallery()->isVisible());
    }
    int rows() { return gallery()->list()->model()->rowCount(); }

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { window_.reset(); }

    void every_preset_has_a_picture() {
        const auto& library = window_->library();
        for (const auto& p : library.networks) {
            const GalleryPicture picture = picture_of_network(library, p.id);
            QVERIFY2(!picture.boxes.empty() && picture.problem.isEmpty() && !picture.caption.isEmpty(), p.id.c_str());
            QCOMPARE(picture.boxes.size(), picture.amounts.size());
            for (const QRectF& box : picture.boxes)
                QVERIFY2(QRectF(QPointF(-1, -1), picture.size + QSizeF(2, 2)).contains(box), p.id.c_str());
            QVERIFY(*std::max_element(picture.amounts.begin(), picture.amounts.end()) <= 1.0);
        }
        for (const auto& p : library.scenarios) {
            const GalleryPicture picture = picture_of_scenario(library, p.id);
            QVERIFY2(picture.has_parts && picture.problem.isEmpty(), p.id.c_str());
            double sum = 0;
            for (const double part : picture.parts) sum += part;
            QVERIFY2(std::abs(sum - 1) < 1e-9, p.id.c_str());
        }
        for (const Device& d : library.catalogue.devices) {
            const GalleryPicture picture = picture_of_device(library.catalogue, d);
            QCOMPARE(picture.bars.size(), std::size_t{3});
            for (const double bar : picture.bars) QVERIFY(bar >= 0 && bar <= 1);
        }
    }

    void pictures_are_painted_where_they_belong() {
        const QRect box(20, 20, 160, 90);
        for (const GalleryPicture& picture :
             {picture_of_network(window_->library(), window_->library().networks.front().id),
              picture_of_scenario(window_->library(), "example")}) {
            QImage image(200, 130, QImage::Format_ARGB32_Premultiplied);
            image.fill(Qt::transparent);
            QPainter painter(&image);
            paint_picture(painter, box, picture);
            painter.end();
            int inside = 0, outside = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    if (image.pixelColor(x, y).alpha() > 0) (box.contains(x, y) ? inside : outside) += 1;
            QVERIFY(inside > 300);
            QCOMPARE(outside, 0);
        }
    }

    void presets_are_found_and_opened() {
        open_gallery();
        const int all = rows();
        QVERIFY(all > 100);
        QTest::mouseClick(gallery()->kinds()->button(QStringLiteral("1")), Qt::LeftButton);
        QCOMPARE(rows(), int(window_->library().networks.size()));
        QTest::keyClicks(gallery()->search(), QStringLiteral("vgg-16"));
        QVERIFY(rows() >= 1 && rows() < 10);
        QTest::keyClick(gallery()->search(), Qt::Key_Return);
        settle();
        QVERIFY(!gallery()->isVisible());
        QCOMPARE(QString::fromStdString(scenario().network()->name()), QStringLiteral("VGG-16"));
        QCOMPARE(window_->document().history().count(), 1);
        open_gallery();
        gallery()->search()->setText(QStringLiteral("surely not there"));
        QCOMPARE(rows(), 0);
        QTest::keyClick(gallery()->search(), Qt::Key_Return);
        QVERIFY(gallery()->isVisible());
    }

    void pictures_come_by_themselves() {
        open_gallery();
        gallery()->finish_pictures();
        const QString first = gallery()->list()->model()->index(0, 0).data(Qt::AccessibleTextRole).toString();
        QVERIFY2(first.contains(QLatin1String("ms")) || first.contains(QLatin1String(" s")), qPrintable(first));
    }
};

QTEST_MAIN(TestGallery)
#include "tst_gallery.moc"
