// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/search/mesh_curve.hpp"
#include "ui/live/background.hpp"

namespace scalescope::ui {

/// Finds what the best meshes reach over the numbers of devices, on a thread of its own: for a chart at rest.
class MeshCurveSolver final : public QObject {
    Q_OBJECT
public:
    using Points = std::vector<CurvePoint>;

    using QObject::QObject;

    /// Up to `last` devices, in powers of two. Nothing happens if that is known or on its way.
    void ask(const Scenario& scenario, std::int64_t last);
    /// Of the curve of this scenario; none if it is not known. What is on its way for another curve is forgotten.
    const Points& points_of(const Scenario& scenario);
    /// Blocks until what was asked for is there, and delivers it.
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
