// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/paleo_page.hpp"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <algorithm>

#include "ui/charts/waterfall_chart.hpp"
#include "ui/inspect/beside.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/scrolled_pane.hpp"
#include "ui/widgets/segmented_control.hpp"

namespace scalescope::ui {
namespace {

const QString public_code = QStringLiteral("head"), paper = QStringLiteral("paper");

}  // namespace

PaleoPage::PaleoPage(QWidget* parent) : QWidget(parent) {
    auto* row = make_layout<QHBoxLayout>(this, space::gap);

    auto* card = new Card(tr("Corrections"));
    auto switch_button = [&](const QString& label, const QString& tip, bool on) {
        auto* button = new QPushButton(label);
        button->setProperty("kind", QStringLiteral("link"));
        button->setFont(type::table());
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        button->setCursor(Qt::PointingHandCursor);
        card->title_row()->add_widget(button);
        connect(button, &QPushButton::clicked, this, [this, on] { switch_all(on); });
    };
    switch_button(tr("All"), tr("Switch all corrections on"), true);
    switch_button(tr("None"), tr("Switch all corrections off"), false);
    card->body()->set_spacing(6);

    era_ = new SegmentedControl(tr("State of PALEO"));
    era_->setObjectName(QStringLiteral("paleoEra"));
    era_->set_segments({{public_code, tr("Public code, 2018"), tr("The last public state of PALEO's code")},
                        {paper, tr("Paper, 2016"),
                         tr("PALEO's first public code, which gave the numbers of the ICLR 2017 paper and of the "
                            "authors' demonstration")}});
    era_->set_current(public_code);
    auto* era_row = new QHBoxLayout;
    era_row->addWidget(era_);
    era_row->addStretch(1);
    card->body()->add(era_row);

    auto* column = add_scrolled_pane(*card->body());
    column->setSpacing(2);
    for (const paleo::Correction& correction : paleo::corrections()) {
        auto* box = new QCheckBox(told(correction.name));
        box->setObjectName(told(correction.id));
        box->setFont(type::table());
        box->setChecked(true);
        // Rich text, so that the sentence wraps.
        box->setToolTip(QStringLiteral("<p>%1</p>").arg(told(correction.sentence).toHtmlEscaped()));
        box->setAccessibleDescription(told(correction.sentence));
        column->addWidget(box);
        boxes_.push_back(box);
        connect(box, &QCheckBox::toggled, this, &PaleoPage::change);
    }
    note_ = make_label({}, type::caption(), Ink::secondary);
    note_->setWordWrap(true);
    note_->hide();
    card->body()->add(note_);

    chart_ = new WaterfallChart;
    chart_->setObjectName(QStringLiteral("paleoChart"));
    row->addWidget(card);
    new Beside(*row, *card, 330);
    row->addWidget(chart_, 1);
    connect(era_, &SegmentedControl::chosen, this, &PaleoPage::change);
}

void PaleoPage::set_question(const PaleoQuestion& question) {
    question_ = question;
    era_->set_current(question.era == paleo::Era::paper ? paper : public_code);
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
        const QSignalBlocker quiet(boxes_[i]);
        boxes_[i]->setChecked(question.corrections.*paleo::corrections()[i].flag);
    }
}

void PaleoPage::change() {
    PaleoQuestion question;
    question.era = era_->current() == paper ? paleo::Era::paper : paleo::Era::head;
    for (std::size_t i = 0; i < boxes_.size(); ++i)
        question.corrections.*paleo::corrections()[i].flag = boxes_[i]->isChecked();
    if (question == question_) return;
    question_ = question;
    emit question_changed();
}

void PaleoPage::switch_all(bool on) {
    PaleoQuestion question = question_;
    question.corrections = on ? paleo::all_corrections() : paleo::Corrections{};
    if (question == question_) return;
    set_question(question);
    emit question_changed();
}

void PaleoPage::add_to_request(LiveRequest& next) const {
    const ModelOptions& model = next.scenario.model;
    next.paleo = is_paleo(model.method) ? paleo_question(model) : question_;
}

void PaleoPage::show_result(const LiveResultPtr& result) {
    const LiveResult& r = *result;
    if (!r.paleo || r.request.paleo != question_) return;
    const bool pipeline = r.estimate && r.request.scenario.model.method == Method::pipeline;
    show_path(*r.paleo, pipeline ? std::optional(r.estimate->summary.step) : std::nullopt);
}

void PaleoPage::show_path(const Result<PaleoPath>& path, std::optional<Seconds> step) {
    WaterfallData shown;
    QStringList notes;
    std::vector<bool> idle(boxes_.size(), false);
    if (path) {
        const auto all = paleo::corrections();
        shown.start_name = question_.era == paleo::Era::paper ? tr("PALEO, paper of 2017") : tr("PALEO, public code");
        shown.start = path->published.value;
        shown.end = path->reached.value;
        for (const PaleoStep& one : path->steps) {
            if (one.change.value == 0) {
                idle[static_cast<std::size_t>(one.correction - all.data())] = true;
                continue;
            }
            shown.steps.push_back({told(one.correction->name), one.change.value, told(one.correction->sentence), {}});
        }
        const bool whole = path->steps.size() == boxes_.size();
        shown.end_name = whole ? tr("Corrected")
                         : path->steps.empty()
                             ? tr("Nothing corrected")
                             : tr("With %1 of %2 corrections").arg(path->steps.size()).arg(boxes_.size());
        QStringList left_out;
        for (const std::string& what : path->left_out) left_out << told(what);
        const QString lacking = left_out.join(QStringLiteral(", "));
        if (!lacking.isEmpty()) notes << tr("PALEO has no word for %1.").arg(lacking);
        if (const auto beyond = step ? path->beyond(*step) : std::nullopt) {
            shown.steps.push_back({tr("What PALEO has no word for"),
                                   beyond->value,
                                   lacking.isEmpty() ? tr("PALEO counts other weights for some layers, such as a bias "
                                                          "for every output.")
                                                     : tr("Here: %1.").arg(lacking),
                                   {}});
            shown.end = step->value;
            shown.end_name = tr("Step in the other charts");
        }
    } else {
        const Problem& p = path.error().front();
        shown.empty_reason = told(p.remedy.empty() ? p.what : p.what + " " + p.remedy);
    }
    for (std::size_t i = 0; i < boxes_.size(); ++i) set_ink(*boxes_[i], idle[i] ? Ink::secondary : Ink::text);
    if (std::find(idle.begin(), idle.end(), true) != idle.end()) notes << tr("Grey ones change nothing here.");
    note_->setText(notes.join(QLatin1Char(' ')));
    note_->setVisible(!notes.isEmpty());
    chart_->set_data(std::move(shown));
}

NamedCharts PaleoPage::charts() const { return {{QStringLiteral("from-paleo"), chart_}}; }

}  // namespace scalescope::ui
