// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/canvas_borders.hpp"

#include <QCoreApplication>
#include <unordered_map>

#include "core/base/format.hpp"
#include "ui/language/told.hpp"

namespace scalescope::ui {
namespace {

QString name_at(const Network& network, int position) {
    return plain(network.layers()[static_cast<std::size_t>(position)].name);
}

QString figures_of(const Dividing& d, std::size_t part) {
    return tr("%1, %2").arg(told(format_time(d.times[part])), told(format_percent(Fraction{d.share(part)}, 0)));
}

void describe_cut(CanvasBorder& b, const Dividing& d, const Scenario& s, const Network& network) {
    const int at = d.borders.front().at, layers = network.size();
    const QString split = tr("split by outputs ÷%1").arg(told(format_count(s.cluster.workers)));
    const auto cut_after = [&](const QString& name) {
        const QString words = at == 0        ? tr("no front part")
                              : at == layers ? tr("no back part")
                                             : tr("cut after %1").arg(name);
        return b.automatic ? words + tr(" · best") : words;
    };
    const QString name = at > 0 ? name_at(network, at - 1) : QString();
    b.tag = cut_after(name.section(QLatin1Char('/'), -1));  // the block can be seen
    if (at > 0) b.above = tr("data parallel");
    if (at < layers) b.below = split;
    b.tip.title = cut_after(name);
    b.tip.subtitle = at == 0        ? tr("All is %1").arg(split)
                     : at == layers ? tr("All is data parallel")
                                    : tr("Data parallel above, split by outputs below");
}

void describe_stage(CanvasBorder& b, const Dividing& d, std::size_t stage, const Network& network) {
    b.tag = tr("stage %1").arg(stage + 1);
    b.tip.title = b.tag;
    if (stage < d.times.size()) b.tag += tr(" · %1").arg(told(format_percent(Fraction{d.share(stage)}, 0)));
    b.tip.subtitle = tr("From %1").arg(name_at(network, b.at));
}

void add_times(CanvasBorder& b, const Dividing& d, std::size_t part) {
    using Mark = TooltipText::Row::Mark;
    if (d.times.empty()) return;
    const auto add = [&](const QString& name, std::size_t of) {
        b.tip.rows.push_back({name, figures_of(d, of), Mark::none, {}});
    };
    if (d.segments) {
        add(tr("Layers in front"), 0);
        add(tr("Layers behind"), 1);
        return;
    }
    if (part > 0) add(tr("Stage %1").arg(part), part - 1);
    add(tr("Stage %1").arg(part + 1), part);
}

/// Whether what is drawn lies behind a border; a layer that the network does not know goes with what it reads.
std::vector<char> behind(const Sketch& sketch, const std::vector<int>& position, int at) {
    std::vector<char> result;
    for (std::size_t l = 0; l < sketch.layers.size(); ++l) {
        char back = position[l] >= at ? 1 : 0;
        if (position[l] < 0)
            for (int in : sketch.inputs[l])
                if (static_cast<std::size_t>(in) < l)
                    back = static_cast<char>(back | result[static_cast<std::size_t>(in)]);
        result.push_back(back);
    }
    return result;
}

}  // namespace

std::vector<CanvasBorder> canvas_borders(const Dividing& d, const Scenario& scenario, const Network& network,
                                         const Sketch& sketch, bool draft) {
    std::vector<CanvasBorder> result;
    if (d.borders.empty()) return result;
    std::unordered_map<std::uint32_t, int> known;
    for (int p = 0; p < network.size(); ++p) known[network.layers()[static_cast<std::size_t>(p)].id.value] = p;
    std::vector<int> position;  // in the network, of what is drawn
    std::vector<char> counts;
    for (const Layer& l : sketch.layers) {
        const auto found = known.find(l.id.value);
        position.push_back(found == known.end() ? -1 : found->second);
        counts.push_back(found == known.end() ? 1 : d.counts[static_cast<std::size_t>(found->second)]);
    }
    const bool stages = !d.segments;
    for (std::size_t i = 0; i < d.borders.size() + (stages ? 1 : 0); ++i) {
        const bool head = stages && i == 0;  // the first stage begins with the network
        const std::size_t number = stages ? i - 1 : i;
        CanvasBorder b;
        b.automatic = d.automatic;
        b.counts = counts;
        b.at = head ? 0 : d.borders[number].at;
        b.behind = behind(sketch, position, b.at);
        if (!head) {
            b.number = static_cast<int>(number);
            if (!draft) b.allowed = d.borders[number].allowed;
        }
        stages ? describe_stage(b, d, i, network) : describe_cut(b, d, scenario, network);
        add_times(b, d, i);
        b.tip.note =
            head    ? QString()
            : draft ? tr("Fix the problems in the drawing before moving this.")
            : d.automatic
                ? tr("Chosen automatically. To change it, drag it, or click it and use the arrow keys.")
                : tr("Drag it, or click it and use the arrow keys. Double-click to return to the automatic choice.");
        result.push_back(std::move(b));
    }
    return result;
}

}  // namespace scalescope::ui
