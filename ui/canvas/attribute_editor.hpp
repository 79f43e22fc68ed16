// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <cstdint>
#include <vector>

#include "core/network/kind.hpp"

class QCheckBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QToolButton;

namespace scalescope::ui {

class Combo;
class NumberField;

/// The control of one row of a kind's attribute table: number fields with its range, a choice of its words, a tick, a
/// text, a shape, a list of sizes that can grow and shrink. What is no value says why and changes nothing.
class AttributeEditor final : public QWidget {
    Q_OBJECT
public:
    AttributeEditor(const AttributeInfo& info, QWidget* parent = nullptr);
    const AttributeInfo& info() const { return info_; }
    /// For how many axes there are sizes, which then cannot grow and shrink by hand; 0: any number.
    void set_axes(std::size_t axes);
    /// Emits nothing, and leaves alone what is being typed.
    void show_value(const AttributeValue& value);
    /// What is wrong with what is typed; empty: nothing.
    QString error() const;

signals:
    void changed(const scalescope::AttributeValue& value);

private:
    using Sizes = std::vector<std::int64_t>;
    void build_sizes();
    void build_padding();
    void build_choice();
    void build_text();
    void place_message();
    NumberField* add_number(const QString& name);
    void show_sizes();
    void show_padding(const Padding& padding);
    void take_sizes(std::size_t which);
    void take_padding();
    void take_text();
    void grow();
    void shrink();
    void take(AttributeValue value);
    const AttributeInfo& info_;
    AttributeValue value_;
    std::size_t axes_ = 0;
    Sizes sizes_;  ///< on show: of a value that serves any number of axes, one for each
    QGridLayout* grid_;
    std::vector<NumberField*> numbers_;
    std::vector<QWidget*> signs_;
    QToolButton *more_ = nullptr, *less_ = nullptr;
    QLabel *none_ = nullptr, *unit_ = nullptr, *message_ = nullptr;
    Combo* choice_ = nullptr;
    QCheckBox* tick_ = nullptr;
    QLineEdit* text_ = nullptr;
};

}  // namespace scalescope::ui
