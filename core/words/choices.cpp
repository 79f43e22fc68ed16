// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/choices.hpp"

#include <algorithm>
#include <string>

#include "core/base/letters.hpp"
#include "core/base/name_list.hpp"
#include "core/scenario/names.hpp"
#include "core/scenario/recompute_choice.hpp"
#include "core/words/pieces.hpp"
#include "core/words/vocabulary.hpp"

namespace scalescope {
namespace {

/// Appends modules that are listed with one of the separators between them. Words such as "core_attn moe_act" are read
/// one by one only if they are no module together. False if a part is not a module.
bool add_modules(std::string_view text, std::string_view separators, std::string& modules) {
    for (bool more = true; more;) {
        const std::size_t end = text.find_first_of(separators);
        const auto part = text.substr(0, end);
        const WordReading module = shipped_vocabulary().read("recompute module", part);
        if (module.explained >= 1)
            modules += (modules.empty() ? "" : "+") + module.means;
        else if (separators == " " || !add_modules(trimmed(part), " ", modules))
            return false;
        more = end != std::string_view::npos;
        if (more) text.remove_prefix(end + 1);
    }
    return true;
}

/// Whether the text assigns "false" to a name, or "true" to one that disables: "fp16=False", "disable_recompute=True".
bool is_off(std::string_view text) {
    const std::size_t sign = text.find('=');
    if (sign == std::string_view::npos) return false;
    const auto flag = read_flag(text.substr(sign + 1));
    const bool disables = text.substr(0, sign).find("disable") != std::string_view::npos;
    return flag && *flag == disables;
}

}  // namespace

std::optional<Precision> read_precision(std::string_view text) {
    const std::string means = shipped_vocabulary().read("precision", text).means;
    const auto known =
        std::find_if(all_precisions.begin(), all_precisions.end(), [&](Precision p) { return name_of(p) == means; });
    if (known == all_precisions.end()) return std::nullopt;
    return is_off(text) ? Precision::fp32 : *known;  // "fp16=False"
}

std::optional<bool> read_flag(std::string_view text) {
    const auto pieces = pieces_of(text);
    if (pieces.size() != 1) return std::nullopt;
    if (is_among(pieces[0].text, "yes true on enabled y")) return true;
    if (is_among(pieces[0].text, "no false off disabled n")) return false;
    return std::nullopt;
}

std::optional<Recompute> read_recompute(std::string_view text) {
    if (text.empty() || is_off(text)) return Recompute::nothing;
    if (const auto known = recompute_called(text)) return known;
    if (std::string modules; add_modules(text, ",;+&", modules)) return recompute_called(modules);
    return recompute_called(shipped_vocabulary().read("recompute", text).means);
}

}  // namespace scalescope
