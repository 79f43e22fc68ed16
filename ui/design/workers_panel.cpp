// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/workers_panel.hpp"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <utility>

#include "core/base/format.hpp"
#include "core/estimate/applies.hpp"
#include "core/estimate/dividing.hpp"
#include "core/scenario/hardware.hpp"
#include "core/scenario/ways.hpp"
#include "core/search/best_mesh.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/design/auto_hint.hpp"
#include "ui/design/auto_mesh.hpp"
#include "ui/design/field_rows.hpp"
#include "ui/design/mesh_equation.hpp"
#include "ui/design/names.hpp"
#include "ui/design/stage_editor.hpp"
#include "ui/document/document.hpp"
#include "ui/language/told.hpp"
#include "ui/live/analysis.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/curtain.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/segmented_control.hpp"
#include "ui/widgets/slider.hpp"

namespace scalescope::ui {
namespace {

const QString cut_automatic = QStringLiteral("auto");
const QString cut_none = QStringLiteral("none");
const QString stages_at_blocks = QStringLiteral("blocks"), stages_shortest = QStringLiteral("layers"),
              stages_by_hand = QStringLiteral("hand");
const QString stages_edit = QStringLiteral("edit");
const QString automatic_way = QStringLiteral("auto");
constexpr std::array axis_paths{std::pair{MeshAxis::data, search::data_degree},
                                std::pair{MeshAxis::tensor, std::string_view("parallelism.tensor")},
                                std::pair{MeshAxis::pipeline, std::string_view("parallelism.pipeline")},
                                std::pair{MeshAxis::context, std::string_view("parallelism.context")}};

/// A label with its controls, kept together when rows wrap.
QWidget* group(const QString& text, std::initializer_list<QWidget*> controls, QLabel** label = nullptr) {
    auto* box = new QWidget;
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    auto* name = make_label(text, type::control(), Ink::secondary);
    if (label) *label = name;
    row->addWidget(name);
    for (QWidget* w : controls) row->addWidget(w);
    return box;
}

}  // namespace

WorkersPanel::WorkersPanel(Document& document, const Catalogue& catalogue, QWidget* parent)
    : QFrame(parent), document_(document), catalogue_(catalogue) {
    setObjectName(QStringLiteral("card"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 8, 14, 8);
    layout->setSpacing(6);

    slider_ = new WorkerSlider;
    slider_->setObjectName(QStringLiteral("workersSlider"));
    slider_->setAccessibleName(tr("Workers"));
    slider_->set_maximum(1024);
    workers_ = new NumberField(tr("Workers, exact"));
    workers_->setObjectName(QStringLiteral("workersField"));
    workers_->set_subject(tr("The number of workers"));
    workers_->set_range(1, 16'384);
    workers_->set_doubling(true);
    workers_->setFixedWidth(72);
    auto* workers_row = new QWidget;
    workers_row->setObjectName(QStringLiteral("workersRow"));
    auto* top = new QHBoxLayout(workers_row);
    top->setContentsMargins(0, 0, 0, 0);
    top->setSpacing(12);
    workers_label_ = make_label(tr("Workers"), type::title());
    workers_label_->setFixedHeight(28);
    top->addWidget(workers_label_, 0, Qt::AlignTop);
    top->addWidget(slider_, 1);
    top->addWidget(workers_, 0, Qt::AlignTop);
    layout->addWidget(workers_row);

    updates_ = new SegmentedControl(tr("Updates"));
    updates_->setObjectName(QStringLiteral("updates"));
    std::vector<SegmentedControl::Segment> segments;
    for (const ComboItem& i : choice_items(*find_field("parallelism.updates"), document_.scenario()))
        segments.push_back({i.id, i.text, i.tip});
    updates_->set_segments(segments);

    auto combo = [&](const QString& accessible, const char* object, std::vector<ComboItem> items, int width) {
        auto* c = new Combo(accessible);
        c->setObjectName(QLatin1String(object));
        c->set_items(std::move(items));
        c->setFixedWidth(width);
        return c;
    };
    way_ = combo(tr("Way to divide the work"), "way", {}, 150);
    collective_ = combo(tr("All-reduce algorithm"), "collective", collective_items(Method::pipeline), 102);
    fields_ = new FieldRows(document_, this);
    const auto choice = [this](const char* path, int width) {
        Combo* c = fields_->choice({path});
        c->setFixedWidth(width);
        return c;
    };
    const auto number = [this](const char* path, int width) {
        NumberField* field = fields_->number({path});
        field->set_doubling(true);
        field->setFixedWidth(width);
        return field;
    };
    rule_ = choice("training.batch_rule", 102);
    auto* overlap = choice("parallelism.overlap", 86);
    auto* scheme = choice("parallelism.scheme", 132);
    cut_ = combo(tr("First layer of the back part"), "cut", {}, 118);
    ComboItem blocks, shortest, by_hand;
    blocks.id = stages_at_blocks, blocks.text = tr("at blocks");
    blocks.tip = tr("Stages begin at blocks of the network, dealt out evenly as trainers do");
    shortest.id = stages_shortest, shortest.text = tr("shortest step");
    shortest.tip = tr("Stages begin at the layers that make the step shortest");
    by_hand.id = stages_by_hand, by_hand.text = tr("by hand");
    by_hand.tip = tr("Stages begin at the given layers");
    stages_ = combo(tr("Stages"), "stages", {blocks, shortest, by_hand}, 124);
    batch_ = number("training.batch", 82);
    auto* micro_batches = number("parallelism.micro_batches", 72);
    auto* order = choice("parallelism.order", 112);
    chunks_ = number("parallelism.chunks", 50);
    context_scheme_ = choice("parallelism.context_scheme", 104);
    auto* expert = number("parallelism.expert", 60);
    auto* expert_tensor = number("parallelism.expert_tensor", 60);
    dispatch_ = choice("parallelism.dispatch", 152);
    auto* policy = choice("parallelism.policy", 112);
    sequence_ = new QCheckBox(tr("Sequence"));
    sequence_->setFixedHeight(space::control_height);
    sequence_->setObjectName(QStringLiteral("sequence"));
    sequence_->setToolTip(
        tr("Sequence parallelism: between divided layers, workers divide the positions of the sequence"));

    auto* shards = choice("parallelism.sharding", 106);
    server_place_ = choice("cpu.servers_beside", 138);
    auto* servers = number("parallelism.servers", 60);
    auto* recompute = choice("parallelism.recompute", 108);
    auto* sharded = choice("parallelism.sharded", 100);

    equation_ = new MeshEquation(way_group_ = group(tr("Way"), {way_}));
    layout->addWidget(equation_);
    const auto add = [&](QWidget* widget, bool (*applies)(const Applies&), Rare rare = Rare::never) {
        equation_->add(widget);
        controls_.push_back({widget, applies, rare});
    };
    add(updates_, [](const Applies& a) { return a.cpu; });
    add(group(tr("Scheme"), {scheme}), [](const Applies& a) { return !a.cpu && a.segments; });
    add(group(tr("Back from"), {cut_}), [](const Applies& a) { return !a.cpu && a.segments; });
    add(
        lockable(tr("ZeRO"), {sharded}, {"parallelism.sharded"}), [](const Applies& a) { return a.shards; },
        Rare::of_small);
    add(
        lockable(tr("Recompute"), {recompute}, {"parallelism.recompute"}), [](const Applies& a) { return a.recompute; },
        Rare::of_small);
    add(lockable(tr("Micro-batches"), {micro_batches}, {"parallelism.micro_batches"}),
        [](const Applies& a) { return a.stages; });
    add(lockable(tr("Schedule"), {order, chunks_}, {"parallelism.order", "parallelism.chunks"}),
        [](const Applies& a) { return a.stages; });
    add(group(tr("Context by"), {context_scheme_}), [](const Applies& a) { return a.context; });
    add(lockable(tr("Experts"), {expert, expert_tensor, dispatch_}, {"parallelism.expert"}),
        [](const Applies& a) { return a.experts; });
    add(sequence_, [](const Applies& a) { return a.sequence; });
    add(group(tr("Servers"), {servers, server_place_}), [](const Applies& a) { return a.cpu || a.asynchronous; });
    add(group(tr("Shards"), {shards}), [](const Applies& a) { return a.asynchronous; });
    add(group(tr("Batch"), {batch_, rule_}, &batch_label_), [](const Applies&) { return true; });
    // Of a mesh of several axes the rest is seldom touched.
    const auto add_rare = [&](QWidget* widget, bool (*applies)(const Applies&)) {
        add(widget, applies, Rare::in_mesh);
    };
    add_rare(group(tr("Stages"), {stages_}), [](const Applies& a) { return a.stages; });
    add_rare(group(tr("Layers"), {policy}), [](const Applies& a) { return a.divided; });
    add_rare(group(tr("All-reduce"), {collective_}, &collective_label_), [](const Applies& a) { return a.reduces; });
    add_rare(group(tr("Overlap"), {overlap}), [](const Applies& a) { return a.overlaps; });
    more_ = new QToolButton;
    more_->setObjectName(QStringLiteral("moreOptions"));
    more_->setCheckable(true);
    more_->setAutoRaise(true);
    more_->setFixedHeight(space::control_height);
    set_ink(*more_, Ink::accent);
    equation_->add(more_);
    connect(more_, &QToolButton::toggled, this, &WorkersPanel::show_scenario);
    hint_ = new AutoHint;
    layout->addWidget(hint_);
    connect(hint_, &AutoHint::use_asked, this, &WorkersPanel::use_best);

    auto_ = new AutoMesh(
        document_, [this] { return locks(); }, this);
    connect(auto_, &AutoMesh::changed, this, [this] {
        show_scenario();
        emit mesh_view_changed();
    });
    connect(equation_, &MeshEquation::changed, this, [this](const Scenario& next) {
        auto_->set_on(false);
        document_.edit(next);
    });
    connect(equation_, &MeshEquation::locks_changed, this, &WorkersPanel::locks_changed);

    const auto take_workers = [this](std::int64_t n) {
        auto_->take_workers(with_workers(document_.scenario(), n, equation_->locks()));
    };
    connect(slider_, &Slider::value_changed, this, take_workers);
    connect(slider_, &Slider::drag_started, &document_, &Document::begin_drag);
    connect(slider_, &Slider::drag_finished, this, [this] {
        auto_->finish();
        document_.end_drag();
    });
    connect(workers_, &NumberField::value_changed, this,
            [take_workers](double n) { take_workers(static_cast<std::int64_t>(n)); });
    connect(sequence_, &QCheckBox::clicked, this,
            [this](bool on) { document_.change([&](Scenario& s) { s.parallelism.sequence = on; }); });
    connect(way_, &Combo::chosen, this, [this](const QString& id) {
        auto_->set_on(id == automatic_way);
        if (const Way* way = catalogue_.way(id.toStdString()))
            document_.change([&](Scenario& s) { s = divided_as(*way, std::move(s)); });
    });
    connect(collective_, &Combo::chosen, this, [this](const QString& id) {
        document_.change([&](Scenario& s) {
            if (id == asynchronous_id) {  // one undo step brings back what goes with it
                s = with_asynchronous_updates(std::move(s));
                return;
            }
            s.parallelism.updates = Updates::synchronous;
            s.parallelism.collective = from_id<Collective>(id);
        });
    });
    connect(updates_, &SegmentedControl::chosen, this, [this](const QString& id) {
        document_.change([&](Scenario& s) { s.parallelism.updates = from_id<Updates>(id); });
    });
    connect(cut_, &Combo::chosen, this, [this](const QString& id) {
        document_.change([&](Scenario& s) {
            s.parallelism.cut_auto = id == cut_automatic;
            s.parallelism.cut = id == cut_automatic || id == cut_none ? LayerId{} : LayerId{id.toUInt()};
        });
    });
    connect(stages_, &Combo::chosen, this, [this](const QString& id) {
        if (id == stages_by_hand) return edit_stages();
        document_.change([&](Scenario& s) {
            s.parallelism.boundaries.clear();
            s.parallelism.borders = id == stages_shortest ? StageBorders::layers : StageBorders::blocks;
        });
    });
    connect(stages_, &Combo::footer_chosen, this, &WorkersPanel::edit_stages);
    connect(&document_, &Document::changed, this, &WorkersPanel::show_scenario);
    show_scenario();
}

void WorkersPanel::edit_stages() {
    if (document_.scenario().parallelism.boundaries.empty() && result_)
        document_.change([this](Scenario& s) { s.parallelism.boundaries = stage_starts(*result_); });
    if (!stage_editor_) {
        stage_editor_ = new StageEditor(document_, window());
        stage_editor_->setAttribute(Qt::WA_DeleteOnClose);
        if (result_) stage_editor_->show_result(result_);
    }
    stage_editor_->show();
    stage_editor_->raise();
    stage_editor_->activateWindow();
}

void WorkersPanel::fill_cuts() {
    const Scenario& s = document_.scenario();
    if (!s.parallelism.segments || s.workload.size() != 1) return;
    const std::shared_ptr<const Network>& network = s.workload.front().network;
    if (network == cut_network_ && s.cluster.workers == cut_workers_) return;
    cut_network_ = network;
    cut_workers_ = s.cluster.workers;
    std::vector<ComboItem> items;
    auto add = [&](const QString& id, const QString& text, const QString& tip) {
        ComboItem i;
        i.id = id, i.text = text, i.tip = tip;
        items.push_back(std::move(i));
    };
    add(cut_automatic, tr("best layer"), tr("The cut with the shortest step"));
    add(cut_none, tr("no back part"), tr("The whole network is data parallel"));
    for (const int l : cut_positions(*network, cut_workers_)) {
        if (l == network->size()) continue;  // no back part
        const Layer& layer = network->layers()[static_cast<std::size_t>(l)];
        add(QString::number(layer.id.value), QString::fromStdString(layer.name), told(layer.kind->title));
    }
    cut_->set_items(std::move(items));
}

/// The ways of the catalogue, the best mesh first, and which of them the scenario takes.
void WorkersPanel::show_ways() {
    const Scenario& s = document_.scenario();
    const bool one_network = s.workload.size() <= 1, pipeline = s.model.method == Method::pipeline;
    std::vector<ComboItem> items;
    if (has_meshes(s))
        items.push_back(combo_item(automatic_way, tr("Auto"),
                                   tr("The best mesh for these devices, found anew whenever something changes")));
    for (const Way& way : catalogue_.ways) {
        const Parallelism p = divided_as(way, s).parallelism;
        const bool replicas = fills_data(p) && p.none();
        ComboItem item = combo_item(QString::fromStdString(way.id), told(way.name), told(way.description));
        if (!pipeline && !(replicas && p.sharded == Sharded::nothing)) {
            item.enabled = false;
            item.tip = tr("PALEO's methods price data parallelism only: choose the method Scalescope for the others");
        } else if (!one_network && !replicas) {
            item.enabled = false;
            item.tip = tr("A step of several networks can only be data parallel");
        }
        items.push_back(std::move(item));
    }
    if (items != way_->items()) way_->set_items(std::move(items));
    const Way* now = way_of(s, catalogue_.ways);
    way_->set_current(auto_->on() ? automatic_way : now ? QString::fromStdString(now->id) : QString(), tr("Custom"));
}

void WorkersPanel::show_mesh(const Applies& a) {
    const Scenario& s = document_.scenario();
    sequence_->setChecked(s.parallelism.sequence);
    equation_->show_scenario(s, a.meshes, a.context_axis && more_->isChecked());
    set_wanted(*dispatch_, a.dispatch);
    set_wanted(*chunks_, a.chunks);
    for (const OptionLock& lock : option_locks_) lock.button->setVisible(auto_->on());
}

/// A group with a lock, which keeps its fields as they are while the rest of the mesh is chosen automatically.
QWidget* WorkersPanel::lockable(const QString& text, std::initializer_list<QWidget*> controls,
                                std::vector<std::string> paths) {
    QWidget* box = group(text, controls);
    auto* button = make_icon_button("unlock", tr("Keep: %1").arg(text));
    button->setCheckable(true);
    button->setObjectName(QStringLiteral("lock_") +
                          QString::fromStdString(paths.front()).section(QLatin1Char('.'), -1));
    button->hide();
    static_cast<QHBoxLayout*>(box->layout())->insertWidget(0, button);
    option_locks_.push_back({button, std::move(paths)});
    connect(button, &QToolButton::toggled, this, [this, lock = option_locks_.back()](bool on) {
        show_lock(lock, on);
        locks_changed();
    });
    return box;
}

void WorkersPanel::show_lock(const OptionLock& lock, bool on) {
    const QSignalBlocker quiet(lock.button);
    lock.button->setChecked(on);
    lock.button->setIcon(icon(on ? "lock" : "unlock", on ? Tint::accent : Tint::secondary));
}

void WorkersPanel::locks_changed() {
    auto_->take_locks();
    emit mesh_view_changed();
}

search::Locks WorkersPanel::locks() const {
    search::Locks all;
    for (const auto& [axis, path] : axis_paths)
        if (equation_->locks().contains(axis)) all.emplace(path);
    for (const OptionLock& lock : option_locks_)
        if (lock.button->isChecked()) all.insert(lock.paths.begin(), lock.paths.end());
    return all;
}

void WorkersPanel::set_mesh_view(bool automatic, const search::Locks& locks) {
    LockedAxes axes;
    for (const auto& [axis, path] : axis_paths) axes.set(axis, locks.contains(path));
    equation_->set_locks(axes);
    for (const OptionLock& lock : option_locks_) show_lock(lock, locks.contains(lock.paths.front()));
    auto_->restore(automatic);
    show_scenario();
}

void WorkersPanel::add_to_question(AnalysisQuestion& asked, const Scenario& scenario) const {
    if (has_meshes(scenario)) asked.mesh = locks();
}

/// As long as the best mesh is not known, the hint says so.
void WorkersPanel::show_analysis(const AnalysisPtr& latest, bool) {
    const auto found = [&](const auto& mesh) {
        return latest && mesh && *mesh && result_ && latest->scenario == result_->request.scenario ? &**mesh : nullptr;
    };
    const search::BestMesh* best = latest && latest->question.mesh == locks() ? found(latest->mesh) : nullptr;
    const search::BestMesh* free = best ? found(latest->free_mesh) : nullptr;
    hint_applies_ = result_ && AutoHint::applies(*result_);  // else the verdict says it
    set_wanted(*hint_, hint_applies_ && room_ == Room::full);
    if (hint_applies_) hint_->show_best(*result_, best, free, auto_->on());
}

bool WorkersPanel::automatic() const { return auto_->on(); }

void WorkersPanel::finish_mesh() { auto_->finish(); }

void WorkersPanel::show_all() { more_->setChecked(true); }

void WorkersPanel::set_room(Room room) {
    if (std::exchange(room_, room) == room) return;
    equation_->set_brief(room == Room::lesson);
    set_wanted(*hint_, hint_applies_ && room_ == Room::full);
    show_scenario();
}

void WorkersPanel::use_best() {
    equation_->set_locks({});
    for (const OptionLock& lock : option_locks_) show_lock(lock, false);
    auto_->set_on(true);
}

void WorkersPanel::show_scenario() {
    const Scenario& s = document_.scenario();
    // Lines that come and go with a degree would move the charts to and fro under the hand.
    if (document_.dragging()) setMinimumHeight(height());
    const Applies a = what_applies(s);
    if (!auto_->behind_the_hand())
        slider_->set_value(static_cast<int>(std::min<std::int64_t>(s.cluster.workers, slider_->maximum())));
    workers_->set_value(static_cast<double>(s.cluster.workers));
    show_ways();
    const bool cpu = a.cpu, may_be_asynchronous = a.may_be_asynchronous, asynchronous = a.asynchronous;
    if (method_ != s.model.method || asynchronous_offered_ != may_be_asynchronous) {
        collective_->set_items(collective_items(s.model.method, may_be_asynchronous));
        rule_->setFixedWidth(std::max<int>(cpu ? Px{152} : Px{102}, rule_->sizeHint().width()));
    }
    method_ = s.model.method;
    collective_->setFixedWidth(asynchronous ? 128 : 102);
    asynchronous_offered_ = may_be_asynchronous;
    // A file may pair PALEO's method with an all-reduce PALEO never had: that is shown as it is, and refused.
    if (asynchronous)
        collective_->set_current(asynchronous_id);
    else
        collective_->set_current(id_of(s.parallelism.collective), title_of(s.parallelism.collective));
    fill_cuts();
    // A cut that so many workers cannot share, as a file may have it, is named too.
    const auto at = s.network() ? s.network()->position(s.parallelism.cut) : std::nullopt;
    const QString name =
        at ? QString::fromStdString(s.network()->layers()[static_cast<std::size_t>(*at)].name) : QString();
    if (s.parallelism.cut_auto)
        cut_->set_current(cut_automatic);
    else if (s.parallelism.cut == LayerId{})
        cut_->set_current(cut_none);
    else
        cut_->set_current(QString::number(s.parallelism.cut.value), name);
    show_mesh(a);
    set_wanted(*way_group_, !cpu);
    const bool mesh = a.axes > 1 || a.context_axis, more = more_->isChecked();
    const bool saves = s.parallelism.sharded != Sharded::nothing || s.parallelism.recompute != Recompute::nothing;
    more_->setVisible(more || (room_ != Room::lesson && (mesh || (!saves && (a.shards || a.recompute)))));
    more_->setText(more_->isChecked() ? tr("less") : tr("more…"));
    for (const Control& c : controls_) {
        const bool rare = c.rare == Rare::in_mesh ? mesh : c.rare == Rare::of_small ? !mesh && !saves : false;
        set_wanted(*c.widget, c.applies(a) && (more || !rare));
    }
    set_wanted(*server_place_, cpu);
    updates_->set_current(id_of(s.parallelism.updates));
    const WorkerWords words = worker_words(s);
    workers_label_->setText(capital_of(words.many));
    workers_->setAccessibleName(tr("%1, exact").arg(capital_of(words.many)));
    workers_->set_subject(tr("The number of %1").arg(text_of(words.training)));
    slider_->set_words(words);
    workers_label_->setToolTip(cpu ? tr("Training machines, without dedicated servers") : QString());
    slider_->setAccessibleName(workers_label_->text());
    collective_label_->setText(asynchronous ? tr("Updates") : tr("All-reduce"));
    batch_label_->setText(cpu ? tr("Exchange every") : tr("Batch"));
    batch_->setAccessibleName(cpu ? tr("Samples of a replica between two exchanges with the parameter servers")
                                  : tr("Batch"));
    batch_->setToolTip(cpu ? batch_->accessibleName() : QString());
    const bool by_hand = !s.parallelism.boundaries.empty();
    stages_->set_current(by_hand                                         ? stages_by_hand
                         : s.parallelism.borders == StageBorders::layers ? stages_shortest
                                                                         : stages_at_blocks);
    stages_->clear_footer_actions();
    if (by_hand) stages_->add_footer_action(stages_edit, tr("Edit…"), "edit");
    const bool stranger = std::none_of(collective_->items().begin(), collective_->items().end(),
                                       [this](const ComboItem& i) { return i.id == collective_->current(); });
    if (stranger)
        collective_->setToolTip(
            tr("PALEO does not have this all-reduce. Choose another one, or the method Scalescope"));
    collective_->setProperty("error", stranger);
    collective_->update();
    for (Combo* c : {way_, collective_, stages_, rule_}) c->show_tip();
}

void WorkersPanel::set_most_workers(std::int64_t most) {
    slider_->set_maximum(static_cast<int>(most));
    slider_->set_value(static_cast<int>(std::min<std::int64_t>(document_.scenario().cluster.workers, most)));
}

void WorkersPanel::show_result(const LiveResultPtr& result) {
    result_ = result;
    if (!document_.dragging()) setMinimumHeight(0);
    if (stage_editor_) stage_editor_->show_result(result);
    // Automatic says what it chose, so that the choice is no riddle.
    const Network* network = document_.scenario().network();
    QString chosen;
    if (result->estimate && result->estimate->summary.cut >= 0 && network) {
        const int cut = result->estimate->summary.cut;
        chosen = cut < network->size() ? QString::fromStdString(network->layers()[static_cast<std::size_t>(cut)].name)
                                       : tr("no back part");
    }
    cut_->setToolTip(chosen.isEmpty() ? QString() : tr("The back part begins at %1").arg(chosen));
}

}  // namespace scalescope::ui
