// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/support_files.hpp"

#include <cmath>
#include <fstream>
#include <sstream>

namespace support {

using namespace scalescope;

FileFolder::FileFolder(const std::string& name) : folder_(SCALESCOPE_TEST_DATA "/models/" + name + '/') {}

std::string FileFolder::text(const std::string& file) const {
    std::ifstream in(folder_ + file, std::ios::binary);
    std::ostringstream all;
    all << in.rdbuf();
    return all.str();
}

std::map<std::string, FileFolder::Row> FileFolder::table(const std::string& file) const {
    std::map<std::string, Row> rows;
    std::istringstream lines(text(file));
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
        Row row;
        std::istringstream cells(line + ',');
        for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
        rows.emplace(row.at(0), row);
    }
    return rows;
}

std::string first_line(const Problems& problems) {
    for (const Problem& p : problems)
        if (p.severity == Severity::error) return to_text(p);
    return problems.empty() ? std::string() : to_text(problems[0]);
}

std::string without_place(const Problems& problems, const std::string& file) {
    for (const Problem& p : problems)
        if (p.at.line <= 0 || p.at.column <= 0 || p.at.file != file || p.remedy.empty()) return to_text(p);
    return {};
}

void Outcome::compare(const std::string& should, std::int64_t is, double tolerance, const char* what) {
    if (should.empty()) return;
    const auto wanted = std::stoll(should);
    if (std::abs(static_cast<double>(is - wanted)) <= tolerance * static_cast<double>(wanted)) return;
    word = what;
    reason += std::string(what) + " " + std::to_string(is) + " for " + std::to_string(wanted) + " ";
}

bool Outcome::at_least(const FileFolder::Row* expected) const {
    const std::string should = expected ? expected->at(1) : std::string();
    const std::string most = expected ? expected->at(2) : std::string();
    return should == "refused" ||
           ((word == "read" || word == should) && word != "refused" && unknown <= std::stoi('0' + most));
}

}  // namespace support
