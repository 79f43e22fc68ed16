// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/colouring.hpp"

#include <QCoreApplication>

#include "core/base/format.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

QString amount_in_words(double value, Colouring by) {
    switch (by) {
        case Colouring::time: return told(format_time(Seconds{value}));
        case Colouring::flops: return told(format_work(Flops{value}));
        case Colouring::bytes:
        case Colouring::memory: return told(format_bytes(Bytes{value}));
        case Colouring::parameters: return told_large_count(value);
        case Colouring::bound: break;
    }
    return {};
}

}  // namespace

QString id_of(Colouring by) {
    static const char* const ids[] = {"time", "flops", "bytes", "memory", "parameters", "bound"};
    return QLatin1String(ids[static_cast<int>(by)]);
}

Colouring colouring_of(const QString& id) {
    for (Colouring by : all_colourings)
        if (id_of(by) == id) return by;
    return Colouring::time;
}

QString title_of(Colouring by) {
    switch (by) {
        case Colouring::time: return tr("time");
        case Colouring::flops: return tr("FLOPs");
        case Colouring::bytes: return tr("bytes");
        case Colouring::memory: return tr("memory");
        case Colouring::parameters: return tr("parameters");
        case Colouring::bound: return tr("bound");
    }
    return {};
}

QString legend_title(Colouring by) {
    switch (by) {
        case Colouring::time: return tr("time per step (log)");
        case Colouring::flops: return tr("FLOPs per step (log)");
        case Colouring::bytes: return tr("bytes moved per step (log)");
        case Colouring::memory: return tr("memory kept for backward (log)");
        case Colouring::parameters: return tr("parameters (log)");
        case Colouring::bound: return tr("what most time goes to");
    }
    return {};
}

double amount(const LayerMeasures& m, Colouring by) {
    switch (by) {
        case Colouring::time: return m.total().value;
        case Colouring::flops: return m.flops;
        case Colouring::bytes: return m.traffic.value;
        case Colouring::memory: return m.kept.value;
        case Colouring::parameters: return m.parameters;
        case Colouring::bound: break;
    }
    return 0;
}

QString amount_text(const LayerMeasures& m, Colouring by) {
    return by == Colouring::bound ? name_of(m.bound()) : amount_in_words(amount(m, by), by);
}

QString tick_text(double value, Colouring by) {
    // Round figures need no zeros behind the point.
    QString words = amount_in_words(value, by);
    for (const char* zeros : {".00", ".0"})
        if (const auto at = words.indexOf(QLatin1String(zeros)); at > 0) words.remove(at, qstrlen(zeros));
    return words;
}

QString name_of(Bound bound) {
    switch (bound) {
        case Bound::compute: return tr("compute");
        case Bound::memory: return tr("memory");
        case Bound::communication: return tr("communication");
        case Bound::none: break;
    }
    return QStringLiteral("–");
}

QColor colour_of(Bound bound, const Theme& look) {
    switch (bound) {
        case Bound::compute: return look.curves[0];
        case Bound::memory: return look.curves[1];
        case Bound::communication: return look.communication;
        case Bound::none: break;
    }
    return look.ramp.front();
}

QColor ground_of(const LayerMeasures& m, Colouring by, const drawing::Ramp& ramp, const Theme& look) {
    return by == Colouring::bound ? colour_of(m.bound(), look) : look.on_ramp(ramp.place(amount(m, by)));
}

}  // namespace scalescope::ui
