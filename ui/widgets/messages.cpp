// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/messages.hpp"

#include <QPushButton>
#include <utility>

#include "ui/widgets/banner.hpp"

namespace scalescope::ui {

Messages::Messages(QVBoxLayout& column)
    : notice_(add_banner(column, Banner::Kind::info)), failure_(add_banner(column, Banner::Kind::error)) {}

void Messages::say(const QString& sentence, bool error) {
    for (Banner* b : {notice_, failure_}) {
        b->remove_buttons();
        b->setToolTip({});
    }
    (error ? failure_ : notice_)->set_text({}, sentence);
    notice_->setVisible(!error);
    failure_->setVisible(error);
}

void Messages::describe(const QString& text) {
    say({});
    notice_->set_brief(text);
}

void Messages::clear() {
    for (Banner* b : {notice_, failure_}) b->hide();
}

bool Messages::empty() const { return notice_->isHidden() && failure_->isHidden(); }

void Messages::offer(const QString& title, std::function<void()> action, bool primary) {
    Banner& banner = shown();
    QObject::connect(banner.add_button(title, primary), &QPushButton::clicked, &banner, std::move(action));
}

void Messages::set_tip(const QString& tip) { shown().setToolTip(tip); }

void Messages::offer_changed_file(const QString& file, const std::function<void()>& reload,
                                  const std::function<void()>& keep, const std::function<void()>& save_as) {
    say({});
    const auto keep_mine = [this, keep] {
        clear();
        keep();
    };
    notice_->offer_changed_file(file, reload, keep_mine, save_as);
}

void Messages::forget_changed_file() {
    failure_->hide();
    if (notice_->is_about_changed_file()) notice_->hide();
}

Banner& Messages::shown() const { return failure_->isHidden() ? *notice_ : *failure_; }

}  // namespace scalescope::ui
