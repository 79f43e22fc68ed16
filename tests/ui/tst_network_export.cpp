// SPDX-License-Identifier: GPL-3.0-or-later
// The network as a file: asked for in the menu, named in the dialog, written, and said.
#include <QAction>
#include <QApplication>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTimer>

#include "core/formats/library.hpp"
#include "core/formats/network_json.hpp"
#include "core/scenario/fields.hpp"
#include "support_window.hpp"
#include "ui/widgets/banner.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestNetworkExportWindow : public QObject, window_test::WindowFixture {
    Q_OBJECT

    /// Chooses the menu's entry, and in its dialog a format and a name.
    void export_as(const QString& filter, const QString& name) {
        bool asked = false;
        QTimer::singleShot(0, this, [&] {
            QFileDialog* dialog = nullptr;
            for (QWidget* w : QApplication::topLevelWidgets())
                if (auto* d = qobject_cast<QFileDialog*>(w)) dialog = d;
            if (!dialog) return;
            asked = true;
            for (const QString& f : dialog->nameFilters())
                if (f.contains(filter)) dialog->selectNameFilter(f);
            dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(folder_.filePath(name));
            QMetaObject::invokeMethod(dialog, "accept");
        });
        find<QAction>("exportNetwork")->trigger();
        QVERIFY(asked);
        window_->finish_opening();
        QCoreApplication::processEvents();
    }
    std::shared_ptr<const Network> written(const QString& name) {
        QFile file(folder_.filePath(name));
        if (!file.open(QIODevice::ReadOnly)) return nullptr;
        auto read = formats::read_any_network(file.readAll().toStdString(), "written");
        return read ? *read : nullptr;
    }
    QString shown_sentence() {
        QString all;
        for (const auto* b : window_->findChildren<Banner*>())
            if (b->isVisible())
                for (const auto* l : b->findChildren<QLabel*>()) all += l->text() + QLatin1Char('|');
        return all;
    }
    void take(const char* preset) {
        Scenario s = scenario();
        s = with_network(std::move(s), *window_->library().network(preset));
        window_->document().edit(std::move(s));
        settle();
    }

private slots:
    void initTestCase() {
        prepare();
        QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    }
    void init() { open(); }

    void the_menu_lists_visible_charts() {
        auto* menu = qobject_cast<QMenu*>(find<QAction>("exportNetwork")->parent());
        QVERIFY(menu);
        QStringList before;
        for (const char* page : {"layers", "timeline"}) {
            open_page(page);
            emit menu->aboutToShow();
            QStringList listed, visible;
            for (const QAction* a : menu->actions())
                if (a->menu() && a->isVisible()) listed << a->text();
            for (const auto& [name, chart] : window_->charts())
                if (chart->isVisible()) visible << chart->title();
            QVERIFY(!visible.isEmpty() && visible != before);
            before = visible;
            QCOMPARE(listed, visible + QStringList(QStringLiteral("Drawing of the network")));
        }
    }

    void each_format() {
        take("nin");
        const std::string own = formats::write_network(scenario().network()->draft());
        export_as(QStringLiteral("Scalescope"), QStringLiteral("plain"));
        QVERIFY(written(QStringLiteral("plain.json")));
        QCOMPARE(formats::write_network(written(QStringLiteral("plain.json"))->draft()), own);
        QVERIFY2(shown_sentence().contains(QStringLiteral("plain.json")), qPrintable(shown_sentence()));
        export_as(QStringLiteral("ONNX"), QStringLiteral("model"));
        QVERIFY(written(QStringLiteral("model.onnx")));
        QCOMPARE(formats::write_network(written(QStringLiteral("model.onnx"))->draft()), own);
        take("paleo/nin");
        export_as(QStringLiteral("PALEO"), QStringLiteral("paleo"));
        QVERIFY(written(QStringLiteral("paleo.json")));
        QCOMPARE(written(QStringLiteral("paleo.json"))->multiply_adds(), scenario().network()->multiply_adds());
    }

    /// The name's ending says more than the filter.
    void by_its_ending() {
        take("nin");
        export_as(QStringLiteral("Scalescope"), QStringLiteral("other.onnx"));
        QFile file(folder_.filePath(QStringLiteral("other.onnx")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(!file.readAll().startsWith('{'));
    }

    /// The sizes of today are those of the file.
    void with_todays_sizes() {
        take("gpt-2");
        Scenario s = scenario();
        QVERIFY(set_field(s, "symbols.sequence", "64", window_->library().catalogue).has_value());
        window_->document().edit(std::move(s));
        settle();
        export_as(QStringLiteral("ONNX"), QStringLiteral("gpt"));
        QVERIFY(written(QStringLiteral("gpt.onnx")));
        QCOMPARE(written(QStringLiteral("gpt.onnx"))->multiply_adds(), scenario().network()->multiply_adds());
        QVERIFY2(shown_sentence().contains(QStringLiteral("no word in ONNX")), qPrintable(shown_sentence()));
    }

    /// What PALEO cannot say is said, nothing is written, and what it can do without is left out on request.
    void less_for_paleo() {
        take("inception-v3");
        export_as(QStringLiteral("PALEO"), QStringLiteral("less"));
        QVERIFY(!QFile::exists(folder_.filePath(QStringLiteral("less.json"))));
        QVERIFY2(shown_sentence().contains(QStringLiteral("was not written")), qPrintable(shown_sentence()));
        QPushButton* offer = nullptr;
        for (auto* b : window_->findChildren<QPushButton*>())
            if (b->text().contains(QStringLiteral("what PALEO supports"))) offer = b;
        QVERIFY(offer);
        QTest::mouseClick(offer, Qt::LeftButton);
        window_->finish_opening();
        QCoreApplication::processEvents();
        QVERIFY(written(QStringLiteral("less.json")));
        QVERIFY(shown_sentence().contains(QStringLiteral("less.json")));
        // Groups it cannot do without.
        take("mobilenet-v2");
        export_as(QStringLiteral("PALEO"), QStringLiteral("groups"));
        QVERIFY(!QFile::exists(folder_.filePath(QStringLiteral("groups.json"))));
        QVERIFY2(shown_sentence().contains(QStringLiteral("groups")), qPrintable(shown_sentence()));
    }
};

QTEST_MAIN(TestNetworkExportWindow)
#include "tst_network_export.moc"
