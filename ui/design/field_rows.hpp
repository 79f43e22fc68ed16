// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>
#include <vector>

#include "core/scenario/fields.hpp"

class QLabel;

namespace scalescope::ui {

class Combo;
class Document;
class Form;
class NumberField;
class PercentField;
class PickList;

/// Controls of the scenario's fields. What a control is called, its range, unit, words and help are those of the field
/// table; it edits its field through the document, shows what the scenario has, and its row is there while the field
/// means something (core/estimate/applies). Of recomputed and offloaded activations there are two: the method, and the
/// modules where that is the method.
class FieldRows final : public QObject {
    Q_OBJECT
public:
    /// Without a form, the panel places the controls itself.
    FieldRows(Document& document, QWidget* panel, Form* form = nullptr);

    struct Row {
        std::string_view path;
        QString label = {};  ///< where the table's is too long for a panel
        QString zero = {};   ///< what 0 stands for, where the field is then empty: "all"
        QString caption = {};
        /// What a choice does beside setting the field.
        std::function<void(Scenario&, const QString& id)> choose = {};
    };
    /// Rows of the form; shares of 100 % have a slider too. Returns the last one's caption.
    QLabel* add(const std::vector<Row>& rows);
    /// Two numbers in a row of the form.
    QLabel* add_pair(const QString& label, std::string_view first, const QString& sign, std::string_view second);
    void add_modules(const QString& label, std::string_view path, const char* object);

    Combo* choice(const Row& row);
    NumberField* number(const Row& row);
    PercentField* percent(const Row& row);
    PickList* modules(std::string_view path, const char* object);

    /// Any control of the panel by its field.
    template <class Control>
    Control* at(std::string_view path) const {
        for (const Shown& one : shown_)
            if (one.field->path == path)
                if (auto* control = qobject_cast<Control*>(one.control)) return control;
        return nullptr;
    }
    void show_scenario();

private:
    struct Shown {
        const Field* field;
        QWidget* control;
        std::function<void(const Scenario&)> show;
    };
    Document& document_;
    QWidget* panel_;
    Form* form_;
    std::vector<Shown> shown_;

    const Field& named(QWidget& control, std::string_view path) const;
    void keep(const Field& field, QWidget* control, std::function<void(const Scenario&)> show);
    void edit(const std::function<bool(Scenario&)>& change);
};

}  // namespace scalescope::ui
