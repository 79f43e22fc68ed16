// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/habitat/mlp_draft.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/measure/habitat/mlp_names.hpp"

namespace scalescope::habitat::drafts {

bool ModelHandler::key(string_t& text) {
    if (text.size() > limits::name_bytes)
        return stop("This name is longer than " + std::to_string(limits::name_bytes) + " bytes.", "Shorten it.");
    const auto twice = [&] {
        error(mark_.at, drafts_.empty() ? std::string() : drafts_.back().name,
              "The name " + formats::quoted(text) + " is used twice in one object.", "Rename or remove one of them.");
    };
    if (room() == Room::root) {
        if (std::any_of(drafts_.begin(), drafts_.end(), [&](const ModelDraft& d) { return d.name == text; })) twice();
        drafts_.push_back({});
        if (drafts_.size() > limits::problems)
            return stop("There are more than " + std::to_string(limits::problems) + " networks.",
                        "Check that this is a file of networks.");
        draft().name = text;
        draft().at = mark_.at;
        key_.clear();
        seen_.clear();
    } else if (room() == Room::model) {
        if (std::find(seen_.begin(), seen_.end(), text) != seen_.end()) twice();
        if (seen_.size() <= limits::problems) seen_.push_back(text);
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
        parameter_->at = mark_.at;
    }
    return understood();
}

bool ModelHandler::other(std::string_view found) {
    const Room here = room();
    if (here == Room::statistics || here == Room::parameter || here == Room::row || here == Room::parameters)
        error(mark_.at, path(), "This is no number but " + std::string(found) + '.', "Write a finite number.");
    else if (here == Room::features)
        error(mark_.at, path(), "This is no name but " + std::string(found) + '.', "Write names of features.");
    else if (rooms_.empty())
        error(mark_.at, {}, "This is no file of networks.",
              "Write an object with a network for each operation, such as \"conv2d\".");
    else if (here == Room::root)
        error(mark_.at, drafts_.back().name, "This is no network but " + std::string(found) + '.',
              "Write an object with its features, sizes and parameters.");
    return understood();
}

bool ModelHandler::string(string_t& text) {
    if (room() == Room::features) {
        if (text.size() > limits::name_bytes || draft().features->size() >= limits::csv_columns)
            return stop("There are too many features, or their names are too long.",
                        "Give at most " + std::to_string(limits::csv_columns) + " names.");
        draft().features->push_back(text);
        return understood();
    }
    return other("a text");
}

bool ModelHandler::number(double value, std::optional<std::int64_t> whole, const std::string& text) {
    const auto no_finite = [&](const char* what) {
        error(mark_.at, path(), what, "Write a finite number.");
        return understood();
    };
    switch (room()) {
        case Room::statistics:
            if (!counted()) return false;
            if (!std::isfinite(value)) return no_finite("This is no number that the network can hold.");
            statistics_->values.push_back(value);
            return understood();
        case Room::parameter:
        case Room::row: {
            if (!counted()) return false;
            // Straight from the text: over a double it would be rounded twice.
            auto single = static_cast<float>(value);
            if (!text.empty()) {
                float read = 0.0f;
                const auto result = std::from_chars(text.data(), text.data() + text.size(), read);
                if (result.ec == std::errc()) single = read;
            }
            if (!std::isfinite(single)) return no_finite("This is no number that the network can hold.");
            if (room() == Room::parameter && parameter_->nested)
                return no_finite("A number stands beside lists of numbers here.");
            parameter_->values.push_back(single);
            return understood();
        }
        case Room::model:
            if (key_ == "layers" || key_ == "layer_size") {
                if (!whole || *whole < 0)
                    error(mark_.at, path(), "This is no whole number from 0.", "Count the layers, and what is in one.");
                else
                    (key_ == "layers" ? draft().layers : draft().layer_size) = Count{*whole, mark_.at};
            }
            return understood();
        default: return other("a number");
    }
}

bool ModelHandler::start_object(std::size_t) {
    switch (room()) {
        case Room::root:
            if (rooms_.empty()) return enter(Room::root);
            draft().at = mark_.at;
            return enter(Room::model);
        case Room::model:
            if (key_ != "parameters") break;
            draft().has_parameters = true;
            return enter(Room::parameters);
        case Room::statistics:
        case Room::parameters:
        case Room::parameter:
        case Room::row: return no_numbers("Write numbers.");
        case Room::features: other("an object"); break;
        case Room::ignored: break;
    }
    return enter(Room::ignored);
}

bool ModelHandler::start_array(std::size_t) {
    switch (room()) {
        case Room::root: other("a list"); break;
        case Room::model:
            if (key_ == "features") {
                draft().features.emplace();
                return enter(Room::features);
            }
            if (key_ == "mu" || key_ == "sigma") {
                auto& numbers = key_ == "mu" ? draft().mu : draft().sigma;
                numbers.emplace();
                numbers->at = mark_.at;
                statistics_ = &*numbers;
                return enter(Room::statistics);
            }
            break;
        case Room::parameters: parameter_->at = mark_.at; return enter(Room::parameter);
        case Room::parameter:
            if (!parameter_->nested && !parameter_->values.empty())
                return no_numbers("Write numbers, or lists of numbers, not both.");
            parameter_->nested = true;
            row_began_ = parameter_->values.size();
            row_at_ = mark_.at;
            return enter(Room::row);
        case Room::statistics:
        case Room::row: return no_numbers("Write numbers.");
        case Room::features: other("a list"); break;
        case Room::ignored: break;
    }
    return enter(Room::ignored);
}

bool ModelHandler::end_array() {
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
    return leave();
}

}  // namespace scalescope::habitat::drafts
