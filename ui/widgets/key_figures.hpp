// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QTableView>
#include <vector>

namespace scalescope::ui {

/// Whether a difference to the pinned scenario is good.
enum class Change { none, same, better, worse, neutral };

/// One line of the Numbers panel.
struct KeyFigure {
    QString id;           ///< what signals carry
    QString name, unit;   ///< "Step", "ms"
    QString now, pinned;  ///< "238.9", "290.3"; "–" if there is none
    QString difference;   ///< "−17.7 %", "−8.5 pp", "="
    Change change = Change::none;
    bool strong = false;                 ///< the main figure
    bool group_above = false;            ///< a line between it and the one before
    QString note;                        ///< tip: what it is, or why there is none
    bool warned = false;                 ///< the note says what is wrong with it
    bool struck = false;                 ///< of a design that cannot run
    bool pinned_struck = false;          ///< the pinned design cannot
    QString short_name{}, short_unit{};  ///< where there is no room: "Comm.", "/s"; empty: the same

    bool operator==(const KeyFigure&) const = default;
};

class KeyFigureModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { name_column, now_column, pinned_column, difference_column, column_count };
    using QAbstractTableModel::QAbstractTableModel;
    void set_rows(const std::vector<KeyFigure>& rows);
    const KeyFigure& row(int index) const { return rows_[static_cast<std::size_t>(index)]; }
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    QString pin_name;

private:
    std::vector<KeyFigure> rows_;
};

/// The Numbers table: name and unit, now, the pinned scenario, the difference with a ✓ where it is better. A real table
/// for screen readers; as tall as its rows, it never scrolls. Better and worse differ by the mark too, not by colour
/// alone.
class KeyFigures final : public QTableView {
    Q_OBJECT
public:
    explicit KeyFigures(QWidget* parent = nullptr);
    void set_rows(const std::vector<KeyFigure>& rows);
    /// "A"; empty hides the two columns of the comparison.
    void set_pin(const QString& name);
    const KeyFigureModel& figures() const { return *model_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// A person wants to know where this number comes from.
    void figure_activated(const QString& id);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void fit_columns();
    bool fit_heights();
    KeyFigureModel* model_ = nullptr;
};

}  // namespace scalescope::ui
