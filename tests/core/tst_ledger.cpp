// SPDX-License-Identifier: GPL-3.0-or-later
// The ledger: key figures of every preset scenario, kept to the last digit. A number that moves is seen here, and its
// reason belongs in the CHANGELOG. Where a row differs, the test prints the row to paste into tests/data/ledger.csv.
#include <QtTest>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>

#include "core/base/decimal.hpp"
#include "core/estimate/estimate.hpp"
#include "core/formats/scenario_json.hpp"

using namespace scalescope;
using namespace scalescope::formats;

namespace {

constexpr double tolerance = 1e-12;
const std::string header =
    "scenario,step_s,forward_s,backward_s,update_s,communication_s,hidden_s,idle_s,speedup,memory_bytes";

std::vector<double> figures(const Estimate& e) {
    const Summary& s = e.summary;
    return {s.step.value,   s.forward.value, s.backward.value, s.update.value,     s.communication.value,
            s.hidden.value, s.idle.value,    e.speedup,        e.memory.peak.value};
}

std::map<std::string, std::string> ledger() {
    std::ifstream file(SCALESCOPE_TEST_DATA "/ledger.csv");
    std::map<std::string, std::string> rows;
    std::string line;
    std::getline(file, line);
    if (line != header) return {};
    while (std::getline(file, line)) rows.emplace(line.substr(0, line.find(',')), line);
    return rows;
}

bool agrees(const std::string& row, const std::vector<double>& now) {
    std::istringstream cells(row);
    std::string cell;
    std::getline(cells, cell, ',');
    for (double value : now) {
        if (!std::getline(cells, cell, ',')) return false;
        const auto kept = parse_decimal(cell);
        if (!kept || std::abs(*kept - value) > tolerance * std::abs(*kept)) return false;
    }
    return !std::getline(cells, cell, ',');
}

}  // namespace

class Ledger : public QObject {
    Q_OBJECT
private slots:
    void figures_stand();
};

void Ledger::figures_stand() {
    const Library library = load_shipped();
    auto kept = ledger();
    std::string to_paste;
    for (const Preset& preset : library.scenarios) {
        const auto read = read_scenario(preset.text, preset.file, library);
        QVERIFY2(read.has_value(), preset.id.c_str());
        const auto e = estimate(read->scenario);
        QVERIFY2(e.has_value(), preset.id.c_str());
        const auto now = figures(*e);
        std::string row = preset.id;
        for (double v : now) row += ',' + shortest_decimal(v);
        if (!agrees(kept[preset.id], now)) to_paste += row + '\n';
        kept.erase(preset.id);
    }
    std::string message;
    if (!to_paste.empty())
        message =
            "These rows differ; if they are meant to, paste them into tests/data/ledger.csv and say why in the "
            "CHANGELOG:\n" +
            header + '\n' + to_paste;
    for (const auto& [id, row] : kept) message += "No scenario is called " + id + " any more: remove its row.\n";
    std::fputs(message.c_str(), stderr);  // QVERIFY2 would cut it off
    QVERIFY2(message.empty(), "the ledger differs: see the rows above");
}

QTEST_APPLESS_MAIN(Ledger)
#include "tst_ledger.moc"
