// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/all_verbs.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <ostream>

#include "app/commands/input.hpp"
#include "app/commands/options.hpp"
#include "core/base/suggest.hpp"
#include "core/formats/library.hpp"
#include "core/formats/paleo/convert.hpp"
#include "core/paleo/simulate.hpp"

namespace scalescope::app {

namespace {

using paleo::Pass;

// ----------------------------------------------------------------------------------------------------------------
// input

constexpr std::array<std::string_view, paleo::pass_count> pass_names{"fwd", "bwd_data", "bwd_filter"};

/// cuDNN version 4's names, as PALEO prints them.
constexpr std::array forward_names{"FWD_ALGO_IMPLICIT_GEMM", "FWD_ALGO_IMPLICIT_PRECOMP_GEMM",
                                   "FWD_ALGO_GEMM",          "FWD_ALGO_DIRECT",
                                   "FWD_ALGO_FFT",           "FWD_ALGO_FFT_TILING",
                                   "FWD_ALGO_WINOGRAD"};
constexpr std::array data_names{"BWD_DATA_ALGO_0", "BWD_DATA_ALGO_1", "BWD_DATA_ALGO_FFT", "BWD_DATA_ALGO_FFT_TILING",
                                "BWD_DATA_ALGO_WINOGRAD"};
constexpr std::array filter_names{"BWD_FILTER_ALGO_0", "BWD_FILTER_ALGO_1", "BWD_FILTER_ALGO_FFT", "BWD_FILTER_ALGO_3"};

std::span<const char* const> algorithm_names(Pass pass) {
    if (pass == Pass::forward) return forward_names;
    return pass == Pass::data_gradient ? std::span<const char* const>(data_names)
                                       : std::span<const char* const>(filter_names);
}

/// One pass with one algorithm forced on it.
struct Forced {
    Pass pass = Pass::forward;
    int number = 0;
    std::string name;
    paleo::Algorithm algorithm = paleo::Algorithm::gemm;
};

/// "bwd_data_2", "bwd_data:2" or "BWD_DATA_ALGO_FFT".
std::optional<Forced> parse_forced(std::string_view text) {
    for (const Pass pass : paleo::passes) {
        const auto names = algorithm_names(pass);
        const std::string_view prefix = pass_names[index(pass)];
        for (std::size_t i = 0; i < names.size(); ++i) {
            const std::string number = std::to_string(i);
            if (text == names[i] || text == std::string(prefix) + "_" + number ||
                text == std::string(prefix) + ":" + number)
                return Forced{pass, static_cast<int>(i), names[i], {}};
        }
    }
    return std::nullopt;
}

Result<paleo::Net> read_net(const std::string& name, const formats::Library& library) {
    // PALEO's own networks first: "nin" is the one its numbers were made with.
    const auto find = [&](const std::string& n) {
        const auto* own = library.find_network("paleo/" + n);
        return own ? own : library.find_network(n);
    };
    const auto source = named_text(name, find, library.networks, "network");
    if (!source) return fail(source.error());
    auto net = formats::read_as_paleo(source->text, source->file);
    std::error_code ignored;
    if (net || find(name) == nullptr || std::filesystem::is_regular_file(name, ignored)) return net;
    std::string own;  // a preset is sound: what PALEO has no word for is no fault of its file
    for (const auto& preset : library.networks)
        if (preset.id.starts_with("paleo/")) own += (own.empty() ? "" : ", ") + preset.id.substr(6);
    return fail(make_error("PALEO cannot describe the network " + name + ".",
                           "Its own are " + own + "; scalescope estimate takes any."));
}

/// PALEO's keys first (its K80 is the whole two-chip board), then the catalogue.
template <class T, class Known>
Result<T> by_name(const std::string& name, std::span<const T> own, const T* found, const Known* known_as,
                  std::string_view what) {
    if (found) return *found;
    if (known_as) return Result<T>(paleo::from_catalogue(*known_as));
    std::vector<std::string> known;
    for (const T& row : own) known.push_back(row.key);
    std::string choices;
    for (const auto& key : known) choices += (choices.empty() ? "" : ", ") + key;
    const auto meant = closest(name, known);
    return fail(make_error("There is no " + std::string(what) + " called \"" + name + "\".",
                           meant ? "Did you mean " + *meant + "?" : "PALEO's own are " + choices + "."));
}

Result<paleo::Device> device_named(const std::string& name, const Catalogue& catalogue) {
    return by_name<paleo::Device>(name, paleo::devices(), paleo::find_device(name), catalogue.device(name), "device");
}

Result<paleo::Link> link_named(const std::string& name, const Catalogue& catalogue) {
    return by_name<paleo::Link>(name, paleo::links(), paleo::find_link(name), catalogue.link(name), "link");
}

/// What both verbs are asked.
struct Request {
    paleo::Net net;
    paleo::Setup setup;
    paleo::Method method;
    std::int64_t batch = 0;
};

std::vector<std::string> correction_words() {
    std::vector<std::string> words{"all"};
    for (const auto& correction : paleo::corrections()) words.emplace_back(correction.id);
    return words;
}

void add_common_options(Options& options, std::string_view default_batch) {
    options.positional("NETWORK", "a network file, or the name of a preset");
    options.value("device", "DEVICE", "PALEO's key or a device of the catalogue (TITAN_X)");
    options.integer("batch",
                    "samples for each worker; 0 takes the batch of the file (" + std::string(default_batch) + ")", 0,
                    limits::batch);
    options.number("ppp-comp", "percent of peak of computing, as a share (1)", 1e-6, 2);
    options.choice("era", {"head", "paper"},
                   "the code as it stands, or the one the paper's numbers were made with (head)");
    options.words("correct", correction_words(), "departures of PALEO to mend (none)");
    options.number("ppp-mem", "percent of peak of memory, for the correction memory_percent (1)", 1e-6, 2);
    options.table_format();
}

Result<Request> make_request(const Arguments& a, std::int64_t default_batch, const formats::Library& library) {
    Request request;
    auto device = device_named(a.value("device").value_or("TITAN_X"), library.catalogue);
    if (!device) return fail(device.error());
    auto net = read_net(a.positional(0), library);
    if (!net) return fail(net.error());
    request.net = std::move(*net);
    request.setup.device = std::move(*device);
    request.setup.ppp_compute = a.number("ppp-comp").value_or(1.0);
    request.setup.ppp_memory = a.number("ppp-mem").value_or(1.0);
    request.method.era = a.value("era") == "paper" ? paleo::Era::paper : paleo::Era::head;
    for (const auto& word : a.words("correct")) {
        if (word == "all") request.method.corrections = paleo::all_corrections();
        for (const auto& correction : paleo::corrections())
            if (correction.id == word) request.method.corrections.*correction.flag = true;
    }
    request.batch = a.integer("batch").value_or(default_batch);
    return request;
}

// ---------------------------------------------------------------------------------------------------------------
// output

double ms(Seconds t) { return in_milliseconds(t); }

std::string sizes(const paleo::Shape& shape, std::int64_t batch) {
    std::string text;
    for (int i = 0; i < shape.rank; ++i)
        text += (i > 0 ? "x" : "") + std::to_string(i == 0 && batch > 0 ? batch : shape[i]);
    return text;
}

std::string sizes(const std::array<std::int64_t, 4>& numbers) {
    return sizes(paleo::Shape{numbers[0], numbers[1], numbers[2], numbers[3]}, 0);
}

std::int64_t batch_of(const Request& request, const paleo::Plan& plan) {
    return request.batch > 0 ? request.batch : plan.own_batch;
}

Table gemm_table(const Request& request, const paleo::Plan& plan) {
    Table table;
    table.columns = {"device", "batch", "ppp_comp", "index", "layer", "paleo_layertype", "outputs_nhwc", "num_params"};
    for (const auto pass : pass_names)
        for (const auto* figure : {"_flops", "_bytes", "_comp_ms", "_mem_ms", "_total_ms"})
            table.columns.push_back(std::string(pass) + figure);
    table.columns.insert(table.columns.end(), {"bwd_total_ms", "bwd_pipelined_ms"});
    const std::int64_t batch = batch_of(request, plan);
    // One device: no input comes from elsewhere, even in a net that is split.
    const auto rates = make_rates(plan.method, request.setup);
    for (std::size_t i = 0; i < plan.layers.size(); ++i) {
        const auto& layer = request.net.layers[i];
        auto cost = price_layer(plan, plan.layers[i], rates, static_cast<double>(batch));
        cost.fetch = Seconds{};
        std::vector<Cell> row{request.setup.device.key,     batch,           request.setup.ppp_compute,
                              static_cast<std::int64_t>(i), layer.name,      priced_as(layer),
                              sizes(layer.output, batch),   layer.parameters};
        for (const auto& pass : cost.passes)
            row.insert(row.end(),
                       {pass.flops.value, pass.bytes.value, ms(pass.compute), ms(pass.memory), ms(pass.total())});
        row.insert(row.end(), {ms(cost.backward(false)), ms(cost.backward(true))});
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table forced_table(const Request& request, const paleo::Plan& plan, const Forced& forced) {
    Table table;
    table.columns = {"device",  "batch",  "ppp_comp", "index", "layer",     "inputs_nhwc", "filter_hwio",
                     "strides", "pad_h",  "pad_w",    "pass",  "algo_enum", "algo",        "is_1x1_gemm_override",
                     "comp_ms", "mem_ms", "total_ms"};
    const std::int64_t batch = batch_of(request, plan);
    const auto rates = make_rates(plan.method, request.setup);
    for (std::size_t i = 0; i < plan.layers.size(); ++i) {
        const auto& layer = request.net.layers[i];
        if (layer.kind != paleo::LayerType::convolution) continue;
        const auto cost =
            price_pass(plan, plan.layers[i].passes[index(forced.pass)], rates, static_cast<double>(batch));
        const std::int64_t one_by_one = layer.filter[0] == 1 && layer.filter[1] == 1 ? 1 : 0;
        table.rows.push_back({request.setup.device.key, batch, request.setup.ppp_compute, static_cast<std::int64_t>(i),
                              layer.name, sizes(layer.input, batch), sizes(layer.filter), sizes(layer.strides),
                              layer.pad[0], layer.pad[1], std::string(pass_names[index(forced.pass)]),
                              static_cast<std::int64_t>(forced.number), forced.name, one_by_one, ms(cost.compute),
                              ms(cost.memory), ms(cost.total())});
    }
    return table;
}

/// The options of a simulation that every row repeats.
struct Simulation {
    const Request& request;
    const paleo::Plan& plan;
    std::string scaling;
    std::vector<std::int64_t> workers;
    std::vector<std::int64_t> hybrid_workers;

    const paleo::Setup& setup() const { return request.setup; }
    std::vector<Cell> start(bool with_pipeline) const {
        std::vector<Cell> row{setup().device.key, setup().link.key, request.batch};
        if (!scaling.empty()) row.emplace_back(scaling);
        row.emplace_back(std::int64_t{1});  // use_only_gemm
        if (with_pipeline) row.emplace_back(std::int64_t{setup().pipeline ? 1 : 0});
        row.insert(row.end(), {setup().ppp_compute, setup().ppp_communication});
        return row;
    }
};

void add_data_rows(Table& table, const Simulation& s) {
    const auto scaling = s.scaling == "weak" ? paleo::Scaling::weak : paleo::Scaling::strong;
    for (const auto workers : s.workers) {
        const auto point = simulate_data(s.plan, s.setup(), scaling, s.request.batch, workers);
        auto row = s.start(true);
        row.insert(row.end(), {point.workers, point.effective_batch, std::int64_t{1}, ms(point.forward),
                               ms(point.backward), ms(point.update), ms(point.computing())});
        for (const auto time : point.communication) row.emplace_back(ms(time));
        table.rows.push_back(std::move(row));
    }
}

void add_model_rows(Table& table, const Simulation& s) {
    const auto point = simulate_model(s.plan, s.setup(), s.request.batch);
    for (const bool forward : {true, false}) {
        const auto& bounds = forward ? point.forward : point.backward;
        auto row = s.start(false);
        row.insert(row.end(),
                   {std::string(forward ? "Fwd" : "Bwd"), ms(bounds.lower), ms(bounds.upper), std::monostate{}});
        table.rows.push_back(std::move(row));
    }
}

void add_hybrid_rows(Table& table, const Simulation& s) {
    for (const auto workers : s.hybrid_workers) {
        const auto point = simulate_hybrid(s.plan, s.setup(), s.request.batch, workers);
        for (const bool data : {true, false}) {
            const auto& part = data ? point.data : point.model;
            auto row = s.start(true);
            row.insert(row.end(),
                       {std::string(data ? "data_parallel_part" : "model_parallel_part"), point.workers,
                        point.effective_batch, ms(part.forward), ms(part.backward), ms(part.update), ms(part.sync)});
            table.rows.push_back(std::move(row));
        }
    }
}

Table data_header() {
    Table table;
    table.columns = {"device",       "network",     "batch_arg",   "scaling",       "use_only_gemm",
                     "use_pipeline", "ppp_comp",    "ppp_comm",    "workers",       "effective_batch",
                     "iter",         "time_fwd_ms", "time_bwd_ms", "time_apply_ms", "time_comp_ms"};
    for (std::size_t i = 0; i < paleo::scheme_count; ++i)
        table.columns.push_back(std::string(scheme_name(static_cast<paleo::Scheme>(i))) + "_ms");
    return table;
}

Table simulate(const Request& request, const Arguments& a) {
    const auto plan = make_plan(request.net, request.method);
    Simulation s{request, plan, {}, a.integers("workers"), a.integers("hybrid-workers")};
    if (s.workers.empty()) s.workers = {1, 2, 4, 8, 16, 32, 64, 128};
    if (s.hybrid_workers.empty()) s.hybrid_workers = {1};
    const std::string parallel = a.value("parallel").value_or("data");
    Table table;
    if (parallel == "model") {
        table.columns = {"device",   "network", "batch",         "use_only_gemm", "ppp_comp",
                         "ppp_comm", "pass",    "lowerbound_ms", "upperbound_ms", "code_raises"};
        add_model_rows(table, s);
    } else if (parallel == "hybrid") {
        table.columns = {"device",   "network",  "batch_arg", "use_only_gemm",  "use_pipeline",
                         "ppp_comp", "ppp_comm", "part",      "hybrid_workers", "effective_batch",
                         "fwd_ms",   "bwd_ms",   "apply_ms",  "sync_tree_ms"};
        add_hybrid_rows(table, s);
    } else {
        table = data_header();
        auto scalings = a.words("scaling");
        if (scalings.empty()) scalings = {"weak", "strong"};
        for (const auto& scaling : scalings) {
            s.scaling = scaling;
            add_data_rows(table, s);
        }
    }
    return table;
}

int run_paleo_profile(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    Options options(paleo_profile_command);
    add_common_options(options, "0");
    options.value("algorithm", "gemm|PASS_NUMBER",
                  "matrix products throughout (gemm), or one pass of every convolution by an algorithm of cuDNN 4: "
                  "fwd_0 to fwd_5, "
                  "bwd_data_0 to bwd_data_3, bwd_filter_0 to bwd_filter_3");
    const auto arguments = options.parse(words, out, err);
    if (!arguments) return arguments.error();
    const std::string algorithm = arguments->value("algorithm").value_or("gemm");
    auto forced = parse_forced(algorithm);
    if (algorithm != "gemm" && !forced) {
        err << "scalescope paleo profile: there is no algorithm '" << algorithm
            << "'; write gemm, or a pass and cuDNN's number such as fwd_4, bwd_data_2 or bwd_filter_2\n";
        return exit_usage;
    }
    const auto library = load_library(err);
    auto request = make_request(*arguments, 0, library);
    if (!request) return report(err, request.error());
    std::vector<paleo::AlgorithmChoice> choices;
    if (forced) {
        const auto known = paleo::algorithm_of(forced->pass, forced->number, request->method.era);
        if (!known) {
            err << "scalescope paleo profile: " << forced->name
                << " is Winograd, which PALEO prices at zero by mistake; choose another algorithm\n";
            return exit_usage;
        }
        paleo::AlgorithmChoice choice;
        choice.passes[index(forced->pass)] = *known;
        choices.assign(request->net.layers.size(), choice);
    }
    report(err, request->net.warnings);
    const auto plan = make_plan(request->net, request->method, choices);
    report(err, plan.notes);
    write_table(out, forced ? forced_table(*request, plan, *forced) : gemm_table(*request, plan), arguments->format());
    return exit_done;
}

int run_paleo_simulate(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    Options options(paleo_simulate_command);
    add_common_options(options, "128");
    options.value("network", "LINK", "PALEO's key or a link of the catalogue (ethernet)");
    options.integers("workers", "how many workers share the work (1,2,4,8,16,32,64,128)", 1, limits::workers);
    options.words("scaling", {"weak", "strong"}, "the batch is for each worker, or for all together (weak,strong)");
    options.flag("pipeline", "a bound from below: computing and memory of a layer overlap fully");
    options.number("ppp-comm", "percent of peak of communication, as a share (1)", 1e-6, 1e3);
    options.choice("parallel", {"data", "model", "hybrid"}, "how the work is divided (data)");
    options.integers("hybrid-workers", "workers of hybrid mode (1)", 1, limits::workers);
    const auto arguments = options.parse(words, out, err);
    if (!arguments) return arguments.error();
    const auto library = load_library(err);
    auto request = make_request(*arguments, 128, library);
    if (!request) return report(err, request.error());
    auto link = link_named(arguments->value("network").value_or("ethernet"), library.catalogue);
    if (!link) return report(err, link.error());
    request->setup.link = std::move(*link);
    request->setup.ppp_communication = arguments->number("ppp-comm").value_or(1.0);
    request->setup.pipeline = arguments->has("pipeline");
    report(err, request->net.warnings);
    write_table(out, simulate(*request, *arguments), arguments->format());
    return exit_done;
}

}  // namespace

const Command paleo_profile_command{"paleo profile", "PALEO's time for every layer on one device",
                                    "scalescope paleo profile nin --device K40 --batch 128 --ppp-comp 0.62",
                                    run_paleo_profile};

const Command paleo_simulate_command{
    "paleo simulate", "PALEO's training step on many workers",
    "scalescope paleo simulate nin --device K40 --network ethernet --batch 128 --workers 1,2,4,8 --scaling strong",
    run_paleo_simulate};

}  // namespace scalescope::app
