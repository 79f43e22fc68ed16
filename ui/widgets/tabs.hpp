// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QWidget>
#include <vector>

class QHBoxLayout;
class QVBoxLayout;
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

/// The strip under the window's centre: "Problems (0) Layer table Waterfall Lesson" and a chevron that folds what is
/// open. A click on the open one folds it.
class BottomTabs final : public QWidget {
    Q_OBJECT
public:
    explicit BottomTabs(QWidget* parent = nullptr);
    void add_tab(const QString& id, const QString& text);
    void set_tab_visible(const QString& id, bool visible);
    void set_count(const QString& id, int count);
    /// Which one is open; empty when folded. Emits nothing.
    void set_current(const QString& id);
    QString current() const { return current_id_; }
    StripTab* tab(const QString& id) const;
    QSize sizeHint() const override;

signals:
    /// A person opened it, or folded all (empty).
    void current_changed(const QString& id);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void choose(const QString& id);
    struct Tab {
        QString id;
        StripTab* button;
    };
    std::vector<Tab> tabs_;
    QString current_id_, last_;
    QHBoxLayout* row_;
    QToolButton* fold_;
};

/// The folded right docks of a narrow window: a card with turned names, one click opens one.
class SideTabs final : public QWidget {
    Q_OBJECT
public:
    explicit SideTabs(QWidget* parent = nullptr);
    void add_tab(const QString& id, const QString& text);
    /// Which one is unfolded beside the strip; empty for none. Emits nothing.
    void set_current(const QString& id);
    QString current() const { return current_id_; }
    StripTab* tab(const QString& id) const;
    QSize sizeHint() const override;

signals:
    void current_changed(const QString& id);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Tab {
        QString id;
        StripTab* button;
    };
    std::vector<Tab> tabs_;
    QString current_id_;
    QVBoxLayout* column_;
};

}  // namespace scalescope::ui
