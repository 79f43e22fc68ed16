// SPDX-License-Identifier: GPL-3.0-or-later
// What explains: the path, formula, inputs and parts of a figure, and problems in their text.
#include <QClipboard>
#include <QPushButton>
#include <QSignalSpy>

#include "support_painted.hpp"
#include "support_widgets.hpp"
#include "ui/widgets/breadcrumb.hpp"
#include "ui/widgets/evidence_tag.hpp"
#include "ui/widgets/formula_block.hpp"
#include "ui/widgets/input_list.hpp"
#include "ui/widgets/problems_view.hpp"
#include "ui/widgets/source_view.hpp"
#include "ui/widgets/stack_bar.hpp"

using namespace scalescope;
using namespace scalescope::ui;
using namespace widget_test;

namespace {

std::vector<StackPart> parts() {
    return {{u("Forward"), &Theme::forward, 30, u("30 ms"), u("30 %"), 0, {}},
            {u("Backward"), &Theme::backward, 50, u("50 ms"), u("50 %"), 0, {}},
            {u("Communication"), &Theme::communication, 20, u("20 ms"), u("20 %"), 25, u("25 hidden")}};
}

}  // namespace

class TestWidgetsWhy : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { apply_theme(*qApp, ThemeChoice::light); }

    void breadcrumb_leads_back() {
        Breadcrumb path;
        path.set_crumbs({{u("step"), u("Step")}, {u("conv2"), u("conv2")}, {u("forward"), u("Forward")}});
        show(path, 280, 20);
        const auto links = path.findChildren<QPushButton*>();
        QCOMPARE(links.size(), 2);  // the last crumb is where we are
        QSignalSpy clicked(&path, &Breadcrumb::crumb_clicked);
        QTest::mouseClick(links[1], Qt::LeftButton);
        QCOMPARE(clicked.at(0).at(0).toString(), u("conv2"));
    }

    void a_long_path_never_widens_its_panel() {
        Breadcrumb path;
        path.set_crumbs({{u("step"), u("Step")},
                         {u("communication"), u("Communication")},
                         {u("message"), u("All-reduce of the gradients of 8 layers")},
                         {u("exposed"), u("Exposed")}});
        QVERIFY(path.minimumSizeHint().width() <= 240);
        show(path, 280, 20);
        const auto links = path.findChildren<QPushButton*>();
        QCOMPARE(links[2]->toolTip(), links[2]->text());  // cut: the tooltip has the rest
        QVERIFY(links[2]->width() < links[2]->sizeHint().width());
        QVERIFY(links[0]->toolTip().isEmpty());
    }

    void formula_is_text_too() {
        FormulaBlock block;
        block.set_formula(u("<i>S</i>"), {{u("= <i>n</i> · <i>t</i><sub>1</sub> / <i>t</i><sub>n</sub>"), true, false},
                                          {u("= 32 · 123.93 ms / 238.91 ms"), false, false},
                                          {u("= 16.60"), false, true}});
        QCOMPARE(block.plain_text(), u("S = n · t1 / tn\n= 32 · 123.93 ms / 238.91 ms\n= 16.60"));
        show(block, 280, 90);
        block.setFocus();
        QTest::keySequence(&block, QKeySequence::Copy);
        QCOMPARE(QApplication::clipboard()->text(), block.plain_text());
        QVERIFY(block.heightForWidth(140) > block.heightForWidth(400));  // wraps, never cuts
    }

    /// Presenting makes type larger, and ends.
    void a_formula_follows_the_size_of_type() {
        FormulaBlock block;
        block.set_formula(u("<i>S</i>"), {{u("= 219.05 ms"), false, true}, {u("+ 61.89 ms"), false, false}});
        show(block, 300, 100);
        const QSize before = block.sizeHint();
        set_type_scale(*qApp, 1.5);
        const QSize larger = block.sizeHint();
        set_type_scale(*qApp, 1);
        QVERIFY2(larger.width() > before.width() * 5 / 4, qPrintable(QString::number(larger.width())));
        QCOMPARE(block.sizeHint(), before);
    }

    void inputs_lead_to_their_controls() {
        InputList list;
        list.set_lines({{u("<i>n</i>"), u("workers"), u("32"), u("cluster.nodes"), {}},
                        {u("<i>t</i><sub>1</sub>"), u("step on 1 worker"), u("124 ms"), {}, {}}});
        show(list, 260, 60);
        QSignalSpy clicked(&list, &InputList::field_clicked);
        const auto rows = list.findChildren<InputRow*>();
        QCOMPARE(rows.size(), 2);
        QTest::mouseClick(rows[0], Qt::LeftButton);
        QTest::mouseClick(rows[1], Qt::LeftButton);  // leads nowhere
        QCOMPARE(clicked.size(), 1);
        QCOMPARE(clicked.at(0).at(0).toString(), u("cluster.nodes"));
        QCOMPARE(rows[1]->accessibleName(), u("t1, step on 1 worker: 124 ms"));
        QCOMPARE(rows[1]->focusPolicy(), Qt::NoFocus);
        list.set_lines({});
        QVERIFY(list.isHidden());
    }

    void a_long_input_wraps() {
        InputList list;
        list.set_lines({{{}, u("hidden behind work, not added to the time of a step"), u("124.0 ms"), {}, {}},
                        {u("<i>n</i>"), u("workers"), u("32"), {}, {}}});
        list.resize(230, list.heightForWidth(230));
        list.QWidget::show();
        QVERIFY(QTest::qWaitForWindowExposed(&list));
        const auto rows = list.findChildren<InputRow*>();
        QCOMPARE(rows[1]->height(), 24);
        const QFontMetrics metrics(type::table());
        QVERIFY2(rows[0]->height() >= 2 * metrics.height() + 6, qPrintable(QString::number(rows[0]->height())));
    }

    /// In a presentation: type is larger, the panel is not as much wider.
    void words_stay_where_type_is_large() {
        InputList list;
        list.set_lines({{u("<i>t</i><sub>c</sub>"), u("communication"), u("61.8818 ms"), u("cluster.link"), {}}});
        PartsList shares;
        shares.set_parts(parts());
        const QSize before = shares.sizeHint();
        set_type_scale(*qApp, 1.5);
        const auto painted = [](QWidget& widget, int width) {
            widget.resize(width, std::max(widget.heightForWidth(width), widget.sizeHint().height()));
            widget.ensurePolished();
            tests::TextRecorder recorder(widget.size());
            widget.render(&recorder);
            QStringList all;
            for (const auto& text : recorder.texts()) all << text.text.trimmed();
            return all;
        };
        const QStringList input = painted(*list.findChild<InputRow*>(), 260), names = painted(shares, 260);
        const QFontMetrics metrics(type::table());
        const int row = list.findChild<InputRow*>()->heightForWidth(260), parts_height = shares.sizeHint().height();
        const int lines = 2 * metrics.height(), three_rows = 3 * metrics.height();
        set_type_scale(*qApp, 1);
        QVERIFY2(input.contains(u("communication")) && input.contains(u("61.8818 ms")), qPrintable(input.join(u("|"))));
        QVERIFY2(row >= lines, qPrintable(QString::number(row)));  // the value below
        QVERIFY2(names.contains(u("Communication")) && names.contains(u("20 ms")), qPrintable(names.join(u("|"))));
        QVERIFY(parts_height >= three_rows);
        QCOMPARE(shares.sizeHint(), before);
    }

    void stack_bar_is_in_proportion_and_hides_nothing_twice() {
        StackBar bar;
        bar.set_parts(parts());
        show(bar, 200, bar.sizeHint().height());
        const QImage shot = bar.grab().toImage();
        const Theme& t = Theme::light();
        QCOMPARE(shot.pixelColor(10, 5), t.forward);
        QCOMPARE(shot.pixelColor(58, 5), t.forward);
        QCOMPARE(shot.pixelColor(62, 5), t.backward);
        QCOMPARE(shot.pixelColor(158, 5), t.backward);
        QCOMPARE(shot.pixelColor(162, 5), t.communication);
        QCOMPARE(shot.pixelColor(199, 5), t.communication);
        // Hidden: 25 of 100 are 50 px, below, ending where communication begins; its outline shows at the top edge.
        QCOMPARE(shot.pixelColor(130, 16), t.communication);
        QVERIFY(shot.pixelColor(100, 16) != t.communication);
        QVERIFY(shot.pixelColor(165, 16) != t.communication);
        QVERIFY(bar.accessibleDescription().contains(u("25 hidden")));
    }

    void parts_follow_a_change_of_theme() {
        StackBar bar;
        bar.set_parts(parts());
        show(bar, 200, bar.sizeHint().height());
        apply_theme(*qApp, ThemeChoice::dark);
        QCOMPARE(bar.grab().toImage().pixelColor(10, 5), Theme::dark_theme().forward);
        apply_theme(*qApp, ThemeChoice::light);
    }

    /// In high contrast no part is told by its colour alone.
    void parts_have_lines_in_high_contrast() {
        const auto colours = [](const StackBar& bar) {
            const QImage image = const_cast<StackBar&>(bar).grab().toImage();
            QSet<QRgb> all;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) all.insert(image.pixel(x, y));
            return all.size();
        };
        StackBar bar;
        bar.set_parts({{u("Backward"), &Theme::backward, 1, {}, {}, 0, {}}});
        bar.resize(200, bar.sizeHint().height());
        QCOMPARE(colours(bar), qsizetype{1});
        apply_theme(*qApp, ThemeChoice::high_contrast);
        QCOMPARE(colours(bar), qsizetype{2});
        apply_theme(*qApp, ThemeChoice::light);
    }

    void evidence_says_what_it_means() {
        EvidenceTag tag;
        tag.set_kind(EvidenceTag::Kind::calibrated, u("calibrated, 120 points"));
        QCOMPARE(tag.accessibleName(), u("Evidence: calibrated, 120 points"));
        QVERIFY(!tag.toolTip().isEmpty());
    }

    void marked_range_ends_with_its_value() {
        const QString line = u("    \"filter\": [3, 3, 256, [1]], \"x\": \"SA\\\"ME\", \"n\": 12.5}");
        const auto mark = [&line](const char* start) {
            const int column = static_cast<int>(line.indexOf(QString::fromLatin1(start))) + 1;
            return line.mid(column - 1, marked_length(line, column));
        };
        QCOMPARE(mark("[3"), u("[3, 3, 256, [1]]"));
        QCOMPARE(mark("\"SA"), u("\"SA\\\"ME\""));
        QCOMPARE(mark("12"), u("12.5"));
        QCOMPARE(marked_length(line, 0), 0);
        QCOMPARE(marked_length(line, 1000), 0);
        QCOMPARE(marked_length(u("  [1, 2,"), 3), 6);
    }

    void problems_show_their_place_in_the_text() {
        QString text;
        for (int i = 1; i <= 100; ++i)
            text += i == 42 ? u("  \"filter\": [3, 3, 256, 384],\n") : u("  \"line\": %1,\n").arg(i);
        ProblemsView view;
        view.set_problems({{Severity::error, u("Filter expects 256 input channels."), u("layers › conv3 › filter"),
                            u("Use 192."), 42, 13, 0},
                           {Severity::warning, u("“valid” is read as “VALID”."), u("layers › fc6"),
                            u("Write it in capitals."), 74, 3, 0}},
                          u("alexnet-wide.json"), text);
        view.set_banner(u("alexnet-wide.json was not opened."), u("AlexNet is still shown, unchanged."));
        show(view, 860, 240);
        QCOMPARE(view.error_count(), 1);
        QCOMPARE(view.warning_count(), 1);
        QCOMPARE(view.counts()->accessibleName(), u("1 error, 1 warning"));
        QCOMPARE(view.source()->marked_line(), 42);
        QCOMPARE(view.source()->marked_text(), u("[3, 3, 256, 384]"));
        QSignalSpy activated(&view, &ProblemsView::problem_activated);
        QSignalSpy editor(&view, &ProblemsView::open_in_editor_clicked),
            again(&view, &ProblemsView::read_again_clicked);
        view.list()->setFocus();
        QTest::keyClick(view.list(), Qt::Key_Down);
        QCOMPARE(view.source()->marked_line(), 74);
        QTest::keyClick(view.list(), Qt::Key_Return);
        QCOMPARE(activated.size(), 1);
        const QRect first = view.list()->visualRect(view.list()->model()->index(0, 0));
        QTest::mouseClick(view.list()->viewport(), Qt::LeftButton, {},
                          {first.right() - 20, first.top() + 14});  // the link 42:13
        QCOMPARE(activated.size(), 2);
        QCOMPARE(view.source()->marked_line(), 42);
        for (auto* button : view.findChildren<QPushButton*>()) QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(editor.size(), 1);
        QCOMPARE(again.size(), 1);
        view.set_problems({});
        QCOMPARE(view.error_count(), 0);
        QVERIFY(view.counts()->isHidden());
    }

    /// What is wrong, and what to do, can be read in a narrow list too: on as many lines as it takes.
    void problems_go_on_below() {
        ProblemsView view;
        view.set_problems({{Severity::error,
                            u("The file ends too early: the object that begins in line 1 is not closed."),
                            {},
                            u("Add the missing brace, or copy the file again; it may have been cut off."),
                            2,
                            1,
                            0},
                           {Severity::error, u("Short."), {}, u("Do it."), 3, 1, 0}},
                          u("broken.json"), u("{\n\n\n"));
        const auto height = [&](int row) {
            return view.list()->visualRect(view.list()->model()->index(row, 0)).height();
        };
        show(view, 1500, 240);
        QCOMPARE(height(0), height(1));
        show(view, 560, 240);
        QTRY_VERIFY(height(0) >= height(1) + 2 * 18);
        show(view, 1500, 240);
        QTRY_COMPARE(height(0), height(1));
    }

    void a_problem_of_core_is_taken_over() {
        Problem problem;
        problem.severity = Severity::warning;
        problem.what = "“valid” is read as “VALID”.";
        problem.where = "layers › fc6 › padding";
        problem.remedy = "Write it in capitals.";
        problem.at = {"net.json", 74, 24};
        const ProblemRow row = problem_row(problem);
        QCOMPARE(row.what, u("“valid” is read as “VALID”."));
        QCOMPARE(row.where, u("layers › fc6 › padding"));
        QCOMPARE(row.line, 74);
        QCOMPARE(row.column, 24);
        QCOMPARE(row.severity, Severity::warning);
    }

    void of_huge_files_only_the_place_is_held() {
        SourceView view;
        show(view, 400, 200);
        const QString one_line = u("{\"a\": [") + u("1234567, ").repeated(600000) + u("]}");  // 5 MB in one line
        view.set_text(one_line);
        view.show_place(u("big.json:1:4000001"), {}, 1, 4000001, 0, true);
        QCOMPARE(view.marked_line(), 1);
        QCOMPARE(view.marked_text(), one_line.mid(4000000, marked_length(one_line, 4000001)));
        QVERIFY(view.editor()->document()->characterCount() < 5000);
        // Another problem of the same line, far off, is marked as well.
        for (const int column : {8, 2000000, 5400000, 4000001}) {
            view.show_place(u("big.json"), {}, 1, column, 0, true);
            QCOMPARE(view.marked_text(), one_line.mid(column - 1, marked_length(one_line, column)));
        }
        const QString many_lines = u("  \"x\": 1,\r\n").repeated(400000);
        view.set_text(many_lines);
        view.show_place(u("long.json:399999:8"), {}, 399999, 8, 0, true);
        QCOMPARE(view.marked_line(), 399999);
        QCOMPARE(view.marked_text(), u("1"));
        QVERIFY(view.first_line() > 399000);
        view.show_place(u("long.json:5:8"), {}, 5, 8, 0, true);
        QCOMPARE(view.first_line(), 1);
        QCOMPARE(view.marked_text(), u("1"));
        view.show_place(u("x"), {}, 5000000, 8, 0, true);  // a line that is not there
        QCOMPARE(view.marked_line(), 0);
        QVERIFY(view.editor()->document()->blockCount() < 1000);
        view.set_text({});
        view.show_place({}, {}, 1, 1, 0, true);
    }
};

QTEST_MAIN(TestWidgetsWhy)
#include "tst_widgets_why.moc"
