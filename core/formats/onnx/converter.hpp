// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/draft_builder.hpp"
#include "core/formats/onnx/family_table.hpp"
#include "core/formats/onnx/onnx_import.hpp"
#include "core/formats/onnx/plan.hpp"
#include "core/formats/onnx/trace.hpp"
#include "core/formats/onnx/value.hpp"
#include "core/network/layer.hpp"

/// ONNX's axes (batch and channels first) against ours (no batch, channels last). A tensor keeps ONNX's dimensions of
/// one sample, the batch's axis among them with what one sample has of it (1, or more where it is merged with another),
/// and an order in which our layer has those axes. So most transposes of ONNX are no work: only the order changes.
namespace scalescope::formats::onnx {

using Order = std::vector<std::size_t>;

Order natural_order(std::size_t rank);
/// Batch, then space, then channels.
Order channels_last(std::size_t rank);
/// What is left of `order` without the axes `gone`, which `keep` leaves there with a length of 1.
Order order_without(const Order& order, const std::vector<std::size_t>& gone, bool keep = false);

struct Sample {
    Dims dims;       ///< in ONNX's order, of one sample
    int batch = -1;  ///< the axis of the batch
    /// As our layer has it: in `order`, without the batch's axis where that is 1.
    Shape shape(const Order& order) const;
};

/// Our number of an axis: the batch is 0, and axes come in the order our layer has them.
std::int64_t our_axis(const Sample& sample, const Order& order, std::size_t axis);

/// Whether both orders put the elements one after the other alike.
bool same_layout(const Sample& sample, const Order& a, const Order& b);

/// The order in which the axes of `to` stand if `from`, laid out in `order`, is seen as `to` without moving an element;
/// nothing if that cannot be.
std::optional<Order> view_order(const Sample& from, const Order& order, const Sample& to);

/// Makes layers of a trace. Each operator's own part is a function of the table in conversions.hpp.
class Converter {
public:
    Converter(const Trace& trace, const Plan& plan, const std::string& file, ProblemList& problems, const Watch& watch);

    /// False: nothing that could be priced.
    bool convert();
    NetworkDraft& draft() { return builder_.draft(); }
    OnnxCounts counts();

    using Givens = DraftBuilder::Givens;

    /// Where a value lies: a layer, and the order in which it has ONNX's axes.
    struct Place {
        std::size_t layer;
        Order order;
    };

    // --- what an operator reads ---
    const Item& item() const { return *item_; }
    const Node& node() const { return *item_->node; }
    int input(std::size_t i) const { return i < item_->inputs.size() ? item_->inputs[i] : -1; }
    int output(std::size_t i = 0) const { return i < item_->outputs.size() ? item_->outputs[i] : -1; }
    const Value& value(int slot) const { return trace_.tensors[static_cast<std::size_t>(slot)].base(); }
    const Slot& slot(int s) const { return trace_.tensors[static_cast<std::size_t>(s)]; }
    /// Comes from the file alone, or is a number or two that follow from the data.
    bool is_stored(int slot) const;
    bool is_data(int slot) const { return slot >= 0 && !is_stored(slot); }
    Sample sample(int slot) const;
    /// One sample of it as our layers have it, in ONNX's order.
    Shape sample_shape(int slot) const { return sample(slot).shape(natural_order(value(slot).dims.size())); }
    std::int64_t integer(std::string_view name, std::int64_t otherwise) const;
    /// Whole numbers that input `i` has, or the attribute in older opsets; empty: neither is there.
    Dims numbers(std::size_t i, std::string_view attribute) const;
    /// A number that input `i` has, if it is known, or the attribute.
    std::optional<double> number(std::size_t i, std::string_view attribute) const;
    /// The layer that has `slot` in `order`, moved there if need be; of a stored value, a trained tensor.
    std::size_t arranged(int slot, const Order& order);
    std::size_t natural(int slot) { return arranged(slot, natural_order(value(slot).dims.size())); }
    /// As it lies.
    const Place& place(int slot);
    /// A layer that shows `slot` in the shape `shape`, whose elements lie alike.
    std::size_t shown_as(std::size_t layer, const Shape& shape);

    // --- what becomes of it ---
    /// The layer that makes output `o`, laid out in `order`; false: the kind does not make that shape, nothing
    /// happened.
    bool become(std::string_view kind, const Givens& given, const std::vector<std::size_t>& inputs, const Order& order,
                std::size_t o = 0);
    bool become(std::string_view kind, const Givens& given, const std::vector<std::size_t>& inputs) {
        return become(kind, given, inputs, natural_order(value(output()).dims.size()));
    }
    /// The layer that makes the elements of the output, which is shown in its own shape.
    bool become_shown(std::string_view kind, const Givens& given, const std::vector<std::size_t>& inputs);
    /// A layer on the way there, with a name of its own.
    std::optional<std::size_t> helper(std::string_view suffix, std::string_view kind, const Givens& given,
                                      const std::vector<std::size_t>& inputs);
    /// `slot` lies in `layer`, by default in ONNX's order.
    void set_place(int slot, std::size_t layer) { set_place(slot, layer, natural_order(value(slot).dims.size())); }
    /// It lies in `layer`, shown in its own shape, if it has as many elements.
    void show_in(int slot, std::size_t layer);
    bool has_place(int slot) const { return places_[static_cast<std::size_t>(slot)].has_value(); }
    /// What a layer made before gives.
    const Shape& shape(std::size_t layer) const { return builder_.shape(layer); }
    void set_place(int slot, std::size_t layer, Order order) {
        places_[static_cast<std::size_t>(slot)] = Place{layer, std::move(order)};
    }
    /// The layer gets the name of the node, not that of a part.
    void rename(std::size_t layer) {
        builder_.draft().layers[layer].name = builder_.unique_name(layer_name(*item_), item_->node->op);
    }
    /// `slot` is not priced, nor what follows from it alone.
    void set_aside(int slot) { side_[static_cast<std::size_t>(slot)] = true; }
    /// Somebody uses it inside the model.
    bool is_read(int slot) const;
    /// A stored value as one sample has it: its trained tensor, where that is the same but for the batch.
    std::optional<std::size_t> stored_sample(int slot, const Sample& as, const Order& order);
    /// Output `o` is the same elements as `slot`, in another order of axes or shape.
    void alias(int slot, Order order, std::size_t o = 0);
    void view(int slot, std::size_t o = 0);
    void become_unknown();
    /// The last layer made uses these stored values as its weights. The second to use the same shares them. True, to be
    /// returned.
    bool weights(const std::vector<int>& slots);
    void statistics(const std::vector<int>& slots);
    void warn(std::string what, std::string remedy);
    /// Said once for the whole file, with how many operators it is true of.
    void note(const std::string& what, const std::string& remedy) { ++notes_[{what, remedy}]; }
    /// An embedding's table, and a product's weights that may be that table again.
    void table(int slot);
    void may_repeat_table(int slot);
    void folded(std::int64_t channels) {
        folded_ += channels;
        ++folded_layers_;
    }

    /// The only item that reads output `o`, if there is one and it is no output of the model.
    const Item* only_reader(std::size_t o = 0) const;
    /// That item is done with the layer just made, which makes its output.
    void absorb(const Item& later);
    void now_makes(const Item& later) { made_for_ = &later; }
    /// As many numbers of the file are behind it as it has itself, or they are rows of a table: it was not computed
    /// from a few.
    bool is_full(int slot);
    /// A number written into the graph (a Constant), not one of its initializers.
    bool is_written(int slot);
    bool all_alike(const std::vector<int>& slots) const;

private:
    void prepare();
    void convert_item(std::size_t i);
    /// Further results of a layer: of the shape of the first, they are its too.
    void place_further_outputs();
    bool convert_fused(const Fused& fused);
    bool closed(int slot) const;
    void leave_out();
    std::string layer_name(const Item& item) const;
    void mark(int slot, std::set<int>& into);
    std::set<int> trained_of(int slot);
    void say_what_differs();
    std::size_t make_input(int slot);
    std::size_t make_parameter(int slot, const Order& order);
    /// The table whose rows a stored value has again and again, as a position for each pair has (Swin); −1: none.
    int looked_up_table(int slot);
    std::optional<std::vector<int>> leaves(int slot);

    const Trace& trace_;
    const Plan& plan_;
    const std::string& file_;
    ProblemList& problems_;
    const Watch watch_;
    DraftBuilder builder_;
    Patterns patterns_;
    std::vector<std::vector<std::size_t>> readers_;
    std::vector<std::optional<Place>> places_;  ///< by slot
    std::vector<bool> side_;                    ///< by slot: numbers that follow from the data and are not priced
    std::vector<bool> open_;                    ///< by slot: of no size that could be known
    const Item* item_ = nullptr;
    const Item* made_for_ = nullptr;  ///< the item whose output the next layer makes
    std::size_t now_ = 0;
    std::optional<std::size_t> last_;  ///< the layer made last for this item
    std::set<std::size_t> done_;
    std::map<std::pair<int, Order>, std::size_t> parameters_;
    std::map<std::vector<int>, std::size_t> owners_;  ///< layers by their weights
    std::set<int> trained_, statistics_;
    std::map<int, std::int64_t> used_;  ///< numbers of each stored value that layers have as weights of their own
    std::vector<std::pair<std::int64_t, std::string>> tables_;  ///< embeddings: their size and name
    std::int64_t tied_ = 0;
    std::map<std::pair<std::string, std::string>, int> notes_;
    std::vector<std::string> left_out_;
    std::int64_t folded_ = 0;
    int folded_layers_ = 0;
};

/// Gather from data at places that the file says; from a table at places in the data it is an embedding.
bool pick(Converter& converter);

/// The layer that a node of this program's own was written from, with what was changed since.
bool own_layer(Converter& converter);

using Conversion = bool (*)(Converter&);
using ConversionRow = FamilyRow<Conversion>;
/// The families, one file each. A conversion that returns false leaves its operator to be of kind "unknown".
std::span<const ConversionRow> window_conversions();
std::span<const ConversionRow> product_conversions();
std::span<const ConversionRow> elementwise_conversions();
std::span<const ConversionRow> normalization_conversions();
std::span<const ConversionRow> movement_conversions();
std::span<const ConversionRow> sequence_conversions();
std::span<const ConversionRow> choice_conversions();
std::span<const ConversionRow> attention_conversions();

}  // namespace scalescope::formats::onnx
