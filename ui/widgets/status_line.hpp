// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/widgets/key_figures.hpp"

namespace scalescope::ui {

/// The bar at the foot of the window, 26 px: what the program did at the left, what is shown at the right, joined by
/// middle dots. It gives way from the middle when the window is narrow.
class StatusLine final : public QWidget {
    Q_OBJECT
public:
    enum class State { normal, warning, error };
    /// A key figure for the compact window: "Step 238.9 ms −17.7 % ✓".
    struct Figure {
        QString label, value, difference;
        Change change = Change::none;
        bool struck = false;  ///< of a design that cannot run
        bool operator==(const Figure&) const = default;
    };

    explicit StatusLine(QWidget* parent = nullptr);
    /// "Ready", "recomputed in 0.3 ms", "drawn in 2.4 ms". An error or a warning has its icon and colour.
    void set_messages(const QStringList& messages, State state = State::normal);
    void set_figures(const std::vector<Figure>& figures);
    const std::vector<Figure>& figures() const { return figures_; }
    /// "AlexNet", "data parallel", "32 workers".
    void set_context(const QStringList& context);
    /// What the last painting had room for: in a narrow line the context gives way to the first message, and then the
    /// messages after it.
    const QStringList& shown() const { return shown_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// A click on an error or a warning: show the problems.
    void message_clicked();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    void describe();
    double figures_width() const;
    QStringList messages_, context_, shown_;
    std::vector<Figure> figures_;
    State state_ = State::normal;
    double message_end_ = 0;
};

}  // namespace scalescope::ui
