// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/onnx/converter.hpp"

#include <algorithm>

#include "core/base/limits.hpp"
#include "core/base/listed.hpp"
#include "core/network/attributes.hpp"

namespace scalescope::formats::onnx {
namespace {

constexpr std::size_t most_named = 5;  ///< operators in one message

Conversion find_conversion(std::string_view op) {
    static const FamilyTable<Conversion> table{
        window_conversions(),   product_conversions(),  elementwise_conversions(), normalization_conversions(),
        movement_conversions(), sequence_conversions(), choice_conversions(),      attention_conversions()};
    return table.find(op);
}

/// A file may say anything: no heads, a stride of 0. Kinds count on values in their range.
bool in_range(std::string_view kind, const DraftBuilder::Givens& given) {
    const Kind* k = find_kind(kind);
    return k && std::ranges::all_of(given, [&](const DraftBuilder::Given& g) {
               const AttributeInfo* info = find_attribute(*k, g.name);
               return info && !about_value(*info, g.value);
           });
}

}  // namespace

Converter::Converter(const Trace& trace, const Plan& plan, const std::string& file, ProblemList& problems,
                     const Watch& watch)
    : trace_(trace),
      plan_(plan),
      file_(file),
      problems_(problems),
      watch_(watch),
      builder_(problems),
      patterns_(find_patterns(trace)),
      readers_(readers_of(trace)),
      places_(trace.tensors.size()),
      side_(trace.tensors.size(), false),
      open_(trace.tensors.size(), false) {}

// --- what an operator reads ---

bool Converter::is_stored(int s) const { return s < 0 || slot(s).stored || side_[static_cast<std::size_t>(s)]; }

bool Converter::closed(int s) const {
    const Value& v = value(s);
    const std::int64_t n = v.count();
    const bool bounded = std::ranges::all_of(v.dims, [](std::int64_t d) { return d <= limits::dimension; });
    return v.form == Value::Form::tensor && n > 0 && n <= limits::elements && v.rank() < limits::rank && bounded;
}

Sample Converter::sample(int s) const {
    Sample out{value(s).dims, trace_.axis(s, 1)};
    if (out.batch < 0) return out;
    std::int64_t& d = out.dims[static_cast<std::size_t>(out.batch)];
    if (d % plan_.batch == 0)
        d /= plan_.batch;
    else
        out.batch = -1;
    return out;
}

Dims Converter::numbers(std::size_t i, std::string_view attribute) const {
    if (input(i) >= 0) return value(input(i)).whole;
    return node().said(attribute).integers;
}

std::optional<double> Converter::number(std::size_t i, std::string_view attribute) const {
    if (input(i) >= 0 && value(input(i)).known && value(input(i)).count() == 1) return value(input(i)).number(0);
    const Attribute* a = node().find(attribute);
    return a ? std::optional(a->number) : std::nullopt;
}

std::int64_t Converter::integer(std::string_view name, std::int64_t otherwise) const {
    const Attribute* a = node().find(name);
    return a ? a->integer : otherwise;
}

std::size_t Converter::make_input(int s) {
    const Slot& in = slot(s);
    const std::size_t rank = in.base().dims.size();
    Order order = natural_order(rank);
    // Images lie as their first reader takes them, so that nothing has to be moved.
    for (const std::size_t r : readers_[static_cast<std::size_t>(s)]) {
        const std::string op = r < trace_.items.size() ? trace_.items[r].node->op : std::string();
        const bool windows =
            op.find("Conv") != std::string::npos || op.find("Pool") != std::string::npos || op == "BatchNormalization";
        if (windows || (rank == 4 && op != "Transpose")) order = channels_last(rank);
        break;
    }
    const auto made = builder_.add(builder_.unique_name(in.name, "input"), {file_, 0, 0}, "input",
                                   {{"shape", batch_of(sample(s).shape(order))}}, {});
    places_[static_cast<std::size_t>(s)] = Place{made.value_or(0), order};
    return made.value_or(0);
}

const Converter::Place& Converter::place(int s) {
    auto& at = places_[static_cast<std::size_t>(s)];
    if (!at && is_stored(s)) {
        const Order order = natural_order(value(s).dims.size());
        at = Place{make_parameter(s, order), order};
    }
    if (!at) make_input(s);
    return *at;
}

std::size_t Converter::shown_as(std::size_t layer, const Shape& shape) {
    if (builder_.shape(layer) == shape) return layer;
    const std::string name = builder_.layer(layer).name + "/view";
    const auto made = builder_.try_add(builder_.unique_name(name, "view"), {file_, 0, 0}, "reshape",
                                       {{"shape", batch_of(shape)}}, {layer});
    return made ? *made : layer;
}

void Converter::show_in(int s, std::size_t layer) {
    const Shape own = sample_shape(s);
    if (elements(own) == elements(shape(layer))) set_place(s, shown_as(layer, own));
}

std::size_t Converter::arranged(int s, const Order& order) {
    const Place from = place(s);
    const Sample is = sample(s);
    const Shape wanted = is.shape(order);
    if (same_layout(is, from.order, order)) return shown_as(from.layer, wanted);
    std::vector<std::int64_t> permutation;  // of the axes our layer has
    Order have;
    for (const std::size_t a : from.order)
        if (static_cast<int>(a) != is.batch || is.dims[a] != 1) have.push_back(a);
    for (const std::size_t a : order)
        for (std::size_t k = 0; k < have.size(); ++k)
            if (have[k] == a) permutation.push_back(static_cast<std::int64_t>(k) + 1);  // the batch is 0
    const std::string name = builder_.unique_name(builder_.layer(from.layer).name + "/transpose", "transpose");
    if (find_kind("transpose"))
        if (const auto made = builder_.try_add(name, {file_, 0, 0}, "transpose", {{"permutation", permutation}},
                                               {from.layer}, &wanted))
            return shown_as(*made, wanted);
    return shown_as(from.layer, wanted);
}

// --- what becomes of it ---

std::string Converter::layer_name(const Item& of) const {
    std::string name = of.node->name.empty() ? of.node->op : of.node->name;
    if (!of.path.empty()) name = of.path + '/' + name;
    while (!name.empty() && name.front() == '/') name.erase(0, 1);
    return name.empty() ? of.node->op : name;
}

bool Converter::become(std::string_view kind, const Givens& given, const std::vector<std::size_t>& inputs,
                       const Order& order, std::size_t o) {
    const Item& of = made_for_ ? *made_for_ : *item_;
    const int slot_made = o < of.outputs.size() ? of.outputs[o] : -1;
    if (slot_made < 0 || !in_range(kind, given)) return false;
    const Shape expected = sample(slot_made).shape(order);
    // The name is taken only by a layer that comes to be.
    auto made = builder_.try_add("?", {file_, 0, 0}, kind, given, inputs, &expected);
    if (!made) return false;
    builder_.draft().layers[*made].name = builder_.unique_name(layer_name(*item_), item_->node->op);
    last_ = *made;
    places_[static_cast<std::size_t>(slot_made)] = Place{shown_as(*made, expected), order};
    return true;
}

bool Converter::become_shown(std::string_view kind, const Givens& given, const std::vector<std::size_t>& inputs) {
    const auto made = helper("", kind, given, inputs);
    if (!made) return false;
    rename(*made);
    if (elements(sample_shape(output())) != elements(shape(*made))) return false;
    show_in(output(), *made);
    return true;
}

std::optional<std::size_t> Converter::helper(std::string_view suffix, std::string_view kind, const Givens& given,
                                             const std::vector<std::size_t>& inputs) {
    if (!in_range(kind, given)) return std::nullopt;
    const auto made = builder_.try_add("?", {file_, 0, 0}, kind, given, inputs);
    if (!made) return std::nullopt;
    builder_.draft().layers[*made].name = builder_.unique_name(layer_name(*item_) + '/' + std::string(suffix), "part");
    last_ = *made;
    return *made;
}

void Converter::alias(int s, Order order, std::size_t o) {
    if (output(o) < 0) return;
    places_[static_cast<std::size_t>(output(o))] = Place{place(s).layer, std::move(order)};
}

bool Converter::is_read(int s) const {
    const auto& all = readers_[static_cast<std::size_t>(s)];
    return std::ranges::any_of(all, [&](std::size_t r) { return r < trace_.items.size(); });
}

void Converter::view(int s, std::size_t o) {
    if (output(o) < 0) return;
    const Sample from = sample(s), to = sample(output(o));
    const Place& at = place(s);
    auto order = view_order(from, at.order, to);
    const Shape flat = sample_shape(output(o));
    const bool line = std::ranges::count_if(flat, [](auto d) { return d != 1; }) <= 1;
    // A row of all elements is the same row in any order of theirs.
    if (!order && line) order = natural_order(to.dims.size());
    const std::size_t layer = order ? at.layer : natural(s);
    if (!order) order = natural_order(to.dims.size());
    places_[static_cast<std::size_t>(output(o))] = Place{shown_as(layer, to.shape(*order)), *order};
}

void Converter::become_unknown() {
    std::vector<std::size_t> inputs;
    for (const int s : item_->inputs)
        if (s >= 0 && is_data(s) && closed(s) && !open_[static_cast<std::size_t>(s)]) inputs.push_back(place(s).layer);
    if (inputs.empty()) return leave_out();
    made_for_ = nullptr;
    bool any = false;
    for (std::size_t o = 0; o < item_->outputs.size(); ++o) {
        const int s = output(o);
        if (s < 0 || places_[static_cast<std::size_t>(s)]) continue;
        if (readers_[static_cast<std::size_t>(s)].empty() && o > 0) continue;
        if (!closed(s)) {
            open_[static_cast<std::size_t>(s)] = true;
            continue;
        }
        const Order order = natural_order(value(s).dims.size());
        any = become("unknown", {{"type", node().op}, {"shape", batch_of(sample(s).shape(order))}}, inputs, order, o) ||
              any;
    }
    std::vector<int> lost;
    for (const std::size_t i : weight_places(node()))
        if (i < item_->inputs.size() && input(i) >= 0 && slot(input(i)).stored) lost.push_back(input(i));
    if (any && !lost.empty())
        warn("Its weights are not counted: it has no kind here.", "Read its parameters in the file, and add them.");
    if (!any) leave_out();
}

void Converter::leave_out() {
    for (const int s : item_->outputs)
        if (s >= 0) open_[static_cast<std::size_t>(s)] = true;
    left_out_.push_back(node_name(node()));
}

void Converter::warn(std::string what, std::string remedy) {
    problems_.warning({file_, 0, 0}, node_path(node()), std::move(what), std::move(remedy));
}

const Item* Converter::only_reader(std::size_t o) const {
    const int s = output(o);
    if (s < 0) return nullptr;
    const auto& all = readers_[static_cast<std::size_t>(s)];
    return all.size() == 1 && all[0] < trace_.items.size() ? &trace_.items[all[0]] : nullptr;
}

void Converter::absorb(const Item& later) { done_.insert(static_cast<std::size_t>(&later - trace_.items.data())); }

bool Converter::all_alike(const std::vector<int>& some) const {
    return std::ranges::all_of(some, [&](int s) {
        return sample(s).dims == sample(some[0]).dims && sample(s).batch == sample(some[0]).batch;
    });
}

// --- all of them ---

bool Converter::convert() {
    for (std::size_t i = 0; i < trace_.items.size(); ++i) {
        if (i % 64 == 0) {
            watch_.progress(static_cast<double>(i) / static_cast<double>(trace_.items.size()));
            if (watch_.cancel.cancelled()) {
                problems_.error({file_, 0, 0}, {}, "Reading was cancelled.", "Open the file again to read all of it.");
                return false;
            }
        }
        now_ = i;
        convert_item(i);
    }
    builder_.draft().symbols.push_back(
        {"batch", plan_.fixed_batch ? std::clamp<std::int64_t>(plan_.batch, 1, limits::batch) : 1, "samples per step"});
    say_what_differs();
    return builder_.size() > 0;
}

void Converter::convert_item(std::size_t i) {
    item_ = &trace_.items[i];
    made_for_ = nullptr;
    last_.reset();
    const bool any_data = std::ranges::any_of(item_->inputs, [&](int s) { return s >= 0 && is_data(s); });
    if (!any_data || patterns_.absorbed.count(i) || done_.count(i)) {
        // What follows from numbers that are not priced is not priced either.
        for (const int s : item_->outputs)
            if (s >= 0 && !any_data) side_[static_cast<std::size_t>(s)] = true;
        return;
    }
    // Only tensors are priced: neither their sizes nor the sequences they are put into.
    const bool shapeless = node().op == "Shape" || node().op == "Size" || node().op == "SequenceLength";
    if (shapeless || (output() >= 0 && slot(output()).itemized)) return;
    for (const int s : item_->inputs) {
        if (s < 0 || is_stored(s)) continue;
        // Whether it is priced at all depends on sizes that only the data know.
        if (open_[static_cast<std::size_t>(s)] || !closed(s)) return leave_out();
    }
    if (const auto it = patterns_.fused.find(i); it != patterns_.fused.end() && convert_fused(it->second)) return;
    const bool sized = std::ranges::any_of(item_->outputs, [&](int s) { return s >= 0 && closed(s); });
    if (!sized) return leave_out();
    const Conversion conversion = node().domain == own_domain ? own_layer : find_conversion(node().op);
    if (conversion && (output() < 0 || closed(output())) && conversion(*this)) return place_further_outputs();
    become_unknown();
}

void Converter::place_further_outputs() {
    std::optional<std::size_t> first;
    for (std::size_t o = 0; o < item_->outputs.size() && !first; ++o)
        if (output(o) >= 0 && places_[static_cast<std::size_t>(output(o))]) first = o;
    if (!first) return;
    const int made = output(*first);
    bool lost = false;
    for (std::size_t o = 0; o < item_->outputs.size(); ++o) {
        const int s = output(o);
        if (s < 0 || places_[static_cast<std::size_t>(s)] || is_stored(s)) continue;
        if (value(s).dims == value(made).dims)
            places_[static_cast<std::size_t>(s)] = places_[static_cast<std::size_t>(made)];
        else
            lost = lost || is_read(s);
    }
    if (lost) become_unknown();  // those that have no place yet
}

bool Converter::convert_fused(const Fused& f) {
    const Order order = natural_order(value(f.input).dims.size());
    if (f.what == Fused::What::activation)
        return become("activation", {{"function", f.function}}, {place(f.input).layer}, place(f.input).order);
    const bool layer = f.what == Fused::What::layer_norm;
    Givens given{{"scale", f.scale >= 0}};
    if (layer) given.push_back({"bias", f.bias >= 0});
    return become(layer ? "layer_norm" : "rms_norm", given, {natural(f.input)}, order) && weights({f.scale, f.bias});
}

void Converter::say_what_differs() {
    const SourcePosition at{file_, 0, 0};
    if (!trace_.kept_batch.empty())
        problems_.warning(
            at, {},
            "The batch is written into " + listed(trace_.kept_batch, most_named) + ", whose output stays as it is.",
            "Export the model with an open batch.");
    if (!left_out_.empty())
        problems_.warning(at, {},
                          std::to_string(left_out_.size()) + (left_out_.size() == 1 ? " node works" : " nodes work") +
                              " on what has no size before the data are known, and " +
                              (left_out_.size() == 1 ? "is" : "are") + " left out: " + listed(left_out_, most_named) +
                              ".",
                          "Read the times without them, or export the model with fixed sizes.");
    if (folded_ > 0)
        problems_.warning(at, {},
                          std::to_string(folded_layers_) +
                              " convolutions have a bias and a number for a name, as exporters name weights into which "
                              "they have folded a batch normalization; a network in training has " +
                              std::to_string(folded_) + " parameters more, and the normalizations.",
                          "Export the model in training mode to price its training.");
    for (const auto& [text, times] : notes_)
        problems_.warning(at, {}, std::to_string(times) + (times == 1 ? " node: " : " nodes: ") + text.first,
                          text.second);
}

}  // namespace scalescope::formats::onnx
