// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace scalescope::ui {

class Combo;
class Document;
class Form;
class NumberField;
class PercentField;

/// Further options of a CPU cluster: how layers lie on machines, and what machines and servers do meanwhile.
class CpuOptions final : public QWidget {
    Q_OBJECT
public:
    explicit CpuOptions(Document& document, QWidget* parent = nullptr);
    void show_scenario();

private:
    Document& document_;
    Form* form_;
    NumberField *threads_, *buffers_;
    Combo *splits_, *convolutions_, *placement_, *local_update_, *wait_, *queueing_, *formulas_;
    PercentField* overlap_;
};

}  // namespace scalescope::ui
