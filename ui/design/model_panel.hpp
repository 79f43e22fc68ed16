// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/hardware/catalogue.hpp"

namespace scalescope::ui {

class Combo;
class Document;
class Form;
class NumberField;
class PercentField;

/// How much of the peaks is reached.
class ModelPanel final : public QWidget {
    Q_OBJECT
public:
    ModelPanel(Document& document, const Catalogue& catalogue, QWidget* parent = nullptr);

private:
    Document& document_;
    const Catalogue& catalogue_;
    Combo *method_, *preset_;
    PercentField *compute_, *memory_, *between_, *inside_;
    Form* form_;
    void show_scenario();
};

/// Further options of the cost model.
class OptionsPanel final : public QWidget {
    Q_OBJECT
public:
    explicit OptionsPanel(Document& document, QWidget* parent = nullptr);

private:
    Document& document_;
    Combo *memory_, *convolution_;
    NumberField *launch_, *overhead_, *bucket_, *nics_;
    void show_scenario();
};

/// What is trained, and how: number format, optimizer, accumulation, data set, input pipeline.
class TrainingPanel final : public QWidget {
    Q_OBJECT
public:
    explicit TrainingPanel(Document& document, QWidget* parent = nullptr);

private:
    Document& document_;
    Combo *precision_, *optimizer_;
    NumberField *accumulation_, *data_set_, *input_limit_;
    void show_scenario();
};

}  // namespace scalescope::ui
