// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/keeping.hpp"

#include "ui/language/told.hpp"

namespace scalescope::ui {

Keeping& Keeping::instance() {
    static Keeping keeping;
    return keeping;
}

void Keeping::report(const QString& key, const QString& what, const std::string& reason) {
    const Trouble now{what, reason};
    {
        std::lock_guard lock(mutex_);
        if (reason.empty() ? !troubles_.contains(key) : troubles_.value(key) == now) return;
        if (reason.empty())
            troubles_.remove(key);
        else
            troubles_[key] = now;
    }
    emit changed();
}

bool Keeping::is_in_trouble(const QString& key) const {
    std::lock_guard lock(mutex_);
    return troubles_.contains(key);
}

QString Keeping::trouble() const {
    std::lock_guard lock(mutex_);
    if (troubles_.isEmpty()) return {};
    return tr("%1 cannot be stored: %2").arg(troubles_.first().what, told(troubles_.first().reason));
}

}  // namespace scalescope::ui
