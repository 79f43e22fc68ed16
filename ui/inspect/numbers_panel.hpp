// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/live/live.hpp"

namespace scalescope::ui {

class ElidedLabel;
class EvidenceTag;
class KeyFigures;

/// The key figures of the scenario, and what they rest on; activating one asks where it comes from.
class NumbersPanel final : public QWidget {
    Q_OBJECT
public:
    explicit NumbersPanel(QWidget* parent = nullptr);
    void show_result(const LiveResult& result);
    KeyFigures* figures() const { return figures_; }

signals:
    /// "step", "speedup", …
    void why_asked(const QString& figure);

private:
    KeyFigures* figures_;
    EvidenceTag* evidence_;
    ElidedLabel* evidence_text_;
    void show_evidence(const LiveResult& result);
};

}  // namespace scalescope::ui
