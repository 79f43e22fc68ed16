// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/hardware/catalogue.hpp"

class QLabel;

namespace scalescope::ui {

class Combo;
class Document;
class Form;
class MachinePanel;

/// What is given: the device, how many in how many nodes, and the links between them; all at once by the name of a
/// known cluster. Or the machines of a CPU cluster, where the method is that. Every device and link can be duplicated
/// and its figures edited live; the scenario carries them.
class ClusterPanel final : public QWidget {
    Q_OBJECT
public:
    ClusterPanel(Document& document, const Catalogue& catalogue, QWidget* parent = nullptr);

signals:
    void edit_device_asked();
    void edit_link_asked(bool inside);
    void edit_machine_asked();

private:
    Document& document_;
    const Catalogue& catalogue_;
    Combo *cluster_, *device_, *between_, *inside_;
    QLabel *device_line_, *between_line_, *inside_line_;
    Form* form_;
    MachinePanel* machines_;

    void fill();
    void fill_clusters();
    void show_scenario();
};

}  // namespace scalescope::ui
