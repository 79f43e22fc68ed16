// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QPushButton;

namespace scalescope::ui {

class Form;

/// A form below a heading that folds it. The heading is hidden while no row is visible.
class Section final : public QWidget {
    Q_OBJECT
public:
    Section(const QString& title, bool open, QWidget* parent = nullptr);
    Form* form() const { return form_; }
    QPushButton* heading() const { return heading_; }
    bool is_open() const;
    void set_open(bool open);
    /// Unfolds the section during a search, without changing is_open().
    void set_searched(bool on);
    bool has_rows() const;
    /// Lets Tab go from the heading through the rows from top to bottom.
    void order_tabs();

signals:
    void rows_changed();

private:
    QPushButton* heading_;
    Form* form_;
    bool searched_ = false;
    void show_parts();
};

}  // namespace scalescope::ui
