// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>
#include <vector>

#include "core/lessons/text.hpp"

class QLabel;

namespace scalescope::ui {

/// A line of a lesson's markup as rich text for labels.
QString rich_line(const lessons::Line& line);
/// A label that shows one: wraps, can be selected and read aloud.
QLabel* make_prose(const lessons::Line& line, const QFont& font);

/// Blocks of a lesson's markup below each other: headings, paragraphs, lists, formulas and pictures.
class LessonText final : public QWidget {
    Q_OBJECT
public:
    explicit LessonText(QWidget* parent = nullptr);
    void set_blocks(const std::vector<lessons::Block>& blocks);

private:
    std::vector<lessons::Block> blocks_;
};

}  // namespace scalescope::ui
