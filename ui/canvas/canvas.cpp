// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/canvas.hpp"

#include <QAction>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/base/format.hpp"
#include "core/estimate/measures.hpp"
#include "ui/canvas/box_item.hpp"
#include "ui/canvas/canvas_borders.hpp"
#include "ui/canvas/canvas_editor.hpp"
#include "ui/canvas/canvas_legend.hpp"
#include "ui/canvas/canvas_notes.hpp"
#include "ui/canvas/canvas_scene.hpp"
#include "ui/canvas/canvas_view.hpp"
#include "ui/document/document.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/breadcrumb.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/search_field.hpp"
#include "ui/window/chart_mapping.hpp"

namespace scalescope::ui {
namespace {

QString text(const std::string& s) { return QString::fromStdString(s); }

}  // namespace

Canvas::Canvas(Document& document, QWidget* parent)
    : QFrame(parent),
      scene_(new CanvasScene(this)),
      view_(new CanvasView(*scene_)),
      editor_(nullptr),
      document_(document) {
    editor_ = new CanvasEditor(document, *this);
    setObjectName(QStringLiteral("card"));
    setAccessibleName(tr("Network canvas"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(3, 1, 3, 3);  // inside the round corners
    column->setSpacing(0);
    column->addWidget(build_header());
    column->addWidget(make_rule());
    column->addWidget(view_, 1);

    connect(scene_, &CanvasScene::selection_changed, this, [this] {
        show_crumbs();
        if (quiet_) return;
        const auto chosen = scene_->selected();
        emit selected(chosen.size() == 1 ? key_of(chosen.front()) : -1);
        emit box_selected(chosen.size() == 1 ? text(chosen.front()) : QString());
    });
    connect(scene_, &CanvasScene::laid_out, this, [this] {
        show_crumbs();
        emit view_changed();
        emit boxes_changed();
    });
    connect(scene_, &CanvasScene::recoloured, this, [this] {
        colour_->setToolTip(view_->legend()->accessibleName());  // where the legend has no room
        emit boxes_changed();
    });
    connect(view_, &CanvasView::zoomed, this, [this] {
        zoom_->setText(tr("%1 %").arg(qRound(view_->zoom() * 100)));
        emit view_changed();
    });
    connect(view_, &CanvasView::hovered, this, [this](const QString& path) {
        emit hovered(key_of(path.toStdString()));
        emit box_hovered(path);
    });
    connect(view_, &CanvasView::box_activated, this, [this](const QString& path) {
        if (const int key = key_of(path.toStdString()); key >= 0) emit why_asked(key);
    });
    connect(view_, &CanvasView::find_asked, this, [this] { search_->setFocus(Qt::ShortcutFocusReason); });
    connect(view_, &CanvasView::menu_asked, this, &Canvas::open_menu);
    connect(view_, &CanvasView::connect_asked, this, [this](const QString& from, const QString& to) {
        editor_->connect_boxes(from.toStdString(), to.toStdString());
    });
    connect(view_, &CanvasView::kind_dropped, this, [this](const QString& name, int wire, const QString& box) {
        const Kind* kind = find_kind(name.toStdString());
        if (!kind) return;
        if (wire >= 0)
            editor_->insert_on_wire(*kind, wire);
        else if (!box.isEmpty())
            editor_->insert_behind(*kind, box.toStdString());
        else
            editor_->insert_alone(*kind);
    });
    connect(view_, &CanvasView::border_taken, this, [this] {
        before_ = document_.scenario();
        document_.begin_drag();
    });
    connect(view_, &CanvasView::border_moved, this, [this](int number, int position) {
        document_.edit(with_border(document_.scenario(), dividing_, static_cast<std::size_t>(number), position));
    });
    connect(view_, &CanvasView::border_let_go, this, [this](bool keep) {
        if (!keep) document_.edit(before_);
        document_.end_drag();
    });
    connect(view_, &CanvasView::border_freed, this,
            [this] { document_.edit(with_automatic_borders(document_.scenario())); });
    view_->notes().set_editor([this](const Fault& fault) { return editor_->fixes(fault); },
                              [this](const editing::Fix& fix) { editor_->apply(fix.edited, text(fix.title)); });
    connect(editor_, &CanvasEditor::refused, this, [this](const QString& why) { emit said(why, true); });
    connect(editor_, &CanvasEditor::told, this, [this](const QString& sentence) { emit said(sentence, false); });
    build_edit_actions();
}

void Canvas::build_edit_actions() {
    const auto add = [this](const QString& title, const QKeySequence& keys, auto slot) {
        auto* action = new QAction(title, this);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, slot);
        action->setEnabled(false);  // until the canvas is shown
        view_->addAction(action);
        edit_actions_.push_back(action);
    };
    add(tr("Cu&t"), QKeySequence::Cut, [this] { editor_->cut_selected(); });
    add(tr("&Copy"), QKeySequence::Copy, [this] { editor_->copy_selected(); });
    add(tr("&Paste"), QKeySequence::Paste, [this] { editor_->paste(); });
    add(tr("&Delete"), QKeySequence(Qt::Key_Delete), [this] { editor_->remove_selected(); });
    add(tr("D&uplicate"), QKeySequence(Qt::CTRL | Qt::Key_D), [this] { editor_->duplicate_selected(); });
    add(tr("&Group into a block"), QKeySequence(Qt::CTRL | Qt::Key_B), [this] { editor_->group_selected(); });
    add(tr("U&ngroup"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B), [this] { editor_->ungroup_selected(); });
    add(tr("Next p&roblem"), QKeySequence(Qt::Key_F8), [this] { view_->notes().go_to_next(); });
}

QWidget* Canvas::build_header() {
    auto* header = new QWidget;
    auto* row = header_ = new QHBoxLayout(header);
    row->setContentsMargins(11, 0, 9, 0);
    row->setSpacing(8);
    header->setFixedHeight(space::toolbar_height);
    crumbs_ = new Breadcrumb;
    counts_ = new ElidedLabel;
    counts_->setFont(type::table());
    set_ink(*counts_, Ink::secondary);
    part_combo_ = new Combo(tr("Network of the workload"));
    part_combo_->setObjectName(QStringLiteral("canvasPart"));
    part_combo_->hide();
    search_ = new SearchField(tr("Find a layer"));
    search_->setObjectName(QStringLiteral("canvasSearch"));
    search_->setFixedWidth(150);
    hits_shown_ = make_label({}, type::caption(), Ink::secondary);
    colour_ = new Combo(tr("Colour by"));
    colour_->setObjectName(QStringLiteral("canvasColour"));
    std::vector<ComboItem> items;
    for (Colouring by : all_colourings) {
        ComboItem item;
        item.id = id_of(by);
        item.text = title_of(by);
        items.push_back(std::move(item));
    }
    colour_->set_items(std::move(items));
    colour_->set_current(id_of(Colouring::time));
    colour_->setFixedWidth(110);
    zoom_ = make_label(tr("%1 %").arg(100), type::table(), Ink::secondary);
    zoom_->setAlignment(Qt::AlignCenter);
    zoom_->setFixedWidth(46);
    const auto button = [](const char* icon, const QString& name, const QString& keys, auto slot) {
        auto* b = make_icon_button(icon, name, Tint::text);
        b->setToolTip(QStringLiteral("%1 (%2)").arg(name, keys));
        QObject::connect(b, &QToolButton::clicked, b, slot);
        return b;
    };
    auto* out = button("minus", tr("Zoom out"), tr("Ctrl+−"), [this] { view_->zoom_by(1 / 1.2); });
    auto* in = button("plus", tr("Zoom in"), tr("Ctrl++"), [this] { view_->zoom_by(1.2); });
    auto* fit = button("fit", tr("Fit the network into the view"), tr("F"), [this] { view_->fit(); });
    auto* more = make_icon_button("more", tr("More"), Tint::text);
    connect(more, &QToolButton::clicked, this,
            [this, more] { open_menu(more->mapToGlobal(QPoint(0, more->height()))); });
    row->addWidget(crumbs_);
    row->addWidget(part_combo_);
    row->addWidget(counts_, 1);
    row->addWidget(hits_shown_);
    row->addWidget(search_);
    colour_label_ = make_label(tr("Colour"), type::control(), Ink::secondary);
    row->addWidget(colour_label_);
    row->addWidget(colour_);
    for (QWidget* w : std::initializer_list<QWidget*>{out, zoom_, in, fit, more}) row->addWidget(w);
    connect(colour_, &Combo::chosen, this, [this](const QString& id) {
        scene_->set_colouring(colouring_of(id));
        emit view_changed();
    });
    connect(part_combo_, &Combo::chosen, this, [this](const QString& id) { choose_part(id.toInt()); });
    connect(crumbs_, &Breadcrumb::crumb_clicked, this, [this](const QString& path) {
        if (path.isEmpty()) return scene_->select({});
        scene_->select({path.toStdString()});
        if (const BoxItem* box = scene_->box(path.toStdString())) view_->show_box(*box);
    });
    connect(search_, &QLineEdit::textChanged, this, &Canvas::find);
    connect(search_, &QLineEdit::returnPressed, this, [this] { go_to_hit(1); });
    connect(search_, &SearchField::moved, this, &Canvas::go_to_hit);
    connect(search_, &SearchField::escaped, this, [this] { view_->setFocus(Qt::OtherFocusReason); });
    return header;
}

/// Where it is narrow, the name of the network is more use than a word for the list.
void Canvas::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    constexpr int narrow = 680;
    colour_label_->setVisible(width() >= narrow);
    search_->setFixedWidth(width() >= narrow ? 150 : 120);
}

void Canvas::add_button(QAction* action) {
    auto* button = make_icon_button("chip", QString(action->text()).remove(QLatin1Char('&')), Tint::text);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    button->setAccessibleName(QString(action->text()).remove(QLatin1Char('&')));
    header_->insertWidget(header_->count() - 1, button);
}

void Canvas::show_document() {
    const Scenario& s = document_.scenario();
    const int parts = static_cast<int>(s.workload.size());
    part_ = document_.draft() ? document_.draft_part() : std::clamp(part_, 0, std::max(0, parts - 1));
    std::vector<ComboItem> items;
    for (int p = 0; p < parts; ++p) {
        ComboItem item;
        item.id = QString::number(p);
        item.text = text(s.workload[static_cast<std::size_t>(p)].network->name());
        items.push_back(std::move(item));
    }
    part_combo_->setVisible(parts > 1 && !document_.draft());
    if (items != part_combo_->items()) part_combo_->set_items(std::move(items));
    part_combo_->set_current(QString::number(part_));
    const auto network = parts > 0 ? s.workload[static_cast<std::size_t>(part_)].network : nullptr;
    const std::shared_ptr<const void> drawn =
        document_.draft() ? std::shared_ptr<const void>(document_.draft()) : std::shared_ptr<const void>(network);
    if (drawn == drawn_ && !wanted_open_) return show_borders();  // the hand may be on one
    drawn_ = drawn;
    const bool fresh = std::exchange(lineage_, document_.lineage()) != document_.lineage() || wanted_open_;
    const auto held = view_->hold();
    scene_->set_network(document_.draft() ? std::make_shared<const Sketch>(*document_.draft())
                        : network         ? std::make_shared<const Sketch>(*network)
                                          : std::make_shared<const Sketch>(),
                        fresh);
    if (wanted_open_) scene_->set_open(*std::exchange(wanted_open_, std::nullopt));
    if (fresh) {
        search_->clear();
        view_->show_start();
    } else {
        view_->put_back(held);
    }
    show_figures();
}

void Canvas::show_result(const LiveResultPtr& result) {
    result_ = result;
    show_figures();
}

void Canvas::show_figures() {
    // An answer may still be about what was open before; a draft has the figures of the network it was made from.
    const auto part = static_cast<std::size_t>(part_);
    const auto& workload = document_.scenario().workload;
    const bool known = result_ && result_->plan && part < result_->plan->parts.size() && part < workload.size() &&
                       result_->plan->parts[part].network == workload[part].network &&
                       (!document_.draft() || document_.draft_is_related());
    show_borders();
    scene_->set_unpriced(why_unpriced());
    if (!known || !result_->estimate) {
        scene_->set_shares({}, 1);
        return scene_->set_measures({});
    }
    const Network& network = *workload[part].network;
    const auto by_position = measure_layers(*result_->plan, *result_->estimate, part_);
    const auto shares = output_shares(*result_->plan, *result_->estimate, part_);
    std::vector<LayerMeasures> drawn(static_cast<std::size_t>(scene_->sketch()->size()));
    std::vector<std::optional<OutputShare>> divided(drawn.size());
    std::vector<char> has_figures(drawn.size(), 0);
    for (std::size_t l = 0; l < drawn.size(); ++l)
        if (const auto position = network.position(scene_->sketch()->layers[l].id)) {
            drawn[l] = by_position[static_cast<std::size_t>(*position)];
            divided[l] = shares[static_cast<std::size_t>(*position)];
            has_figures[l] = 1;
        }
    scene_->set_shares(std::move(divided), static_cast<int>(result_->request.scenario.cluster.workers));
    scene_->set_measures(std::move(drawn), std::move(has_figures));
}

/// What is said where figures would be.
QString Canvas::why_unpriced() const {
    if (document_.draft() && !document_.draft_is_related()) {
        const Network* last = document_.scenario().network();
        return last ? tr("No prices yet: this drawing has not been a valid network so far. The charts show %1.")
                          .arg(text(last->name()))
                    : tr("No prices yet: this drawing has not been a valid network so far.");
    }
    if (result_ && !result_->estimate) return tr("No prices: %1").arg(text(result_->estimate.error().front().what));
    return {};
}

/// While a hand moves one, they are where the scenario says, before the answer is there.
void Canvas::show_borders() {
    const auto& workload = document_.scenario().workload;
    const bool draft = document_.draft() != nullptr;
    dividing_ = {};
    const bool known = result_ && result_->plan && part_ == 0 && workload.size() == 1 &&
                       result_->plan->parts.size() == 1 &&
                       result_->plan->parts.front().network == workload.front().network;
    if (!known || (draft && !document_.draft_is_related())) return scene_->set_borders({});
    dividing_ = dividing_of(document_.scenario(), *result_->plan, result_->estimate ? &*result_->estimate : nullptr);
    scene_->set_borders(
        canvas_borders(dividing_, document_.scenario(), *workload.front().network, *scene_->sketch(), draft));
}

void Canvas::choose_part(int part) {
    part_ = part;
    show_document();
}

/// Of the network that is priced; -1 for what is in the draft alone.
int Canvas::key_of(const std::string& path) const {
    const auto& workload = document_.scenario().workload;
    const auto part = static_cast<std::size_t>(part_);
    if (path.empty() || part >= workload.size() || (document_.draft() && !document_.draft_is_related())) return -1;
    for (const Layer& l : scene_->sketch()->layers)
        if (l.name == path) {
            const auto position = workload[part].network->position(l.id);
            return position ? layer_key(part_, *position) : -1;
        }
    return -1;
}

/// Where the layer of a key stands in what is drawn, or -1.
int Canvas::drawn_position(int key) const {
    const auto& workload = document_.scenario().workload;
    const auto part = static_cast<std::size_t>(part_);
    if (key < 0 || part_of_key(key) != part_ || part >= workload.size() ||
        (document_.draft() && !document_.draft_is_related()))
        return -1;
    const Network& network = *workload[part].network;
    const int position = position_of_key(key);
    if (position >= network.size()) return -1;
    return scene_->sketch()->position(network.layers()[static_cast<std::size_t>(position)].id).value_or(-1);
}

void Canvas::set_selected(int key) {
    const std::vector<std::string> before = scene_->selected();
    if (key < 0) {
        // A block is nothing that a chart can show: it stays selected here.
        if (before.size() != 1 || key_of(before.front()) < 0) return;
        quiet_ = true;
        scene_->select({});
        quiet_ = false;
        return;
    }
    const BoxItem* box = scene_->box_of_layer(drawn_position(key));
    if (!box) return;
    const std::string path = scene_->item_of(*box).path;
    if (before.size() == 1 && before.front() == path) return;
    quiet_ = true;
    scene_->select({path});
    quiet_ = false;
    view_->show_box(*box);
}

void Canvas::set_hovered(int key) { scene_->set_hovered_layer(drawn_position(key)); }

void Canvas::select_box(const QString& path) {
    if (path.isEmpty()) return scene_->select({});
    scene_->select({path.toStdString()});
    if (const BoxItem* box = scene_->box(path.toStdString())) view_->show_box(*box);
}

void Canvas::set_hovered_box(const QString& path) {
    const BoxItem* on = path.isEmpty() ? nullptr : scene_->box(path.toStdString());
    for (BoxItem* b : scene_->boxes()) b->set_hovered(b == on);
}

std::vector<BoxTime> Canvas::box_times() const {
    const auto part = static_cast<std::size_t>(part_);
    const auto& workload = document_.scenario().workload;
    const bool related = part < workload.size() && (!document_.draft() || document_.draft_is_related());
    const Sketch& sketch = *scene_->sketch();
    std::vector<BoxTime> times;
    if (!scene_->priced() || !related) return times;
    for (const BoxItem* box : scene_->boxes()) {
        if (box->shown().kind == BoxLook::Kind::open) continue;
        const drawing::Item& item = scene_->item_of(*box);
        const bool free = std::all_of(item.layers.begin(), item.layers.end(), [&](int l) {
            const auto& facts = sketch.facts[static_cast<std::size_t>(l)];
            return facts && (facts->division == Division::source || facts->division == Division::view);
        });
        if (free) continue;
        BoxTime time;
        time.path = text(item.path);
        time.name = text(item.title);
        for (int l : item.layers)
            if (const auto position = workload[part].network->position(sketch.layers[static_cast<std::size_t>(l)].id))
                time.layers.push_back(layer_key(part_, *position));
        if (time.layers.empty()) continue;  // what is new in a draft has no price yet
        const LayerMeasures m = scene_->measures_of(*box);
        time.time = {m.forward, m.backward, m.update, m.communication, Seconds{0}, m.hidden};
        times.push_back(std::move(time));
    }
    return times;
}

void Canvas::go_to(int key) {
    const int position = drawn_position(key);
    if (position < 0) return;
    const std::string name = scene_->sketch()->layers[static_cast<std::size_t>(position)].name;
    scene_->reveal(name);
    scene_->select({name});
    if (const BoxItem* box = scene_->box(name)) view_->show_box(*box);
}

void Canvas::show_crumbs() {
    std::vector<Breadcrumb::Crumb> crumbs{{QString(), text(scene_->sketch()->name)}};
    const auto chosen = scene_->selected();
    if (chosen.size() == 1) {
        const auto& h = scene_->hierarchy();
        std::vector<Breadcrumb::Crumb> path;
        for (int i = h.find(chosen.front()); i >= 0; i = h.items[static_cast<std::size_t>(i)].parent) {
            const drawing::Item& item = h.items[static_cast<std::size_t>(i)];
            path.push_back({text(item.path), text(item.title)});
        }
        crumbs.insert(crumbs.end(), path.rbegin(), path.rend());
    }
    crumbs_->set_crumbs(crumbs);
    const int layers = scene_->sketch()->size(), boxes = scene_->closed_boxes();
    const QString all = layers == 1 ? tr("1 layer") : tr("%1 layers").arg(text(format_count(layers)));
    counts_->setText(boxes == layers ? all : tr("%1 in %2 boxes").arg(all, text(format_count(boxes))));
}

void Canvas::find(const QString& wanted) {
    hits_ = scene_->search(wanted);
    hit_ = -1;
    const QString count = text(format_count(static_cast<std::int64_t>(hits_.size())));
    hits_shown_->setText(wanted.trimmed().isEmpty() ? QString()
                         : hits_.empty()            ? tr("none")
                         : hits_.size() == 1        ? tr("1 layer")
                                                    : tr("%1 layers").arg(count));
}

void Canvas::go_to_hit(int step) {
    if (hits_.empty()) return;
    const int count = static_cast<int>(hits_.size());
    hit_ = hit_ < 0 ? (step > 0 ? 0 : count - 1) : ((hit_ + step) % count + count) % count;
    const std::string name = hits_[static_cast<std::size_t>(hit_)];
    scene_->reveal(name);
    scene_->select({name});
    if (const BoxItem* box = scene_->box(name)) view_->show_box(*box);
    hits_shown_->setText(tr("%1 of %2").arg(hit_ + 1).arg(count));
}

QJsonObject Canvas::view_state() const {
    QJsonArray open;
    for (const auto& path : scene_->open()) open.append(text(path));
    return {{QStringLiteral("colour"), id_of(scene_->colouring())}, {QStringLiteral("unfolded"), open}};
}

void Canvas::set_view_state(const QJsonObject& state) {
    const Colouring by = colouring_of(state[QLatin1String("colour")].toString());
    colour_->set_current(id_of(by));
    scene_->set_colouring(by);
    wanted_open_.reset();
    if (!state.contains(QLatin1String("unfolded"))) return;
    wanted_open_.emplace();
    for (const QJsonValue& path : state[QLatin1String("unfolded")].toArray())
        wanted_open_->insert(path.toString().toStdString());
}

/// The division of the work, for who has no border to take hold of.
void Canvas::add_division_actions(QMenu& menu) {
    const Scenario& s = document_.scenario();
    if (document_.draft() || part_ != 0 || s.workload.size() != 1 || s.model.method != Method::pipeline || !result_ ||
        !result_->plan || result_->plan->parts.front().network != s.workload.front().network)
        return;
    const auto chosen = scene_->selected();
    const int item = chosen.size() == 1 ? scene_->hierarchy().find(chosen.front()) : -1;
    if (item >= 0) {
        const auto& layers = scene_->hierarchy().items[static_cast<std::size_t>(item)].layers;
        const auto may = cut_positions(*result_->plan, s.cluster.workers);
        const auto at = std::lower_bound(may.begin(), may.end(), layers.front());
        if (at != may.end() && *at <= layers.back())
            menu.addAction(tr("Hybrid: back part from %1").arg(text(chosen.front())), this,
                           [this, cut = *at] { document_.edit(with_cut(document_.scenario(), cut)); });
    }
    if (!dividing_.borders.empty() && !dividing_.automatic)
        menu.addAction(dividing_.strategy == Strategy::hybrid ? tr("Cut where it is best") : tr("Balance the stages"),
                       view_, &CanvasView::border_freed);
    menu.addSeparator();
}

void Canvas::open_menu(QPoint global) {
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("canvasMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto chosen = scene_->selected();
    if (chosen.size() == 1) {
        const std::string path = chosen.front();
        if (const int key = key_of(path); key >= 0)
            menu->addAction(tr("Why this time"), this, [this, key] { emit why_asked(key); });
        else
            menu->addAction(scene_->is_open(path) ? tr("Fold") : tr("Unfold"), QKeySequence(Qt::Key_Return), this,
                            [this, path] { view_->toggle(path); });
        menu->addSeparator();
    }
    for (QAction* action : edit_actions_) menu->addAction(action);
    menu->addSeparator();
    add_division_actions(*menu);
    menu->addAction(tr("Unfold all blocks"), scene_, &CanvasScene::unfold_all);
    menu->addAction(tr("Fold all blocks"), this, [this] {
        scene_->fold_all();
        view_->show_start();
    });
    menu->addSeparator();
    menu->addAction(tr("Fit the network into the view"), QKeySequence(Qt::Key_F), view_, &CanvasView::fit);
    menu->addAction(tr("Full size"), QKeySequence(Qt::CTRL | Qt::Key_0), view_, [this] { view_->set_zoom(1); });
    menu->addSeparator();
    menu->addAction(tr("Export the network as a file…"), this, &Canvas::file_asked);
    fill_export_menu(*menu->addMenu(tr("Export and print the drawing")));
    menu->popup(global);
}

}  // namespace scalescope::ui
