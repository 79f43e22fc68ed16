// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/recompute_choice.hpp"

#include <algorithm>

namespace scalescope {
namespace {

constexpr auto methods = choice_names<Recompute>;
constexpr auto modules = choice_names<RecomputeModule>;

}  // namespace

std::string recompute_text(Recompute recompute) {
    if (recompute < Recompute::modules) return std::string(choice_name(recompute));
    std::string text;
    for (std::size_t i = 0; i < modules.size(); ++i)
        if ((modules_of(recompute) >> i & 1U) != 0) text += (text.empty() ? "" : "+") + std::string(modules[i]);
    return text;
}

std::optional<Recompute> recompute_called(std::string_view text) {
    if (const auto at = std::find(methods.begin(), methods.end(), text); at != methods.end())
        return static_cast<Recompute>(at - methods.begin());
    unsigned bits = 0;
    for (std::size_t from = 0, to = 0; to != text.npos; from = to + 1) {
        to = text.find('+', from);
        const auto at = std::find(modules.begin(), modules.end(), text.substr(from, to - from));
        if (at == modules.end()) return std::nullopt;
        bits |= 1U << static_cast<unsigned>(at - modules.begin());
    }
    return recompute_modules(bits);
}

std::span<const std::string_view> recompute_words() {
    static constexpr auto words = [] {
        std::array<std::string_view, methods.size() + modules.size()> all{};
        std::copy(modules.begin(), modules.end(), std::copy(methods.begin(), methods.end(), all.begin()));
        return all;
    }();
    return words;
}

}  // namespace scalescope
