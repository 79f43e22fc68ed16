// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/former_names.hpp"

#include <algorithm>
#include <array>

#include "core/scenario/field_access.hpp"
#include "core/scenario/names.hpp"

namespace scalescope {
namespace {

constexpr std::array<std::string_view, 4> strategies{"data", "outputs", "layers", "hybrid"};
constexpr std::array fills{MeshAxis::data, MeshAxis::tensor, MeshAxis::pipeline, MeshAxis::data};
constexpr std::size_t hybrid = 3, no_strategy = 4;
constexpr std::array<std::string_view, 5> policies{"columns", "trainer", "best", "rows", "usual"};
constexpr std::string_view strategy_path = "parallelism.strategy", policy_path = "parallelism.policy";
static_assert(std::equal(policies.begin(), policies.end() - 1, choice_names<ShardingPolicy>.begin()));

std::size_t strategy_of(const Scenario& s) {
    if (s.parallelism.segments) return hybrid;
    const auto at = std::find(fills.begin(), fills.end(), s.parallelism.fill);
    return at == fills.end() ? no_strategy : static_cast<std::size_t>(at - fills.begin());
}

void set_strategy(Scenario& s, std::size_t strategy) {
    Parallelism& p = s.parallelism;
    const bool usual = p.policy == usual_policy(p.fill);  // which followed the strategy
    p.fill = fills[strategy];
    p.segments = strategy == hybrid;
    if (usual) p.policy = usual_policy(p.fill);
}

std::string strategy_text(std::size_t strategy) {
    return std::string(strategy < strategies.size() ? strategies[strategy] : choice_name(MeshAxis::context));
}

std::optional<std::size_t> strategy_called(std::string_view word) {
    const auto at = std::find(strategies.begin(), strategies.end(), word);
    return at == strategies.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - strategies.begin()));
}

}  // namespace

std::span<const Field> former_fields() {
    static const FieldAccess access{ChoiceAccess{strategy_of, set_strategy, strategy_text, strategy_called}};
    static const std::array table{Field{strategy_path,
                                        FieldType::choice,
                                        "Strategy",
                                        "How the work is divided over the workers.",
                                        {},
                                        0,
                                        0,
                                        strategies,
                                        false,
                                        false,
                                        &access}};
    return table;
}

std::string_view path_now(std::string_view path) { return path == strategy_path ? "parallelism.fill" : path; }

std::span<const std::string_view> words_with_former(const Field& field) {
    return field.path == policy_path ? policies : field.choices;
}

std::vector<CalibratedRange> ranges_now(const std::vector<CalibratedRange>& ranges) {
    std::vector<CalibratedRange> now;
    const auto add = [&](std::string_view path, auto value) {
        const CalibratedRange range{std::string(path), static_cast<double>(value), static_cast<double>(value)};
        if (std::find(now.begin(), now.end(), range) == now.end()) now.push_back(range);
    };
    std::vector<MeshAxis> measured;
    for (const CalibratedRange& range : ranges)
        if (range.field == strategy_path) measured.push_back(fills[static_cast<std::size_t>(range.low)]);
    for (const CalibratedRange& range : ranges) {
        if (range.field == strategy_path) {
            add("parallelism.fill", fills[static_cast<std::size_t>(range.low)]);
            add("parallelism.segments", range.low == hybrid);
        } else if (range.field == policy_path && range.low == policies.size() - 1) {
            for (const MeshAxis fill : measured) add(policy_path, usual_policy(fill));
        } else {
            now.push_back(range);
        }
    }
    return now;
}

std::string_view word_now(const Field& field, std::string_view word, const Scenario& scenario) {
    const bool usual = field.path == policy_path && word == policies.back();
    return usual ? choice_name(usual_policy(scenario.parallelism.fill)) : word;
}

}  // namespace scalescope
