// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <string>
#include <vector>

class QLabel;
class QVBoxLayout;

namespace scalescope::ui {

class Combo;
class ElidedLabel;
class Form;
class NumberField;
class RunsDocument;

/// The form that is fitted, what every column is in it, and how its constants are sought.
class FitSettings final : public QWidget {
    Q_OBJECT
public:
    explicit FitSettings(RunsDocument& document, QWidget* parent = nullptr);

private:
    struct FactorRow {
        std::string column;
        QWidget* row;
        ElidedLabel* name;
        Combo* role;
    };
    void show_state();
    void fill_factors();
    void fill_parts();

    RunsDocument& document_;
    Combo* form_;
    QLabel* origin_;
    QVBoxLayout* factor_rows_;
    QLabel* no_factors_;
    std::vector<FactorRow> factors_;
    QWidget* parts_;
    std::vector<Combo*> part_columns_;
    Form* parts_form_;
    Combo *loss_, *lambda_, *penalty_, *optimizer_;
    NumberField *seed_, *refits_;
};

}  // namespace scalescope::ui
