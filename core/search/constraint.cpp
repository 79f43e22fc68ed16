// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/constraint.hpp"

#include <cmath>
#include <vector>

#include "core/base/decimal.hpp"
#include "core/base/suggest.hpp"

namespace scalescope::search {
namespace {

using Op = Constraint::Op;
using Operand = Constraint::Operand;

struct Unit {
    std::string_view name, of;
    double factor;  ///< this unit in `of`, the unit of a metric
};
constexpr Unit units[] = {{"ns", "ms", 1e-6},
                          {"us", "ms", 1e-3},
                          {"µs", "ms", 1e-3},
                          {"s", "ms", 1e3},
                          {"min", "ms", 6e4},
                          {"ms", "s", 1e-3},
                          {"min", "s", 60},
                          {"h", "s", 3600},
                          {"d", "s", 86400},
                          {"days", "s", 86400},
                          {"MB", "GB", 1e-3},
                          {"TB", "GB", 1e3},
                          {"MiB", "GB", 1048576e-9},
                          {"GiB", "GB", 1073741824e-9},
                          {"TiB", "GB", 1099511627776e-9},
                          {"W", "kW", 1e-3},
                          {"MW", "kW", 1e3},
                          {"Wh", "kWh", 1e-3},
                          {"MWh", "kWh", 1e3},
                          {"$", "USD", 1}};
struct Sign {
    std::string_view text;
    Op op;
};
// Longer ones first.
constexpr Sign signs[] = {{"<=", Op::less_equal}, {">=", Op::greater_equal}, {"==", Op::equal}, {"!=", Op::not_equal},
                          {"<", Op::less},        {">", Op::greater},        {"=", Op::equal}};

std::string_view trim(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

struct Reader {
    std::string text;

    tl::unexpected<Problems> refuse(std::string what, std::string remedy) const {
        return fail(make_error(std::move(what), std::move(remedy), {}, text));
    }

    Result<Operand> name(std::string_view word) const {
        if (const auto metric = metric_named(word)) return Operand(*metric);
        if (const Field* field = find_field(word)) {
            if (field->type == FieldType::integer || field->type == FieldType::number) return Operand(field);
            return refuse("\"" + std::string(word) + "\" is no number.",
                          "give only the wanted values of that field where it is varied");
        }
        std::vector<std::string> known;
        for (const MetricInfo& info : all_metrics()) known.emplace_back(info.name);
        for (const Field& field : all_fields()) known.emplace_back(field.path);
        const auto near = closest(word, known);
        return refuse("There is neither a figure nor a field called \"" + std::string(word.substr(0, 60)) + "\".",
                      near ? "Did you mean \"" + *near + "\"?"
                           : "compare step, time, cost, memory, devices …, or a field: scalescope list fields");
    }

    /// A number with or without a unit; nothing if it does not begin like one.
    Result<std::optional<Operand>> number(std::string_view word, const Operand& other) const {
        std::size_t end = 0;
        while (end < word.size() && (std::string_view("0123456789.+-eE").find(word[end]) != std::string_view::npos))
            ++end;
        // "1e3" is a number, "8 epochs" is one with a unit that is none: an e belongs to what follows if no digit does.
        while (end > 0 && (word[end - 1] == 'e' || word[end - 1] == 'E')) --end;
        const auto value = end > 0 ? parse_decimal(word.substr(0, end)) : std::nullopt;
        if (!value) return std::optional<Operand>();
        const auto unit = trim(word.substr(end));
        std::string_view expected;
        if (const auto* metric = std::get_if<Metric>(&other)) expected = info_of(*metric).unit;
        if (const auto* field = std::get_if<const Field*>(&other)) expected = (*field)->unit;
        if (unit.empty() || unit == expected) return std::optional<Operand>(*value);
        for (const Unit& u : units)
            if (u.name == unit && u.of == expected) return std::optional<Operand>(*value * u.factor);
        return refuse("\"" + std::string(unit.substr(0, 60)) + "\" is no unit that fits here.",
                      expected.empty() ? std::string("leave it out")
                                       : "write the number in " + std::string(expected) + ", or leave the unit out");
    }

    Result<Operand> operand(std::string_view word, const Operand& other) const {
        ASSIGN_OR_RETURN(auto read, number(word, other));
        if (read) return *read;
        return name(word);
    }
};

}  // namespace

double remainder_of(double left, double by) { return by != 0 ? std::fmod(left, by) : std::nan(""); }

bool Constraint::uses(Metric metric) const {
    const auto is = [&](const Operand& o) {
        return std::holds_alternative<Metric>(o) && std::get<Metric>(o) == metric;
    };
    return is(left) || is(right) || (divisor && is(*divisor));
}

Result<Constraint> read_constraint(std::string_view given) {
    const Reader reader{std::string(given)};
    const std::string_view text = reader.text;
    std::size_t at = std::string_view::npos;
    Sign sign{};
    for (std::size_t i = 0; i < text.size() && at == std::string_view::npos; ++i)
        for (const Sign& s : signs)
            if (text.substr(i, s.text.size()) == s.text) {
                at = i;
                sign = s;
                break;
            }
    const auto example = "write for instance \"step <= 250 ms\" or \"training.batch % cluster.workers == 0\"";
    if (at == std::string_view::npos) return reader.refuse("Nothing is compared here.", example);
    std::string_view left = trim(text.substr(0, at));
    const std::string_view right = trim(text.substr(at + sign.text.size()));
    if (left.empty() || right.empty()) return reader.refuse("One side of the comparison is empty.", example);
    Constraint c;
    c.op = sign.op;
    c.text = reader.text;
    if (const auto percent = left.find(" % "); percent != std::string_view::npos) {
        ASSIGN_OR_RETURN(c.divisor, reader.operand(trim(left.substr(percent + 3)), Operand(0.0)));
        left = trim(left.substr(0, percent));
    }
    // A number takes its unit from the other side; if that is a number too, nothing is compared.
    const bool left_is_name = metric_named(left) || find_field(left);
    const auto first = left_is_name ? reader.name(left) : Result<Operand>(Operand(0.0));
    if (!first) return fail(first.error());
    ASSIGN_OR_RETURN(const auto second, reader.operand(right, *first));
    ASSIGN_OR_RETURN(c.left, left_is_name ? first : reader.operand(left, second));
    c.right = second;
    if (std::holds_alternative<double>(c.left) && std::holds_alternative<double>(c.right) && !c.divisor)
        return reader.refuse("Two numbers are compared: that holds always or never.", example);
    return c;
}

std::optional<Problem> doubt_about(const Constraint& c) {
    if (c.divisor || c.text.find('%') != std::string::npos) return std::nullopt;
    const auto about = [&](const Constraint::Operand& share, const Constraint::Operand& bound) {
        const auto* metric = std::get_if<Metric>(&share);
        const auto* value = std::get_if<double>(&bound);
        return metric && value && info_of(*metric).unit == "%" && *value > 0 && *value <= 1;
    };
    const bool left = about(c.left, c.right);
    if (!left && !about(c.right, c.left)) return std::nullopt;
    const auto metric = std::get<Metric>(left ? c.left : c.right);
    const double value = std::get<double>(left ? c.right : c.left);
    return make_warning("\"" + c.text + "\" asks for " + shortest_decimal(value) +
                            " %: " + std::string(info_of(metric).name) + " is in percent.",
                        "write " + shortest_decimal(value, -2) + " % if the share is meant");
}

}  // namespace scalescope::search
