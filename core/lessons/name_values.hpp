// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/estimate/measures.hpp"
#include "core/lessons/names.hpp"
#include "core/scenario/fields.hpp"

/// What the names of an expression stand for: of names.hpp and judge.hpp, nobody else's.
namespace scalescope::lessons::detail {

/// A figure of an estimate, in the unit that expressions have it in.
struct Figure {
    std::string_view name, label, unit, text;
    std::optional<double> (*value)(const Scenario&, const Estimate&);
};
const std::vector<Figure>& all_figures();

/// A figure of a layer.
struct LayerFigure {
    std::string_view name, label, unit, text;
    double (*value)(const LayerMeasures&);
};
const std::vector<LayerFigure>& all_layer_figures();

/// A name, taken apart.
struct Reference {
    enum class Of { now, start, pin };
    enum class Kind { figure, layer, total, number, choice, symbol };
    Of of = Of::now;
    std::size_t pin = 0;
    Kind kind = Kind::figure;
    const Figure* figure = nullptr;
    const LayerFigure* layer_figure = nullptr;  ///< of a layer, or of all of them (total)
    const Field* field = nullptr;
    std::string layer;   ///< as word_of() makes it
    std::string symbol;  ///< the path of its field
    std::string unit() const;
    /// What people call it: "Workers", "fc6: forward". Empty for another design's and for the sizes of a network.
    std::string label() const;
};
/// Nothing if nothing is called so.
std::optional<Reference> resolve(std::string_view name);
/// The closest of all names that need no scenario.
std::optional<std::string> closest_name_of_all(std::string_view name);

/// Values of one evaluation; what is costly is worked out once.
class Values {
public:
    Values(const Design& now, const Surroundings& around) : now_(now), around_(around) {}
    /// Of numbers.
    std::optional<double> number(const Reference& reference);
    /// Of choices: their word.
    std::optional<std::string> word(const Reference& reference);
    /// Why the last one asked for has no value.
    const std::string& why() const { return why_; }

private:
    const Design* design(const Reference& reference);
    const std::vector<LayerMeasures>* layers(const Design& design);

    const Design& now_;
    const Surroundings& around_;
    std::map<const Design*, std::vector<LayerMeasures>> layers_;
    std::string why_;
};

}  // namespace scalescope::lessons::detail
