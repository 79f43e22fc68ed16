// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/base/time_scale.hpp"
#include "core/formats/library.hpp"
#include "ui/live/shown_rows.hpp"

class QLabel;

namespace scalescope::ui {

class Combo;
class Document;
class LayerList;

/// Which network, and its layers with their time in the step. A layer's context menu freezes or trains it.
class NetworkPanel final : public QWidget {
    Q_OBJECT
public:
    NetworkPanel(Document& document, const formats::Library& library, QWidget* parent = nullptr);

    void show_result(const LiveResult& result, const std::vector<ShownRow>& rows);
    /// `key`: of layer_keys.hpp; -1: none. Emits no signal.
    void set_selected(int key);
    void set_hovered(int key);

signals:
    void selected(int key);
    void hovered(int key);
    void toggled(const std::string& path);  ///< of a row: fold or unfold it
    void open_asked();
    void problems_found(const scalescope::Problems& problems, const QString& name);

private:
    Document& document_;
    const formats::Library& library_;
    Combo* network_;
    QLabel* facts_;
    LayerList* layers_;
    TimeScale times_;  ///< of the list
    /// A row of the list.
    struct Listed {
        QString id;
        std::string path;
        int key;                ///< of the layer that stands for it
        std::vector<int> keys;  ///< of all its layers, ascending
    };
    std::vector<Listed> listed_;

    void show_scenario();
    const Listed* listed(const QString& id) const;
    QString row_of(int key) const;
    QString time_text(double seconds) const;
    void choose(const QString& id);
    void context_menu(const QPoint& at);
};

}  // namespace scalescope::ui
