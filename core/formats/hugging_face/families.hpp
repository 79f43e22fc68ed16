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

/// Families of models as described in their files (docs/decisions/families.md). Everything is already parsed. Nothing
/// is evaluated until there is a configuration.
namespace scalescope::formats::hugging_face {

/// A figure of a family: a member of the configuration, or a formula of other figures.
struct Figure {
    enum class Kind { whole, number, flag, word, list, any } kind = Kind::whole;
    std::string keys;  ///< names of the member; the first one present is used. Empty: `otherwise` is the formula
    std::optional<Expression> otherwise;  ///< value if not stated; without it, the figure must be stated
    std::int64_t least = 1, most = 1;
    bool quiet = false;                                      ///< do not warn if `otherwise` was used
    std::string absent;                                      ///< a word equivalent to leaving it out ("auto")
    std::vector<std::pair<std::string, std::string>> words;  ///< our word; their words, separated by spaces. Empty: any
    SourcePosition at;
};

struct Argument {
    std::string name;  ///< empty for an input
    Expression value;
};

/// One line of a block: `target = callee(arguments) as NAME for repeat < count if condition`, or
/// `target = value if condition`.
struct Statement {
    std::string target, callee;
    std::vector<Argument> arguments;  ///< for a statement without a callee, only the value
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

/// A condition that is an error or a warning about a configuration.
struct Note {
    Expression when;
    std::string figure;  ///< the member at fault
    Expression what, remedy;
    std::string
        layers;  ///< of a warning: names of the layers and blocks that rest on this assumption, separated by spaces
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
    std::string source, config;  ///< config: members of a config.json, as JSON
};

struct Family {
    std::string name;     ///< by default, the first of `types`; others refer to it by `like`
    std::string types;    ///< values of model_type; empty: only a base of other families
    std::string classes;  ///< prefixes of the classes under "architectures"; empty: any
    std::string exact;    ///< a class that belongs to this family whatever model_type says
    std::string title, like;
    std::string spellings;  ///< other names that tables use, separated by commas
    std::string usual;      ///< the size that its bare name means; empty: none
    std::map<std::string, Figure, std::less<>> figures;
    std::map<std::string, Expression, std::less<>> defaults;  ///< override the `otherwise` of figures
    std::map<std::string, Block, std::less<>> blocks;
    std::vector<Note> notes;
    std::vector<FamilySymbol> symbols;
    std::vector<Size> sizes;
    SourcePosition at;
};

/// The content of a family together with that of the families it is `like`, directly or indirectly. The nearest
/// definition takes precedence.
struct Lineage {
    std::vector<const Family*> families;  ///< the family itself first
    std::map<std::string_view, const Figure*> figures;
    std::map<std::string_view, const Expression*> otherwise;  ///< of figures, or their formulas; nullptr if none
    std::map<std::string_view, const Block*> blocks;
};
/// The value of a key; nullptr if there is none.
template <class T>
const T* find_in(const std::map<std::string_view, const T*>& all, std::string_view name) {
    const auto found = all.find(name);
    return found == all.end() ? nullptr : found->second;
}
/// The block that draws a network of the family, or a part of another network.
inline constexpr std::string_view entry_block = "tower";

/// Whether a class such as "LlamaForCausalLM" consists of one of the prefixes (separated by spaces) and a common task.
bool is_class_of(std::string_view beginnings, std::string_view name);

/// The families of one file, not yet checked against the families that they are based on.
Result<std::vector<Family>> read_family_file(std::string_view text, std::string file);

}  // namespace scalescope::formats::hugging_face

namespace scalescope::formats {

/// An immutable set of families: those that can be opened.
class Families {
public:
    using Family = hugging_face::Family;

    /// These families and `more`, which replace families of the same name. Every family must be complete: the family
    /// that it is `like` must exist, and so must every block, layer kind and attribute that its blocks use.
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
