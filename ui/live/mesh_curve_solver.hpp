// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/search/mesh_curve.hpp"
#include "ui/live/background.hpp"

namespace scalescope::ui {

/// Computes the throughput of the best mesh at each number of devices, on a thread of its own, once a drag has ended.
class MeshCurveSolver final : public QObject {
    Q_OBJECT
public:
    using Points = std::vector<CurvePoint>;

    using QObject::QObject;

    /// Requests the curve at powers of two up to `last` devices, unless it is known or being computed.
    void ask(const Scenario& scenario, std::int64_t last);
    /// Points of the scenario's curve; empty if not known yet. Cancels the computation of another curve.
    const Points& points_of(const Scenario& scenario);
    /// Blocks until the requested curve is computed, and delivers it.
    void finish() { work_.finish(); }

signals:
    void found();

private:
    struct Asked {
        Scenario scenario;
        std::int64_t last = 0;
    };
    std::shared_ptr<const Asked> asked_, answered_;
    Points points_, none_;
    Background work_;
};

}  // namespace scalescope::ui
