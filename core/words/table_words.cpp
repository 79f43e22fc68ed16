// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/table_words.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/decimal.hpp"
#include "core/base/letters.hpp"
#include "core/base/name_list.hpp"
#include "core/base/sequences.hpp"
#include "core/words/figure_words.hpp"
#include "core/words/pieces.hpp"
#include "core/words/vocabulary.hpp"

namespace scalescope {
namespace {

/// Columns that hold words, and those that hold words or numbers; all others hold numbers.
constexpr std::string_view of_words =
    "source framework network device interconnect precision notes metric unit flops_counted memory_counted";
constexpr std::string_view of_both = "ignored shard_group sharding recompute sequence_parallel schedule";
bool may_hold(std::string_view column, bool numbers) {
    return is_among(column, of_both) || is_among(column, of_words) != numbers;
}

constexpr double least_explained = 0.5;
constexpr std::string_view per_device = " per GPU";

/// The unit that the pieces name, if it is of the same kind: ms in "average iteration time (ms)".
std::string own_unit(const std::string& unit, const std::vector<Piece>& pieces) {
    for (const char* kind : {"time", "bytes"})
        if (find_by(shipped_vocabulary().kinds.at(kind).entries, unit, &WordKind::Entry::means))
            if (std::string own = unit_of_kind(kind, pieces); !own.empty()) return own;
    return unit;
}

/// "step ms", or only the unit of a rate, "tokens/s".
ColumnReading figure_called(std::string_view means, double explained, const std::vector<Piece>& pieces) {
    const auto space = means.find(' ');
    ColumnReading reading{.means = "figure", .metric = "throughput", .unit = std::string(means)};
    if (space != std::string_view::npos) reading.metric = means.substr(0, space);
    if (space != std::string_view::npos) reading.unit = own_unit(std::string(means.substr(space + 1)), pieces);
    reading.explained = explained;
    return reading;
}
/// Whether the pieces name the time of all devices of a model: "A100-hours".
bool is_device_time(const std::vector<Piece>& p) {
    for (std::size_t i = 0; i + 2 < p.size(); ++i)
        if (!p[i].number && p[i].text.size() <= 2 && p[i + 1].number && p[i + 1].glued && p[i + 1].value >= 10 &&
            is_among(p[i + 2].text, "hours hour hrs"))
            return true;
    return false;
}

/// The figure that the pieces name: a rate or time by its units, or one that has a name ("MFU", "peak memory").
ColumnReading figure_of(const std::vector<Piece>& pieces) {
    if (is_device_time(pieces)) return {.means = "figure", .metric = "device_time", .unit = "GPU-h", .explained = 1};
    const WordReading named = shipped_vocabulary().read("metric", pieces);
    const FigureWords words = read_figure_words(pieces);
    const double explained = share_of_words(pieces, words.letters);
    if (words.metric.empty() || named.explained > explained)
        return named.means.empty() ? ColumnReading{} : figure_called(named.means, named.explained, pieces);
    return {.means = "figure",
            .metric = words.metric,
            .unit = words.unit,
            .explained = explained,
            .each = words.each,
            .inverse = words.inverse};
}

/// The unit of device memory in a header, such as GB in "peak GB" and "GB per GPU", but not in "A100 40GB". Empty if
/// the header has none or is about other memory.
std::string memory_unit(const std::vector<Piece>& pieces) {
    constexpr std::string_view others = "host cpu ram disk file dataset checkpoint ckpt weights model params s sec";
    std::string unit;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (is_among(pieces[i].text, others)) return {};
        const bool counted = i > 0 && pieces[i - 1].number && pieces[i].glued;
        const bool of_name = i + 1 < pieces.size() && pieces[i + 1].number && pieces[i + 1].glued;  // "GB200"
        if (!counted && !of_name && is_among(pieces[i].text, "gb gib mb mib"))
            unit = unit_of_kind("bytes", {pieces[i]});
    }
    return unit;
}

bool is_each_device(const std::vector<Piece>& pieces) {
    constexpr std::string_view devices[] = {"pergpu",  "perdevice", "perchip", "perworker", "peraccelerator",
                                            "percard", "pernpu",    "perhpu",  "perp",      "perdev",
                                            "percore", "tgs",       "eachgpu", "eachdevice"};
    const PieceMatcher text(pieces);
    const std::size_t n = pieces.size();  // "tok_s_gpu"
    const bool ends_so = n > 2 && is_among(pieces[n - 1].text, "gpu chip device dev accelerator npu hpu") &&
                         is_among(pieces[n - 2].text, "s sec second tflops tflop flops");
    return ends_so ||
           std::any_of(std::begin(devices), std::end(devices), [&](auto device) { return text.find(device); });
}

/// "Number of A100s", "# V100": a count of something whose name has a number.
bool counts_a_model(const std::vector<Piece>& pieces) {
    const PieceMatcher text(pieces);
    if (!text.find("number") && !text.find("num") && !text.find("count")) return false;
    for (std::size_t i = 0; i + 1 < pieces.size(); ++i)
        if (!pieces[i].number && pieces[i + 1].number && pieces[i + 1].glued && pieces[i + 1].value >= 4) return true;
    return false;
}

}  // namespace

std::string unit_in(const std::string& unit, std::string_view text) { return own_unit(unit, pieces_of(text)); }

std::string meaning_of(const ColumnReading& reading) {
    if (reading.means != "figure") return reading.means;
    const bool is_rate = reading.metric == "throughput" && !reading.unit.empty();
    return (is_rate ? reading.unit : reading.metric + (reading.unit.empty() ? "" : " " + reading.unit)) +
           (reading.each_device ? std::string(per_device) : "");
}

std::vector<std::string> column_meanings() {
    std::vector<std::string> all;
    for (const char* kind : {"column", "metric"})
        for (const WordKind::Entry& entry : shipped_vocabulary().kinds.at(kind).entries) {
            all.push_back(entry.means);
            if (entry.means.ends_with("/s")) all.push_back(entry.means + std::string(per_device));
        }
    return all;
}

bool holds_only_numbers(std::string_view column) { return !is_among(column, of_both) && !is_among(column, of_words); }

ColumnReading read_column(std::string_view header, bool numbers) {
    const Vocabulary& words = shipped_vocabulary();
    for (const WordKind::Entry& entry : words.kinds.at("column").entries)
        if (entry.means == header)
            return {.means = entry.means, .metric = {}, .unit = {}, .each_device = false, .explained = 1};
    const bool each = header.ends_with(per_device);
    const std::string_view metric = header.substr(0, header.size() - (each ? per_device.size() : 0));
    for (const WordKind::Entry& entry : words.kinds.at("metric").entries)
        if (entry.means == metric) {
            ColumnReading exact = figure_called(entry.means, 1, {});
            exact.each_device = each;
            return exact;
        }
    const auto pieces = pieces_of(header);
    if (!words.read("spread", pieces).means.empty())
        return {.means = "ignored", .metric = {}, .unit = {}, .each_device = false, .explained = 1};
    // If several match, use one that holds such cells.
    const WordReading column =
        words.read("column", pieces, [&](std::string_view means) { return may_hold(means, numbers); });
    ColumnReading figure = numbers ? figure_of(pieces) : ColumnReading{};
    if (numbers && figure.means.empty() && column.means != "ignored")
        if (const WordReading vague = words.read("vague metric", pieces); !vague.means.empty())
            figure = {.means = "figure", .metric = vague.means, .unit = {}, .explained = vague.explained};
    if (figure.metric == "throughput" && figure.unit.find('/') != std::string::npos)  // "Paddle effective tokens/s"
        figure.explained = std::max(figure.explained, least_explained);
    ColumnReading reading;
    if (!figure.means.empty() &&
        figure.explained >= std::max(least_explained, column.means.empty() ? 0 : column.explained)) {
        reading = std::move(figure);
    } else if (column.explained >= least_explained || column.means == "ignored") {
        reading.means = column.means;
        reading.explained = column.explained;
    }
    if (reading.means.empty() && numbers && counts_a_model(pieces)) reading.means = "workers";
    if (numbers && reading.means != "figure" && reading.means != "ignored")
        if (const std::string memory = memory_unit(pieces); !memory.empty())
            reading = {.means = "figure", .metric = "peak_memory", .unit = memory, .each_device = reading.each_device};
    reading.each_device = is_each_device(pieces);
    return reading;
}

ColumnReading read_figure(std::string_view text, double least) {
    const auto pieces = pieces_of(text);
    ColumnReading reading = figure_of(pieces);
    if (reading.explained < least) return {};
    reading.each_device = is_each_device(pieces);
    return reading;
}

namespace {

/// "12 000" → "12000".
std::string without_gaps(std::string_view cell) {
    std::string text(cell);
    for (const std::string_view gap : {"\u202f", "\u2009", "\u00a0"})
        for (std::size_t at = text.find(gap); at != std::string::npos; at = text.find(gap))
            text.replace(at, gap.size(), " ");
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const bool grouped =
        text.size() > 4 && std::all_of(text.begin(), text.end(), [&](char c) { return is_digit(c) || c == ' '; });
    if (!grouped) return text;
    for (std::size_t i = text.size(), digits = 0; i-- > 0; ++digits)
        if ((text[i] == ' ') != (digits % 4 == 3)) return text;
    std::erase(text, ' ');
    return text;
}

/// "8h39m", "8 hours and 53 minutes": several numbers, each with a unit of time.
std::optional<CellNumber> read_duration(const std::vector<Piece>& pieces) {
    constexpr std::pair<std::string_view, double> units[] = {{"w week weeks wochen woche", 604800},
                                                             {"d day days", 86400},
                                                             {"h hr hrs hour hours", 3600},
                                                             {"m min mins minute minutes", 60},
                                                             {"s sec secs second seconds", 1}};
    double seconds = 0;
    int parts = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (pieces[i].text == "and") continue;
        if (!pieces[i].number || i + 1 == pieces.size()) return std::nullopt;
        const auto unit = std::find_if(std::begin(units), std::end(units),
                                       [&](const auto& u) { return is_among(pieces[i + 1].text, u.first); });
        if (unit == std::end(units)) return std::nullopt;
        seconds += pieces[i++].value * unit->second;
        ++parts;
    }
    return parts > 1 ? std::optional(CellNumber{seconds, "s"}) : std::nullopt;
}

/// 2 for "two months"; 0 if the text does not begin with a number in words and a unit of time.
double number_before_time(const std::vector<Piece>& pieces) {
    const bool is_time = pieces.size() > 1 && !unit_of_kind("time", {pieces[1]}).empty();
    return is_time ? shipped_vocabulary().number_called(pieces[0].text) : 0;
}

}  // namespace

bool names_a_card(double number) {
    constexpr double least = 700, most = 5999, tens = 10, least_tens = 5;
    return number >= least && number <= most && std::fmod(number, tens) == 0 &&
           std::fmod(number / tens, tens) >= least_tens;
}

std::optional<CellNumber> read_number(std::string_view written) {
    std::string cell = without_gaps(trimmed(written));
    constexpr std::pair<std::string_view, double> myriads[] = {{"\u4e07", 1e4}, {"\u4ebf", 1e8}, {"\u5104", 1e8}};
    double myriad = 1;
    for (const auto& [sign, scale] : myriads)
        if (const std::size_t at = cell.find(sign); at != std::string::npos)
            cell.erase(at, sign.size()), myriad *= scale;
    if (const auto plain = parse_decimal(cell)) return CellNumber{*plain * myriad, {}};  // "2.8e14"
    const auto pieces = pieces_of(cell);
    if (const auto duration = read_duration(pieces)) return duration;
    if (pieces.empty()) return std::nullopt;
    const auto number = pieces.begin();
    const double in_words = number->number ? 0 : number_before_time(pieces);
    if (!number->number && in_words == 0) return std::nullopt;  // "V100"
    if (number->number && cell.substr(0, cell.find_first_of("0123456789")).find('-') != std::string_view::npos)
        return std::nullopt;
    if (pieces.size() > 2 && pieces[1].text == "x") return std::nullopt;  // "2x RTX 4090"
    CellNumber read{.value = (number->number ? number->value : in_words) * myriad, .unit = {}};
    for (auto p = number + 1; p != pieces.end() && !p->number; ++p) {
        const double scale = p->text == "k" ? 1e3 : p->text == "m" && p->written == "M" ? 1e6 : 1;
        if (p == number + 1 && p->glued && scale > 1)
            read.value *= scale;
        else
            read.unit += (read.unit.empty() || p->glued ? "" : " ") + p->written;
    }
    return read;
}

}  // namespace scalescope
