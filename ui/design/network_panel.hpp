// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/formats/library.hpp"

class QLabel;
class QMenu;

namespace scalescope::ui {

class Combo;
class Document;
class LayerList;

/// Which network, and its layers with their time in the step. A layer's context menu freezes or trains it.
class NetworkPanel final : public QWidget {
    Q_OBJECT
public:
    NetworkPanel(Document& document, const formats::Library& library, QWidget* parent = nullptr);

    LayerList* layers() const { return layers_; }
    /// What can be done to a layer.
    void add_layer_actions(QMenu& menu, int key);

signals:
    void open_asked();
    void gallery_asked();
    void problems_found(const scalescope::Problems& problems, const QString& name);

private:
    Document& document_;
    const formats::Library& library_;
    Combo* network_;
    QLabel* facts_;
    LayerList* layers_;

    void show_scenario();
    void choose(const QString& id);
};

}  // namespace scalescope::ui
