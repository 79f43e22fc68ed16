// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/keeping.hpp"

#include <QThread>

#include "ui/language/told.hpp"

namespace scalescope::ui {

Keeping& Keeping::instance() {
    static Keeping keeping;
    return keeping;
}

void Keeping::report(const QString& key, const QString& what, const std::string& reason) {
    if (QThread::currentThread() != thread()) {
        QMetaObject::invokeMethod(
            this, [=, this] { report(key, what, reason); }, Qt::QueuedConnection);
        return;
    }
    const Trouble now{what, reason};
    if (reason.empty() ? !troubles_.contains(key) : troubles_.value(key) == now) return;
    if (reason.empty())
        troubles_.remove(key);
    else
        troubles_[key] = now;
    emit changed();
}

QString Keeping::trouble() const {
    if (troubles_.isEmpty()) return {};
    return tr("%1 cannot be stored: %2").arg(troubles_.first().what, told(troubles_.first().reason));
}

}  // namespace scalescope::ui
