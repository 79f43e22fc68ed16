// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ostream>
#include <streambuf>

namespace scalescope::app {

/// While it lives, control characters other than ends of lines and tabs are '?' in what is written to a stream: names
/// in files that verbs tell must not steer a terminal. Other bytes pass as they are.
class TerminalGuard final : public std::streambuf {
public:
    explicit TerminalGuard(std::ostream& stream) : stream_(stream), behind_(stream.rdbuf(this)) {}
    ~TerminalGuard() override {
        flush_lead();
        stream_.rdbuf(behind_);
    }
    TerminalGuard(const TerminalGuard&) = delete;
    TerminalGuard& operator=(const TerminalGuard&) = delete;

private:
    int_type overflow(int_type character) override;
    int sync() override;
    bool flush_lead();
    bool put(char c) { return behind_->sputc(c) != traits_type::eof(); }

    std::ostream& stream_;
    std::streambuf* behind_;
    bool lead_ =
        false;  ///< 0xC2 was written, the first byte of a control character from U+0080 to U+009F, or of another
};

}  // namespace scalescope::app
