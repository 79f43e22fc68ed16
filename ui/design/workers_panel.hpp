// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QPointer>
#include <QWidget>

#include "core/estimate/applies.hpp"
#include "core/search/best_mesh.hpp"
#include "ui/live/view.hpp"

class QCheckBox;
class QLabel;
class QToolButton;

namespace scalescope::ui {

class AutoHint;
class AutoMesh;
class Combo;
class Document;
class FieldRows;
class MeshEquation;
class NumberField;
class StageEditor;
class SegmentedControl;
class WorkerSlider;

/// What is varied: workers on a wide logarithmic slider, the way to divide the work, and the settings that belong to
/// it. Of a CPU cluster: the machines that train, when they exchange their updates, and with how many servers.
class WorkersPanel final : public QFrame, public View {
    Q_OBJECT
public:
    WorkersPanel(Document& document, const Catalogue& catalogue, QWidget* parent = nullptr);

    /// Right end of the slider.
    void set_most_workers(std::int64_t most);
    /// The mesh is chosen automatically, but for what is locked.
    bool automatic() const;
    search::Locks locks() const;
    void set_mesh_view(bool automatic, const search::Locks& locks);
    /// The best mesh with the locks and without them, once they are known; else null.
    void add_to_question(AnalysisQuestion& asked, const Scenario& scenario) const override;
    void show_analysis(const AnalysisPtr& latest, bool current) override;
    /// Options that are folded are shown too.
    void show_all();
    /// How much it tells: in low windows and beside the canvas all but the line about Auto; in lessons no mesh of one
    /// axis and nothing that is folded either.
    enum class Room { full, low, lesson };
    void set_room(Room room);
    /// Blocks until the mesh that was asked for is there. For who has no event loop.
    void finish_mesh();
    /// Cuts offered for the hybrid strategy, the cut that automatic chose.
    void show_result(const LiveResultPtr& result) override;
    WorkerSlider* slider() const { return slider_; }

signals:
    void mesh_view_changed();  ///< automatic() or locks()

private:
    Document& document_;
    const Catalogue& catalogue_;
    WorkerSlider* slider_;
    NumberField *workers_, *batch_, *chunks_;
    SegmentedControl* updates_;
    Combo *way_, *collective_, *rule_, *cut_, *stages_, *server_place_;
    FieldRows* fields_;
    enum class Rare { never, in_mesh, of_small };  ///< folded in meshes and networks of tokens, or in all others
    struct Control {
        QWidget* widget;
        bool (*applies)(const Applies&);
        Rare rare;
    };
    std::vector<Control> controls_;
    /// The lock of an option, and what it keeps.
    struct OptionLock {
        QToolButton* button;
        std::vector<std::string> paths;
    };
    std::vector<OptionLock> option_locks_;
    QToolButton* more_;
    MeshEquation* equation_;
    AutoMesh* auto_;
    AutoHint* hint_;
    QWidget* way_group_;
    Combo *context_scheme_, *dispatch_;
    QCheckBox* sequence_;
    QLabel *workers_label_, *collective_label_, *batch_label_;
    Room room_ = Room::full;
    bool hint_applies_ = false;
    QPointer<StageEditor> stage_editor_;
    LiveResultPtr result_;
    std::shared_ptr<const Network> cut_network_;  ///< what the list of cuts is of, and for how many workers
    std::int64_t cut_workers_ = 0;
    Method method_ = Method::pipeline;  ///< whose all-reduces are offered
    bool asynchronous_offered_ = false;

    void show_scenario();
    void show_mesh(const Applies& applies);
    QWidget* lockable(const QString& text, std::initializer_list<QWidget*> controls, std::vector<std::string> paths);
    void show_lock(const OptionLock& lock, bool on);
    void locks_changed();
    void use_best();
    void fill_cuts();
    void show_ways();
    void edit_stages();
};

}  // namespace scalescope::ui
