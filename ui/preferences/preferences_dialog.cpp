// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/preferences/preferences_dialog.hpp"

#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QDir>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/help/help_guide.hpp"
#include "ui/preferences/settings.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/overlay_scroll.hpp"
#include "ui/widgets/search_field.hpp"

namespace scalescope::ui {
namespace {

constexpr int control_width = 190;

QString key_of(int value) { return QString::number(value); }

}  // namespace

PreferencesDialog::PreferencesDialog(Settings& settings, const QString& own_folder, QWidget* parent)
    : QDialog(parent), settings_(settings) {
    setObjectName(QStringLiteral("preferences"));
    setWindowTitle(tr("Preferences"));
    set_help(*this, QStringLiteral("window-preferences"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::gap, space::gap, space::gap, space::gap);
    column->setSpacing(space::gap);
    search_ = new SearchField(tr("Search preferences"));
    search_->setObjectName(QStringLiteral("preferencesSearch"));
    column->addWidget(search_);
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    use_overlay_scroll_bar(*scroll, 2);
    auto* page = new QWidget;
    list_ = new QVBoxLayout(page);
    list_->setContentsMargins(space::card_padding, 0, space::card_padding + 8, 0);
    list_->setSpacing(10);
    scroll->setWidget(page);
    column->addWidget(scroll, 1);
    add_look();
    add_rest(own_folder);
    nothing_ =
        make_label(tr("No preference matches. Settings of the scenario are in <a href=\"all\">Settings</a> (Ctrl+,)."),
                   type::control(), Ink::secondary);
    nothing_->setObjectName(QStringLiteral("preferencesNothing"));
    nothing_->setTextFormat(Qt::RichText);
    nothing_->setTextInteractionFlags(Qt::TextBrowserInteraction);
    nothing_->setWordWrap(true);
    nothing_->hide();
    connect(nothing_, &QLabel::linkActivated, this, &PreferencesDialog::all_settings_asked);
    list_->addWidget(nothing_);
    list_->addStretch(1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    column->addWidget(buttons);
    connect(search_, &QLineEdit::textChanged, this, &PreferencesDialog::find);
    connect(search_, &SearchField::escaped, this, &QDialog::close);
    // All rows, where the screen has room for them.
    constexpr int wide = 560, frame = 40;
    const int inner = wide - 2 * space::gap;
    const int rows = page->layout()->hasHeightForWidth() ? page->layout()->totalHeightForWidth(inner)
                                                         : page->layout()->totalSizeHint().height();
    const int all = rows + search_->sizeHint().height() + buttons->sizeHint().height() + 4 * space::gap;
    const int room = (parent ? parent->screen() : screen())->availableSize().height() - frame;
    resize(wide, std::min(all, room));
    search_->setFocus();
}

void PreferencesDialog::add_group(const QString& title) {
    auto* head = make_label(title, type::title());
    head->setContentsMargins(0, groups_.empty() ? 0 : 10, 0, 0);
    list_->addWidget(head);
    groups_.push_back(head);
}

QLabel* PreferencesDialog::add_row(const QString& name, const QString& about, QWidget* control) {
    auto* line = new QWidget;
    auto* row = make_layout<QHBoxLayout>(line, space::gap * 2);
    auto* words = make_layout<QVBoxLayout>(nullptr, 1);
    auto* label = make_label(name, type::control());
    label->setBuddy(control);
    auto* caption = make_label(about, type::caption(), Ink::secondary);
    caption->setWordWrap(true);
    words->addWidget(label);
    words->addWidget(caption);
    words->addStretch(1);
    row->addLayout(words, 1);
    control->setFixedWidth(std::max<int>(control_width, control->sizeHint().width()));
    control->setToolTip(about);
    row->addWidget(control, 0, Qt::AlignTop);
    list_->addWidget(line);
    QStringList searched{name, about, groups_.back()->text()};
    if (const auto* combo = dynamic_cast<const Combo*>(control))
        for (const ComboItem& item : combo->items()) searched << item.text;
    if (const auto* button = qobject_cast<const QPushButton*>(control)) searched << button->text();
    rows_.push_back({line, searched.join(QLatin1Char('\n')), groups_.size() - 1});
    return caption;
}

void PreferencesDialog::add_choice(const QString& name, const QString& about, const char* object_name,
                                   const std::vector<std::pair<QString, QString>>& choices, const QString& current,
                                   std::function<void(const QString&, QLabel&)> choose) {
    auto* combo = new Combo(name);
    combo->setObjectName(QLatin1String(object_name));
    std::vector<ComboItem> items;
    for (const auto& [id, text] : choices) items.push_back(combo_item(id, text));
    combo->set_items(std::move(items));
    combo->set_current(current);
    QLabel* caption = add_row(name, about, combo);
    connect(combo, &Combo::chosen, this, [combo, caption, choose = std::move(choose)](const QString& id) {
        combo->set_current(id);
        choose(id, *caption);
    });
}

QPushButton* PreferencesDialog::add_button(const QString& name, const QString& about, const char* object_name,
                                           const QString& text, std::function<void(QPushButton&)> press) {
    auto* button = new QPushButton(text);
    button->setObjectName(QLatin1String(object_name));
    button->setAutoDefault(false);
    connect(button, &QPushButton::clicked, this, [button, press = std::move(press)] { press(*button); });
    add_row(name, about, button);
    return button;
}

void PreferencesDialog::add_look() {
    add_group(tr("Looks"));
    const auto looks = [this](auto set) {
        return [this, set](const QString& id, QLabel&) {
            set(id.toInt());
            emit appearance_changed();
        };
    };
    add_choice(tr("Theme"), tr("Colours of the window and of exported pictures."), "preferTheme",
               {{key_of(int(ThemeChoice::system)), tr("As the desktop")},
                {key_of(int(ThemeChoice::light)), tr("Light")},
                {key_of(int(ThemeChoice::dark)), tr("Dark")},
                {key_of(int(ThemeChoice::high_contrast)), tr("High contrast")}},
               key_of(int(settings_.theme())),
               looks([this](int value) { settings_.set_theme(static_cast<ThemeChoice>(value)); }));
    add_choice(tr("Motion"), tr("Animate panels and hints."), "preferMotion",
               {{key_of(int(Motion::as_desktop)), tr("As the desktop")},
                {key_of(int(Motion::full)), tr("All motion")},
                {key_of(int(Motion::less)), tr("Less motion")}},
               key_of(int(settings_.motion())),
               looks([this](int value) { settings_.set_motion(static_cast<Motion>(value)); }));
    add_choice(tr("Size of controls"), tr("Large controls are 44 px high, for touch screens."), "preferControls",
               {{key_of(0), tr("Usual")}, {key_of(1), tr("Large")}}, key_of(settings_.large_controls()),
               looks([this](int value) { settings_.set_large_controls(value != 0); }));
    std::vector<std::pair<QString, QString>> languages{
        {code_of(Language::system), tr("As the desktop (%1)").arg(name_of(language_of_system()))}};
    for (const Language language : all_languages) languages.emplace_back(code_of(language), name_of(language));
    const QString about = tr("Language of the window. Files, tables and the command line stay English.");
    add_choice(tr("Language"), about, "preferLanguage", languages, code_of(settings_.language()),
               [this, about](const QString& code, QLabel& caption) {
                   settings_.set_language(language_of(code));
                   caption.setText(
                       is_spoken(settings_.language()) ? about : tr("%1 Takes effect at the next start.").arg(about));
               });
}

void PreferencesDialog::add_rest(const QString& own_folder) {
    add_group(tr("Window"));
    add_button(tr("Layout"), tr("Returns all panels to their initial positions."), "preferLayout", tr("Reset"),
               [this](QPushButton&) { emit layout_reset_asked(); });
    add_group(tr("Help and lessons"));
    add_button(tr("Tour"), tr("Four hints that show the window."), "preferTour", tr("Take the tour"),
               [this](QPushButton&) {
                   close();
                   emit tour_asked();
               });
    auto* forget =
        add_button(tr("Progress in lessons"), tr("Your progress in each lesson and the tasks you have done."),
                   "preferForgetLessons", tr("Forget"), [this](QPushButton& button) {
                       settings_.forget_lessons();
                       button.setEnabled(false);
                   });
    forget->setEnabled(settings_.has_lessons());
    add_group(tr("Files"));
    auto* clear = add_button(tr("Recent files"), tr("Clears the list in the File menu. The files are not deleted."),
                             "preferClearRecent", tr("Clear"), [this](QPushButton& button) {
                                 settings_.clear_recent();
                                 button.setEnabled(false);
                                 emit recent_cleared();
                             });
    clear->setEnabled(!settings_.recent().isEmpty());
    if (own_folder.isEmpty()) return;
    add_button(tr("Own presets"),
               tr("Your own devices, links, networks, scenarios and lessons, loaded at the start: %1").arg(own_folder),
               "preferOwnFolder", tr("Open the folder"), [own_folder](QPushButton&) {
                   QDir().mkpath(own_folder);
                   QDesktopServices::openUrl(QUrl::fromLocalFile(own_folder));
               });
}

/// Rows that have every word; a group whose rows are gone goes too.
void PreferencesDialog::find(const QString& typed) {
    const QStringList words = typed.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    std::vector<bool> shown(groups_.size());
    bool any = false;
    for (const Row& row : rows_) {
        const bool hit = std::all_of(words.begin(), words.end(), [&](const QString& word) {
            return row.words.contains(word, Qt::CaseInsensitive);
        });
        row.line->setVisible(hit);
        if (hit) shown[row.group] = any = true;
    }
    for (std::size_t i = 0; i < groups_.size(); ++i) groups_[i]->setVisible(shown[i]);
    nothing_->setVisible(!any);
}

}  // namespace scalescope::ui
