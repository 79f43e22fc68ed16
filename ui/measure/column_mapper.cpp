// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/column_mapper.hpp"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/base/decimal.hpp"
#include "core/base/format.hpp"
#include "ui/language/told.hpp"
#include "ui/measure/runs_document.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/form.hpp"
#include "ui/widgets/number_field.hpp"

namespace scalescope::ui {
namespace {

using Relation = measure::RunFilter::Relation;

constexpr std::pair<const char*, Relation> relations[] = {
    {"=", Relation::equal},           {"\u2260", Relation::unequal}, {"<", Relation::less},
    {"\u2264", Relation::less_equal}, {">", Relation::greater},      {"\u2265", Relation::greater_equal}};

QString id_of(Relation relation) {
    for (const auto& [sign, value] : relations)
        if (value == relation) return QString::fromUtf8(sign);
    return {};
}

Relation relation_of(const QString& id) {
    for (const auto& [sign, value] : relations)
        if (QString::fromUtf8(sign) == id) return value;
    return Relation::equal;
}

const char* const known_units[] = {"s", "ms", "us", "ns", "min", "h", "samples/s", "images/s", "tokens/s"};

}  // namespace

ColumnMapper::ColumnMapper(RunsDocument& document, QWidget* parent) : QWidget(parent), document_(document) {
    auto* column = make_layout<QVBoxLayout>(this, 8);
    auto* form = new Form;
    const auto combo = [&](const QString& label, const QString& accessible, const char* object,
                           std::string measure::ColumnMap::*member) {
        auto* c = new Combo(accessible);
        c->setObjectName(QLatin1String(object));
        connect(c, &Combo::chosen, this, [this, member](const QString& id) {
            measure::ColumnMap map = document_.state().map;
            map.*member = id.toStdString();
            document_.set_map(std::move(map));
        });
        form->add_row(label, c);
        return c;
    };
    using measure::ColumnMap;
    time_ = combo(tr("Time"), tr("Column of times or rates"), "mapTime", &ColumnMap::time);
    unit_ = combo(tr("Unit"), tr("Unit of the time"), "mapUnit", &ColumnMap::unit);
    workers_ = combo(tr("Workers"), tr("Column of workers"), "mapWorkers", &ColumnMap::workers);
    batch_ = combo(tr("Batch"), tr("Column of the whole batch"), "mapBatch", &ColumnMap::batch);
    each_ = combo(tr("Batch/worker"), tr("Column of the batch of one worker"), "mapEach", &ColumnMap::batch_per_worker);
    samples_ =
        combo(tr("Samples"), tr("Column of the samples of a unit of work"), "mapSamples", &ColumnMap::samples_per_unit);
    split_ = combo(tr("Split"), tr("Column that says train or test"), "mapSplit", &ColumnMap::split);
    every_ = new NumberField(tr("Hold out every nth run"));
    every_->setObjectName(QStringLiteral("holdEvery"));
    every_->set_subject(tr("The interval of held-out runs"));
    every_->set_range(2, 1e6);
    every_->set_optional(tr("none"));
    above_ = new NumberField(tr("Hold out runs with more workers"));
    above_->setObjectName(QStringLiteral("holdAbove"));
    above_->set_subject(tr("The count of workers"));
    above_->set_range(1, 1e9);
    above_->set_optional(tr("none"));
    every_->setToolTip(
        tr("Holds out every nth run from the fit. The prediction error on these runs shows how good the fit is."));
    above_->setToolTip(tr("Holds out runs with more workers than this from the fit"));
    form->add_row(tr("Hold out 1 of"), every_);
    form->add_row(tr("Workers above"), above_);
    connect(every_, &NumberField::value_changed, this, [this](double v) {
        auto hold = document_.state().hold;
        hold.every = static_cast<std::size_t>(v);
        document_.set_hold(hold);
    });
    connect(every_, &NumberField::value_removed, this, [this] {
        auto hold = document_.state().hold;
        hold.every = 0;
        document_.set_hold(hold);
    });
    connect(above_, &NumberField::value_changed, this, [this](double v) {
        auto hold = document_.state().hold;
        hold.workers_above = v;
        document_.set_hold(hold);
    });
    connect(above_, &NumberField::value_removed, this, [this] {
        auto hold = document_.state().hold;
        hold.workers_above = 0.0;
        document_.set_hold(hold);
    });
    column->addWidget(form);
    filter_rows_ = make_layout<QVBoxLayout>(nullptr, 4);
    column->addLayout(filter_rows_);
    add_filter_ = new QPushButton(tr("Add a filter"));
    add_filter_->setObjectName(QStringLiteral("addFilter"));
    connect(add_filter_, &QPushButton::clicked, this, [this] {
        add_filter();
        filters_.back().column->setFocus();
    });
    column->addWidget(add_filter_, 0, Qt::AlignLeft);
    summary_ = make_label({}, type::caption(), Ink::secondary);
    summary_->setObjectName(QStringLiteral("runsSummary"));
    summary_->setWordWrap(true);
    column->addWidget(summary_);
    connect(&document_, &RunsDocument::changed, this, &ColumnMapper::show_state);
    show_state();
}

/// Combos of columns: first the automatic choice, with what it found, then every column as it is named.
void ColumnMapper::fill_columns() {
    using measure::ColumnMap;
    static const ColumnMap nothing;
    const ColumnMap& used = document_.imported() ? document_.imported()->used : nothing;
    const auto& names = document_.sheet().names();
    std::vector<ComboItem> columns;
    for (const auto& name : names) columns.push_back({plain(name), plain(name), {}, {}, {}, {}, true});
    const auto fill = [&](Combo* combo, const std::string& found, const std::vector<ComboItem>& items) {
        std::vector<ComboItem> all{{QString(),
                                    found.empty() ? tr("none") : plain(found),
                                    found.empty() ? QString() : tr("found"),
                                    {},
                                    {},
                                    {},
                                    true}};
        all.insert(all.end(), items.begin(), items.end());
        if (all != combo->items()) combo->set_items(std::move(all));
    };
    fill(time_, used.time, columns);
    fill(workers_, used.workers, columns);
    fill(batch_, used.batch, columns);
    fill(each_, used.batch_per_worker, columns);
    fill(samples_, used.samples_per_unit, columns);
    fill(split_, used.split, columns);
    std::vector<ComboItem> of_units;
    for (const char* unit : known_units) {
        const QString u = QLatin1String(unit);
        of_units.push_back({u, u == QLatin1String("us") ? QStringLiteral("µs") : u, {}, {}, {}, {}, true});
    }
    fill(unit_, used.unit_column.empty() ? used.unit : tr("in column %1").arg(plain(used.unit_column)).toStdString(),
         of_units);
    if (names == known_columns_) return;
    known_columns_ = names;
    for (const FilterRow& f : filters_) f.column->set_items(columns);
}

void ColumnMapper::show_state() {
    const QScopedValueRollback<bool> guard(quiet_, true);
    fill_columns();
    const auto& [sheet, map, hold, options] = document_.state();
    time_->set_current(plain(map.time));
    unit_->set_current(plain(map.unit), plain(map.unit));
    workers_->set_current(plain(map.workers));
    batch_->set_current(plain(map.batch));
    each_->set_current(plain(map.batch_per_worker));
    samples_->set_current(plain(map.samples_per_unit));
    split_->set_current(plain(map.split));
    if (hold.every == 0)
        every_->set_missing();
    else
        every_->set_value(static_cast<double>(hold.every));
    if (hold.workers_above == 0.0)
        above_->set_missing();
    else
        above_->set_value(hold.workers_above);
    settle_filters();
    const auto* runs = document_.runs();
    if (!runs) {
        summary_->setText(document_.empty() ? QString() : tr("No runs are read: see below."));
        return;
    }
    const auto [least, most] = std::minmax_element(runs->seconds.begin(), runs->seconds.end());
    const auto held = runs->testing().size(), left_out = document_.sheet().rows() - runs->size();
    QStringList parts;
    if (runs->size() > 0)
        parts << tr("%1 runs of %2 to %3")
                     .arg(told(format_count(static_cast<std::int64_t>(runs->size()))),
                          told(format_time(Seconds{*least})), told(format_time(Seconds{*most})));
    if (held > 0) parts << tr("%1 of them held out").arg(held);
    if (left_out > 0) parts << (left_out == 1 ? tr("1 row not read") : tr("%1 rows not read").arg(left_out));
    summary_->setText(parts.join(QStringLiteral(", ")) + (parts.isEmpty() ? QString() : QStringLiteral(".")));
}

void ColumnMapper::add_filter() {
    auto* row = new QWidget;
    auto* lines = make_layout<QVBoxLayout>(row, 4);
    FilterRow f{row, new Combo(tr("Column to filter by")), new Combo(tr("Relation")), new QLineEdit};
    f.value->setAccessibleName(tr("Value to compare with"));
    f.value->setPlaceholderText(tr("value"));
    f.value->setAcceptDrops(false);
    std::vector<ComboItem> items, signs;
    for (const auto& name : known_columns_) items.push_back({plain(name), plain(name), {}, {}, {}, {}, true});
    for (const auto& relation : relations) {
        const QString sign = QString::fromUtf8(relation.first);
        signs.push_back({sign, sign, {}, {}, {}, {}, true});
    }
    f.column->set_items(items);
    f.column->set_placeholder(tr("column"));
    f.relation->set_items(signs);
    f.relation->set_current(QStringLiteral("="));
    f.relation->setFixedWidth(64);
    auto* second = make_layout<QHBoxLayout>(nullptr, 4);
    second->addWidget(f.relation);
    second->addWidget(f.value, 1);
    auto* remove = make_icon_button("close", tr("Remove this filter"));
    second->addWidget(remove);
    lines->addWidget(f.column);
    lines->addLayout(second);
    filter_rows_->addWidget(row);
    filters_.push_back(f);
    connect(f.column, &Combo::chosen, this, [this] { take_filters(); });
    connect(f.relation, &Combo::chosen, this, [this] { take_filters(); });
    connect(f.value, &QLineEdit::editingFinished, this, [this] { take_filters(); });
    connect(remove, &QToolButton::clicked, this, [this, row] {
        const auto gone =
            std::find_if(filters_.begin(), filters_.end(), [row](const auto& one) { return one.row == row; });
        if (gone == filters_.end()) return;
        gone->row->hide();
        gone->row->deleteLater();
        filters_.erase(gone);
        take_filters();
    });
}

/// Those that are whole; one without a column or a value waits.
void ColumnMapper::take_filters() {
    if (quiet_) return;
    measure::ColumnMap map = document_.state().map;
    std::vector<measure::RunFilter> filters;
    for (const FilterRow& f : filters_)
        if (!f.column->current().isEmpty() && !f.value->text().trimmed().isEmpty())
            filters.push_back({f.column->current().toStdString(), relation_of(f.relation->current()),
                               f.value->text().trimmed().toStdString()});
    const auto same = [](const measure::RunFilter& a, const measure::RunFilter& b) {
        return a.column == b.column && a.relation == b.relation && a.value == b.value;
    };
    if (std::equal(filters.begin(), filters.end(), map.filters.begin(), map.filters.end(), same)) return;
    map.filters = std::move(filters);
    document_.set_map(std::move(map));
}

/// The rows follow undo and another table; half-made rows stay while a person makes them.
void ColumnMapper::settle_filters() {
    const auto& filters = document_.state().map.filters;
    std::vector<std::size_t> whole;
    for (std::size_t i = 0; i < filters_.size(); ++i)
        if (!filters_[i].column->current().isEmpty() && !filters_[i].value->text().trimmed().isEmpty())
            whole.push_back(i);
    while (whole.size() > filters.size()) {
        filters_[whole.back()].row->deleteLater();
        filters_[whole.back()].row->hide();
        filters_.erase(filters_.begin() + static_cast<std::ptrdiff_t>(whole.back()));
        whole.pop_back();
    }
    while (whole.size() < filters.size()) {
        add_filter();
        whole.push_back(filters_.size() - 1);
    }
    for (std::size_t i = 0; i < filters.size(); ++i) {
        const FilterRow& f = filters_[whole[i]];
        f.column->set_current(plain(filters[i].column), plain(filters[i].column));
        f.relation->set_current(id_of(filters[i].relation));
        if (f.value->text().trimmed() != plain(filters[i].value)) f.value->setText(plain(filters[i].value));
    }
    add_filter_->setEnabled(!document_.empty());
}

}  // namespace scalescope::ui
