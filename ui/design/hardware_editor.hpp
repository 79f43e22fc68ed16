// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QFormLayout;
class QLineEdit;

namespace scalescope::ui {

class Document;
class NumberField;

/// Edits the figures of the scenario's device while the charts follow. What it edits is the scenario's own copy: the
/// preset it came from stays as it is.
class DeviceEditor final : public QDialog {
    Q_OBJECT
public:
    explicit DeviceEditor(Document& document, QWidget* parent = nullptr);

private:
    Document& document_;
    QLineEdit* name_;
    std::vector<NumberField*> peaks_;
    NumberField *bandwidth_, *memory_, *price_;
    void show_scenario();
};

/// The same for one of the scenario's two links.
class LinkEditor final : public QDialog {
    Q_OBJECT
public:
    LinkEditor(Document& document, bool inside, QWidget* parent = nullptr);

private:
    Document& document_;
    bool inside_;
    QLineEdit* name_;
    NumberField *bandwidth_, *latency_;
    void show_scenario();
};

}  // namespace scalescope::ui
