// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/columns_dialog.hpp"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <utility>

#include "core/base/sequences.hpp"
#include "core/words/table_words.hpp"
#include "ui/help/help_guide.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/form.hpp"

namespace scalescope::ui {
namespace {

/// Names of meanings; those of figures speak for themselves.
constexpr std::array<std::pair<const char*, const char*>, 47> meaning_names{
    {{"source", QT_TRANSLATE_NOOP("columns", "Source")},
     {"framework", QT_TRANSLATE_NOOP("columns", "Framework")},
     {"network", QT_TRANSLATE_NOOP("columns", "Network")},
     {"device", QT_TRANSLATE_NOOP("columns", "Device")},
     {"interconnect", QT_TRANSLATE_NOOP("columns", "Interconnect")},
     {"workers", QT_TRANSLATE_NOOP("columns", "Number of devices")},
     {"nodes", QT_TRANSLATE_NOOP("columns", "Number of nodes")},
     {"gpus_per_node", QT_TRANSLATE_NOOP("columns", "Devices per node")},
     {"precision", QT_TRANSLATE_NOOP("columns", "Precision")},
     {"batch_global", QT_TRANSLATE_NOOP("columns", "Global batch, samples")},
     {"batch_per_worker", QT_TRANSLATE_NOOP("columns", "Batch of each replica, samples")},
     {"batch_tokens", QT_TRANSLATE_NOOP("columns", "Global batch, tokens")},
     {"batch", QT_TRANSLATE_NOOP("columns", "Batch, global or of each replica")},
     {"micro_batch", QT_TRANSLATE_NOOP("columns", "Micro-batch, samples")},
     {"accumulation", QT_TRANSLATE_NOOP("columns", "Steps of gradient accumulation")},
     {"seq", QT_TRANSLATE_NOOP("columns", "Sequence length, tokens")},
     {"tp", QT_TRANSLATE_NOOP("columns", "Tensor parallel degree")},
     {"pp", QT_TRANSLATE_NOOP("columns", "Pipeline parallel degree")},
     {"dp", QT_TRANSLATE_NOOP("columns", "Data parallel degree")},
     {"cp", QT_TRANSLATE_NOOP("columns", "Context parallel degree")},
     {"ep", QT_TRANSLATE_NOOP("columns", "Expert parallel degree")},
     {"etp", QT_TRANSLATE_NOOP("columns", "Tensor parallel degree of experts")},
     {"interleave", QT_TRANSLATE_NOOP("columns", "Pipeline chunks per device")},
     {"shard_group", QT_TRANSLATE_NOOP("columns", "Replicas that share one copy")},
     {"replicate_group", QT_TRANSLATE_NOOP("columns", "Copies of the sharded weights")},
     {"sharding", QT_TRANSLATE_NOOP("columns", "Sharding of states")},
     {"sequence_parallel", QT_TRANSLATE_NOOP("columns", "Sequence parallelism")},
     {"recompute", QT_TRANSLATE_NOOP("columns", "Recomputation")},
     {"params", QT_TRANSLATE_NOOP("columns", "Number of parameters")},
     {"layers", QT_TRANSLATE_NOOP("columns", "Layers")},
     {"hidden", QT_TRANSLATE_NOOP("columns", "Hidden width")},
     {"heads", QT_TRANSLATE_NOOP("columns", "Attention heads")},
     {"kv_heads", QT_TRANSLATE_NOOP("columns", "Heads of keys and values")},
     {"feed_forward", QT_TRANSLATE_NOOP("columns", "Feed-forward width")},
     {"samples", QT_TRANSLATE_NOOP("columns", "Samples of the dataset")},
     {"experts", QT_TRANSLATE_NOOP("columns", "Experts")},
     {"experts_used", QT_TRANSLATE_NOOP("columns", "Experts per token")},
     {"vocab", QT_TRANSLATE_NOOP("columns", "Vocabulary")},
     {"notes", QT_TRANSLATE_NOOP("columns", "Notes")},
     {"metric", QT_TRANSLATE_NOOP("columns", "Metric of the figure")},
     {"value", QT_TRANSLATE_NOOP("columns", "Figure")},
     {"unit", QT_TRANSLATE_NOOP("columns", "Unit of the figure")},
     {"flops_counted", QT_TRANSLATE_NOOP("columns", "Which FLOPs count")},
     {"memory_counted", QT_TRANSLATE_NOOP("columns", "Which memory counts")},
     {"tokens", QT_TRANSLATE_NOOP("columns", "Tokens trained on")},
     {"ignored", QT_TRANSLATE_NOOP("columns", "Ignored")},
     {"throughput", QT_TRANSLATE_NOOP("columns", "Throughput, unit not given")}}};

/// What a table may lack, with an example.
constexpr std::array<std::pair<const char*, const char*>, 6> may_lack{{{"network", "Llama 3 8B"},
                                                                       {"device", "H100 SXM"},
                                                                       {"precision", "bf16"},
                                                                       {"interconnect", "8x HDR InfiniBand"},
                                                                       {"batch_per_worker", "32"},
                                                                       {"values", "tokens/s"}}};

QString meaning_name(const std::string& means) {
    for (const auto& [id, name] : meaning_names)
        if (means == id) return QCoreApplication::translate("columns", name);
    return means.empty() ? ColumnsDialog::tr("Not known, kept as a note") : plain(means);
}

constexpr int example_width = 180;

}  // namespace

ColumnsDialog::ColumnsDialog(formats::CsvTable table, const std::vector<measure::GivenColumn>& corrections,
                             QWidget* parent)
    : QDialog(parent), table_(std::move(table)) {
    set_help(*this, QStringLiteral("window-tables"));
    setObjectName(QStringLiteral("columnsDialog"));
    setWindowTitle(tr("Columns of the table"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(12);
    auto* about = make_label(tr("What each column holds. Corrections are kept beside the table, in a file of its name "
                                "that ends with .map."),
                             type::control(), Ink::secondary);
    about->setWordWrap(true);
    column->addWidget(about);

    auto* area = new QScrollArea;
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    auto* inside = new QWidget;
    auto* grid = new QGridLayout(inside);
    grid->setContentsMargins(0, 0, 8, 0);
    grid->setHorizontalSpacing(12);
    grid->setColumnStretch(2, 1);
    std::vector<ComboItem> items{combo_item(QString(), meaning_name({}))};
    for (const std::string& means : column_meanings()) items.push_back(combo_item(plain(means), meaning_name(means)));
    others_ = corrections;
    const auto as_read = measure::columns_taken(table_), now = measure::columns_taken(table_, corrections);
    for (std::size_t i = 0; i < std::min(as_read.size(), now.size()); ++i) {
        const auto& [header, means, example] = as_read[i];
        if (header.empty() || find_by(columns_, header, &Column::header)) continue;
        std::erase_if(others_, [&, &name = header](const measure::GivenColumn& c) { return c.first == name; });
        auto* combo = new Combo(tr("What the column %1 holds").arg(plain(header)));
        combo->setObjectName(QStringLiteral("means ") + plain(header));
        combo->set_items(items);
        combo->set_current(plain(now[i].means), plain(now[i].means));
        connect(combo, &Combo::chosen, this, &ColumnsDialog::show_outcome);
        const int row = static_cast<int>(columns_.size());
        auto* name = make_label(plain(header), type::control());
        name->setBuddy(combo);
        auto* cell = make_label({}, type::control(), Ink::secondary);
        cell->setText(cell->fontMetrics().elidedText(plain(example), Qt::ElideRight, example_width));
        grid->addWidget(name, row, 0);
        grid->addWidget(cell, row, 1);
        grid->addWidget(combo, row, 2);
        columns_.push_back({header, means, combo});
    }
    grid->setRowStretch(static_cast<int>(columns_.size()), 1);
    area->setWidget(inside);
    column->addWidget(area, 1);

    auto* form = new Form;
    for (const auto& [name, example] : may_lack) {
        const bool there = std::any_of(now.begin(), now.end(),
                                       [&, of = std::string_view(name)](const auto& c) { return c.means == of; });
        const measure::GivenColumn* given = find_by(corrections, name, &measure::GivenColumn::first);
        if (there && !given) continue;
        std::erase_if(others_, [&, of = std::string_view(name)](const auto& c) { return c.first == of; });
        auto* text = new QLineEdit;
        const bool is_unit = std::string_view(name) == "values";
        const QString label = is_unit ? tr("Unit of figures") : meaning_name(name);
        text->setObjectName(QStringLiteral("all ") + QLatin1String(name));
        text->setAccessibleName(tr("%1 of all rows").arg(label));
        text->setPlaceholderText(tr("such as %1").arg(QLatin1String(example)));
        if (given) text->setText(plain(given->second));
        connect(text, &QLineEdit::textChanged, this, &ColumnsDialog::show_outcome);
        form->add_row(label, text);
        lacking_.push_back({name, text});
    }
    column->addWidget(make_label(tr("For all rows"), type::control()));
    column->addWidget(form);
    outcome_ = make_label({}, type::control());
    outcome_->setObjectName(QStringLiteral("columnsOutcome"));
    outcome_->setWordWrap(true);
    column->addWidget(outcome_);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    auto* reset = buttons->addButton(tr("As read"), QDialogButtonBox::ResetRole);
    reset->setObjectName(QStringLiteral("columnsReset"));
    reset->setToolTip(tr("Takes every correction back"));
    apply_ = buttons->addButton(tr("Apply"), QDialogButtonBox::AcceptRole);
    apply_->setProperty("kind", QStringLiteral("primary"));
    apply_->setDefault(true);
    apply_->setObjectName(QStringLiteral("columnsApply"));
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(reset, &QPushButton::clicked, this, [this] {
        for (const Column& c : columns_) c.means->set_current(plain(c.taken), plain(c.taken));
        for (const Lacking& l : lacking_) l.text->clear();
        show_outcome();
    });
    column->addWidget(buttons);
    resize(640, 680);
    show_outcome();
}

std::vector<measure::GivenColumn> ColumnsDialog::corrections() const {
    std::vector<measure::GivenColumn> all = others_;
    for (const Column& c : columns_)
        if (const std::string means = c.means->current().toStdString(); means != c.taken)
            all.emplace_back(c.header, means.empty() ? "notes" : means);
    for (const Lacking& l : lacking_)
        if (const std::string text = l.text->text().trimmed().toStdString(); !text.empty())
            all.emplace_back(l.name, text);
    return all;
}

void ColumnsDialog::show_outcome() {
    auto read = measure::read_published(table_, corrections());
    rows_.reset();
    if (read) {
        const auto wrong =
            std::count_if(read->begin(), read->end(), [](const auto& row) { return !row.wrong.empty(); });
        outcome_->setText(wrong == 0 ? tr("%1 results can be read.").arg(read->size())
                                     : tr("%1 results can be read, %2 of them only in part: %3")
                                           .arg(QString::number(read->size()), QString::number(wrong),
                                                told(std::find_if(read->begin(), read->end(), [](const auto& row) {
                                                         return !row.wrong.empty();
                                                     })->wrong)));
        rows_ = std::move(*read);
    } else {
        outcome_->setText(told(to_text(read.error().front())));
    }
    apply_->setEnabled(rows_.has_value());
}

}  // namespace scalescope::ui
