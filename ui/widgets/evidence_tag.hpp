// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace scalescope::ui {

/// Where a figure comes from: exact, datasheet, calibrated, extrapolated, assumed; the last two amber, as guesses.
class EvidenceTag final : public QWidget {
    Q_OBJECT
public:
    enum class Kind { exact, datasheet, calibrated, extrapolated, assumed };
    explicit EvidenceTag(QWidget* parent = nullptr);
    /// `text` replaces the kind's own word: "calibrated, 120 points".
    void set_kind(Kind kind, const QString& text = {});
    static QString word(Kind kind);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Kind kind_ = Kind::exact;
    QString text_;
};

}  // namespace scalescope::ui
