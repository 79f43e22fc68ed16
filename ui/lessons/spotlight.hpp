// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <vector>

class QWidget;

namespace scalescope::ui {

/// Draws attention to parts of a window: a ring in the accent around each, and for what a hand should take a pointer
/// above it. They breathe a few times and then stay, or stay at once where nothing is to move. They lie over the window
/// and take nothing from it, neither room nor clicks.
class Spotlight final : public QObject {
    Q_OBJECT
public:
    enum class Kind { ring, pointer };
    struct Target {
        QWidget* widget;
        Kind kind = Kind::ring;
    };

    explicit Spotlight(QObject* parent = nullptr);
    ~Spotlight() override;
    void set_targets(const std::vector<Target>& targets);
    void clear() { set_targets({}); }
    /// The widgets that are lit, in order.
    std::vector<QWidget*> lit() const;

private:
    class Ring;
    std::vector<QPointer<Ring>> rings_;
};

}  // namespace scalescope::ui
