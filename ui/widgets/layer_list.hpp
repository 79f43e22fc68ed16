// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QListView>
#include <QWidget>
#include <functional>
#include <vector>

namespace scalescope::ui {

/// One layer as the Network panel lists it.
struct LayerRow {
    enum class Fold { none, closed, open };
    QString id;            ///< what signals carry
    QString name;          ///< "conv2"
    QString shape;         ///< output: "26×26×192"
    double value = 0;      ///< what the bar shows; the longest bar is the largest value
    double share = 0;      ///< of the whole, said in the tip and by screen readers: 0.115
    QString note;          ///< said before it: "frozen", "Assumed: no biases."
    bool unknown = false;  ///< amber: its figures are a guess
    int depth = 0;         ///< rows that it is in
    Fold fold = Fold::none;

    bool operator==(const LayerRow&) const = default;
};

/// The rows; made for being set anew at every frame of a drag, with nothing but a repaint if only values differ.
class LayerModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { name_column, shape_column, bar_column, value_column, column_count };
    using QAbstractTableModel::QAbstractTableModel;
    void set_rows(std::vector<LayerRow> rows);
    const LayerRow& row(int index) const { return rows_[static_cast<std::size_t>(index)]; }
    int find(const QString& id) const;
    double largest() const { return largest_; }
    bool folds() const { return folds_; }  ///< whether there is a row that folds
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    QString value_title;
    /// Numbers are written when they are shown: of a thousand layers twenty are seen.
    std::function<QString(double)> value_text, share_text;
    QString note(const LayerRow& row) const;
    bool struck = false;  ///< values are of a design that cannot run

private:
    std::vector<LayerRow> rows_;
    double largest_ = 0;
    bool folds_ = false;
};

/// The Network panel's list: name, output shape, a small bar, the time; a heading and a total. Only visible rows are
/// drawn, so a thousand layers cost what twenty do. Put it into a card with CardBody::add_wide: its selection reaches 6
/// px beyond its text.
class LayerList final : public QWidget {
    Q_OBJECT
public:
    explicit LayerList(QWidget* parent = nullptr);
    void set_titles(const QString& name, const QString& shape, const QString& value);
    /// How values and shares are written: "27.52", "11.5 % of the step". Without one, shares are not said.
    void set_formats(std::function<QString(double)> value, std::function<QString(double)> share);
    void set_rows(std::vector<LayerRow> rows);
    /// Values and total are those of a design that cannot run.
    void set_struck(bool struck);
    /// The last line: "Step" "238.91".
    void set_total(const QString& label, const QString& value);
    /// Emits nothing; empty selects none.
    void set_selected(const QString& id);
    QString selected() const;
    /// Lights a row up because the pointer is on the same layer in another view; emits nothing.
    void set_hovered(const QString& id);
    QListView* view() const { return view_; }
    LayerModel* model() const { return model_; }
    QSize sizeHint() const override;

signals:
    void hovered(const QString& id);           ///< the pointer is on it; empty when it left
    void selected_changed(const QString& id);  ///< a person clicked or moved onto it with the arrows; empty: none
    void activated(const QString& id);         ///< double click or Enter
    void toggled(const QString& id);           ///< the row shall be folded or unfolded

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void place();
    bool fold_by_key(int key);
    bool fold_by_hand(const QPoint& at);
    LayerModel* model_;
    QListView* view_;
    QString titles_[3], total_label_, total_value_, hovered_;
    bool quiet_ = false;
};

}  // namespace scalescope::ui
