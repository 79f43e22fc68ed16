// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/hugging_face/drawer.hpp"

#include <algorithm>

#include "core/base/limits.hpp"
#include "core/base/name_list.hpp"

namespace scalescope::formats::hugging_face {
namespace {

constexpr int deepest_block = 32;
constexpr std::size_t deepest_figure = 64;

std::string as_name(const Value& value) { return value.word() ? *value.word() : std::string(); }

/// Whether the layer or a block around it has one of the names: "h0/attention/q" is inside "attention".
bool is_inside_one_of(std::string_view layer, Names names) {
    for (;;) {
        const std::size_t slash = layer.find('/');
        if (is_among(layer.substr(0, slash), names)) return true;
        if (slash == std::string_view::npos) return false;
        layer.remove_prefix(slash + 1);
    }
}

}  // namespace

Value Drawer::fault(const SourcePosition& at, std::string what, std::string remedy) {
    // What is missing or wrong in the configuration is the reason, and is reported itself.
    if (!stopped_ && !(instance_ && instance_->config.is_wrong()))
        problems_.error(at, {}, std::move(what), std::move(remedy));
    stopped_ = true;
    return {};
}

bool Drawer::step(const SourcePosition& at) {
    if (++steps_ == limits::family_steps)
        fault(at, "Drawing the network takes too many steps.", "Repeat fewer lines, or choose smaller figures.");
    return !stopped_;
}

bool Drawer::has(const std::string& name) {
    for (const Frame* f = frame_; f; f = f->outer)
        if (const auto it = f->names.find(name); it != f->names.end()) return !it->second.none();
    const Figure* figure = find_in(instance_->line.figures, name);
    if (!figure || figure->keys.empty()) return false;
    const auto found = instance_->config.find(figure->keys);
    return found && !Config::is_absent(*figure, *found);
}

Value Drawer::value_of(const std::string& name, const SourcePosition& at) {
    if (!step(at)) return {};
    for (const Frame* f = frame_; f; f = f->outer)
        if (const auto it = f->names.find(name); it != f->names.end()) return it->second;
    if (const auto it = frame_->figures.find(name); it != frame_->figures.end()) return it->second;
    const Figure* found = find_in(instance_->line.figures, name);
    if (!found)
        return fault(at, "There is no figure " + quoted(name) + ".",
                     "Write it under \"figures\", or correct the name.");
    if (std::find(active_.begin(), active_.end(), name) != active_.end())
        return fault(at, "The figure " + quoted(name) + " depends on itself.", "Let one of the figures be a number.");
    if (active_.size() == deepest_figure)
        return fault(at, "Too many figures depend on each other.", "Use fewer of them.");
    active_.push_back(name);
    Value value = figure(name, *found);
    active_.pop_back();
    frame_->figures[name] = value;
    return value;
}

Value Drawer::figure(const std::string& name, const Figure& f) {
    const Expression* otherwise = find_in(instance_->line.otherwise, name);
    if (f.keys.empty()) return otherwise ? evaluate(*otherwise, *this) : Value{};
    Config& config = instance_->config;
    const auto [stated, is_new] = instance_->stated.try_emplace(&f);
    if (is_new)
        if (const auto found = config.find(f.keys); found && !Config::is_absent(f, *found))
            stated->second = of_words(f, name, config.read(f, *found));
    if (!stated->second.none()) return stated->second;
    if (!otherwise) return of_words(f, name, config.missing(f));
    Value value = evaluate(*otherwise, *this);
    const bool own_default = f.otherwise && otherwise == &*f.otherwise;
    if (!f.quiet || (f.kind == Figure::Kind::whole && !own_default))
        config.assume(f.keys, f.kind == Figure::Kind::flag ? (value.truth() ? "true" : "false") : text_of(value));
    return of_words(f, name, std::move(value));
}

Value Drawer::of_words(const Figure& f, const std::string& name, Value value) {
    if (f.words.empty() || !value.word()) return value;
    for (const auto& word : f.words)
        if (is_among(*value.word(), word.second)) return {word.first};
    std::string all;
    for (const auto& word : f.words)
        all += (all.empty() ? "" : ", ") + quoted(std::string_view(word.second).substr(0, word.second.find(' ')));
    instance_->config.error(f.keys, "There is no " + name + " " + quoted(*value.word()) + " here.",
                            "Write one of " + all + ".");
    return {f.words.front().first};
}

void Drawer::declare_symbols() {
    for (const Family* f : instance_->line.families) {
        for (const FamilySymbol& s : f->symbols) {
            const bool known = std::any_of(draft_.symbols.begin(), draft_.symbols.end(),
                                           [&](const Symbol& o) { return o.name == s.name; });
            if (known) continue;
            const Value initial = evaluate(s.initial, *this);
            if (!initial.whole() || *initial.whole() < 1 || *initial.whole() > limits::dimension)
                fault(s.initial.at, "The length " + quoted(s.name) + " cannot be " + text_of(initial) + ".",
                      "Give it a whole number from 1.");
            else
                draft_.symbols.push_back({s.name, *initial.whole(), text_of(evaluate(s.about, *this))});
        }
        if (!f->symbols.empty()) return;
    }
}

void Drawer::note_problems(bool errors, std::size_t first) {
    const auto& families = instance_->line.families;
    for (auto f = families.rbegin(); f != families.rend(); ++f)
        for (const Note& note : (*f)->notes) {
            if (note.error != errors || stopped_ || !evaluate(note.when, *this).truth()) continue;
            const Figure* figure = find_in(instance_->line.figures, note.figure);
            const std::string keys = figure && !figure->keys.empty() ? figure->keys : note.figure;
            std::string what = text_of(evaluate(note.what, *this)), remedy = text_of(evaluate(note.remedy, *this));
            mark_assumed(note, what, first);
            if (note.error)
                instance_->config.error(keys, std::move(what), std::move(remedy));
            else
                instance_->config.warn(std::move(what), std::move(remedy));
        }
}

void Drawer::mark_assumed(const Note& note, const std::string& what, std::size_t first) {
    if (note.layers.empty()) return;
    for (std::size_t l = first; l < draft_.layers.size(); ++l) {
        Layer& layer = draft_.layers[l];
        if (!is_inside_one_of(layer.name, note.layers)) continue;
        layer.assumed += (layer.assumed.empty() ? "" : " ") + what;
        if (layer.assumed.size() > limits::name_bytes)
            return (void)fault(note.what.at, "The text of an assumption is too long.", "Shorten it.");
    }
}

void Drawer::draw(const Family& family, Config& config, const std::string& architecture) {
    Instance instance{families_.lineage(family), config};
    (void)enter(instance, architecture, {});
    if (std::none_of(draft_.symbols.begin(), draft_.symbols.end(), [](const Symbol& s) { return s.name == "batch"; }))
        draft_.symbols.insert(draft_.symbols.begin(), {"batch", 1, "samples per step"});
}

LayerId Drawer::enter(Instance& instance, const std::string& architecture, const std::vector<Value>& inputs) {
    Instance* const outer = instance_;
    Frame* const outer_frame = frame_;
    Frame frame;
    frame.names["architecture"] = {architecture};
    instance_ = &instance;
    frame_ = &frame;
    const std::size_t first = draft_.layers.size();
    note_problems(true, first);
    if (!stopped_) declare_symbols();
    const Block* block = find_in(instance.line.blocks, entry_block);
    const Value made = block ? run(*block, inputs, frame) : Value{};
    if (!instance.config.is_wrong()) note_problems(false, first);
    instance_ = outer;
    frame_ = outer_frame;
    return made.layer() ? *made.layer() : LayerId{};
}

Value Drawer::run(const Block& block, const std::vector<Value>& inputs, Frame& frame) {
    Frame* const before = frame_;
    frame_ = &frame;
    for (std::size_t i = 0; i < block.inputs.size(); ++i)
        frame.names[block.inputs[i]] = i < inputs.size() ? inputs[i] : Value{};
    if (++depth_ == deepest_block) fault(block.at, "Blocks are nested too deeply.", "No block may call itself.");
    for (const Statement& s : block.statements)
        if (!stopped_) run(s);
    --depth_;
    frame_ = before;
    const auto made = frame.names.find("x");
    return made == frame.names.end() ? Value{} : made->second;
}

void Drawer::run(const Statement& s) {
    if (!step(s.at) || (s.condition && !evaluate(*s.condition, *this).truth())) return;
    if (s.callee.empty()) {
        Value value = evaluate(s.arguments.front().value, *this);
        if (!value.layer()) frame_->figures.clear();
        frame_->names[s.target] = std::move(value);
        return;
    }
    const bool block = find_in(instance_->line.blocks, s.callee) != nullptr;
    const std::string name = s.name ? text_of(evaluate(*s.name, *this)) : block ? std::string() : s.target;
    if (!s.count) {
        frame_->names[s.target] = call(s, name);
        return;
    }
    const Value count = evaluate(*s.count, *this);
    for (std::int64_t i = 0; count.whole() && i < *count.whole() && !stopped_; ++i) {
        Frame frame{frame_, {{s.repeat, {i}}}, {}};
        frame_ = &frame;
        Value made = call(s, name + std::to_string(i));
        frame_ = frame.outer;
        frame_->names[s.target] = std::move(made);
    }
}

Value Drawer::call(const Statement& s, const std::string& name) {
    if (const Block* block = find_in(instance_->line.blocks, s.callee)) return call_block(s, *block, name);
    return s.callee == "part" ? call_part(s, name) : add_layer(s, name);
}

/// The prefix and a name: "h0/attention/" and "q", or "_heads", which continues the block's own name. "_" is that name.
std::string Drawer::joined(const std::string& name) const {
    if (!name.starts_with('_')) return prefix_ + name;
    return prefix_.substr(0, prefix_.size() - (prefix_.empty() ? 0 : 1)) + (name == "_" ? "" : name);
}

std::vector<Value> Drawer::inputs_of(const Statement& s) {
    std::vector<Value> inputs;
    for (const Argument& a : s.arguments)
        if (a.name.empty()) inputs.push_back(evaluate(a.value, *this));
    return inputs;
}

Value Drawer::call_block(const Statement& s, const Block& block, const std::string& name) {
    const auto inputs = inputs_of(s);
    Frame frame{frame_, {}, {}};
    std::string weights;
    for (const Argument& a : s.arguments)
        if (a.name == "weights")
            weights = as_name(evaluate(a.value, *this));
        else if (!a.name.empty())
            frame.names[a.name] = evaluate(a.value, *this);
    const std::string before = prefix_;
    if (!name.empty()) prefix_ = joined(name) + '/';
    const std::size_t first = draft_.layers.size();
    Value made = run(block, inputs, frame);
    if (!weights.empty()) share(weights, {first, draft_.layers.size() - first});
    prefix_ = before;
    return made;
}

/// A part of the configuration with a family of its own: an encoder of images beside a decoder.
Value Drawer::call_part(const Statement& s, const std::string& name) {
    std::string key, like;
    bool outer = false;
    for (const Argument& a : s.arguments) {
        if (a.name == "key") key = as_name(evaluate(a.value, *this));
        if (a.name == "family") like = as_name(evaluate(a.value, *this));
        if (a.name == "outer") outer = evaluate(a.value, *this).truth();
    }
    const auto inputs = inputs_of(s);
    auto config = instance_->config.part(key, outer);
    if (!config) {
        instance_->config.error("model_type", "The figures of a part are in " + quoted(key) + ", which is not there.",
                                "Add the object.");
        return {};
    }
    const std::string type = like.empty() ? config->word("model_type") : like;
    const Family* family = like.empty() ? families_.of_type(type) : families_.find(like);
    if (!family) {
        config->error("model_type",
                      "The family " + quoted(type) + " of the part " + quoted(key) + " is not known here.",
                      "Open the text alone: write its part as a file of its own.");
        return {};
    }
    Instance instance{families_.lineage(*family), *config};
    if (++depth_ == deepest_block) fault(s.at, "Parts are nested too deeply.", "A part may not contain itself.");
    if (stopped_) return {};
    const std::string before = prefix_;
    if (!name.empty()) prefix_ = joined(name) + '/';
    const LayerId made = enter(instance, {}, inputs);
    prefix_ = before;
    --depth_;
    return made.value > 0 ? Value{made} : Value{};
}

/// Repetitions of a block use the weights of the first one that was drawn with the same word.
void Drawer::share(const std::string& weights, Drawn drawn) {
    const auto [owner, is_new] = shared_.emplace(weights, drawn);
    if (is_new) return;
    for (std::size_t i = 0; i < drawn.count && i < owner->second.count; ++i) {
        const Layer& theirs = draft_.layers[owner->second.first + i];
        Layer& layer = draft_.layers[drawn.first + i];
        if (layer.kind == theirs.kind && layer.shares_weights_with == LayerId{} &&
            is_among(layer.kind->name, "dense layer_norm rms_norm convolution embedding parameter mixture_of_experts"))
            layer.shares_weights_with = theirs.id;
    }
}

}  // namespace scalescope::formats::hugging_face
