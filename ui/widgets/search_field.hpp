// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

namespace scalescope::ui {

/// A line edit with a magnifier.
class SearchField final : public QLineEdit {
    Q_OBJECT
public:
    explicit SearchField(const QString& placeholder, QWidget* parent = nullptr);
    QSize sizeHint() const override;

signals:
    void escaped();        ///< Escape in an empty field
    void moved(int rows);  ///< Up, Down, Page Up, Page Down: for a list of hits below

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
};

}  // namespace scalescope::ui
