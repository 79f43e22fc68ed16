// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>
#include <string>
#include <vector>

#include "core/network/sketch.hpp"

class QFrame;
class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace scalescope::ui {

class AttributeEditor;
class Canvas;
class Combo;
class Form;
class KindIcon;
class NumberField;

/// What is selected on the canvas: its name, kind and attributes to edit, what is wrong with it, its shapes and cost.
/// Several layers of one kind are edited together.
class PropertyPanel final : public QWidget {
    Q_OBJECT
public:
    explicit PropertyPanel(Canvas& canvas, QWidget* parent = nullptr);
    void show_selection();

signals:
    void why_asked();

private:
    void build_form(const Kind& kind);
    void show_block();
    void show_fixes(const std::vector<const Fault*>& faults);
    void show_problem(const std::vector<int>& layers);
    void add_way_to(const Fault& fault);
    void show_figures(const std::vector<int>& layers);
    Canvas& canvas_;
    QTimer soon_;
    QVBoxLayout* fixes_;  ///< a button for the way to it, and for each way to mend it
    KindIcon* icon_;
    QLabel *heading_, *hint_, *problem_text_;
    QLineEdit* name_;
    Combo* kind_;
    QWidget* editing_;
    QVBoxLayout* form_place_;
    Form* form_ = nullptr;
    QFrame* problem_;
    QLabel* figures_;
    QPushButton *why_, *delete_;
    QWidget* block_;  ///< name and repetition of a block
    QLineEdit* block_name_;
    NumberField* repeat_;
    QPushButton* duplicate_;
    std::string block_path_;
    std::vector<AttributeEditor*> editors_;
    std::vector<LayerId> layers_;
    const Kind* shown_kind_ = nullptr;
};

}  // namespace scalescope::ui
