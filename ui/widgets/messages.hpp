// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>

class QVBoxLayout;

namespace scalescope::ui {

class Banner;

/// One sentence at a time above the contents of a window: a notice, or what failed.
class Messages {
public:
    /// At the end of `column`, which owns the banners.
    explicit Messages(QVBoxLayout& column);
    void say(const QString& sentence, bool error = false);
    void clear();
    bool empty() const;
    /// A button beside the sentence.
    void offer(const QString& title, std::function<void()> action, bool primary = false);
    /// All of what the sentence says a part of.
    void set_tip(const QString& tip);
    /// Says that another program changed the file of a document, and offers what to do about it.
    void offer_changed_file(const QString& file, const std::function<void()>& reload, const std::function<void()>& keep,
                            const std::function<void()>& save_as);
    /// The file is saved: neither that nor a failure to do so holds any more.
    void forget_changed_file();

private:
    Banner *notice_, *failure_;
    Banner& shown() const;
};

}  // namespace scalescope::ui
