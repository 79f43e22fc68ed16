// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <vector>

#include "ui/widgets/rich_text.hpp"

class QVBoxLayout;

namespace scalescope::ui {

/// One input of a formula.
struct InputLine {
    QString symbol_html;  ///< "<i>t</i><sub>n</sub>"
    QString text;         ///< "step on 32 workers"
    QString value;        ///< "238.91 ms"
    QString field;        ///< path of the control or figure it comes from; empty: no link
    QString note;         ///< tip
    bool operator==(const InputLine&) const = default;
};

/// A row of InputList: a button as wide as the panel, with a chevron if it leads somewhere.
class InputRow final : public QAbstractButton {
    Q_OBJECT
public:
    explicit InputRow(QWidget* parent = nullptr);
    void set_line(const InputLine& line);
    const InputLine& line() const { return line_; }
    void set_symbol_width(int width);
    int wanted_symbol_width() const;
    QSize sizeHint() const override;
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    InputLine line_;
    struct Layout {
        int text_width, text_height;
        int value_below;  ///< height of a line for the value below the text; 0: it stands beside it
    };
    Layout layout(int width) const;
    int symbol_room() const { return static_cast<int>(symbol_width_); }
    PxF symbol_width_{40};
    RichText symbol_;
};

/// The inputs of a formula, each a link to its control.
class InputList final : public QWidget {
    Q_OBJECT
public:
    explicit InputList(QWidget* parent = nullptr);
    void set_lines(const std::vector<InputLine>& lines);

signals:
    void field_clicked(const QString& field);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QVBoxLayout* column_;
    std::vector<InputRow*> rows_;
};

}  // namespace scalescope::ui
