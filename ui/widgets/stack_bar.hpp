// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QWidget>
#include <vector>

#include "ui/widgets/rich_text.hpp"

namespace scalescope::ui {

struct Theme;

/// A part of a stack. Its colour is asked from the theme when it is painted, so that it follows a change of theme:
/// `&Theme::forward` for instance.
struct StackPart {
    QString name;          ///< "Forward"
    QColor Theme::*color;  ///< &Theme::forward
    double value = 0;      ///< any unit; parts are shown in proportion
    QString value_text;    ///< "33.16 ms"
    QString share_text;    ///< "13.9 %"
    /// Communication that runs behind another part: drawn hatched, below the bar, and never added.
    double hidden = 0;
    QString hidden_text;  ///< "46.0 hidden"
    bool operator==(const StackPart&) const = default;
};

/// A horizontal bar of parts with 1 px between them. What is hidden lies hatched below the part it hides behind: it
/// ends where the exposed part of the same name begins.
class StackBar final : public QWidget {
    Q_OBJECT
public:
    explicit StackBar(QWidget* parent = nullptr);
    void set_parts(const std::vector<StackPart>& parts);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    double total() const;
    bool has_hidden() const;
    std::vector<StackPart> parts_;
};

/// The same parts as lines: swatch, name, share, value, and the total below a rule.
class PartsList final : public QWidget {
    Q_OBJECT
public:
    explicit PartsList(QWidget* parent = nullptr);
    void set_parts(const std::vector<StackPart>& parts);
    /// The label is rich text: <i>t</i><sub>n</sub>.
    void set_total(const QString& label_html, const QString& value);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void describe();
    std::vector<StackPart> parts_;
    RichText total_label_;
    QString total_value_;
};

}  // namespace scalescope::ui
