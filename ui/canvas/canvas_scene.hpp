// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGraphicsScene>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/drawing/drawing.hpp"
#include "core/estimate/dividing.hpp"
#include "core/network/sketch.hpp"
#include "ui/canvas/border_item.hpp"
#include "ui/canvas/colouring.hpp"

namespace scalescope::ui {

/// A position, or the number of a box, wire or item, as an index.
constexpr std::size_t at(int position) { return static_cast<std::size_t>(position); }

class BoxItem;
class WireItem;
struct Theme;

/// The network as boxes and wires: what is unfolded, what is selected, what the boxes are coloured by. Where they stand
/// is core's affair. Boxes are named by their paths (drawing::Item::path), which survive edits.
class CanvasScene final : public QGraphicsScene {
    Q_OBJECT
public:
    explicit CanvasScene(QObject* parent = nullptr);
    ~CanvasScene() override;

    /// What is unfolded and selected stays so, as far as it is still there. `fresh`: another network, not an edited
    /// one.
    void set_network(std::shared_ptr<const Sketch> sketch, bool fresh);
    /// By position; empty: nothing is priced. `known`: which of them have figures at all; empty: every one.
    void set_measures(std::vector<LayerMeasures> layers, std::vector<char> known = {});
    /// Some of these layers have figures.
    bool knows(const std::vector<int>& layers) const;
    /// What each worker has of the layers whose outputs are divided, by position; empty: none are. Shown with the
    /// measures that are set next.
    void set_shares(std::vector<std::optional<OutputShare>> shares, int workers);
    const std::vector<std::optional<OutputShare>>& shares() const { return shares_; }
    int workers() const { return workers_; }
    /// Lines between parts of the work.
    void set_borders(std::vector<CanvasBorder> borders);
    const std::vector<BorderItem*>& borders() const { return border_items_; }
    /// At what scale and from where the borders are looked at, so that their names can be read.
    void see_borders(double scale, double left);
    void set_colouring(Colouring by);
    Colouring colouring() const { return by_; }
    const drawing::Ramp& ramp() const { return ramp_; }
    bool priced() const { return !layer_measures_.empty(); }
    /// Why there are no figures; nobody asks while there are some.
    void set_unpriced(const QString& reason);
    const QString& unpriced() const { return unpriced_; }

    const std::shared_ptr<const Sketch>& sketch() const { return sketch_; }
    const drawing::Hierarchy& hierarchy() const { return hierarchy_; }
    const drawing::Drawing& drawing() const { return drawing_; }
    const std::vector<BoxItem*>& boxes() const { return boxes_; }
    const std::vector<WireItem*>& wires() const { return wires_; }
    const drawing::Item& item_of(const BoxItem& box) const;
    LayerMeasures measures_of(const BoxItem& box) const;
    LayerMeasures measures_of_layers(const std::vector<int>& layers) const { return sum_over(layer_measures_, layers); }
    /// The box that shows this path, or null while it is folded away.
    BoxItem* box(const std::string& path) const;
    /// The box a layer is seen in: its own, or the folded block around it.
    BoxItem* box_of_layer(int position) const;
    /// Boxes that are no unfolded blocks.
    int closed_boxes() const;

    bool is_open(const std::string& path) const { return open_.contains(path); }
    const std::set<std::string>& open() const { return open_; }
    void set_open(std::set<std::string> paths);
    void toggle(const std::string& path);
    void fold_all();
    void unfold_all();
    /// Unfolds all that a path is in. True if something had to be.
    bool reveal(const std::string& path);

    std::vector<std::string> selected() const;
    void select(const std::vector<std::string>& paths);
    /// Of all boxes that are selected: the layers in them, ascending.
    std::vector<int> selected_layers() const;
    void set_hovered_layer(int position);

    /// An input of a layer, and what it reads.
    struct Connection {
        LayerId source, reader;
        int input = 0;
    };
    /// What a wire stands for: several, if a block is at its end.
    std::vector<Connection> connections_of(int wire) const;
    std::vector<Connection> selected_connections() const;
    /// Indices of those on which the tensor of a fault goes to the layer that it does not fit, or to the block around
    /// that.
    std::vector<int> wires_of(const Fault& fault) const;
    /// Paths of the layers whose name or kind has `text` in it, in the order of the network; all others are dimmed.
    std::vector<std::string> search(const QString& text);

    /// The theme in force, or what an export asks for.
    const Theme& look() const { return *look_; }
    void set_look(const Theme* look);  ///< nullptr: the theme in force

signals:
    void laid_out();           ///< boxes are new ones
    void selection_changed();  ///< by a hand or by select()
    void recoloured();
    void borders_changed();

private:
    void lay_out();
    bool carries(const drawing::Wire& wire, const Fault& fault, int source) const;
    void paint_boxes();
    void show_lit();
    void add_borders();
    void set_room();
    void place_names(double scale, double left);
    std::shared_ptr<const Sketch> sketch_;
    drawing::Hierarchy hierarchy_;
    drawing::Drawing drawing_;
    std::vector<int> item_of_layer_;  ///< by position: its item
    std::set<std::string> open_;
    std::vector<LayerMeasures> layer_measures_, item_measures_;
    std::vector<std::optional<OutputShare>> shares_;
    int workers_ = 1;
    std::vector<char> known_;  ///< by position: in the network that is priced
    std::vector<CanvasBorder> borders_;
    drawing::Ramp ramp_;
    Colouring by_ = Colouring::time;
    std::vector<BoxItem*> boxes_;
    std::vector<WireItem*> wires_;
    std::vector<BorderItem*> border_items_;
    double seen_scale_ = 1, seen_left_ = -1e9;
    std::vector<int> box_of_item_;  ///< -1: folded away
    QString search_, unpriced_;
    const Theme* look_;
    bool quiet_ = false;
};

}  // namespace scalescope::ui
