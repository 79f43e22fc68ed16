// SPDX-License-Identifier: GPL-3.0-or-later
// Draws every state of the window and puts them on contact sheets, and tells the texts that do not fit:
//     shots FOLDER [--theme light,dark,high_contrast] [--scale 1,2] [--language en,de] [PART OF A NAME…]
#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QPainter>
#include <QProcess>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cstdio>

#include "tests/shots/sheet.hpp"
#include "tests/shots/states.hpp"
#include "tests/ui/support_clipped.hpp"
#include "ui/language/language.hpp"
#include "ui/theme/comfort.hpp"
#include "ui/window/main_window.hpp"

using namespace scalescope;

namespace {

const char* const scale_variable = "QT_SCALE_FACTOR";

/// What to draw.
struct Order {
    QDir folder;
    QStringList themes, scales, languages, wanted;  ///< wanted: parts of names; none: everything

    bool wants(const shots::State& state) const {
        if (wanted.isEmpty()) return !state.asked_for;
        return std::any_of(wanted.begin(), wanted.end(),
                           [&](const QString& part) { return state.name.contains(part); });
    }
};

ui::ThemeChoice theme_of(const QString& name) {
    if (name == QLatin1String("dark")) return ui::ThemeChoice::dark;
    return name == QLatin1String("high_contrast") ? ui::ThemeChoice::high_contrast : ui::ThemeChoice::light;
}

/// The window and whatever stands over it: menus, lists, dialogs, tips.
QImage picture_of(ui::MainWindow& window) {
    QPixmap picture = window.grab();
    QPainter painter(&picture);
    for (QWidget* other : QApplication::topLevelWidgets())
        if (other != &window && other->isVisible())
            painter.drawPixmap(other->mapToGlobal(QPoint()) - window.mapToGlobal(QPoint()), other->grab());
    painter.end();
    return picture.toImage();
}

QImage picture_of(const shots::State& state, ui::ThemeChoice theme, QStringList& clipped) {
    QSettings().clear();
    ui::set_comfort(*qApp, ui::Motion::less, false);
    ui::apply_theme(*qApp, theme);  // a state may have chosen another
    ui::MainWindow window;
    window.start();
    window.live().finish();  // as the program does before it shows itself
    window.resize(state.size);
    window.move(0, 0);
    window.show();
    shots::settle(window);
    QTest::mouseMove(&window, {2, window.height() - 2});  // nothing is under the pointer
    state.reach(window);
    // A card that grows asks the one around it, and that asks the next one, up to the window.
    for (int level = 0; level < 8; ++level) QCoreApplication::processEvents();
    clipped = tests::clipped_texts();
    if (window.size() != (state.ends.isEmpty() ? state.size : state.ends))
        clipped << QStringLiteral("the window: %1x%2").arg(window.width()).arg(window.height());
    QImage picture = picture_of(window);
    for (QWidget* other : QApplication::topLevelWidgets())
        if (other != &window) other->close();
    return picture;
}

int draw(const Order& order, const QString& language, const QString& theme, const QString& percent) {
    const QString kind = QStringList{language, theme, percent}.join(QLatin1Char('-'));
    if (!order.folder.mkpath(kind)) return 1;
    std::vector<shots::Picture> pictures;
    for (const shots::State& state : shots::all_states()) {
        if (!order.wants(state)) continue;
        QStringList clipped;
        pictures.push_back({state.name, picture_of(state, theme_of(theme), clipped)});
        pictures.back().image.save(order.folder.filePath(QStringLiteral("%1/%2.png").arg(kind, state.name)));
        for (const QString& text : clipped)
            std::printf("%s %s: %s\n", qPrintable(kind), qPrintable(state.name), qPrintable(text));
    }
    constexpr std::size_t to_a_sheet = 16;
    for (std::size_t i = 0; i < pictures.size(); i += to_a_sheet) {
        const auto first = pictures.begin() + static_cast<std::ptrdiff_t>(i);
        const auto last = first + static_cast<std::ptrdiff_t>(std::min(to_a_sheet, pictures.size() - i));
        const QString sheet =
            order.folder.filePath(QStringLiteral("sheet-%1-%2.png").arg(kind).arg(i / to_a_sheet + 1));
        if (!shots::contact_sheet({first, last}, theme != QLatin1String("light")).save(sheet)) return 1;
        std::printf("%s\n", qPrintable(sheet));
    }
    return 0;
}

/// The scale belongs to a process: another one for each.
int draw_at_each_scale(const Order& order, const QString& program) {
    for (const QString& scale : order.scales) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QLatin1String(scale_variable), scale);
        if (!environment.contains(QStringLiteral("QT_QPA_PLATFORM")))
            environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        QProcess process;
        process.setProcessEnvironment(environment);
        process.setProcessChannelMode(QProcess::ForwardedChannels);
        const QChar comma = QLatin1Char(',');
        process.start(program, QStringList{order.folder.path(), QStringLiteral("--theme"), order.themes.join(comma),
                                           QStringLiteral("--language"), order.languages.join(comma)} +
                                   order.wanted);
        if (!process.waitForFinished(-1) || process.exitCode() != 0) return 1;
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const bool first = qEnvironmentVariableIsEmpty(scale_variable);
    // A screen of another size: offscreen:configfile=FILE.
    if (first && !qgetenv("QT_QPA_PLATFORM").startsWith("offscreen")) qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    QCommandLineParser parser;
    const QCommandLineOption theme(QStringLiteral("theme"), QString(), QStringLiteral("theme"),
                                   QStringLiteral("light,dark"));
    const QCommandLineOption scale(QStringLiteral("scale"), QString(), QStringLiteral("scale"), QStringLiteral("1,2"));
    const QCommandLineOption language(QStringLiteral("language"), QString(), QStringLiteral("language"),
                                      QStringLiteral("en,de"));
    parser.addOptions({theme, scale, language});
    parser.process(app);
    if (parser.positionalArguments().isEmpty()) {
        std::fprintf(
            stderr,
            "shots FOLDER [--theme light,dark,high_contrast] [--scale 1,2] [--language en,de] [PART OF A NAME…]\n");
        return 2;
    }
    const auto list = [&](const QCommandLineOption& option) { return parser.value(option).split(QLatin1Char(',')); };
    const Order order{QDir(QDir(parser.positionalArguments().front()).absolutePath()), list(theme), list(scale),
                      list(language), parser.positionalArguments().mid(1)};
    if (first) return draw_at_each_scale(order, QString::fromLocal8Bit(argv[0]));
    QTemporaryDir settings;
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings.path());
    QApplication::setOrganizationName(QStringLiteral("scalescope"));  // without it, nothing can be stored
    QApplication::setApplicationName(QStringLiteral("scalescope-shots"));
    const QString percent = QString::number(qRound(100 * qEnvironmentVariable(scale_variable).toDouble()));
    for (const QString& l : order.languages) {
        ui::use_language(ui::language_of(l));
        for (const QString& t : order.themes)
            if (draw(order, l, t, percent) != 0) return 1;
    }
    return 0;
}
