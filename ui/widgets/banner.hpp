// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <functional>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace scalescope::ui {

class ElidedLabel;

/// A sentence that asks for attention, in place: never a dialog. Two forms: a strip across a panel (error of a file),
/// and a box inside a panel with its buttons below the text (a problem and its fix).
class Banner final : public QFrame {
    Q_OBJECT
public:
    enum class Kind { info, warning, error };
    enum class Form { strip, box };
    Banner(Kind kind, Form form, QWidget* parent = nullptr);

    /// `strong` comes first, semibold: "alexnet-wide.json was not opened." "AlexNet is still shown, unchanged."
    void set_text(const QString& strong, const QString& text);
    /// Shows one line and elides what does not fit; a button shows the whole text.
    void set_brief(const QString& text);
    QPushButton* add_button(const QString& text, bool primary = false);
    void remove_buttons();
    void set_closable(bool on);
    /// Says that another program changed the file of a document, and offers what to do about it.
    void offer_changed_file(const QString& file, const std::function<void()>& reload, const std::function<void()>& keep,
                            const std::function<void()>& save_as);
    /// What it offers is about that file.
    bool is_about_changed_file() const { return about_file_ && !isHidden(); }

signals:
    void closed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void show_brief(bool on);
    Kind kind_;
    Form form_;
    bool about_file_ = false;
    QLabel* icon_;
    QLabel* label_;
    ElidedLabel* brief_;
    QHBoxLayout* buttons_;
    QToolButton *more_, *close_;
};

/// A box at the end of a column, hidden until there is something to say, that a person can close.
Banner* add_banner(QVBoxLayout& column, Banner::Kind kind);

/// Nothing there yet: an icon, a headline, a sentence, and the one thing to do.
class EmptyState final : public QWidget {
    Q_OBJECT
public:
    EmptyState(const char* icon_name, const QString& headline, const QString& text, const QString& button = {},
               QWidget* parent = nullptr);

signals:
    void clicked();
};

}  // namespace scalescope::ui
