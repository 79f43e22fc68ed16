// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/all_verbs.hpp"

#include <algorithm>
#include <ostream>

#include "app/commands/cpu_cluster_tables.hpp"
#include "app/commands/cpu_machines.hpp"
#include "app/commands/input.hpp"
#include "app/commands/interrupt.hpp"
#include "app/commands/options.hpp"
#include "core/base/format.hpp"
#include "core/base/limits.hpp"
#include "core/yan/model.hpp"
#include "core/yan/optimize.hpp"

namespace scalescope::app {

namespace {

using namespace yan;

Options cpu_cluster_options() {
    Options options(cpu_cluster_command);
    options.positional("NETWORK", "a network file, or the name of a preset");
    options.value("machine", "NAME", "what all machines are: a file, or one of scalescope list machines").required();
    options.integer("machines", "how many there are; without --replicas, as many replicas as have room", 1,
                    limits::workers);
    options.integer("partitions", "machines of a replica (default 1)", 1, limits::partitions);
    options.integer("replicas", "that train on different samples", 1, limits::workers);
    options.integer("servers", "machines that are parameter servers (default 1)", 1, limits::workers);
    options.flag("servers-beside", "servers stand on the workers' machines and share their cores and network");
    options.integer("threads", "of a machine, each with a sample of its own (default: its cores)", 1, limits::workers);
    options.integer("exchange", "samples of a replica between two exchanges with the servers (default 256)", 1,
                    limits::batch);
    options.number("samples", "of an epoch (default 1000000)", 1, 1e15);
    options.choice("mode", {"async", "sync"}, "replicas on their own (default), or all in step");
    options.flag("exchange-after-training", "asynchronous replicas wait for each exchange");
    options.number("stragglers", "sync: deviation of a replica's step over its mean (default 0)", 0, 10);
    options.number("overlap", "share of exchange between layers that hides behind compute (default 0)", 0, 1);
    options.choice("convolutions", {"rows", "channels"}, "what partitions divide of an image (default rows)");
    options.choice("local-update", {"sample", "exchange"}, "deltas are applied after each sample (default), or once");
    options.choice("placement", {"aligned", "connections"},
                   "segments in the row of machines (default), or each where it has the fewest remote connections");
    options.flag("best-splits", "segments of each layer by a dynamic programme, not the same for all");
    options.flag("worked-example", "the formulas with the simplifications of the worked example");
    options.integer("best", "search partitions, servers and threads on --machines, and list so many", 1,
                    static_cast<std::int64_t>(limits::ranked));
    options.choice("show", {"layers", "totals", "all"}, "one table instead of all (of CSV and JSON: totals)");
    declare_set(options, text_of_set_sizes);
    options.table_format();
    return options;
}

Configuration configuration_of(const Arguments& a, const CpuMachine& machine) {
    Configuration c;
    c.partitions = a.integer("partitions").value_or(1);
    c.servers = a.integer("servers").value_or(1);
    c.servers_beside = a.has("servers-beside");
    c.threads = a.integer("threads").value_or(machine.cores);
    c.exchange_every = a.integer("exchange").value_or(256);
    c.samples = Samples{a.number("samples").value_or(1e6)};
    c.synchronous = a.value("mode") == "sync";
    c.exchange_beside_training = !a.has("exchange-after-training");
    c.step_deviation = a.number("stragglers").value_or(0.0);
    c.overlap = a.number("overlap").value_or(0.0);
    if (a.value("local-update") == "exchange") c.local_update = LocalUpdate::per_exchange;
    if (a.value("placement") == "connections") c.placement = SegmentPlacement::by_connections;
    return c;
}

/// Replicas that were given, or as many as have room on the machines there are.
Result<std::int64_t> replicas_of(const Arguments& a, const Configuration& c) {
    const auto machines = a.integer("machines"), given = a.integer("replicas");
    if (!machines) return given.value_or(1);
    const std::int64_t room = (*machines - (c.servers_beside ? 0 : c.servers)) / c.partitions;
    if (room < 1 || given.value_or(1) > room)
        return fail(make_error(std::to_string(given.value_or(1)) + " replicas of " + std::to_string(c.partitions) +
                                   " machines and " + std::to_string(c.servers) + " servers have no room on " +
                                   std::to_string(*machines) + " machines.",
                               "use fewer partitions, replicas or servers, or more machines"));
    return given.value_or(room);
}

/// More machines are advised only if some configuration fits on them.
Problem nothing_fits(const PreparedNetwork& prepared, ClusterSpace space, const ClusterRanking& found,
                     const Watch& watch) {
    if (found.scored == 0) return make_error("Nothing was tried.", "let the search run to its end");
    std::string remedy;
    space.keep = 1;
    for (int doubled = 0; doubled < 4 && remedy.empty() && !watch.cancel.cancelled(); ++doubled) {
        space.machines *= 2;
        const auto more = optimize(prepared, space, watch);
        if (!more) break;
        if (!more->best.empty()) remedy = "use " + format_count(space.machines) + " machines; or ";
    }
    const std::string least = format_bytes(found.least_memory);
    return make_error("Nothing fits: the least that a configuration needs on a machine is " + least +
                          ", and a machine has " + format_bytes(prepared.machine.memory) + ".",
                      remedy + "choose machines with " + least + " or more");
}

int search_for_best(const Arguments& a, const PreparedNetwork& prepared, const Configuration& base, std::ostream& out,
                    std::ostream& err) {
    if (a.has("replicas") || a.has("placement")) {
        return wrong_usage(err, "cpu cluster",
                           "--best tries all numbers of replicas, aligned: leave out --replicas and --placement");
    }
    if (!a.has("machines")) return wrong_usage(err, "cpu cluster", "--best needs --machines");
    ClusterSpace space;
    space.machines = *a.integer("machines");
    if (const auto p = a.integer("partitions")) space.partitions = {*p};
    if (const auto h = a.integer("threads")) space.threads = {*h};
    if (const auto s = a.integer("servers")) space.servers = {*s};
    space.best_splits = a.has("best-splits");
    space.keep = static_cast<std::size_t>(*a.integer("best"));
    space.base = base;
    const Interrupt interrupt;
    const auto found = optimize(prepared, space, Watch{{}, interrupt.token()});
    if (!found) return report(err, found.error());
    Problems notes;
    const auto note = [&](std::string what, std::string remedy) {
        notes.push_back(make_warning(std::move(what), std::move(remedy)));
    };
    if (found->do_not_fit > 0)
        note(std::to_string(found->do_not_fit) + " of " + std::to_string(found->scored) +
                 " configurations need more memory than there is, and are left out.",
             "use machines with more memory to have them");
    if (found->cancelled) note("The search was ended: these are the best so far.", "let it run to its end");
    if (!found->cancelled && !found->proven)
        note("Splits were found one layer after the other: not proven to be the best.",
             "use fewer partitions, or a network with fewer branches, for a proof");
    report(err, notes);
    if (found->best.empty())
        return report(err, {nothing_fits(prepared, std::move(space), *found, Watch{{}, interrupt.token()})});
    write_table(out, ranking_table(*found), a.format());
    return exit_done;
}

int one_configuration(const Arguments& a, const Network& network, const PreparedNetwork& prepared, Configuration c,
                      std::ostream& out, std::ostream& err) {
    const auto replicas = replicas_of(a, c);
    if (!replicas) return report(err, replicas.error());
    c.replicas = *replicas;
    std::optional<BestSplits> splits;
    if (a.has("best-splits")) {
        if (const Problems wrong = check(prepared, c); !wrong.empty()) return report(err, wrong);
        const Interrupt interrupt;
        splits = best_splits(prepared, c, doubling(c.partitions), Watch{{}, interrupt.token()});
        c.splits = splits->splits;
    }
    const auto evaluation = evaluate(prepared, c);
    if (!evaluation) return report(err, evaluation.error());
    if (!evaluation->score.fits) report(err, memory_notes(prepared, c));
    report(err, evaluation->notes);
    const bool plain = a.format() == OutputFormat::table;
    const std::string show = a.value("show").value_or(plain ? "all" : "totals");
    if (show != "totals") write_table(out, layers_table(network, prepared, *evaluation), a.format());
    if (show == "all") out << '\n';
    if (show != "layers") write_table(out, totals_table(prepared, *evaluation, splits), a.format());
    return exit_done;
}

int run_cpu_cluster(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    const auto arguments = cpu_cluster_options().parse(words, out, err);
    if (!arguments) return arguments.error();
    const auto library = load_library(err);
    const auto machine = machine_named(*arguments->value("machine"), library);
    if (!machine) return report(err, machine.error());
    Problems warnings;
    const auto changes = assignments("cpu cluster", "set", *arguments, err);
    if (!changes) return changes.error();
    auto network = network_named(arguments->positional(0), library, &warnings, sizes_in(*changes), read_as(*arguments));
    report(err, warnings);
    if (network && !changes->empty()) network = with_sizes(*network, *changes, "A CPU cluster");
    if (!network) return report(err, network.error());
    if (const auto text = about_unknown_kinds(**network); !text.empty()) report(err, {make_warning(text, {})});
    MethodOptions options;
    options.worked_example = arguments->has("worked-example");
    if (arguments->value("convolutions") == "channels") options.convolutions = ConvolutionSplit::channels;
    const PreparedNetwork prepared = prepare(**network, *machine, options);
    const Configuration c = configuration_of(*arguments, *machine);
    return arguments->has("best") ? search_for_best(*arguments, prepared, c, out, err)
                                  : one_configuration(*arguments, **network, prepared, c, out, err);
}

}  // namespace

const Command cpu_cluster_command{"cpu cluster", "training on CPU machines with parameter servers",
                                  "scalescope cpu cluster alexnet-one-tower --machine adam-like --machines 20 --best 5",
                                  run_cpu_cluster};

}  // namespace scalescope::app
