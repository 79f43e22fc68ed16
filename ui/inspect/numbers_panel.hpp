// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "core/base/time_scale.hpp"
#include "ui/live/live.hpp"

namespace scalescope::ui {

class ElidedLabel;
class EvidenceTag;
class KeyFigures;
class PinRow;

/// The key figures of the scenario, what they rest on, and how they differ from those of a pinned design; activating
/// one asks where it comes from.
class NumbersPanel final : public QWidget {
    Q_OBJECT
public:
    explicit NumbersPanel(QWidget* parent = nullptr);
    void show_result(const LiveResultPtr& result);
    KeyFigures* figures() const { return figures_; }
    /// The pinned design that is compared with; −1 without pins.
    int compared() const { return compared_; }
    void compare_with(int pin);

signals:
    /// "step", "speedup", …
    void why_asked(const QString& figure);
    void compared_changed(int pin);
    void swap_asked(int pin);
    void unpin_asked(int pin);
    void rename_asked(int pin);
    void move_asked(int from, int to);

private:
    KeyFigures* figures_;
    EvidenceTag* evidence_;
    ElidedLabel* evidence_text_;
    QWidget* verdict_;  ///< of a design that cannot run
    ElidedLabel* verdict_text_;
    std::vector<PinRow*> pins_;
    LiveResultPtr result_;
    int compared_ = -1;
    TimeScale times_;  ///< of what is shown
    void show_evidence(const LiveResult& result);
    void show_pins();
    void show_figures();
};

}  // namespace scalescope::ui
