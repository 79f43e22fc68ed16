// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <set>
#include <string>

#include "core/formats/trainers/reading.hpp"

namespace scalescope::formats::trainers {

/// The number, flag or word that a text of a configuration stands for; `none` for "null".
Value value_of_text(const std::string& text);

/// Works out the figures of a description from the keys that a file states, or from figures that are given. A formula
/// with an unknown figure has no value.
class Interpreter final : public hugging_face::Scope {
public:
    explicit Interpreter(const Description& trainer) : trainer_(trainer) {}

    /// What a key of the figure says.
    void state(const std::string& figure, Figure value) { stated_[figure] = std::move(value); }
    /// The figures of a named model count where the file states none.
    void take_model(const std::map<std::string, Value>* model) {
        model_ = model;
        known_.clear();
    }
    /// Replaces the figure, whatever the file says.
    void vary(const std::string& figure, Value value) {
        varied_ = {{figure, std::move(value)}};
        known_.clear();
        steps_ = 0;
    }
    void vary_nothing() {
        varied_.clear();
        known_.clear();
        steps_ = 0;
    }

    Figure figure(const std::string& name);
    /// `none` if the formula has no value.
    Value evaluated(const Expression& expression);
    /// False if the condition depends on something unknown.
    bool holds(const Expression& condition) { return evaluated(condition).truth(); }

    Value value_of(const std::string& name, const SourcePosition& at) override;
    bool has(const std::string& name) override;
    Value fault(const SourcePosition& at, std::string what, std::string remedy) override;

private:
    Figure worked_out(const std::string& name);

    const Description& trainer_;
    const std::map<std::string, Value>* model_ = nullptr;
    Figures stated_, known_;
    std::map<std::string, Value> varied_;
    std::set<std::string, std::less<>> open_;  ///< being worked out
    bool unknown_ = false;                     ///< the formula needed a figure that has no value
    bool from_file_ = false;                   ///< … or used one that the file states
    bool cyclic_ = false;                      ///< … or one that is being worked out
    std::size_t steps_ = 0;
};

}  // namespace scalescope::formats::trainers
