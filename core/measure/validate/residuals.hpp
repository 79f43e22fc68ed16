// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/calibrated_band.hpp"
#include "core/measure/validate/validate.hpp"

namespace scalescope::measure {

/// What counts as alike when errors are looked up.
struct ResidualClass {
    std::string architecture;  ///< of the device: "Ampere"
    std::string network;       ///< "transformer", "experts", "convolutional", "recurrent" or "other"
    std::int64_t workers = 1;  ///< upper limit of the class: 1, 8, 64 or 100,000
    auto operator<=>(const ResidualClass&) const = default;
};
ResidualClass residual_class(const Scenario& scenario);

/// Of ln(measured step / predicted step), the predictions uncalibrated, in the rows of one source and class.
struct Residual {
    std::string source;
    ResidualClass of;
    std::size_t rows = 0;
    double mean = 0, deviation = 0;
};

/// ln(measured step / predicted step) of a row. Nothing of memory, of figures that a model computed, and of rows that
/// were not predicted.
std::optional<double> residual_of(const ValidatedRow& row);

/// The first two words of a source's name in small letters: releases and pages of one collection are one source.
std::string residual_source(std::string_view name);

/// By source and class, in their order. No row is left out for being implausible.
std::vector<Residual> residuals_of(const std::vector<ValidatedRow>& rows);

Result<std::vector<Residual>> read_residuals(std::string_view text, std::string file);
std::string write_residuals(const std::vector<Residual>& residuals);
/// presets/accuracy; empty if they cannot be read, which a test forbids.
const std::vector<Residual>& shipped_residuals();

/// Where a step is to be expected with a probability of 90 %, uncalibrated, as factors of the prediction.
struct ResidualBand {
    double low = 1, high = 1;
    std::size_t rows = 0, sources = 0;  ///< that it rests on
    int level =
        0;  ///< rows alike in 0: architecture, network and workers; 1: not in workers; 2: in network only; 3: any
};

/// From the most specific class with ten rows of two sources: exp(m ± 1.645·√(b²·(1 + 1/k) + w²)), m being the mean
/// over k sources (each counts by its rows, at most 20), b the deviation between and w within them. A new source is to
/// be expected as far from the mean as the known ones are from each other. At least ±45 % where no source has such a
/// device. docs/decisions/bands.md.
std::optional<ResidualBand> residual_band(const ResidualClass& of, const std::vector<Residual>& residuals);

/// The band of a step: calibrated where the scenario is (`calibrated_band`), otherwise from the shipped residuals.
/// Nothing for PALEO's methods and CPU clusters.
std::optional<TimeBand> step_band(const Scenario& scenario, const Estimate& estimate);

}  // namespace scalescope::measure
