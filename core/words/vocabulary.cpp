// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/vocabulary.hpp"

#include <algorithm>
#include <utility>

#include "core/formats/embedded.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/formats/versions.hpp"

namespace scalescope {
namespace {

using formats::JsonFields;
using formats::JsonKind;
using formats::JsonValue;

constexpr std::string_view otherwise = " otherwise";
constexpr formats::FileFormat words_format{"scalescope-words", "list of words", {}};

/// Number of letters in the phrase if the text contains all its words, in any order, or the phrase written as one word;
/// 0 otherwise.
std::size_t letters_found(const std::vector<Piece>& pieces, std::string_view phrase) {
    PieceMatcher apart(pieces);
    std::string joined;
    std::string bound;
    bool all = true;
    for (std::string_view rest = phrase; !rest.empty();) {
        const std::string_view word = rest.substr(0, rest.find(' '));
        rest.remove_prefix(std::min(rest.size(), word.size() + 1));
        joined += word;
        if (word == "per") {  // joined to the next word: "s per step" is not "steps per s"
            bound = word;
            continue;
        }
        all = all && apart.take(std::exchange(bound, {}).append(word));
    }
    return all || PieceMatcher(pieces).find(joined) ? joined.size() : 0;
}

}  // namespace

WordReading Vocabulary::read(std::string_view kind, std::string_view text) const { return read(kind, pieces_of(text)); }

WordReading Vocabulary::read(std::string_view kind, const std::vector<Piece>& pieces) const {
    WordReading reading;
    const auto found = kinds.find(kind);
    if (found == kinds.end()) return reading;
    const auto fillers = kinds.find(std::string("filler"));
    const auto says_something = [&](const Piece& p) {
        return fillers == kinds.end() || std::none_of(fillers->second.entries.begin(), fillers->second.entries.end(),
                                                      [&](const auto& filler) { return filler.means == p.text; });
    };
    std::size_t whole = 0;
    for (const Piece& p : pieces) whole += says_something(p) ? p.text.size() : 0;
    for (const Piece& p : pieces) whole += whole == 0 && &p == pieces.data() ? p.text.size() : 0;  // only "GPUs"
    std::size_t most = 0;
    for (const WordKind::Entry& entry : found->second.entries) {
        std::size_t letters = 0;
        for (const std::string& phrase : entry.phrases) letters = std::max(letters, letters_found(pieces, phrase));
        if (letters == 0) continue;
        if (letters > most && (most == 0 || !found->second.first)) {
            if (!reading.means.empty()) reading.others.push_back(std::move(reading.means));
            reading.means = entry.means, most = letters;
        } else {
            if (letters == most && !found->second.first && !reading.means.empty())
                reading.others.push_back(std::exchange(reading.means, {}));
            reading.others.push_back(entry.means);
        }
    }
    if (most == 0)
        return kind.ends_with(otherwise) ? reading : read(std::string(kind) + std::string(otherwise), pieces);
    reading.explained = whole > 0 ? std::min(1.0, static_cast<double>(most) / static_cast<double>(whole)) : 0.0;
    return reading;
}

Result<Vocabulary> read_vocabulary(std::string_view text, std::string file) {
    auto document = formats::open_document(text, std::move(file), words_format);
    if (!document) return fail(document.error());
    formats::ProblemList problems;
    JsonFields fields(document->root(), {}, problems);
    for (const auto* name : {"format", "version", "$schema"}) fields.ignore(name);
    Vocabulary vocabulary;
    if (const auto kinds = fields.required("kinds", JsonKind::object))
        for (const JsonValue kind : *kinds) {
            WordKind& words = vocabulary.kinds[std::string(kind.key())];
            if (!kind.is_object()) {
                problems.error(kind.at(), formats::join_path("kinds", kind.key()), "A kind of words must be an object.",
                               "List its meanings, each with an array of phrases.");
                continue;
            }
            JsonFields entries(kind, formats::join_path("kinds", kind.key()), problems);
            for (const JsonValue entry : kind)
                if (entry.key() == "first")
                    words.first = entries.optional_boolean("first").value_or(false);
                else
                    words.entries.push_back(
                        {std::string(entry.key()), entries.texts(entry.key()).value_or(std::vector<std::string>())});
        }
    fields.finish();
    if (problems.has_errors()) return fail(problems.take());
    return vocabulary;
}

const Vocabulary& shipped_vocabulary() {
    static const Vocabulary shipped = [] {
        Vocabulary all;
        for (const auto& embedded : formats::embedded_files()) {
            if (!embedded.path.starts_with("words/")) continue;
            auto read = read_vocabulary(embedded.text, std::string(embedded.path));
            if (read) all.kinds.merge(read->kinds);
        }
        return all;
    }();
    return shipped;
}

}  // namespace scalescope
