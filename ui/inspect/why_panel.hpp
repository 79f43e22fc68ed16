// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "core/estimate/explain.hpp"
#include "ui/live/live.hpp"

class QLabel;

namespace scalescope::ui {

class Breadcrumb;
class EvidenceTag;
class FormulaBlock;
class InputList;
class PartsList;
class StackBar;

/// Why a figure is what it is: the formula, its numbers with units, each a link to what explains it or to its control,
/// the source and how far to trust it.
class WhyPanel final : public QWidget {
    Q_OBJECT
public:
    explicit WhyPanel(QWidget* parent = nullptr);

    /// `about`: what is looked at from now on; nothing: what was.
    void show_result(const LiveResultPtr& result, const std::optional<Item>& about = {});
    void ask(const Item& item);
    /// The pinned design whose same figure is told beside; −1: none.
    void compare_with(int pin);
    const Item& item() const { return item_; }

signals:
    void asked(const scalescope::Item& item);  ///< a person went to another figure
    void field_asked(const QString& path);     ///< a person wants the control of a field

private:
    LiveResultPtr result_;
    Item item_;
    std::vector<Item> crumb_items_, input_items_;
    std::vector<QString> input_fields_;
    Breadcrumb* crumbs_;
    QLabel *title_, *value_, *pinned_, *source_, *notes_;
    FormulaBlock* formula_;
    InputList* inputs_;
    StackBar* bar_;
    PartsList* parts_;
    QWidget* rule_;
    EvidenceTag* evidence_;
    QLabel* evidence_text_;

    int pin_ = -1;

    void refresh();
    void show_pinned(const Explanation& now);
};

}  // namespace scalescope::ui
