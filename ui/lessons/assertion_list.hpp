// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>
#include <vector>

#include "core/lessons/check.hpp"
#include "core/lessons/names.hpp"

class QVBoxLayout;

namespace scalescope::ui {

/// What a step says about numbers: figures that its texts show as {name}, and statements that must hold. Each is worked
/// out, and says whether it is so.
class AssertionList final : public QWidget {
    Q_OBJECT
public:
    explicit AssertionList(QWidget* parent = nullptr);
    void set_names(const std::vector<lessons::Name>& names);
    /// Emits nothing.
    void show_assertions(const std::vector<lessons::Assertion>& all);
    /// What became of them, in their order; empty: not known yet.
    void show_checked(const std::vector<lessons::CheckedAssertion>& checked);
    const std::vector<lessons::Assertion>& assertions() const { return all_; }
    /// The assertion is about the step's scenario with these changes.
    void set_with(int at, lessons::Changes changes);

signals:
    /// A person changed them; `part` names the field in which they type.
    void edited(const QString& part);
    /// About the open scenario is what assertion `at` is to be.
    void with_asked(int at);

private:
    class Row;
    void fill();
    void change(const QString& part, const std::function<void()>& how);

    std::vector<lessons::Assertion> all_;
    std::vector<lessons::Name> names_;
    std::vector<Row*> row_of_;
    QVBoxLayout* rows_;
    bool showing_ = false;
};

}  // namespace scalescope::ui
