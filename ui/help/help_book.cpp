// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/help_book.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <algorithm>
#include <map>

#include "ui/language/told.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(HelpBook)
};

QString text_of(const QString& file) {
    QFile f(file);
    return f.open(QIODevice::ReadOnly) ? QString::fromUtf8(f.readAll()) : QString();
}

/// By the name of its file, which also orders them.
QString chapter_of(const QString& file) {
    if (file.contains(QLatin1String("start"))) return Words::tr("Beginning");
    if (file.contains(QLatin1String("charts"))) return Words::tr("Charts");
    if (file.contains(QLatin1String("figures"))) return Words::tr("Key figures");
    if (file.contains(QLatin1String("panels"))) return Words::tr("Panels and canvas");
    if (file.contains(QLatin1String("pages"))) return Words::tr("Pages below the charts");
    if (file.contains(QLatin1String("fields"))) return Words::tr("Settings by groups");
    return Words::tr("Windows");
}

}  // namespace

const HelpBook& HelpBook::shipped() {
    static std::map<QString, HelpBook> books;
    const QString language = language_told();
    if (const auto known = books.find(language); known != books.end()) return known->second;
    load_fonts();  // resources too
    HelpBook all;
    const QDir folder(QStringLiteral(":/help"));
    for (const QString& file : folder.entryList(QDir::Files, QDir::Name)) {
        if (!file.endsWith(QLatin1String(".md")) || file.startsWith(QLatin1String("CHANGELOG"))) continue;
        const QString other = text_of(folder.filePath(language + QLatin1Char('/') + file));
        all.read(chapter_of(file), other.isEmpty() ? text_of(folder.filePath(file)) : other);
    }
    return books.emplace(language, std::move(all)).first->second;
}

void HelpBook::read(const QString& chapter, const QString& text) {
    static const QRegularExpression heading(QStringLiteral(R"(^# (.+?) \{#([a-z0-9_-]+)\}[ \t]*$)"),
                                            QRegularExpression::MultilineOption);
    qsizetype from = -1;
    const auto end_page = [&](qsizetype to) {
        if (from >= 0) pages_.back().markdown = text.mid(from, to - from).trimmed();
    };
    for (auto it = heading.globalMatch(text); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        end_page(match.capturedStart());
        pages_.push_back({match.captured(2), chapter, match.captured(1), {}});
        from = match.capturedEnd();
    }
    end_page(text.size());
}

const HelpPage* HelpBook::page(const QString& id) const {
    const auto it = std::find_if(pages_.begin(), pages_.end(), [&](const HelpPage& p) { return p.id == id; });
    return it == pages_.end() ? nullptr : &*it;
}

std::vector<const HelpPage*> HelpBook::find(const QString& words) const {
    const QStringList wanted = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    const auto has_all = [&](const QString& where) {
        return std::all_of(wanted.begin(), wanted.end(),
                           [&](const QString& word) { return where.contains(word, Qt::CaseInsensitive); });
    };
    std::vector<const HelpPage*> named, others;
    for (const HelpPage& page : pages_) {
        if (has_all(page.title))
            named.push_back(&page);
        else if (has_all(page.title + QLatin1Char('\n') + page.markdown))
            others.push_back(&page);
    }
    named.insert(named.end(), others.begin(), others.end());
    return named;
}

QStringList HelpBook::links_of(const HelpPage& page) {
    static const QRegularExpression link(QStringLiteral(R"(\]\(([^)]+)\))"));
    QStringList all;
    for (auto it = link.globalMatch(page.markdown); it.hasNext();) all << it.next().captured(1);
    return all;
}

std::vector<VersionNews> read_news(const QString& changelog) {
    static const QRegularExpression heading(QStringLiteral(R"(^## \[([^\]]+)\].*$)"),
                                            QRegularExpression::MultilineOption);
    std::vector<VersionNews> all;
    qsizetype from = -1;
    const auto end_section = [&](qsizetype to) {
        if (from >= 0) all.back().markdown = changelog.mid(from, to - from).trimmed();
    };
    for (auto it = heading.globalMatch(changelog); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        end_section(match.capturedStart());
        all.push_back({match.captured(1), {}});
        from = match.capturedEnd();
    }
    end_section(changelog.size());
    return all;
}

std::vector<VersionNews> shipped_news() {
    load_fonts();
    return read_news(text_of(QStringLiteral(":/help/CHANGELOG.md")));
}

}  // namespace scalescope::ui
