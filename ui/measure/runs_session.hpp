// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <string>

#include "core/base/watch.hpp"
#include "core/measure/fit/fitted_runs.hpp"
#include "core/measure/runs/sheet.hpp"
#include "ui/document/file_on_disk.hpp"
#include "ui/document/session.hpp"

namespace scalescope::ui {

class RunsDocument;

/// The work on measured runs as it was left: table, settings, and the last fit.
struct KeptRuns {
    std::shared_ptr<const measure::RunSheet> sheet;  ///< without columns if none was open
    measure::FitSetup setup;
    std::shared_ptr<const measure::FittedRuns> fit;  ///< null if there was none
    FileOnDisk file;   ///< where the table came from; this and `dirty` are of the snapshot
    QString fit_file;  ///< where the fit came from
    bool dirty = false;

    std::string text() const;
};

/// What KeptRuns::text wrote. Touches nothing else, so that any thread may read.
Result<KeptRuns> read_kept_runs(const std::string& text, const std::string& name, const Watch& watch = {});

/// Keeps the work on measured runs on disk, as the main window keeps its scenario: after every change, by a thread of
/// its own, and only if what would be written is not there already.
class RunsSession final : public QObject {
    Q_OBJECT
public:
    /// Where sessions of measurements stand beside those of scenarios.
    static QString folder(const QString& sessions) { return sessions + QStringLiteral("/measurements"); }

    RunsSession(RunsDocument& document, const QString& sessions, QObject* parent = nullptr);

    Session& session() { return session_; }
    void keep();
    /// The process ends by itself.
    void close();

private:
    RunsDocument& document_;
    Session session_;
    KeptRuns last_;
    std::string last_setup_;
};

}  // namespace scalescope::ui
