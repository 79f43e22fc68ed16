// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

namespace scalescope::ui {

/// One page of the help: what stands between two headings of the first level.
struct HelpPage {
    QString id;       ///< "chart-speedup"
    QString chapter;  ///< the file's heading in the contents
    QString title;
    QString markdown;  ///< without the title
};

/// The pages of resources/help, which are compiled in. A file is a chapter, "# Title {#id}" begins a page, and
/// "[text](id)" leads to one.
class HelpBook {
public:
    /// In the language of the window (resources/help/CODE); read once.
    static const HelpBook& shipped();
    /// Adds the pages of a file.
    void read(const QString& chapter, const QString& text);

    const std::vector<HelpPage>& pages() const { return pages_; }
    const HelpPage* page(const QString& id) const;
    /// Pages that have every word, those with all of them in the title first; all pages for no word.
    std::vector<const HelpPage*> find(const QString& words) const;
    /// Ids to which a page leads.
    static QStringList links_of(const HelpPage& page);

private:
    std::vector<HelpPage> pages_;
};

/// What the program can tell about itself without being asked: versions and what each brought, from the CHANGELOG
/// compiled in; the newest first.
struct VersionNews {
    QString version;   ///< "0.1.0"; "Unreleased"
    QString markdown;  ///< its section
};
std::vector<VersionNews> shipped_news();
std::vector<VersionNews> read_news(const QString& changelog);

}  // namespace scalescope::ui
