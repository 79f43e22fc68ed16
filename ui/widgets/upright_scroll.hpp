// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

namespace scalescope::ui {

/// Scrolls up and down under an overlay bar, `bar_inset` px from the edge, and never becomes narrower than what is in
/// it: nothing is cut at the sides, whatever the language and the size of controls.
class UprightScroll final : public QScrollArea {
public:
    explicit UprightScroll(QWidget* content, int bar_inset = 2);
    /// Asks for the whole height of its content, rather than for what scroll areas ask for.
    void ask_for_all() { asks_for_all_ = true; }
    /// Never becomes lower than its content may be: what it holds scrolls by itself.
    void keep_all() { keeps_all_ = true; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    bool asks_for_all_ = false, keeps_all_ = false;
    QSize asked_, least_;  ///< what the layout around it was told
};

}  // namespace scalescope::ui
