// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/watch.hpp"
#include "core/scenario/fields.hpp"
#include "core/search/metrics.hpp"

/// What a little more or less of everything does to one objective (docs/decisions/sensitivity.md).
namespace scalescope::search {

// The fields whose effect is asked for, their words in a sentence, and which of them a design uses.

struct MovedField {
    const Field* field = nullptr;
    /// As a sentence has it: "10 % more bandwidth between nodes", "from 32 to 35 workers".
    std::string noun;
    std::string more = "more", less = "less";  ///< or "higher" and "lower", of a price
    /// A share of a peak, which moves the same rate as the peak itself: path of that. Empty for others.
    std::string same_as;
};

/// In the order of rows with the same effect: rates, links, counts, times, prices, shares.
std::vector<MovedField> moved_fields(const Scenario& scenario);

/// Why the field is not moved at all: it has no value, or does by construction what another does. Empty if it is.
std::string why_not_moved(const MovedField& moved, const Scenario& scenario);
/// Why moving it did nothing: "Every node holds one device: nothing travels inside a node." Empty if nothing is known.
std::string why_no_effect(const MovedField& moved, const Scenario& scenario);

/// One end of a row: the field a little smaller, or a little larger.
struct SensitivityEnd {
    double value = 0;              ///< of the field, in its unit
    std::optional<double> change;  ///< of the objective, relative: −0.041 is 4.1 % less; nothing where impossible
    std::string problem;           ///< why there is no change
    bool operator==(const SensitivityEnd&) const = default;
};

/// How one field moves the objective. Both ends are scenarios of their own, estimated anew: nothing is linearized.
struct SensitivityRow {
    std::string path;    ///< of the field: "cluster.between.bandwidth_gb_s"
    std::string label;   ///< "Bandwidth between nodes"
    std::string unit;    ///< of the values; empty for counts
    double value = 0;    ///< of the field in the scenario
    bool whole = false;  ///< a count: it went to the nearest whole numbers that differ
    SensitivityEnd less, more;
    /// d ln objective / d ln field: the percents by which 1 % more moves the objective. For counts between the two
    /// ends.
    double elasticity = 0;
    std::string sentence;  ///< "10 % more bandwidth between nodes takes 4.1 % off the step."

    double effect() const;  ///< the larger change of both ends, without its sign
    bool operator==(const SensitivityRow&) const = default;
};

struct Sensitivity {
    Metric objective = Metric::step;
    double value = 0;  ///< of the objective, in its unit
    double by = 0.1;
    std::vector<SensitivityRow> rows;        ///< the largest effect first; of equal ones, in the order of the fields
    std::optional<SensitivityRow> doubling;  ///< half and twice the workers
    std::vector<LeftOut> left_out;           ///< fields that do not count here, each with its reason
    bool operator==(const Sensitivity&) const = default;
};

/// "10 %", "2.5 %": of how far fields are moved.
std::string share_text(double share);

struct SensitivityOptions {
    Metric objective = Metric::step;
    double by = 0.1;  ///< how far every field is moved: 0.1 is 10 % down and 10 % up; above 0, below 1
    double goal = 0;  ///< samples to train on, for what asks for them; 0: one epoch
    bool operator==(const SensitivityOptions&) const = default;
};

/// Pure: the same scenario gives the same bits. Problems: those of estimate(); an objective without a value (a cost
/// without a price) or with the value 0, of which no change is a share. Cancelled, it gives a problem.
Result<Sensitivity> sensitivity(const Scenario& scenario, const SensitivityOptions& options = {},
                                const CancelToken& cancel = {});

}  // namespace scalescope::search
