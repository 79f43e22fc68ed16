// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/vocabulary.hpp"

#include <algorithm>
#include <utility>

#include "core/base/decimal.hpp"
#include "core/base/sequences.hpp"
#include "core/formats/embedded.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/formats/versions.hpp"

namespace scalescope {
namespace {

using formats::JsonFields;
using formats::JsonKind;
using formats::JsonValue;

constexpr formats::FileFormat words_format{"scalescope-words", "list of words", {}};

/// Words of a phrase. "per" is joined to the next word: "s per step" is not "steps per s".
std::vector<std::string> words_of(std::string_view phrase) {
    std::vector<std::string> words;
    std::string bound;
    while (!phrase.empty()) {
        const std::string_view word = phrase.substr(0, phrase.find(' '));
        phrase.remove_prefix(std::min(phrase.size(), word.size() + 1));
        if (word == "per")
            bound = word;
        else
            words.push_back(std::exchange(bound, {}).append(word));
    }
    return words;
}

/// Whether the words follow each other from some place on, with only fillers in between.
bool are_in_order(const Vocabulary& vocabulary, const std::vector<Piece>& pieces,
                  const std::vector<std::string>& words) {
    PieceMatcher text(pieces);
    std::size_t end = PieceMatcher::no_place;
    for (const std::string& word : words) {
        const std::size_t at = text.find_at(word);
        if (at == PieceMatcher::no_place || (end != PieceMatcher::no_place && at < end)) return false;
        for (std::size_t i = end; i < at && end != PieceMatcher::no_place; ++i)
            if (!vocabulary.is_filler(pieces[i].text)) return false;
        text.take(word);
        for (end = at; end < pieces.size() && text.is_taken(end);) ++end;
    }
    return true;
}

/// Number of letters in the phrase if the text contains all its words, or the phrase written as one word; 0 otherwise.
std::size_t letters_found(const Vocabulary& vocabulary, const std::vector<Piece>& pieces, std::string_view phrase,
                          bool in_order) {
    std::string joined(phrase);
    std::erase(joined, ' ');
    const auto words = words_of(phrase);
    const bool is_plural = words.back() == "s";  // "image s" is no "images"
    PieceMatcher apart(pieces);
    const bool all = in_order ? are_in_order(vocabulary, pieces, words)
                              : std::all_of(words.begin(), words.end(), [&](const auto& w) { return apart.take(w); });
    return all || (!is_plural && PieceMatcher(pieces).find(joined)) ? joined.size() : 0;
}

}  // namespace

WordReading Vocabulary::read(std::string_view kind, std::string_view text) const { return read(kind, pieces_of(text)); }

double Vocabulary::number_called(std::string_view word) const {
    const auto numbers = kinds.find(std::string_view("number"));
    if (numbers == kinds.end()) return 0;
    for (const WordKind::Entry& entry : numbers->second.entries)
        if (std::find(entry.phrases.begin(), entry.phrases.end(), word) != entry.phrases.end())
            return parse_decimal(entry.means).value_or(0.0);
    return 0;
}

bool Vocabulary::is_filler(std::string_view word) const {
    const auto fillers = kinds.find(std::string_view("filler"));
    return fillers != kinds.end() && find_by(fillers->second.entries, word, &WordKind::Entry::means) != nullptr;
}

WordReading Vocabulary::read(std::string_view kind, const std::vector<Piece>& pieces,
                             const std::function<bool(std::string_view)>& accepts) const {
    WordReading reading = read_strictly(kind, pieces, accepts);
    if (reading.explained > 0) return reading;
    return read_strictly(std::string(kind) + " otherwise", pieces, accepts);
}

WordReading Vocabulary::read_strictly(std::string_view kind, const std::vector<Piece>& pieces,
                                      const std::function<bool(std::string_view)>& accepts) const {
    WordReading reading;
    const auto found = kinds.find(kind);
    if (found == kinds.end()) return reading;
    std::size_t most = 0;
    for (const WordKind::Entry& entry : found->second.entries) {
        if (accepts && !accepts(entry.means)) continue;
        std::size_t letters = 0;
        for (const std::string& phrase : entry.phrases)
            letters = std::max(letters, letters_found(*this, pieces, phrase, found->second.in_order));
        if (letters == 0 || (most > 0 && found->second.first)) continue;
        if (letters == most) reading.means.clear();  // it can mean either
        if (letters > most) reading.means = entry.means, most = letters;
    }
    reading.explained = share_of_words(pieces, most);
    return reading;
}

double share_of_words(const std::vector<Piece>& pieces, std::size_t letters) {
    std::size_t whole = 0;
    for (const Piece& p : pieces) whole += shipped_vocabulary().is_filler(p.text) ? 0 : p.text.size();
    if (whole == 0 && !pieces.empty()) whole = pieces.front().text.size();  // only "GPUs"
    return whole > 0 ? std::min(1.0, static_cast<double>(letters) / static_cast<double>(whole)) : 0.0;
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
                else if (entry.key() == "in_order")
                    words.in_order = entries.optional_boolean("in_order").value_or(false);
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
