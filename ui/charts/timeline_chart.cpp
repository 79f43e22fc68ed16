// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/timeline_chart.hpp"

#include <QFontMetricsF>
#include <QMenu>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/base/format.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/charts/marks.hpp"
#include "ui/charts/timeline_find.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

struct Kind {
    BoxKind kind;
    const char* key;
};
constexpr Kind kinds[] = {{BoxKind::forward, "forward"},   {BoxKind::recomputation, "recomputation"},
                          {BoxKind::backward, "backward"}, {BoxKind::weight_gradients, "weight_gradients"},
                          {BoxKind::update, "update"},     {BoxKind::communication, "communication"},
                          {BoxKind::hidden, "hidden"},     {BoxKind::idle, "idle"}};
const QString chain_key = QStringLiteral("chain");
constexpr double chain_height = 3.0;  // px
constexpr double key_zoom = 0.8, key_pan = 0.125, fit_margin = 0.25, beside_followed = 0.25;
constexpr Px strip_top{8}, strip_below{26};  // with the labels of its axis
constexpr PxF lane{9.0}, least_strip{14.0}, most_strip{38.0};

QString key_of(BoxKind kind) { return QString::fromLatin1(kinds[static_cast<std::size_t>(kind)].key); }

/// For what goes with a pass.
QColor faded(const QColor& colour, const QColor& card) {
    constexpr float kept = 0.55F;
    const auto mix = [](float a, float b) { return a * kept + b * (1 - kept); };
    return QColor::fromRgbF(mix(colour.redF(), card.redF()), mix(colour.greenF(), card.greenF()),
                            mix(colour.blueF(), card.blueF()));
}

QColor colour_of(const Theme& theme, BoxKind kind) {
    switch (kind) {
        case BoxKind::forward: return theme.forward;
        case BoxKind::recomputation: return faded(theme.forward, theme.card);
        case BoxKind::backward: return theme.backward;
        case BoxKind::weight_gradients: return faded(theme.backward, theme.card);
        case BoxKind::update: return theme.update;
        case BoxKind::communication:
        case BoxKind::hidden: return theme.communication;
        case BoxKind::idle: return theme.ideal;
    }
    return theme.text;
}

}  // namespace

TimelineChart::TimelineChart(QWidget* parent) : DataChart(parent) {
    set_title(tr("Timeline"));
    set_row_height(20.0, 34.0);
}

void TimelineChart::make_sound(TimelineData& data) const {
    const int n = static_cast<int>(data.rows.size());
    if (!std::isfinite(data.length.value)) data.length = {};
    const auto placeless = [n](const TimelineBox& b) {
        return b.row < 0 || b.row >= n || !std::isfinite(b.start.value) || !std::isfinite(b.length.value);
    };
    data.boxes.erase(std::remove_if(data.boxes.begin(), data.boxes.end(), placeless), data.boxes.end());
    std::stable_sort(data.boxes.begin(), data.boxes.end(), [](const TimelineBox& a, const TimelineBox& b) {
        return a.row != b.row ? a.row < b.row : a.start < b.start;
    });
}

void TimelineChart::rebuild(const TimelineData&) {
    const int n = static_cast<int>(data_.rows.size());
    focused_ = hovered_box_ = -1;
    const auto of_followed = [this](const TimelineBox& b) { return b.micro_batch == followed_; };
    if (std::none_of(data_.boxes.begin(), data_.boxes.end(), of_followed)) followed_ = -1;
    lanes_ = {};
    row_begin_.assign(at(n) + 1, data_.boxes.size());
    longest_.assign(at(n), Seconds{});
    for (std::size_t b = data_.boxes.size(); b-- > 0;) {
        const std::size_t row = at(data_.boxes[b].row);
        row_begin_[row] = b;
        longest_[row] = std::max(longest_[row], data_.boxes[b].length);
    }
    for (std::size_t row = at(n); row-- > 0;) row_begin_[row] = std::min(row_begin_[row], row_begin_[row + 1]);
    Seconds end = data_.length;
    for (const TimelineBox& box : data_.boxes) end = std::max(end, box.start + box.length);
    set_rows(data_.rows, std::vector<bool>(data_.rows.size(), false), 0.0, end.value, true);
}

QString TimelineChart::unit_text() const {
    return tr("%1 · step %2").arg(RowChart::unit_text(), text_of(format_time(data_.length)));
}

std::vector<LegendEntry> TimelineChart::legend(const Theme& look) const {
    const auto has = [&](auto what) { return std::any_of(data_.boxes.begin(), data_.boxes.end(), what); };
    const auto of_kind = [&](BoxKind kind) { return has([&](const TimelineBox& b) { return b.kind == kind; }); };
    const QString names[] = {tr("Forward"),
                             tr("Recomputation"),
                             of_kind(BoxKind::weight_gradients) ? tr("Gradients of activations") : tr("Backward"),
                             tr("Gradients of weights"),
                             tr("Update"),
                             tr("Communication"),
                             data_.hidden_name.isEmpty() ? tr("Hidden") : data_.hidden_name,
                             tr("Idle")};
    const QString shorts[] = {tr("Fwd"), tr("Rec"), tr("Bwd"), tr("Wgt"), tr("Upd"), tr("Comm"), tr("Hid"), tr("Idle")};
    std::vector<LegendEntry> entries;
    for (const Kind& kind : kinds) {
        constexpr std::array always{BoxKind::forward, BoxKind::backward, BoxKind::update, BoxKind::communication};
        if (std::find(always.begin(), always.end(), kind.kind) == always.end() && !of_kind(kind.kind)) continue;
        const auto mark = kind.kind == BoxKind::hidden ? LegendEntry::Mark::hatch
                          : kind.kind == BoxKind::idle ? LegendEntry::Mark::hollow
                                                       : LegendEntry::Mark::box;
        const auto i = static_cast<std::size_t>(kind.kind);
        entries.push_back(LegendEntry::of(mark, key_of(kind.kind), names[i], colour_of(look, kind.kind), shorts[i]));
    }
    if (has([](const TimelineBox& b) { return b.on_chain; }))
        entries.push_back(
            LegendEntry::of(LegendEntry::Mark::line, chain_key, tr("Longest chain"), look.text, tr("Chain")));
    return entries;
}

QString TimelineChart::empty_text() const {
    if (!data_.rows.empty() && !data_.boxes.empty()) return {};
    return data_.empty_reason.isEmpty() ? tr("Nothing runs yet.") : data_.empty_reason;
}

QRectF TimelineChart::box_rect(int index) const {
    const TimelineBox& box = data_.boxes[at(index)];
    const QRectF row = row_box(box.row);
    const double inset = std::max(2.0, std::floor(row.height() * 0.15));
    const double left = time_px(box.start), right = time_px(box.start + box.length);
    return {left, row.top() + inset, right - left, row.height() - 2 * inset};
}

double TimelineChart::strip_height() const { return std::clamp<double>(rows() * lane, least_strip, most_strip); }

void TimelineChart::arrange(QSize size) {
    const int need = strip_top + static_cast<int>(strip_height()) + strip_below;
    const bool room = !exporting() && size.height() >= title_height() + least_below_title() + need;
    strip_room_ = room ? need : 0;
    set_room_above(strip_room_);
    RowChart::arrange(size);
    const QRect rows = plot_rect();
    const QRectF place(rows.left(), title_height() + strip_top, rows.width(), strip_height());
    strip_.arrange(room ? place : QRectF(), extent().all, x_map_.range);
    if (find_ && !exporting()) find_->move(std::max(0, width() - find_->width() - 12), rows.top() + 4);
}

void TimelineChart::paint_strip(QPainter& painter) {
    const QRectF place = strip_.place();
    if (place.isEmpty()) return;
    const Theme& t = look();
    const int width = static_cast<int>(std::lround(place.width() * paint_scale(painter)));
    std::pair of(&t, view().hidden_series);
    if (lanes_.width() != width || lanes_of_ != of) {
        std::vector<StripBar> bars;
        bars.reserve(data_.boxes.size());
        const double k = per_second(time_unit_);
        for (const TimelineBox& box : data_.boxes) {
            if (box.kind == BoxKind::idle || series_hidden(key_of(box.kind))) continue;
            const QColor colour = colour_of(t, box.kind);
            bars.push_back({box.row, box.start.value * k, (box.start + box.length).value * k,
                            (box.kind == BoxKind::hidden ? faded(colour, t.card) : colour).rgb()});
        }
        lanes_ = strip_lanes(bars, rows(), extent().all, width, t.grid.rgb());
        lanes_of_ = std::move(of);
    }
    painter.fillRect(place, t.card);
    const double high = place.height() / std::max(rows(), 1), apart = high >= 4 ? 1.0 : 0.0;
    for (int row = 0; row < rows(); ++row) {
        const double top = std::round(place.top() + row * high), bottom = std::round(place.top() + (row + 1) * high);
        painter.drawImage(QRectF(place.left(), top, place.width(), bottom - top - apart), lanes_,
                          QRectF(0, row, lanes_.width(), 1));
    }
    strip_.paint_window(painter, t);
    draw_label(painter, QRectF(TitleRow::margin, place.top(), place.left() - TitleRow::margin, place.height()),
               Qt::AlignLeft | Qt::AlignVCenter, type::table_strong(), t.text, tr("Step"));
    const std::vector<double> ticks = nice_ticks(extent().all, std::clamp(static_cast<int>(place.width() / 55), 2, 9));
    const std::vector<QString> labels = tick_labels(ticks);
    for (std::size_t i = 0; i < ticks.size(); ++i)
        draw_label(painter, QRectF(strip_.px(ticks[i]) - 40, place.bottom() + 2, 80, 14), Qt::AlignCenter,
                   type::caption(), t.secondary, labels[i]);
}

void TimelineChart::paint_rows(QPainter& painter) {
    paint_strip(painter);
    const double scale = paint_scale(painter);
    const QRectF rect(plot_rect());
    painter.setRenderHint(QPainter::Antialiasing, false);
    const int n = static_cast<int>(data_.boxes.size());
    int row = -1;
    double painted_to = -1.0;
    BoxKind last = BoxKind::idle;
    bool chained = false;
    const double opacity = painter.opacity();
    for (int i = 0; i < n; ++i) {
        const TimelineBox& box = data_.boxes[at(i)];
        if (series_hidden(key_of(box.kind))) continue;
        if (box.row != row) row = box.row, painted_to = -1.0;
        QRectF r = box_rect(i);
        if (r.right() < rect.left() || r.left() > rect.right() + 1) continue;
        const double left = snapped(std::max(r.left(), rect.left()), scale);
        double right = snapped(std::min(r.right(), rect.right() + 1.0), scale);
        right = std::max(right, left + 1 / scale);
        // Thousands of boxes thinner than a pixel: one of a kind in each pixel is enough.
        if (right <= painted_to && box.kind == last && box.on_chain == chained && box.layer != selected() &&
            (followed_ < 0 || box.micro_batch != followed_))
            continue;
        painted_to = right;
        last = box.kind;
        chained = box.on_chain;
        r.setLeft(left);
        r.setRight(right);
        painter.setOpacity(opacity * (followed_ >= 0 && box.micro_batch != followed_ ? beside_followed : 1.0));
        paint_box(painter, i, r);
    }
}

void TimelineChart::paint_box(QPainter& painter, int index, const QRectF& r) const {
    const Theme& t = look();
    const TimelineBox& box = data_.boxes[at(index)];
    const QColor colour = colour_of(t, box.kind);
    // One pixel of the card between neighbours, as in stacks.
    const QRectF filled = r.width() >= 3.0 ? r.adjusted(0, 0, -1, 0) : r;
    if (box.kind == BoxKind::hidden)
        draw_hatched(painter, filled, colour);
    else if (box.kind == BoxKind::idle)
        draw_hollow(painter, filled, colour, t.card);
    else
        fill_data(painter, filled, colour, t);
    if (box.on_chain && !series_hidden(chain_key))
        painter.fillRect(QRectF(filled.left(), r.bottom() - chain_height, filled.width(), chain_height), t.text);
    if ((box.layer >= 0 && box.layer == selected()) || (index == focused_ && !exporting())) {
        painter.setPen(QPen(t.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(filled.adjusted(-1, -1, 1, 1));
    }
    if (box.label.isEmpty() || filled.width() < 26.0 || filled.height() < 12.0) return;
    const QFontMetricsF metrics(type::caption());
    const QString text = metrics.elidedText(box.label, Qt::ElideRight, filled.width() - 10);
    if (text.size() < 6 && text != box.label) return;  // "co…" names nothing
    painter.setRenderHint(QPainter::Antialiasing);
    const bool solid = box.kind != BoxKind::hidden && box.kind != BoxKind::idle;
    const QRectF text_box(filled.left() + 5, filled.top(), metrics.horizontalAdvance(text), filled.height());
    if (box.kind == BoxKind::hidden || (solid && t.high_contrast))  // lines through words cannot be read
        painter.fillRect(text_box.adjusted(-2, 2, 2, -2), solid ? colour : t.card);
    draw_label(painter, text_box, Qt::AlignLeft | Qt::AlignVCenter, type::caption(), solid ? text_on(colour) : t.text,
               text);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

int TimelineChart::box_at(QPointF where) const {
    const int row = item_at(where);
    if (row < 0 || where.x() < x_map_.from_px || where.x() > x_map_.to_px) return -1;
    const double slack = 2.0;  // px: boxes thinner than a pixel can be hit too
    const Seconds late = time_at(where.x() + slack), early = time_at(where.x() - slack);
    const auto begin = data_.boxes.begin() + static_cast<std::ptrdiff_t>(row_begin_[at(row)]);
    const auto end = data_.boxes.begin() + static_cast<std::ptrdiff_t>(row_begin_[at(row) + 1]);
    auto it = std::upper_bound(begin, end, late, [](Seconds t, const TimelineBox& b) { return t < b.start; });
    int best = -1;
    double distance = std::numeric_limits<double>::infinity();
    while (it != begin) {
        --it;
        if (it->start + longest_[at(row)] < early) break;
        if (series_hidden(key_of(it->kind))) continue;
        const double left = time_px(it->start), right = time_px(it->start + it->length);
        const double d = where.x() < left ? left - where.x() : where.x() > right ? where.x() - right : 0.0;
        if (d <= slack && d < distance) distance = d, best = static_cast<int>(it - data_.boxes.begin());
    }
    return best;
}

QString TimelineChart::time_shown(Seconds s) const {
    return text_of(format_in(s, {time_unit_, 2})) + QChar::Nbsp + unit_name(time_unit_);
}

TooltipText TimelineChart::tooltip_of_box(int index) const {
    const TimelineBox& box = data_.boxes[at(index)];
    TooltipText text;
    text.title = box.label.isEmpty() ? data_.rows[at(box.row)] : box.label;
    text.value = text_of(format_time(box.length));
    QStringList facts{data_.rows[at(box.row)]};
    for (const LegendEntry& entry : legend(theme()))
        if (entry.key == key_of(box.kind)) facts << inside_sentence(entry.name);
    if (box.on_chain) facts << tr("on the longest chain");
    if (data_.length.value > 0.0)
        facts << tr("%1 of the step").arg(text_of(format_percent(Fraction{box.length / data_.length})));
    text.subtitle = facts.join(QStringLiteral(" · "));
    text.rows = {{tr("from"), time_shown(box.start)}, {tr("to"), time_shown(box.start + box.length)}};
    return text;
}

void TimelineChart::hover(QPointF where) {
    const int box = hovered_box_ = box_at(where);
    emit layer_hovered(box >= 0 ? data_.boxes[at(box)].layer : -1);
    if (box < 0)
        say_nothing();
    else
        say(tooltip_of_box(box), where);
}

void TimelineChart::leave() {
    hovered_box_ = -1;
    emit layer_hovered(-1);
}

void TimelineChart::click(QPointF where) {
    const int box = box_at(where);
    if (box < 0) return;
    focused_ = box;
    schedule();
    set_selected_layer(data_.boxes[at(box)].layer);
    emit layer_selected(selected());
}

void TimelineChart::focus_box(int index) {
    focused_ = index;
    const TimelineBox& box = data_.boxes[at(index)];
    const double k = per_second(time_unit_), from = box.start.value * k, to = (box.start + box.length).value * k;
    const Range now = x_map_.range;
    if (to > now.upper || from < now.lower) {
        const double lower = (from + to) / 2 - now.size() / 2;
        show_x({lower, lower + now.size()});
    }
    schedule();
    refresh();
    const QRectF r = box_rect(index);
    say(tooltip_of_box(index), QPointF(std::clamp(r.center().x(), x_map_.from_px, x_map_.to_px), r.bottom()));
}

/// Follows the micro-batch of the box with the keyboard, or under the pointer; the same again: none.
void TimelineChart::follow() {
    const int box = focused_ >= 0 ? focused_ : hovered_box_;
    const int now = box >= 0 ? data_.boxes[at(box)].micro_batch : -1;
    followed_ = now == followed_ ? -1 : now;
    if (followed_ >= 0) focused_ = box;
    data_changed();
}

/// Of the micro-batch that is followed, on whichever stage; the same box at its ends.
int TimelineChart::next_of_followed(bool later) const {
    const auto when = [this](int i) { return std::pair(data_.boxes[at(i)].start, i); };
    int best = focused_;
    for (int i = 0; i < static_cast<int>(data_.boxes.size()); ++i) {
        if (data_.boxes[at(i)].micro_batch != followed_ ||
            (later ? when(i) <= when(focused_) : when(i) >= when(focused_)))
            continue;
        if (best == focused_ || (later ? when(i) < when(best) : when(i) > when(best))) best = i;
    }
    return best;
}

void TimelineChart::add_options(QMenu& menu) {
    QAction* find = menu.addAction(tr("Find…"), QKeySequence(Qt::Key_Slash), this, &TimelineChart::open_find);
    find->setEnabled(!data_.boxes.empty());
}

void TimelineChart::open_find() {
    if (!find_) {
        find_ = new TimelineFind(this);
        connect(find_, &TimelineFind::changed, this, [this] { find_next(true, true); });
        connect(find_, &TimelineFind::next_asked, this, [this](bool later) { find_next(later, false); });
        connect(find_, &TimelineFind::closed, this, [this] { setFocus(Qt::OtherFocusReason); });
    }
    find_->open();
    schedule();
}

QStringList TimelineChart::words_of_box(const TimelineBox& box, const std::vector<LegendEntry>& names) const {
    QStringList words = words_of(data_.rows[at(box.row)] + QLatin1Char(' ') + box.label);
    const bool in_pipeline = box.micro_batch >= 0;
    for (const LegendEntry& entry : names) {
        if (entry.key != key_of(box.kind)) continue;
        for (const QString& word : words_of(entry.name)) {
            words << word;
            if (in_pipeline) words << QString::number(box.micro_batch + 1);  // "gradients 5"
        }
    }
    return in_pipeline ? words + words_of(tr("micro-batch %1").arg(box.micro_batch + 1)) : words;
}

/// Boxes with the words that are asked for, in order of time.
std::vector<int> TimelineChart::found() const {
    std::vector<int> boxes;
    const QStringList asked = find_->asked();
    if (asked.isEmpty()) return boxes;
    const std::vector<LegendEntry> names = legend(theme());
    for (int i = 0; i < static_cast<int>(data_.boxes.size()); ++i) {
        const TimelineBox& box = data_.boxes[at(i)];
        if (!series_hidden(key_of(box.kind)) && has_words(words_of_box(box, names), asked)) boxes.push_back(i);
    }
    std::stable_sort(boxes.begin(), boxes.end(),
                     [this](int a, int b) { return data_.boxes[at(a)].start < data_.boxes[at(b)].start; });
    return boxes;
}

/// Marks the next box with the words, or the one before, after the last one the first again; `stay`: the marked one, if
/// it has them.
void TimelineChart::find_next(bool later, bool stay) {
    const std::vector<int> boxes = found();
    if (boxes.empty()) return find_->show_found(0, 0);
    const auto when = [this](int i) { return std::pair(data_.boxes[at(i)].start, i); };
    auto it = boxes.begin();
    if (focused_ >= 0 && later)
        it = std::find_if(boxes.begin(), boxes.end(),
                          [&](int i) { return stay ? when(i) >= when(focused_) : when(i) > when(focused_); });
    else if (focused_ >= 0)
        it = std::find_if(boxes.begin(), boxes.end(), [&](int i) { return when(i) >= when(focused_); });
    if (later && it == boxes.end()) it = boxes.begin();
    if (!later) it = it == boxes.begin() ? boxes.end() - 1 : it - 1;
    find_->show_found(static_cast<int>(it - boxes.begin()) + 1, static_cast<int>(boxes.size()));
    focus_box(*it);
}

/// Shows what is marked from its beginning to its end: a micro-batch, a box or a layer; else everything.
void TimelineChart::fit_marked() {
    double from = std::numeric_limits<double>::infinity(), to = -from;
    for (int i = 0; i < static_cast<int>(data_.boxes.size()); ++i) {
        const TimelineBox& box = data_.boxes[at(i)];
        const bool marked = followed_ >= 0  ? box.micro_batch == followed_
                            : focused_ >= 0 ? i == focused_
                                            : selected() >= 0 && box.layer == selected();
        if (!marked) continue;
        from = std::min(from, box.start.value);
        to = std::max(to, (box.start + box.length).value);
    }
    if (!(to > from)) return reset_view();
    const double k = per_second(time_unit_), beside = (to - from) * fit_margin;
    const Range all = extent().all;
    show_x({std::max((from - beside) * k, all.lower), std::min((to + beside) * k, all.upper)});
}

bool TimelineChart::use_letter(int key) {
    const Range now = x_map_.range;
    const auto pan = [&](double by) { show_x({now.lower + by * now.size(), now.upper + by * now.size()}); };
    switch (key) {
        case Qt::Key_W: zoom_by(key_zoom); break;
        case Qt::Key_S: zoom_by(1 / key_zoom); break;
        case Qt::Key_A: pan(-key_pan); break;
        case Qt::Key_D: pan(key_pan); break;
        case Qt::Key_F: fit_marked(); break;
        case Qt::Key_M: follow(); break;
        case Qt::Key_Slash: open_find(); break;
        default: return false;
    }
    return true;
}

bool TimelineChart::use_key(int key, Qt::KeyboardModifiers modifiers) {
    if (!(modifiers & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) && use_letter(key)) return true;
    const int n = static_cast<int>(data_.boxes.size());
    int index = focused_;
    if (followed_ >= 0 && focused_ >= 0 && (key == Qt::Key_Right || key == Qt::Key_Left)) {
        focus_box(next_of_followed(key == Qt::Key_Right));
        return true;
    }
    switch (key) {
        case Qt::Key_Right: index = std::min(index + 1, n - 1); break;
        case Qt::Key_Left: index = std::max(index - 1, 0); break;
        case Qt::Key_Home: index = 0; break;
        case Qt::Key_End: index = n - 1; break;
        case Qt::Key_Down:
        case Qt::Key_Up: {
            if (index < 0) {
                index = 0;
                break;
            }
            const int row = data_.boxes[at(index)].row + (key == Qt::Key_Down ? 1 : -1);
            if (row < 0 || row >= rows() || row_begin_[at(row)] == row_begin_[at(row) + 1]) return true;
            const auto begin = data_.boxes.begin() + static_cast<std::ptrdiff_t>(row_begin_[at(row)]);
            const auto end = data_.boxes.begin() + static_cast<std::ptrdiff_t>(row_begin_[at(row) + 1]);
            const Seconds start = data_.boxes[at(index)].start;
            auto it = std::upper_bound(begin, end, start, [](Seconds t, const TimelineBox& b) { return t < b.start; });
            if (it != begin) --it;
            index = static_cast<int>(it - data_.boxes.begin());
            break;
        }
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (index < 0 || data_.boxes[at(index)].layer < 0) return true;
            set_selected_layer(data_.boxes[at(index)].layer);
            emit layer_selected(selected());
            return true;
        default: return false;
    }
    focus_box(index);
    return true;
}

QString TimelineChart::describe() const {
    QStringList busy;
    for (std::size_t row = 0; row < data_.rows.size(); ++row) {
        Seconds sum{};
        for (std::size_t b = row_begin_[row]; b < row_begin_[row + 1]; ++b)
            if (data_.boxes[b].kind != BoxKind::idle) sum += data_.boxes[b].length;
        busy << tr("%1 busy %2").arg(data_.rows[row], text_of(format_time(sum)));
    }
    QString all = tr("One step of %1: %2.").arg(text_of(format_time(data_.length)), busy.join(QStringLiteral(", ")));
    if (followed_ >= 0) all += QLatin1Char(' ') + tr("Micro-batch %1 is followed.").arg(followed_ + 1);
    if (!view().x) return all;
    return all + QLatin1Char(' ') +
           tr("Shown from %1 to %2.").arg(time_shown(time_at(x_map_.from_px)), time_shown(time_at(x_map_.to_px)));
}

ChartTable TimelineChart::table() const {
    ChartTable table;
    const QString ms = QStringLiteral("ms");
    table.columns = {{QStringLiteral("row"), tr("Row"), {}},
                     {QStringLiteral("what"), tr("What"), {}},
                     {QStringLiteral("kind"), tr("Kind"), {}},
                     {QStringLiteral("start_ms"), tr("Start"), ms},
                     {QStringLiteral("length_ms"), tr("Length"), ms},
                     {QStringLiteral("on_longest_chain"), tr("On the longest chain"), {}}};
    for (const TimelineBox& box : data_.boxes)
        table.rows.push_back({data_.rows[at(box.row)], box.label, key_of(box.kind), in_milliseconds(box.start),
                              in_milliseconds(box.length),
                              box.on_chain ? QStringLiteral("yes") : QStringLiteral("no")});
    return table;
}

}  // namespace scalescope::ui
