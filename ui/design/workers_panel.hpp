// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QPointer>
#include <QWidget>
#include <functional>

#include "ui/live/live.hpp"

class QCheckBox;
class QLabel;

namespace scalescope::ui {

class Combo;
class Document;
class NumberField;
class StageEditor;
class SegmentedControl;
class WorkerSlider;

/// What is varied: workers on a wide logarithmic slider, the way to divide the work, and the settings that belong to
/// it. Of a CPU cluster: the machines that train, when they exchange their updates, and with how many servers.
class WorkersPanel final : public QFrame {
    Q_OBJECT
public:
    WorkersPanel(Document& document, const Catalogue& catalogue, QWidget* parent = nullptr);

    /// Cuts offered for the hybrid strategy, the cut that automatic chose.
    /// Right end of the slider.
    void set_most_workers(std::int64_t most);
    void show_result(const LiveResultPtr& result);
    WorkerSlider* slider() const { return slider_; }

private:
    Document& document_;
    const Catalogue& catalogue_;
    WorkerSlider* slider_;
    NumberField *workers_, *batch_, *chunks_;
    SegmentedControl* updates_;
    Combo *way_, *collective_, *rule_, *cut_, *stages_, *server_place_;
    std::vector<std::function<void(const Scenario&)>> shown_;  ///< for each choice or number: shows that of a scenario
    std::vector<Combo*> with_tips_;                            ///< those of the choices
    QWidget *collective_group_, *overlap_group_, *scheme_group_, *cut_group_, *micro_group_, *stages_group_,
        *servers_group_, *shards_group_, *tensor_group_, *pipeline_group_, *policy_group_, *context_group_,
        *expert_group_, *way_group_, *rest_group_;
    Combo *context_scheme_, *dispatch_, *mesh_;
    QCheckBox* sequence_;
    QLabel *workers_label_, *collective_label_, *batch_label_;
    QPointer<StageEditor> stage_editor_;
    LiveResultPtr result_;
    std::shared_ptr<const Network> cut_network_;  ///< what the list of cuts is of, and for how many workers
    std::int64_t cut_workers_ = 0;
    Method method_ = Method::pipeline;  ///< whose all-reduces are offered
    bool asynchronous_offered_ = false;

    void show_scenario();
    void show_mesh();
    void fill_cuts();
    void show_ways();
    void edit_stages();
    template <class Change>
    void edit(Change change);
};

}  // namespace scalescope::ui
