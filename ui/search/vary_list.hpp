// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

class QVBoxLayout;

namespace scalescope::ui {

class SearchDocument;
class VaryRow;

/// What is varied: a row for each field with its values as a person writes them. Below each what is wrong with it, or
/// how many values it has.
class VaryList final : public QWidget {
    Q_OBJECT
public:
    explicit VaryList(SearchDocument& document, QWidget* parent = nullptr);
    int rows() const { return static_cast<int>(rows_.size()); }
    VaryRow* row(int index) const { return rows_[static_cast<std::size_t>(index)]; }

private:
    void show_state();
    void rebuild();
    void add();
    void change_path(VaryRow* row, const QString& path);
    void change_values(VaryRow* row, const QString& values);
    void move(VaryRow* row, int by);
    void remove(VaryRow* row);
    std::size_t place_of(const VaryRow* row) const;

    SearchDocument& document_;
    QVBoxLayout* column_;
    std::vector<VaryRow*> rows_;
};

}  // namespace scalescope::ui
