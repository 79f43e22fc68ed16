// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/measure/fit/form.hpp"

namespace scalescope::measure {

enum class FormKind {
    product,   ///< (Σ a·x^p + levels) · Π E^q + C
    two_term,  ///< A(I)·Π E^q + B(I)·(1 − 1/w)·w^q + κ·(w − 1) + C: compute falls while communication grows
    physical,  ///< the analytical model's data parallelism with ring all-reduce: peak, bandwidth, latency, overhead
    tiers,     ///< time per operation by size of the working set, contention and memory bandwidth by threads
};

/// Where a form is from, in words: people must not take it for its authors' own.
std::string_view origin_of(FormKind kind);

/// A bound that a person sets; `low` = `high` gives the constant a value.
struct GivenBound {
    std::string constant;
    double low = 0.0, high = 0.0;
};

/// Which form, and which columns play which part in it.
struct FormChoice {
    FormKind kind = FormKind::product;
    std::vector<std::string> intrinsic;         ///< powers; columns of words are levels. Two-term: what costs compute
    std::vector<std::string> levels;            ///< columns of numbers to be taken as levels too
    std::vector<std::string> extrinsic;         ///< scaling factors, the workers among them
    std::vector<std::string> traffic;           ///< two-term: what is sent (parameters)
    std::string workers = "workers";            ///< two-term, physical: the count of workers; tiers: of threads
    std::string batch = "batch_per_worker";     ///< physical: samples of a worker
    std::string flops = "fwd_flop_per_sample";  ///< physical: forward FLOP of a sample
    std::string parameters = "parameters";      ///< physical
    std::string working_set = "weight_working_set_kib";  ///< tiers
    std::vector<double> tier_ends{256.0, 20480.0};       ///< tiers: last size of each tier but the last
    double tier_bytes = 4.0;                             ///< tiers: bytes that an operation loads from memory
    bool normalized = true;          ///< factors divided by their medians, as the spec's section 1 advises
    std::vector<GivenBound> bounds;  ///< for the constants so named, instead of the form's own
};

/// Reports that a form finds no numbers in the column `name`: at the first cell that is none, if the runs have one.
Problem needs_numbers(const Runs& runs, const std::string& name);

/// The form with its constants and their bounds, for the runs it will be fitted to (all of `runs`).
Result<std::unique_ptr<Form>> make_form(const FormChoice& choice, const Runs& runs);

double median_of(std::vector<double> values);

/// t = base[tier of the working set] · (1 + κ·(threads − 1)), in the last tier at least bytes · threads / bandwidth:
/// caches first, then memory that all threads share (Yan et al., KDD 2015, measure such tables).
Result<std::unique_ptr<Form>> make_tiers_form(const FormChoice& choice, const Runs& runs);

/// What a column can be in a form.
enum class FactorRole {
    none,
    power,      ///< what is computed, as a power
    level,      ///< what is computed, a constant for every value
    extrinsic,  ///< scales the work
    traffic,    ///< two-term: what is sent
};

/// The usual scaling factors that vary among the runs: workers, batch (the one that stands first), chunks.
std::vector<std::string> usual_extrinsic(const Runs& runs, const FormChoice& choice);

/// The columns that can play a part at all: those that vary, and of words those with at most 24 values.
std::vector<std::string> candidate_factors(const Runs& runs);

/// A form to begin with: the usual extrinsic factors, then columns in their order, numbers with three values or more as
/// powers and words with at most a dozen as levels, as long as there are three runs for each constant.
FormChoice suggest_form(const Runs& runs, FormKind kind);

FactorRole role_of(const FormChoice& choice, const Runs& runs, std::string_view column);
/// Gives `column` that role in `choice`, and takes any other from it.
void set_role(FormChoice& choice, const Runs& runs, const std::string& column, FactorRole role);

/// The roles a column may have in a form of this kind.
std::vector<FactorRole> roles_in(FormKind kind, const RunColumn& column);

}  // namespace scalescope::measure
