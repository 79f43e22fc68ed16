// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>
#include <optional>
#include <vector>

#include "core/lessons/lesson.hpp"

class QCheckBox;
class QPushButton;
class QVBoxLayout;

namespace scalescope::ui {

/// The designs that a step of a lesson pins when it begins: none of its own, so that those there are stay, or a list,
/// each with its name and with what makes it another than the step's.
class PinnedList final : public QWidget {
    Q_OBJECT
public:
    explicit PinnedList(QWidget* parent = nullptr);
    /// Emits nothing.
    void show_pins(const std::optional<std::vector<lessons::PinnedDesign>>& pins);
    const std::optional<std::vector<lessons::PinnedDesign>>& pins() const { return pins_; }

signals:
    /// A person changed them; `part` names the field in which they type.
    void edited(const QString& part);
    /// The open scenario is to be one more of them.
    void open_one_asked();

private:
    void fill();
    void change(const QString& part, const std::function<void(std::vector<lessons::PinnedDesign>&)>& how);

    std::optional<std::vector<lessons::PinnedDesign>> pins_;
    QCheckBox* own_;
    QVBoxLayout* rows_;
    QPushButton* add_;
    bool showing_ = false;
};

/// "cluster.workers = 8, …"
QString told_changes(const lessons::Changes& changes);

}  // namespace scalescope::ui
