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
/// means something (core/estimate/applies). What the table refuses is said at the number, and undone in a choice. A
/// choice that may be modules has two: the method, and the modules where that is the method.
class FieldRows final : public QObject {
    Q_OBJECT
public:
    /// Without a form, the panel places the controls itself.
    FieldRows(Document& document, QWidget* panel, Form* form = nullptr);

    struct Row {
        std::string_view path;
        QString label = {};  ///< where the table's is too long for a panel
        QString zero = {};   ///< what 0, or no value, stands for, where the field is then empty: "all"
        QString caption = {};
        /// What an edit changes beside the field.
        std::function<void(Scenario& next, const Scenario& before)> also = {};
        QString name = {};             ///< of the control, where that is not what field_controls call it
        const Field* field = nullptr;  ///< of another table, which outlives the rows
        bool doubling = false;         ///< the page keys double and halve
    };
    /// Rows of the form; shares of 100 % have a slider too. Returns the last one's caption.
    QLabel* add(const std::vector<Row>& rows);
    /// Two numbers in a row of the form.
    QLabel* add_pair(const QString& label, const Row& first, const QString& sign, const Row& second);
    void add_modules(const QString& label, std::string_view path, const char* object);
    /// A control of the panel's own, about a field.
    QLabel* add_own(const QString& label, QWidget* control, std::string_view about,
                    std::function<bool(const Scenario&)> applies = {});

    Combo* choice(const Row& row);
    NumberField* number(const Row& row);
    PercentField* percent(const Row& row);
    PickList* modules(std::string_view path, const char* object);

    /// Any control of the panel by its field.
    template <class Control>
    Control* at(std::string_view path) const {
        for (const Shown& one : shown_)
            if (one.field->path == path && !one.second)
                if (auto* control = qobject_cast<Control*>(one.control)) return control;
        return nullptr;
    }

    /// Shows the rows that have all of these words in what they are called and what the table says of them, those too
    /// that change nothing at present; without words, the usual ones.
    void find(const QStringList& words);
    /// Rows added from now on are there only when they are found; long names leave them no room for sliders.
    void add_only_found() { only_found_ = true; }
    void show_scenario();

private:
    struct Shown {
        const Field* field;
        QWidget* control;
        std::function<void(const Scenario&)> show;
        std::function<bool(const Scenario&)> applies;
        QString words = {};         ///< by which its row is found
        QLabel* caption = nullptr;  ///< of its row
        QString said = {};          ///< by the caption, before it said that the row is idle
        bool second = false;        ///< the field has another control, or this one is about more
        bool only_found = false, idle = false;
    };
    Document& document_;
    QWidget* panel_;
    Form* form_;
    std::vector<Shown> shown_;
    QStringList found_;
    bool only_found_ = false;

    const Field& named(QWidget& control, const Row& row) const;
    void keep(const Field& field, QWidget* control, std::function<void(const Scenario&)> show,
              std::function<bool(const Scenario&)> applies = {});
    QLabel* add_row(const QString& label, QWidget* control, const QString& caption = {});
    using Also = std::function<void(Scenario&, const Scenario&)>;
    Result<void> edit(const std::function<Result<void>(Scenario&)>& change, const Also& also = {});
    bool shows(const Shown& one, const Scenario& s) const;
};

/// Whether a text has each of these words, in any case.
bool has_words(const QString& text, const QStringList& words);

}  // namespace scalescope::ui
