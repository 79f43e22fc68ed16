// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <vector>

#include "core/search/fixes.hpp"
#include "ui/live/live.hpp"

class QHBoxLayout;
class QLabel;

namespace scalescope::ui {

class ElidedLabel;

/// Stands where the open design does not fit into memory: by how much, what takes the room, and a few designs near it
/// that fit, each one click away. Hidden where the design fits.
class VerdictCard final : public QFrame {
    Q_OBJECT
public:
    explicit VerdictCard(QWidget* parent = nullptr);

    void show_result(const LiveResult& result);
    /// Designs that fit; those of another result than the one on show are forgotten by show_result().
    void set_fixes(const std::vector<search::Fix>& fixes);

signals:
    void fix_chosen(const scalescope::Scenario& scenario);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QWidget* box_of(const search::Fix& fix, bool best);

    ElidedLabel *headline_, *parts_;
    QLabel *times_, *waiting_;
    QHBoxLayout* boxes_;
    std::shared_ptr<const Scenario> scenario_;
    std::vector<search::Fix> shown_;
    bool current_ = false;  ///< they are of the design on show
};

}  // namespace scalescope::ui
