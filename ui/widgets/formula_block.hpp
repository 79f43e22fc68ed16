// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/widgets/rich_text.hpp"

namespace scalescope::ui {

/// A formula with the numbers put in, in a grey block: the symbol on the left, then one line after the other, each
/// starting with its sign. Lines are rich text: <i>t</i><sub>n</sub>.
class FormulaBlock final : public QWidget {
    Q_OBJECT
public:
    struct Line {
        QString html;
        bool muted = false;   ///< the formula itself, in secondary
        bool strong = false;  ///< the result
        bool operator==(const Line&) const = default;
    };
    explicit FormulaBlock(QWidget* parent = nullptr);
    void set_formula(const QString& symbol_html, const std::vector<Line>& lines);
    /// The formula as text, for the clipboard and for screen readers.
    QString plain_text() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    double lines_left() const;
    RichText symbol_;
    std::vector<Line> lines_;
    std::vector<RichText> texts_;
};

}  // namespace scalescope::ui
