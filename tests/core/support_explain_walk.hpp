// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <cmath>
#include <map>
#include <set>

#include "core/estimate/goodput.hpp"
#include "core/numerics/expression.hpp"
#include "core/scenario/fields.hpp"
#include "support_explain.hpp"

namespace support::explained {

using namespace scalescope;

/// Walks everything that can be reached from the totals and checks each page.
class Walk {
public:
    explicit Walk(const Scenario& s) : scenario_(s) {
        auto plan = prepare(s);
        if (!plan) return;
        plan_ = std::move(*plan);
        Scratch scratch = make_scratch(plan_);
        auto e = estimate(s, plan_, scratch);
        if (!e) return;
        estimate_ = std::move(*e);
        feasible = true;
    }

    void all() {
        for (Topic t : {Topic::step, Topic::hidden, Topic::idle, Topic::speedup, Topic::efficiency, Topic::throughput,
                        Topic::epoch, Topic::cost, Topic::idle_share, Topic::memory})
            visit(Item{t});
        if (goodput_of(scenario_, estimate_)) visit(Item{Topic::goodput});
        if (estimate_.servers)
            for (Topic t : {Topic::server_wait, Topic::server_service, Topic::server_think, Topic::server_response,
                            Topic::update_rate, Topic::knee, Topic::staleness, Topic::statistical_cost}) {
                visit(Item{t});
                Item slowest{Topic::server_response};
                slowest.index = 1;
                visit(slowest);
            }
        for (const auto& row : estimate_.layers) {
            for (Topic t : {Topic::layer, Topic::layer_backward, Topic::layer_update, Topic::layer_communication,
                            Topic::layer_hidden, Topic::layer_compute, Topic::layer_kept, Topic::share})
                visit(Item{t, row.part, row.position});
            for (Pass p : all_passes)
                for (Topic t : {Topic::layer_pass, Topic::layer_flops, Topic::layer_bytes})
                    visit(Item{t, row.part, row.position, p});
            if (row.block < 0) continue;
            visit(Item{Topic::recomputed, row.part, row.position});
            Item again{Topic::layer_kept, row.part, row.position};
            again.level = 1;
            visit(again);
        }
        if (estimate_.cpu) all_of_cpu_cluster();
        for (std::size_t m = 0; m < estimate_.messages.size(); ++m)
            for (Topic t : {Topic::message, Topic::message_bytes, Topic::message_exposed, Topic::message_hidden}) {
                Item item{t, estimate_.messages[m].part};
                item.message = int(m);
                visit(item);
            }
    }

    void all_of_cpu_cluster() {
        for (Topic t : {Topic::cpu_exchange, Topic::cpu_sending, Topic::cpu_serving, Topic::cpu_worker_network,
                        Topic::cpu_server_network, Topic::cpu_server_cpu, Topic::cpu_upload, Topic::cpu_download,
                        Topic::cpu_queue, Topic::cpu_binding, Topic::cpu_staleness}) {
            const bool alone = estimate_.cpu->configuration.replicas * estimate_.cpu->configuration.partitions == 1;
            if (alone && t != Topic::cpu_exchange) continue;
            visit(Item{t});
        }
        for (const yan::LayerWork& w : plan_.cpu->prepared.list.layers)
            for (int index = 0; index < 3; ++index)
                for (Topic t : {Topic::cpu_compute, Topic::cpu_multiply_add, Topic::cpu_layer_exchange,
                                Topic::cpu_layer_waited, Topic::cpu_working_set}) {
                    Item item{t, 0, w.position};
                    item.index = index;
                    visit(item);
                }
    }

    const Estimate& result() const { return estimate_; }
    const Plan& plan() const { return plan_; }
    bool feasible = false;
    int pages = 0;
    std::set<Topic> topics;
    QStringList wrong;

    void visit(const Item& item) { (void)page(item); }

private:
    Scenario scenario_;
    Plan plan_;
    Estimate estimate_;
    std::map<Item, double> done_;
    std::set<Item> open_;

    bool close(double a, double b) const {
        return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)) ||
               std::abs(a - b) <= 1e-15 * estimate_.summary.step.value;
    }

    void complain(const Explanation& e, const QString& what) {
        if (wrong.size() < 12)
            wrong << QString::fromStdString(e.title) + " [" + QString::fromStdString(e.formula) + "]: " + what;
    }

    double page(const Item& item) {
        if (const auto known = done_.find(item); known != done_.end()) return known->second;
        if (open_.contains(item)) {
            wrong << "a circle through topic " + QString::number(int(item.topic));
            return 0;
        }
        const auto explained = explain(scenario_, plan_, estimate_, item);
        if (!explained) {
            wrong << "topic " + QString::number(int(item.topic)) + ": " +
                         QString::fromStdString(to_text(explained.error()[0]));
            return 0;
        }
        open_.insert(item);
        check(*explained);
        for (const Input& i : explained->inputs)
            if (i.because) {
                const double there = page(*i.because);
                if (!i.symbol.empty() && !close(there, i.value))
                    complain(*explained, QString("%1 is %2 here and %3 on its own page")
                                             .arg(QString::fromStdString(i.symbol))
                                             .arg(i.value, 0, 'g', 17)
                                             .arg(there, 0, 'g', 17));
            }
        for (const ExplainedPart& p : explained->parts)
            if (const double there = page(p.item); !close(there, p.value))
                complain(*explained, "part " + QString::fromStdString(p.name));
        open_.erase(item);
        ++pages;
        topics.insert(item.topic);
        return done_[item] = explained->result;
    }

    void check(const Explanation& e) {
        if (e.title.empty() || e.crumbs.empty() || e.source.empty() || e.evidence_text.empty() ||
            e.result_shown.empty() || e.symbol.empty())
            complain(e, "something is missing");
        if (!std::isfinite(e.result) || e.result < 0) complain(e, "result " + QString::number(e.result));
        const auto formula = numerics::parse_expression(e.formula);
        if (!formula) return complain(e, "does not parse");
        const auto lookup = [&](std::string_view name) -> std::optional<double> {
            for (const Input& i : e.inputs)
                if (i.symbol == name) return i.value;
            return std::nullopt;
        };
        const auto value = numerics::evaluate(*formula, lookup);
        if (!value) return complain(e, QString::fromStdString(to_text(value.error()[0])));
        if (!close(*value, e.result))
            complain(e, QString("gives %1, not %2").arg(*value, 0, 'g', 17).arg(e.result, 0, 'g', 17));
        inputs(e, numerics::variables(*formula));
        lines(e);
        definitions(e);
        parts(e);
    }

    void inputs(const Explanation& e, const std::vector<std::string>& used) {
        std::set<std::string> symbols{e.symbol};
        if (e.inputs.empty()) complain(e, "a dead end");
        for (const Input& i : e.inputs) {
            const QString name = QString::fromStdString(i.symbol + " " + i.text);
            if (i.text.empty() || i.shown.empty()) complain(e, name + " has no words");
            if (!i.symbol.empty() && !symbols.insert(i.symbol).second) complain(e, name + " stands there twice");
            if (!i.symbol.empty() && std::find(used.begin(), used.end(), i.symbol) == used.end())
                complain(e, name + " is not in the formula");
            if (!i.because && i.field.empty()) complain(e, name + " leads nowhere");
            const bool of_network = i.field == "workload" || i.field == "workload.count";
            if (!i.field.empty() && !of_network && !find_field(i.field))
                complain(e, "unknown field " + QString::fromStdString(i.field));
        }
    }

    void lines(const Explanation& e) {
        std::vector<std::string> equations;
        for (const std::string& line : e.lines) {
            if (line.starts_with("= "))
                equations.push_back(line);
            else if (equations.empty())
                return complain(e, "the first line is " + QString::fromStdString(line));
            else
                equations.back() += ' ' + line;
        }
        if (equations.empty() || equations.back() != "= " + e.result_shown)
            return complain(e, "the last line is not the result");
        const Read result = read_line(equations.back());
        if (!result.value) return complain(e, "result reads as nothing: " + QString::fromStdString(equations.back()));
        if (std::abs(*result.value - e.result) > result.half_unit * 1.0001 + 1e-12 * std::abs(e.result))
            complain(e, "the printed result is another: " + QString::fromStdString(e.result_shown));
        for (const std::string& line : equations) {
            const Read read = read_line(line);
            if (!read.value)
                complain(e, "cannot be computed: " + QString::fromStdString(line));
            else if (std::abs(*read.value - *result.value) >
                     result.half_unit * 1.0001 + 1e-11 * std::abs(*result.value))
                complain(e, QString("%1 is %2, not %3")
                                .arg(QString::fromStdString(line))
                                .arg(*read.value, 0, 'g', 12)
                                .arg(QString::fromStdString(e.result_shown)));
        }
    }

    void definitions(const Explanation& e) {
        for (const Definition& d : e.definitions) {
            const auto input =
                std::find_if(e.inputs.begin(), e.inputs.end(), [&](const Input& i) { return i.symbol == d.symbol; });
            if (input == e.inputs.end()) {
                complain(e, "defines what is not there");
                continue;
            }
            const Read printed = read_line(d.text), shown = read_line(input->shown);
            if (!printed.value || !shown.value ||
                std::abs(*printed.value - *shown.value) > shown.half_unit * 1.0001 + 1e-11 * std::abs(*shown.value))
                complain(e, "definition as printed: " +
                                QString::fromStdString(d.symbol + " = " + d.text + " against " + input->shown));
        }
    }

    void parts(const Explanation& e) {
        if (e.parts.empty()) return;
        double sum = 0, printed = 0, shares = 0;
        for (const ExplainedPart& p : e.parts) {
            sum += p.value;
            shares += p.share;
            printed += read_line(p.shown).value.value_or(1e300);
        }
        const Read whole = read_line(e.parts_shown);
        if (!whole.value || std::abs(printed - *whole.value) > whole.half_unit * 1.0001 + 1e-11 * *whole.value)
            complain(e, "parts as printed do not add up to " + QString::fromStdString(e.parts_shown));
        if (e.item.topic == Topic::step && !close(sum, e.result)) complain(e, "parts do not add up");
        if (sum > 0 && std::abs(shares - 1) > 1e-9) complain(e, "shares do not add up");
    }
};

/// What is wrong on the pages of a scenario: nothing, if every figure is what its page computes. Sanitizers make it
/// slow: with them, of one scenario in 32.
inline QString wrong_pages(const scalescope::Scenario& s) {
    static int asked = 0;
    if (sanitized && asked++ % 32 != 0) return {};
    Walk walk(s);
    if (!walk.feasible) return QStringLiteral("infeasible");
    walk.all();
    return walk.wrong.join('\n');
}

}  // namespace support::explained
