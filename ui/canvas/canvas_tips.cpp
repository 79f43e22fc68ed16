// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/canvas_tips.hpp"

#include <QCoreApplication>

#include "core/base/format.hpp"
#include "core/drawing/caption.hpp"
#include "ui/canvas/box_item.hpp"
#include "ui/canvas/canvas_scene.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("canvas", text); }
QString text(const std::string& s) { return QString::fromStdString(s); }

QString layer_line(const Sketch& sketch, int l) {
    const Layer& layer = sketch.layers[static_cast<std::size_t>(l)];
    const auto& facts = sketch.facts[static_cast<std::size_t>(l)];
    QString line = text(std::string(layer.kind->title));
    if (const auto caption = drawing::caption(layer); !caption.empty()) line += tr(" · ") + text(caption);
    if (facts) line += tr(" · ") + text(format_shape(facts->output));
    return line;
}

}  // namespace

TooltipText canvas_tip(const CanvasScene& scene, const BoxItem& box) {
    const Theme& look = scene.look();
    const drawing::Item& item = scene.item_of(box);
    const Sketch& sketch = *scene.sketch();
    TooltipText tip;
    tip.title = text(item.path);
    if (item.is_layer()) {
        tip.subtitle = layer_line(sketch, item.layers.front());
    } else {
        tip.subtitle = tr("%1 layers").arg(text(format_count(static_cast<std::int64_t>(item.layers.size()))));
        if (item.repeat > 1) tip.subtitle += tr(" in %1 blocks alike").arg(item.repeat);
    }
    for (const Fault& f : sketch.faults)
        if (std::find(item.layers.begin(), item.layers.end(), f.layer) != item.layers.end()) {
            tip.note = text(f.problem.what);
            if (!item.is_layer()) tip.note.prepend(text(f.problem.where) + QStringLiteral(": "));
            break;
        }
    if (!scene.priced() || !scene.knows(item.layers)) return tip;
    const LayerMeasures m = scene.measures_of(box);
    tip.value = text(format_time(m.total()));
    using Mark = TooltipText::Row::Mark;
    const auto add = [&](const QString& name, Seconds t, const QColor& colour) {
        if (t.value > 0) tip.rows.push_back({name, text(format_time(t)), Mark::box, colour});
    };
    add(tr("Communication"), m.communication, look.communication);
    add(tr("Update"), m.update, look.update);
    add(tr("Backward"), m.backward, look.backward);
    add(tr("Forward"), m.forward, look.forward);
    const auto say = [&](const QString& name, const QString& value) {
        tip.rows.push_back({name, value, Mark::none, {}});
    };
    if (m.flops > 0) say(tr("Work"), text(format_work(Flops{m.flops})));
    if (m.traffic.value > 0) say(tr("Traffic"), text(format_bytes(m.traffic)));
    if (m.kept.value > 0) say(tr("Kept for backward"), text(format_bytes(m.kept)));
    if (m.parameters > 0) say(tr("Parameters"), text(format_si(m.parameters, "")).trimmed());
    if (m.bound() != Bound::none)
        say(tr("Bound by"), tr("%1, %2").arg(name_of(m.bound()), text(format_percent(Fraction{m.bound_share()}, 0))));
    return tip;
}

}  // namespace scalescope::ui
