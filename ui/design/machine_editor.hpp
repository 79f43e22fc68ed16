// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <vector>

class QLineEdit;

namespace scalescope {
struct Field;
}

namespace scalescope::ui {

class Document;
class NumberField;

/// Edits the figures of the scenario's CPU machine while the charts follow: every field of the table that is one of
/// them. The preset it came from stays as it is.
class MachineEditor final : public QDialog {
    Q_OBJECT
public:
    explicit MachineEditor(Document& document, QWidget* parent = nullptr);

private:
    struct Row {
        const Field* field;
        NumberField* control;
    };
    Document& document_;
    QLineEdit* name_;
    std::vector<Row> rows_;
    void change(const Field& field, const QString& value);
    void show_scenario();
};

}  // namespace scalescope::ui
