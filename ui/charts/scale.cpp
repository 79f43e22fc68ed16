// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/scale.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/format.hpp"
#include "ui/charts/chart_table.hpp"
#include "ui/language/told.hpp"

namespace scalescope::ui {
namespace {

/// "10⁻⁵"
QString power_text(int base, int exponent) {
    static const QString digits = QString::fromUtf8("⁰¹²³⁴⁵⁶⁷⁸⁹");
    QString text = QString::number(base);
    for (const QChar c : QString::number(exponent))
        text += c == QLatin1Char('-') ? QChar(0x207B) : digits[c.digitValue()];
    return text;
}

/// "10⁻⁵", "5·10⁻⁶", "1"
QString decade_text(double value) {
    const int exponent = static_cast<int>(std::floor(std::log10(value) + 1e-9));
    const double rung = QString::number(value / std::pow(10.0, exponent), 'g', 4).toDouble();
    if (exponent == 0 || exponent == 1) return QString::number(rung * (exponent == 0 ? 1.0 : 10.0));
    return rung == 1.0 ? power_text(10, exponent)
                       : with_marks(exact_text(rung)) + QChar(0x00B7) + power_text(10, exponent);
}

}  // namespace

double AxisMap::px(double v) const {
    const double share = logarithmic ? std::log(v / range.lower) / std::log(range.upper / range.lower)
                                     : (v - range.lower) / range.size();
    return from_px + share * (to_px - from_px);
}

double AxisMap::value(double at) const {
    const double share = (at - from_px) / (to_px - from_px);
    return logarithmic ? range.lower * std::pow(range.upper / range.lower, share) : range.lower + share * range.size();
}

QString unit_name(TimeUnit unit) {
    const std::string_view name = name_of(unit);
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

double nice_top(double need) {
    if (!(need > 0.0) || !std::isfinite(need)) return 1.0;
    static constexpr std::array<double, 16> rungs{1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.5, 3.0,
                                                  3.5, 4.0, 4.5, 5.0, 6.0, 7.0, 8.0, 9.0};
    const double decade = std::pow(10.0, std::floor(std::log10(need)));
    for (const double rung : rungs)
        if (rung * decade >= need * (1.0 - 1e-12)) return rung * decade;
    return 10.0 * decade;
}

double steady_top(double present, double need) {
    return need > present || need < present * 0.62 ? nice_top(need) : present;
}

std::vector<double> nice_ticks(Range range, int most) {
    std::vector<double> ticks;
    if (!(range.size() > 0.0) || most < 2) return ticks;
    const auto count = [&](double step) {
        return std::floor(range.upper / step * (1 + 1e-12)) - std::ceil(range.lower / step * (1 - 1e-12)) + 1.0;
    };
    double decade = std::pow(10.0, std::floor(std::log10(range.size() / most)));
    double step = decade;
    for (int i = 0; count(step) > most; ++i) {
        static constexpr std::array<double, 3> rungs{2.0, 5.0, 10.0};
        step = rungs[static_cast<std::size_t>(i % 3)] * decade;
        if (i % 3 == 2) decade *= 10.0;
    }
    // Fours only where they end on the axis's own end: 0, 40, 80, 120.
    const double four = step * 0.8;
    const double fours = range.upper / four;
    if (std::abs(step / std::pow(10.0, std::floor(std::log10(step))) - 5.0) < 1e-6 && count(four) <= most &&
        std::abs(fours - std::round(fours)) < 1e-9)
        step = four;
    // Two labels hardly make a scale: then quarters may.
    if (count(step) < 3 && count(step / 2) <= most) step /= 2;
    for (double k = std::ceil(range.lower / step * (1 - 1e-12)); k * step <= range.upper * (1 + 1e-12); k += 1.0)
        ticks.push_back(k * step);
    return ticks;
}

std::vector<double> power_ticks(Range range, int base, int most) {
    std::vector<double> ticks;
    if (!(range.lower > 0.0) || !(range.upper > range.lower)) return ticks;
    int stride = base == 4 ? 2 : 1;  // counted in powers of two, always through 1
    const int first = static_cast<int>(std::ceil(std::log2(range.lower) - 1e-9));
    const int last = static_cast<int>(std::floor(std::log2(range.upper) + 1e-9));
    while ((last - first) / stride + 1 > std::max(most, 2)) stride *= 2;
    for (int e = first; e <= last; ++e)
        if (e % stride == 0) ticks.push_back(std::ldexp(1.0, e));
    // Room for two, of which one lies outside: then 1, or the lowest, and the highest.
    if (ticks.size() < 2 && last > first)
        ticks = {std::ldexp(1.0, first < 0 && last > 0 ? 0 : first), std::ldexp(1.0, last)};
    return ticks;
}

std::vector<double> decade_ticks(Range range, int most) {
    if (!(range.lower > 0.0) || !(range.upper > range.lower)) return {};
    const auto within = [&](double tick) {
        return tick >= range.lower * (1 - 1e-9) && tick <= range.upper * (1 + 1e-9);
    };
    const int first = static_cast<int>(std::floor(std::log10(range.lower) - 1e-9));
    const int last = static_cast<int>(std::ceil(std::log10(range.upper) + 1e-9));
    std::vector<double> fine, powers;
    for (int e = first; e <= last; ++e)
        for (const double rung : {1.0, 2.0, 5.0}) {
            const double tick = rung * std::pow(10.0, e);
            if (!within(tick)) continue;
            fine.push_back(tick);
            if (rung == 1.0) powers.push_back(tick);
        }
    const auto room = static_cast<std::size_t>(std::max(most, 2));
    if (fine.size() >= 3 && fine.size() <= room) return fine;
    if (fine.size() < 3) return nice_ticks(range, most);
    std::vector<double> thinned;
    const std::size_t stride = powers.size() / room + 1;
    for (std::size_t i = 0; i < powers.size(); i += stride) thinned.push_back(powers[i]);
    return thinned.size() < 2 ? fine : thinned;
}

std::vector<QString> power_tick_labels(const std::vector<double>& ticks) {
    constexpr int longest = 20;  // "1,048,576" is longer than "2²⁰"
    std::vector<QString> labels;
    for (const double tick : ticks) {
        int exponent = 0;
        if (std::frexp(tick, &exponent) != 0.5) return tick_labels(ticks);
        if (--exponent >= longest || exponent <= -longest)
            labels.push_back(power_text(2, exponent));
        else {
            const QString whole = told(format_count(std::int64_t{1} << (exponent < 0 ? -exponent : exponent)));
            labels.push_back(exponent < 0 ? QStringLiteral("1/") + whole : whole);
        }
    }
    return labels;
}

std::vector<QString> log_tick_labels(const std::vector<double>& ticks) {
    const bool large = std::any_of(ticks.begin(), ticks.end(), [](double t) { return t >= 1e7; });
    const bool small = std::any_of(ticks.begin(), ticks.end(), [](double t) { return t < 1e-4; });
    std::vector<QString> labels;
    for (const double tick : ticks) {
        const double near = QString::number(tick, 'g', 6).toDouble();  // 5 · 10^-3 is not quite 0.005
        if (small)
            labels.push_back(decade_text(near));
        else if (large && near >= 1e3)
            labels.push_back(told_large_count(near, 3, true));
        else if (near >= 1e3 && near == std::floor(near))
            labels.push_back(told(format_count(static_cast<std::int64_t>(near))));
        else
            labels.push_back(with_marks(exact_text(near)));
    }
    return labels;
}

std::vector<QString> tick_labels(const std::vector<double>& ticks) {
    double step = 1.0;
    for (std::size_t i = 1; i < ticks.size(); ++i)
        step = i == 1 ? ticks[1] - ticks[0] : std::min(step, ticks[i] - ticks[i - 1]);
    int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
    const double scaled = step * std::pow(10.0, decimals);
    if (std::abs(scaled - std::round(scaled)) > 1e-6) ++decimals;  // a step of 2.5
    std::vector<QString> labels;
    for (const double tick : ticks)
        labels.push_back(told(tick == 0.0 ? std::string("0") : format_fixed(tick, decimals)));
    return labels;
}

}  // namespace scalescope::ui
