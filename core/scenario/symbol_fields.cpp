// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/symbol_fields.hpp"

#include <algorithm>
#include <array>

#include "core/base/limits.hpp"
#include "core/base/sequences.hpp"
#include "core/scenario/field_access.hpp"

namespace scalescope {
namespace {

const Binding* binding(const Network& network, std::string_view symbol) {
    return find_by(network.bindings(), symbol, &Binding::symbol);
}

/// "sequence" → "Sequence length", "source_sequence" → "Source length".
std::string label_of(const std::string& symbol) {
    constexpr std::string_view of_a_sequence = "_sequence";
    std::string label = symbol;
    const bool kind_of_sequence = symbol.size() > of_a_sequence.size() && symbol.ends_with(of_a_sequence);
    if (kind_of_sequence) label.resize(label.size() - of_a_sequence.size());
    std::replace(label.begin(), label.end(), '_', ' ');
    if (label[0] >= 'a' && label[0] <= 'z') label[0] = static_cast<char>(label[0] - 'a' + 'A');
    if (symbol == "sequence" || kind_of_sequence) label += " length";
    return label;
}

/// What a symbol counts, where its description begins with it: "tokens of one sample".
std::string_view unit_of(std::string_view description) {
    constexpr std::array<std::string_view, 5> known{"tokens", "pixels", "patches", "frames", "steps"};
    const auto word = description.substr(0, description.find_first_of(" ,.;:"));
    const auto it = std::find(known.begin(), known.end(), word);
    return it == known.end() ? std::string_view() : *it;
}

}  // namespace

struct SymbolFields::Texts {
    std::string path, label, text;
    FieldAccess access;
};

SymbolFields::SymbolFields(const Scenario& scenario) {
    std::vector<const Symbol*> symbols;
    for (const WorkloadPart& part : scenario.workload)
        if (part.network)
            for (const Symbol& s : part.network->draft().symbols)
                if (binding(*part.network, s.name) &&
                    std::none_of(symbols.begin(), symbols.end(), [&](const Symbol* k) { return k->name == s.name; }))
                    symbols.push_back(&s);
    std::vector<Texts> texts;
    for (const Symbol* s : symbols)
        texts.push_back({std::string(prefix) + s->name, label_of(s->name),
                         s->description.empty() ? "A size that the network leaves open." : s->description,
                         FieldAccess{SymbolAccess{s->name}}});
    texts_ = std::make_shared<const std::vector<Texts>>(std::move(texts));
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        const Texts& t = (*texts_)[i];
        rows_.push_back({t.path, FieldType::integer, t.label, t.text, unit_of(symbols[i]->description), 1,
                         static_cast<double>(limits::dimension), std::span<const std::string_view>(), false, false,
                         &t.access});
    }
}

const Field* SymbolFields::find(std::string_view path) const { return find_by(rows_, path, &Field::path); }

std::optional<std::int64_t> symbol_value(const Scenario& scenario, std::string_view symbol) {
    for (const WorkloadPart& part : scenario.workload)
        if (const Binding* b = part.network ? binding(*part.network, symbol) : nullptr) return b->value;
    return std::nullopt;
}

Result<void> set_symbol(Scenario& scenario, std::string_view symbol, std::int64_t value) {
    const std::array<Binding, 1> wanted{Binding{std::string(symbol), value}};
    std::vector<std::shared_ptr<const Network>> networks;
    for (const WorkloadPart& part : scenario.workload) {
        networks.push_back(part.network);
        const Binding* b = part.network ? binding(*part.network, symbol) : nullptr;
        if (!b || b->value == value) continue;
        // What the workload runs twice stays one network.
        const auto same = std::find_if(scenario.workload.begin(), scenario.workload.end(),
                                       [&](const WorkloadPart& p) { return p.network == part.network; });
        const auto at = static_cast<std::size_t>(same - scenario.workload.begin());
        if (at + 1 < networks.size()) {
            networks.back() = networks[at];
            continue;
        }
        ASSIGN_OR_RETURN(networks.back(), part.network->with(wanted));
    }
    for (std::size_t i = 0; i < networks.size(); ++i) scenario.workload[i].network = std::move(networks[i]);
    return {};
}

std::optional<std::vector<std::string>> changed_symbols(const Scenario& a, const Scenario& b) {
    if (a.workload.size() != b.workload.size()) return std::nullopt;
    std::vector<std::string> changed;
    for (std::size_t i = 0; i < a.workload.size(); ++i) {
        const WorkloadPart &p = a.workload[i], &q = b.workload[i];
        WorkloadPart otherwise = p;
        otherwise.network = q.network;
        if (!(otherwise == q) ||
            (p.network != q.network && (!p.network || !q.network || !p.network->same_draft(*q.network))))
            return std::nullopt;
        if (p == q) continue;
        for (const Binding& from : p.network->bindings())
            if (!(*binding(*q.network, from.symbol) == from) &&
                std::find(changed.begin(), changed.end(), from.symbol) == changed.end())
                changed.push_back(from.symbol);
    }
    return changed;
}

}  // namespace scalescope
