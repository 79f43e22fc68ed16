// SPDX-License-Identifier: GPL-3.0-or-later
// What the why panel shows is what the estimate computed: every formula, evaluated on the inputs shown, gives the
// figure; every line, computed as printed, gives the printed result; every question ends at a control or a data sheet.
#include <QtTest>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "core/base/format.hpp"
#include "core/estimate/explain.hpp"
#include "core/formats/library.hpp"
#include "core/formats/network_json.hpp"
#include "core/numerics/expression.hpp"
#include "core/scenario/fields.hpp"

using namespace scalescope;

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SCALESCOPE_SANITIZED 1
#endif
#endif
#ifdef SCALESCOPE_SANITIZED
static constexpr bool sanitized = true;
#else
static constexpr bool sanitized = false;
#endif

namespace {

const char* every_kind = R"({"format": "scalescope-network", "version": 1, "name": "Every kind", "layers": [
 {"name": "data", "kind": "input", "shape": ["batch", 24, 24, 6]},
 {"name": "conv1", "kind": "convolution", "inputs": ["data"], "filters": 16, "kernel": [3, 5], "padding": "same"},
 {"name": "bn1", "kind": "batch_norm", "inputs": ["conv1"]},
 {"name": "relu1", "kind": "activation", "inputs": ["bn1"]},
 {"name": "lrn1", "kind": "lrn", "inputs": ["relu1"]},
 {"name": "pool1", "kind": "pooling", "inputs": ["lrn1"], "kernel": [2, 2], "stride": [2, 2]},
 {"name": "conv2a", "kind": "convolution", "inputs": ["pool1"], "filters": 20, "kernel": [1, 1], "bias": false},
 {"name": "conv2b", "kind": "convolution", "inputs": ["pool1"], "filters": 12, "kernel": [3, 3], "padding": "same", "groups": 4},
 {"name": "cat", "kind": "concat", "inputs": ["conv2a", "conv2b"]},
 {"name": "pool2", "kind": "pooling", "inputs": ["cat"], "kernel": [2, 2], "stride": [2, 2], "mode": "average"},
 {"name": "conv3", "kind": "convolution", "inputs": ["pool2"], "filters": 32, "kernel": [3, 3], "padding": "same"},
 {"name": "sum", "kind": "add", "inputs": ["pool2", "conv3"]},
 {"name": "up", "kind": "upsample", "inputs": ["sum"], "factor": [2, 2]},
 {"name": "deconv", "kind": "transposed_convolution", "inputs": ["up"], "filters": 10, "kernel": [4, 4], "stride": [2, 2], "padding": "same"},
 {"name": "gap", "kind": "global_pooling", "inputs": ["deconv"]},
 {"name": "fc0", "kind": "dense", "inputs": ["gap"], "units": 64},
 {"name": "shape", "kind": "reshape", "inputs": ["fc0"], "shape": ["batch", 2, 2, 16]},
 {"name": "flat", "kind": "flatten", "inputs": ["shape"]},
 {"name": "drop", "kind": "dropout", "inputs": ["flat"]},
 {"name": "fc1", "kind": "dense", "inputs": ["drop"], "units": 30, "bias": false},
 {"name": "softmax", "kind": "softmax", "inputs": ["fc1"]}]})";

const formats::Library& library() {
    static const formats::Library shipped = formats::load_shipped();
    return shipped;
}

std::shared_ptr<const Network> network(const std::string& name) {
    if (name == "every kind") {
        static const auto made = formats::read_network(every_kind, "every_kind.json");
        if (!made) qFatal("%s", to_text(made.error()[0]).c_str());
        return *made;
    }
    static std::map<std::string, std::shared_ptr<const Network>> known;
    auto& entry = known[name];
    if (!entry) {
        auto made = library().network(name);
        if (!made) qFatal("%s", to_text(made.error()[0]).c_str());
        entry = *made;
    }
    return entry;
}

Scenario scenario(const std::string& name) {
    Scenario s;
    s.workload.push_back({network(name), {}, 1, name});
    s.cluster.device = *library().catalogue.device("Tesla K40");
    s.cluster.device.price_per_hour = 0.9;
    s.cluster.inside = *library().catalogue.link("pcie-3-x16");
    s.cluster.between = *library().catalogue.link("pcie-2-x16");
    s.cluster.between.bandwidth = gigabits_per_second(20);
    s.cluster.between.latency = microseconds(21);
    s.cluster.workers = 4;
    s.training.batch = 32;
    return s;
}

/// The value of a printed equation's right side, and half a unit of its last digit if it is a number alone.
struct Read {
    std::optional<double> value;
    double half_unit = 0;
};

/// Reads what a person reads: "= 53.16 GFLOP / 6.144 TFLOP/s + 97.17 MB / 361.3 GB/s".
Read read_line(const std::string& printed) {
    QString rest = QString::fromStdString(printed), text;
    static const std::map<QString, int> prefixes{{"n", -9}, {"µ", -6}, {"m", -3}, {"", 0},   {"k", 3},
                                                 {"M", 6},  {"G", 9},  {"T", 12}, {"P", 15}, {"E", 18}};
    static const QRegularExpression number(
        R"(^\$?((?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]?\d+)?)(?:\x{00a0}(%|\$/h|samples/s|[nµmkMGTPE]?(?:FLOP/s|FLOP|B/s|B|s))|×)?)");
    int numbers = 0;
    Read read;
    while (!rest.isEmpty()) {
        const auto match = number.match(rest);
        if (match.hasMatch() && !(text.endsWith("log") && rest.startsWith("2("))) {
            QString digits = match.captured(1).remove(','), unit = match.captured(2);
            int exponent = 0;
            if (unit == "%") {
                exponent = -2;
            } else if (unit != "$/h" && unit != "samples/s" && !unit.isEmpty()) {
                for (const char* base : {"FLOP/s", "FLOP", "B/s", "B", "s"})
                    if (unit.endsWith(base)) {
                        exponent = prefixes.at(unit.chopped(int(strlen(base))));
                        break;
                    }
            }
            const auto point = digits.indexOf('.');
            read.half_unit = 0.5 * std::pow(10.0, exponent - (point < 0 ? 0 : int(digits.size()) - int(point) - 1));
            text += QString("%1e%2").arg(digits).arg(exponent);
            rest = rest.mid(match.capturedLength());
            ++numbers;
            continue;
        }
        const QString c = rest.left(1);
        static const std::map<QString, QString> signs{{"=", ""},  {"·", "*"},      {"−", "-"}, {"⌈", "ceil("},
                                                      {"⌉", ")"}, {"⌊", "floor("}, {"⌋", ")"}, {"₂", "2"}};
        const auto sign = signs.find(c);
        text += sign == signs.end() ? c : sign->second;
        rest = rest.mid(1);
    }
    if (const auto e = numerics::parse_expression(text.toStdString()))
        if (const auto v = numerics::evaluate(*e, {})) read.value = *v;
    if (numbers != 1) read.half_unit = 0;
    return read;
}

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
        for (const auto& row : estimate_.layers) {
            for (Topic t : {Topic::layer, Topic::layer_backward, Topic::layer_update, Topic::layer_communication,
                            Topic::layer_hidden, Topic::layer_compute, Topic::layer_kept, Topic::share})
                visit(Item{t, row.part, row.position});
            for (Pass p : all_passes)
                for (Topic t : {Topic::layer_pass, Topic::layer_flops, Topic::layer_bytes})
                    visit(Item{t, row.part, row.position, p});
        }
        for (std::size_t m = 0; m < estimate_.messages.size(); ++m)
            for (Topic t : {Topic::message, Topic::message_bytes, Topic::message_exposed, Topic::message_hidden}) {
                Item item{t, estimate_.messages[m].part};
                item.message = int(m);
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
    int depth_ = 0;

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
            const auto formula = numerics::parse_expression(d.formula);
            const auto value = formula ? numerics::evaluate(*formula, {}) : Result<double>(0);
            if (!formula || !value || !close(*value, input->value))
                complain(e, "definition " + QString::fromStdString(d.symbol + " = " + d.formula));
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

Explanation why(const Scenario& s, const Item& item) {
    auto plan = prepare(s);
    Scratch scratch = make_scratch(*plan);
    const auto e = estimate(s, *plan, scratch);
    const auto page = explain(s, *plan, *e, item);
    if (!page) qFatal("%s", to_text(page.error()[0]).c_str());
    return *page;
}

int layer(const Scenario& s, const char* name) { return *s.network()->position(std::string_view(name)); }

std::string input_shown(const Explanation& e, const char* symbol) {
    for (const Input& i : e.inputs)
        if (i.symbol == symbol) return i.shown;
    return "none";
}

constexpr std::array all_strategies{Strategy::data, Strategy::outputs, Strategy::layers, Strategy::hybrid};
constexpr std::array all_collectives{Collective::ring,
                                     Collective::recursive,
                                     Collective::tree,
                                     Collective::one_to_all,
                                     Collective::paleo_tree,
                                     Collective::butterfly,
                                     Collective::butterfly_mixing,
                                     Collective::automatic};
constexpr std::array all_schemes{HybridScheme::all_at_once, HybridScheme::one_sender, HybridScheme::all_send_share};
constexpr std::array all_overlaps{Overlap::off, Overlap::buckets, Overlap::perfect};

}  // namespace

class TestExplain : public QObject {
    Q_OBJECT

private:
    int pages_ = 0, scenarios_ = 0;
    std::set<Topic> topics_;

    void walk(const Scenario& s, const QString& name, bool must = true) {
        Walk w(s);
        if (!w.feasible) {
            if (must) QFAIL(qPrintable(name + " is infeasible"));
            return;
        }
        // Sanitizers make this forty times slower; there memory is the question, and a sample of the scenarios answers
        // it.
        if (sanitized && scenarios_++ % 16 != 0) return;
        w.all();
        pages_ += w.pages;
        if (!sanitized) ++scenarios_;
        topics_.insert(w.topics.begin(), w.topics.end());
        if (!w.wrong.isEmpty()) QFAIL(qPrintable(name + '\n' + w.wrong.join('\n')));
    }

private slots:
    void cleanupTestCase() { qInfo("%d pages of %d scenarios", pages_, scenarios_); }

    void every_way_to_divide_every_kind() {
        for (Strategy strategy : all_strategies)
            for (HybridScheme scheme : all_schemes)
                for (Overlap overlap : all_overlaps)
                    for (bool strong : {false, true})
                        for (bool roofline : {false, true}) {
                            if (strategy != Strategy::hybrid && scheme != HybridScheme::all_at_once) continue;
                            if ((strategy == Strategy::outputs || strategy == Strategy::layers) &&
                                overlap != Overlap::off)
                                continue;
                            Scenario s = scenario("every kind");
                            s.parallelism.strategy = strategy;
                            s.parallelism.scheme = scheme;
                            s.parallelism.overlap = overlap;
                            s.parallelism.bucket = Bytes{3000};
                            s.training.batch_rule = strong ? BatchRule::total : BatchRule::per_worker;
                            s.model.overlap_memory = roofline;
                            if (strategy == Strategy::hybrid) {
                                s.parallelism.cut_auto = false;
                                s.parallelism.cut = s.network()->layers()[std::size_t(layer(s, "conv3"))].id;
                            }
                            walk(s, QString("strategy %1, scheme %2, overlap %3, strong %4, roofline %5")
                                        .arg(int(strategy))
                                        .arg(int(scheme))
                                        .arg(int(overlap))
                                        .arg(strong)
                                        .arg(roofline));
                            if (QTest::currentTestFailed()) return;
                        }
    }

    void every_collective_on_one_and_two_levels() {
        for (Collective collective : all_collectives)
            for (std::int64_t workers : {1, 3, 4, 6, 12})
                for (std::int64_t per_node : {1, 4})
                    for (Strategy strategy : {Strategy::data, Strategy::hybrid}) {
                        if (strategy == Strategy::hybrid && workers > 10) continue;
                        Scenario s = scenario("every kind");
                        s.parallelism.strategy = strategy;
                        s.parallelism.collective = collective;
                        s.parallelism.scheme = HybridScheme::one_sender;
                        s.cluster.workers = workers;
                        s.cluster.devices_per_node = per_node;
                        s.cluster.nics_per_node = per_node / 2 + per_node % 2;
                        s.model.inside = Fraction{0.7};
                        s.model.between = Fraction{0.85};
                        walk(s, QString("collective %1, workers %2, in a node %3, strategy %4")
                                    .arg(int(collective))
                                    .arg(workers)
                                    .arg(per_node)
                                    .arg(int(strategy)));
                        if (QTest::currentTestFailed()) return;
                    }
    }

    void every_circumstance_at_random() {
        std::mt19937 random(20240229);
        const auto pick = [&](int n) { return int(random() % unsigned(n)); };
        for (int round = 0; round < 150; ++round) {
            Scenario s = scenario("every kind");
            s.training.batch = 1 + pick(200);
            s.training.batch_rule = pick(2) ? BatchRule::total : BatchRule::per_worker;
            s.training.accumulation = 1 + pick(3) * pick(2);
            s.cluster.device = *library().catalogue.device(pick(2) ? "Tesla K40" : "Tesla V100 SXM2 16GB");
            s.training.precision = all_precisions[std::size_t(pick(5))];
            if (!s.cluster.device.peak_at(s.training.precision)) s.training.precision = Precision::fp32;
            s.cluster.device.price_per_hour = 1.0 + pick(5);
            s.training.optimizer =
                std::array{Optimizer::sgd, Optimizer::momentum, Optimizer::adam}[std::size_t(pick(3))];
            if (pick(4) == 0) s.training.input_limit = SamplesPerSecond{std::pow(10.0, pick(7))};
            for (const auto& l : s.network()->layers())
                if (pick(8) == 0) s.training.frozen.push_back(l.id);
            std::sort(s.training.frozen.begin(), s.training.frozen.end());
            s.cluster.workers = 1 + pick(10);
            s.cluster.devices_per_node = 1 + pick(4);
            s.cluster.nics_per_node = 1 + pick(2);
            s.parallelism.strategy = all_strategies[std::size_t(pick(4))];
            s.parallelism.collective = all_collectives[std::size_t(pick(8))];
            s.parallelism.scheme = all_schemes[std::size_t(pick(3))];
            s.parallelism.overlap = all_overlaps[std::size_t(pick(3))];
            s.parallelism.bucket = Bytes{std::pow(10.0, 2 + pick(4))};
            s.parallelism.micro_batches = 1 + pick(5);
            if (pick(3) > 0) {
                s.parallelism.cut_auto = false;
                s.parallelism.cut =
                    pick(8) == 0 ? LayerId{} : s.network()->layers()[std::size_t(pick(s.network()->size()))].id;
            }
            s.model.compute = Fraction{0.05 * (1 + pick(20))};
            s.model.memory = Fraction{0.05 * (1 + pick(20))};
            s.model.overlap_memory = pick(2);
            s.model.launch = pick(2) ? microseconds(pick(12)) : Seconds{0};
            s.workload[0].passes = {pick(10) > 0, pick(10) > 0, pick(8) > 0, pick(6) == 0, pick(8) > 0};
            s.workload[0].count = 1 + pick(3) * pick(2);
            walk(s, QString("round %1").arg(round), false);
            if (QTest::currentTestFailed()) return;
        }
        QVERIFY(scenarios_ > 100);
    }

    void published_networks() {
        struct Case {
            const char* network;
            Strategy strategy;
            std::int64_t workers;
        };
        for (const Case& c : {Case{"alexnet-one-tower", Strategy::data, 32},
                              {"alexnet-one-tower", Strategy::hybrid, 8},
                              {"alexnet-two-tower", Strategy::outputs, 2},
                              {"alexnet-two-tower", Strategy::hybrid, 4},
                              {"inception-v3", Strategy::data, 16},
                              {"inception-v1", Strategy::outputs, 5},
                              {"resnet-50", Strategy::layers, 7},
                              {"resnet-50", Strategy::outputs, 8},
                              {"densenet-121", Strategy::layers, 4},
                              {"densenet-121", Strategy::outputs, 6},
                              {"dcgan-generator", Strategy::outputs, 3}}) {
            Scenario s = scenario(c.network);
            s.parallelism.strategy = c.strategy;
            s.parallelism.overlap = Overlap::buckets;
            s.parallelism.scheme = HybridScheme::all_send_share;
            s.parallelism.micro_batches = 4;
            s.cluster.workers = c.workers;
            s.cluster.devices_per_node = 4;
            walk(s, QString("%1, strategy %2").arg(c.network).arg(int(c.strategy)));
            if (QTest::currentTestFailed()) return;
        }
    }

    void a_step_of_several_networks() {
        Scenario s = scenario("dcgan-discriminator");
        s.workload[0].count = 2;
        s.workload.push_back({network("dcgan-generator"), {}, 1, ""});
        s.workload.push_back({network("dcgan-discriminator"), {true, true, false, true, false}, 1, ""});
        s.training.accumulation = 2;
        for (Overlap overlap : all_overlaps) {
            s.parallelism.overlap = overlap;
            s.parallelism.bucket = Bytes{2e6};
            walk(s, QString("overlap %1").arg(int(overlap)));
            if (QTest::currentTestFailed()) return;
        }
        const Explanation forward = why(s, Item{Topic::forward});
        QVERIFY(forward.inputs[0].text.find(": ") != std::string::npos);  // says which network
    }

    void more_workers_than_samples() {
        Scenario s = scenario("every kind");
        s.training.batch = 5;
        s.training.batch_rule = BatchRule::total;
        s.cluster.workers = 9;
        walk(s, "9 workers, 5 samples");
        const Explanation e = why(s, Item{Topic::ranks});
        QCOMPARE(e.result, 5.0);
        s.parallelism.strategy = Strategy::layers;
        s.parallelism.micro_batches = 64;
        walk(s, "64 micro-batches, 5 samples");
    }

    void every_topic_was_visited() {
        if (sanitized) return;  // the sample need not hold all of them
        for (int t = 0; t <= int(Topic::live); ++t)
            QVERIFY2(topics_.contains(Topic(t)), qPrintable(QString("topic %1").arg(t)));
    }

    /// A panel may still ask about a figure of the scenario before: that is a Problem, or a page, but never a crash.
    void any_question_has_an_answer() {
        std::mt19937 random(7);
        const auto pick = [&](int low, int high) { return low + int(random() % unsigned(high - low + 1)); };
        for (Strategy strategy : all_strategies)
            for (Collective collective : {Collective::ring, Collective::automatic}) {
                Scenario s = scenario("every kind");
                s.parallelism.strategy = strategy;
                s.parallelism.collective = collective;
                s.parallelism.overlap = Overlap::buckets;
                s.parallelism.scheme = HybridScheme::one_sender;
                s.parallelism.bucket = Bytes{5000};
                s.cluster.devices_per_node = 2;
                s.cluster.device.price_per_hour.reset();
                auto plan = prepare(s);
                Scratch scratch = make_scratch(*plan);
                const auto e = estimate(s, *plan, scratch);
                QVERIFY(e.has_value());
                for (int i = 0; i < 20000; ++i) {
                    Item item{Topic(pick(0, int(Topic::live))),
                              pick(-1, 1),
                              pick(-1, 22),
                              Pass(pick(0, 2)),
                              pick(-1, 12),
                              pick(-2, 5),
                              pick(-1, 3),
                              pick(0, 3) ? 0 : pick(-1, 30),
                              false};
                    const auto page = explain(s, *plan, *e, item);
                    if (page)
                        QVERIFY(std::isfinite(page->result) && !page->title.empty() && !page->crumbs.empty());
                    else
                        QVERIFY(!page.error().empty() && !page.error()[0].what.empty() &&
                                !page.error()[0].remedy.empty());
                }
                QCOMPARE(QString::fromStdString(explain(s, *plan, *e, Item{Topic::cost}).error()[0].what),
                         QString("No price is known for Tesla K40."));
            }
    }

    /// What the messages tell of themselves is what the step is charged.
    void messages_make_up_the_communication() {
        for (Strategy strategy : all_strategies)
            for (HybridScheme scheme : all_schemes)
                for (Overlap overlap : all_overlaps) {
                    Scenario s = scenario("every kind");
                    s.workload[0].count = 3;
                    s.training.accumulation = 2;
                    s.parallelism.strategy = strategy;
                    s.parallelism.scheme = scheme;
                    s.parallelism.overlap = overlap;
                    s.parallelism.bucket = Bytes{4000};
                    s.parallelism.micro_batches = 4;
                    s.parallelism.cut_auto = false;
                    s.parallelism.cut = s.network()->layers()[std::size_t(layer(s, "conv3"))].id;
                    const auto e = estimate(s);
                    QVERIFY(e.has_value());
                    double exposed = 0, hidden = 0, all = 0, of_layers = 0;
                    for (const MessageEstimate& m : e->messages) {
                        exposed += m.exposed.value;
                        hidden += m.hidden.value;
                        all += m.each.value * double(m.times);
                        QVERIFY(m.exposed.value >= 0 && m.hidden.value >= 0 && m.times % 3 == 0 && !m.layers.empty());
                    }
                    for (const LayerEstimate& l : e->layers) of_layers += l.communication.value;
                    const double step = e->summary.step.value;
                    QVERIFY(all > 0);
                    QVERIFY(std::abs(exposed - e->summary.communication.value) <= 1e-9 * exposed + 1e-15 * step);
                    QVERIFY(std::abs(of_layers - exposed) <= 1e-9 * exposed + 1e-15 * step);
                    QVERIFY(std::abs(hidden - e->summary.hidden.value) <= 1e-9 * hidden + 1e-15 * step);
                    QVERIFY(std::abs(exposed + hidden - all) <= 1e-9 * all + 1e-15 * step);
                }
    }

    /// The picture of the design: conv2's forward pass, number by number.
    void a_page_reads_like_the_picture() {
        Scenario s = scenario("alexnet-one-tower");
        s.cluster.device = *library().catalogue.device("TITAN_X");
        s.cluster.device.price_per_hour = 0.5;
        s.training.batch = 128;
        s.cluster.workers = 32;
        const Explanation e = why(s, Item{Topic::layer_pass, 0, layer(s, "conv2")});
        QCOMPARE(QString::fromStdString(e.title), QString::fromUtf8("conv2, forward"));
        QCOMPARE(e.crumbs.size(), std::size_t(3));
        QCOMPARE(QString::fromStdString(e.crumbs[0].text), QString::fromUtf8("Step"));
        QCOMPARE(QString::fromStdString(e.crumbs[1].text), QString::fromUtf8("conv2"));
        QCOMPARE(QString::fromStdString(e.formula), QString::fromUtf8("F/(P*e) + D/(W*e_m)"));
        QCOMPARE(QString::fromStdString(input_shown(e, "F")), QString::fromUtf8("53.16\u00a0GFLOP"));
        QCOMPARE(QString::fromStdString(input_shown(e, "P")), QString::fromUtf8("6.144\u00a0TFLOP/s"));
        QCOMPARE(QString::fromStdString(e.lines.front()), QString::fromUtf8("= 53.16\u00a0GFLOP / 6.144\u00a0TFLOP/s"));
        QVERIFY(e.lines[1].starts_with("+ "));
        QCOMPARE(QString::fromStdString(e.definitions.at(0).text), QString::fromUtf8("2·5·5·64·26·26·192·128"));
        const Explanation speedup = why(s, Item{Topic::speedup});
        QCOMPARE(QString::fromStdString(speedup.formula), QString::fromUtf8("n*t_1/t_n"));
        QCOMPARE(QString::fromStdString(speedup.title), QString::fromUtf8("Speedup at 32 workers"));
        QCOMPARE(speedup.parts.size(), std::size_t(4));
        QCOMPARE(QString::fromStdString(speedup.inputs[0].field), QString::fromUtf8("cluster.workers"));
        if (qEnvironmentVariableIsSet("SCALESCOPE_SHOW_PAGES")) {
            for (Topic t : {Topic::cost, Topic::memory, Topic::live, Topic::activations, Topic::hidden, Topic::idle,
                            Topic::idle_share})
                show(why(s, Item{t}));
            s.parallelism.overlap = Overlap::buckets;
            s.cluster.devices_per_node = 4;
            s.cluster.workers = 30;
            s.parallelism.collective = Collective::automatic;
            for (Topic t : {Topic::message, Topic::message_exposed, Topic::message_hidden, Topic::message_start,
                            Topic::message_bytes}) {
                Item m{t};
                m.message = 1;
                show(why(s, m));
            }
            Item level{Topic::message_level};
            level.message = 0, level.index = 1, level.level = 1;
            show(why(s, level));
            s.parallelism.strategy = Strategy::hybrid;
            s.parallelism.scheme = HybridScheme::one_sender;
            for (Topic t : {Topic::communication, Topic::cut_exposed, Topic::cut_work}) show(why(s, Item{t}));
            show(why(s, Item{Topic::layer_flops, 0, layer(s, "fc6")}));
            show(why(s, Item{Topic::layer_parameters, 0, layer(s, "fc6")}));
            show(why(s, Item{Topic::layer_communication, 0, layer(s, "fc6")}));
            s.parallelism.strategy = Strategy::layers;
            s.cluster.workers = 4;
            s.parallelism.micro_batches = 8;
            for (Topic t : {Topic::step, Topic::idle, Topic::pipeline, Topic::forward, Topic::communication})
                show(why(s, Item{t}));
            show(why(s, Item{Topic::layer_pass, 0, layer(s, "fc6")}));
        }
    }

    static void show(const Explanation& e) {
        QString text;
        for (const Crumb& c : e.crumbs) text += QString::fromStdString(c.text) + " › ";
        text += '\n' + QString::fromStdString(e.title + "   " + e.result_shown) + "\n  " +
                QString::fromStdString(e.symbol + " = " + e.formula) + '\n';
        for (const auto& l : e.lines) text += "      " + QString::fromStdString(l) + '\n';
        for (const Input& i : e.inputs)
            text += QString("  %1 | %2 | %3 %4 [%5]\n")
                        .arg(QString::fromStdString(i.symbol), QString::fromStdString(i.text),
                             QString::fromStdString(i.shown), QString::fromStdString(i.field.empty() ? ">" : i.field),
                             QString::fromUtf8(name_of(i.evidence).data()));
        for (const Definition& d : e.definitions)
            text += "  " + QString::fromStdString(d.symbol + " = " + d.text) + '\n';
        for (const auto& p : e.parts)
            text += "  ■ " + QString::fromStdString(p.name + "  " + p.share_shown + "  " + p.shown) + '\n';
        if (!e.parts.empty()) text += "  " + QString::fromStdString(e.parts_name + "  " + e.parts_shown) + '\n';
        for (const auto& n : e.notes) text += "  · " + QString::fromStdString(n) + '\n';
        text += "  " + QString::fromStdString(e.source) + " [" + QString::fromUtf8(name_of(e.evidence).data()) + "] " +
                QString::fromStdString(e.evidence_text);
        qInfo().noquote() << text;
    }
};

QTEST_APPLESS_MAIN(TestExplain)
#include "tst_explain.moc"
