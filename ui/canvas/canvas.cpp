// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/canvas.hpp"

#include <QJsonArray>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/canvas/box_item.hpp"
#include "ui/canvas/canvas_editor.hpp"
#include "ui/canvas/canvas_legend.hpp"
#include "ui/canvas/canvas_notes.hpp"
#include "ui/canvas/canvas_scene.hpp"
#include "ui/canvas/canvas_view.hpp"
#include "ui/document/document.hpp"
#include "ui/language/told.hpp"
#include "ui/live/layer_keys.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/breadcrumb.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/search_field.hpp"

namespace scalescope::ui {
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
        emit box_selected(chosen.size() == 1 ? plain(chosen.front()) : QString());
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
                              [this](const editing::Fix& fix) { editor_->apply(fix.edited, told(fix.title)); });
    connect(editor_, &CanvasEditor::refused, this, [this](const QString& why) { emit said(why, true); });
    connect(editor_, &CanvasEditor::told, this, [this](const QString& sentence) { emit said(sentence, false); });
    connect(editor_, &CanvasEditor::scenario_found, this, &Canvas::scenario_found);
    build_edit_actions();
}

std::shared_ptr<const void> Canvas::to_draw() const {
    if (document_.draft()) return document_.draft();
    const auto& workload = document_.scenario().workload;
    const auto part = static_cast<std::size_t>(part_);
    return part < workload.size() ? workload[part].network : nullptr;
}

bool Canvas::shows_document() const { return drawn_ == to_draw(); }

void Canvas::show_document() {
    const Scenario& s = document_.scenario();
    const int parts = static_cast<int>(s.workload.size());
    part_ = document_.draft() ? document_.draft_part() : std::clamp(part_, 0, std::max(0, parts - 1));
    std::vector<ComboItem> items;
    for (int p = 0; p < parts; ++p) {
        ComboItem item;
        item.id = QString::number(p);
        item.text = plain(s.workload[static_cast<std::size_t>(p)].network->name());
        items.push_back(std::move(item));
    }
    part_combo_->setVisible(parts > 1 && !document_.draft());
    if (items != part_combo_->items()) part_combo_->set_items(std::move(items));
    part_combo_->set_current(QString::number(part_));
    if (shows_document() && !wanted_open_) return show_borders();  // the hand may be on one
    drawn_ = to_draw();
    const bool fresh = std::exchange(lineage_, document_.lineage()) != document_.lineage() || wanted_open_;
    const bool first = scene_->boxes().empty();
    const auto held = view_->hold();
    const bool was_quiet = std::exchange(quiet_, true);  // boxes that go are no choice of nothing
    const Network* network = parts > 0 ? s.workload[static_cast<std::size_t>(part_)].network.get() : nullptr;
    scene_->set_network(document_.draft() ? std::make_shared<const Sketch>(*document_.draft())
                        : network         ? std::make_shared<const Sketch>(*network)
                                          : std::make_shared<const Sketch>(),
                        fresh);
    quiet_ = was_quiet;
    if (scene_->selected().empty()) emit box_selected(QString());
    if (wanted_open_) scene_->set_open(*std::exchange(wanted_open_, std::nullopt));
    if (fresh) {
        search_->clear();
        view_->show_start();
    } else {
        first ? view_->show_top() : view_->put_back(held);
    }
    show_figures();
}

void Canvas::show_result(const LiveResultPtr& result) {
    result_ = result;
    show_figures();
    show_counts();
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

void Canvas::go_to(int key) {
    const int position = drawn_position(key);
    if (position < 0) return;
    const std::string name = scene_->sketch()->layers[static_cast<std::size_t>(position)].name;
    scene_->reveal(name);
    scene_->select({name});
    if (const BoxItem* box = scene_->box(name)) view_->show_box(*box);
}

QJsonObject Canvas::view_state() const {
    QJsonArray open;
    for (const auto& path : scene_->open()) open.append(plain(path));
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

}  // namespace scalescope::ui
