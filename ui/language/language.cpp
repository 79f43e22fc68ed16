// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/language/language.hpp"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>
#include <vector>

#include "ui/language/told.hpp"

static void register_scalescope_translations() { Q_INIT_RESOURCE(translations); }

namespace scalescope::ui {
namespace {

std::vector<QTranslator*>& installed() {
    static std::vector<QTranslator*> all;
    return all;
}

void install(QTranslator* translator, const QString& file, const QString& folder) {
    if (translator->load(file, folder) && QCoreApplication::installTranslator(translator))
        installed().push_back(translator);
    else
        delete translator;
}

}  // namespace

QString code_of(Language language) {
    switch (language) {
        case Language::system: break;
        case Language::english: return QStringLiteral("en");
        case Language::german: return QStringLiteral("de");
    }
    return {};
}

Language language_of(const QString& code) {
    for (const Language l : all_languages)
        if (code_of(l) == code) return l;
    return Language::system;
}

QString name_of(Language language) {
    return language == Language::german ? QStringLiteral("Deutsch") : QStringLiteral("English");
}

bool is_spoken(Language language) {
    return code_of(language == Language::system ? language_of_system() : language) == language_told();
}

Language language_of_system() {
    for (const QString& name : QLocale::system().uiLanguages())
        if (const Language l = language_of(name.left(2)); l != Language::system) return l;
    return Language::english;
}

void use_language(Language language) {
    register_scalescope_translations();
    for (QTranslator* translator : installed()) {
        QCoreApplication::removeTranslator(translator);
        delete translator;
    }
    installed().clear();
    if (language == Language::system) language = language_of_system();
    const QString code = code_of(language);
    tell_in(language == Language::english ? QString() : code);
    // What texts write with %L1 has the marks of the window's language, whatever the desktop's is.
    QLocale::setDefault(language == Language::english ? QLocale(QLocale::English, QLocale::UnitedStates)
                                                      : QLocale(code));
    if (language == Language::english) return;
    const QString folder = QStringLiteral(":/translations");
    // Qt's own, of the dialogs: from the system, or those that came along.
    const QString of_qt = QStringLiteral("qtbase_") + code;
    auto* dialogs = new QTranslator(QCoreApplication::instance());
    if (!dialogs->load(of_qt, QLibraryInfo::path(QLibraryInfo::TranslationsPath))) (void)dialogs->load(of_qt, folder);
    if (!dialogs->isEmpty() && QCoreApplication::installTranslator(dialogs))
        installed().push_back(dialogs);
    else
        delete dialogs;
    install(new QTranslator(QCoreApplication::instance()), QStringLiteral("scalescope_") + code, folder);
}

}  // namespace scalescope::ui
