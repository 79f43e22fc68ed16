// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace scalescope::ui {

/// "Reading vit-large.json  ▬▬▬──  [Cancel]": long work that goes on beside everything else, in the height of the
/// status line. Escape cancels while it is on show.
class ProgressRow final : public QWidget {
    Q_OBJECT
public:
    explicit ProgressRow(QWidget* parent = nullptr);

    /// Shows that `what` has begun and nothing is known of it yet.
    void start(const QString& what);
    /// `fraction` of it is done; `now`, if it says something, is what is being done.
    void set_progress(double fraction, const QString& now);

signals:
    void cancelled();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void show_text(const QString& text);
    QString what_;
    QLabel* label_;
    QProgressBar* bar_;
};

}  // namespace scalescope::ui
