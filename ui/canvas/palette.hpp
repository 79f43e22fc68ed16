// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/network/kind.hpp"

class QListWidget;

namespace scalescope::ui {

class SearchField;

/// What a kind is dragged as; the data is its name.
inline constexpr const char* kind_mime = "application/x-scalescope-kind";

/// All kinds of layers in groups, with a search. A click or Enter puts a layer of the kind behind what is selected; it
/// can be dragged to anywhere on the canvas.
class Palette final : public QWidget {
    Q_OBJECT
public:
    explicit Palette(QWidget* parent = nullptr);
    SearchField* search() const { return search_; }
    QListWidget* list() const { return list_; }
    /// Where a kind stands in the list, for tests.
    QRect row_box(std::string_view kind) const;

signals:
    void chosen(const scalescope::Kind* kind);

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void fill();
    void choose_row(int row);
    SearchField* search_;
    QListWidget* list_;
};

}  // namespace scalescope::ui
