// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/choices.hpp"

#include <algorithm>
#include <string>

#include "core/base/name_list.hpp"
#include "core/scenario/names.hpp"
#include "core/scenario/recompute_choice.hpp"
#include "core/words/pieces.hpp"
#include "core/words/vocabulary.hpp"

namespace scalescope {
namespace {

/// "moe_act; layernorm" → "moe_act+layernorm".
std::string joined_modules(std::string_view text) {
    std::string modules;
    for (const char c : text) {
        const bool apart = std::string_view(" ,;+").find(c) != std::string_view::npos;
        if (!apart)
            modules += c;
        else if (!modules.empty() && modules.back() != '+')
            modules += '+';
    }
    return modules;
}

}  // namespace

std::optional<Precision> read_precision(std::string_view text) {
    const std::string means = shipped_vocabulary().read("precision", text).means;
    const auto known =
        std::find_if(all_precisions.begin(), all_precisions.end(), [&](Precision p) { return name_of(p) == means; });
    return known == all_precisions.end() ? std::nullopt : std::optional(*known);
}

std::optional<bool> read_flag(std::string_view text) {
    const auto pieces = pieces_of(text);
    if (pieces.size() != 1) return std::nullopt;
    if (is_among(pieces[0].text, "yes true on enabled y")) return true;
    if (is_among(pieces[0].text, "no false off disabled n")) return false;
    return std::nullopt;
}

std::optional<Recompute> read_recompute(std::string_view text) {
    if (text.empty()) return Recompute::nothing;
    if (const auto modules = recompute_called(joined_modules(text))) return modules;
    return recompute_called(shipped_vocabulary().read("recompute", text).means);
}

}  // namespace scalescope
