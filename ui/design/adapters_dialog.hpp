// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <optional>

#include "core/scenario/scenario.hpp"

class QLabel;
class QLineEdit;
class QPushButton;

namespace scalescope::ui {

class Combo;
class Form;
class NumberField;

/// Which products get low-rank adapters, and of which rank; says at once what would be trained.
class AdaptersDialog final : public QDialog {
    Q_OBJECT
public:
    /// `scenario` as it would be changed; with a `drawing` that is not a valid network yet, nothing can be.
    AdaptersDialog(Scenario scenario, bool drawing, QWidget* parent);

    /// With the adapters that were chosen; nothing if there is a problem.
    const std::optional<Scenario>& changed() const { return changed_; }

private:
    const Scenario scenario_;
    const bool drawing_;
    std::optional<Scenario> changed_;
    Combo* products_;
    QLineEdit* names_;
    NumberField* rank_;
    Form* form_;
    QLabel* outcome_;
    QPushButton* apply_ = nullptr;

    void show_outcome();
};

}  // namespace scalescope::ui
