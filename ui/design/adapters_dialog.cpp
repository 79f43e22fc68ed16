// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/adapters_dialog.hpp"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>
#include <vector>

#include "core/base/format.hpp"
#include "core/base/limits.hpp"
#include "core/network/editing/adapters.hpp"
#include "core/scenario/adapters.hpp"
#include "core/scenario/symbol_fields.hpp"
#include "ui/help/help_guide.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/form.hpp"
#include "ui/widgets/number_field.hpp"

namespace scalescope::ui {
namespace {

const QString by_name = QStringLiteral("names");

}  // namespace

AdaptersDialog::AdaptersDialog(Scenario scenario, bool drawing, QWidget* parent)
    : QDialog(parent), scenario_(std::move(scenario)), drawing_(drawing) {
    set_help(*this, QStringLiteral("window-adapters"));
    setObjectName(QStringLiteral("adaptersDialog"));
    setWindowTitle(tr("Low-rank adapters"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(12);
    auto* about = make_label(tr("Fine-tuning with LoRA: beside each chosen product two narrow ones are trained. All "
                                "other weights are frozen."),
                             type::control(), Ink::secondary);
    about->setWordWrap(true);
    column->addWidget(about);

    products_ = new Combo(tr("Products that get adapters"));
    products_->setObjectName(QStringLiteral("adapterProducts"));
    std::vector<ComboItem> items;
    for (const editing::AdapterChoice& c : editing::adapter_choices)
        items.push_back(combo_item(plain(c.word), told(c.title), told(c.text)));
    items.push_back(combo_item(by_name, tr("Named layers")));
    items.push_back(combo_item(plain(no_adapters), tr("None"), tr("Train all weights")));
    products_->set_items(std::move(items));
    products_->set_current(QStringLiteral("linear"));
    names_ = new QLineEdit;
    names_->setObjectName(QStringLiteral("adapterNames"));
    names_->setAccessibleName(tr("Names of layers that get adapters"));
    names_->setPlaceholderText(tr("such as q, v or h0/*"));
    rank_ = new NumberField(tr("Rank"));
    rank_->setObjectName(QStringLiteral("adapterRank"));
    rank_->set_range(1, static_cast<double>(limits::dimension));
    rank_->set_doubling(true);
    rank_->set_value(static_cast<double>(symbol_value(scenario_, rank_symbol).value_or(first_rank)));
    rank_->setToolTip(tr("Width between the two products of an adapter"));
    form_ = new Form;
    form_->add_row(tr("Beside"), products_);
    form_->add_row(tr("Layers"), names_);
    form_->add_row(tr("Rank"), rank_);
    column->addWidget(form_);
    outcome_ = make_label({}, type::control());
    outcome_->setObjectName(QStringLiteral("adapterOutcome"));
    outcome_->setWordWrap(true);
    column->addWidget(outcome_);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    apply_ = buttons->addButton(tr("Apply"), QDialogButtonBox::AcceptRole);
    apply_->setProperty("kind", QStringLiteral("primary"));
    apply_->setDefault(true);
    apply_->setObjectName(QStringLiteral("adapterApply"));
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    setMinimumWidth(440);
    connect(products_, &Combo::chosen, this, &AdaptersDialog::show_outcome);
    connect(names_, &QLineEdit::textChanged, this, &AdaptersDialog::show_outcome);
    connect(rank_, &NumberField::value_changed, this, &AdaptersDialog::show_outcome);
    show_outcome();
}

void AdaptersDialog::show_outcome() {
    const QString products = products_->current();
    form_->set_row_visible(names_, products == by_name);
    form_->set_row_visible(rank_, products != plain(no_adapters));
    changed_.reset();
    QString text;
    if (drawing_) {
        text = tr("The drawing is not a valid network yet. Correct it first.");
    } else if (products == by_name && names_->text().trimmed().isEmpty()) {
        text = tr("Type the names of layers.");
    } else {
        const QString words = products == by_name ? names_->text() : products;
        if (auto made = with_adapters(scenario_, words.toStdString(), static_cast<std::int64_t>(rank_->value()))) {
            const AdapterCount count = count_adapters(*made);
            const auto all = static_cast<double>(count.all), trained = static_cast<double>(count.parameters);
            text = count.adapters == 0 ? tr("All weights are trained.")
                                       : tr("%1 adapters with %2 parameters, %3 of all.")
                                             .arg(QString::number(count.adapters), told_large_count(trained),
                                                  told(format_percent(Fraction{trained / all})));
            for (const Problem& note : notes_on_adapters(scenario_, *made))
                text += QLatin1Char('\n') + told(to_text(note));
            changed_ = std::move(*made);
        } else {
            text = told(to_text(made.error().front()));
        }
    }
    outcome_->setText(text);
    apply_->setEnabled(changed_.has_value());
}

}  // namespace scalescope::ui
