// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/caffe/converter.hpp"

#include <algorithm>
#include <utility>

#include "core/base/limits.hpp"

namespace scalescope::formats {

CaffeFields::CaffeFields(ProtoField layer, std::string_view block, std::string where, ProblemList& problems)
    : layer_(layer), where_(std::move(where)), problems_(problems) {
    block_ = layer.find(block);
    if (block_ && !block_->is_message()) {
        problems_.error(block_->at(), where_, "The field " + quoted(block) + " is a block.",
                        "Write " + std::string(block) + " { … }.");
        block_.reset();
    }
}

std::optional<ProtoField> CaffeFields::single(std::string_view name) {
    std::optional<ProtoField> found;
    if (block_)
        for (const ProtoField f : *block_) {
            if (f.name() != name) continue;
            if (found) {
                problems_.error(f.name_at(), where_, "The field " + quoted(name) + " stands twice.",
                                "Keep one; the other is on line " + std::to_string(found->name_at().line) + ".");
                break;
            }
            found = f;
        }
    return found;
}

std::optional<std::int64_t> CaffeFields::whole(ProtoField f, std::int64_t low, std::int64_t high) {
    const auto value = f.integer();
    if (value && *value >= low && *value <= high) return value;
    problems_.error(f.at(), where_,
                    "The field " + quoted(f.name()) + " is a whole number from " + std::to_string(low) + " to " +
                        std::to_string(high) + ", not " + (f.is_message() ? std::string("a block") : quoted(f.text())) +
                        ".",
                    "Correct it.");
    return std::nullopt;
}

std::optional<std::int64_t> CaffeFields::integer(std::string_view name, std::int64_t low, std::int64_t high) {
    const auto f = single(name);
    return f ? whole(*f, low, high) : std::nullopt;
}

std::optional<double> CaffeFields::number(std::string_view name) {
    const auto f = single(name);
    if (!f) return std::nullopt;
    if (const auto value = f->number()) return value;
    problems_.error(f->at(), where_, "The field " + quoted(name) + " is a number.", "Write it like 0.5.");
    return std::nullopt;
}

bool CaffeFields::boolean(std::string_view name, bool initial) {
    const auto f = single(name);
    if (!f) return initial;
    if (const auto value = f->boolean()) return *value;
    problems_.error(f->at(), where_, "The field " + quoted(name) + " is true or false.", "Write true or false.");
    return initial;
}

std::string_view CaffeFields::word(std::string_view name) {
    const auto f = single(name);
    return f ? f->text() : std::string_view{};
}

std::vector<std::int64_t> CaffeFields::integers(std::string_view name, std::int64_t low, std::int64_t high) {
    std::vector<std::int64_t> all;
    if (block_)
        for (const ProtoField f : *block_)
            if (f.name() == name && all.size() <= limits::layer_inputs)
                if (const auto value = whole(f, low, high)) all.push_back(*value);
    return all;
}

std::optional<std::array<std::int64_t, 2>> CaffeFields::sizes(std::string_view both, std::string_view h,
                                                              std::string_view w, std::int64_t low) {
    const auto rows = integer(h, low, limits::dimension), cols = integer(w, low, limits::dimension);
    if (rows && cols) return std::array{*rows, *cols};
    const auto all = integers(both, low, limits::dimension);
    if (all.size() == 1) return std::array{rows.value_or(all[0]), cols.value_or(all[0])};
    if (all.size() == 2) return std::array{all[0], all[1]};
    if (all.size() > 2)
        error(both,
              "The field " + quoted(both) + " stands " + std::to_string(all.size()) + " times, so the layer has " +
                  std::to_string(all.size()) + " dimensions.",
              "This program knows layers over height and width; give one or two.");
    else if (rows || cols)
        // Caffe's own defaults: no padding and steps of one where only the other is written.
        return std::array{rows.value_or(std::max<std::int64_t>(low, 0)), cols.value_or(std::max<std::int64_t>(low, 0))};
    return std::nullopt;
}

void CaffeFields::expect_only(std::initializer_list<std::string_view> known) {
    if (!block_) return;
    for (const ProtoField f : *block_) {
        if (std::ranges::find(known, f.name()) != known.end()) continue;
        const std::vector<std::string_view> names(known);
        problems_.warning(f.name_at(), where_, "The field " + quoted(f.name()) + " is not known here and is ignored.",
                          did_you_mean(f.name(), names, "Check its spelling if it says a size."));
        if (problems_.all().size() > limits::problems) return;
    }
}

void CaffeFields::error(std::string_view name, std::string what, std::string remedy) {
    const auto f = block_ ? block_->find(name) : std::nullopt;
    problems_.error(f        ? f->name_at()
                    : block_ ? block_->name_at()
                             : layer_.name_at(),
                    where_, std::move(what), std::move(remedy));
}

}  // namespace scalescope::formats
