// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/filter_popup.hpp"

namespace scalescope::ui {

/// The list under an open Combo. The keyboard stays with the combo's search line: keys that don't move or choose are
/// passed on to it.
class ComboPopup final : public FilterPopup {
    Q_OBJECT
public:
    explicit ComboPopup(Combo& combo);
    void show_below();
    /// Shows what matches; the highlight stays on its item, or goes to the first match.
    void filter(const QString& search);
    void accept();

protected:
    void activate(const QModelIndex& index) override;
    void keyPressEvent(QKeyEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void fit();
    Combo& combo_;
    /// Shows rows of the list's model too: below what scrolls, the actions, which stay in sight.
    QListView* foot_;
};

}  // namespace scalescope::ui
