// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/formats/hugging_face/expression.hpp"
#include "core/formats/hugging_face/import.hpp"

/// Families of models as their files describe them (docs/decisions/families.md). Everything is parsed; nothing is
/// evaluated before there is a configuration.
namespace scalescope::formats::hugging_face {

/// A figure of a family: a formula of other figures, or a member of the configuration.
struct Figure {
    enum class Kind { whole, number, flag, word, list, any } kind = Kind::whole;
    std::string keys;  ///< members of the configuration, the first one counts; empty: `otherwise` is its formula
    std::optional<Expression> otherwise;  ///< if the configuration does not state it; without: it must
    std::int64_t least = 1, most = 1;
    bool quiet = false;                                      ///< no warning says that `otherwise` was taken
    std::string absent;                                      ///< a word that means the same as leaving it out ("auto")
    std::vector<std::pair<std::string, std::string>> words;  ///< ours, and theirs separated by spaces; none: any word
    SourcePosition at;
};

struct Argument {
    std::string name;  ///< empty: an input
    Expression value;
};

/// One line of a block: `target = callee(arguments) as NAME for repeat < count if condition`, or
/// `target = value if condition`.
struct Statement {
    std::string target, callee;
    std::vector<Argument> arguments;  ///< of a statement without a callee the value alone
    std::optional<Expression> name;
    std::string repeat;
    std::optional<Expression> count, condition;
    SourcePosition at;
};

struct Block {
    std::vector<std::string> inputs;
    std::vector<Statement> statements;
    SourcePosition at;
};

/// An error or a warning about a configuration.
struct Note {
    Expression when;
    std::string figure;  ///< the member at fault
    Expression what, remedy;
    bool error = false;
};

struct FamilySymbol {
    std::string name;
    Expression initial;
    Expression about;
};

struct Size {
    std::string name;
    double billions = 0;
    std::string source, config;  ///< members of a config.json, as JSON
};

struct Family {
    std::string name;     ///< the first of its model_types, or what others are `like`
    std::string types;    ///< model_type is one of these; empty: only others are built on it
    std::string classes;  ///< beginnings of the classes under "architectures"; empty: any
    std::string exact;    ///< a class that is this family whatever model_type says
    std::string title, like;
    std::map<std::string, Figure, std::less<>> figures;
    std::map<std::string, Expression, std::less<>> defaults;  ///< replace the `otherwise` of figures
    std::map<std::string, Block, std::less<>> blocks;
    std::vector<Note> notes;
    std::vector<FamilySymbol> symbols;
    std::vector<Size> sizes;
    SourcePosition at;
};

/// What a family has with the one that it is like, and so on; the nearest one that has something counts.
struct Lineage {
    std::vector<const Family*> families;  ///< the family itself first
    std::map<std::string_view, const Figure*> figures;
    std::map<std::string_view, const Expression*> otherwise;  ///< of figures, or their formulas; nullptr: none
    std::map<std::string_view, const Block*> blocks;
};
/// The value of a key, or nullptr.
template <class T>
const T* find_in(const std::map<std::string_view, const T*>& all, std::string_view name) {
    const auto found = all.find(name);
    return found == all.end() ? nullptr : found->second;
}
/// The block that draws a network of the family, or its part of another one.
inline constexpr std::string_view entry_block = "tower";

/// A class such as "LlamaForCausalLM": one of the beginnings, separated by spaces, and one of the usual tasks.
bool is_class_of(std::string_view beginnings, std::string_view name);

/// The families of one file, not yet checked against those that they are built on.
Result<std::vector<Family>> read_family_file(std::string_view text, std::string file);

}  // namespace scalescope::formats::hugging_face

namespace scalescope::formats {

/// What can be opened: an immutable set of families.
class Families {
public:
    using Family = hugging_face::Family;

    /// These and `more`, which replace those of the same name. Every family must be complete: what it is like exists,
    /// and so does every block, layer kind and attribute of its blocks.
    Result<Families> with(std::vector<Family> more) const;

    std::span<const std::shared_ptr<const Family>> all() const { return all_; }
    const Family* find(std::string_view name) const;  ///< nullptr if there is none
    const Family* of_type(std::string_view model_type) const;
    const Family* of_class(std::string_view architecture) const;

    hugging_face::Lineage lineage(const Family& family) const;

private:
    void check(const Family& family, Problems& problems) const;

    std::vector<std::shared_ptr<const Family>> all_;
};

namespace hugging_face {
Result<NetworkDraft> network_of(const Families& families, const Family& family, const Size& size);
}

}  // namespace scalescope::formats
