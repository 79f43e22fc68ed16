// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/all_verbs.hpp"

#include <QDate>
#include <ostream>

#include "app/commands/input.hpp"
#include "app/commands/offscreen.hpp"
#include "app/commands/options.hpp"
#include "ui/report/report_file.hpp"

namespace scalescope::app {

namespace {

constexpr std::size_t most_scenarios = 4;

/// What a scenario's file has pinned comes before it, as what it is compared with.
void add_designs(Pins& designs, formats::ReadScenario read) {
    designs.insert(designs.end(), read.pins.begin(), read.pins.end());
    std::string name = read.scenario.name;
    designs.push_back({std::move(name), std::make_shared<const Scenario>(std::move(read.scenario))});
}

int run_report(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    Options options(report_command);
    options.positional("SCENARIO",
                       std::string(scenario_help) +
                           "; designs pinned in its file come along, before it; all are compared with the first",
                       1, most_scenarios);
    options.value("out", "FILE", "the report: a name that ends in .pdf or .html").required();
    options.value("title", "TEXT", "its heading (the names of the designs)");
    options.value("question", "TEXT", "what it is to answer, below the heading");
    std::vector<std::string> objectives;
    for (const auto& metric : search::all_metrics()) objectives.emplace_back(metric.name);
    options.choice("objective", std::move(objectives), "whose difference is shared out (step)");
    declare_set(options,
                "change a field of every design first (scalescope list fields), or cluster=NAME, network=NAME or "
                "network=FILE");
    const auto arguments = options.parse(words, out, err);
    if (!arguments) return arguments.error();
    const std::string file = arguments->value("out").value_or("");
    if (const auto good = ui::check_report_name(QString::fromStdString(file)); !good) return report(err, good.error());
    const auto library = load_library(err);
    Pins designs;
    for (std::size_t i = 0; i < arguments->positionals().size(); ++i) {
        auto read = designs_to_use("report", *arguments, library, err, i);
        if (!read) return read.error();
        add_designs(designs, std::move(*read));
    }
    report::Asked asked;
    asked.title = arguments->value("title").value_or("");
    asked.question = arguments->value("question").value_or("");
    asked.metric = search::metric_named(arguments->value("objective").value_or("step")).value_or(search::Metric::step);
    asked.version = SCALESCOPE_VERSION;
    asked.date = QDate::currentDate().toString(Qt::ISODate).toStdString();
    const auto made = report::make_report(asked, designs);
    if (!made) return report(err, made.error());
    const Offscreen application;
    if (const auto saved = ui::save_report(*made, QString::fromStdString(file)); !saved)
        return report(err, saved.error());
    out << file << '\n';
    return exit_done;
}

}  // namespace

const Command report_command{"report", "one to four designs on a page or two to hand over, as PDF or HTML",
                             "scalescope report alexnet-ec2-k80 example --out report.pdf", run_report};

}  // namespace scalescope::app
