// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/formats/trainers/characters.hpp"
#include "core/formats/trainers/shell_words.hpp"

namespace scalescope::formats::trainers {
namespace {

constexpr std::string_view gaps = " \t\r", separators = ";&|()\n";

class Tokenizer {
public:
    explicit Tokenizer(std::string_view text) : text_(text) {}

    std::vector<ShellToken> all() {
        while (at_ < text_.size()) next();
        end_of_line();
        return std::move(tokens_);
    }

private:
    void next() {
        const char c = text_[at_];
        if (gaps.find(c) != std::string_view::npos) {
            ++at_;
        } else if (text_.substr(at_, 2) == "\\\n") {
            at_ += 2;
            ++line_;
        } else if (text_.substr(at_, 3) == "\\\r\n") {
            at_ += 3;
            ++line_;
        } else if (c == '#') {
            at_ = after_comment(at_);
        } else if (c == '\n') {
            ++at_;
            end_of_line();
        } else if (separators.find(c) != std::string_view::npos) {
            const bool twice = c != '(' && c != ')' && text_.substr(at_ + 1, 1) == text_.substr(at_, 1);
            add(ShellToken::Kind::separator, at_ + (twice ? 2 : 1));
        } else if (c == '<' || c == '>') {
            const auto end = std::min(text_.find_first_not_of("<>&-", at_), text_.size());
            heredoc_next_ = text_.substr(at_, 2) == "<<" && text_.substr(at_, 3) != "<<<";
            add(ShellToken::Kind::redirection, end);
        } else {
            word();
        }
    }

    void add(ShellToken::Kind kind, std::size_t end) {
        tokens_.push_back({kind, std::string(text_.substr(at_, end - at_)), line_});
        line_ += static_cast<int>(std::ranges::count(tokens_.back().text, '\n'));
        at_ = end;
    }

    /// Here-documents that began on the line follow it.
    void end_of_line() {
        ++line_;
        for (const std::string& tag : tags_) {
            std::string body;
            const int first = line_;
            while (at_ < text_.size()) {
                const auto end = std::min(text_.find('\n', at_), text_.size());
                std::string_view line = text_.substr(at_, end - at_);
                at_ = std::min(end + 1, text_.size());
                ++line_;
                if (line.find_first_not_of("\t") != std::string_view::npos &&
                    line.substr(line.find_first_not_of("\t")) == tag)
                    break;
                body += std::string(line) + '\n';
            }
            tokens_.push_back({ShellToken::Kind::document, std::move(body), first});
        }
        tags_.clear();
        tokens_.push_back({ShellToken::Kind::separator, "\n", line_ - 1});
    }

    void word() {
        std::size_t end = at_;
        while (end < text_.size()) {
            const char c = text_[end];
            if (c == '(' && end > at_ && text_[end - 1] == '=') {
                end = closed(end);
                continue;
            }
            if (c == '<' || c == '>' || gaps.find(c) != std::string_view::npos ||
                separators.find(c) != std::string_view::npos)
                break;
            end = after(end);
        }
        add(ShellToken::Kind::word, std::max(end, at_ + 1));
        if (!heredoc_next_) return;
        heredoc_next_ = false;
        std::string tag = tokens_.back().text;
        std::erase_if(tag, [](char c) { return c == '"' || c == '\'' || c == '\\'; });
        tags_.push_back(std::move(tag));
    }

    /// Behind the character, quoted text or expansion at `at`.
    std::size_t after(std::size_t at) const {
        const char c = text_[at];
        if (c == '\\') return std::min(at + 2, text_.size());
        if (c == '\'') return std::min(text_.find('\'', at + 1), text_.size() - 1) + 1;
        if (c == '"' || c == '`') {
            for (++at; at < text_.size() && text_[at] != c;) at = text_[at] == '\\' ? at + 2 : at + 1;
            return std::min(at + 1, text_.size());
        }
        if (c == '$' && at + 1 < text_.size() && (text_[at + 1] == '(' || text_[at + 1] == '{')) return closed(at + 1);
        return at + 1;
    }

    std::size_t after_comment(std::size_t at) const { return std::min(text_.find('\n', at), text_.size()); }

    /// Behind the bracket that closes the one at `at`.
    std::size_t closed(std::size_t at) const {
        const char open = text_[at], close = open == '(' ? ')' : '}';
        int depth = 0;
        while (at < text_.size()) {
            const char c = text_[at];
            if (c == '#' && blanks.find(text_[at - 1]) != std::string_view::npos) {
                at = after_comment(at);
                continue;
            }
            if (c == open) ++depth;
            if (c == close && --depth == 0) return at + 1;
            at = c == '\\' || c == '\'' || c == '"' || c == '`' ? after(at) : at + 1;
        }
        return text_.size();
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int line_ = 1;
    bool heredoc_next_ = false;
    std::vector<std::string> tags_;
    std::vector<ShellToken> tokens_;
};

}  // namespace

std::vector<ShellToken> shell_tokens(std::string_view text) { return Tokenizer(text).all(); }

}  // namespace scalescope::formats::trainers
