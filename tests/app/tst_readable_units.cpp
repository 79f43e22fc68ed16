// SPDX-License-Identifier: GPL-3.0-or-later
// Tables for people: times and memory in units that suit their size; files keep theirs.
#include <QtTest>
#include <sstream>

#include "app/commands/readable_units.hpp"

using namespace scalescope;
using namespace scalescope::app;

namespace {

double number(const Table& table, std::size_t row, std::size_t column) {
    return std::get<double>(table.rows.at(row).at(column));
}

Table with_readable_units(Table table) {
    ReadableUnits units(table.columns);
    for (const auto& row : table.rows) units.look_at(row);
    units.choose();
    for (auto& row : table.rows) units.rescale(row);
    table.columns = units.names();
    return table;
}

}  // namespace

class TestReadableUnits : public QObject {
    Q_OBJECT

private slots:
    void columns() {
        const Table given{{"epoch_s", "step_ms", "each_ms", "memory_gb", "samples_per_s", "links_gb_s", "batch"},
                          {{8e5, 0.002, 20.0, 4e-4, 1e6, 1e-3, std::int64_t{1000000}},
                           {4e5, 0.05, 9000.0, TableCell(), 2e6, 2e-3, std::int64_t{1}}}};
        const Table shown = with_readable_units(given);
        const std::vector<std::string> wanted{"epoch_d",       "step_us",    "each_ms", "memory_kb",
                                              "samples_per_s", "links_gb_s", "batch"};
        QCOMPARE(shown.columns, wanted);
        QCOMPARE(number(shown, 0, 0), 8e5 / 86400);
        QVERIFY(std::abs(number(shown, 0, 1) - 2.0) < 1e-12);
        QCOMPARE(number(shown, 1, 2), 9000.0);
        QVERIFY(std::abs(number(shown, 0, 3) - 400.0) < 1e-9);
        QVERIFY(std::holds_alternative<std::monostate>(shown.rows[1][3]));
    }

    /// A unit in which the least would be a few hundredths is too large: 2.13 s are not 0.0355 min.
    void what_is_far_apart() {
        const auto name = [](double least) {
            return with_readable_units({{"time_s"}, {{least}, {100'000.0}}}).columns.front();
        };
        QCOMPARE(name(2.13), std::string("time_s"));
        QCOMPARE(name(30.0), std::string("time_min"));
        QCOMPARE(name(50'000.0), std::string("time_d"));
    }

    void rows_of_figures() {
        const Table shown = with_readable_units({{"figure", "value", "unit"},
                                                 {{std::string("step"), 0.0123, std::string("ms")},
                                                  {std::string("epoch"), 90'000.0, std::string("s")},
                                                  {std::string("peak_memory"), 0.25, std::string("GB")},
                                                  {std::string("workers"), std::int64_t{100000}, std::string()}}});
        QCOMPARE(std::get<std::string>(shown.rows[0][2]), std::string("us"));
        QVERIFY(std::abs(number(shown, 0, 1) - 12.3) < 1e-12);
        QCOMPARE(std::get<std::string>(shown.rows[1][2]), std::string("d"));
        QCOMPARE(std::get<std::string>(shown.rows[2][2]), std::string("GB"));
        QCOMPARE(std::get<std::int64_t>(shown.rows[3][1]), std::int64_t{100000});
    }

    void files_keep_their_units() {
        const Table table{{"epoch_s"}, {{8e5}}};
        std::ostringstream csv, json, people;
        write_table(csv, table, OutputFormat::csv);
        write_table(json, table, OutputFormat::json);
        write_table(people, table, OutputFormat::table);
        QCOMPARE(csv.str(), std::string("epoch_s\n8e+05\n"));
        QVERIFY(json.str().find("\"epoch_s\": 8e+05") != std::string::npos);
        QVERIFY(people.str().find("epoch_d") == 0);
    }
};

QTEST_APPLESS_MAIN(TestReadableUnits)
#include "tst_readable_units.moc"
