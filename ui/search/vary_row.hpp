// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/search/asked.hpp"

class QLabel;
class QLineEdit;
class QToolButton;

namespace scalescope::ui {

class Combo;
class PickList;
struct ComboItem;

/// All that can be varied in a scenario: what people mostly want first, then every field by its group.
std::vector<ComboItem> variable_items(const Scenario& scenario, const formats::Library& library);
/// What a path is called: "Workers".
QString title_of_path(const std::string& path, const Scenario& scenario);

/// One field that is varied: which, and its values as text; where they have names, a list to pick them from.
class VaryRow final : public QWidget {
    Q_OBJECT
public:
    explicit VaryRow(QWidget* parent = nullptr);

    void set_fields(std::vector<ComboItem> items);
    /// Emits nothing.
    void set_varied(const search::Varied& varied, const QString& title);
    const search::Varied& varied() const { return varied_; }
    /// What the values are, or what is wrong with them.
    void show_axis(const Result<search::Axis>& axis, const Scenario& scenario, const formats::Library& library);
    void set_ends(bool first, bool last);
    Combo* field() const { return field_; }
    QLineEdit* values() const { return values_; }
    PickList* names() const { return names_; }
    QLabel* message() const { return message_; }
    QToolButton* remove_button() const { return remove_; }
    QToolButton* up_button() const { return up_; }

signals:
    void path_chosen(const QString& path);
    void values_typed(const QString& values);
    void move_asked(int by);
    void remove_asked();

private:
    search::Varied varied_;
    std::vector<search::Nameable> nameable_;
    Combo* field_;
    QLineEdit* values_;
    PickList* names_;
    QLabel* message_;
    QToolButton *up_, *down_, *remove_;
};

}  // namespace scalescope::ui
