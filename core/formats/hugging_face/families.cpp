// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/hugging_face/families.hpp"

#include <algorithm>

#include "core/base/limits.hpp"
#include "core/base/name_list.hpp"
#include "core/formats/draft_builder.hpp"
#include "core/formats/embedded.hpp"
#include "core/formats/hugging_face/drawer.hpp"

namespace scalescope::formats {
namespace {

using namespace hugging_face;

template <class Is>
const Family* first(std::span<const std::shared_ptr<const Family>> all, Is is) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& f) { return is(*f); });
    return found == all.end() ? nullptr : found->get();
}

void complain(Problems& problems, const SourcePosition& at, std::string what, std::string remedy) {
    if (problems.size() < limits::problems) problems.push_back(make_error(std::move(what), std::move(remedy), at));
}

}  // namespace

namespace hugging_face {

bool is_class_of(std::string_view beginnings, std::string_view name) {
    constexpr std::string_view tasks =
        "ForCausalLM LMHeadModel Model DoubleHeadsModel ForMaskedLM ForPreTraining ForSequenceClassification "
        "ForTokenClassification ForQuestionAnswering ForConditionalGeneration ForMultipleChoice "
        "ForNextSentencePrediction TextModel HeadModel LMHead WithLMHeadModel";
    return any_name(beginnings, [&](std::string_view beginning) {
        return name.starts_with(beginning) && is_among(name.substr(beginning.size()), tasks);
    });
}

}  // namespace hugging_face

const Family* Families::find(std::string_view name) const {
    return first(all_, [&](const Family& f) { return f.name == name; });
}

const Family* Families::of_type(std::string_view type) const {
    return first(all_, [&](const Family& f) { return is_among(type, f.types); });
}

const Family* Families::of_class(std::string_view name) const {
    if (const Family* exact = first(all_, [&](const Family& f) { return !name.empty() && f.exact == name; }))
        return exact;
    return first(all_, [&](const Family& f) { return is_class_of(f.classes, name); });
}

Lineage Families::lineage(const Family& family) const {
    Lineage line;
    auto& all = line.families;
    for (const Family* f = &family; f && std::find(all.begin(), all.end(), f) == all.end(); f = find(f->like)) {
        all.push_back(f);
        for (const auto& named : f->defaults) line.otherwise.emplace(named.first, &named.second);
        for (const auto& named : f->figures) {
            line.figures.emplace(named.first, &named.second);
            line.otherwise.emplace(named.first, named.second.otherwise ? &*named.second.otherwise : nullptr);
        }
        for (const auto& named : f->blocks) line.blocks.emplace(named.first, &named.second);
    }
    return line;
}

Result<Families> Families::with(std::vector<Family> more) const {
    Families made = *this;
    Problems problems;
    for (Family& f : more) {
        const auto same =
            std::find_if(made.all_.begin(), made.all_.end(), [&](const auto& o) { return o->name == f.name; });
        auto held = std::make_shared<const Family>(std::move(f));
        if (same == made.all_.end())
            made.all_.push_back(std::move(held));
        else
            *same = std::move(held);
    }
    for (const auto& f : made.all_) made.check(*f, problems);
    if (!problems.empty()) return fail(std::move(problems));
    return made;
}

void Families::check(const Family& family, Problems& problems) const {
    const Lineage line = lineage(family);
    const Family& last = *line.families.back();
    if (!last.like.empty())
        return complain(problems, last.at,
                        find(last.like) ? "The family " + quoted(last.name) + " leads back to itself by \"like\"."
                                        : "There is no family " + quoted(last.like) + " that this one could be like.",
                        "Name another family under \"like\".");
    const bool draws = find_in(line.blocks, entry_block) != nullptr;
    if (family.types.empty() && !draws) return;  // what it leaves open is written by those that are like it
    if (!draws)
        complain(problems, family.at,
                 "The family " + quoted(family.name) + " has no block " + quoted(entry_block) + ".",
                 "Write what it is \"like\", or the block.");
    for (const auto& named : line.otherwise)
        if (!find_in(line.figures, named.first))
            complain(problems, named.second->at, "There is no figure " + quoted(named.first) + ".",
                     "Correct the name, or take it out.");
    for (const auto& named : line.blocks)
        for (const Statement& s : named.second->statements) check_statement(line, s, problems);
}

const Families& shipped_families() {
    static const Families shipped = [] {
        std::vector<Family> all;
        for (const EmbeddedFile& file : embedded_files()) {
            if (!file.path.starts_with("families/")) continue;
            auto read = read_family_file(file.text, "presets/" + std::string(file.path));
            for (Family& f : read ? *read : std::vector<Family>{}) all.push_back(std::move(f));
        }
        return Families().with(std::move(all)).value_or(Families());  // a test reads them
    }();
    return shipped;
}

Result<Families> read_families(std::string_view text, std::string file, const Families& base) {
    ASSIGN_OR_RETURN(auto more, read_family_file(text, std::move(file)));
    return base.with(std::move(more));
}

}  // namespace scalescope::formats
