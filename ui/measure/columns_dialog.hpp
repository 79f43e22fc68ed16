// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <optional>
#include <vector>

#include "core/formats/csv.hpp"
#include "core/measure/validate/published.hpp"

class QLabel;
class QLineEdit;
class QPushButton;

namespace scalescope::ui {

class Combo;

/// What each column of a table of results was taken for. A person can correct it, and give what the table lacks for
/// all its rows; says at once how many results can be read so.
class ColumnsDialog final : public QDialog {
    Q_OBJECT
public:
    /// `corrections`: those kept so far.
    ColumnsDialog(formats::CsvTable table, const std::vector<measure::GivenColumn>& corrections, QWidget* parent);

    /// What differs from what the program takes the columns for.
    std::vector<measure::GivenColumn> corrections() const;
    /// The rows with these; nothing if none can be read.
    const std::optional<std::vector<measure::PublishedRow>>& rows() const { return rows_; }

private:
    struct Column {
        std::string header, taken;
        Combo* means;
    };
    struct Lacking {
        std::string name;
        QLineEdit* text;
    };
    void show_outcome();

    const formats::CsvTable table_;
    std::vector<Column> columns_;
    std::vector<Lacking> lacking_;
    std::vector<measure::GivenColumn> others_;  ///< corrections of other names, which stay
    std::optional<std::vector<measure::PublishedRow>> rows_;
    QLabel* outcome_;
    QPushButton* apply_ = nullptr;
};

}  // namespace scalescope::ui
