// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/explain_symbols.hpp"

#include <algorithm>

#include "core/numerics/expression.hpp"

namespace scalescope::explaining {
namespace {

bool of_cpu_layer(Topic t) { return t >= Topic::cpu_compute && t <= Topic::cpu_working_set; }

/// Of a machine's figure, as its file says.
std::optional<Evidence> evidence_of_machine(const Context& c, std::string_view field) {
    constexpr std::string_view machine = "cluster.machine.";
    if (!field.starts_with(machine)) return std::nullopt;
    field.remove_prefix(machine.size());
    if (field == "server_updates_m_s") field = "server_updates_per_s";  // as machines' files call it
    const auto& open = c.scenario.cluster.machine.unverified;
    return std::find(open.begin(), open.end(), field) != open.end() ? Evidence::assumed : Evidence::datasheet;
}

}  // namespace

int cpu_pass(const Item& item) {
    if (of_cpu_layer(item.topic)) return item.index;
    return item.topic == Topic::layer_update ? 2 : static_cast<int>(index_of(item.pass));
}

void put(Page& page, std::string symbol, std::string text, const Amount& amount, const Leads& leads) {
    const Item& here = page.item();
    const Topic t = leads.topic;
    if (!leads.field.empty()) {
        const auto e = leads.evidence ? leads.evidence : evidence_of_machine(page.context(), leads.field);
        page.give({std::move(symbol), std::move(text), amount, leads.field, e});
        return;
    }
    if (t == Topic::samples) {
        page.samples(std::move(symbol), std::move(text), leads.index);
        return;
    }
    Item because = of_same(t, here);
    because.part = here.part;
    because.index = of_cpu_layer(t) ? cpu_pass(here) : leads.index;
    if (of_cpu_layer(t)) because.layer = here.layer;
    page.give({std::move(symbol), std::move(text), amount, because, leads.evidence});
}

std::vector<std::string> unexplained(const Page& page) {
    const auto parsed = numerics::parse_expression(page.formula_text());
    auto names = parsed ? numerics::variables(*parsed) : std::vector<std::string>();
    for (const Quantity& known : page.quantities()) std::erase(names, known.symbol);
    return names;
}

std::string plus(std::initializer_list<std::string> terms) {
    std::string text;
    for (const std::string& t : terms)
        if (!t.empty()) text += (text.empty() ? "" : " + ") + t;
    return text;
}

}  // namespace scalescope::explaining
