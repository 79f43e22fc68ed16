// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>

#include "core/base/fuzzy.hpp"
#include "ui/commands/command.hpp"

namespace scalescope::ui {

/// Commands that fit what was typed, the likeliest first; while nothing is typed, what was used lately and then all.
class CommandList final : public QAbstractListModel {
    Q_OBJECT
public:
    using QAbstractListModel::QAbstractListModel;

    /// `lately`: ids of what was used, the newest first.
    void set_commands(Commands all, const QStringList& lately);
    /// `offers` stand above all others, whatever their names.
    void find(const QString& typed, Commands offers);

    std::size_t known() const { return all_.size(); }
    /// A row without a command says that nothing was found.
    const Command* command(int row) const;
    /// Letters of the title that were typed.
    std::vector<std::size_t> marked(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    struct Entry {
        Command command;
        FuzzyText title, about;
        int bonus = 0;
    };
    std::vector<Entry> all_;
    Commands offers_;
    std::vector<std::size_t> found_;  ///< positions in all_
    QString typed_;
};

}  // namespace scalescope::ui
