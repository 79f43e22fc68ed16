// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>
#include <QStackedWidget>
#include <vector>

namespace scalescope::ui {

/// Rows above each other, of which some make room where all of them do not fit, the lowest first, so that what stays is
/// never cut; with the room they come back. Rows with something that shall stay in sight go last. The rows that stay
/// say alone how low it may be: no page, and no banner above, makes a window grow.
class CentreRows final : public QSplitter {
    Q_OBJECT
public:
    struct Row {
        QWidget* widget;
        bool wanted = true;  ///< shown if there is room
        bool makes_room = false;
    };

    explicit CentreRows(QWidget* parent = nullptr);

    /// All rows, from top to bottom, each a widget that was added.
    void set_rows(std::vector<Row> rows);

    /// Charts, or other widgets inside rows, that shall stay in sight while others can make room for them; from the
    /// next set_rows() on.
    void set_in_sight(std::vector<QWidget*> widgets) { in_sight_ = std::move(widgets); }
    bool holds_what_stays(const QWidget* row) const;

    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    int least_height(const std::vector<bool>& shown) const;
    void fit();

    std::vector<Row> rows_;
    std::vector<QWidget*> in_sight_;
};

/// What stands in the centre: as low as it may be with the width that the smallest window gives it, where Qt would ask
/// for the height that controls need when they are all below each other. While docks come and go it is narrower for a
/// moment, and a window that has grown for that does not shrink again.
class CentreColumn final : public QWidget {
    Q_OBJECT
public:
    static constexpr int usual_width = 680;  ///< of 1024

    using QWidget::QWidget;
    QSize minimumSizeHint() const override;
};

/// Pages in one place, which is as low as the page on show lets it be.
class Pages final : public QStackedWidget {
    Q_OBJECT
public:
    explicit Pages(QWidget* parent = nullptr);
    QSize minimumSizeHint() const override;
};

}  // namespace scalescope::ui
