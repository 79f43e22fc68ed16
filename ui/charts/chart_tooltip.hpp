// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFrame>
#include <QString>
#include <vector>

namespace scalescope::ui {

/// What a chart says about the thing under the pointer.
struct TooltipText {
    struct Row {
        enum class Mark { none, box, hatch, hollow };
        QString label, value;
        Mark mark = Mark::none;
        QColor colour{};
        bool operator==(const Row&) const = default;
    };
    QString title, value;   ///< first line, left and right
    QString subtitle;       ///< second line
    std::vector<Row> rows;  ///< in stack order, top first
    QString note;           ///< last lines, wrapped: a reason, a remedy
    bool operator==(const TooltipText&) const = default;
    /// All of it as one line, for screen readers and tests.
    QString plain() const;
};

/// A box in inverse colours beside the pointer: 12 px away, on the other side at the window's edge, never under the
/// hand. It is a child of the window, so it may leave the chart, and it takes no mouse events.
class ChartTooltip final : public QFrame {
    Q_OBJECT
public:
    explicit ChartTooltip(QWidget* chart);

    /// `at` is the pointer in the chart's coordinates.
    void show_text(const TooltipText& text, QPoint at);
    const TooltipText& text() const { return text_; }

protected:
    void paintEvent(QPaintEvent*) override;

private:
    int subtitle_height(int width) const;
    QSize fitting_size() const;

    QWidget* chart_;
    TooltipText text_;
};

}  // namespace scalescope::ui
