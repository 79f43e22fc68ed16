// SPDX-License-Identifier: GPL-3.0-or-later
// SIGKILL for real. This program starts itself as a window that a hand works in (real key presses, nothing in the
// product knows of it), kills it, and lets the true program find what was left. SCALESCOPE_KILLS is the number of kills
// at random moments, SCALESCOPE_SEED makes other ones.
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTimer>
#include <QtTest>
#include <cstdio>
#include <random>

#include "amount.hpp"
#include "core/base/atomic_file.hpp"
#include "core/formats/library.hpp"
#include "ui/document/files.hpp"
#include "ui/measure/measure_window.hpp"
#include "ui/measure/runs_page.hpp"
#include "ui/measure/runs_session.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/slider.hpp"
#include "ui/window/main_window.hpp"

using namespace scalescope;
using namespace scalescope::ui;

namespace {

void tell(const char* what, std::int64_t number) {
    std::printf("%s %lld\n", what, static_cast<long long>(number));
    std::fflush(stdout);
}

/// A window as the program opens it, with the keyboard on its workers slider.
struct Hand {
    explicit Hand(const QString& sessions) : window(sessions) {
        window.start();
        window.finish_opening();
        window.QWidget::show();
        slider = window.findChild<WorkerSlider*>(QStringLiteral("workersSlider"));
        slider->setFocus();
    }
    void press(Qt::Key key) { QTest::keyClick(slider, key); }
    std::int64_t workers() { return window.document().scenario().cluster.workers; }

    MainWindow window;
    WorkerSlider* slider;
};

int edit_once(const QString& sessions) {
    Hand hand(sessions);
    hand.press(Qt::Key_Right);
    tell("edited", hand.workers());
    return QApplication::exec();
}

int edit_on_and_on(const QString& sessions) {
    Hand hand(sessions);
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, [&hand] {
        hand.press(hand.workers() < 1024 ? Qt::Key_Right : Qt::Key_Home);
        tell("edited", hand.workers());
    });
    timer.start(0);
    return QApplication::exec();
}

int save_on_and_on(const QString& file) {
    Hand hand({});
    hand.window.open(file);
    if (!hand.window.finish_opening()) return 2;
    for (;;) {
        hand.press(hand.workers() < 1024 ? Qt::Key_Right : Qt::Key_Home);
        if (!hand.window.save_to(file)) return 3;
        tell("saved", hand.workers());
    }
}

/// A table of runs is opened, edited, mapped and fitted.
int measure_once(const QString& sessions) {
    Hand hand(sessions);
    hand.window.open(QStringLiteral(SCALESCOPE_TEST_DATA "/fit/g2-generic-noise5.csv"));
    hand.window.finish_opening();
    RunsDocument& runs = hand.window.measurements().runs_page()->document();
    runs.set_cell(3, 0, QStringLiteral("edited, by \"hand\""));
    auto map = runs.state().map;
    map.filters.push_back({"workers", measure::RunFilter::Relation::less_equal, "16"});
    runs.set_map(map);
    runs.set_hold({7, 0.0});
    auto options = runs.state().options;
    options.refits = 5;
    options.loss = measure::Loss::huber;
    runs.set_options(options, QStringLiteral("fewer refits"));
    runs.start_fit();
    runs.work().finish();
    hand.window.measurements().session()->session().flush();
    tell("fitted", static_cast<std::int64_t>(runs.fit()->fit.predicted.size()));
    return QApplication::exec();
}

/// One digit for each thing that came back.
int read_measurements(const QString& sessions) {
    Hand hand(sessions);
    auto* window = hand.window.findChild<MeasureWindow*>();
    if (!window) {
        tell("none", 0);
        return 0;
    }
    RunsDocument& runs = window->runs_page()->document();
    const auto& state = runs.state();
    std::string word = "1";
    for (const bool there :
         {window->isVisible(), runs.dirty(), !runs.empty() && runs.sheet().cell(3, 0) == "edited, by \"hand\"",
          state.map.filters.size() == 1, state.hold.every == 7, state.options.loss == measure::Loss::huber,
          runs.fit() != nullptr, !runs.fit_is_stale() && !runs.fit_is_foreign(),
          runs.file().endsWith(QStringLiteral("g2-generic-noise5.csv"))})
        word += there ? '1' : '0';
    tell("measured", std::stoll(word));
    return 0;
}

int recover_and_stay(const QString& sessions) {
    Hand hand(sessions);
    tell("recovered", hand.workers());
    return QApplication::exec();
}

int read_what_is_left(const QString& sessions) {
    Hand hand(sessions);
    tell(hand.window.document().dirty() ? "unsaved" : "saved", hand.workers());
    return 0;
}

/// A file so long that it takes the disk a while.
QByteArray long_network() {
    QByteArray text =
        "{\"format\": \"scalescope-network\", \"version\": 1, \"name\": \"long\",\n"
        "\"symbols\": {\"batch\": {\"default\": 8}}, \"layers\": [\n"
        "{\"name\": \"in\", \"kind\": \"input\", \"shape\": [\"batch\", 64]}";
    QByteArray before = "in";
    for (int i = 0; i < 600; ++i) {
        const QByteArray name = QByteArray(400, 'x') + QByteArray::number(i);
        text += ",\n{\"name\": \"" + name + "\", \"kind\": \"activation\", \"inputs\": [\"" + before + "\"]}";
        before = name;
    }
    return text + "\n]}\n";
}

}  // namespace

class KilledTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> home_;

    QString path(const char* name) { return home_->filePath(QString::fromLatin1(name)); }
    /// Where the program keeps its sessions under such a home.
    QString sessions() { return path("data/scalescope/sessions"); }

    std::unique_ptr<QProcess> start(const QString& program, const QStringList& arguments) {
        auto process = std::make_unique<QProcess>();
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        environment.insert(QStringLiteral("HOME"), home_->path());
        environment.insert(QStringLiteral("XDG_DATA_HOME"), path("data"));
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), path("config"));
        environment.insert(QStringLiteral("XDG_CACHE_HOME"), path("cache"));
        process->setProcessEnvironment(environment);
        process->setProcessChannelMode(QProcess::SeparateChannels);
        process->start(program, arguments);
        if (!process->waitForStarted()) qFatal("%s does not start", qPrintable(program));
        return process;
    }
    std::unique_ptr<QProcess> start_self(const char* verb, const QString& where) {
        return start(QCoreApplication::applicationFilePath(), {QString::fromLatin1(verb), where});
    }
    /// Waits for a line and returns its number.
    static std::int64_t next_line(QProcess& process) {
        while (!process.canReadLine())
            if (!process.waitForReadyRead(30000)) qFatal("%s", process.readAllStandardError().constData());
        return process.readLine().trimmed().split(' ').last().toLongLong();
    }
    static void kill(QProcess& process) {
        process.kill();  // SIGKILL: nothing in the process can still run
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitStatus(), QProcess::CrashExit);
    }
    struct Kept {
        std::int64_t workers = 0;
        bool dirty = false;
    };
    /// What the newest session file but `but` holds; nothing if there is none. A broken one fails the test.
    Kept on_disk(const QString& but = {}) {
        Kept kept;
        for (const QFileInfo& info :
             QDir(sessions()).entryInfoList({QStringLiteral("session-*.json")}, QDir::Files, QDir::Time)) {
            if (info.fileName() == but) continue;
            QFile file(info.filePath());
            if (!file.open(QIODevice::ReadOnly)) continue;
            const QJsonObject session = QJsonDocument::fromJson(file.readAll()).object();
            const QJsonObject scenario =
                QJsonDocument::fromJson(session[QStringLiteral("scenario")].toString().toUtf8()).object();
            if (scenario.isEmpty()) QTest::qFail(qPrintable(info.filePath()), __FILE__, __LINE__);
            kept.workers = scenario[QStringLiteral("cluster")][QStringLiteral("workers")].toInteger();
            kept.dirty = session[QStringLiteral("dirty")].toBool();
            break;
        }
        return kept;
    }
    QString session_name() {
        const auto names = QDir(sessions()).entryList({QStringLiteral("session-*.json")}, QDir::Files, QDir::Time);
        return names.value(0);
    }
    std::pair<QByteArray, std::int64_t> found_next_time(const char* verb = "--read") {
        auto process = start_self(verb, sessions());
        if (!process->waitForFinished(30000)) return {};
        const auto words = process->readAllStandardOutput().trimmed().split(' ');
        return {words.first(), words.last().toLongLong()};
    }

    /// Of each test that kills at random moments.
    static unsigned rounds() { return std::max(1u, support::amount("SCALESCOPE_KILLS", 18) / 3); }
    static std::mt19937 random_of(unsigned test) {
        return std::mt19937(test + 100 * support::amount("SCALESCOPE_SEED", 0));
    }

private slots:
    void init() {
        home_ = std::make_unique<QTemporaryDir>();
        QVERIFY(home_->isValid());
    }

    void an_edit_outlives_a_killed_window() {
        auto hand = start_self("--edit", sessions());
        QCOMPARE(next_line(*hand), 33);
        QTRY_COMPARE(on_disk().workers, 33);  // written by itself, while the window is open
        QTRY_VERIFY(on_disk().dirty);
        kill(*hand);
        QCOMPARE(found_next_time(), std::make_pair(QByteArray("unsaved"), std::int64_t{33}));
        QCOMPARE(found_next_time().second, 33);  // and again: finding it does not lose it
    }

    void the_program_finds_it_and_can_be_killed_too() {
        const QString program = qEnvironmentVariable("SCALESCOPE_BINARY");
        if (program.isEmpty() || !QFile::exists(program)) QSKIP("the program is not built");
        auto hand = start_self("--edit", sessions());
        QCOMPARE(next_line(*hand), 33);
        QTRY_COMPARE(on_disk().workers, 33);
        const QString left_by_hand = session_name();
        kill(*hand);
        auto first = start(program, {});
        QTRY_COMPARE_WITH_TIMEOUT(on_disk(left_by_hand).workers, 33, 30000);
        QTRY_VERIFY(on_disk(left_by_hand).dirty);
        QTRY_VERIFY(!QFile::exists(QDir(sessions()).filePath(left_by_hand)));
        const QString left_by_first = session_name();
        kill(*first);
        auto second = start(program, {});
        QTRY_COMPARE_WITH_TIMEOUT(on_disk(left_by_first).workers, 33, 30000);
        // Two windows at once: the third finds nobody's session, and takes none away.
        auto third = start(program, {});
        QTRY_COMPARE_WITH_TIMEOUT(QDir(sessions()).entryList({QStringLiteral("session-*.json.lock")}).size(), 2, 30000);
        kill(*third);
        kill(*second);
        QCOMPARE(found_next_time(), std::make_pair(QByteArray("unsaved"), std::int64_t{33}));
    }

    void measured_runs_outlive_a_killed_window() {
        auto hand = start_self("--measure", sessions());
        QVERIFY(next_line(*hand) > 100);
        kill(*hand);
        QCOMPARE(found_next_time("--read-measured"), std::make_pair(QByteArray("measured"), std::int64_t{1111111111}));
        // And again: finding it does not lose it.
        QCOMPARE(found_next_time("--read-measured").second, 1111111111);
    }

    void who_measured_nothing_finds_nothing() {
        auto hand = start_self("--edit", sessions());
        next_line(*hand);
        kill(*hand);
        QCOMPARE(found_next_time("--read-measured").first, QByteArray("none"));
    }

    void killed_at_any_moment_the_last_kept_edit_is_there() {
        std::mt19937 random = random_of(7);
        std::int64_t most_lost = 0;
        for (unsigned round = 0; round < rounds(); ++round) {
            init();
            auto hand = start_self("--edit-on", sessions());
            std::int64_t last = next_line(*hand);
            QTRY_VERIFY(on_disk().workers > 0);
            for (int i = static_cast<int>(random() % 60); i > 0; --i) last = next_line(*hand);
            const std::int64_t kept = on_disk().workers;
            kill(*hand);
            for (const QByteArray& line : hand->readAllStandardOutput().trimmed().split('\n'))
                if (!line.isEmpty()) last = line.split(' ').last().toLongLong();
            const auto [state, found] = found_next_time();
            QCOMPARE(state, QByteArray("unsaved"));
            QVERIFY2(found >= kept && found <= last + 1,
                     qPrintable(QStringLiteral("%1 %2 %3").arg(kept).arg(found).arg(last)));
            most_lost = std::max(most_lost, last - found);
        }
        qInfo("of edits without a pause, %lld were lost at most", static_cast<long long>(most_lost));
    }

    void killed_while_it_recovers_the_work_is_still_there() {
        std::mt19937 random = random_of(13);
        init();
        auto hand = start_self("--edit", sessions());
        QCOMPARE(next_line(*hand), 33);
        QTRY_COMPARE(on_disk().workers, 33);
        kill(*hand);
        QElapsedTimer timer;
        timer.start();
        auto first = start_self("--recover", sessions());
        QCOMPARE(next_line(*first), 33);
        const auto usual = static_cast<unsigned long>(timer.nsecsElapsed() / 1000);
        kill(*first);
        for (unsigned round = 0; round < rounds(); ++round) {
            auto next = start_self("--recover", sessions());
            QThread::usleep(random() % (usual + usual / 4));  // anywhere between its start and its first answer
            kill(*next);
        }
        QCOMPARE(found_next_time(), std::make_pair(QByteArray("unsaved"), std::int64_t{33}));
    }

    void killed_while_saving_the_file_is_old_or_new() {
        const formats::Library library = formats::load_shipped();
        const QString file = path("work.json");
        QFile first(file);
        QVERIFY(first.open(QIODevice::WriteOnly));
        first.write(long_network());
        first.close();
        std::mt19937 random = random_of(11);
        for (unsigned round = 0; round < rounds(); ++round) {
            auto hand = start_self("--save", file);
            std::int64_t last = next_line(*hand);
            for (int i = static_cast<int>(random() % 5); i > 0; --i) last = next_line(*hand);
            QThread::usleep(static_cast<unsigned long>(random() % 20000));  // anywhere within a save
            kill(*hand);
            for (const QByteArray& line : hand->readAllStandardOutput().trimmed().split('\n'))
                if (!line.isEmpty()) last = line.split(' ').last().toLongLong();
            const auto text = read_file(file.toStdString());
            QVERIFY(text.has_value());
            const auto read = open_text(*text, file, library);
            QVERIFY2(read.has_value(), read ? "" : read.error().front().what.c_str());
            QVERIFY(read->scenario.has_value());
            QCOMPARE(read->scenario->network()->size(), 601);
            const std::int64_t found = read->scenario->cluster.workers;
            QVERIFY2(found == last || found == last + 1,
                     qPrintable(QStringLiteral("%1, told %2").arg(found).arg(last)));
        }
    }
};

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    if (argc == 3) {
        apply_theme(app, ThemeChoice::light);
        const QByteArray verb = argv[1];
        const QString where = QString::fromLocal8Bit(argv[2]);
        if (verb == "--edit") return edit_once(where);
        if (verb == "--edit-on") return edit_on_and_on(where);
        if (verb == "--save") return save_on_and_on(where);
        if (verb == "--measure") return measure_once(where);
        if (verb == "--read-measured") return read_measurements(where);
        if (verb == "--recover") return recover_and_stay(where);
        if (verb == "--read") return read_what_is_left(where);
    }
    KilledTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_killed.moc"
