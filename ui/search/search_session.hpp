// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "core/search/asked.hpp"
#include "ui/document/session.hpp"

namespace scalescope::ui {

class SearchDocument;

/// Keeps the question of a search on disk, as the main window keeps its scenario, and goes on with the one of last
/// time. The answer is not kept: it is found again.
class SearchSession final : public QObject {
    Q_OBJECT
public:
    /// Where sessions of searches stand beside those of scenarios.
    static QString folder(const QString& sessions) { return sessions + QStringLiteral("/searches"); }

    SearchSession(SearchDocument& document, const QString& sessions, QObject* parent = nullptr);
    Session& session() { return session_; }
    /// The file of a question that could not be read, which was kept; empty if there was none.
    const QString& unreadable() const { return unreadable_; }
    /// The process ends by itself.
    void close() { session_.close(); }

private:
    void keep();

    SearchDocument& document_;
    Session session_;
    search::Asked kept_;
    QString unreadable_;
};

}  // namespace scalescope::ui
