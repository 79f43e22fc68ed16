// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/layer_model.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/format.hpp"
#include "core/compare/key_values.hpp"
#include "core/scenario/hardware.hpp"
#include "ui/charts/scale.hpp"
#include "ui/language/told.hpp"
#include "ui/live/layer_keys.hpp"
#include "ui/live/layer_texts.hpp"

namespace scalescope::ui {
namespace {

constexpr int most_decimals = 3;  // of times: layers are small beside their step
const QString nothing = QStringLiteral("–");

}  // namespace

const std::shared_ptr<const Network>& LayerModel::network(const ShownRow& row) const {
    return result_->request.scenario.workload[static_cast<std::size_t>(row.part)].network;
}

bool LayerModel::any(const ShownRow& row, const std::function<bool(std::size_t)>& is) const {
    return std::any_of(row.row->layers.begin(), row.row->layers.end(),
                       [&](int l) { return is(static_cast<std::size_t>(l)); });
}

bool LayerModel::set_rows(const LiveResultPtr& result, const std::vector<ShownRow>& rows) {
    const auto same = [](const ShownRow& a, const ShownRow& b) {
        return a.row == b.row && a.open == b.open && a.title == b.title;
    };
    // Kept until they are compared: rows of a network that is gone could stand where those of the next one do.
    const LiveResultPtr before = std::exchange(result_, result);
    std::vector<ShownRow> wanted;
    for (const ShownRow& row : rows)
        if (any(row, [&](std::size_t l) { return network(row)->facts()[l].division != Division::source; }))
            wanted.push_back(row);
    const bool same_rows = std::equal(wanted.begin(), wanted.end(), rows_.begin(), rows_.end(), same);
    rows_ = std::move(wanted);
    longest_ = Seconds{0};
    folds_ = has_hidden_ = false;
    for (const ShownRow& row : rows_) {
        if (!row.open) longest_ = std::max(longest_, row.time.total());  // the rows inside show an open row's time
        folds_ = folds_ || row.row->has_children;
        has_hidden_ = has_hidden_ || row.time.hidden.value > 0;
    }
    if (result->estimate)
        times_ = fitting_scale(longest_, result->request.dragging ? std::optional(times_) : std::nullopt);
    cannot_run_ = !cannot_run_text(result->request.scenario, result->estimate).isEmpty();
    pinned_.clear();
    if (pin_ >= 0 && pin_ < static_cast<int>(result->pins.size()))
        pinned_ = times_of_pin(*result, static_cast<std::size_t>(pin_));
    std::vector<int> order = ordered();
    if (same_rows && order == order_) {
        if (!rows_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, column_count - 1));
        return false;
    }
    beginResetModel();
    order_ = std::move(order);
    endResetModel();
    return true;
}

void LayerModel::compare_with(int pin) {
    if (std::exchange(pin_, pin) == pin || !result_) return;
    set_rows(LiveResultPtr(result_), std::vector<ShownRow>(rows_));  // copies: both are replaced
    emit headerDataChanged(Qt::Horizontal, difference, difference);
}

std::vector<int> LayerModel::ordered() const {
    std::vector<int> order(rows_.size());
    std::iota(order.begin(), order.end(), 0);
    if (sorted_by_ < 0) return order;
    std::erase_if(order, [this](int r) { return rows_[static_cast<std::size_t>(r)].open; });
    std::vector<QVariant> values(rows_.size());
    for (const int r : order) {
        const auto at = static_cast<std::size_t>(r);
        values[at] = value(rows_[at], sorted_by_, true);
    }
    const auto less = [](const QVariant& a, const QVariant& b) {
        if (a.typeId() == QMetaType::QString) return a.toString() < b.toString();
        return a.isValid() && b.isValid() ? a.toDouble() < b.toDouble() : !a.isValid() && b.isValid();
    };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        const QVariant &x = values[static_cast<std::size_t>(a)], &y = values[static_cast<std::size_t>(b)];
        return direction_ == Qt::AscendingOrder ? less(x, y) : less(y, x);
    });
    return order;
}

void LayerModel::sort(int column, Qt::SortOrder order) {
    sorted_by_ = column;
    direction_ = order;
    beginResetModel();
    order_ = ordered();
    endResetModel();
}

int LayerModel::find(int part, const std::string& path) const {
    for (int r = 0; r < rowCount(); ++r)
        if (row(r).part == part && row(r).row->path == path) return r;
    return -1;
}

int LayerModel::row_of(int key, int preferred) const {
    if (key < 0) return -1;
    const auto has = [&](const ShownRow& row) {
        return row.part == part_of_key(key) &&
               std::binary_search(row.row->layers.begin(), row.row->layers.end(), position_of_key(key));
    };
    if (preferred >= 0 && row(preferred).key == key && has(row(preferred))) return preferred;
    int found = -1;
    for (int r = 0; r < rowCount(); ++r)
        if (has(row(r)) && (found < 0 || row(r).row->depth >= row(found).row->depth)) found = r;
    return found;
}

bool LayerModel::has(int column) const {
    return column == hidden ? has_hidden_ : column == difference ? !pinned_.empty() : true;
}

bool LayerModel::unknown(const ShownRow& row) const {
    const auto texts = layer_texts(network(row));
    return any(row, [&](std::size_t l) { return !(*texts)[l].guess.isEmpty(); });
}

/// None of its layers that have weights is trained.
bool LayerModel::frozen(const ShownRow& row) const {
    const auto& names = result_->request.scenario.training.frozen;
    if (names.empty()) return false;
    const Network& n = *network(row);
    const auto is_frozen = [&](std::size_t l) {
        return std::binary_search(names.begin(), names.end(), n.layers()[l].id);
    };
    return any(row, is_frozen) && !any(row, [&](std::size_t l) { return n.facts()[l].weights > 0 && !is_frozen(l); });
}

QString LayerModel::note(const ShownRow& row) const {
    const auto texts = layer_texts(network(row));
    QStringList notes;
    const LayerText& first = (*texts)[static_cast<std::size_t>(row.row->layers.front())];
    if (row.row->layers.size() == 1 && first.name != row.title) notes << first.name;
    if (frozen(row)) notes << tr("frozen");
    any(row, [&](std::size_t l) {
        const QString& guess = (*texts)[l].guess;
        if (!guess.isEmpty()) notes << guess;
        return !guess.isEmpty();
    });
    if (result_->estimate)
        notes << tr("%1 of the step")
                     .arg(told(format_percent(Fraction{row.time.total() / result_->estimate->summary.step})));
    return notes.join(QStringLiteral(" · "));
}

double LayerModel::share_of_longest(const ShownRow& row) const {
    return longest_.value > 0 ? row.time.total() / longest_ : 0;
}

QString LayerModel::time_text(Seconds time) const {
    // Most layers are small beside the longest: one decimal more than that needs.
    const int decimals = precise_ ? most_decimals : std::min(times_.decimals + 1, most_decimals);
    return told(format_in(time, {times_.unit, decimals}));
}

/// In the unit of the layers, unless they are far shorter.
QString LayerModel::step_text() const {
    if (!result_ || !result_->estimate) return nothing;
    const Seconds time = result_->estimate->summary.step;
    return fitting_unit(time) == times_.unit ? time_text(time) : told(format_time(time));
}

int LayerModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(order_.size());
}

int LayerModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : column_count; }

QVariant LayerModel::change(const ShownRow& row, bool raw) const {
    const RowTime other = pinned_.empty() ? RowTime{} : pinned_[static_cast<std::size_t>(row.part)].of(row.row->layers);
    if (other.longest < 0) return raw ? QVariant() : QVariant(nothing);
    const compare::KeyValue now{"total", row.time.total().value, compare::Wanted::less},
        then{"total", other.total().value, compare::Wanted::less};
    const compare::ValueChange change = compare::change_of(now, then);
    if (raw) return change.absolute;
    if (change.verdict == compare::Verdict::same) return QStringLiteral("=");
    const QString sign = change.absolute < 0 ? QStringLiteral("\u2212") : QStringLiteral("+");
    const QString text = sign + time_text(Seconds{std::abs(change.absolute)});
    if (!change.relative) return text;
    return QStringLiteral("%1 (%2)").arg(text, told(format_change(Fraction{*change.relative})));
}

QVariant LayerModel::value(const ShownRow& row, int column, bool raw) const {
    const Network& n = *network(row);
    const std::vector<int>& layers = row.row->layers;
    const auto first = static_cast<std::size_t>(layers.front());
    const bool one = layers.size() == 1;
    const auto number = [&](double value, const std::string& shown) {
        return raw ? QVariant(value) : QVariant(told(shown));
    };
    const auto time = [&](Seconds t) {
        if (!result_->estimate) return raw ? QVariant() : QVariant(nothing);
        return raw ? QVariant(t.value) : QVariant(time_text(t));
    };
    const auto work = [&] {
        const bool known = result_->estimate && result_->plan;
        return row_work(n, known ? &result_->plan->parts[static_cast<std::size_t>(row.part)].work : nullptr, layers);
    };
    switch (column) {
        case name: return !raw && frozen(row) ? row.title + tr(" ❄") : row.title;
        case kind:
            return one ? told(n.layers()[first].kind->title)
                       : tr("%1 layers").arg(told(format_count(static_cast<std::int64_t>(layers.size()))));
        case output:
            if (row.row->is_word) return told(row.row->size);
            return one ? (*layer_texts(network(row)))[first].shape : QString();
        case parameters: {
            const std::int64_t sum = row_work(n, nullptr, layers).parameters;
            return number(static_cast<double>(sum), format_count(sum));
        }
        case forward_flops: {
            if (!result_->estimate) return raw ? QVariant() : QVariant(nothing);
            const Flops sum = work().forward;
            return number(sum.value, sum.value > 0 ? format_work(sum) : "0");
        }
        case forward: return time(row.time.forward);
        case backward: return time(row.time.backward);
        case update: return time(row.time.update);
        case communication: return time(row.time.communication);
        case hidden: return time(row.time.hidden);
        case total: return time(row.time.total());
        case difference: return change(row, raw);
        case memory:
            if (!result_->estimate) return raw ? QVariant() : QVariant(nothing);
            return number(row.time.kept.value, format_bytes(row.time.kept));
        default: return {};
    }
}

QVariant LayerModel::data(const QModelIndex& at, int role) const {
    if (!at.isValid() || at.row() >= rowCount()) return {};
    const ShownRow& r = row(at.row());
    switch (role) {
        case Qt::TextAlignmentRole:
            return static_cast<int>((at.column() >= parameters ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        case struck_role: return at.column() >= forward && at.column() < memory && cannot_run_;
        case Qt::DisplayRole: return value(r, at.column(), false);
        case Qt::UserRole: return value(r, at.column(), true);
        case Qt::ToolTipRole: {
            const QString title = value(r, name, false).toString(), more = note(r);
            return more.isEmpty() ? title : title + QLatin1Char('\n') + more;
        }
        case Qt::AccessibleTextRole: {
            if (at.column() != name) return value(r, at.column(), false);
            QStringList parts{value(r, name, false).toString(), value(r, output, false).toString(),
                              tr("%1 %2 per step").arg(value(r, total, false).toString(), unit_name(times_.unit)),
                              note(r)};
            parts.removeAll(QString());
            return parts.join(QStringLiteral(", "));
        }
        default: return {};
    }
}

QVariant LayerModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section >= parameters ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    const WorkerWords words = result_ ? worker_words(result_->request.scenario) : WorkerWords{};
    const QString one = QString::fromLatin1(words.one.data(), static_cast<qsizetype>(words.one.size()));
    const QString unit = unit_name(times_.unit);
    if (role == Qt::ToolTipRole) switch (section) {
            case forward_flops: return tr("Floating-point operations of the forward pass, for one sample");
            case forward:
            case backward:
            case update: return tr("%1 per step, on the %2 that has the layer").arg(unit, one);
            case communication: return tr("%1 per step that no other work hides").arg(unit);
            case hidden: return tr("%1 of communication behind other work; no part of the total").arg(unit);
            case total: return tr("%1 per step").arg(unit);
            case difference:
                return tr("Total less that of the layer of the same name in the pinned design, %1 per step").arg(unit);
            case memory: return tr("Kept from the forward pass for the backward pass, on one %1").arg(one);
            default: return {};
        }
    if (role != Qt::DisplayRole && role != title_role) return {};
    switch (section) {
        case name: return tr("Layer");
        case kind: return tr("Kind");
        case output: return tr("Output");
        case parameters: return tr("Parameters");
        case forward_flops: return tr("Work/sample");
        case forward: return tr("Forward");
        case backward: return tr("Backward");
        case update: return tr("Update");
        case communication: return tr("Comm.");
        case hidden: return tr("Hidden");
        case total: return precise_ || role == title_role ? tr("Total") : tr("%1 per step").arg(unit);
        case difference:
            return pin_ < 0 ? QString() : tr("vs %1").arg(QLatin1Char(letter_of_pin(static_cast<std::size_t>(pin_))));
        case memory: return tr("Keeps");
        default: return {};
    }
}

}  // namespace scalescope::ui
