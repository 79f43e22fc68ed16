// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference/support_paleo.hpp"

#include "core/formats/json_writer.hpp"
#include "core/formats/paleo/network.hpp"

#include <QtGlobal>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>

namespace paleo_test {

using namespace scalescope;

namespace {

std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (const char c : line) {
        if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            cells.emplace_back();
        else if (c != '\r')
            cells.back() += c;
    }
    return cells;
}

}  // namespace

const std::string& Csv::Row::operator[](std::string_view column) const {
    const auto found = columns_->find(column);
    if (found == columns_->end()) qFatal("no column %s", std::string(column).c_str());
    return cells_.at(found->second);
}

bool Csv::Row::has(std::string_view column) const { return columns_->find(column) != columns_->end(); }

double Csv::Row::number(std::string_view column) const {
    const auto& text = (*this)[column];
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) qFatal("no number: '%s'", text.c_str());
    return value;
}

std::int64_t Csv::Row::integer(std::string_view column) const { return static_cast<std::int64_t>(number(column)); }

std::string Csv::Row::where() const {
    std::string text;
    for (const auto& cell : cells_) text += cell + ",";
    return text;
}

Csv Csv::parse(const std::string& text) {
    Csv csv;
    std::istringstream stream(text);
    std::string line;
    std::getline(stream, line);
    csv.header = cells_of(line);
    auto columns = std::make_shared<Columns>();
    for (std::size_t i = 0; i < csv.header.size(); ++i) columns->emplace(csv.header[i], i);
    while (std::getline(stream, line))
        if (!line.empty()) csv.rows.emplace_back(columns, cells_of(line));
    return csv;
}

std::string file_text(const std::string& path) {
    std::ifstream file(std::string(SCALESCOPE_TEST_DATA) + "/paleo/" + path, std::ios::binary);
    if (!file) qFatal("missing test data: %s", path.c_str());
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

const Csv& csv(const std::string& name) {
    static std::map<std::string, Csv> read;
    auto& csv = read[name];
    if (csv.header.empty()) csv = Csv::parse(file_text(name + ".csv"));
    return csv;
}

const paleo::Net& net(const std::string& name) {
    static std::map<std::string, paleo::Net> read;
    const auto found = read.find(name);
    if (found != read.end()) return found->second;
    auto result = formats::read_paleo_network(file_text("nets/" + name + ".json"), name + ".json");
    if (!result) qFatal("%s", to_text(result.error().front()).c_str());
    return read.emplace(name, std::move(*result)).first->second;
}

const paleo::Plan& plan(const std::string& net_name, paleo::Era era) {
    static std::map<std::pair<std::string, paleo::Era>, paleo::Plan> made;
    const auto key = std::pair(net_name, era);
    const auto found = made.find(key);
    if (found != made.end()) return found->second;
    return made.emplace(key, paleo::make_plan(net(net_name), {era, {}})).first->second;
}

paleo::Setup setup(const Csv::Row& row) {
    const auto* device = paleo::find_device(row["device"]);
    if (!device) qFatal("unknown device");
    paleo::Setup setup{*device, {}, 1.0, 1.0, 1.0, false};
    if (row.has("network")) {
        const auto* link = paleo::find_link(row["network"]);
        if (!link) qFatal("unknown network");
        setup.link = *link;
    }
    if (row.has("ppp_comp")) setup.ppp_compute = row.number("ppp_comp");
    if (row.has("ppp_comm")) setup.ppp_communication = row.number("ppp_comm");
    if (row.has("use_pipeline")) setup.pipeline = row.integer("use_pipeline") != 0;
    return setup;
}

bool agrees(double actual, double expected) {
    if (expected == 0.0) return actual == 0.0;
    return std::abs(actual - expected) <= 1e-9 * std::abs(expected);
}

std::string disagreement(const Csv::Row& row, std::string_view column, double actual) {
    if (agrees(actual, row.number(column))) return {};
    return std::string(column) + ": " + formats::shortest(actual) + ", expected " + row[column] + " | " + row.where();
}

std::string disagreement(const Csv::Row& row, const paleo::DataPoint& point) {
    if (point.effective_batch != row.integer("effective_batch")) return "effective_batch | " + row.where();
    std::vector<std::pair<std::string, Seconds>> columns{{"time_fwd_ms", point.forward},
                                                         {"time_bwd_ms", point.backward},
                                                         {"time_apply_ms", point.update},
                                                         {"time_comp_ms", point.computing()}};
    for (std::size_t i = 0; i < paleo::scheme_count; ++i)
        columns.emplace_back(std::string(paleo::scheme_name(static_cast<paleo::Scheme>(i))) + "_ms",
                             point.communication[i]);
    for (const auto& column : columns)
        if (auto text = disagreement(row, column.first, in_milliseconds(column.second)); !text.empty()) return text;
    return {};
}

std::string joined(const paleo::Shape& shape, std::int64_t batch) {
    std::string text;
    for (int i = 0; i < shape.rank; ++i)
        text += (i ? "x" : "") + std::to_string(i == 0 && batch > 0 ? batch : shape[i]);
    return text;
}

}  // namespace paleo_test
