// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFocusFrame>
#include <QPointer>

class QApplication;

namespace scalescope::ui {

/// The ring round the button that has the keyboard: 2 px accent, outside the button, and only once the keyboard is in
/// use (a click must not leave a ring behind). One for the program; fields and own widgets draw their focus themselves.
class FocusRing final : public QObject {
public:
    explicit FocusRing(QApplication& app);

private:
    void follow(QWidget* widget);
    QPointer<QFocusFrame> frame_;
};

}  // namespace scalescope::ui
