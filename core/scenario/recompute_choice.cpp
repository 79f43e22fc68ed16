// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/recompute_choice.hpp"

#include <algorithm>

namespace scalescope {
namespace {

constexpr auto methods = choice_names<Recompute>;
constexpr auto module_words = choice_names<RecomputeModule>;

template <std::size_t n>
constexpr auto before_modules(const std::array<std::string_view, n>& words) {
    std::array<std::string_view, n + module_words.size()> all{};
    std::copy(module_words.begin(), module_words.end(), std::copy(words.begin(), words.end(), all.begin()));
    return all;
}

}  // namespace

std::string recompute_text(Recompute recompute) {
    if (recompute < Recompute::modules) return std::string(choice_name(recompute));
    std::string text;
    for (std::size_t i = 0; i < module_words.size(); ++i)
        if ((modules_of(recompute) >> i & 1U) != 0) text += (text.empty() ? "" : "+") + std::string(module_words[i]);
    return text;
}

std::optional<Recompute> recompute_called(std::string_view text) {
    if (const auto at = std::find(methods.begin(), methods.end(), text); at != methods.end())
        return static_cast<Recompute>(at - methods.begin());
    unsigned bits = 0;
    for (std::size_t from = 0, to = 0; to != text.npos; from = to + 1) {
        to = text.find('+', from);
        const auto at = std::find(module_words.begin(), module_words.end(), text.substr(from, to - from));
        if (at == module_words.end()) return std::nullopt;
        bits |= 1U << static_cast<unsigned>(at - module_words.begin());
    }
    return recompute_modules(bits);
}

std::span<const std::string_view> recompute_words() {
    static constexpr auto words = before_modules(methods);
    return words;
}

std::optional<Recompute> offload_called(std::string_view text) {
    const auto called = recompute_called(text);
    const bool is_method = called && modules_of(*called) == 0;
    return is_method && *called != Recompute::nothing && *called != Recompute::blocks ? std::nullopt : called;
}

std::span<const std::string_view> offload_words() {
    static constexpr auto words =
        before_modules(std::array{choice_name(Recompute::nothing), choice_name(Recompute::blocks)});
    return words;
}

}  // namespace scalescope
