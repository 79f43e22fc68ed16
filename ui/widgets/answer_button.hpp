// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

#include "ui/theme/px.hpp"
#include "ui/widgets/rich_text.hpp"

namespace scalescope::ui {

/// An answer to choose: wraps, and says with a mark whether it is right once it was chosen.
class AnswerButton final : public QAbstractButton {
    Q_OBJECT
public:
    enum class Verdict { none, right, wrong };
    static constexpr Px text_left{34};

    AnswerButton(const QString& html, const QString& plain, QWidget* parent = nullptr);
    void set_verdict(Verdict verdict);
    Verdict verdict() const { return verdict_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    RichText text_;
    Verdict verdict_ = Verdict::none;
};

}  // namespace scalescope::ui
