// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/fields.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "core/base/checked.hpp"
#include "core/base/decimal.hpp"
#include "core/base/letters.hpp"
#include "core/base/listed.hpp"
#include "core/base/name_list.hpp"
#include "core/base/sequences.hpp"
#include "core/base/suggest.hpp"
#include "core/scenario/field_access.hpp"
#include "core/scenario/former_names.hpp"
#include "core/scenario/names.hpp"
#include "core/scenario/symbol_fields.hpp"

namespace scalescope {
namespace {

tl::unexpected<Problems> refuse(const Field& field, std::string what, std::string remedy) {
    return fail(make_error(std::move(what), std::move(remedy), {}, std::string(field.path)));
}

std::string with_unit(double value, const Field& field) {
    return shortest_decimal(value) + (field.unit.empty() ? "" : " " + std::string(field.unit));
}

std::string range_of(const Field& field) {
    return "from " + shortest_decimal(field.least) + " to " + with_unit(field.most, field);
}

tl::unexpected<Problems> out_of_range(const Field& field, std::string_view given) {
    const std::string kind = field.type == FieldType::integer ? "a whole number " : "a number ";
    return refuse(field,
                  std::string(field.label) + " must be " + kind + range_of(field) + ", not \"" +
                      std::string(given.substr(0, 60)) + "\".",
                  "Give " + kind + range_of(field) + ".");
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known, std::string otherwise) {
    const auto near = closest(word, known);
    return near ? "Did you mean \"" + *near + "\"?" : otherwise;
}

/// The entries of a comma-separated list; an empty text has none.
std::vector<std::string_view> entries(std::string_view text) {
    std::vector<std::string_view> result;
    while (!text.empty()) {
        const auto comma = text.find(',');
        const auto entry = trimmed(text.substr(0, comma));
        if (!entry.empty()) result.push_back(entry);
        if (comma == std::string_view::npos) break;
        text.remove_prefix(comma + 1);
    }
    return result;
}

std::string layer_name(const Scenario& s, LayerId id) {
    const Network* network = s.network();
    const auto at = network ? network->position(id) : std::nullopt;
    return at ? network->layers()[static_cast<std::size_t>(*at)].name : std::string();
}

/// The layer of the first network called `name`.
Result<LayerId> layer_called(const Scenario& s, const Field& field, std::string_view name) {
    const Network* network = s.network();
    if (!network)
        return refuse(field, "The scenario has no network, so it has no layer called \"" + std::string(name) + "\".",
                      "Choose a network first.");
    if (const auto at = network->position(name)) return network->layers()[static_cast<std::size_t>(*at)].id;
    std::vector<std::string> known;
    for (const Layer& l : network->layers()) known.push_back(l.name);
    return refuse(field, network->name() + " has no layer called \"" + std::string(name.substr(0, 60)) + "\".",
                  suggestion(name, known, "Name a layer of this network."));
}

double scaled(double value, const NumberAccess& a) {
    return a.factor != 1 ? value / a.factor : parse_decimal(shortest_decimal(value, a.power)).value_or(0);
}

/// Text of the field's unit → the program's; nothing if it is no number or out of bounds.
std::optional<double> bounded(const Field& field, std::string_view text, int power) {
    const auto shown = parse_decimal(text);
    if (!shown || !(*shown >= field.least && *shown <= field.most)) return std::nullopt;
    return parse_decimal(text, power);
}

struct Text {
    const Scenario& s;
    std::string operator()(const Member<std::int64_t>& a) const { return std::to_string(a.get(s)); }
    std::string operator()(const NumberAccess& a) const {
        return a.factor != 1 ? shortest_decimal(a.member.get(s) / a.factor)
                             : shortest_decimal(a.member.get(s), a.power);
    }
    std::string operator()(const OptionalAccess& a) const {
        const auto v = a.get(s);
        return v ? shortest_decimal(*v, a.power) : std::string();
    }
    std::string operator()(const Member<bool>& a) const { return a.get(s) ? "true" : "false"; }
    std::string operator()(const ChoiceAccess&) const { return {}; }  // needs the field's words: see field_text
    std::string operator()(const Member<Device>& a) const { return a.get(s).id; }
    std::string operator()(const Member<Link>& a) const { return a.get(s).id; }
    std::string operator()(const Member<CpuMachine>& a) const { return a.get(s).id; }
    std::string operator()(const Member<std::vector<LayerId>>& a) const {
        return joined(a.get(s), ",", [&](LayerId id) { return layer_name(s, id); });
    }
    std::string operator()(const Member<std::vector<std::string>>& a) const { return joined(a.get(s), ","); }
    std::string operator()(CutAccess) const {
        if (s.parallelism.cut_auto) return "automatic";
        return s.parallelism.cut == LayerId{} ? "none" : layer_name(s, s.parallelism.cut);
    }
    std::string operator()(NodesAccess) const {
        return std::to_string(ceil_div(s.cluster.workers, std::max<std::int64_t>(1, s.cluster.devices_per_node)));
    }
    std::string operator()(ReplicasAccess) const {
        return std::to_string(s.cluster.workers / std::max<std::int64_t>(1, s.cpu.partitions));
    }
    std::string operator()(const SymbolAccess& a) const {
        const auto v = symbol_value(s, a.name);
        return v ? std::to_string(*v) : std::string();
    }
};

struct Set {
    Scenario& s;
    const Field& field;
    std::string_view text;
    const Catalogue& catalogue;

    std::optional<std::int64_t> integer() const {
        std::int64_t value = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
        if (read.ec != std::errc{} || read.ptr != text.data() + text.size()) {
            // "1e6" and "65536.0" are whole numbers too.
            const auto number = parse_decimal(text);
            if (!number || std::floor(*number) != *number || !(std::abs(*number) <= 9007199254740992.0))
                return std::nullopt;
            value = static_cast<std::int64_t>(*number);
        }
        if (static_cast<double>(value) < field.least || static_cast<double>(value) > field.most) return std::nullopt;
        return value;
    }

    Result<void> operator()(const Member<std::int64_t>& a) const {
        const auto v = integer();
        if (!v) return out_of_range(field, text);
        a.ref(s) = *v;
        return {};
    }
    Result<void> operator()(const NumberAccess& a) const {
        const auto v = bounded(field, text, a.power);
        if (!v) return out_of_range(field, text);
        a.member.ref(s) = *v * a.factor;
        return {};
    }
    Result<void> operator()(const OptionalAccess& a) const {
        if (text.empty()) {
            a.set(s, std::nullopt);
            return {};
        }
        const auto v = bounded(field, text, a.power);
        if (!v) return out_of_range(field, text);
        a.set(s, *v);
        return {};
    }
    Result<void> operator()(const Member<bool>& a) const {
        const bool on = is_among(text, "true on yes 1");
        if (on || is_among(text, "false off no 0")) {
            a.ref(s) = on;
            return {};
        }
        return refuse(
            field,
            std::string(field.label) + " must be true or false, not \"" + std::string(text.substr(0, 60)) + "\".",
            "Give true or false.");
    }
    Result<void> operator()(const ChoiceAccess& a) const {
        const auto it = std::find(field.choices.begin(), field.choices.end(), text);
        const std::optional<std::size_t> value =
            a.called                    ? a.called(text)
            : it != field.choices.end() ? std::optional(static_cast<std::size_t>(it - field.choices.begin()))
                                        : std::nullopt;
        if (!value) {
            const std::vector<std::string> known(field.choices.begin(), field.choices.end());
            return refuse(field, std::string(field.label) + " cannot be \"" + std::string(text.substr(0, 60)) + "\".",
                          suggestion(text, known, "Use one of " + listed(field.choices) + "."));
        }
        a.set(s, *value);
        return {};
    }
    template <class T>
    Result<void> from_catalogue(const T* found, T& target, const std::vector<T>& all, const char* what) const {
        if (found) {
            target = *found;
            return {};
        }
        std::vector<std::string> known;
        for (const T& x : all) known.push_back(x.id);
        return refuse(field,
                      std::string("There is no ") + what + " called \"" + std::string(text.substr(0, 60)) + "\".",
                      suggestion(text, known, std::string("Choose one from the list of ") + what + "s."));
    }
    Result<void> operator()(const Member<Device>& a) const {
        return from_catalogue(catalogue.device(text), a.ref(s), catalogue.devices, "device");
    }
    Result<void> operator()(const Member<Link>& a) const {
        return from_catalogue(catalogue.link(text), a.ref(s), catalogue.links, "link");
    }
    Result<void> operator()(const Member<CpuMachine>& a) const {
        if (text.empty()) {
            a.ref(s) = {};
            return {};
        }
        return from_catalogue(catalogue.machine(text), a.ref(s), catalogue.machines, "machine");
    }
    Result<void> operator()(const Member<std::vector<LayerId>>&) const {
        std::vector<LayerId> ids;
        for (auto name : entries(text)) {
            ASSIGN_OR_RETURN(const auto id, layer_called(s, field, name));
            ids.push_back(id);
        }
        set_layers(field, s, std::move(ids));
        return {};
    }
    Result<void> operator()(const Member<std::vector<std::string>>& a) const {
        std::vector<std::string> words;
        for (auto w : entries(text)) words.emplace_back(w);
        sort_once(words);
        a.ref(s) = std::move(words);
        return {};
    }
    Result<void> operator()(CutAccess) const {
        if (text == "automatic" || text == "none") {
            s.parallelism.cut_auto = text == "automatic";
            s.parallelism.cut = LayerId{};
            return {};
        }
        ASSIGN_OR_RETURN(s.parallelism.cut, layer_called(s, field, text));
        s.parallelism.cut_auto = false;
        return {};
    }
    /// Workers that come in groups of `each`.
    Result<void> groups(std::int64_t each) const {
        const auto v = integer();
        const Checked total = Checked(v.value_or(0)) * each;
        if (!v || !total.ok() || static_cast<double>(total.value()) > field.most) return out_of_range(field, text);
        s.cluster.workers = total.value();
        return {};
    }
    Result<void> operator()(NodesAccess) const { return groups(s.cluster.devices_per_node); }
    Result<void> operator()(ReplicasAccess) const { return groups(s.cpu.partitions); }
    Result<void> operator()(const SymbolAccess& a) const {
        const auto v = integer();
        return v ? set_symbol(s, a.name, *v) : out_of_range(field, text);
    }
};

bool below(std::string_view path, std::string_view parent) {
    return path.size() > parent.size() && path.starts_with(parent) && path[parent.size()] == '.';
}

}  // namespace

const Field* find_field(std::string_view path) {
    const Field* field = find_by(all_fields(), path, &Field::path);
    return field ? field : find_by(former_fields(), path, &Field::path);
}

std::string shown_value(const Field& field, const Scenario& s) {
    if (field.type == FieldType::device) return s.cluster.device.name;
    if (field.type == FieldType::link)
        return field.path == "cluster.inside" ? s.cluster.inside.name : s.cluster.between.name;
    if (field.type == FieldType::machine) return s.cluster.has_machine() ? s.cluster.machine.name : "none";
    std::string text = field_text(field, s);
    if (field.type == FieldType::choice) std::replace(text.begin(), text.end(), '_', ' ');
    if (field.type == FieldType::boolean) return text == "true" ? "on" : "off";
    if (text.empty()) return field.optional ? "unknown" : "none";
    if (!field.unit.empty()) text += "\u00a0" + std::string(field.unit);
    return text;
}

const std::vector<LayerId>& layers_of(const Field& field, const Scenario& scenario) {
    return std::get<Member<std::vector<LayerId>>>(field.access->how).get(scenario);
}

void set_layers(const Field& field, Scenario& scenario, std::vector<LayerId> ids) {
    if (field.path != "parallelism.boundaries") {  // a set, kept sorted
        sort_once(ids);
    }
    std::get<Member<std::vector<LayerId>>>(field.access->how).ref(scenario) = std::move(ids);
}

std::string field_text(const Field& field, const Scenario& scenario) {
    if (const auto* c = std::get_if<ChoiceAccess>(&field.access->how))
        return c->text ? c->text(c->get(scenario)) : std::string(field.choices[c->get(scenario)]);
    return std::visit(Text{scenario}, field.access->how);
}

std::optional<double> field_number(const Field& field, const Scenario& scenario) {
    if (const auto* a = std::get_if<Member<std::int64_t>>(&field.access->how))
        return static_cast<double>(a->get(scenario));
    if (const auto* a = std::get_if<NumberAccess>(&field.access->how)) return scaled(a->member.get(scenario), *a);
    if (const auto* a = std::get_if<OptionalAccess>(&field.access->how)) {
        const auto v = a->get(scenario);
        return v ? parse_decimal(shortest_decimal(*v, a->power)) : std::nullopt;
    }
    if (std::holds_alternative<NodesAccess>(field.access->how) ||
        std::holds_alternative<ReplicasAccess>(field.access->how) ||
        std::holds_alternative<SymbolAccess>(field.access->how))
        return parse_decimal(field_text(field, scenario));
    return std::nullopt;
}

Result<void> set_field(Scenario& scenario, const Field& field, std::string_view text, const Catalogue& catalogue) {
    return std::visit(Set{scenario, field, word_now(field, trimmed(text), scenario), catalogue}, field.access->how);
}

Result<void> set_field(Scenario& scenario, std::string_view path, std::string_view text, const Catalogue& catalogue) {
    if (const Field* field = find_field(path)) return set_field(scenario, *field, text, catalogue);
    const SymbolFields symbols(scenario);
    if (const Field* field = symbols.find(path)) return set_field(scenario, *field, text, catalogue);
    std::vector<std::string> known;
    if (path.starts_with(SymbolFields::prefix)) {
        for (const Field& f : symbols.rows()) known.emplace_back(f.path);
        return fail(make_error(
            "The networks have no size called \"" + std::string(path.substr(SymbolFields::prefix.size(), 60)) + "\".",
            known.empty() ? "Leave it out: all sizes of the networks are numbers."
                          : suggestion(path, known, "Use one of " + listed(known) + "."),
            {}, std::string(path.substr(0, 60))));
    }
    for (const Field& f : all_fields()) known.emplace_back(f.path);
    return fail(make_error("There is no field called \"" + std::string(path.substr(0, 60)) + "\".",
                           suggestion(path, known, "See the list of fields.")));
}

Result<void> set_field(Scenario& scenario, const Field& field, double value) {
    if (field.type == FieldType::integer) value = std::round(value);
    if (!std::isfinite(value))
        return refuse(field, std::string(field.label) + " must be a finite number.",
                      "Give a number " + range_of(field) + ".");
    static const Catalogue none;
    return set_field(scenario, field, shortest_decimal(value), none);
}

void apply(const PercentOfPeak& percents, ModelOptions& model) {
    model.compute = Fraction{percents.compute};
    model.memory = Fraction{percents.memory};
    model.inside = model.between = Fraction{percents.communication};
}

std::vector<const Field*> changed_fields(const Scenario& a, const Scenario& b) {
    std::vector<const Field*> changed;
    for (const Field& f : all_fields()) {
        if (f.derived) continue;
        // The figures of a device that was exchanged are part of the exchange, which stands before them in the table.
        if (!changed.empty() &&
            std::any_of(changed.begin(), changed.end(), [&](const Field* c) { return below(f.path, c->path); }))
            continue;
        if (field_text(f, a) != field_text(f, b)) changed.push_back(&f);
    }
    return changed;
}

std::string describe_change(const Scenario& a, const Scenario& b) {
    if (!(a.workload == b.workload)) {
        if (const auto symbols = changed_symbols(a, b)) {
            if (symbols->size() != 1) return std::to_string(symbols->size()) + " sizes of the network";
            const SymbolFields fields(b);
            const Field& f = *fields.find(std::string(SymbolFields::prefix) + symbols->front());
            return std::string(f.label) + ' ' + shown_value(f, a) + " → " + shown_value(f, b);
        }
        const Network *from = a.network(), *to = b.network();
        if (from && to && !from->same_draft(*to) && a.workload.size() == b.workload.size())
            return "Network " + from->name() + " → " + to->name();
        return "Workload";
    }
    const auto changed = changed_fields(a, b);
    const auto of_cluster = [](const Field* f) { return below(f->path, "cluster"); };
    if (changed.size() > 1 && std::all_of(changed.begin(), changed.end(), of_cluster)) return "Cluster";
    if (changed.size() > 1) return std::to_string(changed.size()) + " changes";
    if (changed.empty()) {
        if (a == b) return {};
        return a.name != b.name                            ? "Name"
               : a.description != b.description            ? "Description"
               : !(a.cluster.machine == b.cluster.machine) ? "Machine"
               : a.cluster.device == b.cluster.device      ? "Link"
                                                           : "Device";
    }
    const Field& f = *changed.front();
    if (f.type == FieldType::layers || f.type == FieldType::words) return std::string(f.label);
    return label_in(b, f) + ' ' + shown_value(f, a) + " → " + shown_value(f, b);
}

std::string key_settings(const Scenario& scenario) {
    constexpr std::string_view paths[] = {"cluster.device",  "cluster.machine",          "cluster.inside",
                                          "cluster.between", "cluster.devices_per_node", "cluster.workers",
                                          "training.batch",  "training.batch_rule",      "training.precision"};
    const bool machines = scenario.model.method == Method::cpu_cluster;
    std::string text;
    for (const std::string_view path : paths) {
        const Field* field = find_field(path);
        const bool of_machines = path == "cluster.machine",
                   of_devices = path.starts_with("cluster.") && !of_machines && path != "cluster.workers";
        if (!field || (machines ? of_devices || path == "training.precision" : of_machines)) continue;
        text += (text.empty() ? "" : ", ") + std::string(path) + '=' + field_text(*field, scenario);
    }
    return text;
}

}  // namespace scalescope
