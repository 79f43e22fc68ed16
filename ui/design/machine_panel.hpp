// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/hardware/catalogue.hpp"

class QLabel;

namespace scalescope::ui {

class Combo;
class Document;
class Form;

/// What is given of a CPU cluster: the machine that every worker and server is, and how many of them hold one replica.
class MachinePanel final : public QWidget {
    Q_OBJECT
public:
    MachinePanel(Document& document, const Catalogue& catalogue, QWidget* parent = nullptr);

signals:
    void edit_machine_asked();

private:
    Document& document_;
    const Catalogue& catalogue_;
    Form* form_;
    Combo* machine_;
    QLabel *machine_line_, *replica_line_;

    void fill();
    void show_scenario();
};

}  // namespace scalescope::ui
