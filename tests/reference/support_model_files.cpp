// SPDX-License-Identifier: GPL-3.0-or-later
#include "support_model_files.hpp"

#include <QtTest>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <vector>

#include "core/formats/library.hpp"
#include "core/formats/network_json.hpp"

using namespace scalescope;

namespace support {
namespace {

struct Outcome {
    std::string word;  ///< "read", "refused", or what differs
    std::int64_t parameters = 0, multiply_adds = 0;
    int unknown = 0;
    std::string reason;
};

std::int64_t usual_statistics(const Network& network) {
    std::int64_t n = 0;
    for (int l = 0; l < network.size(); ++l)
        if (network.layers()[static_cast<std::size_t>(l)].kind->name == "batch_norm")
            n += 2 * network.facts()[static_cast<std::size_t>(l)].units;
    return n;
}

std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream text(line + ',');
    for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
    return cells;
}

Outcome refused(const Problems& problems, const std::string& name, bool lines) {
    for (const Problem& p : problems)
        if ((lines && (p.at.line <= 0 || p.at.column <= 0)) || p.at.file.find(name) == std::string::npos ||
            p.what.empty() || p.remedy.empty())
            return {"a problem without place or remedy", 0, 0, 0, to_text(p)};
    return {"refused", 0, 0, 0, first_problem(problems)};
}

Result<std::string> text_of_file(const std::string& folder, const std::string& name, const ModelCounts& counts) {
    if (counts.text) return counts.text(name);
    return model_text(folder, name);
}

Result<std::shared_ptr<const Network>> read_file(const std::string& text, const std::string& name, const CsvRow& row,
                                                 const ModelCounts& counts, Problems& warnings) {
    if (counts.read) return counts.read(text, row, warnings);
    auto network = formats::read_any_network(text, name, &warnings);
    const auto sizes = row.find("sizes");
    if (!network || sizes == row.end() || sizes->second.empty()) return network;
    return (*network)->with(sizes_of(sizes->second));
}

Outcome outcome_of(const Network& network, const std::string& text, const CsvRow& truth, const ModelCounts& counts) {
    Outcome o{"read", network.parameters(), 0, network.unknown_kinds(), {}};
    if (counts.parameters) o.parameters = counts.parameters(network, truth);
    o.multiply_adds = counts.multiply_adds ? counts.multiply_adds(network, truth) : network.multiply_adds();
    const std::int64_t statistics = counts.statistics ? counts.statistics(network, text) : usual_statistics(network);
    const auto differs = [&](const char* what, std::int64_t is, double tolerance) {
        const auto cell = truth.find(what);
        if (cell == truth.end() || cell->second.empty()) return;
        const auto should = std::stoll(cell->second);
        if (std::abs(static_cast<double>(is - should)) <= tolerance * static_cast<double>(should)) return;
        o.word = what;
        o.reason += std::string(what) + " " + std::to_string(is) + " for " + std::to_string(should) + " ";
    };
    differs("multiply_adds", o.multiply_adds, 0.005);
    differs("batchnorm_statistics", statistics, 0);
    differs("parameters", o.parameters, 0);
    return o;
}

/// Better is: read where it was refused or counted otherwise, or fewer layers of unknown kind.
bool as_good(const Outcome& o, const CsvRow& expected) {
    const auto cell = [&](const char* name) {
        const auto it = expected.find(name);
        return it == expected.end() ? std::string() : it->second;
    };
    if (cell("outcome") == "refused") return o.word == "refused" || o.word == "read";
    return (o.word == "read" || o.word == cell("outcome")) &&
           o.unknown <= std::stoi('0' + cell("layers_of_unknown_kind"));
}

}  // namespace

std::string model_text(const std::string& folder, const std::string& name) {
    std::ifstream file(std::string(SCALESCOPE_TEST_DATA "/models/") + folder + '/' + name, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::map<std::string, CsvRow> csv_rows(const std::string& folder, const std::string& file) {
    std::map<std::string, CsvRow> rows;
    std::istringstream lines(model_text(folder, file));
    std::string line;
    std::getline(lines, line);
    const auto names = cells_of(line);
    while (std::getline(lines, line)) {
        const auto cells = cells_of(line);
        CsvRow row;
        for (std::size_t i = 0; i < cells.size() && i < names.size(); ++i) row[names[i]] = cells[i];
        rows.emplace(cells.at(0), row);
    }
    return rows;
}

std::string first_problem(const Problems& problems) {
    for (const Problem& p : problems)
        if (p.severity == Severity::error) return to_text(p);
    return problems.empty() ? std::string() : to_text(problems[0]);
}

std::vector<Binding> sizes_of(const std::string& cell) {
    std::vector<Binding> sizes;
    std::istringstream all(cell);
    for (std::string size; std::getline(all, size, ';');)
        if (const auto equals = size.find('='); equals != std::string::npos)
            sizes.push_back({size.substr(0, equals), std::stoll(size.substr(equals + 1))});
    return sizes;
}

void compare_model_files(const std::string& folder, std::size_t files, const ModelCounts& counts) {
    const auto truth = csv_rows(folder, "truth.csv"), expected = csv_rows(folder, "outcomes.csv");
    QCOMPARE(truth.size(), files);
    std::string said;
    bool same = true;
    for (const auto& entry : truth) {
        const std::string& name = entry.first;
        const auto it = expected.find(name);
        const CsvRow should = it == expected.end() ? CsvRow{} : it->second;
        CsvRow row = entry.second;
        row.insert(should.begin(), should.end());
        Problems warnings;
        const auto text = text_of_file(folder, name, counts);
        QVERIFY2(!text || !text->empty(), name.c_str());
        const auto network = text ? read_file(*text, name, row, counts, warnings) : tl::unexpected(text.error());
        const Outcome o =
            network ? outcome_of(**network, *text, row, counts) : refused(network.error(), name, counts.lines);
        const bool good = as_good(o, should);
        same = same && good;
        said += (good ? "  " : "! ") + name + ": " + o.word + ", " + std::to_string(o.unknown) + " of unknown kind, " +
                std::to_string(o.parameters) + " parameters, " + std::to_string(o.multiply_adds) + " multiply-adds, " +
                std::to_string(warnings.size()) + " warnings " + o.reason + '\n';
        if (network && o.unknown > 0) said += "      " + about_unknown_kinds(**network) + '\n';
        if (qEnvironmentVariableIsSet("SCALESCOPE_SHOW_WARNINGS"))
            for (const Problem& p : warnings) said += "      " + to_text(p) + '\n';
    }
    std::fputs(said.c_str(), stdout);
    QVERIFY2(same, "an outcome is worse than outcomes.csv has it: see the lines with '!'");
}

void write_and_read_model_files(const std::string& folder, const ModelCounts& counts) {
    for (const auto& entry : csv_rows(folder, "outcomes.csv")) {
        const std::string& name = entry.first;
        if (entry.second.at("outcome") == "refused") continue;
        const auto text = text_of_file(folder, name, counts);
        QVERIFY2(text.has_value(), name.c_str());
        const auto draft = formats::read_any_network_draft(*text, name);
        QVERIFY2(draft.has_value(), name.c_str());
        const std::string written = formats::write_network(*draft);
        const auto again = formats::read_network_draft(written, "again.json");
        QVERIFY2(again.has_value(), again ? "" : first_problem(again.error()).c_str());
        QCOMPARE(formats::write_network(*again), written);
    }
}

}  // namespace support
