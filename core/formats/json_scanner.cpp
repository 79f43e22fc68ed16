// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/json_scanner.hpp"

#include "core/base/limits.hpp"
#include "core/base/utf8.hpp"

#include <array>

namespace scalescope::formats {

namespace {

/// Bytes that end the part of a text that can be taken as it is.
constexpr std::array<bool, 256> special_in_text = [] {
    std::array<bool, 256> special{};
    for (std::size_t c = 0; c < 0x20; ++c) special[c] = true;
    special['"'] = special['\\'] = true;
    return special;
}();

/// What counts where only nesting and lines are followed.
constexpr std::array<bool, 256> special_in_nesting = [] {
    std::array<bool, 256> special{};
    for (const char c : {'"', '{', '}', '[', ']', '\n'}) special[static_cast<std::size_t>(c)] = true;
    return special;
}();

bool in_number(char c) { return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'; }

/// A number as JSON writes it: -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)?
bool is_number(std::string_view written) {
    std::size_t at = 0;
    const auto take = [&](std::string_view any) {
        const bool found = at < written.size() && any.find(written[at]) != std::string_view::npos;
        if (found) ++at;
        return found;
    };
    const auto digits = [&] {
        const std::size_t first = at;
        while (at < written.size() && written[at] >= '0' && written[at] <= '9') ++at;
        return at > first;
    };
    take("-");
    if (!take("0") && !digits()) return false;
    if (take(".") && !digits()) return false;
    if (take("eE")) {
        take("+-");
        if (!digits()) return false;
    }
    return at == written.size();
}

std::size_t plain_length(std::string_view text) {
    std::size_t n = 0;
    while (n < text.size() && !special_in_text[static_cast<unsigned char>(text[n])]) ++n;
    return n;
}

}  // namespace

ScanEnd JsonScanner::run() {
    if (stream_.rest().starts_with("\xEF\xBB\xBF")) stream_.skip(3);
    if (!value()) return end_;
    stream_.skip_blanks();
    return stream_.at_end() ? ScanEnd::whole : ScanEnd::not_json;
}

bool JsonScanner::stop(ScanEnd why) {
    end_ = why;
    return false;
}

bool JsonScanner::value() {
    stream_.skip_blanks();
    if (stream_.at_end()) return missing();
    begin_token();
    const char c = stream_.current();
    if (c == '"') {
        std::string_view text;
        if (!read_text(text)) return false;
        return events_.text(text) ? done() : stop(ScanEnd::refused);
    }
    if (c == '{' || c == '[') {
        if (depth_ == limits::json_depth) return stop(ScanEnd::too_deep);
        in_token_ = false;
        const JsonWish wish = events_.begins(c == '{');
        if (wish == JsonWish::stop) return stop(ScanEnd::refused);
        if (wish == JsonWish::skip) return skip_nested();
        stream_.skip(1);
        done();
        ++depth_;
        if (!(c == '{' ? object() : list())) return false;
        --depth_;
        if (!events_.ends()) return stop(ScanEnd::refused);
        stream_.skip(1);
        return done();
    }
    if (c == 't') return word("true");
    if (c == 'f') return word("false");
    if (c == 'n') return word("null");
    if (c == '-' || (c >= '0' && c <= '9')) return number();
    in_token_ = false;
    return stop(ScanEnd::not_json);
}

bool JsonScanner::skip_nested() {
    for (int open = 0;;) {
        const auto rest = stream_.rest();
        std::size_t n = 0;
        while (n < rest.size() && !special_in_nesting[static_cast<unsigned char>(rest[n])]) ++n;
        stream_.skip(n);
        stream_.token_understood();
        if (stream_.at_end()) return missing();
        if (n == rest.size()) continue;
        const char c = stream_.current();
        std::string_view passed_by;
        if (c == '"') {
            if (!read_text(passed_by)) return false;
            done();
        } else if (c == '\n') {
            stream_.advance();
        } else if (c == '{' || c == '[') {
            if (depth_ + ++open > limits::json_depth) return stop(ScanEnd::too_deep);
            stream_.skip(1);
        } else {
            stream_.skip(1);
            if (--open == 0) return true;
        }
    }
}

bool JsonScanner::list() {
    for (bool first = true;; first = false) {
        stream_.skip_blanks();
        if (stream_.at_end()) return missing();
        if (first && stream_.current() == ']') return true;
        if (!value()) return false;
        stream_.skip_blanks();
        if (stream_.at_end()) return missing();
        if (stream_.current() == ']') return true;
        if (stream_.current() != ',') return stop(ScanEnd::not_json);
        stream_.skip(1);
    }
}

bool JsonScanner::object() {
    for (bool first = true;; first = false) {
        stream_.skip_blanks();
        if (stream_.at_end()) return missing();
        if (first && stream_.current() == '}') return true;
        if (stream_.current() != '"') return stop(ScanEnd::not_json);
        begin_token();
        std::string_view name;
        if (!read_text(name)) return false;
        if (!events_.key(name)) return stop(ScanEnd::refused);
        done();
        stream_.skip_blanks();
        if (stream_.at_end()) return missing();
        if (stream_.current() != ':') return stop(ScanEnd::not_json);
        stream_.skip(1);
        if (!value()) return false;
        stream_.skip_blanks();
        if (stream_.at_end()) return missing();
        if (stream_.current() == '}') return true;
        if (stream_.current() != ',') return stop(ScanEnd::not_json);
        stream_.skip(1);
    }
}

bool JsonScanner::number() {
    const auto rest = stream_.rest();
    std::size_t n = 0;
    while (n < rest.size() && in_number(rest[n])) ++n;
    std::string_view written = rest.substr(0, n);
    pending_ = n;
    if (n == rest.size()) {  // it may go on in the next piece
        copy_.assign(written);
        stream_.skip(n);
        for (; !stream_.at_end() && in_number(stream_.current()); stream_.skip(1)) copy_ += stream_.current();
        written = copy_;
        pending_ = 0;
    }
    if (!is_number(written)) return stream_.at_end() ? missing() : stop(ScanEnd::not_json);
    return events_.number(written) ? done() : stop(ScanEnd::refused);
}

bool JsonScanner::word(std::string_view expected) {
    for (const char c : expected) {
        if (stream_.at_end()) return missing();
        if (stream_.current() != c) return stop(ScanEnd::not_json);
        stream_.skip(1);
    }
    return events_.word(expected) ? done() : stop(ScanEnd::refused);
}

bool JsonScanner::done() {
    stream_.skip(pending_);
    pending_ = 0;
    in_token_ = false;
    stream_.token_understood();
    return true;
}

bool JsonScanner::read_text(std::string_view& text) {
    stream_.skip(1);
    if (stream_.at_end()) return missing();
    const auto rest = stream_.rest();
    std::size_t n = plain_length(rest);
    if (n < rest.size() && rest[n] == '"') {
        text = rest.substr(0, n);
        pending_ = n + 1;
        return true;
    }
    copy_.clear();
    high_ = 0;
    for (;;) {
        if (strict_ && wants_half() && stream_.current() != '\\') return stop(ScanEnd::not_json);
        const auto more = stream_.rest();
        n = plain_length(more);
        copy_.append(more.substr(0, n));
        stream_.skip(n);
        if (stream_.at_end()) return missing();
        if (n == more.size()) continue;
        if (stream_.current() == '"') break;
        if (stream_.current() != '\\') return stop(ScanEnd::not_json);
        if (!escape()) return false;
    }
    text = copy_;
    pending_ = 1;
    return true;
}

bool JsonScanner::escape() {
    constexpr std::string_view letters = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
    stream_.skip(1);
    if (stream_.at_end()) return missing();
    const char c = stream_.current();
    const bool half = wants_half();
    if (const auto at = letters.find(c); at != std::string_view::npos && !(half && strict_)) {
        copy_ += meant[at];
        stream_.skip(1);
        return true;
    }
    if (c != 'u') return stop(ScanEnd::not_json);
    stream_.skip(1);
    unsigned code = 0;
    if (!read_hex(code)) return false;
    const bool high = code >= 0xD800 && code < 0xDC00, low = code >= 0xDC00 && code < 0xE000;
    if (strict_ && half != low) return stop(ScanEnd::not_json);
    if (low && half) {
        copy_.resize(copy_.size() - replacement_character.size());
        append_utf8(copy_, 0x10000u + ((high_ - 0xD800u) << 10) + (code - 0xDC00u));
    } else if (high || low) {
        copy_ += replacement_character;  // half of a pair, until its other half comes
    } else {
        append_utf8(copy_, code);
    }
    high_ = high ? code : 0;
    after_high_ = copy_.size();
    return true;
}

bool JsonScanner::read_hex(unsigned& code) {
    constexpr std::string_view digits = "0123456789abcdef";
    for (int i = 0; i < 4; ++i) {
        if (stream_.at_end()) return missing();
        const char c = stream_.current();
        const auto digit = digits.find(c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c);
        if (digit == std::string_view::npos) return stop(ScanEnd::not_json);
        code = code * 16 + static_cast<unsigned>(digit);
        stream_.skip(1);
    }
    return true;
}

}  // namespace scalescope::formats
