// SPDX-License-Identifier: GPL-3.0-or-later
// The help: everything has a page, every link leads somewhere, and F1 opens the right one.
#include <QComboBox>
#include <QDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QSet>
#include <QTextBrowser>
#include <QToolButton>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>

#include "core/scenario/fields.hpp"
#include "support_window.hpp"
#include "ui/charts/chart.hpp"
#include "ui/help/help_book.hpp"
#include "ui/help/help_guide.hpp"
#include "ui/help/help_window.hpp"
#include "ui/help/shortcuts_dialog.hpp"
#include "ui/language/language.hpp"
#include "ui/measure/measure_window.hpp"
#include "ui/search/search_window.hpp"
#include "ui/widgets/banner.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/key_figures.hpp"
#include "ui/widgets/search_field.hpp"
#include "ui/window/centre_rows.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestHelp : public QObject, private window_test::WindowFixture {
    Q_OBJECT

    const HelpBook& book_ = HelpBook::shipped();

    void has_page(const QString& id, const QString& what) {
        QVERIFY2(book_.page(id), qPrintable(QStringLiteral("%1: no page “%2”").arg(what, id)));
    }
    HelpWindow* help() { return window_->findChild<HelpWindow*>(); }
    void press_f1(QWidget* on) {
        QTest::keyClick(on, Qt::Key_Tab, Qt::ShiftModifier);  // the hand is on the keyboard
        on->setFocus();
        find<QAction>("help")->trigger();
    }

private slots:
    void initTestCase() { prepare(); }
    void init() {
        QSettings().remove(QStringLiteral("help/versionSeen"));
        open();
    }
    void cleanup() {
        window_.reset();
        QCoreApplication::setApplicationVersion({});
    }

    void pages_are_named_once_and_links_lead_somewhere() {
        QVERIFY(book_.pages().size() > 70);
        QSet<QString> ids;
        for (const HelpPage& page : book_.pages()) {
            QVERIFY2(!ids.contains(page.id), qPrintable(page.id));
            ids.insert(page.id);
            QVERIFY2(page.markdown.size() > 40, qPrintable(page.id));
            QVERIFY2(!page.markdown.contains(QLatin1String("{#")), qPrintable(page.id));
            for (const QString& link : HelpBook::links_of(page)) has_page(link, page.id);
        }
    }

    /// No page that nothing leads to: from the contents all can be reached, but most should be found by reading.
    /// In every language the same pages, which lead to the same places.
    void languages_have_the_same_pages() {
        const HelpBook& english = HelpBook::shipped();
        for (const Language language : all_languages) {
            use_language(language);
            const HelpBook& other = HelpBook::shipped();
            QCOMPARE(other.pages().size(), english.pages().size());
            for (std::size_t i = 0; i < english.pages().size(); ++i) {
                const HelpPage &page = english.pages()[i], &told = other.pages()[i];
                QCOMPARE(told.id, page.id);
                QStringList links = HelpBook::links_of(told), expected = HelpBook::links_of(page);
                links.sort();
                expected.sort();
                QCOMPARE(links, expected);
                QVERIFY2(language == Language::english || told.markdown != page.markdown, qPrintable(page.id));
            }
        }
        use_language(Language::english);
    }

    void every_chart_has_a_page() {
        for (const auto& chart : window_->charts()) {
            QCOMPARE(help_of(chart.second), QStringLiteral("chart-") + chart.first);
            has_page(help_of(chart.second), chart.first);
        }
        for (QWidget* other : std::initializer_list<QWidget*>{&window_->measurements(), &window_->finder()})
            for (const Chart* chart : other->findChildren<Chart*>()) {
                QVERIFY2(help_of(chart).startsWith(QLatin1String("chart-")), qPrintable(chart->title()));
                has_page(help_of(chart), chart->title());
            }
    }

    void every_figure_has_a_page() {
        QSet<QString> seen;
        for (const auto& preset : window_->library().scenarios) {
            window_->open_scenario_preset(QString::fromStdString(preset.id));
            settle();
            const auto* figures = find<KeyFigures>("numbers");
            for (int row = 0; row < figures->model()->rowCount(); ++row) {
                const QString page = figures->model()->index(row, 0).data(help_role).toString();
                has_page(page, QString::fromStdString(preset.id));
                seen.insert(page);
            }
        }
        QVERIFY2(seen.size() >= 15, qPrintable(QString::number(seen.size())));
    }

    void every_panel_and_window_has_a_page() {
        for (const auto* dock : window_->findChildren<DockCard*>()) {
            QVERIFY2(help_of(dock) != QLatin1String("start"), qPrintable(dock->windowTitle()));
            has_page(help_of(dock), dock->windowTitle());
        }
        for (const char* page : {"problems", "layers", "timeline", "paleo", "sensitivity", "compare", "cpu-cluster",
                                 "device-map", "roofline", "staleness"}) {
            open_page(page);
            const auto* shown = window_->findChild<Pages*>()->currentWidget();
            QVERIFY2(help_of(shown) != QLatin1String("start"), page);
            has_page(help_of(shown), QLatin1String(page));
        }
        for (const QWidget* other : std::initializer_list<QWidget*>{&window_->measurements(), &window_->finder()})
            has_page(help_of(other), other->windowTitle());
        for (const char* name : {"workersPanel", "canvas"})
            if (const auto* w = window_->findChild<QWidget*>(QLatin1String(name)))
                QVERIFY2(help_of(w) != QLatin1String("start"), name);
        QCOMPARE(help_of(find<QWidget>("way")), QStringLiteral("panel-workers"));
    }

    void every_group_of_fields_has_a_page() {
        for (const Field& f : all_fields()) {
            const auto group = f.path.substr(0, f.path.find('.'));
            has_page(QStringLiteral("fields-") + QString::fromUtf8(group.data(), qsizetype(group.size())),
                     QString::fromUtf8(f.path.data(), qsizetype(f.path.size())));
        }
        has_page(QStringLiteral("fields-symbols"), QStringLiteral("symbols"));
    }

    void f1_opens_the_page_of_what_has_the_keyboard() {
        press_f1(find<QWidget>("speedupChart"));
        QVERIFY(help() && help()->isVisible());
        QCOMPARE(help()->page(), QStringLiteral("chart-speedup"));
        QVERIFY(help()->text()->toPlainText().startsWith(QStringLiteral("Speedup")));
        auto* figures = find<KeyFigures>("numbers");
        figures->setCurrentIndex(figures->model()->index(3, 0));
        press_f1(figures);
        QCOMPARE(help()->page(), QStringLiteral("figure-") + figures->figures().row(3).id);
    }

    void pages_are_linked_and_remembered() {
        press_f1(find<QWidget>("layerChart"));
        HelpWindow& window = *help();
        emit window.text()->anchorClicked(QUrl(QStringLiteral("chart-keys")));
        QCOMPARE(window.page(), QStringLiteral("chart-keys"));
        auto* back = window.findChildren<QToolButton*>().at(0);
        auto* forward = window.findChildren<QToolButton*>().at(1);
        QVERIFY(!forward->isEnabled());
        back->click();
        QCOMPARE(window.page(), QStringLiteral("chart-layers"));
        QVERIFY(!back->isEnabled());
        forward->click();
        QCOMPARE(window.page(), QStringLiteral("chart-keys"));
        window.show_page(QStringLiteral("no such page"));
        QCOMPARE(window.page(), QStringLiteral("start"));
        QCOMPARE(window.contents()->currentItem()->text(0), book_.page(QStringLiteral("start"))->title);
    }

    void pages_are_found_by_their_words() {
        press_f1(find<QWidget>("layerChart"));
        HelpWindow& window = *help();
        QTest::keyClicks(window.search(), QStringLiteral("idle"));
        QCOMPARE(window.contents()->topLevelItem(0)->text(0), QStringLiteral("Idle"));
        QVERIFY(window.contents()->topLevelItemCount() > 1);
        QTest::keyClick(window.search(), Qt::Key_Return);
        QCOMPARE(window.page(), QStringLiteral("figure-idle"));
        window.search()->setText(QStringLiteral("nowhere to be found"));
        QCOMPARE(window.contents()->topLevelItemCount(), 1);
        QVERIFY(!(window.contents()->topLevelItem(0)->flags() & Qt::ItemIsEnabled));
    }

    void shortcuts_are_searched() {
        find<QAction>("shortcutsAction")->trigger();
        auto* dialog = window_->findChild<ShortcutsDialog*>();
        QVERIFY(dialog);
        const auto lines = [&] {
            int n = 0;
            for (QTreeWidgetItemIterator it(dialog->list()); *it; ++it) n += (*it)->text(1).isEmpty() ? 0 : 1;
            return n;
        };
        const int all = lines();
        QVERIFY(all > 70);
        QTest::keyClicks(dialog->search(), QStringLiteral("ctrl+shift+f"));
        QVERIFY(lines() >= 1 && lines() < 5);
        dialog->search()->setText(QStringLiteral("surely not"));
        QCOMPARE(lines(), 0);
    }

    void news_come_from_the_changelog() {
        const auto parts = read_news(QStringLiteral(
            "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- One.\n\n## [0.2.0] - 2026-01-01\n\n- Two.\n"));
        QCOMPARE(parts.size(), std::size_t{2});
        QCOMPARE(parts[0].version, QStringLiteral("Unreleased"));
        QCOMPARE(parts[1].version, QStringLiteral("0.2.0"));
        QCOMPARE(parts[1].markdown, QStringLiteral("- Two."));
        QVERIFY(!shipped_news().empty() && shipped_news().front().markdown.size() > 100);
        find<QAction>("news")->trigger();
        auto* text = window_->findChild<QTextBrowser*>(QStringLiteral("newsText"));
        QVERIFY(text && text->toPlainText().size() > 100);
    }

    void after_an_update_it_is_said_once() {
        const auto banner = [&]() -> Banner* {
            for (auto* b : window_->centralWidget()->findChildren<Banner*>())
                if (!b->isHidden()) return b;
            return nullptr;
        };
        QCoreApplication::setApplicationVersion(QStringLiteral("1.0.0"));
        open();  // the first start ever: nothing older is known
        QVERIFY(!banner());
        QCOMPARE(Settings().version_seen(), QStringLiteral("1.0.0"));
        QCoreApplication::setApplicationVersion(QStringLiteral("1.1.0"));
        open();
        QVERIFY(banner());
        auto* button = banner()->findChild<QPushButton*>();
        QVERIFY(button);
        button->click();
        QVERIFY(window_->findChild<NewsDialog*>());
        open();
        QVERIFY(!banner());
    }
};

QTEST_MAIN(TestHelp)
#include "tst_help.moc"
