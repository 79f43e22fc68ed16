// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/problem.hpp"

/// Files that others wrote, and the tables beside them of what is true and of what comes out.
namespace support {

class FileFolder {
public:
    /// A folder of tests/data/models: "caffe".
    explicit FileFolder(const std::string& name);
    std::string text(const std::string& file) const;
    using Row = std::vector<std::string>;
    /// The rows of a CSV file without quotes, by their first cell.
    std::map<std::string, Row> table(const std::string& file) const;

private:
    std::string folder_;
};

/// The first error, or else the first problem.
std::string first_line(const scalescope::Problems& problems);

/// Whether every problem has a place in `file` and a remedy; the first that has not otherwise.
std::string without_place(const scalescope::Problems& problems, const std::string& file);

/// What became of a file, held against its row in outcomes.csv. Better is: read where it was refused or counted
/// otherwise, or fewer layers of unknown kind.
struct Outcome {
    std::string word;  ///< "read", "refused", or what differs
    int unknown = 0;
    std::string reason;

    /// Notes that `is` is not `should`, if it is farther from it than `tolerance` of it; nothing without a figure.
    void compare(const std::string& should, std::int64_t is, double tolerance, const char* what);
    bool at_least(const FileFolder::Row* expected) const;
};

}  // namespace support
