// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/search/search_session.hpp"

#include "ui/search/search_document.hpp"

namespace scalescope::ui {

SearchSession::SearchSession(SearchDocument& document, const QString& sessions, QObject* parent)
    : QObject(parent), document_(document), session_(folder(sessions)) {
    // A text of a few lines: read at once.
    if (const auto left = session_.find_left_behind()) {
        if (auto asked = search::read_asked(left->scenario_text, tr("the recovered search").toStdString())) {
            document_.set_asked(std::move(*asked));
            session_.forget_left_behind(*left);
        } else {
            const QString now = Session::set_aside(*left);
            unreadable_ = now.isEmpty() ? left->found_at : now;
        }
    }
    kept_.vary.clear();
    connect(&document_, &SearchDocument::asked_changed, this, &SearchSession::keep);
    keep();
    session_.flush();
}

void SearchSession::keep() {
    if (kept_ == document_.asked()) return;
    kept_ = document_.asked();
    session_.keep([asked = kept_] { return search::asked_json(asked); }, {{}, {}, false, false}, true);
}

}  // namespace scalescope::ui
