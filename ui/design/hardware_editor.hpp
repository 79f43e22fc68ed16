// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <string_view>

class QLineEdit;

namespace scalescope {
struct Field;
}

namespace scalescope::ui {

class Document;

/// Edits the figures of the scenario's device, of one of its links or of its CPU machine while the charts follow: every
/// field of the table that is one of them. What it edits is the scenario's own copy: the preset it came from stays as
/// it is.
class HardwareEditor final : public QDialog {
    Q_OBJECT
public:
    /// `path` is "cluster.device", "cluster.inside", "cluster.between" or "cluster.machine"; so is the object's name.
    HardwareEditor(Document& document, std::string_view path, QWidget* parent = nullptr);

private:
    Document& document_;
    const Field& hardware_;
    QLineEdit* name_;
    void show_name();
};

}  // namespace scalescope::ui
