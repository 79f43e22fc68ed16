// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/filter_popup.hpp"
#include "ui/widgets/pick_list.hpp"

class QHBoxLayout;

namespace scalescope::ui {

class SearchField;

/// The list under an open PickList.
class PickPopup final : public FilterPopup {
    Q_OBJECT
public:
    explicit PickPopup(PickList& owner);
    void show_below();
    void filter();
    void set_marks();
    void build_buttons();
    SearchField* search() const { return search_; }
    QListView* list() const { return list_; }
    QPushButton* button(const QString& id) const;

protected:
    void activate(const QModelIndex& index) override;
    void hideEvent(QHideEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    QStringList shown() const;

    PickList& owner_;
    SearchField* search_;
    QHBoxLayout* buttons_row_;
    std::vector<QPushButton*> buttons_;
};

}  // namespace scalescope::ui
