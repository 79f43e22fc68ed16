// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QWidget>
#include <vector>

class QBoxLayout;
class QToolButton;

namespace scalescope::ui {

/// A tab of BottomTabs or SideTabs, painted by itself; with a count, or turned by 90 degrees.
class StripTab final : public QAbstractButton {
    Q_OBJECT
public:
    StripTab(const QString& text, bool vertical, QWidget* parent = nullptr);
    /// -1 shows no count.
    void set_count(int count);
    int count() const { return count_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void name();
    bool vertical_;
    int count_ = -1;
};

/// A row or column of tabs of which at most one is open: a click on the open one folds it.
class TabStrip : public QWidget {
    Q_OBJECT
public:
    void add_tab(const QString& id, const QString& text);
    /// Which one is open; empty when folded. Emits nothing.
    virtual void set_current(const QString& id);
    QString current() const { return current_id_; }
    StripTab* tab(const QString& id) const;

signals:
    /// A person opened it, or folded all (empty).
    void current_changed(const QString& id);

protected:
    TabStrip(Qt::Orientation orientation, QWidget* parent);
    void choose(const QString& id);
    struct Tab {
        QString id;
        StripTab* button;
    };
    std::vector<Tab> tabs_;
    QString current_id_;
    QBoxLayout* box_;  ///< the tabs first, then a stretch
};

/// The strip under the window's centre: "Problems (0) Layer table Waterfall Lesson" and a chevron that folds what is
/// open.
class BottomTabs final : public TabStrip {
    Q_OBJECT
public:
    explicit BottomTabs(QWidget* parent = nullptr);
    void set_count(const QString& id, int count);
    void set_current(const QString& id) override;
    /// The open page takes the whole centre.
    bool alone() const;
    QSize sizeHint() const override;

signals:
    void alone_changed();  ///< a person wants it so

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString last_;
    QToolButton *fold_ = nullptr, *alone_ = nullptr;
};

/// The folded right docks of a narrow window: a card with turned names, one click opens one beside the strip.
class SideTabs final : public TabStrip {
    Q_OBJECT
public:
    explicit SideTabs(QWidget* parent = nullptr);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace scalescope::ui
