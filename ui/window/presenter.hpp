// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <functional>
#include <memory>
#include <vector>

#include "ui/charts/chart.hpp"
#include "ui/document/document.hpp"
#include "ui/live/live.hpp"
#include "ui/live/view.hpp"

namespace scalescope::ui {

/// Asks for answers to the open scenario and shows them in the views, in the order in which those were added. Work that
/// takes longer than a frame is asked for when the hand rests, for the views that somebody looks at.
class Presenter final : public QObject {
    Q_OBJECT
public:
    using Looked = std::function<bool()>;  ///< whether somebody looks at a view

    Presenter(const Document& document, const std::vector<Way>& ways, QObject* parent = nullptr);

    /// Without `looked`: always.
    void add(View& view, Looked looked = {});
    void add(MadeView view, Looked looked = {}) { add(keep(std::move(view)), std::move(looked)); }
    View& keep(MadeView view);
    /// Of all views.
    NamedCharts charts() const;

    Live& live() { return live_; }
    Analyst& analyst() { return analyst_; }
    /// Null before the first answer.
    const LiveResultPtr& result() const { return result_; }
    /// The best mesh for what is on show, without locks; null if there is none or it is not known yet.
    const search::BestMesh* best_mesh() const;

    CurveSet curve_set() const { return curve_set_; }
    /// What the curves of the speedup chart are. False if they are that already.
    bool set_curve_set(CurveSet set);
    /// Up to which count of workers the charts go.
    std::int64_t last_workers() const { return last_workers_; }

    /// Asks for the answer, in full or as fast as a drag needs it.
    void request(bool refine);
    /// After an edit: in full, but for edits in quick succession, which are answered like a drag and in full at rest.
    void follow_edit();
    /// Blocks until the last edit is answered in full, and shows it. For who has no event loop.
    void finish();
    /// Asks for what the views want to be worked out, unless it is known; not during a drag.
    void analyse();
    /// Shows the answer again in all views that are looked at.
    void show_again();
    /// Somebody looks at this view from now on.
    void look_at(const View& view);
    /// Fills all views, looked at or not, and waits for it.
    void show_everything();

    /// Milliseconds the last answer took to compute and to draw.
    double computed_ms() const { return result_ ? result_->milliseconds : 0; }
    double drawn_ms() const { return drawn_ms_; }

signals:
    void shown();        ///< the views show the newest answer
    void fell_behind();  ///< the views are behind what is set

private:
    struct Registered {
        View* view;
        Looked looked;
    };
    const Document& document_;
    const std::vector<Way>& ways_;
    Live live_;
    Analyst analyst_;
    LiveResultPtr result_;
    std::vector<std::unique_ptr<View>> made_;
    std::vector<Registered> views_;
    CurveSet curve_set_ = CurveSet::ways;
    static constexpr std::int64_t few_workers = 1024, many_workers = 16'384;
    std::int64_t last_workers_ = few_workers;
    std::optional<PaleoQuestion> asked_path_;  ///< by the last request
    bool everything_ = false;                  ///< all views count as looked at
    double drawn_ms_ = 0;
    QTimer behind_, refine_;
    QElapsedTimer last_edit_;

    bool looks_at(const Registered& view) const { return everything_ || !view.looked || view.looked(); }
    LiveRequest next_request(bool refine) const;
    AnalysisQuestion question() const;
    bool is_current() const;
    void take(const LiveResultPtr& result);
    void show_analysis();
};

}  // namespace scalescope::ui
