// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "core/network/kind.hpp"

class QCheckBox;
class QLineEdit;

namespace scalescope::ui {

class Combo;
class NumberField;

/// The control of one row of a kind's attribute table: number fields with its range, a choice of its words, a tick, a
/// text, a shape.
class AttributeEditor final : public QWidget {
    Q_OBJECT
public:
    AttributeEditor(const AttributeInfo& info, QWidget* parent = nullptr);
    const AttributeInfo& info() const { return info_; }
    /// Emits nothing, and leaves alone what is being typed.
    void show_value(const AttributeValue& value);

signals:
    void changed(const scalescope::AttributeValue& value);

private:
    void add_numbers(int count, const QString& sign);
    void show_numbers(std::size_t count);
    void take_sizes(std::size_t which);
    void take_padding();
    const AttributeInfo& info_;
    AttributeValue value_;
    std::vector<NumberField*> numbers_;
    std::vector<QWidget*> signs_;
    Combo* choice_ = nullptr;
    QCheckBox* tick_ = nullptr;
    QLineEdit* text_ = nullptr;
};

}  // namespace scalescope::ui
