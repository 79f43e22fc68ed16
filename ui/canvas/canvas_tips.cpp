// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/canvas_tips.hpp"

#include <QCoreApplication>

#include "core/base/format.hpp"
#include "core/drawing/caption.hpp"
#include "ui/canvas/box_item.hpp"
#include "ui/canvas/canvas_scene.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

QString layer_line(const Sketch& sketch, int l) {
    const Layer& layer = sketch.layers[static_cast<std::size_t>(l)];
    const auto& facts = sketch.facts[static_cast<std::size_t>(l)];
    QString line = told(layer.kind->title);
    if (const auto caption = drawing::caption(layer); !caption.empty()) line += tr(" · ") + told(caption);
    if (facts) line += tr(" · ") + told(format_shape(facts->output));
    return line;
}

/// Why figures of its layers are a guess: each reason once, and not more of them than can be read.
QString guesses_in(const Sketch& sketch, const drawing::Item& item) {
    constexpr qsizetype most = 6;
    QStringList all;
    for (int l : item.layers) {
        const auto at = static_cast<std::size_t>(l);
        const auto& facts = sketch.facts[at];
        const QString reason = told(about_guess(sketch.layers[at], facts ? &*facts : nullptr));
        if (!reason.isEmpty() && all.size() < most && !all.contains(reason)) all << reason;
    }
    return all.join(QLatin1Char('\n'));
}

/// What each worker has of it, where outputs are divided.
void add_shares(TooltipText& tip, const CanvasScene& scene, const drawing::Item& item) {
    using Mark = TooltipText::Row::Mark;
    if (scene.shares().empty()) return;
    const auto count = [](std::int64_t n) { return told(format_count(n)); };
    const auto say = [&](const QString& name, const QString& value) {
        tip.rows.push_back({name, value, Mark::none, {}});
    };
    int divided = 0, whole = 0;
    for (int l : item.layers)
        if (const auto& share = scene.shares()[static_cast<std::size_t>(l)]) ++(share->divided ? divided : whole);
    if (!item.is_layer()) {
        if (divided > 0)
            say(tr("Divided by outputs ÷%1").arg(count(scene.workers())), tr("%1 layers").arg(count(divided)));
        if (whole > 0) say(tr("Whole on every worker"), tr("%1 layers").arg(count(whole)));
        return;
    }
    const auto& share = scene.shares()[static_cast<std::size_t>(item.layers.front())];
    if (!share) return;
    if (!share->divided) return say(tr("Outputs"), tr("whole on each of %1 workers").arg(count(scene.workers())));
    const QString part = told(format_percent(Fraction{share->share}));
    say(tr("Outputs per worker"),
        share->units > 0 ? tr("%1 of %2, %3").arg(count(share->own), count(share->units), part) : part);
}

}  // namespace

TooltipText canvas_tip(const CanvasScene& scene, const BoxItem& box) {
    const Theme& look = scene.look();
    const drawing::Item& item = scene.item_of(box);
    const Sketch& sketch = *scene.sketch();
    TooltipText tip;
    tip.title = plain(item.path);
    if (item.is_layer()) {
        tip.subtitle = layer_line(sketch, item.layers.front());
    } else {
        tip.subtitle = tr("%1 layers").arg(told(format_count(static_cast<std::int64_t>(item.layers.size()))));
        if (item.repeat > 1) tip.subtitle += tr(" in %1 blocks alike").arg(item.repeat);
    }
    for (const Fault& f : sketch.faults)
        if (std::find(item.layers.begin(), item.layers.end(), f.layer) != item.layers.end()) {
            tip.note = told(f.problem.what);
            if (!item.is_layer()) tip.note.prepend(plain(f.problem.where) + QStringLiteral(": "));
            break;
        }
    if (tip.note.isEmpty()) tip.note = guesses_in(sketch, item);
    add_shares(tip, scene, item);
    if (!scene.priced() || !scene.knows(item.layers)) return tip;
    const LayerMeasures m = scene.measures_of(box);
    tip.value = told(format_time(m.total()));
    using Mark = TooltipText::Row::Mark;
    const auto add = [&](const QString& name, Seconds t, const QColor& colour) {
        if (t.value > 0) tip.rows.push_back({name, told(format_time(t)), Mark::box, colour});
    };
    add(tr("Communication"), m.communication, look.communication);
    add(tr("Update"), m.update, look.update);
    add(tr("Backward"), m.backward, look.backward);
    add(tr("Forward"), m.forward, look.forward);
    const auto say = [&](const QString& name, const QString& value) {
        tip.rows.push_back({name, value, Mark::none, {}});
    };
    if (m.flops > 0) say(tr("Work"), told(format_work(Flops{m.flops})));
    if (m.traffic.value > 0) say(tr("Traffic"), told(format_bytes(m.traffic)));
    if (m.kept.value > 0) say(tr("Kept for backward"), told(format_bytes(m.kept)));
    if (m.parameters > 0) say(tr("Parameters"), told_large_count(m.parameters));
    if (m.bound() != Bound::none)
        say(tr("Bound by"), tr("%1, %2").arg(name_of(m.bound()), told(format_percent(Fraction{m.bound_share()}, 0))));
    return tip;
}

}  // namespace scalescope::ui
