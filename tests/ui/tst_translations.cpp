// SPDX-License-Identifier: GPL-3.0-or-later
// The translations of the window: complete, up to date, and with the same placeholders; and that the program speaks
// them.
#include <QtTest>

#include <QMenuBar>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QXmlStreamReader>

#include "support_window.hpp"
#include "ui/language/language.hpp"
#include "ui/language/told.hpp"

using namespace scalescope::ui;

namespace {

struct Message {
    QString context, source, hint, translation, state;
    bool operator==(const Message&) const = default;
};

QString folder() { return QStringLiteral(SCALESCOPE_SOURCE_DIR); }
QString shipped() { return folder() + QStringLiteral("/resources/translations/scalescope_de.ts"); }

std::vector<Message> read(const QString& file) {
    QFile in(file);
    if (!in.open(QIODevice::ReadOnly)) qFatal("%s", qPrintable(file));
    QXmlStreamReader xml(&in);
    std::vector<Message> all;
    QString context;
    Message now;
    while (!xml.atEnd()) {
        xml.readNext();
        if (xml.isEndElement() && xml.name() == QLatin1String("message")) all.push_back(now);
        if (!xml.isStartElement()) continue;
        if (xml.name() == QLatin1String("name")) context = xml.readElementText();
        if (xml.name() == QLatin1String("message")) now = Message{context, {}, {}, {}, {}};
        if (xml.name() == QLatin1String("source")) now.source = xml.readElementText();
        if (xml.name() == QLatin1String("comment")) now.hint = xml.readElementText();
        if (xml.name() == QLatin1String("translation")) {
            now.state = xml.attributes().value(QLatin1String("type")).toString();
            now.translation = xml.readElementText();
        }
    }
    if (xml.hasError()) qFatal("%s", qPrintable(xml.errorString()));
    return all;
}

QStringList placeholders(const QString& text) {
    static const QRegularExpression place(QStringLiteral("%L?\\d|%n|\\n|<[a-z/]+>"));
    QStringList all;
    for (auto it = place.globalMatch(text); it.hasNext();) all << it.next().captured();
    all.sort();
    all.removeDuplicates();
    return all;
}

bool has_mnemonic(const QString& text) {
    static const QRegularExpression letter(QStringLiteral("(?<!&)&[^&\\s]"));
    return letter.match(text).hasMatch();
}

/// lupdate of Qt 6; what stands first in PATH may be Qt 5's, or lead nowhere.
QString lupdate() {
    return QStandardPaths::findExecutable(QStringLiteral("lupdate"), {QLibraryInfo::path(QLibraryInfo::BinariesPath),
                                                                      QStringLiteral("/usr/lib/qt6/bin")});
}

/// Two entries of one menu with the same letter, in it and in what it leads to.
void find_doubles(const QList<QAction*>& actions, const QString& menu, QStringList& wrong) {
    QMap<QChar, QString> taken;
    for (QAction* a : actions) {
        const QString text = a->text();
        for (qsizetype i = 0; i + 1 < text.size(); ++i) {
            if (text[i] != QLatin1Char('&')) continue;
            if (text[++i] == QLatin1Char('&')) continue;
            const QChar letter = text[i].toLower();
            if (taken.contains(letter))
                wrong << menu + QStringLiteral(": ") + taken[letter] + QStringLiteral(" / ") + text;
            taken[letter] = text;
        }
        if (a->menu()) find_doubles(a->menu()->actions(), text, wrong);
    }
}

}  // namespace

class TestTranslations : public QObject {
    Q_OBJECT

private slots:
    void cleanup() { use_language(Language::english); }

    void finished_and_alike() {
        const auto all = read(shipped());
        QVERIFY(all.size() > 1000);
        QStringList wrong;
        for (const Message& m : all) {
            if (m.translation.isEmpty() || !m.state.isEmpty())
                wrong << m.source + QStringLiteral(": not finished");
            else if (placeholders(m.source) != placeholders(m.translation))
                wrong << m.source + QStringLiteral(": other placeholders in ") + m.translation;
            else if (has_mnemonic(m.source) != has_mnemonic(m.translation))
                wrong << m.source + QStringLiteral(": a mnemonic in one of the two, ") + m.translation;
            else if (m.source.endsWith(QChar(0x2026)) != m.translation.endsWith(QChar(0x2026)))
                wrong << m.source + QStringLiteral(": an ellipsis in one of the two, ") + m.translation;
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.mid(0, 30).join(QLatin1Char('\n'))));
    }

    /// docs/decisions/languages.md says how to bring it up to date.
    void follows_the_sources() {
        if (lupdate().isEmpty()) QSKIP("lupdate (qt6-l10n-tools) is not here");
        QTemporaryDir place;
        const QString fresh = place.filePath(QStringLiteral("fresh.ts"));
        QProcess run;
        run.setWorkingDirectory(folder());
        run.start(lupdate(), {QStringLiteral("ui"), QStringLiteral("app"), QStringLiteral("-I"), QStringLiteral("."),
                              QStringLiteral("-locations"), QStringLiteral("none"), QStringLiteral("-ts"), fresh});
        QVERIFY(run.waitForFinished(120'000));
        QCOMPARE(run.exitCode(), 0);
        const auto key = [](const Message& m) {
            return m.context + QLatin1Char('|') + m.source + QLatin1Char('|') + m.hint;
        };
        QSet<QString> now, kept;
        for (const Message& m : read(fresh)) now.insert(key(m));
        for (const Message& m : read(shipped())) kept.insert(key(m));
        const QStringList missing = (now - kept).values(), gone = (kept - now).values();
        QVERIFY2(missing.isEmpty(), qPrintable(QStringLiteral("not in the .ts:\n") + missing.join(QLatin1Char('\n'))));
        QVERIFY2(gone.isEmpty(), qPrintable(QStringLiteral("only in the .ts:\n") + gone.join(QLatin1Char('\n'))));
    }

    void the_window_speaks_it() {
        use_language(Language::german);
        QCOMPARE(QCoreApplication::translate("scalescope::ui::MainWindow", "&File"), QStringLiteral("&Datei"));
        QCOMPARE(QCoreApplication::translate("scalescope::ui", "Double tree"), QStringLiteral("Doppelbaum"));
        QCOMPARE(QCoreApplication::translate("QPlatformTheme", "Cancel"), QStringLiteral("Abbrechen"));
        QCOMPARE(told("The layer has no weights."), QStringLiteral("Die Schicht hat keine Gewichte."));
        QCOMPARE(told("weights"), QStringLiteral("weights"));  // a layer may be called so
        QCOMPARE(told_word("weights"), QStringLiteral("Gewichte"));
        use_language(Language::english);
        QCOMPARE(told("The layer has no weights."), QStringLiteral("The layer has no weights."));
        QCOMPARE(QCoreApplication::translate("scalescope::ui::MainWindow", "&File"), QStringLiteral("&File"));
    }

    /// Billions are no bytes, and what Qt formats has the marks of the window's language, not the desktop's.
    void large_numbers() {
        use_language(Language::german);
        QCOMPARE(told_large_count(70.6e9), QStringLiteral("70,6\u00a0Mrd."));
        QCOMPARE(told_large_count(61.1e6), QStringLiteral("61,1\u00a0M"));
        QCOMPARE(told("512\u00a0B"), QStringLiteral("512\u00a0B"));
        QCOMPARE(QStringLiteral("%L1").arg(1024), QStringLiteral("1.024"));
        // Three decimals are no thousands, however the line is told.
        QCOMPARE(told_line("89.885\u00a0s"), QStringLiteral("89,885\u00a0s"));
        QCOMPARE(told_line("89.885\u00a0s + 180.094\u00a0s"), QStringLiteral("89,885\u00a0s + 180,094\u00a0s"));
        QCOMPARE(told_line("(1 − exp(−(499.540\u00a0s + 5.690\u00a0s) / 22,280.270\u00a0s)"),
                 QStringLiteral("(1 − exp(−(499,540\u00a0s + 5,690\u00a0s) / 22.280,270\u00a0s)"));
        QCOMPARE(told_line("1,024 × 0.500 nobody-says-this"), QStringLiteral("1.024 × 0,500 nobody-says-this"));
        QCOMPARE(told("<0.1"), QStringLiteral("<0,1"));
        QCOMPARE(told("<b>0.1</b>"), QStringLiteral("<b>0.1</b>"));
        use_language(Language::english);
        QCOMPARE(told_large_count(70.6e9), QStringLiteral("70.6\u00a0B"));
        QCOMPARE(QStringLiteral("%L1").arg(1024), QStringLiteral("1,024"));
    }

    void codes() {
        for (const Language l : {Language::system, Language::english, Language::german})
            QCOMPARE(language_of(code_of(l)), l);
        QCOMPARE(language_of(QStringLiteral("xx")), Language::system);
    }

    void no_letter_twice_in_a_menu() {
        use_language(Language::german);
        MainWindow window;
        window.reset_to_example();
        QStringList wrong;
        find_doubles(window.menuBar()->actions(), QStringLiteral("menu bar"), wrong);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
    }
};

QTEST_MAIN(TestTranslations)
#include "tst_translations.moc"
