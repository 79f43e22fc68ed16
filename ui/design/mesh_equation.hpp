// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>
#include <optional>

#include "core/scenario/mesh_degrees.hpp"

class QHBoxLayout;
class QLabel;
class QLayout;
class QPushButton;
class QToolButton;

namespace scalescope::ui {

class NumberField;

/// "512 = 16 data × 4 pipeline × 8 tensor": a field and a lock for each axis. A mesh of one axis is told in words until
/// somebody asks to divide further. What does not divide is said below, with the nearest that does as buttons.
class MeshEquation final : public QWidget {
    Q_OBJECT
public:
    /// `before` stands in front of it, in the same row as long as there is room.
    explicit MeshEquation(QWidget* before, QWidget* parent = nullptr);

    /// `meshes`: there is a mesh, else nothing but what stands in front of it; `context`: the network reads sequences.
    void show_scenario(const Scenario& scenario, bool meshes, bool context);
    /// A mesh of one axis is not told: the way says it.
    void set_brief(bool brief);
    /// A control behind it, in the same rows.
    void add(QWidget* control);
    const LockedAxes& locks() const { return locks_; }
    void set_locks(const LockedAxes& locks);
    NumberField* field(MeshAxis axis) const;
    QToolButton* lock(MeshAxis axis) const;

signals:
    /// Degrees, and maybe the number of workers, that a person chose.
    void changed(const scalescope::Scenario& scenario);
    void locks_changed();

private:
    struct Factor {
        MeshAxis axis;
        QWidget* box;
        QLabel* name;
        QToolButton* lock;
        NumberField* field;
    };
    Factor make_factor(MeshAxis axis, const QString& name);
    void show_factors();
    void show_misfit();
    double follower(MeshAxis axis, double value, int direction) const;

    Scenario scenario_;
    std::optional<Scenario> before_typing_;
    LockedAxes locks_;
    bool meshes_ = true, brief_ = false, context_ = false, expanded_ = false;
    QLabel *total_, *single_, *misfit_;
    QToolButton* further_;
    std::array<Factor, 4> factors_{};
    QHBoxLayout* remedies_;
    QLayout* flow_;
    QWidget* misfit_row_;
};

}  // namespace scalescope::ui
