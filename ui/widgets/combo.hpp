// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>
#include <utility>
#include <vector>

class QLineEdit;

namespace scalescope::ui {

class ComboPopup;

/// One choice of a Combo.
struct ComboItem {
    QString id;       ///< what signals carry
    QString text;     ///< name: "InfiniBand 70 Gb/s"
    QString detail;   ///< grey column: "PALEO"
    QString value;    ///< right column: "8.75 GB/s"
    QString section;  ///< heading over this and the following items of the same section; empty for none
    QString tip;      ///< why it is off, or more about it
    bool enabled = true;
    bool operator==(const ComboItem&) const = default;
};

/// A choice with a name and perhaps more about it.
inline ComboItem combo_item(const QString& id, const QString& text, const QString& tip = {}) {
    ComboItem item;
    item.id = id;
    item.text = text;
    item.tip = tip;
    return item;
}

/// A choice with search: open it and type; the match is shown semibold. All by keyboard: Up, Down, Home and End
/// choose when closed; Alt+Down, F4, Space or Enter open; typing filters; Enter takes, Escape leaves all as it was.
/// Short lists (fewer than eight items) open without search unless asked.
class Combo final : public QWidget {
    Q_OBJECT
public:
    explicit Combo(const QString& accessible_name, QWidget* parent = nullptr);
    ~Combo() override;

    void set_items(std::vector<ComboItem> items);
    const std::vector<ComboItem>& items() const { return items_; }
    /// Emits nothing. An id that is not in the list shows `unknown_text`, if given: a file may name what this program
    /// lacks.
    void set_current(const QString& id, const QString& unknown_text = {});
    QString current() const { return current_id_; }
    QString current_text() const;
    /// A row at the foot of the list: "+ Duplicate and edit…". The icon's name may be null.
    void add_footer_action(const QString& id, const QString& text, const char* icon_name = "plus");
    void clear_footer_actions();
    /// Shown grey while nothing is chosen: "none".
    void set_placeholder(const QString& text);
    void set_searchable(bool on);
    /// Gives the id that a search means which no item matches: "NVIDIA H100 80GB HBM3"; empty if it means none.
    void set_reader(std::function<QString(const QString& search)> reader) { reader_ = std::move(reader); }
    bool is_searchable() const;

    bool is_open() const;
    void open(const QString& search = {});
    void close_popup();

    /// The closed list may have no room for its text, and never for what it means: the tip says both.
    void show_tip();
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// A person chose it, and it is another than before.
    void chosen(const QString& id);
    void footer_chosen(const QString& id);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    friend class ComboPopup;
    struct FooterAction {
        QString id, text;
        const char* icon_name;
    };
    void popup_closed();
    void take(const QString& id);
    void step(int direction);
    void step_from(int at, int direction);
    std::vector<ComboItem> items_;
    std::vector<FooterAction> footer_;
    QString current_id_, unknown_text_, placeholder_;
    QLineEdit* search_;
    ComboPopup* popup_;
    std::function<QString(const QString&)> reader_;
    int searchable_ = -1;  ///< -1: by the length of the list
};

}  // namespace scalescope::ui
