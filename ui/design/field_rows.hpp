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

/// Controls for fields of the scenario. Label, range, unit, words and help of a control come from the field table. A
/// control edits its field through the document and shows the scenario's value; its row is visible while the field has
/// an effect (core/estimate/applies). A value that the table rejects is reported at a number field, and reverted in a
/// choice. A choice that may also be modules has two controls: the choice, and a list of modules that is visible if
/// modules are chosen.
class FieldRows final : public QObject {
    Q_OBJECT
public:
    /// Without a form, the panel places the controls itself.
    FieldRows(Document& document, QWidget* panel, Form* form = nullptr);

    struct Row {
        std::string_view path;
        QString label = {};  ///< replaces the table's, if that is too long for a panel
        QString zero = {};   ///< shown instead of 0 or no value: "all"
        QString caption = {};
        /// Further changes that an edit of the field makes.
        std::function<void(Scenario& next, const Scenario& before)> also = {};
        QString name = {};             ///< object name, if not the one in field_controls
        const Field* field = nullptr;  ///< if of another table, which must outlive the rows
        bool doubling = false;         ///< Page Up and Page Down double and halve
    };
    /// Rows of the form; shares of 100 % have a slider too. Returns the last one's caption.
    QLabel* add(const std::vector<Row>& rows);
    /// Two numbers in a row of the form.
    QLabel* add_pair(const QString& label, const Row& first, const QString& sign, const Row& second);
    void add_modules(const QString& label, std::string_view path, const char* object);
    /// Adds a control that the panel made itself; `about` is its field.
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

    /// Shows the rows whose name, path, explanation and choices together contain all words, even if they have no effect
    /// now. Without words, shows the usual rows.
    void find(const QStringList& words);
    /// Rows added from now on are visible only in search results. They have no sliders, as their labels are long.
    void add_only_found() { only_found_ = true; }
    void show_scenario();

private:
    struct Shown {
        const Field* field;
        QWidget* control;
        std::function<void(const Scenario&)> show;
        std::function<bool(const Scenario&)> applies;
        QString words = {};         ///< text that find() searches
        QLabel* caption = nullptr;  ///< of its row
        QString said = {};          ///< caption before it was replaced because the row is idle
        bool second = false;        ///< not the field's main control: at() skips it
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

/// Whether a text contains every word, ignoring case.
bool has_words(const QString& text, const QStringList& words);

}  // namespace scalescope::ui
