// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include "core/compare/attribution.hpp"
#include "core/estimate/cpu_view.hpp"
#include "core/estimate/staleness.hpp"
#include "core/search/fixes.hpp"
#include "core/search/sensitivity.hpp"
#include "core/search/walls.hpp"
#include "ui/live/background.hpp"
#include "ui/live/live.hpp"

/// What takes longer than a frame, and is worked out when the hand rests.
namespace scalescope::ui {

/// Two designs, and the figure whose difference is shared out over what they differ in. Null: the open one.
struct ComparisonQuestion {
    std::shared_ptr<const Scenario> from, to;
    search::Metric metric = search::Metric::step;
    bool operator==(const ComparisonQuestion&) const = default;
};

struct AnalysisQuestion {
    double efficiency = 0.5;                                ///< the line of search::WallOptions
    bool walls = true;                                      ///< wanted
    std::optional<search::SensitivityOptions> sensitivity;  ///< wanted while its page is open
    bool cpu_grid = false;                                  ///< wanted while the page "CPU cluster" is open
    bool staleness = false;                                 ///< the same for the page "Staleness"
    std::optional<ComparisonQuestion> comparison;           ///< the same for the page "Compare"
    std::optional<search::Locks> mesh;                      ///< the best one is wanted, with these locks
    bool operator==(const AnalysisQuestion&) const = default;
};

/// Whether a scenario has what the page "Staleness" is about: devices that update without waiting for each other.
bool has_staleness(const Scenario& scenario);
/// Whether best_mesh() is for it.
bool has_meshes(const Scenario& scenario);
/// All that can be asked about a scenario.
AnalysisQuestion whole_question(const Scenario& scenario);

struct Analysis {
    Scenario scenario;
    AnalysisQuestion question;
    search::WallOptions wall_options;
    Result<search::Walls> walls = search::Walls{};
    std::optional<Result<search::Sensitivity>> sensitivity;
    std::optional<Result<CpuGrid>> cpu_grid;
    std::optional<Result<StalenessLesson>> staleness;
    std::optional<Result<compare::Attribution>> comparison;
    std::optional<Result<search::BestMesh>> mesh, free_mesh;  ///< with the locks, and without
    std::vector<search::Fix> fixes;                           ///< where a mesh is asked for and the design does not fit
    /// Walls look at every worker count: they are those of any scenario that differs in that alone.
    bool walls_are_of(const Scenario& other) const;
    bool answers(const Scenario& other, const AnalysisQuestion& asked) const {
        return question == asked && scenario == other;
    }
};
using AnalysisPtr = std::shared_ptr<const Analysis>;

/// Works it out where it is called; null if it is cancelled on the way. What `before` has of it already is taken from
/// there.
AnalysisPtr analyse(const LiveResult& result, const AnalysisQuestion& question, const Watch& watch = {},
                    const Analysis* before = nullptr);

/// Works it out on a thread of its own, one question at a time: the newest counts, and whoever asks Live for more gives
/// up what is being worked out, so that a drag never waits.
class Analyst final : public QObject {
    Q_OBJECT
public:
    explicit Analyst(QObject* parent = nullptr);

    void ask(const LiveResultPtr& result, const AnalysisQuestion& question);
    void give_up() { work_.cancel(); }
    /// Blocks until the newest question is answered, if there is one, and delivers the answer.
    void finish() { work_.finish(); }
    /// The last answer; null before the first.
    const AnalysisPtr& latest() const { return latest_; }
    /// Takes over an answer that was worked out elsewhere.
    void take(AnalysisPtr analysis);

signals:
    void answered();
    void progressed(double fraction);  ///< of work that takes longer than a moment

private:
    AnalysisPtr latest_;
    Background work_;
};

}  // namespace scalescope::ui
