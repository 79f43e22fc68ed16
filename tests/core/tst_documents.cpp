// SPDX-License-Identifier: GPL-3.0-or-later
// What the documents say about the tree is true.
#include <QtTest>
#include <algorithm>
#include <filesystem>
#include <regex>
#include <string>

#include "core/base/atomic_file.hpp"

namespace fs = std::filesystem;

namespace {

const fs::path root = SCALESCOPE_SOURCE_DIR;

std::string text_of(const fs::path& file) { return scalescope::read_file(file).value_or(std::string()); }

std::vector<fs::path> documents() {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(root)) {
        if (entry.path().extension() == ".md") found.push_back(entry.path());
    }
    for (const auto& entry : fs::recursive_directory_iterator(root / "docs")) {
        if (entry.path().extension() == ".md") found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

/// As the sites that show Markdown make anchors of headings: small letters, dashes for spaces, no punctuation.
std::string anchor_of(const std::string& heading) {
    std::string anchor;
    for (const char c : heading) {
        if (c == ' ') {
            anchor += '-';
        } else if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_') {
            anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        }
    }
    return anchor;
}

bool has_anchor(const std::string& text, const std::string& anchor) {
    static const std::regex heading("(^|\n)#+ ([^\n]*)");
    for (std::sregex_iterator it(text.begin(), text.end(), heading), end; it != end; ++it) {
        if (anchor_of((*it)[2].str()) == anchor) return true;
    }
    return false;
}

}  // namespace

class TestDocuments : public QObject {
    Q_OBJECT

private slots:
    void links_lead_somewhere() {
        static const std::regex link(R"(\]\(([^)\s]+)\))");
        QStringList broken;
        int links = 0;
        for (const fs::path& document : documents()) {
            const std::string text = text_of(document);
            for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it) {
                const std::string target = (*it)[1].str();
                if (target.find("://") != std::string::npos) continue;
                ++links;
                const std::size_t hash = target.find('#');
                const fs::path file = hash == 0 ? document : document.parent_path() / target.substr(0, hash);
                const bool good = fs::exists(file) &&
                                  (hash == std::string::npos || has_anchor(text_of(file), target.substr(hash + 1)));
                if (!good) broken << QString::fromStdString(document.filename().string() + ": " + target);
            }
        }
        QVERIFY2(links > 5, "no links were found");
        QVERIFY2(broken.isEmpty(), broken.join('\n').toUtf8());
    }

    void every_folder_is_in_the_architecture() {
        const std::string text = text_of(root / "ARCHITECTURE.md");
        QVERIFY(!text.empty());
        QStringList missing;
        for (const char* house : {"core", "ui", "app", "tests", "presets", "packaging", "docs", "resources"}) {
            if (!fs::exists(root / house)) continue;
            for (const auto& entry : fs::directory_iterator(root / house)) {
                const std::string name = entry.path().filename().string();
                if (!entry.is_directory() || name.front() == '_') continue;
                if (text.find(name + "/") == std::string::npos) {
                    missing << QString::fromStdString(std::string(house) + "/" + name);
                }
            }
        }
        QVERIFY2(missing.isEmpty(), ("not named: " + missing.join(", ")).toUtf8());
    }

    void every_folder_it_names_is_there() {
        // Lines of the tree begin with a name and a slash: "      base/       Problem, Result …".
        static const std::regex line("(^|\n)( *)([a-z_]+)/  +[^\n]*");
        const std::string text = text_of(root / "ARCHITECTURE.md");
        QStringList missing;
        std::string parent;
        std::size_t base = std::string::npos;
        int lines = 0;
        for (std::sregex_iterator it(text.begin(), text.end(), line), end; it != end; ++it) {
            const std::size_t indent = (*it)[2].str().size();
            const std::string name = (*it)[3].str();
            if (base == std::string::npos) base = indent;
            if (indent == base) parent = name;
            const fs::path folder = indent == base ? root / name : root / parent / name;
            ++lines;
            if (!fs::is_directory(folder)) missing << QString::fromStdString(fs::relative(folder, root).string());
        }
        QVERIFY2(lines > 10, "the tree was not found");
        QVERIFY2(missing.isEmpty(), ("not there: " + missing.join(", ")).toUtf8());
    }
};

QTEST_APPLESS_MAIN(TestDocuments)
#include "tst_documents.moc"
