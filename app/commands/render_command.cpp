// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/all_verbs.hpp"

#include <array>
#include <filesystem>
#include <memory>
#include <ostream>
#include <vector>

#include "app/commands/input.hpp"
#include "app/commands/offscreen.hpp"
#include "app/commands/options.hpp"
#include "ui/charts/chart_export.hpp"
#include "ui/charts/layer_time_chart.hpp"
#include "ui/charts/speedup_chart.hpp"
#include "ui/charts/stack_chart.hpp"
#include "ui/charts/step_time_chart.hpp"
#include "ui/charts/timeline_chart.hpp"
#include "ui/charts/waterfall_chart.hpp"
#include "ui/charts/xy_chart.hpp"
#include "ui/document/document.hpp"
#include "ui/inspect/chart_mapping.hpp"
#include "ui/inspect/compare_page.hpp"
#include "ui/inspect/cpu_page.hpp"
#include "ui/inspect/device_map_page.hpp"
#include "ui/inspect/paleo_mapping.hpp"
#include "ui/inspect/roofline_mapping.hpp"
#include "ui/inspect/sensitivity_mapping.hpp"
#include "ui/inspect/sensitivity_page.hpp"
#include "ui/inspect/staleness_page.hpp"
#include "ui/live/analysis.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::app {

namespace {

/// The charts and pages of the window, fed with one answer.
struct Charts {
    explicit Charts(const ui::LiveResultPtr& answer) {
        const ui::LiveResult& result = *answer;
        const Scenario& scenario = result.request.scenario;
        document.open(scenario);
        paleo.set_data(ui::paleo_data(result));
        layers.set_data(ui::layer_chart_data(result));
        steps.set_data(ui::step_chart_data(result));
        speedup.set_data(ui::speedup_chart_data(result));
        timeline.set_data(ui::timeline_chart_data(result));
        memory.set_data(ui::memory_chart_data(result));
        roofline.set_title(QStringLiteral("Roofline"));
        roofline.set_data(ui::roofline_data(result));
        ui::AnalysisQuestion question = ui::whole_question(scenario);
        for (ui::View* page : pages) {
            page->show_result(answer);
            page->add_to_question(question, scenario);
        }
        const ui::AnalysisPtr analysis = ui::analyse(result, question);
        for (ui::View* page : pages) page->show_analysis(analysis, true);
        if (ui::shows_rates(result))
            ways.set_data(ui::ways_chart_data(result, analysis->mesh && *analysis->mesh ? &**analysis->mesh : nullptr));
        else if (analysis->walls)
            speedup.set_guides(ui::guide_lines(*analysis->walls));
        QStringList notes = ui::export_notes(scenario);
        const QString cannot_run = ui::cannot_run_text(scenario, result.estimate);
        if (!cannot_run.isEmpty()) notes << cannot_run;
        for (const auto& entry : all()) {
            entry.second->set_notes(notes);
            entry.second->set_cannot_run(cannot_run);
        }
    }
    /// By the names of their files; those with something in them are worth one.
    ui::NamedCharts all() {
        ui::NamedCharts every{{QStringLiteral("layers"), &layers},         {QStringLiteral("step-time"), &steps},
                              {QStringLiteral("step-time-by-way"), &ways}, {QStringLiteral("memory"), &memory},
                              {QStringLiteral("speedup"), &speedup},       {QStringLiteral("timeline"), &timeline},
                              {QStringLiteral("roofline"), &roofline},     {QStringLiteral("from-paleo"), &paleo}};
        for (const ui::View* page : pages)
            for (const auto& entry : page->charts()) every.push_back(entry);
        std::erase_if(every, [](const auto& entry) { return entry.second->is_empty(); });
        return every;
    }

    ui::Document document;
    ui::LayerTimeChart layers;
    ui::StepTimeChart steps;
    ui::StackChart ways, memory;
    ui::SpeedupChart speedup;
    ui::TimelineChart timeline;
    ui::XyChart roofline;
    ui::WaterfallChart paleo;
    ui::SensitivityPage sensitivity;
    ui::ComparePage comparison;
    ui::CpuPage cpu;
    ui::DeviceMapPage map{document};
    ui::StalenessPage staleness{document};
    std::array<ui::View*, 5> pages{&sensitivity, &comparison, &cpu, &map, &staleness};
};

Problem cannot_make(const std::filesystem::path& folder, const std::error_code& why) {
    return make_error("The folder cannot be made: " + why.message() + ".", "Name another folder after --out.",
                      {folder.string(), 0, 0});
}

int save_all(Charts& charts, const std::filesystem::path& folder, const std::vector<std::string>& formats, double scale,
             std::ostream& out, std::ostream& err) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) return report(err, {cannot_make(folder, failed)});
    ui::ExportOptions options;
    options.scale = scale;
    for (const auto& entry : charts.all())
        for (const auto& format : formats) {
            const auto path = (folder / (entry.first.toStdString() + '.' + format)).string();
            const auto saved = ui::save_chart(*entry.second, QString::fromStdString(path), options);
            if (!saved) return report(err, saved.error());
            out << path << '\n';
        }
    return exit_done;
}

int run_render(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    Options options(render_command);
    options.positional("SCENARIO", scenario_help);
    options.value("out", "DIR", "the folder for the files; made if it is not there").required();
    options.words("format", {"png", "svg", "pdf", "csv"}, "what to write of every chart (png,csv)");
    options.number("scale", "size of the PNGs: 1 is 800 by 400 pixels (2)", 0.25, 8);
    declare_set(options,
                "change a field first (scalescope list fields), or cluster=NAME, network=NAME or network=FILE");
    const auto arguments = options.parse(words, out, err);
    if (!arguments) return arguments.error();
    const auto library = load_library(err);
    auto read = designs_to_use("render", *arguments, library, err);
    if (!read) return read.error();
    ui::LiveRequest request;
    request.scenario = std::move(read->scenario);
    request.pins = std::move(read->pins);
    request.ways = library.catalogue.ways;
    if (const ModelOptions& model = request.scenario.model; is_paleo(model.method))
        request.paleo = paleo_question(model);
    const auto result = ui::answer(request);
    if (!result->estimate) return report(err, result->estimate.error());
    report(err, result->estimate->notes);
    const Offscreen application;
    Charts charts(result);
    auto formats = arguments->words("format");
    if (formats.empty()) formats = {"png", "csv"};
    return save_all(charts, *arguments->value("out"), formats, arguments->number("scale").value_or(2), out, err);
}

}  // namespace

const Command render_command{"render",
                             "every chart of the window that has something to show, to files, without a display",
                             "scalescope render example --out charts --format png,svg", run_render};

}  // namespace scalescope::app
