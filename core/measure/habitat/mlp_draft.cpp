// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/habitat/mlp_draft.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/base/decimal.hpp"
#include "core/formats/json_store.hpp"
#include "core/measure/habitat/mlp.hpp"

namespace scalescope::habitat::drafts {

/// What would be shown in messages must be text.
bool ModelHandler::is_utf8(std::string_view name) {
    if (formats::detail::first_bad_byte(name) == formats::detail::no_offset) return true;
    return stop("This byte is not UTF-8 text.", "Save the file as UTF-8; it may also be a binary file.");
}

bool ModelHandler::key(std::string_view text) {
    if (!is_utf8(text)) return false;
    if (text.size() > limits::name_bytes)
        return stop("This name is longer than " + std::to_string(limits::name_bytes) + " bytes.", "Shorten it.");
    const auto twice = [&] {
        error(at(), drafts_.empty() ? std::string() : drafts_.back().name,
              "The name " + formats::quoted(text) + " is used twice in one object.", "Rename or remove one of them.");
    };
    if (room() == Room::root) {
        if (std::ranges::any_of(drafts_, [&](const ModelDraft& d) { return d.name == text; })) twice();
        drafts_.push_back({});
        if (drafts_.size() > limits::problems)
            return stop("There are more than " + std::to_string(limits::problems) + " networks.",
                        "Check that this is a file of networks.");
        draft().name = text;
        draft().at = at();
        key_.clear();
        seen_.clear();
    } else if (room() == Room::model) {
        if (std::ranges::find(seen_, text) != seen_.end()) twice();
        if (seen_.size() <= limits::problems) seen_.emplace_back(text);
        key_ = text;
    } else if (room() == Room::parameters) {
        key_ = text;
        if (draft().parameters.size() > limits::layers)
            return stop("There are more than " + std::to_string(limits::layers) + " parameters.",
                        "Check that this is a file of networks.");
        const auto added = draft().parameters.try_emplace(key_);
        if (!added.second) twice();
        parameter_ = &added.first->second;
        *parameter_ = {};
        parameter_->at = at();
    }
    return true;
}

bool ModelHandler::other(std::string_view found) {
    const Room here = room();
    if (here == Room::statistics || here == Room::parameter || here == Room::row || here == Room::parameters)
        error(at(), path(), "This is no number but " + std::string(found) + '.', "Write a finite number.");
    else if (here == Room::features)
        error(at(), path(), "This is no name but " + std::string(found) + '.', "Write names of features.");
    else if (rooms_.empty())
        error(at(), {}, "This is no file of networks.",
              "Write an object with a network for each operation, such as \"conv2d\".");
    else if (here == Room::root)
        error(at(), drafts_.back().name, "This is no network but " + std::string(found) + '.',
              "Write an object with its features, sizes and parameters.");
    return true;
}

bool ModelHandler::text(std::string_view value) {
    if (room() != Room::features) return other("a text");
    if (value.size() > limits::name_bytes || draft().features->size() >= limits::csv_columns)
        return stop("There are too many features, or their names are too long.",
                    "Give at most " + std::to_string(limits::csv_columns) + " names.");
    if (!is_utf8(value)) return false;
    draft().features->emplace_back(value);
    return true;
}

bool ModelHandler::number(std::string_view written) {
    constexpr double beyond = std::numeric_limits<double>::infinity();
    const char* end = written.data() + written.size();
    const auto no_finite = [&](const char* what) {
        error(at(), path(), what, "Write a finite number.");
        return true;
    };
    switch (room()) {
        case Room::statistics: {
            if (!counted()) return false;
            const double value = parse_decimal(written).value_or(beyond);
            if (!std::isfinite(value)) return no_finite("This is no number that the network can hold.");
            statistics_->values.push_back(value);
            return true;
        }
        case Room::parameter:
        case Room::row: {
            if (!counted()) return false;
            // Straight from the text: over a double it would be rounded twice.
            float single = 0.0f;
            if (std::from_chars(written.data(), end, single).ec != std::errc())
                single = static_cast<float>(parse_decimal(written).value_or(beyond));
            if (!std::isfinite(single)) return no_finite("This is no number that the network can hold.");
            if (room() == Room::parameter && parameter_->nested)
                return no_finite("A number stands beside lists of numbers here.");
            parameter_->values.push_back(single);
            return true;
        }
        case Room::model:
            if (key_ == "layers" || key_ == "layer_size") {
                std::int64_t whole = -1;
                const auto read = std::from_chars(written.data(), end, whole);
                if (read.ec != std::errc() || read.ptr != end || whole < 0)
                    error(at(), path(), "This is no whole number from 0.", "Count the layers, and what is in one.");
                else
                    (key_ == "layers" ? draft().layers : draft().layer_size) = Count{whole, at()};
            }
            return true;
        default: return other("a number");
    }
}

formats::JsonWish ModelHandler::begins(bool object) {
    rooms_.push_back(object ? object_room() : list_room());
    return formats::JsonWish::take;
}

ModelHandler::Room ModelHandler::object_room() {
    switch (room()) {
        case Room::root:
            if (rooms_.empty()) return Room::root;
            draft().at = at();
            return Room::model;
        case Room::model:
            if (key_ != "parameters") break;
            draft().has_parameters = true;
            return Room::parameters;
        case Room::statistics:
        case Room::parameters:
        case Room::parameter:
        case Room::row: return no_numbers("Write numbers.");
        case Room::features: other("an object"); break;
        case Room::ignored: break;
    }
    return Room::ignored;
}

ModelHandler::Room ModelHandler::list_room() {
    switch (room()) {
        case Room::root: other("a list"); break;
        case Room::model:
            if (key_ == "features") {
                draft().features.emplace();
                return Room::features;
            }
            if (key_ == "mu" || key_ == "sigma") {
                auto& numbers = key_ == "mu" ? draft().mu : draft().sigma;
                numbers.emplace();
                numbers->at = at();
                statistics_ = &*numbers;
                return Room::statistics;
            }
            break;
        case Room::parameters: parameter_->at = at(); return Room::parameter;
        case Room::parameter:
            if (!parameter_->nested && !parameter_->values.empty())
                return no_numbers("Write numbers, or lists of numbers, not both.");
            parameter_->nested = true;
            row_began_ = parameter_->values.size();
            row_at_ = at();
            return Room::row;
        case Room::statistics:
        case Room::row: return no_numbers("Write numbers.");
        case Room::features: other("a list"); break;
        case Room::ignored: break;
    }
    return Room::ignored;
}

bool ModelHandler::ends() {
    if (room() == Room::row) {
        const std::size_t width = parameter_->values.size() - row_began_;
        if (parameter_->rows == 0) parameter_->width = width;
        if (parameter_->width != width)
            error(row_at_, path(),
                  "Row " + std::to_string(parameter_->rows + 1) + " of these weights has " + std::to_string(width) +
                      " numbers, the first " + std::to_string(parameter_->width) + '.',
                  "Give as many in each.");
        ++parameter_->rows;
    } else if (room() == Room::parameter) {
        parameter_->values.shrink_to_fit();
    }
    rooms_.pop_back();
    return true;
}

}  // namespace scalescope::habitat::drafts
