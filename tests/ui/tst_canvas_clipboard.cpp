// SPDX-License-Identifier: GPL-3.0-or-later
// Cut, copy, paste and duplicate on the canvas: as text, with the connections to what stays behind.
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>

#include "support_canvas.hpp"
#include "ui/widgets/banner.hpp"

using namespace scalescope;
using namespace scalescope::ui;
using Names = std::vector<std::string>;

class TestCanvasClipboard : public QObject, private window_test::CanvasFixture {
    Q_OBJECT

    QClipboard& clipboard() { return *QGuiApplication::clipboard(); }
    void copy(const Names& names) {
        scene().select(names);
        key(Qt::Key_C, Qt::ControlModifier);
    }
    void paste() { key(Qt::Key_V, Qt::ControlModifier); }
    /// Names of the layers that were selected by the last edit, in the order of the drawing.
    Names pasted() { return scene().selected(); }
    QString notice() {
        for (const Banner* b : window_->findChildren<Banner*>())
            if (b->isVisible() && b->accessibleName().contains(QStringLiteral("pasted"))) return b->accessibleName();
        return {};
    }

private slots:
    void initTestCase() { prepare(); }
    void cleanup() { window_.reset(); }

    void a_copy_reads_what_the_original_reads() {
        show_canvas();
        copy({"conv4", "conv5"});
        QCOMPARE(document().history().count(), 0);
        QVERIFY(clipboard().text().contains(QStringLiteral("scalescope-layers")));
        QVERIFY(clipboard().text().contains(QStringLiteral("\"conv3\"")));
        const std::size_t before = scene().sketch()->layers.size();
        paste();
        QCOMPARE(scene().sketch()->layers.size(), before + 2);
        QCOMPARE(document().history().count(), 1);
        const Names added = pasted();
        QCOMPARE(added.size(), std::size_t{2});
        QCOMPARE(sources(added[0]), Names{"conv3"});
        QCOMPARE(sources(added[1]), Names{added[0]});
        QVERIFY(!document().draft());  // nothing is open
        QVERIFY(notice().isEmpty());
    }

    void a_duplicate_too() {
        show_canvas();
        scene().select({"conv4"});
        key(Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(pasted().size(), std::size_t{1});
        QCOMPARE(sources(pasted().front()), Names{"conv3"});
    }

    void what_is_cut_comes_back_with_its_wires() {
        show_canvas();
        scene().select({"conv4"});
        key(Qt::Key_X, Qt::ControlModifier);
        QVERIFY(!scenario().network()->position("conv4"));
        QCOMPARE(sources("conv5"), Names{"conv3"});
        paste();
        QCOMPARE(selected(), std::string("conv4"));
        QCOMPARE(sources("conv4"), Names{"conv3"});
    }

    void several_inputs_and_blocks() {
        show_canvas("inception-v3");
        copy({"Mixed_5c"});
        paste();
        const Names added = pasted();
        QVERIFY(!added.empty());
        // Whatever the block read outside, its copy reads too.
        const auto outside = [&](const std::string& block) {
            std::multiset<std::string> all;
            for (const Layer& l : scene().sketch()->layers)
                if (l.name.starts_with(block + "/"))
                    for (const auto& name : sources(l.name))
                        if (!name.starts_with(block + "/")) all.insert(name);
            return all;
        };
        std::string copied;
        for (const Layer& l : scene().sketch()->layers)
            if (l.name.starts_with("Mixed_5c") && !l.name.starts_with("Mixed_5c/"))
                copied = l.name.substr(0, l.name.find('/'));
        QVERIFY(!copied.empty());
        QCOMPARE(outside(copied).size(), outside("Mixed_5c").size());
        QVERIFY(outside(copied) == outside("Mixed_5c"));
        QVERIFY(!document().draft());
    }

    void between_two_windows() {
        show_canvas();
        copy({"conv4", "conv5"});
        const QString text = clipboard().text();
        const auto first = std::move(window_);
        show_canvas("resnet-50");  // knows no conv3
        QCOMPARE(clipboard().text(), text);
        paste();
        QVERIFY(document().draft());
        const Names added = pasted();
        QCOMPARE(added.size(), std::size_t{2});
        QCOMPARE(sources(added[0]), Names{""});
        QCOMPARE(sources(added[1]), Names{added[0]});
        QVERIFY2(notice().contains(QStringLiteral("conv3")), qPrintable(notice()));
        QCOMPARE(first->document().history().count(), 0);
        // The same text, from an editor or a mail.
        document().history().undo();
        settle();
        clipboard().setText(QStringLiteral("\n  ") + text + QStringLiteral("\n"));
        paste();
        QCOMPARE(pasted().size(), std::size_t{2});
    }

    void what_is_no_layers_is_refused() {
        show_canvas();
        clipboard().setText(QStringLiteral("no layers"));
        paste();
        QCOMPARE(document().history().count(), 0);
        bool said = false;
        for (const Banner* b : window_->findChildren<Banner*>())
            said |= b->isVisible() && b->accessibleName().contains(QStringLiteral("The clipboard holds no layers"));
        QVERIFY(said);
    }
};

QTEST_MAIN(TestCanvasClipboard)
#include "tst_canvas_clipboard.moc"
