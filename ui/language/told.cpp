// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/language/told.hpp"

#include <QCoreApplication>
#include <QHash>
#include <QRegularExpression>
#include <algorithm>
#include <array>
#include <memory>

#include "core/base/format.hpp"
#include "core/language/catalogue.hpp"

namespace scalescope::ui {
namespace {

constexpr std::size_t longest_said = 2000;  ///< what is longer is the text of a file
constexpr qsizetype most_kept = 20'000;

/// Told once, kept: labels of charts are asked for with every frame. Each thread has its own.
struct Memory {
    QHash<QByteArray, QString> told;
    unsigned language = 0;
};

std::shared_ptr<const language::Catalogue>& catalogue() {
    static std::shared_ptr<const language::Catalogue> the_one;
    return the_one;
}
QString& code_told() {
    static QString code = QStringLiteral("en");
    return code;
}
unsigned& languages_so_far() {
    static unsigned count = 0;
    return count;
}

/// Words in small letters that stand alone and are no names.
constexpr std::array<std::string_view, 12> small_words{"worker",    "workers",  "machine", "machines",
                                                       "replica",   "replicas", "exact",   "assumed",
                                                       "datasheet", "unknown",  "yes",     "no"};

bool may_be_name(std::string_view s) {
    const bool small = s[0] >= 'a' && s[0] <= 'z';
    return small && s.find(' ') == std::string_view::npos &&
           std::find(small_words.begin(), small_words.end(), s) == small_words.end();
}

}  // namespace

// lupdate files what it reads in free functions under their namespace.
QString tr(const char* text) { return QCoreApplication::translate("scalescope::ui", text); }

QString plain(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

void tell_in(const QString& code) {
    ++languages_so_far();
    catalogue().reset();
    code_told() = QStringLiteral("en");
    if (code.isEmpty()) return;
    if (auto read = language::shipped_catalogue(code.toStdString())) {
        code_told() = code;
        catalogue() = std::make_shared<const language::Catalogue>(std::move(*read));
    }
}

QString told_large_count(double value, int digits, bool trim) {
    QString text = told(format_large_count(value, digits, trim));
    if (!text.endsWith(QLatin1Char('B'))) return text;
    text.chop(2);  // the letter and the space before it
    return tr("%1 B").arg(text).replace(QLatin1Char(' '), QChar::Nbsp);
}

QString inside_sentence(const QString& name) {
    const bool small = code_told() == QLatin1String("en") && name.size() > 1 && name[1].isLower();
    return small ? name[0].toLower() + name.mid(1) : name;
}

QString language_told() { return code_told(); }

QString with_marks(const QString& text) {
    if (!catalogue()) return text;
    return QString::fromStdString(language::with_marks(text.toStdString(), catalogue()->marks()));
}

QString without_marks(const QString& typed) {
    if (!catalogue()) return typed;
    return QString::fromStdString(language::without_marks(typed.toStdString(), catalogue()->marks()));
}

QString told_line(std::string_view line) {
    // Parts of arithmetic without words may look like sentences to the catalogue, which would then tell only some.
    static const QRegularExpression word(QStringLiteral("(?!\\b(?:exp|max|min|ceil|floor)\\()\\b[a-z]{3,}"));
    if (!plain(line).contains(word)) return with_marks(plain(line));
    const QString text = told(line);
    // Numbers that have their marks already must not get them twice: 0,500 would become 0.500 again.
    return text == plain(line) ? with_marks(text) : text;
}

QString told_word(std::string_view said) {
    const auto is_markup = [&] { return said[0] == '<' && !(said.size() > 1 && said[1] >= '0' && said[1] <= '9'); };
    if (!catalogue() || said.empty() || said.size() > longest_said || said[0] == '{' || is_markup()) return plain(said);
    thread_local Memory memory;
    if (memory.language != languages_so_far() || memory.told.size() > most_kept)
        memory = {QHash<QByteArray, QString>(), languages_so_far()};
    const QByteArray key = QByteArray::fromRawData(said.data(), static_cast<qsizetype>(said.size()));
    if (const auto known = memory.told.constFind(key); known != memory.told.constEnd()) return *known;
    const QString told = QString::fromStdString(catalogue()->tell(said));
    memory.told.insert(QByteArray(said.data(), static_cast<qsizetype>(said.size())), told);
    return told;
}

QString told(std::string_view said) { return said.empty() || may_be_name(said) ? plain(said) : told_word(said); }

}  // namespace scalescope::ui
