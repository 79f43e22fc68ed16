// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/formats/library.hpp"

class QLabel;

namespace scalescope::ui {

class Combo;
class Document;
class FieldRows;
class Form;

/// How much of the peaks is reached: by figures of one's own, by those of a preset, or as measurements say.
class ModelPanel final : public QWidget {
    Q_OBJECT
public:
    ModelPanel(Document& document, const formats::Library& library, QWidget* parent = nullptr);
    /// The library has more calibrations, or others.
    void fill_choices();

signals:
    void calibrate_asked();         ///< on runs of one's own
    void open_calibration_asked();  ///< from a file

private:
    Document& document_;
    const formats::Library& library_;
    Combo *preset_, *trainer_;
    FieldRows* rows_;
    QLabel* method_line_;
    Form* form_;
    void choose(const QString& id);
    void show_scenario();
};

/// Further options of the cost model, or of a CPU cluster.
class OptionsPanel final : public QWidget {
    Q_OBJECT
public:
    explicit OptionsPanel(Document& document, QWidget* parent = nullptr);

private:
    Document& document_;
    Form *form_, *machines_;
    FieldRows* cpu_;
    void show_scenario();
};

/// What is trained, and how: number format, optimizer, accumulation, data set, input pipeline.
class TrainingPanel final : public QWidget {
    Q_OBJECT
public:
    explicit TrainingPanel(Document& document, QWidget* parent = nullptr);

private:
    Document& document_;
    Form* form_;
    FieldRows* rows_;
    Combo* reshard_;
    void show_scenario();
};

}  // namespace scalescope::ui
