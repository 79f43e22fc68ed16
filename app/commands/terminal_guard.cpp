// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/terminal_guard.hpp"

#include <utility>

namespace scalescope::app {

namespace {
constexpr unsigned char lead_of_controls = 0xC2;
}

bool TerminalGuard::flush_lead() { return !std::exchange(lead_, false) || put(static_cast<char>(lead_of_controls)); }

TerminalGuard::int_type TerminalGuard::overflow(int_type character) {
    if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(character);
    const char c = traits_type::to_char_type(character);
    const auto byte = static_cast<unsigned char>(c);
    bool done = true;
    if (lead_ && byte >= 0x80 && byte < 0xA0) {
        lead_ = false;
        done = put('?');
    } else {
        done = flush_lead();
        const bool control = (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F;
        if (byte == lead_of_controls)
            lead_ = true;
        else
            done = put(control ? '?' : c) && done;
    }
    return done ? character : traits_type::eof();
}

int TerminalGuard::sync() { return flush_lead() ? behind_->pubsync() : -1; }

}  // namespace scalescope::app
