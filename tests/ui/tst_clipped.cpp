// SPDX-License-Identifier: GPL-3.0-or-later
// Every state of the window that shots draws, in each language: texts have the room they need, and where the window
// speaks another language no English is left.
#include <QAbstractItemView>
#include <QAction>
#include <QLineEdit>
#include <QMenu>
#include <QRegularExpression>
#include <QSettings>
#include <set>

#include "core/formats/library.hpp"
#include "support_clipped.hpp"
#include "support_painted.hpp"
#include "support_window.hpp"
#include "tests/shots/states.hpp"
#include "ui/language/language.hpp"
#include "ui/theme/comfort.hpp"

using namespace scalescope;

namespace {

/// Words of English sentences that German has none like.
const QRegularExpression& english() {
    static const QRegularExpression words(
        QStringLiteral("\\b(the|is|of|takes|this|these|and|with|are|from|has|have|been|which|when|where|than|into|only|"
                       "each|every|its|it)\\b"),
        QRegularExpression::CaseInsensitiveOption);
    return words;
}

/// What keeps its name in every language, the longest first: presets, devices, the sources of their figures.
QStringList names() {
    QStringList all{QStringLiteral("Mixture of Experts"), QStringLiteral("Squeeze-and-Excitation"),
                    QStringLiteral("One weird trick")};
    const auto add = [&](const std::string& s) {
        if (!s.empty()) all << QString::fromStdString(s);
    };
    const auto library = formats::load_shipped();
    for (const auto* presets : {&library.scenarios, &library.networks})
        for (const auto& p : *presets) add(p.name);
    const auto add_all = [&](const auto& hardware) {
        for (const auto& one : hardware) {
            add(one.name);
            for (const std::string& source : one.sources) add(source);
        }
    };
    add_all(library.catalogue.devices), add_all(library.catalogue.links), add_all(library.catalogue.machines);
    add_all(library.catalogue.clusters);
    for (const Device& d : library.catalogue.devices) add(d.price_basis);
    std::sort(all.begin(), all.end(), [](const QString& a, const QString& b) { return a.size() > b.size(); });
    return all;
}

/// Words are made for English: there, states with little room are enough.
bool is_tight(const shots::State& state) {
    return state.size.width() < 1200 || state.name.contains(QLatin1String("small")) ||
           state.name.contains(QLatin1String("large"));
}

/// All that a window says: on it, in tips, to a screen reader.
QStringList texts_of(const QWidget& root) {
    QStringList all;
    QList<const QWidget*> widgets = root.findChildren<const QWidget*>();
    widgets << &root;
    for (const QWidget* w : widgets) {
        if (!w->isVisible()) continue;
        all << w->toolTip() << w->accessibleName() << w->accessibleDescription() << w->statusTip();
        if (w->isWindow()) all << w->windowTitle();
        if (const auto* label = qobject_cast<const QLabel*>(w)) all << label->text();
        if (const auto* button = qobject_cast<const QAbstractButton*>(w)) all << button->text();
        if (const auto* line = qobject_cast<const QLineEdit*>(w)) all << line->placeholderText();
        if (const auto* menu = qobject_cast<const QMenu*>(w))
            for (const QAction* a : menu->actions()) all << a->text() << a->toolTip();
        const auto* view = qobject_cast<const QAbstractItemView*>(w);
        if (!view || !view->model()) continue;
        const QAbstractItemModel& model = *view->model();
        constexpr int most = 40;
        for (int c = 0; c < model.columnCount(); ++c) {
            all << model.headerData(c, Qt::Horizontal).toString();
            for (int r = 0; r < std::min(model.rowCount(), most); ++r)
                for (const int role : {Qt::DisplayRole, Qt::ToolTipRole, Qt::AccessibleTextRole})
                    all << model.index(r, c).data(role).toString();
        }
    }
    all.removeAll(QString());
    all.removeDuplicates();
    return all;
}

}  // namespace

class TestClipped : public QObject, private window_test::WindowFixture {
    Q_OBJECT

    QStringList names_;
    QSet<QString> judged_;  ///< what several states say is looked at once

    QStringList left_in_english(bool painted_too) {
        QStringList found;
        for (QWidget* window : QApplication::topLevelWidgets()) {
            if (!window->isVisible()) continue;
            for (QString text : texts_of(*window) + (painted_too ? painted_on(*window) : QStringList())) {
                if (judged_.contains(text)) continue;
                judged_.insert(text);
                if (!english().match(text).hasMatch()) continue;  // most of them
                const QString whole = text;
                for (const QString& name : names_) text.remove(name);
                if (is_part_of_name(whole)) continue;
                if (const auto match = english().match(text); match.hasMatch())
                    found << QStringLiteral("English, “%1”: %2").arg(match.captured(), whole.left(200));
            }
        }
        return found;
    }

    /// What lists, the canvas and other widgets paint themselves.
    static QStringList painted_on(QWidget& window) {
        tests::TextRecorder recorder(window.size());
        window.render(&recorder);
        QStringList all;
        for (const auto& painted : recorder.texts()) all << painted.text;
        for (const ui::Chart* chart : window.findChildren<const ui::Chart*>())
            if (chart->isVisible())
                for (const auto& painted : tests::painted_texts(*chart)) all << painted.text;
        return all;
    }

    /// Of a name that takes two lines, or had not room enough: "Project Adam's kind of m…".
    bool is_part_of_name(const QString& text) const {
        const QString part = (text.endsWith(QChar(0x2026)) ? text.chopped(1) : text).trimmed();
        return std::any_of(names_.begin(), names_.end(), [&](const QString& n) { return n.contains(part); });
    }

private slots:
    void initTestCase() {
        prepare();
        names_ = names();
    }
    void cleanupTestCase() { ui::use_language(ui::Language::english); }

    void every_state_data() {
        QTest::addColumn<QString>("language");
        QTest::newRow("English") << QStringLiteral("en");
        QTest::newRow("German") << QStringLiteral("de");
    }
    void every_state() {
        QFETCH(QString, language);
        ui::use_language(ui::language_of(language));
        QStringList found;
        std::set<QString> seen;
        for (const shots::State& state : shots::all_states()) {
            if (state.asked_for || (language == QLatin1String("en") && !is_tight(state))) continue;
            window_.reset();  // a theme is not put on a window that goes away
            QSettings().clear();
            ui::set_comfort(*qApp, ui::Motion::less, false);
            open();
            window_->resize(state.size);
            shots::settle(*window_);
            state.reach(*window_);
            // A card that grows asks the one around it, and that asks the next one, up to the window.
            for (int level = 0; level < 8; ++level) QCoreApplication::processEvents();
            QStringList wrong = tests::clipped_texts();
            for (const QWidget* top : QApplication::topLevelWidgets())
                for (const ui::Chart* chart : top->findChildren<const ui::Chart*>())
                    if (chart->isVisible() && !chart->table_shown()) wrong << tests::faults_of_painted(*chart);
            // What is new is told in English, and says so.
            if (language != QLatin1String("en")) wrong << left_in_english(state.name != QLatin1String("news"));
            for (const QString& one : wrong)
                if (seen.insert(one).second) found << state.name + QStringLiteral(": ") + one;
            for (QWidget* other : QApplication::topLevelWidgets())
                if (other != window_.get()) other->close();
        }
        window_.reset();
        ui::set_comfort(*qApp, ui::Motion::full, false);
        for (const QString& one : found) qWarning("%s", qPrintable(one));
        QVERIFY(found.isEmpty());
    }
};

QTEST_MAIN(TestClipped)
#include "tst_clipped.moc"
