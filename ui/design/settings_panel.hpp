// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "core/formats/library.hpp"

class QLabel;

namespace scalescope::ui {

class Combo;
class Document;
class FieldRows;
class PickList;
class SearchField;
class Section;

/// Distance between the panel and the edge of its card.
inline constexpr int settings_margin = 2;

/// Settings of a scenario in foldable sections: those that no other panel has, and in search results all others of the
/// field table. Networks, devices and links have editors of their own.
class SettingsPanel final : public QWidget {
    Q_OBJECT
public:
    /// `library` must outlive the panel.
    SettingsPanel(Document& document, const formats::Library& library, QWidget* parent = nullptr);
    /// To be called after the library's calibrations have changed.
    void fill_choices();
    /// Focuses the row of a field, if necessary by searching for it; an empty path focuses the search. False if the
    /// field has no row.
    bool show_field(const QString& path);
    /// Unfolds the section of a control, and clears a search that hides it.
    void bring_to_sight(const QWidget& control);
    QSize sizeHint() const override;

signals:
    void calibrate_asked();         ///< the user wants to calibrate on measured runs
    void open_calibration_asked();  ///< from a file

private:
    struct Part {
        std::string_view prefix;  ///< fields with this prefix and no row of their own appear here when found
        Section* section;
        FieldRows* rows;
    };
    Document& document_;
    const formats::Library& library_;
    SearchField* search_;
    QLabel *nothing_, *method_line_ = nullptr;
    QWidget* list_;
    std::vector<Part> parts_;
    Combo *preset_ = nullptr, *trainer_ = nullptr, *reshard_ = nullptr;
    PickList* corrections_ = nullptr;
    bool complete_ = false;

    FieldRows& add_part(const QString& title, std::string_view prefix = {}, bool open = false);
    void add_model();
    void add_training();
    void add_saving();
    void add_rest();
    void complete();
    void find(const QString& typed);
    QWidget* row_of(std::string_view path) const;
    void choose(const QString& id);
    void show_scenario();
};

}  // namespace scalescope::ui
