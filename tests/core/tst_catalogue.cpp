// SPDX-License-Identifier: GPL-3.0-or-later
// Devices, links and percents of peak: every figure survives reading and writing bit for bit.
#include <QtTest>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "core/base/decimal.hpp"
#include "core/formats/catalogue_json.hpp"
#include "core/formats/library.hpp"
#include "support_library.hpp"

using namespace scalescope;
using namespace scalescope::formats;
using support::messages;

namespace {

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

std::string device_row(const std::string& rest) {
    return "{\"format\": \"scalescope-devices\", \"version\": 1, \"devices\": [\n{\"id\": \"d\", \"name\": \"D\", " +
           rest + "}\n]}";
}

}  // namespace

class CatalogueFiles : public QObject {
    Q_OBJECT
private slots:
    void decimals_move_the_point_exactly();
    void decimals_refuse_what_is_no_number();
    void shipped_rows_round_trip();
    void random_figures_round_trip();
    void sources_are_spelled_out();
    void bad_rows_are_named_data();
    void bad_rows_are_named();
    void bad_clusters_are_named_data();
    void bad_clusters_are_named();
    void own_folder_adds_and_replaces();
    void own_folder_is_where_the_environment_says();
    void names_are_found_in_order();
};

void CatalogueFiles::decimals_move_the_point_exactly() {
    QCOMPARE(shortest_decimal(336.5e9, 9), std::string("336.5"));
    QCOMPARE(shortest_decimal(0.62, -2), std::string("62"));
    QCOMPARE(shortest_decimal(1.9e-6, -6), std::string("1.9"));
    QCOMPARE(shortest_decimal(0.000123), std::string("0.000123"));
    QCOMPARE(shortest_decimal(1e-9), std::string("1e-9"));
    QCOMPARE(shortest_decimal(-1.5e300), std::string("-1.5e300"));
    QCOMPARE(shortest_decimal(1e20), std::string("100000000000000000000"));
    QCOMPARE(shortest_decimal(-0.0), std::string("0"));
    QCOMPARE(shortest_decimal(NAN), std::string("null"));
    QCOMPARE(*parse_decimal("288.4", 9), 288400000000.0);
    QCOMPARE(*parse_decimal("2.5e+3", -3), 2.5);
    QCOMPARE(*parse_decimal("62", -2), 0.62);
    QCOMPARE(*parse_decimal("1e-400"), 0.0);
    std::mt19937_64 engine(1);
    for (int i = 0; i < 40000; ++i) {
        double v = 0;
        const std::uint64_t bits = engine();
        std::memcpy(&v, &bits, sizeof v);
        if (!std::isfinite(v)) continue;
        for (int power : {0, 9, 12, -2, -6}) {
            const auto back = parse_decimal(shortest_decimal(v, power), power);
            QVERIFY2(back && same_bits(*back, v == 0 ? 0.0 : v), shortest_decimal(v, power).c_str());
        }
    }
}

void CatalogueFiles::decimals_refuse_what_is_no_number() {
    for (auto text : {"", "-", "+1", " 1", "1 ", "1,5", "nan", "inf", "-inf", "0x10", "1e", "1e+", "1e--3", "1e5e5",
                      "1.2.3", "e5", "1e400", "abc", "1_000"})
        QVERIFY2(!parse_decimal(text), text);
    QVERIFY(!parse_decimal("1e300", 9));
    QVERIFY(!parse_decimal("1e99999999999999999999"));
    QCOMPARE(*parse_decimal("1e-99999999999999999999"), 0.0);
}

void CatalogueFiles::shipped_rows_round_trip() {
    const Library library = load_shipped();
    const auto devices = read_devices(write_devices(library.catalogue.devices), "devices.json");
    QVERIFY2(devices.has_value(), devices ? "" : messages(devices.error()).c_str());
    QVERIFY(*devices == library.catalogue.devices);
    const auto links = read_links(write_links(library.catalogue.links), "links.json");
    QVERIFY2(links.has_value(), links ? "" : messages(links.error()).c_str());
    QVERIFY(*links == library.catalogue.links);
    const auto clusters = read_clusters(write_clusters(library.catalogue.clusters), "clusters.json", library.catalogue);
    QVERIFY2(clusters.has_value(), clusters ? "" : messages(clusters.error()).c_str());
    QVERIFY(*clusters == library.catalogue.clusters);
    const auto machines = read_machines(write_machines(library.catalogue.machines), "machines.json");
    QVERIFY2(machines.has_value(), machines ? "" : messages(machines.error()).c_str());
    QVERIFY(*machines == library.catalogue.machines);
    QVERIFY(machines->size() >= 9);
}

void CatalogueFiles::random_figures_round_trip() {
    std::mt19937_64 engine(2);
    const auto figure = [&] {
        return std::exp(std::uniform_real_distribution<double>(std::log(1e-3), std::log(1e6))(engine));
    };
    std::vector<Device> devices;
    std::vector<Link> links;
    for (int i = 0; i < 500; ++i) {
        Device d;
        d.id = "d" + std::to_string(i);
        d.name = "Gerät \"" + std::to_string(i) + '"';
        for (const Precision p : all_precisions)
            if (has_peak(p) && engine() % 2) d.peak[static_cast<std::size_t>(p)] = FlopsPerSecond{figure() * 1e12};
        d.memory_bandwidth = BytesPerSecond{figure() * 1e9};
        if (engine() % 2) d.memory = Bytes{figure() * 1e9};
        if (engine() % 2) d.price_per_hour = figure();
        if (engine() % 2) d.clock_mhz = figure();
        if (engine() % 2) d.sustained_fraction = 0.1 + figure() / 1e7;
        if (engine() % 2) d.sustained_matrix_fraction = 0.1 + figure() / 1e7;
        if (engine() % 2) d.l2 = Bytes{figure() * 1e6};
        if (engine() % 2) d.unverified = {"l2_mb"};
        d.sources = {"measured\nhere"};
        devices.push_back(d);
        Link l;
        l.id = "l" + std::to_string(i);
        l.name = "";
        l.scope = "either";
        l.bandwidth = BytesPerSecond{figure() * 1e9};
        l.latency = Seconds{engine() % 2 ? 0.0 : figure() * 1e-6};
        links.push_back(l);
    }
    QVERIFY(*read_devices(write_devices(devices), "d.json") == devices);
    QVERIFY(*read_links(write_links(links), "l.json") == links);
}

void CatalogueFiles::sources_are_spelled_out() {
    const auto links =
        read_links(R"({"format": "scalescope-links", "version": 1, "sources": {"A": "a paper of 2020"}, "links": [
        {"id": "x", "name": "X", "scope": "either", "bandwidth_gb_s_one_way": 1.25, "latency_us": 10, "sources": ["A", "my own measurement"]}]})",
                   "l.json");
    QVERIFY2(links.has_value(), links ? "" : messages(links.error()).c_str());
    QCOMPARE(links->front().sources, (std::vector<std::string>{"a paper of 2020", "my own measurement"}));
    QCOMPARE(links->front().bandwidth.value, 1.25e9);
    QCOMPARE(links->front().latency.value, 10e-6);
}

void CatalogueFiles::bad_rows_are_named_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const std::string& text, const char* message) {
        QTest::newRow(name) << QString::fromStdString(text) << message;
    };
    row("no peaks", device_row("\"memory_bandwidth_gb_s\": 1"),
        "2:1: devices › d: The field \"peak_tflops\" is missing");
    row("no bandwidth", device_row("\"peak_tflops\": {\"fp32\": 1}"),
        "2:1: devices › d: The field \"memory_bandwidth_gb_s\" is missing");
    row("zero bandwidth", device_row("\"peak_tflops\": {\"fp32\": 1}, \"memory_bandwidth_gb_s\": 0"),
        "2:79: devices › d › memory_bandwidth_gb_s: This must be a number from 1e-09 to 1e+12, not 0");
    row("negative peak", device_row("\"peak_tflops\": {\"fp32\": -1}, \"memory_bandwidth_gb_s\": 1"),
        "2:50: devices › d › peak_tflops › fp32: This must be a number");
    row("unknown precision", device_row("\"peak_tflops\": {\"fp23\": 1}, \"memory_bandwidth_gb_s\": 1"),
        "2:42: devices › d › peak_tflops › fp23: The field \"fp23\" is not known here; did you mean \"fp32\"?");
    row("misspelt field", device_row("\"peak_tflops\": {\"fp32\": 1}, \"memory_bandwidth_gb_s\": 1, \"memroy_gb\": 5"),
        "devices › d › memroy_gb: The field \"memroy_gb\" is not known here; did you mean \"memory_gb\"?");
    row("same id twice",
        "{\"format\": \"scalescope-devices\", \"version\": 1, \"devices\": [{\"id\": \"d\", \"name\": \"D\", "
        "\"peak_tflops\": {}, \"memory_bandwidth_gb_s\": 1},\n{\"id\": \"d\", \"name\": \"D\", \"peak_tflops\": {}, "
        "\"memory_bandwidth_gb_s\": 1}]}",
        "2:1: devices › d: Two entries have the id \"d\"");
    row("a link file", "{\"format\": \"scalescope-links\", \"version\": 1, \"links\": []}",
        "1:12: format: This file says it is a \"scalescope-links\"");
}

void CatalogueFiles::bad_rows_are_named() {
    QFETCH(QString, text);
    QFETCH(QString, message);
    const auto devices = read_devices(text.toStdString(), "own.json");
    QVERIFY(!devices);
    const auto all = QString::fromStdString(messages(devices.error()));
    QVERIFY2(all.startsWith("own.json:"), qPrintable(all));
    QVERIFY2(all.contains(message), qPrintable(all));
}

void CatalogueFiles::bad_clusters_are_named_data() {
    QTest::addColumn<QString>("row");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const char* fields, const char* message) {
        QTest::newRow(name) << fields << message;
    };
    row("unknown device", R"("device": "tesla-k81", "devices_per_node": 1, "nodes": 1)",
        "2:36: clusters › c › device: There is no device called \"tesla-k81\"; did you mean \"tesla-k80\"?");
    row("unknown link", R"("device": "tesla-k80", "devices_per_node": 1, "between": "wet-string")",
        "clusters › c › between: There is no link called \"wet-string\"; see: scalescope list links");
    row("a number", R"("device": 80, "devices_per_node": 1, "nodes": 1)",
        "clusters › c › device: This must be the name of a device");
    row("no device", R"("devices_per_node": 1, "nodes": 1)", "2:1: clusters › c: The field \"device\" is missing");
    row("no link inside", R"("device": "tesla-k80", "devices_per_node": 2, "nodes": 1)",
        "clusters › c: The field \"inside\" is missing");
    row("no link between", R"("device": "tesla-k80", "devices_per_node": 1)",
        "clusters › c: The field \"between\" is missing");
    row("no devices", R"("device": "tesla-k80", "devices_per_node": 0, "nodes": 1)", "devices_per_node");
    row("misspelt", R"("device": "tesla-k80", "devices_per_node": 1, "node_count": 1)",
        "The field \"node_count\" is not known here");
}

void CatalogueFiles::bad_clusters_are_named() {
    QFETCH(QString, row);
    QFETCH(QString, message);
    const QString text = QStringLiteral(
                             "{\"format\": \"scalescope-clusters\", \"version\": 1, \"clusters\": [\n"
                             "{\"id\": \"c\", \"name\": \"C\", %1}]}")
                             .arg(row);
    const auto clusters = read_clusters(text.toStdString(), "own.json", support::library().catalogue);
    QVERIFY(!clusters);
    const auto all = QString::fromStdString(messages(clusters.error()));
    QVERIFY2(all.contains(message), qPrintable(all));
}

void CatalogueFiles::own_folder_adds_and_replaces() {
    namespace fs = std::filesystem;
    const fs::path folder =
        fs::temp_directory_path() / ("scalescope-catalogue-" + std::to_string(std::random_device{}()));
    for (auto kind : {"devices", "networks", "links", "clusters", "machines"}) fs::create_directories(folder / kind);
    const Library before = load_shipped();
    const auto shipped = before.catalogue.devices.size();
    Device mine = *before.catalogue.device("paleo-k20");
    mine.memory_bandwidth = BytesPerSecond{1e9};
    Device other = mine;
    other.id = "my-own";
    std::ofstream(folder / "devices/mine.json") << write_devices(std::vector{mine, other});
    const std::string small =
        R"({"format": "scalescope-network", "version": 1, "name": "Small", "layers": [{"name": "data", "kind": "input", "shape": ["batch", 3]}]})";
    std::ofstream(folder / "networks/small.json") << small;
    std::ofstream(folder / "links/broken.json") << "{\n  \"format\": oops";
    std::ofstream(folder / "networks/broken.json")
        << "{\"format\": \"scalescope-network\", \"version\": 1, \"name\": \"B\",\n\"layers\": 3}";
    std::ofstream(folder / "networks/nin.json") << small;
    std::ofstream(folder / "networks/notes.txt") << "no preset";
    fs::create_directories(folder / "scenarios");
    ClusterPreset room = *before.catalogue.cluster("dgx-2");
    room.id = "my-room";
    room.device = "my-own";  // a person's cluster may be of a person's devices
    std::ofstream(folder / "clusters/mine.json") << write_clusters(std::vector{room});
    room.device = "nowhere";
    std::ofstream(folder / "clusters/broken.json") << write_clusters(std::vector{room});
    CpuMachine box = *before.catalogue.machine("adam-like");
    box.id = "my-box";
    std::ofstream(folder / "machines/mine.json") << write_machines(std::vector{box});
    std::ofstream(folder / "scenarios/mine.json") << before.find_scenario("example")->text;
    std::ofstream(folder / "scenarios/broken.json") << "[]";
    Library library = load_shipped();
    add_folder(library, folder);
    QCOMPARE(library.catalogue.devices.size(), shipped + 1);
    QCOMPARE(library.catalogue.device("paleo-k20")->memory_bandwidth.value, 1e9);
    QVERIFY(library.catalogue.device("my-own"));
    QCOMPARE(library.catalogue.device(mine.name)->id, std::string("paleo-k20"));  // names are looked for in order
    QVERIFY(library.catalogue.owns(*library.catalogue.device("my-own")));
    QVERIFY(!library.catalogue.owns(*library.catalogue.device("tesla-k80")));
    QVERIFY(!library.catalogue.owns(library.catalogue.links.front()));
    QCOMPARE(library.catalogue.clusters.size(), before.catalogue.clusters.size() + 1);
    QCOMPARE(library.catalogue.cluster("my-room")->device, std::string("my-own"));
    QVERIFY(library.catalogue.owns(*library.catalogue.cluster("my-room")));
    QVERIFY(!library.catalogue.owns(*library.catalogue.cluster("dgx-2")));
    QVERIFY(library.catalogue.owns(*library.catalogue.machine("my-box")));
    QVERIFY(!library.catalogue.owns(*library.catalogue.machine("adam-like")));
    QVERIFY(library.find_network("Small") && library.find_network("small")->own);
    QVERIFY(library.network("small").has_value());
    QCOMPARE(library.networks.back().id, std::string("small"));
    QCOMPARE(library.scenarios.front().id, std::string("example"));
    QVERIFY(library.find_scenario("mine")->own && !library.find_scenario("example")->own);
    QVERIFY(!library.find_network("broken") && !library.find_scenario("broken") && !library.find_network("notes"));
    QVERIFY(library.find_network("nin")->own);
    const auto at = [&](const char* file) {
        return std::count_if(library.problems.begin(), library.problems.end(), [&](const Problem& p) {
            return p.severity == Severity::warning && p.at.file == (folder / file).string();
        });
    };
    for (const Problem& p : library.problems) QVERIFY2(!p.remedy.empty(), to_text(p).c_str());
    for (const char* file : {"devices/mine.json", "links/broken.json", "networks/broken.json", "networks/nin.json",
                             "scenarios/broken.json", "clusters/broken.json"})
        QVERIFY2(at(file) > 0, file);
    QCOMPARE(at("scenarios/mine.json"), 0);
    const std::string all = messages(library.problems);
    const auto says = [&](const std::string& part) { return all.find(part) != std::string::npos; };
    QVERIFY2(says("devices/mine.json: warning: \"paleo-k20\" of this file takes the place of the shipped one"),
             all.c_str());
    QVERIFY2(says("links/broken.json:2:13: warning: Left out: "), all.c_str());
    QVERIFY2(says("networks/broken.json:2:"), all.c_str());
    Library untouched = load_shipped();
    add_folder(untouched, folder / "nowhere");
    add_folder(untouched, {});
    QVERIFY(untouched.problems.empty());
    QCOMPARE(untouched.networks.size(), load_shipped().networks.size());
    // A lesson that was just saved is there at once, and there once.
    fs::create_directories(folder / "lessons");
    const std::size_t lessons = untouched.lessons.size();
    std::string text = untouched.lessons.front().text;
    for (const char* title : {"Mine", "Mine again"}) {
        const auto from = text.find("\"title\": \"") + 10;
        text.replace(from, text.find('"', from) - from, title);
        std::ofstream(folder / "lessons/mine.json") << text;
        take_own_lesson(untouched, folder / "lessons/mine.json");
        QCOMPARE(untouched.lessons.size(), lessons + 1);
        QVERIFY(untouched.lessons.back().own);
        QCOMPARE(untouched.lessons.back().name, std::string(title));
    }
    QVERIFY(untouched.problems.empty());
    take_own_lesson(untouched, folder / "lessons/gone.json");
    QCOMPARE(untouched.problems.size(), std::size_t{1});
    QCOMPARE(untouched.lessons.size(), lessons + 1);
    fs::remove_all(folder);
}

void CatalogueFiles::own_folder_is_where_the_environment_says() {
    QCOMPARE(own_folder("/data", "/home/me").string(), std::string("/data/scalescope"));
    QCOMPARE(own_folder(nullptr, "/home/me").string(), std::string("/home/me/.local/share/scalescope"));
    QCOMPARE(own_folder("", "/home/me").string(), std::string("/home/me/.local/share/scalescope"));
    QCOMPARE(own_folder("relative", "/home/me").string(), std::string("/home/me/.local/share/scalescope"));
    QVERIFY(own_folder(nullptr, nullptr).empty());
    QVERIFY(own_folder(nullptr, "").empty());
}

void CatalogueFiles::names_are_found_in_order() {
    const Library library = load_shipped();
    QCOMPARE(library.catalogue.device("K80")->id, std::string("paleo-k80"));
    QCOMPARE(library.catalogue.device("tesla-k80")->id, std::string("tesla-k80"));
    QCOMPARE(library.find_network("nin")->id, std::string("nin"));
    QCOMPARE(library.find_network("alex_v2")->id, std::string("paleo/alex_v2"));
    QCOMPARE(library.catalogue.percent("tensorflow")->compute, 0.62);
    const auto missing = library.network("vgg-61");
    QVERIFY(!missing);
    QVERIFY2(missing.error().front().remedy.find("vgg-16") != std::string::npos, messages(missing.error()).c_str());
}

QTEST_APPLESS_MAIN(CatalogueFiles)
#include "tst_catalogue.moc"
