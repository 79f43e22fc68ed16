// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/search/where_list.hpp"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/scenario/fields.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/language/told.hpp"
#include "ui/search/problem_sentence.hpp"
#include "ui/search/search_document.hpp"
#include "ui/search/word_completer.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"

namespace scalescope::ui {
namespace {

struct Usual {
    const char *title, *text, *number;
};
constexpr Usual usual_constraints[] = {
    {QT_TRANSLATE_NOOP("scalescope::ui::WhereList", "Devices, at most"), "devices <= 64", "64"},
    {QT_TRANSLATE_NOOP("scalescope::ui::WhereList", "Budget per hour"), "cost_per_hour <= 100 USD/h", "100"},
    {QT_TRANSLATE_NOOP("scalescope::ui::WhereList", "Budget in all"), "cost <= 1000 USD", "1000"},
    {QT_TRANSLATE_NOOP("scalescope::ui::WhereList", "Deadline"), "time <= 24 h", "24"},
    {QT_TRANSLATE_NOOP("scalescope::ui::WhereList", "The batch divides by the workers"),
     "training.batch % cluster.workers == 0", ""},
    {QT_TRANSLATE_NOOP("scalescope::ui::WhereList", "Samples in a step, at most"), "batch <= 8192", "8192"},
    {QT_TRANSLATE_NOOP("scalescope::ui::WhereList", "Efficiency, at least"), "efficiency >= 50 %", "50"},
    {QT_TRANSLATE_NOOP("scalescope::ui::WhereList", "Power, at most"), "power <= 10 kW", "10"}};

std::vector<WordCompleter::Word> known_words() {
    std::vector<WordCompleter::Word> words;
    for (const search::MetricInfo& m : search::all_metrics()) words.push_back({told(m.name), told(m.text)});
    for (const Field& f : all_fields())
        if (f.type == FieldType::integer || f.type == FieldType::number) words.push_back({told(f.path), told(f.text)});
    return words;
}

}  // namespace

WhereList::WhereList(SearchDocument& document, QWidget* parent)
    : QWidget(parent), document_(document), column_(new QVBoxLayout(this)) {
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(8);
    fits_ = new QCheckBox(tr("It fits in the device's memory"));
    fits_->setObjectName(QStringLiteral("mustFit"));
    fits_->setToolTip(tr("Devices of unknown memory size are assumed to fit everything"));
    column_->addWidget(fits_);
    more_ = new QPushButton(tr("Add a condition"));
    more_->setObjectName(QStringLiteral("whereAdd"));
    more_->setIcon(icon("plus"));
    auto* menu = new QMenu(more_);
    menu->setObjectName(QStringLiteral("whereMenu"));
    for (const Usual& u : usual_constraints)
        menu->addAction(tr(u.title), this, [this, u] { add(QString::fromUtf8(u.text), QString::fromUtf8(u.number)); });
    menu->addSeparator();
    menu->addAction(tr("Write your own"), this, [this] { add({}, {}); });
    more_->setMenu(menu);
    column_->addWidget(more_, 0, Qt::AlignLeft);
    connect(fits_, &QCheckBox::toggled, this, [this](bool on) {
        search::Asked asked = document_.asked();
        asked.must_fit = on;
        document_.set_asked(std::move(asked));
    });
    connect(&document_, &SearchDocument::asked_changed, this, &WhereList::show_state);
    show_state();
}

void WhereList::build_row() {
    Row row{};
    row.box = new QWidget;
    auto* column = new QVBoxLayout(row.box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    auto* head = make_layout<QHBoxLayout>(nullptr, 2);
    row.line = new QLineEdit;
    row.line->setObjectName(QStringLiteral("whereLine"));
    row.line->setAccessibleName(tr("Condition"));
    row.line->setPlaceholderText(tr("step <= 250 ms"));
    auto* remove = make_icon_button("close", tr("Remove this condition"));
    head->addWidget(row.line, 1);
    head->addSpacing(4);
    head->addWidget(remove);
    column->addLayout(head);
    row.message = make_label({}, type::caption(), Ink::error);
    row.message->setObjectName(QStringLiteral("whereMessage"));
    row.message->setWordWrap(true);
    column->addWidget(row.message);
    row.words = new WordCompleter(*row.line);
    row.words->set_words(known_words());
    column_->insertWidget(1 + static_cast<int>(rows_.size()), row.box);
    row.box->show();  // at once, so that it can have the keyboard
    QLineEdit* line = row.line;
    connect(line, &QLineEdit::textEdited, this, [this, line](const QString& t) { change(line, t); });
    connect(row.words, &WordCompleter::completed, this, [this, line](const QString& t) { change(line, t); });
    connect(remove, &QToolButton::clicked, this, [this, line] { this->remove(line); });
    rows_.push_back(row);
}

void WhereList::show_state() {
    const auto& where = document_.asked().where;
    while (rows_.size() > where.size()) {
        column_->removeWidget(rows_.back().box);
        rows_.back().box->hide();
        rows_.back().box->deleteLater();
        rows_.pop_back();
    }
    while (rows_.size() < where.size()) build_row();
    const QSignalBlocker quiet(fits_);
    fits_->setChecked(document_.asked().must_fit);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const Row& row = rows_[i];
        if (row.line->text() != text_of(where[i])) {
            row.line->setText(text_of(where[i]));
            row.line->setCursorPosition(0);
        }
        const bool empty = where[i].find_first_not_of(' ') == std::string::npos;
        const auto read = search::read_constraint(where[i]);
        const bool wrong = !empty && !read;
        row.line->setProperty("error", wrong);
        row.line->update();
        row.message->setVisible(wrong);
        if (wrong) row.message->setText(sentence_of(read.error().front()));
    }
}

void WhereList::add(const QString& written, const QString& select) {
    search::Asked asked = document_.asked();
    asked.where.push_back(written.toStdString());
    document_.set_asked(std::move(asked));
    QLineEdit* line = rows_.back().line;
    line->setFocus();
    const auto from = static_cast<int>(written.lastIndexOf(select));
    if (!select.isEmpty() && from >= 0) line->setSelection(from, static_cast<int>(select.size()));
}

void WhereList::change(const QLineEdit* line, const QString& written) {
    search::Asked asked = document_.asked();
    for (std::size_t i = 0; i < rows_.size(); ++i)
        if (rows_[i].line == line) asked.where[i] = written.toStdString();
    document_.set_asked(std::move(asked));
}

void WhereList::remove(const QLineEdit* line) {
    search::Asked asked = document_.asked();
    for (std::size_t i = 0; i < rows_.size(); ++i)
        if (rows_[i].line == line) {
            asked.where.erase(asked.where.begin() + static_cast<std::ptrdiff_t>(i));
            break;
        }
    document_.set_asked(std::move(asked));
}

}  // namespace scalescope::ui
