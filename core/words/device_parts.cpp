// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/device_parts.hpp"

#include <utility>

#include "core/base/listed.hpp"

namespace scalescope::words {

namespace {

/// Form factors as they are written, a frequent mistake among them.
constexpr std::pair<std::string_view, std::string_view> forms[] = {{"sxm", "sxm"},   {"smx", "sxm"}, {"pcie", "pcie"},
                                                                   {"pcle", "pcie"}, {"oam", "oam"}, {"nvl", "nvl"}};

/// Bytes of the unit that starts at piece `i`: "gb", "g", "gi b", "mib", "tb"; 0 if it is not a unit. Sets `length`
/// to its number of pieces.
double bytes_of_unit(const std::vector<Piece>& p, std::size_t i, std::size_t& length) {
    constexpr std::pair<std::string_view, double> units[] = {{"gb", 1e9},           {"g", 1e9},         {"tb", 1e12},
                                                             {"gib", 1073741824.0}, {"mib", 1048576.0}, {"gbps", 1e9},
                                                             {"tbps", 1e12}};
    for (const std::size_t n : {std::size_t{1}, std::size_t{2}}) {
        std::string text;
        for (std::size_t k = 0; k < n && i + k < p.size(); ++k) text += p[i + k].text;
        for (const auto& [unit, bytes] : units)
            if (text == unit) return length = n, bytes;
    }
    return 0;
}

}  // namespace

bool is_unit(const std::vector<Piece>& pieces, std::size_t i, std::string_view a, std::string_view b) {
    return i < pieces.size() && (pieces[i].text == a || (!b.empty() && pieces[i].text == b));
}

Parts take_parts(PieceMatcher& text) {
    Parts parts;
    const auto& p = text.pieces();
    for (std::size_t i = 0; i + 1 < p.size(); ++i) {
        std::size_t length = 0;
        if (!p[i].number || text.is_taken(i)) continue;
        const double bytes = bytes_of_unit(p, i + 1, length);
        const std::size_t after = i + 1 + length;
        const bool rate = bytes > 0 && (p[i + length].text.ends_with("ps") ||
                                        (is_unit(p, after, "per") && is_unit(p, after + 1, "s", "sec")));
        const bool watts = is_unit(p, i + 1, "w", "watt");
        if (bytes == 0 && !watts) continue;
        if (rate)
            parts.bandwidth = p[i].value * bytes;
        else if (bytes > 0)
            parts.memories.push_back(p[i].value * bytes);
        else
            parts.watts = p[i].value;
        const std::size_t end = watts ? i + 2 : rate && is_unit(p, after, "per") ? after + 2 : after;
        for (std::size_t k = i; k < end; ++k) text.take(k);
    }
    for (const auto& [word, form] : forms)
        if (const std::size_t at = text.find_at(word); at != PieceMatcher::no_place) {
            if (form == "nvl" && at + 1 < p.size() && p[at + 1].number) continue;  // an NVLink domain
            parts.form = form;
            text.take(word);
            const bool generation = at + 1 < p.size() && p[at + 1].number && p[at + 1].glued && p[at + 1].value < 10;
            if (generation) text.take(at + 1);
        }
    for (const std::string_view line : product_lines)
        while (text.take(line)) parts.lines.push_back(line);
    return parts;
}

std::vector<std::string> words_left(const PieceMatcher& text) {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < text.pieces().size(); ++i) {
        if (text.is_taken(i)) continue;
        const Piece& piece = text.pieces()[i];
        if (i > 0 && piece.glued && !text.is_taken(i - 1))
            words.back() += piece.text;
        else
            words.push_back(piece.text);
    }
    return words;
}

std::string_view without_brackets(std::string_view name) { return name.substr(0, name.find('(')); }

Parts parts_of(const Device& device) {
    const auto pieces = pieces_of(without_brackets(device.name));
    PieceMatcher text(pieces);
    Parts parts = take_parts(text);
    parts.words = words_left(text);
    // A product line at the end belongs to the model: "TITAN RTX".
    if (const auto last =
            std::find(product_lines.begin(), product_lines.end(), pieces.empty() ? "" : pieces.back().text);
        last != product_lines.end())
        parts.words.emplace_back(*last);
    parts.model = joined(parts.words, "");
    if (parts.memories.empty() && device.memory) parts.memories = {device.memory->value};
    return parts;
}

}  // namespace scalescope::words
