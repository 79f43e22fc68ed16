// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/all_verbs.hpp"

#include <ostream>

#include "app/commands/input.hpp"
#include "app/commands/options.hpp"
#include "core/work/work.hpp"

namespace scalescope::app {

namespace {

Table network_table(const Network& network) {
    Table table{{"layer", "kind", "output_shape", "parameters", "multiply_adds_per_sample", "forward_flops_per_sample"},
                {}};
    const Work work = make_work(network, Passes{}, Training{});
    for (std::size_t i = 0; i < network.layers().size(); ++i) {
        const Layer& layer = network.layers()[i];
        const LayerFacts& facts = network.facts()[i];
        table.rows.push_back({layer.name, std::string(layer.kind->name), to_text(facts.output), facts.parameters(),
                              facts.multiply_adds, work.pass[index_of(scalescope::Pass::forward)].flops[i]});
    }
    table.rows.push_back(
        {std::string("total"), {}, {}, network.parameters(), network.multiply_adds(), work.forward_flops.value});
    return table;
}

int run_network(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    Options options(network_command);
    options.positional("NETWORK", "a network file, or the name of a preset");
    declare_set(options, text_of_set_sizes);
    options.table_format();
    const auto arguments = options.parse(words, out, err);
    if (!arguments) return arguments.error();
    Problems warnings;
    const auto changes = assignments("analyse network", "set", *arguments, err);
    if (!changes) return changes.error();
    auto network =
        network_named(arguments->positional(0), load_library(err), &warnings, sizes_in(*changes), read_as(*arguments));
    report(err, warnings);
    if (network && !changes->empty()) network = with_sizes(*network, *changes, "A summary");
    if (!network) return report(err, network.error());
    if (const auto text = about_unknown_kinds(**network); !text.empty()) report(err, {make_warning(text, {})});
    write_table(out, network_table(**network), arguments->format());
    return exit_done;
}

}  // namespace

const Command network_command{"analyse network", "layers of a network, their shapes, parameters and work",
                              "scalescope analyse network vgg-16", run_network};

}  // namespace scalescope::app
