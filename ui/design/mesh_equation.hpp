// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "core/scenario/mesh_degrees.hpp"

class QLabel;
class QLayout;
class QPushButton;
class QToolButton;

namespace scalescope::ui {

class NumberField;

/// The mesh as an equation, "512 = 16 data × 4 pipeline × 8 tensor", with a field and a lock for each axis. A mesh that
/// has only one axis is plain text with a link to divide it further. If the numbers do not divide, a line below says so
/// and offers the nearest ones that do.
class MeshEquation final : public QWidget {
    Q_OBJECT
public:
    /// `before` comes first, in the same row if there is room.
    explicit MeshEquation(QWidget* before, QWidget* parent = nullptr);

    /// Without `meshes`, only the other controls are shown. `context`: the context degree is shown even if it is 1.
    void show_scenario(const Scenario& scenario, bool meshes, bool context);
    /// If brief, a mesh of one axis is not shown, because the way already names it.
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
        bool shown_locked = false;
    };
    /// A mesh near the present one that divides.
    struct Remedy {
        QPushButton* button;
        std::function<Scenario()> made;
    };
    Factor make_factor(MeshAxis axis, const QString& name);
    void show_factors();
    void show_misfit();
    void add_remedy();

    Scenario scenario_;
    std::optional<Scenario> before_typing_;
    LockedAxes locks_;
    bool meshes_ = true, brief_ = false, context_ = false, expanded_ = false;
    QLabel *total_, *single_, *misfit_;
    QToolButton* further_;
    std::array<Factor, 4> factors_{};
    std::vector<Remedy> remedies_;  ///< as many as were ever offered at once
    QLayout* flow_;
    QWidget* misfit_row_;
};

}  // namespace scalescope::ui
