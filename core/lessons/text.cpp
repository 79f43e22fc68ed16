// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/text.hpp"

#include <algorithm>

#include "core/base/limits.hpp"
#include "core/numerics/expression.hpp"

namespace scalescope::lessons {
namespace {

Problem problem_in_text(int column, std::string what, std::string remedy) {
    return make_error(std::move(what), std::move(remedy), {{}, 1, column});
}

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u; }

int characters_in(std::string_view text) {
    return static_cast<int>(std::ranges::count_if(text, [](char c) { return !continues_character(c); }));
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view space = " \t\n\r";
    const auto from = text.find_first_not_of(space);
    if (from == std::string_view::npos) return {};
    return text.substr(from, text.find_last_not_of(space) - from + 1);
}

/// Reads the spans of one line. `column` is that of its first character.
class LineParser {
public:
    LineParser(std::string_view text, int column, const FigureText& figure)
        : text_(text), column_(column), figure_(figure) {}

    Result<Line> parse() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            const bool fine = c == '\\'   ? escape()
                              : c == '*'  ? star()
                              : c == '`'  ? verbatim('`', Span::Kind::code)
                              : c == '$'  ? verbatim('$', Span::Kind::formula)
                              : c == '{'  ? figure()
                              : c == '}'  ? refuse(column(), "This brace closes nothing.", R"(Write \} for a brace.)")
                              : c == '\n' ? letter(" ")
                                          : letter(text_.substr(at_, 1));
            if (!fine) return fail(std::move(problem_));
        }
        if (mode_ != Span::Kind::plain) {
            at_ = opened_;
            refuse(column(), mode_ == Span::Kind::strong ? "** is not closed." : "* is not closed.",
                   R"(Close it with the same sign, or write \* for an asterisk.)");
            return fail(std::move(problem_));
        }
        return std::move(line_);
    }

private:
    int column() const { return column_ + characters_in(text_.substr(0, at_)); }

    bool refuse(int column, std::string what, std::string remedy) {
        problem_ = problem_in_text(column, std::move(what), std::move(remedy));
        return false;
    }

    void add(Span::Kind kind, std::string_view text) {
        const bool joins = kind == Span::Kind::plain || kind == Span::Kind::emphasis || kind == Span::Kind::strong;
        if (joins && !line_.empty() && line_.back().kind == kind && !closed_)
            line_.back().text += text;
        else
            line_.push_back({kind, std::string(text)});
        closed_ = false;
        ++spans_;
    }

    bool letter(std::string_view text) {
        add(mode_, text);
        ++at_;
        return true;
    }

    bool escape() {
        constexpr std::string_view known = "\\*`${}#-!";
        if (at_ + 1 >= text_.size() || known.find(text_[at_ + 1]) == std::string_view::npos)
            return refuse(column(), "A backslash stands before a character that has no meaning to lose.",
                          R"(Write \\ for a backslash.)");
        add(mode_, text_.substr(at_ + 1, 1));
        at_ += 2;
        return true;
    }

    bool star() {
        const bool two = text_.substr(at_, 2) == "**";
        const auto kind = two ? Span::Kind::strong : Span::Kind::emphasis;
        if (mode_ == kind) {
            if (spans_ == opened_spans_)
                return refuse(column(), "Nothing stands between these asterisks.", R"(Write \* for an asterisk.)");
            mode_ = Span::Kind::plain;
        } else if (mode_ == Span::Kind::plain) {
            mode_ = kind;
            opened_ = at_;
            opened_spans_ = spans_;
        } else {
            return refuse(column(), "*Emphasis* and **strong** do not stand inside each other.", "Close the first.");
        }
        closed_ = true;
        at_ += two ? 2 : 1;
        return true;
    }

    bool verbatim(char sign, Span::Kind kind) {
        const auto end = text_.find(sign, at_ + 1);
        const std::string what(1, sign);
        if (end == std::string_view::npos || end == at_ + 1)
            return refuse(
                column(),
                end == at_ + 1 ? "Nothing stands between " + what + " and " + what + "." : what + " is not closed.",
                "Close it with " + what + ", or write \\" + what + " for the character.");
        const auto inside = text_.substr(at_ + 1, end - at_ - 1);
        if (kind == Span::Kind::formula)
            if (const auto read = numerics::parse_expression(inside); !read) {
                problem_ = read.error().front();
                problem_.at.column += column();
                return false;
            }
        add(kind, inside);
        at_ = end + 1;
        return true;
    }

    bool figure() {
        const auto end = text_.find('}', at_);
        if (end == std::string_view::npos)
            return refuse(column(), "{ is not closed.", R"(Close it with }, or write \{ for a brace.)");
        const auto name = text_.substr(at_ + 1, end - at_ - 1);
        const auto shown = figure_ ? figure_(name) : std::nullopt;
        if (!shown)
            return refuse(column(), "There is no figure called \"" + std::string(name.substr(0, 60)) + "\".",
                          "Give an assertion of the lesson this name, and say what is shown for it.");
        add(Span::Kind::figure, *shown);
        at_ = end + 1;
        return true;
    }

    std::string_view text_;
    int column_;
    const FigureText& figure_;
    std::size_t at_ = 0;
    Span::Kind mode_ = Span::Kind::plain;
    bool closed_ = false;                       ///< the last span ends here
    std::size_t opened_ = 0;                    ///< where the asterisk stands that is still open
    std::size_t spans_ = 0, opened_spans_ = 0;  ///< pieces that were added, by now and then
    Line line_;
    Problem problem_;
};

/// One block; an item of a list is a list of its own.
Result<Block> parse_block(std::string_view source, const FigureText& figure) {
    if (source.size() > limits::lesson_text_bytes)
        return fail(problem_in_text(
            1, "This text is longer than " + std::to_string(limits::lesson_text_bytes) + " characters.", "Split it."));
    const auto text = trimmed(source);
    if (text.empty()) return fail(problem_in_text(1, "This text is empty.", "Remove it."));
    const int first = 1 + characters_in(source.substr(0, static_cast<std::size_t>(text.data() - source.data())));
    Block block;
    std::size_t skip = 0;
    if (text.starts_with("$$")) {
        if (text.size() < 5 || !text.ends_with("$$"))
            return fail(problem_in_text(first, "$$ is not closed.", "End the formula with $$."));
        block.kind = Block::Kind::formula;
        const auto inside = text.substr(2, text.size() - 4);
        if (const auto read = numerics::parse_expression(inside); !read) {
            Problem p = read.error().front();
            p.at.column += first + 1;
            return fail(std::move(p));
        }
        block.name = trimmed(inside);
        return block;
    }
    if (text.starts_with("![")) {
        const auto end = text.find(']');
        if (end == std::string_view::npos || end == 2)
            return fail(problem_in_text(first, "A picture has no name.", "Write ![name] and what stands below it."));
        block.kind = Block::Kind::picture;
        block.name = text.substr(2, end - 2);
        skip = end + 1;
    } else if (text.starts_with("# ")) {
        block.kind = Block::Kind::heading;
        skip = 2;
    } else if (text.starts_with("- ")) {
        block.kind = Block::Kind::list;
        skip = 2;
    }
    const auto inside = trimmed(text.substr(skip));
    if (inside.empty() && block.kind == Block::Kind::picture) return block;
    const auto before = static_cast<std::size_t>(inside.data() - text.data());
    ASSIGN_OR_RETURN(auto line, LineParser(inside, first + characters_in(text.substr(0, before)), figure).parse());
    block.lines.push_back(std::move(line));
    return block;
}

}  // namespace

Result<Line> parse_line(std::string_view source, const FigureText& figure) {
    if (source.size() > limits::lesson_text_bytes)
        return fail(problem_in_text(1, "This text is too long.", "Shorten it."));
    if (trimmed(source).empty()) return fail(problem_in_text(1, "This text is empty.", "Write a sentence."));
    return LineParser(source, 1, figure).parse();
}

Result<std::vector<Block>> parse_blocks(const std::vector<std::string>& source, const FigureText& figure) {
    std::vector<Block> blocks;
    Problems problems;
    for (std::size_t i = 0; i < source.size(); ++i) {
        auto block = parse_block(source[i], figure);
        if (!block) {
            block.error().front().at.line = static_cast<int>(i + 1);
            problems.push_back(std::move(block.error().front()));
        } else if (block->kind == Block::Kind::list && !blocks.empty() && blocks.back().kind == Block::Kind::list) {
            blocks.back().lines.push_back(std::move(block->lines.front()));
        } else {
            blocks.push_back(std::move(*block));
        }
    }
    if (!problems.empty()) return fail(std::move(problems));
    return blocks;
}

std::string plain(const Line& line) {
    std::string all;
    for (const Span& s : line) all += s.text;
    return all;
}

std::string plain(const std::vector<Block>& blocks) {
    std::string all;
    for (const Block& b : blocks) {
        if (b.kind == Block::Kind::formula) all += b.name + '\n';
        for (const Line& line : b.lines) all += plain(line) + '\n';
    }
    return all;
}

std::string escaped(std::string_view text) {
    constexpr std::string_view known = "\\*`${}";
    std::string all;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool first = i == 0 && (text[i] == '#' || text[i] == '-' || text[i] == '!');
        if (first || known.find(text[i]) != std::string_view::npos) all += '\\';
        all += text[i];
    }
    return all;
}

}  // namespace scalescope::lessons
