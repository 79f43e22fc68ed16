// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <memory>
#include <vector>

#include "core/formats/library.hpp"
#include "core/measure/kineto/digest.hpp"
#include "core/measure/transfer/predict.hpp"
#include "core/measure/transfer/tables.hpp"
#include "core/measure/transfer/work.hpp"
#include "ui/document/files.hpp"
#include "ui/live/background.hpp"

namespace scalescope::ui {

using RecordedTracePtr = std::shared_ptr<const RecordedTrace>;

/// The recorded step on another GPU. Its single operations are not kept: there are as many as in the trace, on every
/// GPU.
struct PredictedOn {
    transfer::Gpu gpu;
    transfer::Prediction prediction;  ///< without operations
    transfer::ClassTimes times;
};

/// What is predicted of a trace, and from what.
struct TracePredictions {
    RecordedTracePtr recorded;
    std::optional<transfer::Gpu> from;
    transfer::Works works;
    std::vector<PredictedOn> on;  ///< every GPU of the catalogue that a kernel can be carried to, in its order
    Problems problems;            ///< why there is nothing, or what is to be minded
    std::size_t recorded_shapes = 0, aligned_shapes = 0;
    QString corrected_by;  ///< name of the calibration; empty: none
    std::size_t correction_points = 0;
    transfer::Options how;  ///< without corrections
    std::optional<transfer::Corrections> corrections;

    transfer::Prediction predict(const transfer::Gpu& gpu) const;
    /// With its operations, worked out again.
    transfer::Prediction whole(std::size_t on_gpu) const { return predict(on[on_gpu].gpu); }
};
using TracePredictionsPtr = std::shared_ptr<const TracePredictions>;

/// What a person may change.
struct TraceOptions {
    QString network;         ///< preset whose layers the operators are aligned with; empty: none
    std::int64_t batch = 0;  ///< 0: the network's own
    bool wave_scaling_only = false;
    transfer::Tf32 tf32 = transfer::Tf32::as_recorded;
    bool fp16 = false;
    QString calibration{};  ///< that corrects times of operators: one's own, by id, or a file; empty: none
    bool operator==(const TraceOptions&) const = default;
};

/// A trace that is open, and its time on every other GPU, worked out beside the window.
class TraceDocument final : public QObject {
    Q_OBJECT
public:
    /// `library` must outlive the document.
    explicit TraceDocument(const formats::Library& library, QObject* parent = nullptr);

    void open(RecordedTracePtr recorded, const QString& file);
    bool empty() const { return !recorded_; }
    QString file() const { return file_; }
    const RecordedTracePtr& recorded() const { return recorded_; }
    const TraceOptions& options() const { return options_; }
    void set_options(const TraceOptions& options);
    /// Nothing until the first are worked out.
    const TracePredictionsPtr& predictions() const { return predictions_; }
    Background& work() { return work_; }
    const formats::Library& library() const { return library_; }

signals:
    void changed();

private:
    void predict();

    const formats::Library& library_;
    QString file_;
    RecordedTracePtr recorded_;
    TraceOptions options_;
    TracePredictionsPtr predictions_;
    Background work_;
};

}  // namespace scalescope::ui
