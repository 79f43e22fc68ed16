// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/network/kind.hpp"

namespace scalescope::ui {

/// The icon of a kind's family, beside a name.
class KindIcon final : public QWidget {
public:
    explicit KindIcon(QWidget* parent = nullptr);
    /// nullptr: there is none to show, and no room is taken.
    void show_kind(const Kind* kind);
    QString shown() const { return icon_; }

protected:
    void paintEvent(QPaintEvent*) override;

private:
    QString icon_;
};

}  // namespace scalescope::ui
