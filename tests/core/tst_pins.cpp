// SPDX-License-Identifier: GPL-3.0-or-later
// Designs kept beside the open one, in its file.
#include <QtTest>

#include "core/formats/scenario_json.hpp"
#include "core/scenario/differences.hpp"
#include "support_library.hpp"

using namespace scalescope;
using namespace scalescope::formats;
using support::preset_scenario;

namespace {

const Library& library() { return support::library(); }

Pins all_pins() {
    Pins pins;
    for (const char* id : {"example", "alexnet-cpu-cluster", "dcgan", "resnet-50-a100"})
        pins.push_back({std::string("my ") + id, std::make_shared<const Scenario>(preset_scenario(id))});
    return pins;
}

std::string problem_of(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from, text.find("\"pins\""));
    if (at == std::string::npos) qFatal("%s is not in the file", from.c_str());
    text.replace(at, from.size(), to);
    const auto read = read_scenario(text, "broken.json", library());
    return read ? std::string() : to_text(read.error().front());
}

}  // namespace

class TestPins : public QObject {
    Q_OBJECT

private slots:
    void a_file_keeps_them() {
        const Scenario open = preset_scenario("vgg-16-h100");
        const std::string text = write_scenario(open, library(), R"({"layout": 7})", all_pins());
        const auto read = read_scenario(text, "pinned.json", library());
        QVERIFY2(read.has_value(), read ? "" : support::messages(read.error()).c_str());
        QCOMPARE(difference_lines(read->scenario, open), std::vector<std::string>());
        const Pins before = all_pins();
        QCOMPARE(read->pins.size(), before.size());
        for (std::size_t i = 0; i < before.size(); ++i) {
            QCOMPARE(read->pins[i].name, before[i].name);
            QCOMPARE(difference_lines(*read->pins[i].scenario, *before[i].scenario), std::vector<std::string>());
        }
        QVERIFY(read->view.find("layout") != std::string::npos);
        QCOMPARE(write_scenario(read->scenario, library(), read->view, read->pins), text);
        QVERIFY(write_scenario(open, library()).find("pins") == std::string::npos);
    }

    void new_pins_have_names_of_their_own() {
        Scenario s = preset_scenario("example");
        Pins pins;
        QCOMPARE(name_of_new_pin(s, pins), s.name);
        pins.push_back({s.name, std::make_shared<const Scenario>(s)});
        QCOMPARE(name_of_new_pin(s, pins), s.name);
        s.cluster.workers = 64;
        QCOMPARE(name_of_new_pin(s, pins), std::string("Workers 64"));
        s.training.batch = 256;
        s.model.launch = microseconds(5);
        const std::string name = name_of_new_pin(s, pins);
        QVERIFY2(name.find("Workers 64") != std::string::npos && name.ends_with("\u2026"), name.c_str());
    }

    void letters() {
        QCOMPARE(letter_of_pin(0), 'A');
        QCOMPARE(letter_of_pin(limits::pins - 1), 'D');
    }

    /// One clear message each, with the line where it stands.
    void broken_pins_are_told() {
        const std::string text = write_scenario(preset_scenario("example"), library(), {}, all_pins());
        const auto line_of = [&](const std::string& word) {
            const auto at = text.find(word, text.find("\"pins\""));
            return "broken.json:" +
                   std::to_string(1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')) +
                   ":";
        };
        std::string told = problem_of(text, "\"data\"", "\"date\"");
        QVERIFY2(told.find(line_of("\"data\"")) == 0 && told.find("data") != std::string::npos, told.c_str());
        told = problem_of(text, "\"scenario\"", "\"scenery\"");
        QVERIFY2(told.find("scenario") != std::string::npos, told.c_str());
        told = problem_of(text, "\"workload\"", "\"pins\": [], \"workload\"");
        QVERIFY2(told.find("pins") != std::string::npos, told.c_str());
        Pins five = all_pins();
        five.push_back(five.front());
        const auto many =
            read_scenario(write_scenario(preset_scenario("example"), library(), {}, five), "five.json", library());
        QVERIFY(!many && many.error().front().what == "There are 5 pins.");
    }
};

QTEST_APPLESS_MAIN(TestPins)
#include "tst_pins.moc"
