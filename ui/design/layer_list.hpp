// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>

#include "ui/design/layer_model.hpp"

class QMenu;
class QTableView;

namespace scalescope::ui {

/// The layers of the networks with their times in the step, and the step as the last line. Only visible rows are drawn,
/// so a thousand layers cost what twenty do. Put it into a card with CardBody::add_wide: its selection reaches 6 px
/// beyond its text.
class LayerList final : public QWidget {
    Q_OBJECT
public:
    /// fitting: what each layer is and takes, and as many further columns as there is room for. all: every column,
    /// reached by scrolling.
    enum class Columns { fitting, all };
    explicit LayerList(Columns columns, QWidget* parent = nullptr);

    void show_rows(const LiveResultPtr& result, const std::vector<ShownRow>& rows);
    /// The pinned design that the totals are compared with; −1: none.
    void compare_with(int pin);
    /// `key`: of layer_keys.hpp; −1: none. Emits nothing.
    void set_selected(int key);
    int selected() const;
    /// Lights a row up because the pointer is on its layer in another view. Emits nothing.
    void set_hovered(int key);
    /// What the menu of a layer has besides copying and sorting.
    std::function<void(QMenu& menu, int key)> add_actions;
    QTableView* view() const { return view_; }
    LayerModel* model() const { return model_; }
    QSize sizeHint() const override;

signals:
    void selected_changed(int key);           ///< a person clicked or moved onto it with the arrows; −1: none
    void hovered(int key);                    ///< the pointer is on it; −1 when it left
    void toggled(const std::string& path);    ///< of a row: fold or unfold it
    void all_toggled(bool open);              ///< all rows shall be unfolded or folded
    void unit_changed(scalescope::TimeUnit);  ///< of the times

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    const bool all_;
    int hovered_ = -1;  ///< row
    LayerModel* model_;
    QTableView* view_;
    bool quiet_ = false;

    int head_height() const;
    void place();
    void fit_columns();
    void hover(int row);
    bool fold_by_key(int key);
    bool fold_by_hand(const QPoint& at);
    void show_menu(const QPoint& at);
    void copy() const;
};

}  // namespace scalescope::ui
