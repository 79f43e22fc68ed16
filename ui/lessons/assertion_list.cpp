// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/assertion_list.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/format.hpp"
#include "ui/language/told.hpp"
#include "ui/lessons/condition_row.hpp"
#include "ui/lessons/pinned_list.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"

namespace scalescope::ui {
namespace {

constexpr int name_width = 92;

}  // namespace

/// A figure with its name and how a text shows it, or a statement; below it what it is about, and whether it is so.
class AssertionList::Row final : public QWidget {
public:
    Row(int at, bool figure) : figure_(figure) {
        auto* column = make_layout<QVBoxLayout>(this, 2);
        auto* line = new QHBoxLayout;
        name = new QLineEdit;
        name->setObjectName(QStringLiteral("assertionName%1").arg(at));
        name->setAccessibleName(AssertionList::tr("Name of the figure in texts"));
        name->setPlaceholderText(AssertionList::tr("name"));
        name->setToolTip(AssertionList::tr("Texts show the figure where this name stands in braces: {name}"));
        name->setFixedWidth(name_width);
        name->setVisible(figure);
        is = new ConditionRow;
        is->setObjectName(QStringLiteral("assertion%1").arg(at));
        is->set_figure_only(figure);
        remove = make_icon_button("close", AssertionList::tr("Remove this assertion"));
        line->addWidget(name);
        line->addWidget(is, 1);
        line->addWidget(remove);
        auto* below = new QHBoxLayout;
        about = make_label({}, type::table(), Ink::secondary);
        about->setWordWrap(true);
        state = make_label({}, type::table(), Ink::secondary);
        state->setObjectName(QStringLiteral("assertionState%1").arg(at));
        with = new QPushButton(AssertionList::tr("About the open scenario"));
        with->setObjectName(QStringLiteral("assertionWith%1").arg(at));
        with->setProperty("kind", QStringLiteral("small"));
        below->addWidget(state);
        below->addWidget(about, 1);
        below->addWidget(with);
        column->addLayout(line);
        column->addLayout(below);
    }
    bool is_figure() const { return figure_; }
    QLineEdit* name;
    ConditionRow* is;
    QAbstractButton* remove;
    QLabel *about, *state;
    QPushButton* with;

private:
    bool figure_;
};

AssertionList::AssertionList(QWidget* parent) : QWidget(parent) {
    auto* column = make_layout<QVBoxLayout>(this, 8);
    rows_ = make_layout<QVBoxLayout>(nullptr, 8);
    column->addLayout(rows_);
    auto* buttons = new QHBoxLayout;
    const auto add = [&](const QString& title, const char* object, const char* says) {
        auto* button = new QPushButton(title);
        button->setObjectName(QLatin1String(object));
        buttons->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, says] {
            change({}, [&] {
                lessons::Assertion a;
                a.is = *says ? "step" : "step < 100";
                a.says = says;
                for (int n = 1; *says && a.name.empty(); ++n) {
                    const std::string name = "f" + std::to_string(n);
                    if (std::none_of(all_.begin(), all_.end(), [&](const auto& other) { return other.name == name; }))
                        a.name = name;
                }
                all_.push_back(std::move(a));
            });
            fill();
        });
    };
    add(tr("Add a figure"), "addFigure", "0 ms");
    add(tr("Add a statement"), "addStatement", "");
    buttons->addStretch(1);
    column->addLayout(buttons);
}

void AssertionList::set_names(const std::vector<lessons::Name>& names) {
    names_ = names;
    showing_ = true;
    for (Row* row : row_of_) row->is->set_names(names_);
    showing_ = false;
}

void AssertionList::show_assertions(const std::vector<lessons::Assertion>& all) {
    if (all == all_ && row_of_.size() == all_.size()) return;
    all_ = all;
    fill();
}

void AssertionList::change(const QString& part, const std::function<void()>& how) {
    if (showing_) return;
    how();
    emit edited(part);
}

void AssertionList::set_with(int at, lessons::Changes changes) {
    if (at < 0 || static_cast<std::size_t>(at) >= all_.size()) return;
    change({}, [&] { all_[static_cast<std::size_t>(at)].with = std::move(changes); });
    fill();
}

/// Rows stay while they are of the same kind: the cursor stays where somebody types.
void AssertionList::fill() {
    showing_ = true;
    std::size_t same = 0;
    while (same < row_of_.size() && same < all_.size() && row_of_[same]->is_figure() == !all_[same].says.empty())
        ++same;
    while (row_of_.size() > same) {
        rows_->removeWidget(row_of_.back());
        row_of_.back()->hide();
        row_of_.back()->deleteLater();
        row_of_.pop_back();
    }
    for (std::size_t at = same; at < all_.size(); ++at) {
        auto* row = new Row(static_cast<int>(at), !all_[at].says.empty());
        row->is->set_names(names_);
        rows_->addWidget(row);
        row_of_.push_back(row);
        connect(row->name, &QLineEdit::textEdited, this, [this, at](const QString& t) {
            change(QStringLiteral("assertion-name%1").arg(at), [&] { all_[at].name = t.trimmed().toStdString(); });
        });
        connect(row->is, &ConditionRow::edited, this, [this, at, row] {
            change(QStringLiteral("assertion%1").arg(at), [&] {
                all_[at].is = row->is->condition().toStdString();
                if (row->is_figure()) all_[at].says = row->is->value()->text().trimmed().toStdString();
                if (row->is_figure() && all_[at].says.empty()) all_[at].says = "?";  // it stays a figure
            });
        });
        connect(row->with, &QPushButton::clicked, this, [this, at] { emit with_asked(static_cast<int>(at)); });
        connect(row->remove, &QAbstractButton::clicked, this, [this, at] {
            change({}, [&] { all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(at)); });
            fill();
        });
    }
    for (std::size_t at = 0; at < all_.size(); ++at) {
        Row& row = *row_of_[at];
        const lessons::Assertion& a = all_[at];
        if (row.name->text() != plain(a.name)) row.name->setText(plain(a.name));
        row.is->set_condition(plain(a.is));
        if (row.is_figure() && row.is->value()->text().trimmed() != plain(a.says) && a.says != "?")
            row.is->value()->setText(plain(a.says));
        row.about->setText(a.beginning.is_given() ? tr("Of a scenario of its own")
                           : a.with.empty()       ? QString()
                                                  : tr("With %1").arg(told_changes(a.with)));
        row.state->clear();
    }
    showing_ = false;
}

void AssertionList::show_checked(const std::vector<lessons::CheckedAssertion>& checked) {
    for (std::size_t at = 0; at < row_of_.size(); ++at) {
        Row& row = *row_of_[at];
        const bool known = at < checked.size() && checked[at].is == all_[at].is && checked[at].says == all_[at].says;
        if (!known) {
            row.state->clear();
            continue;
        }
        const QString value = told(format_number(checked[at].value, 4));
        row.state->setText(checked[at].right ? tr("✓ It is so.")
                           : row.is_figure() ? tr("⚠ It is %1.").arg(value)
                                             : tr("⚠ It is not so."));
        set_ink(*row.state, checked[at].right ? Ink::secondary : Ink::error);
    }
}

}  // namespace scalescope::ui
