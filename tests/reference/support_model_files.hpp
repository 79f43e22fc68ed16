// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/problem.hpp"
#include "core/network/network.hpp"

/// Models that others wrote, in a folder of tests/data/models: truth.csv has what another program counted in each file,
/// outcomes.csv what comes of it here. Outcomes may only get better.
namespace support {

/// The bytes of tests/data/models/`folder`/`file`.
std::string model_text(const std::string& folder, const std::string& file);

/// Cells of one line of a CSV file by the names in its first line.
using CsvRow = std::map<std::string, std::string>;
/// The lines of a CSV file without quotes, by their first cell.
std::map<std::string, CsvRow> csv_rows(const std::string& folder, const std::string& file);

/// The first error, or the first warning if there is none, as text.
std::string first_problem(const scalescope::Problems& problems);

/// What a truth is compared with, where it is no plain count of the network. `row` has the cells of truth.csv and of
/// outcomes.csv.
struct ModelCounts {
    /// Of normalizations, beside what is learned; by default two numbers for each channel of a batch_norm.
    std::function<std::int64_t(const scalescope::Network&, const std::string& text)> statistics;
    /// Of what the truth counts; by default those of one sample.
    std::function<std::int64_t(const scalescope::Network&, const CsvRow& row)> multiply_adds;
    /// Of what the truth counts; by default those of the network.
    std::function<std::int64_t(const scalescope::Network&, const CsvRow& row)> parameters{};
    /// The text of a file, where not all of it is read; by default model_text().
    std::function<scalescope::Result<std::string>(const std::string& file)> text{};
    /// By default read_any_network(), at the sizes that a cell "sizes" has: "sequence=64;past=1".
    std::function<scalescope::Result<std::shared_ptr<const scalescope::Network>>(
        const std::string& text, const CsvRow& row, scalescope::Problems& warnings)>
        read{};
    bool lines = true;  ///< a file is refused at a line and column of it
};

/// Reads every file of truth.csv, of which there must be `files`, and compares parameters and statistics exactly and
/// multiply-adds within 0.5 %, where the truth has them. A file that is refused must say where and what to do. Fails
/// where an outcome is worse than outcomes.csv has it.
void compare_model_files(const std::string& folder, std::size_t files, const ModelCounts& counts = {});

/// The values of a cell "sequence=64;past=1".
std::vector<scalescope::Binding> sizes_of(const std::string& cell);

/// Every file that is read can be written as a file of ours, and is read again as it was written.
void write_and_read_model_files(const std::string& folder, const ModelCounts& counts = {});

}  // namespace support
