// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>

class QVBoxLayout;

namespace scalescope::ui {

class Banner;

/// Shows one sentence at a time above the contents of a window: a notice or an error.
class Messages {
public:
    /// Adds its banners to the end of `column`, which owns them.
    explicit Messages(QVBoxLayout& column);
    void say(const QString& sentence, bool error = false);
    /// The same in one line; the rest of the text is one click away.
    void describe(const QString& text);
    void clear();
    bool empty() const;
    /// Adds a button beside the sentence.
    void offer(const QString& title, std::function<void()> action, bool primary = false);
    /// Sets a tooltip with the details that the sentence leaves out.
    void set_tip(const QString& tip);
    /// Says that another program changed the file of a document, and offers what to do about it.
    void offer_changed_file(const QString& file, const std::function<void()>& reload, const std::function<void()>& keep,
                            const std::function<void()>& save_as);
    /// To be called after the file was saved: hides the offer above, and any error.
    void forget_changed_file();

private:
    Banner *notice_, *failure_;
    Banner& shown() const;
};

}  // namespace scalescope::ui
