// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "core/lessons/text.hpp"

class QLabel;
class QSvgRenderer;

namespace scalescope::ui {

/// The picture resources/lessons/NAME.svg in the colours of the theme, as wide as there is room for, and what stands
/// below it. In its file, colours are names of the theme in braces: fill="{forward}".
class LessonPicture final : public QWidget {
    Q_OBJECT
public:
    LessonPicture(const QString& name, const lessons::Line& caption, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    class Drawing;
    Drawing* drawing_;
};

}  // namespace scalescope::ui
