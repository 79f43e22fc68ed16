// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/paleo/net.hpp"
#include "core/paleo/plan.hpp"
#include "core/paleo/simulate.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// Help for the tests against PALEO's vectors (tests/data/paleo).
namespace paleo_test {

/// A CSV file with a header row.
class Csv {
public:
    using Columns = std::map<std::string, std::size_t, std::less<>>;

    class Row {
    public:
        Row(std::shared_ptr<const Columns> columns, std::vector<std::string> cells)
            : columns_(std::move(columns)), cells_(std::move(cells)) {}
        const std::string& operator[](std::string_view column) const;
        double number(std::string_view column) const;
        std::int64_t integer(std::string_view column) const;
        bool has(std::string_view column) const;
        std::string where() const;  ///< all cells: for messages

    private:
        std::shared_ptr<const Columns> columns_;
        std::vector<std::string> cells_;
    };

    static Csv parse(const std::string& text);
    std::vector<Row> rows;
    std::vector<std::string> header;
};

std::string file_text(const std::string& path);  ///< below tests/data/paleo; aborts the test if it is not there
const Csv& csv(const std::string& name);         ///< read once; `name` without ".csv"

/// A net of tests/data/paleo/nets, read once; it must have no error.
const scalescope::paleo::Net& net(const std::string& name);
const scalescope::paleo::Plan& plan(const std::string& net_name, scalescope::paleo::Era era);

scalescope::paleo::Setup setup(
    const Csv::Row& row);  ///< from device, and if there: network, ppp_comp, ppp_comm, use_pipeline

/// Relative error at most 1e-9; a zero must be exactly zero.
bool agrees(double actual, double expected);

/// Empty if it agrees.
std::string disagreement(const Csv::Row& row, std::string_view column, double actual);

/// The first column in which a data parallel point departs from a row of `simulate --parallel=data`; empty if none
/// does.
std::string disagreement(const Csv::Row& row, const scalescope::paleo::DataPoint& point);

/// "8x32x32x3"
std::string joined(const scalescope::paleo::Shape& shape, std::int64_t batch = 0);

}  // namespace paleo_test

/// Compares a computed figure with a column of a row; says which row and both numbers if they differ.
#define PALEO_AGREES(row, column, actual)                                                   \
    do {                                                                                    \
        const std::string difference = paleo_test::disagreement((row), (column), (actual)); \
        QVERIFY2(difference.empty(), difference.c_str());                                   \
    } while (false)
