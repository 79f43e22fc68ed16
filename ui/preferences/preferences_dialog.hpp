// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <functional>
#include <vector>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace scalescope::ui {

class SearchField;
class Settings;

/// Preferences of the program, with search; every choice takes effect and is stored at once. SettingsPanel has the
/// settings of a scenario.
class PreferencesDialog final : public QDialog {
    Q_OBJECT
public:
    /// `own_folder` is where a person's presets lie; empty: nowhere. `settings` must outlive the dialog.
    PreferencesDialog(Settings& settings, const QString& own_folder, QWidget* parent = nullptr);

signals:
    /// Theme, motion or the size of controls is another one now.
    void appearance_changed();
    void tour_asked();
    void layout_reset_asked();
    void recent_cleared();
    void all_settings_asked();

private:
    struct Row {
        QWidget* line;
        QString words;  ///< in which a search looks
        std::size_t group;
    };
    Settings& settings_;
    SearchField* search_;
    QVBoxLayout* list_;
    QLabel* nothing_;
    std::vector<QLabel*> groups_;  ///< their headings
    std::vector<Row> rows_;

    void add_group(const QString& title);
    /// `about` says what the choice does.
    QLabel* add_row(const QString& name, const QString& about, QWidget* control);
    /// `choose` is handed what was chosen and the label of `about`.
    void add_choice(const QString& name, const QString& about, const char* object_name,
                    const std::vector<std::pair<QString, QString>>& choices, const QString& current,
                    std::function<void(const QString&, QLabel&)> choose);
    /// `press` is handed the button.
    QPushButton* add_button(const QString& name, const QString& about, const char* object_name, const QString& text,
                            std::function<void(QPushButton&)> press);
    void add_look();
    void add_rest(const QString& own_folder);
    void find(const QString& typed);
};

}  // namespace scalescope::ui
