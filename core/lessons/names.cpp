// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/names.hpp"

#include "core/base/sequences.hpp"
#include "core/base/suggest.hpp"
#include "core/lessons/name_values.hpp"
#include "core/scenario/symbol_fields.hpp"

namespace scalescope::lessons {
namespace detail {
namespace {

constexpr std::string_view start_prefix = "start.", layer_prefix = "layer.", total_prefix = "total.",
                           symbol_prefix = "symbols.";

bool is_number(const Field& f) {
    return f.type == FieldType::integer || f.type == FieldType::number || f.type == FieldType::boolean;
}
bool is_choice(const Field& f) {
    return f.type == FieldType::choice || f.type == FieldType::device || f.type == FieldType::link ||
           f.type == FieldType::machine || f.type == FieldType::layer;
}

bool resolve_in_design(std::string_view name, Reference& r) {
    using Kind = Reference::Kind;
    if (name.starts_with(layer_prefix) || name.starts_with(total_prefix)) {
        const bool total = name.starts_with(total_prefix);
        const auto dot = name.rfind('.');
        r.kind = total ? Kind::total : Kind::layer;
        r.layer_figure = find_by(all_layer_figures(), name.substr(dot + 1), &LayerFigure::name);
        if (!total && dot > layer_prefix.size()) r.layer = name.substr(layer_prefix.size(), dot - layer_prefix.size());
        return r.layer_figure && (total ? dot + 1 == total_prefix.size() : !r.layer.empty());
    }
    if (name.starts_with(symbol_prefix)) {
        r.kind = Kind::symbol;
        r.symbol = name;
        return true;
    }
    if (const Field* field = find_field(name)) {
        r.kind = is_number(*field) ? Kind::number : Kind::choice;
        r.field = field;
        return is_number(*field) || is_choice(*field);
    }
    r.figure = find_by(all_figures(), name, &Figure::name);
    return r.figure != nullptr;
}

}  // namespace

std::string Reference::unit() const {
    if (figure) return std::string(figure->unit);
    if (layer_figure) return std::string(layer_figure->unit);
    return field ? std::string(field->unit) : std::string();
}

std::string Reference::label() const {
    if (of != Of::now) return {};
    if (figure) return std::string(figure->label);
    if (layer_figure) return (kind == Kind::total ? "All layers" : layer) + ": " + std::string(layer_figure->label);
    return field ? std::string(field->label) : std::string();
}

std::optional<Reference> resolve(std::string_view name) {
    Reference r;
    if (name.starts_with(start_prefix)) {
        r.of = Reference::Of::start;
        name.remove_prefix(start_prefix.size());
    } else if (name.size() > 2 && name[0] >= 'A' && name[0] <= 'D' && name[1] == '.') {
        r.of = Reference::Of::pin;
        r.pin = static_cast<std::size_t>(name[0] - 'A');
        name.remove_prefix(2);
    }
    return resolve_in_design(name, r) ? std::optional(r) : std::nullopt;
}

std::optional<std::string> closest_name_of_all(std::string_view name) {
    std::vector<std::string> known;
    for (const Figure& f : all_figures()) known.emplace_back(f.name);
    for (const Field& f : all_fields()) known.emplace_back(f.path);
    return closest(name, known);
}

const Design* Values::design(const Reference& r) {
    const Design* found = r.of == Reference::Of::now     ? &now_
                          : r.of == Reference::Of::start ? &around_.start
                          : r.pin < around_.pins.size()  ? &around_.pins[r.pin]
                                                         : nullptr;
    if (found && found->is_there()) return found;
    why_ = r.of == Reference::Of::pin ? std::string("There is no pin ") + static_cast<char>('A' + r.pin) + '.'
                                      : "The scenario is not known.";
    return nullptr;
}

const std::vector<LayerMeasures>* Values::layers(const Design& design) {
    if (const auto found = layers_.find(&design); found != layers_.end()) return &found->second;
    const auto plan = prepare(*design.scenario);
    if (!plan) {
        why_ = plan.error().front().what;
        return nullptr;
    }
    return &layers_.emplace(&design, measure_layers(*plan, *design.estimate, 0)).first->second;
}

std::optional<double> Values::number(const Reference& r) {
    using Kind = Reference::Kind;
    const Design* d = design(r);
    if (!d) return std::nullopt;
    if (r.kind == Kind::number) {
        if (r.field->type == FieldType::boolean) return field_text(*r.field, *d->scenario) == "true" ? 1.0 : 0.0;
        const auto value = field_number(*r.field, *d->scenario);
        if (!value) why_ = std::string(r.field->label) + " is not known.";
        return value;
    }
    if (r.kind == Kind::symbol) {
        const SymbolFields symbols(*d->scenario);
        for (const Field& f : symbols.rows())
            if (f.path == r.symbol) return field_number(f, *d->scenario);
        why_ = "The network has no size called " + r.symbol + ".";
        return std::nullopt;
    }
    if (!d->estimate) {
        why_ = "This scenario has no estimate.";
        return std::nullopt;
    }
    if (r.kind == Kind::figure) {
        const auto value = r.figure->value(*d->scenario, *d->estimate);
        if (!value) why_ = "This design has no figure \"" + std::string(r.figure->label) + "\".";
        return value;
    }
    const auto* measures = layers(*d);
    if (!measures) return std::nullopt;
    if (r.kind == Kind::total) {
        LayerMeasures sum;
        for (const LayerMeasures& l : *measures) sum += l;
        return r.layer_figure->value(sum);
    }
    const auto& all = d->scenario->network()->layers();
    for (std::size_t i = 0; i < all.size() && i < measures->size(); ++i)
        if (word_of(all[i].name) == r.layer) return r.layer_figure->value((*measures)[i]);
    why_ = "The network has no layer called " + r.layer + ".";
    return std::nullopt;
}

std::optional<std::string> Values::word(const Reference& r) {
    const Design* d = design(r);
    if (!d) return std::nullopt;
    return word_of(field_text(*r.field, *d->scenario));
}

}  // namespace detail

namespace {

std::vector<std::string> words_of_field(const Field& f, const Scenario& scenario, const Catalogue& catalogue) {
    std::vector<std::string> words;
    for (const auto choice : f.choices) words.push_back(word_of(choice));
    const auto add_ids = [&](const auto& all) {
        for (const auto& one : all) words.push_back(word_of(one.id));
    };
    if (f.type == FieldType::device) add_ids(catalogue.devices);
    if (f.type == FieldType::link) add_ids(catalogue.links);
    if (f.type == FieldType::machine) add_ids(catalogue.machines);
    if (f.type == FieldType::layer && scenario.network())
        for (const Layer& layer : scenario.network()->layers()) words.push_back(word_of(layer.name));
    return words;
}

}  // namespace

std::vector<Name> all_names(const Scenario& scenario, const Catalogue& catalogue) {
    using Kind = Name::Kind;
    std::vector<Name> all;
    const auto add = [&](Kind kind, std::string name, std::string label, const auto& of,
                         std::vector<std::string> words = {}) {
        all.push_back(
            {kind, std::move(name), std::move(label), std::string(of.unit), std::string(of.text), std::move(words)});
    };
    for (const auto& f : detail::all_figures()) add(Kind::figure, std::string(f.name), std::string(f.label), f);
    const auto add_field = [&](const Field& f) {
        if (f.type == FieldType::layers || f.type == FieldType::words) return;
        add(Kind::field, std::string(f.path), std::string(f.label), f, words_of_field(f, scenario, catalogue));
    };
    for (const Field& f : all_fields()) add_field(f);
    const SymbolFields symbols(scenario);
    for (const Field& f : symbols.rows()) add_field(f);
    const auto add_layer = [&](const std::string& word, const std::string& called) {
        for (const auto& f : detail::all_layer_figures())
            add(Kind::layer, word + '.' + std::string(f.name), called + ": " + std::string(f.label), f);
    };
    add_layer("total", "All layers");
    if (const Network* network = scenario.network())
        for (const Layer& layer : network->layers()) add_layer("layer." + word_of(layer.name), layer.name);
    return all;
}

std::string word_of(std::string_view text) {
    std::string word;
    for (const char c : text) {
        const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        word += kept ? c : '_';
    }
    if (!word.empty() && word[0] >= '0' && word[0] <= '9') word.insert(0, "_");
    return word;
}

}  // namespace scalescope::lessons
