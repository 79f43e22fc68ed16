// SPDX-License-Identifier: GPL-3.0-or-later
// Everything shipped: it parses, it has the totals that others have published, and it can be estimated.
#include <QtTest>
#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "core/base/atomic_file.hpp"
#include "core/estimate/estimate.hpp"
#include "core/formats/json_document.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/scenario/clusters.hpp"
#include "core/scenario/fields.hpp"
#include "support_library.hpp"

using namespace scalescope;
using namespace scalescope::formats;
using support::library;
using support::messages;

namespace {

struct Totals {
    std::string network;
    std::int64_t parameters = 0, multiply_adds = 0;
};

std::vector<Totals> published() {
    std::ifstream file(SCALESCOPE_TEST_DATA "/published/network_totals.csv");
    std::vector<Totals> rows;
    std::string line, cell;
    std::getline(file, line);
    while (std::getline(file, line)) {
        std::istringstream cells(line);
        Totals t;
        std::getline(cells, t.network, ',');
        std::getline(cells, cell, ',');
        t.parameters = std::stoll(cell);
        std::getline(cells, cell, ',');
        t.multiply_adds = std::stoll(cell);
        rows.push_back(t);
    }
    return rows;
}

Result<JsonDocument> read_schema(const std::string& format) {
    auto text = read_file(SCALESCOPE_SOURCE_DIR "/presets/schema/" + format + ".schema.json");
    if (!text) return fail(text.error());
    return parse_json(std::move(*text), format + ".schema.json");
}

/// A schema's condition on the kind: {"properties": {"kind": {"const": "dense"}}}, or "enum" with several.
bool is_about(const JsonValue& condition, std::string_view kind) {
    const JsonValue rule = *condition.find("properties")->find("kind");
    if (const auto only = rule.find("const")) return only->text() == kind;
    const JsonValue several = *rule.find("enum");
    return std::any_of(several.begin(), several.end(), [&](const JsonValue k) { return k.text() == kind; });
}

}  // namespace

class Presets : public QObject {
    Q_OBJECT
private slots:
    void catalogue_is_whole();
    void devices_and_links_name_their_sources();
    void clusters_name_their_sources();
    void clusters_are_found_again();
    void networks_show_published_totals();
    void every_network_has_totals();
    void scenarios_estimate_without_problems_data();
    void scenarios_estimate_without_problems();
    void schema_names_every_field();
    void schema_names_every_kind();
};

void Presets::catalogue_is_whole() {
    QVERIFY2(library().problems.empty(), messages(library().problems).c_str());
    QVERIFY(library().catalogue.devices.size() >= 56);
    QVERIFY(library().catalogue.links.size() >= 20);
    QVERIFY(library().catalogue.clusters.size() >= 12);
    QCOMPARE(library().catalogue.percents.size(), std::size_t{5});
    QCOMPARE(library().scenarios.front().id, std::string("example"));
    QVERIFY(library().scenarios.size() >= 10);
    std::set<std::string> names;
    for (const Preset& p : library().networks) QVERIFY2(names.insert(p.name).second, p.name.c_str());
    for (const Preset& p : library().scenarios) {
        QVERIFY2(names.insert(p.name).second, p.name.c_str());
        QVERIFY2(!p.description.empty() && p.description.back() == '.', p.id.c_str());
    }
    // PALEO's eight devices and six links can be had by PALEO's keys, and have PALEO's figures.
    for (auto key : {"TITAN_X", "K20", "K20X", "K40", "K80", "GEFORCE_780_TI", "GEFORCE_750_M", "CPU_I7"})
        QVERIFY2(library().catalogue.device(key), key);
    for (auto key : {"aws", "ethernet", "ethernet20", "infiniband", "pcie2", "pcie3"})
        QVERIFY2(library().catalogue.link(key), key);
    QCOMPARE(library().catalogue.device("K20X")->peak_at(Precision::fp32)->value, 3.935e12);
    QCOMPARE(library().catalogue.link("infiniband")->bandwidth.value, 8.75e9);
}

void Presets::devices_and_links_name_their_sources() {
    // Sources are spelled out. A row without one says of its every figure that nobody has read a source.
    const auto lists = [](const std::vector<std::string>& names, std::string_view name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    for (const Device& d : library().catalogue.devices) {
        for (const auto& s : d.sources) QVERIFY2(s.size() > 5, (d.id + ": " + s).c_str());
        // A price says whose it is and when, or that this is not known.
        QCOMPARE(d.price_per_hour.has_value(), !d.price_basis.empty());
        if (d.price_per_hour)
            QVERIFY2(
                d.price_basis.find(" 20") != std::string::npos || d.price_basis.find("undated") != std::string::npos,
                d.price_basis.c_str());
        if (!d.sources.empty()) continue;
        QVERIFY2(lists(d.unverified, "memory_bandwidth_gb_s"), d.id.c_str());
        for (Precision p : all_precisions)
            if (d.peak_at(p)) QVERIFY2(lists(d.unverified, "peak_tflops." + std::string(name_of(p))), d.id.c_str());
    }
    for (const Link& l : library().catalogue.links) {
        for (const auto& s : l.sources) QVERIFY2(s.size() > 5, (l.id + ": " + s).c_str());
        if (l.sources.empty())
            QVERIFY2(lists(l.unverified, "bandwidth_gb_s_one_way") && lists(l.unverified, "latency_us"), l.id.c_str());
    }
    for (const PercentOfPeak& p : library().catalogue.percents) QVERIFY2(p.source.size() > 3, p.id.c_str());
}

void Presets::clusters_name_their_sources() {
    std::set<std::string> names;
    for (const ClusterPreset& c : library().catalogue.clusters) {
        QVERIFY2(names.insert(c.name).second, c.name.c_str());
        QVERIFY2(!c.vendor.empty(), c.id.c_str());
        QVERIFY2(!c.sources.empty(), c.id.c_str());
        for (const auto& s : c.sources) QVERIFY2(s.size() > 10, (c.id + ": " + s).c_str());
        // The link between nodes is that of one network card; where it is the share of one device, each has a card.
        const Link* between = library().catalogue.link(c.between);
        if (between && between->name.find("share of one GPU") != std::string::npos)
            QVERIFY2(c.nics_per_node == c.devices_per_node, c.id.c_str());
    }
}

void Presets::clusters_are_found_again() {
    const Catalogue& catalogue = library().catalogue;
    const Scenario example = read_scenario(library().find_scenario("example")->text, "e.json", library())->scenario;
    QVERIFY(!preset_of(example.cluster, catalogue));
    for (const ClusterPreset& preset : catalogue.clusters)
        for (const std::int64_t workers : {1, 8, 12, 1000}) {
            Cluster before = example.cluster;
            before.workers = workers;
            const Cluster c = built_as(preset, catalogue, before);
            QVERIFY2(preset_of(c, catalogue) == &preset, preset.id.c_str());
            QCOMPARE(c.device.id, preset.device);
            QCOMPARE(c.devices_per_node, preset.devices_per_node);
            QCOMPARE(c.nics_per_node, preset.nics_per_node);
            if (!preset.inside.empty()) QCOMPARE(c.inside.id, preset.inside);
            if (!preset.between.empty()) QCOMPARE(c.between.id, preset.between);
            QVERIFY(c.workers % c.devices_per_node == 0);
            QVERIFY(c.workers >= workers || (preset.nodes && c.workers == *preset.nodes * c.devices_per_node));
            QVERIFY(c.workers < workers + c.devices_per_node);
            // One figure of a part that counts, and it is nobody's any more.
            Cluster other = c;
            other.device.memory_bandwidth = other.device.memory_bandwidth * 2;
            QVERIFY2(!preset_of(other, catalogue), preset.id.c_str());
            other = c;
            other.nics_per_node = c.nics_per_node + 1;
            QVERIFY2(!preset_of(other, catalogue), preset.id.c_str());
        }
    Cluster crowd = built_as(*catalogue.cluster("devbox-titan-x"), catalogue, example.cluster);
    QCOMPARE(crowd.workers, std::int64_t{4});
    crowd.workers = 8;  // two of a single workstation
    QVERIFY(!preset_of(crowd, catalogue));
    Scenario firecaffe = read_scenario(library().find_scenario("firecaffe-nin")->text, "f.json", library())->scenario;
    QCOMPARE(preset_of(firecaffe.cluster, catalogue)->id, std::string("paleo-firecaffe"));
}

void Presets::networks_show_published_totals() {
    const auto rows = published();
    QVERIFY(rows.size() >= 18);
    for (const Totals& t : rows) {
        const auto network = library().network(t.network);
        QVERIFY2(network.has_value(), network ? "" : messages(network.error()).c_str());
        QVERIFY2((*network)->parameters() == t.parameters,
                 (t.network + ": " + std::to_string((*network)->parameters())).c_str());
        QVERIFY2((*network)->multiply_adds() == t.multiply_adds,
                 (t.network + ": " + std::to_string((*network)->multiply_adds())).c_str());
    }
}

void Presets::every_network_has_totals() {
    std::set<std::string> known;
    for (const Totals& t : published()) known.insert(t.network);
    for (const Preset& p : library().networks)
        if (!p.id.starts_with("paleo/")) QVERIFY2(known.contains(p.id), p.id.c_str());
}

void Presets::scenarios_estimate_without_problems_data() {
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < library().scenarios.size(); ++i)
        QTest::newRow(library().scenarios[i].id.c_str()) << static_cast<int>(i);
}

void Presets::scenarios_estimate_without_problems() {
    QFETCH(int, index);
    const Preset& preset = library().scenarios[static_cast<std::size_t>(index)];
    const auto read = read_scenario(preset.text, preset.file, library());
    QVERIFY2(read.has_value(), read ? "" : messages(read.error()).c_str());
    QVERIFY2(read->warnings.empty(), messages(read->warnings).c_str());
    const auto e = estimate(read->scenario);
    QVERIFY2(e.has_value(), e ? "" : messages(e.error()).c_str());
    QVERIFY(e->summary.step.value > 0);
    // Written out in full it is the same scenario still.
    const auto again = read_scenario(write_scenario(read->scenario, library()), "again.json", library());
    QVERIFY2(again.has_value(), again ? "" : messages(again.error()).c_str());
    QVERIFY(again->warnings.empty());
    const auto e2 = estimate(again->scenario);
    QVERIFY(e2.has_value());
    QVERIFY(e2->summary == e->summary);
}

void Presets::schema_names_every_field() {
    const auto schema = read_schema("scenario");
    QVERIFY2(schema.has_value(), schema ? "" : messages(schema.error()).c_str());
    const JsonValue sections = *schema->root().find("properties");
    // cut_auto, which is part of the field "parallelism.cut", the calibration, which changes no number, and the former
    // strategy.
    std::size_t members = 3;
    for (const Field& f : all_fields()) {
        const auto dot = f.path.find('.');
        if (f.derived || f.path.find('.', dot + 1) != std::string_view::npos) continue;
        const auto member = sections.find(f.path.substr(0, dot))->find("properties")->find(f.path.substr(dot + 1));
        QVERIFY2(member.has_value(), f.path.data());
        ++members;
        if (f.type != FieldType::choice) continue;
        std::vector<std::string_view> words;
        auto words_of_schema = member->find("enum");
        if (!words_of_schema) words_of_schema = (*member->find("anyOf")->begin()).find("enum");  // and sets of them
        for (const JsonValue word : *words_of_schema) words.push_back(word.text());
        QVERIFY2(words.size() >= f.choices.size(), f.path.data());  // words of former versions may follow
        QVERIFY2(std::equal(f.choices.begin(), f.choices.end(), words.begin()), f.path.data());
    }
    for (auto section : {"training", "cluster", "parallelism", "cpu", "model", "reliability"})
        members -= sections.find(section)->find("properties")->size();
    QCOMPARE(members, std::size_t{0});
}

void Presets::schema_names_every_kind() {
    const auto schema = read_schema("network");
    QVERIFY2(schema.has_value(), schema ? "" : messages(schema.error()).c_str());
    const JsonValue layer = *schema->root().find("$defs")->find("layer"), rules = *layer.find("allOf");
    std::set<std::string_view> kinds, known;
    const JsonValue names = *layer.find("properties")->find("kind")->find("enum");
    for (const JsonValue name : names) kinds.insert(name.text());
    for (const Kind* kind : all_kinds()) {
        known.insert(kind->name);
        std::set<std::string_view> attributes;
        bool inputs = false;
        for (const JsonValue rule : rules) {
            if (!is_about(*rule.find("if"), kind->name)) continue;
            const JsonValue members = *rule.find("then")->find("properties");
            inputs |= members.find("inputs").has_value();
            for (const AttributeInfo& a : kind->attributes)
                if (members.find(a.name)) attributes.insert(a.name);
        }
        QVERIFY2(inputs, (std::string(kind->name) + ": how many inputs?").c_str());
        for (const AttributeInfo& a : kind->attributes)
            QVERIFY2(attributes.contains(a.name), (std::string(kind->name) + ": " + std::string(a.name)).c_str());
    }
    QVERIFY(kinds == known);
}

QTEST_APPLESS_MAIN(Presets)
#include "tst_presets.moc"
