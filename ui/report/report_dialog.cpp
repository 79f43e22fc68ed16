// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_dialog.hpp"
#include "ui/help/help_guide.hpp"

#include <QDialogButtonBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/language/told.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/form.hpp"
#include "ui/widgets/segmented_control.hpp"

namespace scalescope::ui {
ReportDialog::ReportDialog(const Pins& designs, search::Metric metric, QWidget* parent) : QDialog(parent) {
    set_help(*this, QStringLiteral("window-report"));
    setObjectName(QStringLiteral("reportDialog"));
    setWindowTitle(tr("Report"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(12);

    QStringList names;
    const std::vector<std::string> called = report::names_of(designs);
    for (std::size_t i = 0; i < called.size(); ++i)
        names << tr("%1: %2").arg(QString(QLatin1Char(letter_of_pin(i))), plain(called[i]));
    auto* about = make_label(
        designs.size() > 1
            ? tr("A report that compares %1 with %2.").arg(names.mid(1).join(QStringLiteral("; ")), names.front())
            : tr("A report on the open design. Pin other designs first to compare them."),
        type::control(), Ink::secondary);
    about->setWordWrap(true);
    column->addWidget(about);

    title_ = new QLineEdit;
    title_->setObjectName(QStringLiteral("reportTitle"));
    title_->setAccessibleName(tr("Title of the report"));
    title_->setPlaceholderText(tr("the names of the designs"));
    title_->setMaxLength(200);
    question_ = new QPlainTextEdit;
    question_->setObjectName(QStringLiteral("reportQuestion"));
    question_->setAccessibleName(tr("Question that the report answers"));
    question_->setPlaceholderText(tr("What is to be decided? (optional)"));
    question_->setTabChangesFocus(true);
    question_->setFixedHeight(64);
    metric_ = new Combo(tr("Figure whose difference is explained"));
    metric_->setObjectName(QStringLiteral("reportFigure"));
    std::vector<ComboItem> items;
    for (std::size_t m = 0; m < search::metric_count; ++m) {
        if (static_cast<search::Metric>(m) == search::Metric::time) continue;
        const auto& info = search::all_metrics()[m];
        items.push_back(combo_item(plain(info.name), told(info.label), told(info.text)));
    }
    metric_->set_items(std::move(items));
    metric_->set_current(plain(search::info_of(metric).name));
    metric_->setEnabled(designs.size() > 1);
    format_ = new SegmentedControl(tr("Kind of file"));
    format_->setObjectName(QStringLiteral("reportFormat"));
    format_->set_segments({{QStringLiteral("pdf"), tr("PDF"), tr("A4 pages, to print or send")},
                           {QStringLiteral("html"), tr("HTML"), tr("One self-contained page for a browser")}});
    format_->set_current(QStringLiteral("pdf"));
    auto* form = new Form;
    form->add_row(tr("Title"), title_);
    form->add_row(tr("Question"), question_);
    form->add_row(tr("Shares of"), metric_);
    form->add_row(tr("Format"), format_);
    column->addWidget(form);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    auto* save = buttons->addButton(tr("Save…"), QDialogButtonBox::AcceptRole);
    save->setProperty("kind", QStringLiteral("primary"));
    save->setDefault(true);
    save->setObjectName(QStringLiteral("reportSave"));
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    setMinimumWidth(440);
}

report::Asked ReportDialog::asked() const {
    report::Asked asked;
    asked.title = title_->text().trimmed().toStdString();
    asked.question = question_->toPlainText().trimmed().left(2000).toStdString();
    asked.metric = search::metric_named(metric_->current().toStdString()).value_or(search::Metric::step);
    return asked;
}

QString ReportDialog::suffix() const { return format_->current(); }

}  // namespace scalescope::ui
