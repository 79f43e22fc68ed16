// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/all_verbs.hpp"

#include <ostream>

#include "app/commands/cpu_machines.hpp"
#include "app/commands/input.hpp"
#include "app/commands/interrupt.hpp"
#include "app/commands/options.hpp"
#include "core/base/atomic_file.hpp"
#include "core/formats/catalogue_json.hpp"
#include "core/formats/input_file.hpp"
#include "core/measure/machines/thread_benchmark.hpp"

namespace scalescope::app {

namespace {

Options cpu_machine_options() {
    Options options(cpu_machine_command);
    options.positional("TABLE",
                       "CSV with the columns threads, weight_working_set_kib and time_per_muladd_s: seconds of one "
                       "multiply-add of one thread");
    options
        .value("machine", "NAME",
               "the machine whose caches it has, and everything else that threads do not tell: a file, or one of "
               "scalescope list machines")
        .required();
    options.value("id", "ID", "of the new machine: small letters, digits and hyphens (default measured)");
    options.value("name", "NAME", "what people call it");
    options.number("l2-kib", "second-level cache of a core, if the machine's is another", 1, 1e9);
    options.number("l3-kib", "last-level cache that a thread's weights may fill, if the machine's is another", 1, 1e9);
    options.value("save", "FILE", "write it, for --machine FILE or your own folder of machines");
    options.table_format();
    return options;
}

Table changes_table(const CpuMachine& base, const CpuMachine& now) {
    Table table{{"figure", "unit", "before", "measured"}, {}};
    const auto row = [&](const char* figure, const char* unit, double before, double after) {
        table.rows.push_back({std::string(figure), std::string(unit), before, after});
    };
    row("multiply_add_l2", "ns", base.multiply_add_l2.value * 1e9, now.multiply_add_l2.value * 1e9);
    row("multiply_add_l3", "ns", base.multiply_add_l3.value * 1e9, now.multiply_add_l3.value * 1e9);
    row("multiply_add_memory", "ns", base.multiply_add_memory.value * 1e9, now.multiply_add_memory.value * 1e9);
    row("contention", "", base.contention, now.contention);
    row("memory_bandwidth", "GB/s", base.memory_bandwidth.value / 1e9, now.memory_bandwidth.value / 1e9);
    return table;
}

int run_cpu_machine(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    const auto arguments = cpu_machine_options().parse(words, out, err);
    if (!arguments) return arguments.error();
    auto base = machine_named(*arguments->value("machine"), load_library(err));
    if (!base) return report(err, base.error());
    const CpuMachine before = *base;
    if (const auto l2 = arguments->number("l2-kib")) base->l2 = Bytes{*l2 * 1024.0};
    if (const auto l3 = arguments->number("l3-kib")) base->l3 = Bytes{*l3 * 1024.0};
    const auto text = formats::read_input_file(arguments->positional(0));
    if (!text) return report(err, text.error());
    measure::ThreadBenchmark benchmark;
    benchmark.id = arguments->value("id").value_or("measured");
    benchmark.name = arguments->value("name").value_or(benchmark.id);
    const Interrupt interrupt;
    const auto measured =
        measure::machine_from_threads(*text, arguments->positional(0), *base, benchmark, Watch{{}, interrupt.token()});
    if (!measured) return report(err, measured.error());
    report(err, measured->warnings);
    const std::string json = formats::write_machines(std::span(&measured->machine, 1));
    // What cannot be read back is not written: an id with capitals, a cache larger than the next.
    if (const auto back = formats::read_machines(json, arguments->value("save").value_or("machine")); !back)
        return report(err, back.error());
    if (const auto file = arguments->value("save"))
        if (const auto saved = write_file(*file, json); !saved) return report(err, saved.error());
    if (arguments->format() == OutputFormat::json)
        out << json;
    else
        write_table(out, changes_table(before, measured->machine), arguments->format());
    return exit_done;
}

}  // namespace

const Command cpu_machine_command{
    "cpu machine", "a CPU machine from a benchmark of its threads",
    "scalescope cpu machine threads.csv --machine xeon-e5-2690 --id ours --save ours.json", run_cpu_machine};

}  // namespace scalescope::app
