// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "core/report/report.hpp"

class QLineEdit;
class QPlainTextEdit;

namespace scalescope::ui {

class Combo;
class SegmentedControl;

/// What a report is to say beside its numbers: heading, question, the figure whose difference is shared out, the kind
/// of file.
class ReportDialog final : public QDialog {
    Q_OBJECT
public:
    /// `designs` are those it will be about, in their order.
    ReportDialog(const Pins& designs, search::Metric metric, QWidget* parent);

    /// Without version and date.
    report::Asked asked() const;
    /// "pdf" or "html".
    QString suffix() const;

private:
    QLineEdit* title_;
    QPlainTextEdit* question_;
    Combo* metric_;
    SegmentedControl* format_;
};

}  // namespace scalescope::ui
