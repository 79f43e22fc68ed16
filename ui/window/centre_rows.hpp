// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>
#include <QStackedWidget>
#include <vector>

namespace scalescope::ui {

class FoldBar;

/// Rows above each other, of which some fold where all of them do not fit, the lowest first, so that what stays is
/// never cut; with the room they come back. A bar between the rows names what is folded and brings it back at the
/// expense of another row. Rows with something that shall stay in sight fold later, the one that a person asked for
/// last. How low it may be: the rows that stay, or one of the others, and the bar.
class CentreRows final : public QSplitter {
    Q_OBJECT
public:
    struct Row {
        QWidget* widget;
        bool wanted = true;  ///< shown if there is room
        bool folds = false;
    };

    explicit CentreRows(QWidget* parent = nullptr);

    /// The bar stands below the rows that were added so far.
    void add_fold_bar();
    /// All rows, from top to bottom, each a widget that was added.
    void set_rows(std::vector<Row> rows);

    /// Charts, or other widgets inside rows, that shall stay in sight while others can make room for them; from the
    /// next set_rows() on.
    void set_in_sight(std::vector<QWidget*> widgets);
    /// Shows the row that is, or holds, this widget, and folds others for it.
    void unfold(const QWidget* widget);

    QSize minimumSizeHint() const override;

signals:
    /// A row was asked for that has no room beside the rows that do not fold.
    void out_of_room();
    /// A row that was folded is back.
    void unfolded();

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    int least_height(const std::vector<bool>& shown) const;
    int worth(const QWidget* row) const;
    void fit();

    FoldBar* bar_;
    std::vector<Row> rows_;
    std::vector<QWidget*> in_sight_;
    const QWidget* asked_for_ = nullptr;  ///< a row
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
