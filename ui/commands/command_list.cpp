// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/command_list.hpp"

#include <QHash>
#include <algorithm>

namespace scalescope::ui {
namespace {

std::u16string_view letters(const QString& s) {
    return {reinterpret_cast<const char16_t*>(s.utf16()), static_cast<std::size_t>(s.size())};
}

}  // namespace

void CommandList::set_commands(Commands all, const QStringList& lately) {
    beginResetModel();
    all_.clear();
    offers_.clear();
    found_.clear();
    all_.reserve(all.size());
    QHash<QString, int> seen;  // two charts may have one title, and so two commands one place
    for (Command& c : all) {
        if (const int before = seen[c.id]++; before > 0) c.id += QStringLiteral(" %1").arg(before + 1);
        Entry e;
        e.title = FuzzyText(letters(c.title));
        e.about = FuzzyText(letters(QString(c.place + QLatin1Char(' ') + c.about)));
        const qsizetype ago = lately.indexOf(c.id);
        if (ago >= 0) e.bonus = recency_bonus(static_cast<std::size_t>(ago));
        e.command = std::move(c);
        all_.push_back(std::move(e));
    }
    endResetModel();
    find({}, {});
}

void CommandList::find(const QString& typed, Commands offers) {
    beginResetModel();
    typed_ = typed;
    offers_ = std::move(offers);
    const FuzzyQuery query(letters(typed));
    struct Hit {
        int worth;
        std::size_t length, at;
    };
    std::vector<Hit> hits;
    for (std::size_t i = 0; i < all_.size(); ++i)
        if (const auto worth = query.score(all_[i].title, all_[i].about))
            // What is off is rarely what is meant.
            hits.push_back({*worth + all_[i].bonus - (all_[i].command.enabled ? 0 : 4),
                            query.empty() ? 0 : all_[i].title.size(), i});
    std::sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) {
        if (a.worth != b.worth) return a.worth > b.worth;
        return a.length != b.length ? a.length < b.length : a.at < b.at;
    });
    found_.clear();
    for (const Hit& hit : hits) found_.push_back(hit.at);
    endResetModel();
}

const Command* CommandList::command(int row) const {
    const auto at = static_cast<std::size_t>(row);
    if (row < 0) return nullptr;
    if (at < offers_.size()) return &offers_[at];
    return at - offers_.size() < found_.size() ? &all_[found_[at - offers_.size()]].command : nullptr;
}

std::vector<std::size_t> CommandList::marked(int row) const {
    const auto at = static_cast<std::size_t>(row);
    if (row < 0 || at < offers_.size() || at - offers_.size() >= found_.size()) return {};
    return FuzzyQuery(letters(typed_)).places(all_[found_[at - offers_.size()]].title);
}

int CommandList::rowCount(const QModelIndex& parent) const {
    if (parent.isValid()) return 0;
    return std::max(1, static_cast<int>(offers_.size() + found_.size()));
}

QVariant CommandList::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Command* c = command(index.row());
    if (!c) {
        if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole)
            return tr("Nothing is called “%1”.").arg(typed_.trimmed());
        return {};
    }
    switch (role) {
        case Qt::DisplayRole: return c->title;
        case Qt::ToolTipRole: return c->why_not;
        case Qt::AccessibleTextRole: {
            QStringList words{c->title, c->place};
            if (c->on) words << tr("on");
            if (!c->keys.isEmpty()) words << c->keys;
            if (!c->enabled) words << (c->why_not.isEmpty() ? tr("not available") : c->why_not);
            return words.join(QStringLiteral(", "));
        }
        default: return {};
    }
}

/// What is off can be read, and so be chosen, but nothing comes of it.
Qt::ItemFlags CommandList::flags(const QModelIndex& index) const {
    if (!index.isValid() || !command(index.row())) return Qt::NoItemFlags;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable;
}

}  // namespace scalescope::ui
