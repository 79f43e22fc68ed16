// SPDX-License-Identifier: GPL-3.0-or-later
// The order of the rooms, kept by reading every #include line. See ARCHITECTURE.md.
#include <QtTest>
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <sstream>
#include <string>

namespace fs = std::filesystem;

namespace {

/// A room may include itself and what stands before it in its house.
constexpr std::string_view rooms[] = {
    "core/units",     "core/base",     "core/numerics", "core/network", "core/hardware", "core/drawing",
    "core/evidence",  "core/scenario", "core/formats",  "core/words",   "core/work",     "core/parallel",
    "core/pricing",   "core/schedule", "core/paleo",    "core/yan",     "core/estimate", "core/search",
    "core/compare",   "core/report",   "core/measure",  "core/lessons", "core/language", "ui/language",
    "ui/theme",       "ui/widgets",    "ui/help",       "ui/charts",    "ui/live",       "ui/document",
    "ui/preferences", "ui/commands",   "ui/gallery",    "ui/tour",      "ui/canvas",     "ui/design",
    "ui/inspect",     "ui/report",     "ui/measure",    "ui/search",    "ui/lessons",    "ui/window"};

struct Exception {
    std::string_view from, to, reason;
};
constexpr std::array<Exception, 1> exceptions = {
    {{"core/formats", "core/paleo",
      "PALEO's network file is read straight into PALEO's own network, which only its room knows"}}};

int rank_of(std::string_view room) {
    const auto found = std::find(std::begin(rooms), std::end(rooms), room);
    return found == std::end(rooms) ? -1 : static_cast<int>(found - std::begin(rooms));
}

std::string part(std::string_view path, int index) {
    for (; index > 0; --index) path.remove_prefix(std::min(path.size(), path.find('/') + 1));
    return std::string(path.substr(0, path.find('/')));
}

bool is_qt(const std::string& header) {
    static const std::regex pattern("(Qt?[A-Z].*|q[a-z0-9]+\\.h)");
    return std::regex_match(header, pattern);
}

/// What is wrong with `file` (relative to the sources) including `header`, or nothing.
std::string complaint(const std::string& file, const std::string& header, bool quoted) {
    const std::string house = part(file, 0);
    const std::string target = part(header, 0);
    const bool ours = target == "core" || target == "ui" || target == "app";
    const bool draws = house == "ui" || (house == "app" && file.find("/commands/") == std::string::npos) ||
                       file.find("app/commands/render") == 0 || file.find("app/commands/report") == 0 ||
                       file.find("app/commands/offscreen") == 0;
    if (is_qt(header)) return draws ? "" : "this part of the house has no Qt";
    if (!ours) {
        // moc's output and generated headers have no folder; anything else would hide from this test.
        const bool hidden = quoted && (header.find("..") != std::string::npos || !header.ends_with(".moc"));
        return hidden ? "write the path from the root: \"core/…\", \"ui/…\" or \"app/…\"" : "";
    }
    if (!quoted) return "our own headers stand in quotes";
    if (target == "app" && house != "app") return "only app may include app";
    if (target == "ui" && !draws) return "only ui, main, render and report may include ui";
    if (house == "app") return "";
    const std::string from = house + '/' + part(file, 1);
    const std::string to = target + '/' + part(header, 1);
    if (rank_of(from) < 0) return "room '" + from + "' has no place in the order yet";
    if (rank_of(to) < 0) return "room '" + to + "' has no place in the order yet";
    if (rank_of(to) <= rank_of(from)) return "";
    for (const Exception& e : exceptions) {
        if (e.from == from && e.to == to) return "";
    }
    return "room '" + to + "' comes after '" + from + "'";
}

struct Include {
    std::string header;
    bool quoted = false;
};

std::vector<Include> includes_in(std::istream& source) {
    static const std::regex pattern(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"].*)");
    std::vector<Include> found;
    std::smatch match;
    for (std::string line; std::getline(source, line);) {
        if (std::regex_match(line, match, pattern)) found.push_back({match[2].str(), match[1].str() == "\""});
    }
    return found;
}

}  // namespace

class TestIncludes : public QObject {
    Q_OBJECT

private slots:
    void the_rule_itself_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("line");
        QTest::addColumn<bool>("allowed");
        const auto row = [](const char* file, const char* line, bool allowed) {
            QTest::addRow("%s: %s", file, line) << QString(file) << QString(line) << allowed;
        };
        row("core/work/a.cpp", "#include \"core/network/graph.hpp\"", true);
        row("core/work/a.cpp", "#include \"core/work/b.hpp\"", true);
        row("core/work/a.cpp", "#include \"core/pricing/b.hpp\"", false);
        row("core/work/a.cpp", "  #  include \"core/pricing/b.hpp\"  // why", false);
        row("core/base/a.hpp", "#include \"core/units/units.hpp\"", true);
        row("core/units/a.hpp", "#include \"core/base/problem.hpp\"", false);
        row("core/base/a.hpp", "#include \"core/numerics/expression.hpp\"", false);
        row("core/formats/a.cpp", "#include \"core/paleo/net.hpp\"", true);
        row("core/formats/a.cpp", "#include \"core/estimate/net.hpp\"", false);
        row("core/paleo/a.cpp", "#include \"core/formats/net.hpp\"", true);
        row("core/yan/a.cpp", "#include \"core/estimate/estimate.hpp\"", false);
        row("core/estimate/a.cpp", "#include \"core/yan/model.hpp\"", true);
        row("core/lessons/a.cpp", "#include \"core/search/metrics.hpp\"", true);
        row("core/measure/a.cpp", "#include \"core/lessons/lesson.hpp\"", false);
        row("core/attic/a.cpp", "#include \"core/base/problem.hpp\"", false);
        row("core/work/a.cpp", "#include \"core/attic/problem.hpp\"", false);
        row("core/work/a.cpp", "#include <QString>", false);
        row("core/work/a.cpp", "#include <QtCore/QString>", false);
        row("core/work/a.cpp", "#include <qglobal.h>", false);
        row("core/work/a.cpp", "#include <qcustomplot.h>", false);
        row("core/work/a.cpp", "#include <vector>", true);
        row("core/work/a.cpp", "#include <nlohmann/json.hpp>", true);
        row("core/work/a.cpp", "#include <core/base/problem.hpp>", false);
        row("core/work/a.cpp", "#include \"../pricing/b.hpp\"", false);
        row("core/work/a.cpp", "#include \"b.hpp\"", false);
        row("core/work/a.cpp", "#include \"ui/theme/theme.hpp\"", false);
        row("core/work/a.cpp", "#include \"app/commands/command.hpp\"", false);
        row("ui/charts/a.cpp", "#include \"core/measure/fit.hpp\"", true);
        row("ui/window/a.cpp", "#include \"ui/charts/chart.hpp\"", true);
        row("ui/charts/a.cpp", "#include \"ui/window/main_window.hpp\"", false);
        row("ui/theme/a.cpp", "#include \"ui/widgets/card.hpp\"", false);
        row("ui/attic/a.cpp", "#include \"ui/theme/theme.hpp\"", false);
        row("ui/charts/a.cpp", "#include \"app/commands/command.hpp\"", false);
        row("ui/charts/a.cpp", "#include <QWidget>", true);
        row("ui/charts/a.cpp", "#include \"a.moc\"", true);
        row("app/main.cpp", "#include \"ui/window/run_window.hpp\"", true);
        row("app/commands/list.cpp", "#include \"core/estimate/estimate.hpp\"", true);
        row("app/commands/list.cpp", "#include \"ui/window/run_window.hpp\"", false);
        row("app/commands/list.cpp", "#include <QString>", false);
        row("app/commands/render.cpp", "#include \"ui/charts/chart.hpp\"", true);
        row("app/commands/render.cpp", "#include <QGuiApplication>", true);
    }

    void the_rule_itself() {
        QFETCH(QString, file);
        QFETCH(QString, line);
        QFETCH(bool, allowed);
        std::istringstream source(line.toStdString());
        const auto includes = includes_in(source);
        QCOMPARE(includes.size(), std::size_t{1});
        const std::string said = complaint(file.toStdString(), includes[0].header, includes[0].quoted);
        QVERIFY2(said.empty() == allowed, said.c_str());
    }

    void every_source_obeys() {
        const fs::path root = SCALESCOPE_SOURCE_DIR;
        int files = 0;
        QStringList wrong;
        for (const char* house : {"core", "ui", "app"}) {
            for (const auto& entry : fs::recursive_directory_iterator(root / house)) {
                const std::string extension = entry.path().extension().string();
                if (extension != ".cpp" && extension != ".hpp" && extension != ".h" && extension != ".inc") continue;
                ++files;
                const std::string file = fs::relative(entry.path(), root).generic_string();
                std::ifstream source(entry.path());
                for (const Include& include : includes_in(source)) {
                    const std::string said = complaint(file, include.header, include.quoted);
                    if (!said.empty()) {
                        wrong << QString::fromStdString(file + " includes " + include.header + ": " + said);
                    }
                }
            }
        }
        QVERIFY2(files > 5, "the sources were not found");
        QVERIFY2(wrong.isEmpty(), ('\n' + wrong.join('\n')).toUtf8());
    }
};

QTEST_APPLESS_MAIN(TestIncludes)
#include "tst_includes.moc"
