// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/files.hpp"

#include <QFileInfo>

#include "core/base/atomic_file.hpp"
#include "core/formats/json_document.hpp"
#include "core/formats/scenario_json.hpp"

namespace scalescope::ui {
namespace {

/// True if the text says it is a scenario; anything else is taken for a network and says itself what is wrong with it.
bool says_scenario(const std::string& text) {
    // The word stands in the first lines of a file this program wrote; a network's layers may hold any name.
    return text.substr(0, 4096).find("\"scalescope-scenario\"") != std::string::npos;
}

}  // namespace

Result<OpenedFile> open_text(const std::string& text, const QString& file, const formats::Library& library,
                             const Scenario& current) {
    OpenedFile opened;
    if (says_scenario(text)) {
        auto read = formats::read_scenario(text, file.toStdString(), library);
        if (!read) return tl::unexpected(read.error());
        opened.is_scenario = true;
        opened.scenario = std::move(read->scenario);
        opened.view = std::move(read->view);
        opened.warnings = std::move(read->warnings);
        return opened;
    }
    auto network = formats::read_any_network(text, file.toStdString(), &opened.warnings);
    if (!network) return tl::unexpected(network.error());
    opened.scenario = current;
    WorkloadPart part;
    part.network = *network;
    opened.scenario.workload.assign(1, part);
    opened.scenario.training.frozen.clear();
    opened.scenario.parallelism.cut_auto = true;
    opened.scenario.parallelism.cut = LayerId{};
    opened.scenario.parallelism.boundaries.clear();
    return opened;
}

Result<OpenedFile> open_file(const QString& file, const formats::Library& library, const Scenario& current) {
    auto text = read_file(file.toStdString());
    if (!text) return tl::unexpected(text.error());
    return open_text(*text, file, library, current);
}

Scenario example_scenario(const formats::Library& library) {
    if (const formats::Preset* preset = library.find_scenario("example"))
        if (auto read = formats::read_scenario(preset->text, preset->file, library)) return std::move(read->scenario);
    return {};  // shipped files are checked by tests
}

}  // namespace scalescope::ui
