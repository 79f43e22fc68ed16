// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/trainers/interpreter.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/decimal.hpp"
#include "core/base/letters.hpp"
#include "core/base/limits.hpp"

namespace scalescope::formats::trainers {

Value value_of_text(const std::string& text) {
    std::string lower = in_small_letters(text);
    if (lower == "null" || lower == "none" || lower == "~") return {};
    if (lower == "true" || lower == "yes" || lower == "on") return {std::int64_t{1}};
    if (lower == "false" || lower == "no" || lower == "off") return {std::int64_t{0}};
    std::erase(lower, '_');
    if (!lower.empty() && lower.front() == '+') lower.erase(0, 1);
    const auto number = parse_decimal(lower);
    constexpr double exact = 9e15;
    if (!number) return {text};
    if (std::abs(*number) < exact && !(*number < std::floor(*number)) && !(*number > std::floor(*number)))
        return {static_cast<std::int64_t>(*number)};
    return {*number};
}

Figure Interpreter::figure(const std::string& name) {
    const bool unknown = std::exchange(unknown_, false), from_file = std::exchange(from_file_, false);
    Figure result;
    result.value = value_of(name, {});
    if (const auto known = known_.find(name); known != known_.end()) result = known->second;
    unknown_ = unknown;
    from_file_ = from_file;
    return result;
}

Value Interpreter::evaluated(const Expression& expression) {
    unknown_ = from_file_ = false;
    Value value = evaluate(expression, *this);
    return unknown_ ? Value{} : value;
}

Value Interpreter::value_of(const std::string& name, const SourcePosition&) {
    constexpr std::string_view stated = "_stated";
    if (name.ends_with(stated)) return {std::int64_t{stated_.contains(name.substr(0, name.size() - stated.size()))}};
    if (const auto varied = varied_.find(name); varied != varied_.end()) return varied->second;
    auto known = known_.find(name);
    Figure result;
    if (known != known_.end()) {
        result = known->second;
    } else if (open_.contains(name) || ++steps_ > limits::configuration_steps) {
        cyclic_ = unknown_ = true;
        return {};
    } else {
        const bool unknown = std::exchange(unknown_, false), from_file = std::exchange(from_file_, false);
        const bool cyclic = std::exchange(cyclic_, false);
        open_.insert(name);
        result = worked_out(name);
        open_.erase(name);
        // A figure that met itself may have a value once the outer one has.
        if (!cyclic_ || open_.empty() || !result.value.none()) known_[name] = result;
        unknown_ = unknown;
        from_file_ = from_file;
        cyclic_ = (cyclic || cyclic_) && !open_.empty();
    }
    unknown_ |= result.value.none();
    from_file_ |= result.origin != Origin::standard;
    return result.value;
}

Figure Interpreter::worked_out(const std::string& name) {
    if (const auto stated = stated_.find(name); stated != stated_.end()) return stated->second;
    Figure result;
    if (model_) {
        if (const auto figure = model_->find(name); figure != model_->end()) {
            result.value = figure->second;
            result.origin = Origin::derived;
            return result;
        }
    }
    const FigureRule* rule = trainer_.figure(name);
    if (!rule || !rule->otherwise) return result;
    result.value = evaluate(*rule->otherwise, *this);
    if (unknown_) result.value = {};
    if (from_file_) result.origin = Origin::derived;
    return result;
}

bool Interpreter::has(const std::string& name) {
    const bool unknown = unknown_;
    const bool has = !value_of(name, {}).none();
    unknown_ = unknown;
    return has;
}

Value Interpreter::fault(const SourcePosition&, std::string, std::string) {
    unknown_ = true;
    return {};
}

}  // namespace scalescope::formats::trainers
