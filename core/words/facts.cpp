// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/facts.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>

#include "core/base/letters.hpp"
#include "core/base/name_list.hpp"
#include "core/words/pieces.hpp"
#include "core/words/table_words.hpp"
#include "core/words/vocabulary.hpp"

namespace scalescope {
namespace {

constexpr std::size_t longest_name = 6;  ///< in pieces: "per device train batch size"
constexpr std::size_t shortest_name = 2;
/// Words whose number counts nothing that follows: "ZeRO-1 DP", "Ascend 910 NPU".
constexpr std::string_view not_counted = "cpu zero ro stage ascend rtx gtx quadro radeon instinct gaudi";

/// Names of numeric columns, each written as one word.
const std::map<std::string, std::string, std::less<>>& number_names() {
    static const auto all = [] {
        std::map<std::string, std::string, std::less<>> names;
        for (const WordKind::Entry& entry : shipped_vocabulary().kinds.at("column").entries)
            if (holds_only_numbers(entry.means))
                for (std::string name : entry.phrases) {
                    std::erase(name, ' ');
                    if (name.size() >= shortest_name) names.emplace(std::move(name), entry.means);
                }
        return names;
    }();
    return all;
}

/// The longest column name that the pieces spell from `at`, forwards or backwards: its column and its length in pieces.
struct Named {
    std::string_view column;
    std::size_t length = 0;
};
Named name_at(const PieceMatcher& text, std::size_t at, bool backwards) {
    Named best;
    std::string joined;
    for (std::size_t k = 0; k < longest_name; ++k) {
        const std::size_t i = backwards ? at - k : at + k;
        if (i >= text.pieces().size() || text.is_taken(i) || text.pieces()[i].number) break;
        const std::string& word = text.pieces()[i].text;
        joined = backwards ? word + joined : joined + word;
        auto found = number_names().find(joined);
        if (found == number_names().end() && joined.ends_with('s'))
            found = number_names().find(std::string_view(joined).substr(0, joined.size() - 1));
        if (found != number_names().end()) best = {found->second, k + 1};
    }
    return best;
}

/// Removes the part of `text` before the first separator, and the separator, from `text`. Returns the part.
std::string_view next_part(std::string_view& text) {
    std::size_t end = std::min(text.find_first_of(";\n()[]|"), text.size()), next = end + 1;
    for (const std::string_view between : {", ", " / "})
        if (const std::size_t at = text.find(between); at < end) end = at, next = at + between.size();
    const auto part = text.substr(0, end);
    text.remove_prefix(std::min(next, text.size()));
    return part;
}

/// Removes the number of an entry of a list, "2. sequence length".
std::string_view without_entry(std::string_view text) {
    const auto words = trimmed(text);
    const std::size_t end = words.find_first_not_of("0123456789");
    const bool is_entry = end != words.npos && end > 0 && end <= 2 && (words[end] == '.' || words[end] == ')') &&
                          words.substr(end + 1).starts_with(' ');
    return is_entry ? words.substr(end + 1) : text;
}

void add_numbers(std::string_view text, std::vector<Fact>& facts) {
    const auto pieces = pieces_of(without_entry(text));
    PieceMatcher found(pieces);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (!pieces[i].number || (i > 0 && is_among(pieces[i - 1].text, not_counted))) continue;
        std::string number = pieces[i].text;
        std::size_t after = i + 1;
        if (after < pieces.size() && pieces[after].glued && is_among(pieces[after].text, "k m b t"))
            number += pieces[after++].written;
        std::size_t name_end = i;  // "global batch size of 128", "is set to 24"
        while (name_end > 0 && is_among(pieces[name_end - 1].text, "of is was are set to equal about around"))
            --name_end;
        const Named before = name_end > 0 ? name_at(found, name_end - 1, true) : Named{};
        const bool of_a_name = pieces[i].glued;                                              // A100, Gaudi2
        const bool assigned = text.find('=' + pieces[i].written) != std::string_view::npos;  // "MPE=4096 TP=4"
        const Named behind = before.length > 0 || of_a_name || assigned ? Named{} : name_at(found, after, false);
        const std::size_t end = after + behind.length;
        const bool is_epochs =
            behind.column == "ep" && !std::has_single_bit(static_cast<std::uint64_t>(count_of(pieces[i])));
        const bool is_time = end < pieces.size() && is_among(pieces[end].text, "hour hours h day days year years");
        if (before.length + behind.length == 0 || (behind.length > 0 && is_time)) continue;  // "180K GPU hours"
        const bool is_card = behind.column == "workers" && names_a_card(pieces[i].value);    // "4090 GPUs"
        // "tokens/s/GPU = 262144" is a rate, "shared expert 6144" a width.
        const bool of_other = before.length > 0 && name_end > before.length &&
                              is_among(pieces[name_end - before.length - 1].text, "per shared");
        if (is_card || of_other) continue;
        for (std::size_t k = 0; k < before.length; ++k) found.take(name_end - 1 - k);
        for (std::size_t k = i; k < end; ++k) found.take(k);
        const auto column = before.length > 0 ? before.column : is_epochs ? "epochs" : behind.column;
        facts.push_back({std::string(column), std::move(number)});
    }
}

/// "16 x 3 x 224 x 224": the batch of images of three colors.
void add_shape(const std::vector<Piece>& p, std::vector<Fact>& facts) {
    for (std::size_t i = 0; i + 6 < p.size(); ++i) {
        const auto is_number = [&](std::size_t k) { return p[i + k].number; };
        const auto is_times = [&](std::size_t k) { return p[i + k].text == "x"; };
        if (is_number(0) && is_times(1) && p[i + 2].text == "3" && is_times(3) && is_number(4) && is_times(5) &&
            is_number(6))
            facts.push_back({"batch_per_worker", p[i].text});
    }
}

}  // namespace

std::vector<Fact> read_facts(std::string_view text) {
    std::vector<Fact> facts;
    add_shape(pieces_of(text), facts);
    for (std::string_view rest = text; !rest.empty();) add_numbers(next_part(rest), facts);
    const auto pieces = pieces_of(text);
    const auto names = [&](const char* kind) {
        const std::string means = shipped_vocabulary().read_strictly(kind, pieces).means;
        return !means.empty() && means != "of states";
    };
    for (const char* column : {"precision", "sharding"})
        if (names(column)) facts.push_back({column, std::string(text)});
    return facts;
}

}  // namespace scalescope
