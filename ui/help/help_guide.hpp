// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPoint>
#include <QString>

#include "ui/widgets/basics.hpp"

class QWidget;

namespace scalescope::ui {

/// The help page about a widget and all that stands in it without a page of its own.
void set_help(QWidget& widget, const QString& page);

/// The page about a widget, found by walking up; empty if there is none. In a list or table that of the row at `at`, or
/// of the current row.
QString help_of(const QWidget* widget, const QPoint* at = nullptr);

/// Knows where a person is: where the pointer stands if the hand was on the mouse last, and else where the keyboard is.
class HelpGuide final : public QObject {
    Q_OBJECT
public:
    explicit HelpGuide(QObject* parent);
    /// The page about that place; empty if there is none.
    QString page_here() const;

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    bool by_pointer_ = false;
    QPoint pointer_;
};

}  // namespace scalescope::ui
