// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace scalescope::ui {

class Combo;
class Form;
class NumberField;
class RunsDocument;

/// Which column of the table says what, which runs are kept, and which are held out.
class ColumnMapper final : public QWidget {
    Q_OBJECT
public:
    explicit ColumnMapper(RunsDocument& document, QWidget* parent = nullptr);

private:
    /// "device = Tesla K80  ✕"
    struct FilterRow {
        QWidget* row;
        Combo *column, *relation;
        QLineEdit* value;
    };
    void show_state();
    void fill_columns();
    void add_filter();
    void take_filters();
    void settle_filters();

    RunsDocument& document_;
    Combo *time_, *unit_, *workers_, *batch_, *each_, *samples_, *split_;
    NumberField *every_, *above_;
    QLabel* summary_;
    QVBoxLayout* filter_rows_;
    std::vector<FilterRow> filters_;
    QPushButton* add_filter_;
    std::vector<std::string> known_columns_;
    bool quiet_ = false;
};

}  // namespace scalescope::ui
