// SPDX-License-Identifier: GPL-3.0-or-later
// Configurations of models that others wrote: parameters as summed from the figures by another program
// (tests/data/models/hugging_face/truth.csv), or refused with a reason. Outcomes may only get better: outcomes.csv.
#include <QtTest>
#include <cstdio>

#include "core/formats/library.hpp"
#include "core/formats/network_json.hpp"
#include "reference/support_files.hpp"

using namespace scalescope;
using support::FileFolder;
using support::first_line;
using support::Outcome;

namespace {

const FileFolder folder("hugging_face");

/// The model without the head of a task.
std::int64_t body_parameters(const Network& network) {
    std::int64_t n = 0;
    for (int l = 0; l < network.size(); ++l)
        if (block_name(network.layers()[static_cast<std::size_t>(l)].name) != "head")
            n += network.facts()[static_cast<std::size_t>(l)].parameters();
    return n;
}

}  // namespace

class HuggingFaceFiles : public QObject {
    Q_OBJECT
private slots:
    void outcomes();
    void what_is_read_is_kept_in_a_file();
    void lengths_are_open();
};

void HuggingFaceFiles::outcomes() {
    const auto truth = folder.table("truth.csv"), expected = folder.table("outcomes.csv");
    QCOMPARE(static_cast<int>(truth.size()), 54);
    std::string said;
    bool same = true;
    for (const auto& entry : truth) {
        const std::string& name = entry.first;
        const auto& row = entry.second;
        const std::string text = folder.text(name);
        QVERIFY2(!text.empty(), name.c_str());
        Problems warnings;
        const auto network = formats::read_any_network(text, name, &warnings);
        Outcome o;
        std::int64_t parameters = 0;
        if (!network) {
            const std::string nowhere = support::without_place(network.error(), name);
            QVERIFY2(nowhere.empty(), nowhere.c_str());
            o.word = "refused";
            o.reason = first_line(network.error());
        } else {
            o.word = "read";
            o.unknown = (*network)->unknown_kinds();
            parameters = row.at(2) == "body" ? body_parameters(**network) : (*network)->parameters();
            o.compare(row.at(1), parameters + std::stoll(row.at(3)), 0, "parameters");
            const std::string nowhere = support::without_place(warnings, name);
            QVERIFY2(nowhere.empty(), nowhere.c_str());
        }
        const auto it = expected.find(name);
        const bool as_expected = o.at_least(it == expected.end() ? nullptr : &it->second);
        same = same && as_expected;
        said += (as_expected ? "  " : "! ") + name + ": " + o.word + ", " + std::to_string(parameters) +
                " parameters, " + std::to_string(warnings.size()) + " warnings " + o.reason + '\n';
        for (const Problem& p : warnings) said += "      " + p.what + '\n';
    }
    std::fputs(said.c_str(), stdout);
    QVERIFY2(same, "an outcome is worse than outcomes.csv has it: see the lines with '!'");
}

void HuggingFaceFiles::what_is_read_is_kept_in_a_file() {
    for (const auto& [name, row] : folder.table("outcomes.csv")) {
        if (row.at(1) == "refused") continue;
        const auto draft = formats::read_any_network_draft(folder.text(name), name);
        QVERIFY2(draft.has_value(), name.c_str());
        const std::string written = formats::write_network(*draft);
        const auto again = formats::read_network_draft(written, "again.json");
        QVERIFY2(again.has_value(), again ? "" : first_line(again.error()).c_str());
        QCOMPARE(formats::write_network(*again), written);
    }
}

/// Another length of the sequence is another amount of work by the same weights.
void HuggingFaceFiles::lengths_are_open() {
    for (const char* name : {"llama2-7b.json", "bert-large.json", "t5-v1_1-xxl.json", "deepseek-v3.json"}) {
        const auto network = formats::read_any_network(folder.text(name), name);
        QVERIFY2(network.has_value(), name);
        const std::vector<Binding> longer{{"sequence", 1000}}, twice{{"sequence", 2000}};
        const auto a = (*network)->with(longer), b = (*network)->with(twice);
        QVERIFY2(a.has_value() && b.has_value(), name);
        QCOMPARE((*a)->parameters(), (*network)->parameters());
        QVERIFY((*b)->multiply_adds() > (*a)->multiply_adds());
    }
}

QTEST_APPLESS_MAIN(HuggingFaceFiles)
#include "tst_hugging_face_files.moc"
