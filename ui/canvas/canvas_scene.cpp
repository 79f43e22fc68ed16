// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/canvas_scene.hpp"

#include <QScopedValueRollback>
#include <algorithm>

#include "core/base/format.hpp"
#include "core/drawing/borders.hpp"
#include "core/drawing/caption.hpp"
#include "core/drawing/folding.hpp"
#include "ui/canvas/box_item.hpp"
#include "ui/canvas/kind_family.hpp"
#include "ui/canvas/wire_item.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr int boxes_at_first = drawing::most_boxes;  // a network of so few is shown whole
constexpr double margin = 48;                        // room around the drawing

bool matches(const Layer& layer, const QString& wanted) {
    const auto title = told(layer.kind->title);
    return plain(layer.name).contains(wanted, Qt::CaseInsensitive) || title.contains(wanted, Qt::CaseInsensitive) ||
           QString::fromUtf8(layer.kind->name.data(), static_cast<qsizetype>(layer.kind->name.size()))
               .contains(wanted, Qt::CaseInsensitive);
}

bool holds(const drawing::Item& item, int layer) {
    return std::binary_search(item.layers.begin(), item.layers.end(), layer);
}

/// The layer whose output does not fit, or -1.
int source_of(const Sketch& sketch, const Fault& fault) {
    if (fault.layer < 0 || fault.input < 0) return -1;
    const auto& inputs = sketch.layers[at(fault.layer)].inputs;
    if (at(fault.input) >= inputs.size()) return -1;
    return sketch.position(inputs[at(fault.input)]).value_or(-1);
}

}  // namespace

CanvasScene::CanvasScene(QObject* parent)
    : QGraphicsScene(parent), sketch_(std::make_shared<Sketch>()), look_(&theme()) {
    setItemIndexMethod(NoIndex);  // boxes are made anew rather than moved; looking through them takes no time
    connect(this, &QGraphicsScene::selectionChanged, this, [this] {
        if (quiet_) return;
        show_lit();
        emit selection_changed();
    });
}

/// Boxes that go are no longer selected, which nobody is to hear of any more.
CanvasScene::~CanvasScene() { blockSignals(true); }

void CanvasScene::set_look(const Theme* look) {
    look_ = look ? look : &theme();
    if (look)
        place_names(1, -1e9);  // on a picture all of the drawing is in sight
    else
        place_names(seen_scale_, seen_left_);
    paint_boxes();
    update();
}

void CanvasScene::set_network(std::shared_ptr<const Sketch> sketch, bool fresh) {
    const auto before = selected();
    sketch_ = std::move(sketch);
    hierarchy_ = drawing::make_hierarchy(*sketch_);
    item_of_layer_.assign(at(sketch_->size()), -1);
    for (std::size_t i = 0; i < hierarchy_.items.size(); ++i)
        if (hierarchy_.items[i].is_layer())
            item_of_layer_[at(hierarchy_.items[i].layers.front())] = static_cast<int>(i);
    if (fresh) open_ = drawing::open_at_first(hierarchy_, boxes_at_first);
    if (fresh) search_.clear();
    known_.clear();
    layer_measures_.clear();  // they were those of another network
    item_measures_.clear();
    shares_.clear();
    borders_.clear();
    lay_out();
    select(before);
}

bool CanvasScene::knows(const std::vector<int>& layers) const {
    return known_.empty() || std::any_of(layers.begin(), layers.end(), [&](int l) { return known_[at(l)] != 0; });
}

void CanvasScene::set_measures(std::vector<LayerMeasures> layers, std::vector<char> known) {
    layer_measures_ = std::move(layers);
    known_ = std::move(known);
    item_measures_.clear();
    if (!layer_measures_.empty()) {
        for (const drawing::Item& i : hierarchy_.items) item_measures_.push_back(sum_over(layer_measures_, i.layers));
    }
    paint_boxes();
    emit recoloured();
}

void CanvasScene::set_unpriced(const QString& reason) {
    if (reason == unpriced_) return;
    unpriced_ = reason;
    emit recoloured();
}

void CanvasScene::set_shares(std::vector<std::optional<OutputShare>> shares, int workers) {
    shares_ = std::move(shares);
    workers_ = workers;
    if (std::none_of(shares_.begin(), shares_.end(), [](const auto& s) { return s.has_value(); })) shares_.clear();
}

void CanvasScene::set_borders(std::vector<CanvasBorder> borders) {
    if (borders == borders_) return;
    borders_ = std::move(borders);
    set_room();
    add_borders();
}

/// The names of borders stand at the left of the drawing.
void CanvasScene::set_room() {
    const double left = borders_.empty() ? margin : margin + BorderItem::lane;
    setSceneRect(QRectF(0, 0, drawing_.size.width, drawing_.size.height).adjusted(-left, -margin, margin, margin));
}

void CanvasScene::set_colouring(Colouring by) {
    if (by == by_) return;
    by_ = by;
    paint_boxes();
    emit recoloured();
}

const drawing::Item& CanvasScene::item_of(const BoxItem& box) const {
    return hierarchy_.items[at(drawing_.boxes[at(box.index())].item)];
}

LayerMeasures CanvasScene::measures_of(const BoxItem& box) const {
    const auto item = at(drawing_.boxes[at(box.index())].item);
    return item < item_measures_.size() ? item_measures_[item] : LayerMeasures{};
}

BoxItem* CanvasScene::box(const std::string& path) const {
    const int item = hierarchy_.find(path);
    const int b = item < 0 ? -1 : box_of_item_[at(item)];
    return b < 0 ? nullptr : boxes_[at(b)];
}

BoxItem* CanvasScene::box_of_layer(int position) const {
    if (position < 0 || position >= sketch_->size()) return nullptr;
    for (int item = item_of_layer_[at(position)]; item >= 0; item = hierarchy_.items[at(item)].parent)
        if (const int b = box_of_item_[at(item)]; b >= 0) return boxes_[at(b)];
    return nullptr;
}

int CanvasScene::closed_boxes() const {
    return static_cast<int>(
        std::count_if(drawing_.boxes.begin(), drawing_.boxes.end(), [](const drawing::Box& b) { return !b.open; }));
}

void CanvasScene::set_open(std::set<std::string> paths) {
    if (paths == open_) return;
    const auto before = selected();
    open_ = std::move(paths);
    lay_out();
    select(before);
}

void CanvasScene::toggle(const std::string& path) {
    auto open = open_;
    if (!open.erase(path)) open.insert(path);
    set_open(std::move(open));
}

void CanvasScene::fold_all() { set_open({}); }

void CanvasScene::unfold_all() {
    std::set<std::string> all;
    for (const drawing::Item& i : hierarchy_.items)
        if (!i.is_layer()) all.insert(i.path);
    set_open(std::move(all));
}

bool CanvasScene::reveal(const std::string& path) {
    auto open = open_;
    int item = hierarchy_.find(path);
    if (item < 0) return false;
    for (item = hierarchy_.items[at(item)].parent; item >= 0; item = hierarchy_.items[at(item)].parent)
        open.insert(hierarchy_.items[at(item)].path);
    if (open == open_) return false;
    set_open(std::move(open));
    return true;
}

std::vector<std::string> CanvasScene::selected() const {
    std::vector<std::string> paths;
    for (const BoxItem* b : boxes_)
        if (b->isSelected()) paths.push_back(item_of(*b).path);
    return paths;
}

void CanvasScene::select(const std::vector<std::string>& paths) {
    {
        const QScopedValueRollback<bool> guard(quiet_, true);
        clearSelection();
        for (const std::string& p : paths)
            if (BoxItem* b = box(p)) b->setSelected(true);
    }
    show_lit();
    emit selection_changed();
}

std::vector<int> CanvasScene::selected_layers() const {
    std::set<int> layers;
    for (const BoxItem* b : boxes_)
        if (b->isSelected()) layers.insert(item_of(*b).layers.begin(), item_of(*b).layers.end());
    return {layers.begin(), layers.end()};
}

void CanvasScene::set_hovered_layer(int position) {
    const BoxItem* on = box_of_layer(position);
    for (BoxItem* b : boxes_) b->set_hovered(b == on);
}

std::vector<CanvasScene::Connection> CanvasScene::connections_of(int wire) const {
    std::vector<Connection> result;
    const drawing::Wire& w = drawing_.wires[at(wire)];
    const auto item_at = [&](int box) -> const drawing::Item& {
        return hierarchy_.items[at(drawing_.boxes[at(box)].item)];
    };
    // A wire to the lower border of a block goes on outside of it, and is cut there.
    const auto reads_here = [&](int layer) {
        return w.to >= 0 ? holds(item_at(w.to), layer) : w.parent >= 0 && !holds(item_at(w.parent), layer);
    };
    for (int l = 0; l < sketch_->size(); ++l) {
        if (!reads_here(l)) continue;
        const Layer& reader = sketch_->layers[at(l)];
        for (std::size_t i = 0; i < reader.inputs.size(); ++i)
            for (int tensor : w.tensors)
                if (sketch_->layers[at(tensor)].id == reader.inputs[i])
                    result.push_back({reader.inputs[i], reader.id, static_cast<int>(i)});
    }
    return result;
}

std::vector<CanvasScene::Connection> CanvasScene::selected_connections() const {
    std::vector<Connection> result;
    for (const WireItem* wire : wires_)
        if (wire->isSelected())
            for (const Connection& c : connections_of(wire->index())) {
                const auto same = [&](const Connection& o) { return o.reader == c.reader && o.input == c.input; };
                if (std::none_of(result.begin(), result.end(), same)) result.push_back(c);
            }
    return result;
}

/// Whether the output of `source`, which is not what the layer of the fault takes, goes along the wire to it.
bool CanvasScene::carries(const drawing::Wire& wire, const Fault& fault, int source) const {
    return source >= 0 && wire.to >= 0 && holds(hierarchy_.items[at(drawing_.boxes[at(wire.to)].item)], fault.layer) &&
           std::find(wire.tensors.begin(), wire.tensors.end(), source) != wire.tensors.end();
}

std::vector<int> CanvasScene::wires_of(const Fault& fault) const {
    std::vector<int> result;
    const int source = source_of(*sketch_, fault);
    for (const WireItem* wire : wires_)
        if (carries(drawing_.wires[at(wire->index())], fault, source)) result.push_back(wire->index());
    return result;
}

std::vector<std::string> CanvasScene::search(const QString& wanted) {
    search_ = wanted.trimmed();
    paint_boxes();
    std::vector<std::string> hits;
    if (search_.isEmpty()) return hits;
    for (const Layer& l : sketch_->layers)
        if (matches(l, search_)) hits.push_back(l.name);
    return hits;
}

void CanvasScene::lay_out() {
    {
        const QScopedValueRollback<bool> guard(quiet_, true);
        clear();
    }
    boxes_.clear();
    wires_.clear();
    border_items_.clear();
    drawing_ = drawing::draw(*sketch_, hierarchy_, open_, {});
    box_of_item_.assign(hierarchy_.items.size(), -1);
    std::vector<int> depth;
    for (std::size_t i = 0; i < drawing_.boxes.size(); ++i) {
        const drawing::Box& b = drawing_.boxes[i];
        box_of_item_[at(b.item)] = static_cast<int>(i);
        depth.push_back(b.parent < 0 ? 0 : depth[at(b.parent)] + 1);
        auto* item = new BoxItem(static_cast<int>(i), {b.size.width, b.size.height}, look_);
        item->setPos(b.at.x, b.at.y);
        item->setZValue(2 * depth.back() + 1);
        boxes_.push_back(item);
        addItem(item);
    }
    for (std::size_t i = 0; i < drawing_.wires.size(); ++i) {
        const drawing::Wire& w = drawing_.wires[i];
        std::vector<QPointF> bends;
        for (const drawing::Point& p : w.bends) bends.emplace_back(p.x, p.y);
        auto* item = new WireItem(static_cast<int>(i), bends, w.to != drawing::Wire::border,
                                  QPointF(w.label_at.x, w.label_at.y), look_);
        item->setZValue(w.parent < 0 ? 0 : 2 * depth[at(w.parent)] + 2);
        wires_.push_back(item);
        addItem(item);
    }
    set_room();
    paint_boxes();
    add_borders();
    emit laid_out();
}

/// What is written on boxes and wires, and their colours.
void CanvasScene::paint_boxes() {
    std::vector<double> amounts;
    for (const LayerMeasures& m : item_measures_) amounts.push_back(amount(m, by_));
    ramp_ = drawing::ramp_over(amounts);
    std::vector<char> faulty(at(sketch_->size()), 0);
    for (const Fault& f : sketch_->faults)
        if (f.layer >= 0) faulty[at(f.layer)] = 1;
    std::vector<char> guessed(at(sketch_->size()), 0);
    for (std::size_t l = 0; l < guessed.size(); ++l) {
        const auto& facts = sketch_->facts[l];
        guessed[l] = !about_guess(sketch_->layers[l], facts ? &*facts : nullptr).empty();
    }
    std::vector<char> hit(at(sketch_->size()), 1);
    if (!search_.isEmpty())
        for (std::size_t l = 0; l < hit.size(); ++l) hit[l] = matches(sketch_->layers[l], search_);
    for (BoxItem* box : boxes_) {
        const drawing::Box& b = drawing_.boxes[at(box->index())];
        const drawing::Item& item = hierarchy_.items[at(b.item)];
        BoxLook show;
        show.kind = item.is_layer() ? BoxLook::Kind::layer : b.open ? BoxLook::Kind::open : BoxLook::Kind::folded;
        show.title = plain(item.title);
        show.repeat = item.repeat;
        if (item.is_layer()) {
            const Layer& layer = sketch_->layers[at(item.layers.front())];
            show.caption = told(drawing::caption(layer));
            if (show.caption.isEmpty()) show.caption = told(layer.kind->title);
            show.icon = family_icon(*layer.kind);
        } else {
            const int count = static_cast<int>(item.layers.size());
            show.caption = count == 1 ? tr("1 layer") : tr("%1 layers").arg(told(format_count(count)));
        }
        const auto guesses =
            std::count_if(item.layers.begin(), item.layers.end(), [&](int l) { return guessed[at(l)]; });
        show.guess = guesses == 0                         ? BoxLook::Guess::none
                     : guesses == std::ssize(item.layers) ? BoxLook::Guess::all
                                                          : BoxLook::Guess::some;
        show.faulty = std::any_of(item.layers.begin(), item.layers.end(), [&](int l) { return faulty[at(l)]; });
        show.dimmed = std::none_of(item.layers.begin(), item.layers.end(), [&](int l) { return hit[at(l)]; });
        if (!shares_.empty()) {
            bool some = false, whole = false;
            for (int l : item.layers)
                if (const auto& share = shares_[at(l)]) (share->divided ? some : whole) = true;
            show.divided = some ? workers_ : whole ? 1 : 0;
            show.mixed = some && whole;
        }
        if (at(b.item) < item_measures_.size() && knows(item.layers)) {
            const LayerMeasures& m = item_measures_[at(b.item)];
            show.ground = ground_of(m, by_, ramp_, *look_);
            show.value = amount_text(m, by_);
        }
        box->show(show);
    }
    std::vector<int> sources;
    for (const Fault& f : sketch_->faults) sources.push_back(source_of(*sketch_, f));
    std::set<int> told;  // boxes whose shape stands at a connection that does not fit
    for (WireItem* wire : wires_) {
        const drawing::Wire& w = drawing_.wires[at(wire->index())];
        WireLook show = wire->shown();
        show.shape = plain(w.label);
        show.fault.clear();
        show.dimmed = !search_.isEmpty();
        for (std::size_t f = 0; f < sources.size(); ++f) {
            if (!carries(w, sketch_->faults[f], sources[f])) continue;
            show.fault = ui::told(sketch_->faults[f].problem.what);
            const auto& facts = sketch_->facts[at(sources[f])];
            if (!facts) continue;
            show.shape = ui::told(format_shape(facts->output));
            told.insert(w.from);
        }
        wire->show(show);
    }
    for (WireItem* wire : wires_) {
        if (!wire->shown().fault.isEmpty() || !told.contains(drawing_.wires[at(wire->index())].from)) continue;
        WireLook show = wire->shown();
        show.shape.clear();
        wire->show(show);
    }
}

/// Wires of what is selected, and the boxes it is hidden in.
void CanvasScene::show_lit() {
    for (WireItem* wire : wires_) {
        const drawing::Wire& w = drawing_.wires[at(wire->index())];
        const auto picked = [&](int b) { return b >= 0 && boxes_[at(b)]->isSelected(); };
        WireLook show = wire->shown();
        show.lit = picked(w.from) || picked(w.to);
        wire->show(show);
    }
}

void CanvasScene::add_borders() {
    for (BorderItem* item : border_items_) delete item;
    border_items_.clear();
    const auto rect_of = [](const drawing::Box& b) { return QRectF(b.at.x, b.at.y, b.size.width, b.size.height); };
    for (const CanvasBorder& border : borders_) {
        std::vector<QPointF> line;
        for (const drawing::Point& p : drawing::border_line(drawing_, hierarchy_, border.behind, border.counts))
            line.emplace_back(p.x, p.y);
        if (line.empty()) continue;
        auto* item = new BorderItem(border, std::move(line), look_);
        std::vector<QRectF> through;
        for (const drawing::Box& b : drawing_.boxes) {
            const double y = item->height_at(b.at.x + b.size.width / 2);
            if (!b.open && b.at.y < y && y < b.at.y + b.size.height) through.push_back(rect_of(b));
        }
        item->set_through(std::move(through));
        item->setZValue(1000);
        border_items_.push_back(item);
        addItem(item);
    }
    see_borders(seen_scale_, seen_left_);
    emit borders_changed();
}

void CanvasScene::see_borders(double scale, double left) {
    seen_scale_ = scale;
    seen_left_ = left;
    place_names(scale, left);
}

void CanvasScene::place_names(double scale, double left) {
    if (border_items_.empty()) return;
    std::vector<double> wanted;
    for (const BorderItem* item : border_items_) wanted.push_back(item->wanted_height());
    const double words = std::max(1.0, 1 / scale);
    const auto places = drawing::spread(wanted, BorderItem::tag_side * words);
    for (std::size_t i = 0; i < places.size(); ++i) border_items_[i]->see(scale, left, places[i]);
}

}  // namespace scalescope::ui
