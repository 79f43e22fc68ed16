// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/explain_rows.hpp"
#include <cctype>

#include "core/base/name_list.hpp"
#include "core/base/sequences.hpp"
#include "core/numerics/expression.hpp"

namespace scalescope::explaining {
namespace {

constexpr std::string_view void_sum = "nothing";  ///< stands for a sum of no terms

/// A room, then those that all methods have.
template <class Use>
auto in_rooms(const Room& room, Use use) {
    static const Room general[] = {step_room(),  layer_room(),    product_room(), work_room(),
                                   stage_room(), exposure_room(), message_room(), memory_room()};
    if (auto found = use(room)) return found;
    for (const Room& r : general)
        if (auto found = use(r)) return found;
    return decltype(use(room)){};
}
template <class Row>
const Row* find_in(const Room& room, std::span<const Row> Room::*rows, std::string_view name) {
    return in_rooms(room, [&](const Room& r) -> const Row* { return find_by(r.*rows, name, &Row::name); });
}
const Figure* find_figure(const Room& room, std::string_view key) { return find_in(room, &Room::figures, key); }

/// A formula as people see it: without the words behind dots, and without spaces around products.
std::string shown(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char next = i + 1 < text.size() ? text[i + 1] : ' ', last = out.empty() ? ' ' : out.back();
        if (text[i] == '.' && std::isalpha(static_cast<unsigned char>(next)))
            while (i + 1 < text.size() && std::isalnum(static_cast<unsigned char>(text[i + 1]))) ++i;
        else if (text[i] != ' ' || (next != '*' && next != '/' && last != '*' && last != '/'))
            out += text[i];
    }
    return out;
}

std::string filled(const Ask& x, const Room& room, Page& page, std::string_view text) {
    std::string out;
    for (auto open = text.find('{'); open != std::string_view::npos; open = text.find('{')) {
        const auto close = text.find('}', open);
        out += text.substr(0, open);
        const std::string_view name = text.substr(open + 1, close - open - 1);
        const Hole* hole = find_in(room, &Room::holes, name);
        out += hole ? filled(x, room, page, hole->text(x, page)) : '{' + std::string(name) + '}';
        text.remove_prefix(close + 1);
    }
    return out += text;
}

/// A field's value, as formulas count it.
Amount value_of_field(const Scenario& s, const Field& field) {
    struct Unit {
        std::string_view unit;
        double scale;
        Measure measure;
    };
    static constexpr Unit units[] = {{"%", 1e-2, Measure::percent},         {"GB/s", 1e9, Measure::byte_rate},
                                     {"ns", 1e-9, Measure::seconds},        {"µs", 1e-6, Measure::seconds},
                                     {"ms", 1e-3, Measure::seconds},        {"bytes", 1, Measure::bytes},
                                     {"GB", 1e9, Measure::bytes},           {"TFLOP/s", 1e12, Measure::flop_rate},
                                     {"million/s", 1e6, Measure::number},   {"s", 1, Measure::seconds},
                                     {"h", 3600, Measure::seconds},         {"USD/h", 1, Measure::dollar_rate},
                                     {"samples/s", 1, Measure::sample_rate}};
    const double value = field_number(field, s).value_or(0);
    for (const Unit& u : units)
        if (u.unit == field.unit) return {value * u.scale, u.measure};
    return value;
}

/// In the measure of the field where it is one.
Amount amount_of(const Ask& x, const Figure& f) {
    if (f.amount) return f.amount(x);
    if (!f.leads.to_page()) return value_of_field(x.c.scenario, *field_of(x, f.leads.path()));
    const auto page = page_of(x.c, item_of(x, f.leads));
    return page ? page->amount() : Amount(0);
}

bool is_known(const Page& page, std::string_view symbol) {
    const auto& known = page.quantities();
    return std::any_of(known.begin(), known.end(), [&](const Quantity& q) { return q.symbol == symbol; });
}

void say(Page& page, const Ask& x, const Room& room, std::string_view said) {
    const std::string text = filled(x, room, page, said);
    const auto bar = std::min(text.find('|'), text.size());
    page.note(text.substr(0, bar));
    const auto beside = std::string_view(text).substr(std::min(bar + 1, text.size()));
    if (const Field* field = find_field(beside)) {
        page.fact(label_in(x.c.scenario, *field), shown_value(*field, x.c.scenario), field->path);
    } else if (const Figure* f = find_figure(room, beside)) {
        const Amount a = amount_of(x, *f);
        page.fact(filled(x, room, page, f->text), print(a.value, a.measure, layout_of(a.value, a.measure, 0)).text,
                  f->leads);
    }
}

void put_stack(Page& page, const Ask& x, const Room& room, std::string_view text) {
    const auto colon = text.find(':');
    Terms parts;
    Amount whole = 0.0;
    for (std::string_view keys = text.substr(colon + 2); !keys.empty();) {
        const Figure& f = *find_figure(room, next_name(keys));
        const Amount amount = amount_of(x, f);
        if (f.vanishes(amount.value)) continue;
        whole = Amount(whole.value + amount.value, amount.measure);
        parts.push_back({capital(filled(x, room, page, f.text)), amount.value, item_of(x, f.leads)});
    }
    page.parts(filled(x, room, page, text.substr(0, colon)), whole.value, whole.measure, parts);
}

/// Of each layer of the step the figure that `over` names.
Terms terms_of_layers(const Ask& x, const Room& room, std::string_view over) {
    const Figure& each = *find_figure(room, over);
    Terms terms;
    for (const LayerEstimate& row : x.c.estimate.layers) {
        Item item{*each.leads.topic, row.part, row.position};
        item.index = each.leads.index;
        const Ask one{x.c, item, x.cpu ? cpu_of(x.c, item) : nullptr, x.paleo};
        terms.push_back({x.c.layer_name(row.part, row.position), amount_of(one, each).value, item});
    }
    return terms;
}

/// Adds a formula over keys to a page, with what its symbols stand for.
void tell(Page& page, const Ask& x, const Room& room, std::string_view formula) {
    const auto parsed = numerics::parse_expression(filled(x, room, page, formula));
    if (!parsed) return;
    const auto unknown = [&](std::string_view name) {
        return is_known(page, name) ? nullptr : find_figure(room, name);
    };
    const auto left = numerics::without_neutral(*parsed, [&](std::string_view name) -> std::optional<int> {
        if (name == void_sum) return 0;
        const Figure* f = unknown(name);
        if (!f || (f->key[0] != '+' && f->key[0] != '*') || !f->vanishes(amount_of(x, *f).value)) return std::nullopt;
        return f->key[0] == '*' ? 1 : 0;
    });
    for (const std::string& name : numerics::variables(left))
        if (const Figure* f = unknown(name))
            page.give({shown(name), filled(x, room, page, f->text), amount_of(x, *f), f->leads});
    page.formula(shown(numerics::to_text(left)));
}

/// `head` has symbol and value, `f` all else.
Page made(const Ask& x, const Room& room, const Figure& head, const Figure& f, std::size_t of_case) {
    const Figure::Case& its = f.cases[of_case];
    const bool rest = x.item.from > 0, sums = f.terms || !f.over.empty();
    const std::string letter = f.measure == Measure::seconds ? "t" : f.measure == Measure::bytes ? "m" : "N";
    const auto terms = f.terms ? f.terms(x) : sums ? terms_of_layers(x, room, f.over) : Terms();
    const Amount summed(sums ? rest_of(terms, x.item.from) : 0.0, f.measure);
    Page page(x.c, x.item, rest ? letter : shown(head.name()), rest || !head.amount ? summed : head.amount(x));
    const char* source = f.paper ? f.paper : room.source;
    for (std::size_t i = f.cases.size(); i-- > of_case;)
        if (f.cases[i].source) source = f.cases[i].source;
    page.source(filled(x, room, page, source));
    std::string formula = rest ? "{sum}"
                          : !f.reasons.empty() && head.amount && page.result() == 0
                              ? "0"
                              : filled(x, room, page, its.formula);
    if (const auto at = formula.find("{sum}"); sums && at != std::string::npos) {
        const Evidence e = terms.empty() ? Evidence::exact : x.c.evidence_of(terms.front().item.topic);
        const std::string text = page.sum(terms, f.measure, e, f.what, letter);
        formula.replace(at, 5, text == "0" ? std::string(void_sum) : '(' + text + ')');
    }
    tell(page, x, room, formula);
    if (!head.amount && !sums) page.evaluated();
    if (rest) return page;
    const bool zero = page.formula_text() == "0" && !f.reasons.empty();
    for (const Figure::Note& n : zero ? f.reasons : f.notes)
        if ((n.of_case < 0 || n.of_case == static_cast<std::ptrdiff_t>(of_case)) && (!n.applies || n.applies(x))) {
            say(page, x, room, n.text);
            if (zero) break;
        }
    if (page.quantities().empty()) page.fact("network", x.c.part(x.item.part).network->name(), {});
    if (f.parts) put_stack(page, x, room, f.parts);
    return page;
}

}  // namespace

std::optional<Page> page_of_room(const Ask& x, const Room& room) {
    const Figure* head = nullptr;  // the row of the index, if it leaves the formulas to the row of the topic
    for (const bool of_index : {true, false})
        if (auto page = in_rooms(room, [&](const Room& r) -> std::optional<Page> {
                for (const Figure& f : r.figures) {
                    if (f.leads.topic != x.item.topic || f.leads.index != (of_index ? x.item.index : -1)) continue;
                    if (f.leads.index >= 0 && !head && f.cases.empty()) head = &f;
                    for (std::size_t i = 0; i < f.cases.size(); ++i)
                        if (const auto& its = f.cases[i]; !its.applies || its.applies(x))
                            return made(x, r, head && !of_index ? *head : f, f, i);
                }
                return std::nullopt;
            }))
            return page;
    return std::nullopt;
}

}  // namespace scalescope::explaining
