// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/limits.hpp"

/// The words of a shell script, and the values of its variables as far as they follow from the script alone. Nothing is
/// executed: "$(…)", variables of the environment and arguments of the script stay unknown.
namespace scalescope::formats::trainers {

struct ShellToken {
    enum class Kind : std::uint8_t { word, separator, redirection, document };
    Kind kind = Kind::word;
    std::string text;  ///< of a word with its quotes; of a here-document its body
    int line = 1;
};

/// Words, operators and here-documents, each of these in front of the end of its line. "A=(…)" is one word.
std::vector<ShellToken> shell_tokens(std::string_view text);

struct ShellWord {
    std::string text;
    bool known = true;     ///< false: `text` contains something that is not evaluated
    bool assumed = false;  ///< contains the default of ${NAME:-default}
    int line = 1;
    bool operator==(const ShellWord& other) const {
        return text == other.text && known == other.known && assumed == other.assumed;
    }
};

/// Variables of a script, and its conditions, each of which keeps the variables of its branches.
inline constexpr std::size_t most_variables = limits::configuration_settings / 20;

class ShellVariables {
public:
    /// "NAME=value", "NAME+=value", "NAME=(a b)". False if the word is not an assignment.
    bool assign(const std::string& word, int line);
    void set(const std::string& name, std::string value) { values_[name] = {ShellWord{std::move(value)}}; }
    /// The words that a word becomes: quotes removed, variables replaced, unquoted values split at blanks.
    std::vector<ShellWord> expanded(std::string_view word, int line);
    /// One word, not split.
    ShellWord value(std::string_view word, int line);
    /// The body of a here-document with its variables replaced.
    std::string document(std::string_view body);
    /// What differs from `other` is unknown from now on.
    void forget_differences(const ShellVariables& other);

private:
    struct Expansion;
    void expand(std::string_view text, bool quoted, Expansion& to, int depth);
    std::size_t parameter(std::string_view text, bool quoted, Expansion& to, int depth);
    void braced(std::string_view inside, bool quoted, Expansion& to, int depth);
    void append(const std::string& name, std::string_view shown, bool quoted, bool joined, Expansion& to);
    std::string number(const std::string& name) const;

    std::map<std::string, std::vector<ShellWord>> values_;
    std::shared_ptr<std::size_t> spent_ = std::make_shared<std::size_t>(0);  ///< bytes of all expansions, of copies too
};

}  // namespace scalescope::formats::trainers
