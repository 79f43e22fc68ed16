// SPDX-License-Identifier: GPL-3.0-or-later
#include "support_said.hpp"

#include <vector>

#include "core/drawing/caption.hpp"
#include "core/estimate/explain.hpp"
#include "core/network/attributes.hpp"
#include "core/scenario/calibrated.hpp"
#include "core/scenario/fields.hpp"
#include "core/search/sensitivity.hpp"
#include "core/search/walls.hpp"

using namespace scalescope;

namespace support {
namespace {

using Words = std::set<std::string>;

void take(const Problems& problems, Words& said) {
    for (const Problem& p : problems) {
        said.insert(p.what);
        if (!p.remedy.empty()) said.insert(p.remedy);
    }
}

/// Big networks have tens of thousands of pages that say the same of other layers.
constexpr std::size_t most_pages = 1500;

class Reader {
public:
    Reader(const Scenario& s, const Plan& plan, const Estimate& e, Words& said)
        : scenario_(s), plan_(plan), estimate_(e), said_(said) {}

    void visit(const Item& item) {
        if (!seen_.insert(item).second || seen_.size() > most_pages) return;
        const auto page = explain(scenario_, plan_, estimate_, item);
        if (!page) return take(page.error(), said_);
        said_.insert({page->title, page->parts_name, page->source, page->evidence_text});
        for (const Crumb& c : page->crumbs) said_.insert(c.text);
        for (const std::string& n : page->notes) said_.insert(n);
        for (const Input& i : page->inputs) {
            said_.insert(i.text);
            if (i.symbol.empty()) said_.insert(i.shown);
        }
        for (const ExplainedPart& p : page->parts) said_.insert(p.name);
        for (const Input& i : page->inputs)
            if (i.because) visit(*i.because);
        for (const ExplainedPart& p : page->parts) visit(p.item);
    }

private:
    const Scenario& scenario_;
    const Plan& plan_;
    const Estimate& estimate_;
    Words& said_;
    std::set<Item> seen_;
};

/// The first layer of each kind, which says what the others of its kind say.
std::vector<const LayerEstimate*> one_of_each_kind(const Scenario& s, const Estimate& e) {
    std::vector<const LayerEstimate*> rows;
    std::set<std::pair<int, const Kind*>> seen;
    for (const auto& row : e.layers) {
        const auto& network = *s.workload[static_cast<std::size_t>(row.part)].network;
        if (seen.emplace(row.part, network.layers()[static_cast<std::size_t>(row.position)].kind).second)
            rows.push_back(&row);
    }
    return rows;
}

void read_pages(const Scenario& s, const Plan& plan, const Estimate& e, Words& said) {
    Reader reader(s, plan, e, said);
    for (const Topic t : {Topic::step,
                          Topic::hidden,
                          Topic::idle,
                          Topic::speedup,
                          Topic::efficiency,
                          Topic::throughput,
                          Topic::epoch,
                          Topic::cost,
                          Topic::idle_share,
                          Topic::memory,
                          Topic::server_wait,
                          Topic::server_service,
                          Topic::server_think,
                          Topic::server_response,
                          Topic::update_rate,
                          Topic::knee,
                          Topic::staleness,
                          Topic::statistical_cost,
                          Topic::cpu_exchange,
                          Topic::cpu_sending,
                          Topic::cpu_serving,
                          Topic::cpu_worker_network,
                          Topic::cpu_server_network,
                          Topic::cpu_server_cpu,
                          Topic::cpu_upload,
                          Topic::cpu_download,
                          Topic::cpu_queue,
                          Topic::cpu_binding,
                          Topic::cpu_staleness})
        reader.visit(Item{t});
    const auto rows = one_of_each_kind(s, e);
    for (const auto* row : rows) {
        for (const Topic t : {Topic::layer, Topic::layer_backward, Topic::layer_update, Topic::layer_communication,
                              Topic::layer_hidden, Topic::layer_compute, Topic::layer_kept, Topic::share})
            reader.visit(Item{t, row->part, row->position});
        for (const Pass p : all_passes)
            for (const Topic t : {Topic::layer_pass, Topic::layer_flops, Topic::layer_bytes})
                reader.visit(Item{t, row->part, row->position, p});
        if (row->block >= 0) {
            reader.visit(Item{Topic::recomputed, row->part, row->position});
            Item again{Topic::layer_kept, row->part, row->position};
            again.level = 1;
            reader.visit(again);
        }
        if (e.cpu)
            for (int index = 0; index < 3; ++index)
                for (const Topic t : {Topic::cpu_compute, Topic::cpu_multiply_add, Topic::cpu_layer_exchange,
                                      Topic::cpu_layer_waited, Topic::cpu_working_set}) {
                    Item item{t, 0, row->position};
                    item.index = index;
                    reader.visit(item);
                }
    }
    for (std::size_t m = 0; m < e.messages.size() && m < 40; ++m)
        for (const Topic t : {Topic::message, Topic::message_bytes, Topic::message_exposed, Topic::message_hidden}) {
            Item item{t, e.messages[m].part};
            item.message = static_cast<int>(m);
            reader.visit(item);
        }
}

}  // namespace

Words said_by_tables() {
    Words said;
    for (const Field& f : all_fields()) said.insert({std::string(f.label), std::string(f.text), std::string(f.unit)});
    for (const search::MetricInfo& m : search::all_metrics()) said.insert({std::string(m.label), std::string(m.text)});
    for (const Kind* kind : all_kinds()) {
        said.insert(std::string(kind->title));
        for (const AttributeInfo& a : kind->attributes) {
            said.insert({std::string(a.text), drawing::spoken(a.name), drawing::about(a)});
            for (const std::string_view word : choices_of(a)) said.insert(drawing::spoken(word));
        }
    }
    said.erase("");
    return said;
}

Words said_about(const Scenario& s) {
    Words said;
    auto plan = prepare(s);
    if (!plan) {
        take(plan.error(), said);
        return said;
    }
    Scratch scratch = make_scratch(*plan);
    const auto e = estimate(s, *plan, scratch);
    if (!e) {
        take(e.error(), said);
        return said;
    }
    take(e->notes, said);
    read_pages(s, *plan, *e, said);
    search::WallOptions look;
    look.up_to = 64;
    if (const auto walls = search::find_walls(s, look)) {
        for (const auto& w : walls->walls) said.insert({w.label, w.sentence});
        for (const auto& l : walls->left_out) said.insert({l.label, l.reason});
    } else {
        take(walls.error(), said);
    }
    if (const auto moved = search::sensitivity(s)) {
        for (const auto& r : moved->rows) said.insert({r.label, r.sentence, r.less.problem, r.more.problem});
        for (const auto& l : moved->left_out) said.insert({l.label, l.reason});
    } else {
        take(moved.error(), said);
    }
    const auto evidence = evidence_of(s);
    said.insert({short_text(evidence, s), long_text(evidence, s)});
    said.erase("");
    return said;
}

}  // namespace support
