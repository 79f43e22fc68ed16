// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What is known of a figure because somebody measured.
namespace scalescope {

/// What measurements say of a constant.
enum class Verdict {
    determined,    ///< its interval is at most half as wide as what was believed before
    partly,        ///< narrower, but not by that much
    undetermined,  ///< what was believed before: the measurements hardly depend on it
};
std::string_view name_of(Verdict v);

/// A constant of the model as it was fitted, in the unit of its field.
struct CalibratedConstant {
    std::string field;                    ///< "model.compute", as in the field table
    double value = 0, low = 0, high = 0;  ///< with the interval it lies in with a probability of 90 %
    Verdict verdict = Verdict::undetermined;
    bool operator==(const CalibratedConstant&) const = default;
};

/// Where measurements were made: beyond it, predictions are extrapolated.
struct CalibratedRange {
    std::string field;
    double low = 0, high = 0;
    bool operator==(const CalibratedRange&) const = default;
};

/// One feature of a correction: how it is standardised, how much it counts, and between which values it was seen.
struct CorrectionFeature {
    double mean = 0, scale = 1, slope = 0, low = 0, high = 0;
    bool operator==(const CorrectionFeature&) const = default;
};

/// A correction of operator times (core/measure/operators/correction.hpp says what the numbers mean).
struct OperatorCorrection {
    std::string kind, pass, precision;  ///< "matmul", "forward", "fp32"
    std::int64_t points = 0;
    std::vector<std::string> devices;  ///< ids
    std::vector<double> levels;        ///< one for each device
    double level = 0;
    std::optional<double> ridge;  ///< nothing: levels alone
    double deviation = 0;
    std::vector<CorrectionFeature> features;
    bool operator==(const OperatorCorrection&) const = default;
};

/// A named calibration: constants fitted to runs, corrections fitted to operators, and what to, so that others can
/// judge what it is worth.
struct Calibration {
    std::string id, name, note;
    std::string data_hash;  ///< of the tables it was fitted to
    std::int64_t points = 0;
    double deviation = 0;  ///< of ln(measured/predicted)
    std::string device;    ///< id; empty if there were several
    std::string precision, framework;
    std::vector<std::string> networks;
    std::vector<CalibratedConstant> constants;
    std::vector<double> covariance;  ///< of the constants' natural logarithms, row by row; empty: unknown
    std::vector<CalibratedRange> ranges;
    std::vector<OperatorCorrection> operators;

    const CalibratedConstant* constant(std::string_view field) const;
    bool operator==(const Calibration&) const = default;
};

/// A calibration that many scenarios share; none if empty. Equal if they say the same.
struct SharedCalibration {
    std::shared_ptr<const Calibration> of;

    explicit operator bool() const { return of != nullptr; }
    const Calibration* operator->() const { return of.get(); }
    const Calibration& operator*() const { return *of; }
    bool operator==(const SharedCalibration& other) const {
        return of == other.of || (of && other.of && *of == *other.of);
    }
};

}  // namespace scalescope
