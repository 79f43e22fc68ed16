// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/trace_document.hpp"

#include <algorithm>
#include <utility>

#include "core/formats/calibration_json.hpp"
#include "core/formats/input_file.hpp"
#include "core/formats/network_json.hpp"

namespace scalescope::ui {
namespace {

Result<transfer::Corrections> corrections_of(const QString& calibration, const formats::Library& library) {
    if (const Calibration* own = library.find_calibration(calibration.toStdString()))
        return transfer::Corrections::from(*own);
    const std::string file = calibration.toStdString();
    const auto text = formats::read_input_file(file);
    if (!text) return fail(text.error());
    const auto read = formats::read_calibration(*text, file);
    if (!read) return fail(read.error());
    return transfer::Corrections::from(*read);
}

/// Off the window's thread: reads the network, aligns, predicts on every GPU there is.
TracePredictions predict_all(const RecordedTracePtr& recorded, const TraceOptions& options,
                             const formats::Library& library, const Watch& watch) {
    TracePredictions all;
    all.recorded = recorded;
    const auto& [trace, digest] = *recorded;
    all.works = transfer::recorded_works(trace, digest);
    if (!options.network.isEmpty()) {
        const formats::Preset* preset = library.find_network(options.network.toStdString());
        auto network = preset ? formats::read_network(preset->text, preset->file)
                              : Result<std::shared_ptr<const Network>>(tl::unexpected(Problems{}));
        if (network) {
            const auto batch = options.batch > 0 ? options.batch : (*network)->default_batch();
            if (auto done = transfer::align(all.works, trace, digest, **network, batch); !done)
                all.problems.insert(all.problems.end(), done.error().begin(), done.error().end());
        } else {
            all.problems.insert(all.problems.end(), network.error().begin(), network.error().end());
        }
    }
    for (const transfer::Work& w : all.works) {
        all.recorded_shapes += w.source == transfer::ShapeSource::recorded;
        all.aligned_shapes += w.source == transfer::ShapeSource::aligned;
    }
    auto from = transfer::gpu_of(trace, library.catalogue);
    if (!from) {
        all.problems.insert(all.problems.end(), from.error().begin(), from.error().end());
        return all;
    }
    all.from = std::move(*from);
    all.how.wave_scaling_only = options.wave_scaling_only;
    all.how.tf32 = options.tf32;
    all.how.fp16 = options.fp16;
    if (!options.calibration.isEmpty() && !options.wave_scaling_only) {
        auto read = corrections_of(options.calibration, library);
        if (read) {
            all.corrected_by = QString::fromStdString(read->name());
            all.correction_points = read->points();
            all.corrections = std::move(*read);
        } else {
            all.problems.insert(all.problems.end(), read.error().begin(), read.error().end());
        }
    }
    const auto& devices = library.catalogue.devices;
    for (std::size_t i = 0; i < devices.size() && !watch.cancel.cancelled(); ++i) {
        watch.progress(static_cast<double>(i) / static_cast<double>(devices.size()), devices[i].name);
        auto gpu = transfer::gpu_of(devices[i]);
        if (!gpu) continue;  // no CUDA GPU, or a figure is not known
        auto prediction = all.predict(*gpu);
        const auto times = transfer::class_times(digest, prediction);
        prediction.operations = std::vector<transfer::PredictedOperation>();  // = {} would keep the room
        all.on.push_back({std::move(*gpu), std::move(prediction), times});
    }
    return all;
}

}  // namespace

transfer::Prediction TracePredictions::predict(const transfer::Gpu& gpu) const {
    transfer::Options with = how;
    with.corrections = corrections ? &*corrections : nullptr;
    return transfer::predict(recorded->trace, recorded->digest, works, *from, gpu, with);
}

TraceDocument::TraceDocument(const formats::Library& library, QObject* parent) : QObject(parent), library_(library) {}

void TraceDocument::open(RecordedTracePtr recorded, const QString& file) {
    work_.cancel();
    recorded_ = std::move(recorded);
    file_ = file;
    options_ = {};
    predictions_.reset();
    emit changed();
    predict();
}

void TraceDocument::set_options(const TraceOptions& options) {
    if (options == options_) return;
    options_ = options;
    emit changed();
    predict();
}

void TraceDocument::predict() {
    if (!recorded_) return;
    work_.run(tr("Predicting on other GPUs"),
              [this, recorded = recorded_, options = options_, &library = library_](const Watch& watch) {
                  auto all = std::make_shared<const TracePredictions>(predict_all(recorded, options, library, watch));
                  return Background::Delivery([this, all] {
                      predictions_ = all;
                      emit changed();
                  });
              });
}

}  // namespace scalescope::ui
