// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/device_map_words.hpp"

#include "core/base/format.hpp"
#include "ui/charts/device_map_chart.hpp"
#include "ui/charts/helpers.hpp"

namespace scalescope::ui {

QString name_of_axis(MeshAxis axis) {
    switch (axis) {
        case MeshAxis::tensor: return DeviceMapChart::tr("tensor");
        case MeshAxis::context: return DeviceMapChart::tr("context");
        case MeshAxis::data: return DeviceMapChart::tr("data");
        case MeshAxis::pipeline: return DeviceMapChart::tr("pipeline");
        case MeshAxis::expert: return DeviceMapChart::tr("expert");
        case MeshAxis::expert_tensor: return DeviceMapChart::tr("expert tensor");
    }
    return {};
}

QString name_of_rank(MeshAxis axis, std::int64_t rank) {
    const QString number = text_of(format_count(rank));
    return axis == MeshAxis::pipeline ? DeviceMapChart::tr("stage %1").arg(number)
                                      : QStringLiteral("%1 %2").arg(name_of_axis(axis), number);
}

QString ranks_of(const DeviceGroup& g) {
    const QString first = text_of(format_count(g.first)), last = text_of(format_count(g.last()));
    if (g.count == 2) return DeviceMapChart::tr("%1 and %2").arg(first, last);
    if (g.stride == 1) return DeviceMapChart::tr("%1 to %2").arg(first, last);
    return DeviceMapChart::tr("%1 to %2 in steps of %3").arg(first, last, text_of(format_count(g.stride)));
}

QString layers_of(const DeviceHolding& held, const Network* network) {
    QStringList ranges;
    for (const LayerRun& run : held.runs) {
        if (!network || run.to > network->size()) return {};
        const auto name = [&](int layer) { return QString::fromStdString(network->layers()[at(layer)].name); };
        ranges << (run.to - run.from > 1 ? DeviceMapChart::tr("%1 to %2").arg(name(run.from), name(run.to - 1))
                                         : name(run.from));
    }
    return ranges.join(QStringLiteral(", "));
}

QString share_in_words(double share) { return text_of(format_percent(Fraction{share}, share < 0.1 ? 1 : 0)); }

QString part_in_words(double share) {
    return share >= 1 ? QStringLiteral("1") : QStringLiteral("1/%1").arg(text_of(format_number(1 / share, 3, 0)));
}

}  // namespace scalescope::ui
