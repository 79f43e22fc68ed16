// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/problem.hpp"

/// The small markup of lessons. A text is a list of strings, one for each block:
///
///     # A heading
///     - An item of a list; items that follow each other are one list
///     $$ communication / step $$          a formula of its own (core/numerics)
///     ![ring] Four workers in a ring      a picture by name, and what stands below it
///     Anything else is a paragraph.
///
/// Inside: *emphasis*, **strong**, `code`, $formula$, and {name}, the figure of that name as its assertion says it. A
/// backslash takes the meaning from the character after it.
namespace scalescope::lessons {

/// A piece of a line.
struct Span {
    enum class Kind { plain, emphasis, strong, code, figure, formula };
    Kind kind = Kind::plain;
    std::string text;  ///< of a figure what is shown, of a formula an expression that parses
    bool operator==(const Span&) const = default;
};
using Line = std::vector<Span>;

struct Block {
    enum class Kind { heading, paragraph, list, formula, picture };
    Kind kind = Kind::paragraph;
    std::vector<Line> lines;  ///< one; of a list one for each item; of a picture what stands below it, perhaps nothing
    std::string name;         ///< of a picture its name, of a formula an expression that parses
    bool operator==(const Block&) const = default;
};

/// One line of markup: as it was written, and what it means.
struct Text {
    std::string source;
    Line line;
    bool operator==(const Text&) const = default;
};

/// Several blocks of it.
struct Passage {
    std::vector<std::string> source;
    std::vector<Block> blocks;
    bool operator==(const Passage&) const = default;
};

/// What is shown for {name}; nothing if there is no such figure.
using FigureText = std::function<std::optional<std::string>(std::string_view name)>;

/// Problems: `at.column` counts characters of `source` from 1, `at.line` is the number of the block from 1.
Result<Line> parse_line(std::string_view source, const FigureText& figure);
Result<std::vector<Block>> parse_blocks(const std::vector<std::string>& source, const FigureText& figure);

/// As plain text: for screen readers, titles and searches.
std::string plain(const Line& line);
std::string plain(const std::vector<Block>& blocks);

/// A text that parses to one plain span of `text`.
std::string escaped(std::string_view text);

}  // namespace scalescope::lessons
