// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QApplication>
#include <QMessageBox>
#include <QTimer>

namespace window_test {

/// Presses a button of every question that comes up while this stands, and counts the questions.
class Questions {
public:
    explicit Questions(QMessageBox::StandardButton button) {
        QObject::connect(&timer_, &QTimer::timeout, &timer_, [this, button] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (!box) return;
            ++asked_;
            text_ = box->text();
            (box->button(button) ? box->button(button) : box->buttons().front())->click();
        });
        timer_.start(0);
    }
    int asked() const { return asked_; }
    /// Of the last one.
    const QString& text() const { return text_; }

private:
    QTimer timer_;
    int asked_ = 0;
    QString text_;
};

}  // namespace window_test
