// SPDX-License-Identifier: GPL-3.0-or-later
#include "support_library.hpp"

#include <QtGlobal>

#include "core/formats/scenario_json.hpp"

namespace support {

const scalescope::formats::Library& library() {
    static const scalescope::formats::Library shipped = scalescope::formats::load_shipped();
    return shipped;
}

scalescope::Scenario preset_scenario(const std::string& id) {
    const scalescope::formats::Preset* preset = library().find_scenario(id);
    if (preset == nullptr) qFatal("no scenario \"%s\" is shipped", id.c_str());
    auto read = scalescope::formats::read_scenario(preset->text, preset->file, library());
    if (!read) qFatal("%s", messages(read.error()).c_str());
    return std::move(read->scenario);
}

std::string messages(const scalescope::Problems& problems) {
    std::string all;
    for (const scalescope::Problem& p : problems) all += to_text(p) + '\n';
    return all;
}

}  // namespace support
