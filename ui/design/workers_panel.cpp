// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/workers_panel.hpp"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/format.hpp"
#include "core/base/limits.hpp"
#include "core/estimate/dividing.hpp"
#include "core/scenario/hardware.hpp"
#include "core/scenario/ways.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/design/names.hpp"
#include "ui/design/stage_editor.hpp"
#include "ui/document/document.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/curtain.hpp"
#include "ui/widgets/flow_layout.hpp"
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

/// The closed list may have no room for its text, and never for what it means.
void show_tip(Combo* combo) {
    for (const ComboItem& i : combo->items())
        if (i.id == combo->current())
            combo->setToolTip(i.tip.isEmpty() ? i.text : QStringLiteral("%1: %2").arg(i.text, i.tip));
}

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

template <class Change>
void WorkersPanel::edit(Change change) {
    Scenario next = document_.scenario();
    change(next);
    document_.edit(std::move(next));
}

WorkersPanel::WorkersPanel(Document& document, const Catalogue& catalogue, QWidget* parent)
    : QFrame(parent), document_(document), catalogue_(catalogue) {
    setObjectName(QStringLiteral("card"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 10, 14, 10);
    layout->setSpacing(8);

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
    for (const ComboItem& i : update_items()) segments.push_back({i.id, i.text, i.tip});
    updates_->set_segments(segments);

    auto combo = [&](const QString& accessible, const char* object, std::vector<ComboItem> items, int width) {
        auto* c = new Combo(accessible);
        c->setObjectName(QLatin1String(object));
        c->set_items(std::move(items));
        c->setFixedWidth(width);
        return c;
    };
    way_ = combo(tr("Way to divide the work"), "way", {}, 176);
    collective_ = combo(tr("All-reduce algorithm"), "collective", collective_items(Method::pipeline), 102);
    // A choice of the scenario, and a whole number of it: edited here, and shown by show_scenario().
    const auto choice = [&](const QString& accessible, const char* object, std::vector<ComboItem> items, int width,
                            auto of) {
        Combo* c = combo(accessible, object, std::move(items), width);
        using Choice = std::decay_t<decltype(of(document.scenario()))>;
        connect(c, &Combo::chosen, this,
                [this, of](const QString& id) { edit([&](Scenario& s) { of(s) = from_id<Choice>(id); }); });
        shown_.push_back([c, of](const Scenario& s) { c->set_current(id_of(of(s))); });
        with_tips_.push_back(c);
        return c;
    };
    const auto number = [&](const QString& accessible, const QString& subject, const char* object, double most,
                            int width, auto of) {
        auto* field = new NumberField(accessible);
        field->setObjectName(QLatin1String(object));
        field->set_subject(subject);
        field->set_range(1, most);
        field->set_doubling(true);
        field->setFixedWidth(width);
        connect(field, &NumberField::value_changed, this,
                [this, of](double n) { edit([&](Scenario& s) { of(s) = static_cast<std::int64_t>(n); }); });
        shown_.push_back([field, of](const Scenario& s) { field->set_value(static_cast<double>(of(s))); });
        return field;
    };
    rule_ = choice(
        tr("Batch counted"), "batchRule", batch_rule_items(), 102,
        [](auto& s) -> auto& { return s.training.batch_rule; });
    auto* overlap = choice(
        tr("Overlap of communication with backward"), "overlap", overlap_items(), 86,
        [](auto& s) -> auto& { return s.parallelism.overlap; });
    auto* scheme = choice(
        tr("Hybrid scheme"), "scheme", scheme_items(), 132, [](auto& s) -> auto& { return s.parallelism.scheme; });
    cut_ = combo(tr("First layer of the back part"), "cut", {}, 118);
    ComboItem blocks, shortest, by_hand;
    blocks.id = stages_at_blocks, blocks.text = tr("at blocks");
    blocks.tip = tr("Stages begin at blocks of the network, dealt out evenly as trainers do");
    shortest.id = stages_shortest, shortest.text = tr("shortest step");
    shortest.tip = tr("Stages begin at the layers that make the step shortest");
    by_hand.id = stages_by_hand, by_hand.text = tr("by hand");
    by_hand.tip = tr("Stages begin at the given layers");
    stages_ = combo(tr("Stages"), "stages", {blocks, shortest, by_hand}, 124);
    batch_ = number(
        tr("Batch"), tr("Batch"), "batch", static_cast<double>(limits::batch), 82,
        [](auto& s) -> auto& { return s.training.batch; });
    auto* micro_batches = number(
        tr("Micro-batches"), tr("The number of micro-batches"), "microBatches", 4096, 60,
        [](auto& s) -> auto& { return s.parallelism.micro_batches; });
    auto* order = choice(
        tr("Schedule of the pipeline"), "order", order_items(), 112,
        [](auto& s) -> auto& { return s.parallelism.order; });
    chunks_ = number(
        tr("Chunks per device"), tr("The number of chunks"), "chunks", static_cast<double>(limits::chunks), 50,
        [](auto& s) -> auto& { return s.parallelism.chunks; });
    chunks_->setToolTip(tr("Stages on each device"));
    auto* tensor = number(
        tr("Tensor degree"), tr("Tensor degree"), "tensor", 4096, 60,
        [](auto& s) -> auto& { return s.parallelism.tensor; });
    tensor->setToolTip(tr("Workers that divide each layer among them"));
    auto* pipeline = number(
        tr("Pipeline degree"), tr("Pipeline degree"), "pipeline", 4096, 60,
        [](auto& s) -> auto& { return s.parallelism.pipeline; });
    pipeline->setToolTip(tr("Stages of consecutive layers"));
    auto* context = number(
        tr("Context degree"), tr("Context degree"), "context", 4096, 60,
        [](auto& s) -> auto& { return s.parallelism.context; });
    context->setToolTip(tr("Workers that divide the positions of each sequence among them"));
    context_scheme_ = choice(
        tr("How attention sees the whole sequence"), "contextScheme", context_scheme_items(), 104,
        [](auto& s) -> auto& { return s.parallelism.context_scheme; });
    auto* expert = number(
        tr("Expert degree"), tr("Expert degree"), "expert", 4096, 60,
        [](auto& s) -> auto& { return s.parallelism.expert; });
    expert->setToolTip(tr("Workers of a stage among which the experts are divided"));
    auto* expert_tensor = number(
        tr("Expert tensor degree"), tr("Expert tensor degree"), "expertTensor", 4096, 60,
        [](auto& s) -> auto& { return s.parallelism.expert_tensor; });
    expert_tensor->setToolTip(tr("Workers of a stage that divide each expert"));
    dispatch_ = choice(
        tr("How often a position travels to its experts"), "dispatch", dispatch_items(), 152,
        [](auto& s) -> auto& { return s.parallelism.dispatch; });
    auto* rest = choice(
        tr("Axis of the mesh that takes the other workers"), "fill", fill_items(), 92,
        [](auto& s) -> auto& { return s.parallelism.fill; });
    auto* policy = choice(
        tr("How layers are divided"), "policy", policy_items(), 112,
        [](auto& s) -> auto& { return s.parallelism.policy; });
    sequence_ = new QCheckBox(tr("Sequence"));
    sequence_->setObjectName(QStringLiteral("sequence"));
    sequence_->setToolTip(
        tr("Sequence parallelism: between divided layers, workers divide the positions of the sequence"));
    mesh_ = combo(tr("Order of the axes"), "mesh", {}, 0);
    connect(mesh_, &Combo::chosen, this, [this](const QString& id) {
        edit([&](Scenario& s) { s.parallelism.axis_order = from_id<AxisOrder>(id); });
    });

    auto* shards = choice(
        tr("Shards of the weights"), "shards", sharding_items(), 106,
        [](auto& s) -> auto& { return s.parallelism.sharding; });
    server_place_ = combo(tr("Where the parameter servers stand"), "serverPlace", server_place_items(), 138);
    auto* servers = number(
        tr("Parameter servers"), tr("The number of servers"), "servers", 1024, 60,
        [](auto& s) -> auto& { return s.parallelism.servers; });
    servers->setToolTip(tr("Parameter servers: machines that keep the weights"));

    auto* controls = new QWidget;
    auto* flow = new FlowLayout(controls, 9, 8);
    flow->addWidget(way_group_ = group(tr("Way"), {way_}));
    flow->addWidget(updates_);
    flow->addWidget(scheme_group_ = group(tr("Scheme"), {scheme}));
    flow->addWidget(cut_group_ = group(tr("Back from"), {cut_}));
    flow->addWidget(tensor_group_ = group(tr("Tensor"), {tensor}));
    flow->addWidget(pipeline_group_ = group(tr("Pipeline"), {pipeline}));
    flow->addWidget(context_group_ = group(tr("Context"), {context, context_scheme_}));
    flow->addWidget(expert_group_ = group(tr("Experts"), {expert, expert_tensor, dispatch_}));
    flow->addWidget(rest_group_ = group(tr("Rest to"), {rest}));
    flow->addWidget(mesh_);
    flow->addWidget(policy_group_ = group(tr("Layers"), {policy, sequence_}));
    flow->addWidget(micro_group_ = group(tr("Micro-batches"), {micro_batches, order, chunks_}));
    flow->addWidget(stages_group_ = group(tr("Stages"), {stages_}));
    flow->addWidget(collective_group_ = group(tr("All-reduce"), {collective_}, &collective_label_));
    flow->addWidget(servers_group_ = group(tr("Servers"), {servers, server_place_}));
    flow->addWidget(shards_group_ = group(tr("Shards"), {shards}));
    flow->addWidget(group(tr("Batch"), {batch_, rule_}, &batch_label_));
    flow->addWidget(overlap_group_ = group(tr("Overlap"), {overlap}));
    QSizePolicy sizes(QSizePolicy::Expanding, QSizePolicy::Minimum);
    sizes.setHeightForWidth(true);
    controls->setSizePolicy(sizes);
    layout->addWidget(controls);

    connect(slider_, &Slider::value_changed, this,
            [this](int n) { edit([&](Scenario& s) { s.cluster.workers = n; }); });
    connect(slider_, &Slider::drag_started, &document_, &Document::begin_drag);
    connect(slider_, &Slider::drag_finished, &document_, &Document::end_drag);
    connect(workers_, &NumberField::value_changed, this,
            [this](double n) { edit([&](Scenario& s) { s.cluster.workers = static_cast<std::int64_t>(n); }); });
    connect(sequence_, &QCheckBox::clicked, this,
            [this](bool on) { edit([&](Scenario& s) { s.parallelism.sequence = on; }); });
    connect(way_, &Combo::chosen, this, [this](const QString& id) {
        if (const Way* way = catalogue_.way(id.toStdString()))
            edit([&](Scenario& s) { s = divided_as(*way, std::move(s)); });
    });
    connect(collective_, &Combo::chosen, this, [this](const QString& id) {
        edit([&](Scenario& s) {
            if (id == asynchronous_id) {  // one undo step brings back what goes with it
                s = with_asynchronous_updates(std::move(s));
                return;
            }
            s.parallelism.updates = Updates::synchronous;
            s.parallelism.collective = from_id<Collective>(id);
        });
    });
    connect(updates_, &SegmentedControl::chosen, this,
            [this](const QString& id) { edit([&](Scenario& s) { s.parallelism.updates = from_id<Updates>(id); }); });
    connect(server_place_, &Combo::chosen, this,
            [this](const QString& id) { edit([&](Scenario& s) { s.cpu.servers_beside = id == QLatin1String("1"); }); });
    connect(cut_, &Combo::chosen, this, [this](const QString& id) {
        edit([&](Scenario& s) {
            s.parallelism.cut_auto = id == cut_automatic;
            s.parallelism.cut = id == cut_automatic || id == cut_none ? LayerId{} : LayerId{id.toUInt()};
        });
    });
    connect(stages_, &Combo::chosen, this, [this](const QString& id) {
        if (id == stages_by_hand) return edit_stages();
        edit([&](Scenario& s) {
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
        edit([this](Scenario& s) { s.parallelism.boundaries = stage_starts(*result_); });
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

/// The ways of the catalogue, and which of them the scenario takes.
void WorkersPanel::show_ways() {
    const Scenario& s = document_.scenario();
    const bool one_network = s.workload.size() <= 1, pipeline = s.model.method == Method::pipeline;
    std::vector<ComboItem> items;
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
    way_->set_current(now ? QString::fromStdString(now->id) : QString(), tr("own mesh"));
}

/// Degrees of the mesh, and their product: "512 = 4 pipeline × 16 data × 8 tensor".
void WorkersPanel::show_mesh() {
    const Scenario& s = document_.scenario();
    const Parallelism& p = s.parallelism;
    sequence_->setChecked(p.sequence);
    const bool meshes = s.model.method == Method::pipeline && s.workload.size() <= 1 && !p.segments &&
                        p.updates == Updates::synchronous;
    // Where a degree cannot be used but is set, as a file may have it, it can be taken back.
    set_wanted(*tensor_group_, (meshes && p.fill != MeshAxis::tensor) || (!meshes && p.tensor > 1));
    set_wanted(*pipeline_group_, (meshes && p.fill != MeshAxis::pipeline) || (!meshes && p.pipeline > 1));
    const auto degrees = degrees_of(s);
    const bool divided = meshes && (degrees ? degrees->tensor : p.tensor) > 1;
    set_wanted(*policy_group_, divided);
    const auto any_layer = [&](auto is) {
        return s.network() && std::any_of(s.network()->facts().begin(), s.network()->facts().end(), is);
    };
    const bool columns = policy_of(p) == ShardingPolicy::columns;
    const bool cuts_positions = meshes && !columns;
    const bool context =
        cuts_positions && any_layer([](const LayerFacts& f) { return f.along(ShardAlong::queries) > 1; });
    set_wanted(*context_group_, context || p.context > 1);
    set_wanted(*context_scheme_, (degrees ? degrees->context : p.context) > 1);
    set_wanted(*expert_group_, (cuts_positions && any_layer([](const LayerFacts& f) { return f.experts.count > 0; })) ||
                                   p.expert_ranks() > 1);
    set_wanted(*dispatch_, p.expert_ranks() > 1);
    set_wanted(*sequence_, divided && policy_of(p) == ShardingPolicy::trainer &&
                               any_layer([](const LayerFacts& f) { return f.along(ShardAlong::positions) > 1; }));
    const bool given = meshes && p.tensor * p.pipeline * p.context > 1, product = given && degrees;
    set_wanted(*rest_group_, given && p.fill != MeshAxis::data);  // begun by the way that was chosen
    set_wanted(*mesh_, product);
    if (!product) return;
    if (auto items = axis_order_items(*degrees); items != mesh_->items()) mesh_->set_items(std::move(items));
    const auto same = laid_out(p.axis_order, *degrees).axes;
    for (const LaidOut& one : distinct_orders(*degrees))
        if (one.axes == same) mesh_->set_current(id_of(one.order));
    mesh_->setFixedWidth(mesh_->width_for(mesh_->current_text()));
}

void WorkersPanel::show_scenario() {
    const Scenario& s = document_.scenario();
    const MeshAxis fill = s.parallelism.fill;
    const bool segments = s.parallelism.segments;
    slider_->set_value(static_cast<int>(std::min<std::int64_t>(s.cluster.workers, slider_->maximum())));
    workers_->set_value(static_cast<double>(s.cluster.workers));
    show_ways();
    const bool pipeline = s.model.method == Method::pipeline, cpu = is_cpu_cluster(s);
    const bool alone = s.parallelism.updates == Updates::asynchronous;
    const bool may_be_asynchronous = pipeline && (fills_data(s.parallelism) || alone);
    const bool asynchronous = may_be_asynchronous && alone;
    if (method_ != s.model.method || asynchronous_offered_ != may_be_asynchronous) {
        collective_->set_items(collective_items(s.model.method, may_be_asynchronous));
        rule_->set_items(batch_rule_items(cpu));
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
    for (const auto& show : shown_) show(s);
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
    show_mesh();
    set_wanted(*way_group_, !cpu);
    set_wanted(*updates_, cpu);
    set_wanted(*servers_group_, cpu || asynchronous);
    set_wanted(*server_place_, cpu);
    set_wanted(*shards_group_, asynchronous);
    const auto degrees = degrees_of(s);
    const bool only_stages = fill == MeshAxis::pipeline && degrees && degrees->pipeline == s.cluster.workers;
    set_wanted(*collective_group_, !cpu && !only_stages);
    set_wanted(*overlap_group_, pipeline && !asynchronous && fill == MeshAxis::data);
    set_wanted(*scheme_group_, !cpu && segments);
    set_wanted(*cut_group_, !cpu && segments);
    const bool stages = !cpu && (fill == MeshAxis::pipeline || has_stages(s));
    set_wanted(*micro_group_, stages);
    set_wanted(*chunks_, stages && has_chunks(s.parallelism.order));
    set_wanted(*stages_group_, stages);
    updates_->set_current(id_of(s.parallelism.updates));
    server_place_->set_current(s.cpu.servers_beside ? QStringLiteral("1") : QStringLiteral("0"));
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
    for (Combo* c : {way_, collective_, stages_, server_place_}) show_tip(c);
    for (Combo* c : with_tips_) show_tip(c);
}

void WorkersPanel::set_most_workers(std::int64_t most) {
    slider_->set_maximum(static_cast<int>(most));
    slider_->set_value(static_cast<int>(std::min<std::int64_t>(document_.scenario().cluster.workers, most)));
}

void WorkersPanel::show_result(const LiveResultPtr& result) {
    result_ = result;
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
