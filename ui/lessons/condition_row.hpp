// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/lessons/names.hpp"

class QLabel;
class QLineEdit;

namespace scalescope::ui {

class Combo;

/// When a task is done: a figure or field, a comparison, a value. What is more than one comparison, as a file may have
/// it, is shown as it is written.
class ConditionRow final : public QWidget {
    Q_OBJECT
public:
    explicit ConditionRow(QWidget* parent = nullptr);
    void set_names(std::vector<lessons::Name> names);
    /// Emits nothing.
    void set_condition(const QString& condition);
    QString condition() const;
    /// No comparison: the figure, or an expression, and as its value how a text shows it.
    void set_figure_only(bool on);
    Combo* name() const { return name_; }
    Combo* comparison() const { return comparison_; }
    QLineEdit* value() const { return value_; }

signals:
    /// A person changed it.
    void edited();

private:
    std::vector<lessons::Name> names_;
    Combo *name_, *comparison_, *word_;
    QLineEdit *value_, *whole_;
    QLabel* unit_;
    bool figure_only_ = false;

    const lessons::Name* current() const;
    void show_kind();
};

}  // namespace scalescope::ui
