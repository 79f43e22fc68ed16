// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/figure_words.hpp"

#include <algorithm>

#include "core/words/vocabulary.hpp"

namespace scalescope {
namespace {

/// The longest phrase of a kind that begins at a piece.
struct Found {
    std::string_view means;
    std::size_t pieces = 0, letters = 0;
};
/// Whether no single letter stands apart: "iteration_s" is not "iterations".
bool glued(const PieceMatcher& text, std::size_t at, std::size_t length) {
    for (std::size_t i = at + 1; i < at + length; ++i)
        if (text.pieces()[i].text.size() == 1 && !text.pieces()[i].glued) return false;
    return true;
}
Found longest_at(const char* kind, const PieceMatcher& text, std::size_t at) {
    Found best;
    for (const WordKind::Entry& entry : shipped_vocabulary().kinds.at(kind).entries)
        for (const std::string& phrase : entry.phrases)
            if (const std::size_t n = text.length_at(phrase, at);
                n > 0 && phrase.size() > best.letters && glued(text, at, n))
                best = {entry.means, n, phrase.size()};
    return best;
}

/// A word of the text, which may be several pieces ("Gi" and "B").
struct Word {
    const Piece* piece;
    Found work, time, duration;
    bool between = false;  ///< "per", or says nothing by itself
    bool one_letter() const { return piece->text.size() == 1; }
    bool is_per() const { return piece->text == "per"; }
    bool is_plural() const { return piece->text.ends_with('s'); }
    bool is_repeated() const { return work.means == "steps" || work.means == "epochs"; }
};

/// Whether the next word is an amount that takes the time before it: "time / 200".
bool follows_time_per(const std::vector<Word>& words) {
    std::size_t end = words.size();
    if (end > 0 && words[end - 1].piece->number) --end;
    return end > 1 && words[end - 1].is_per() && words[end - 2].time.pieces + words[end - 2].duration.pieces > 0;
}

std::vector<Word> words_of(const std::vector<Piece>& pieces) {
    const PieceMatcher text(pieces);
    std::vector<Word> words;
    for (std::size_t i = 0; i < pieces.size();) {
        Word word{&pieces[i], longest_at("work", text, i), longest_at("time", text, i),
                  longest_at("duration", text, i)};
        const std::size_t length = std::max({word.work.pieces, word.time.pieces, word.duration.pieces});
        for (Found* found : {&word.work, &word.time, &word.duration})
            if (found->pieces < length) *found = {};
        if (pieces[i].text == "ep" && !follows_time_per(words)) word.work = {};  // expert parallelism
        word.between = word.is_per() || (length == 0 && shipped_vocabulary().is_filler(pieces[i].text));
        words.push_back(word);
        i += std::max<std::size_t>(1, length);
    }
    return words;
}

constexpr std::size_t letters_of_per = 3;  ///< it says that two words belong together

std::size_t skip_between(const std::vector<Word>& words, std::size_t at, bool& per) {
    for (; at < words.size() && words[at].between; ++at) per = per || words[at].is_per();
    return at;
}

/// "k " before "tokens/s".
std::string scale_before(const std::vector<Word>& words, std::size_t at) {
    if (at == 0) return {};
    const Piece& piece = *words[at - 1].piece;
    if (piece.text == "k" || piece.text == "thousand") return "k ";
    return piece.written == "M" || piece.text == "million" || piece.text == "millions" ? "M " : "";
}

/// The unit of time that follows a "per" within a few words of prose: "images that are processed per second".
std::size_t time_after_prose(const std::vector<Word>& words, std::size_t at) {
    constexpr std::size_t most = 7;
    for (std::size_t i = at + 1; i + 1 < std::min(words.size(), at + most); ++i) {
        if (!words[i].work.means.empty() || words[i].piece->number) break;
        if (words[i].is_per() && !words[i + 1].time.means.empty()) return i + 1;
    }
    return words.size();
}

FigureWords rate_at(const std::vector<Word>& words, std::size_t at) {
    const Word& work = words[at];
    bool per = false;
    std::size_t end = skip_between(words, at + 1, per);
    if (!work.work.means.empty() && work.is_plural() && (end >= words.size() || words[end].time.means.empty()))
        if (const std::size_t far = time_after_prose(words, at); far < words.size()) end = far, per = true;
    if (work.work.means.empty() || end >= words.size() || words[end].time.means.empty()) return {};
    // "step s" is the time of one step, and one letter counts only in "T/s".
    const bool of_steps = work.is_repeated() && !per && work.piece->text != "it" && !work.is_plural();
    const bool is_time = at > 1 && words[at - 1].is_per();
    if (of_steps || is_time || (work.one_letter() && !per)) return {};
    FigureWords figure{.metric = work.work.means.ends_with("FLOP") ? "flop_rate" : "throughput",
                       .unit = scale_before(words, at)};
    figure.unit.append(work.work.means).append("/").append(words[end].time.means);
    figure.letters = work.work.letters + words[end].time.letters + (per ? letters_of_per : 0);
    return figure;
}

/// A time for a sample, which is a rate turned over: "ms/image", "sec/kimg".
FigureWords inverse_at(const std::vector<Word>& words, std::size_t at) {
    bool per = false;
    const std::size_t end = skip_between(words, at + 1, per);
    if (words[at].time.means.empty() || !per || end >= words.size()) return {};
    const Word& work = words[end];
    if (work.work.means.empty() || work.is_repeated() || work.one_letter() || work.work.means.ends_with("FLOP"))
        return {};
    FigureWords figure{.metric = "throughput", .unit = std::string(work.work.means)};
    figure.unit.append("/").append(words[at].time.means);
    figure.letters = work.work.letters + words[at].time.letters + letters_of_per;
    figure.inverse = true;
    return figure;
}

/// The time of steps or epochs that the word at `at` names, with its unit and the word for a duration on either side.
FigureWords time_at(const std::vector<Word>& words, std::size_t at) {
    if (!words[at].is_repeated()) return {};
    FigureWords figure{.metric = words[at].work.means == "steps" ? "step" : "epoch", .unit = "s"};
    bool any = false, per = false;
    const auto take = [&](const Word& word) {
        if (!word.time.means.empty()) figure.unit = word.time.means;
        if (word.time.means.empty() && word.duration.means.empty()) return false;
        figure.letters += std::max(word.time.letters, word.duration.letters);
        return any = true;
    };
    std::size_t before = at;
    const bool thousands = before > 1 && words[before - 1].piece->text == "k" && words[before - 2].piece->number;
    if (thousands) --before;  // "min / 1k iterations"
    if (before > 0 && words[before - 1].piece->number) {
        figure.each = std::max(1.0, words[--before].piece->value * (thousands ? 1e3 : 1));
        figure.letters += words[before].piece->text.size();
    }
    for (; before > 0 && words[before - 1].between; --before) per = per || words[before - 1].is_per();
    while (before > 0 && take(words[before - 1])) --before;
    constexpr std::size_t prose = 5;  // "the time needed to complete 100 steps"
    for (std::size_t i = before; figure.each > 1 && !any && i > 0 && before - i < prose; --i)
        if (words[i - 1].time.means.empty()) per = take(words[i - 1]) || per;
    // "epochs" and "time" beside each other are not the time of an epoch.
    if (!any && words[at].is_plural() && words[at].piece->text != "its") return {};
    if (figure.each > 1 && !per) return {};
    bool after_per = false;
    std::size_t after = skip_between(words, at + 1, after_per);
    while (after < words.size() && take(words[after])) ++after;
    if (!any) return {};
    figure.letters += words[at].work.letters + (per || after_per ? letters_of_per : 0);
    return figure;
}

}  // namespace

FigureWords read_figure_words(const std::vector<Piece>& pieces) {
    const auto words = words_of(pieces);
    FigureWords best;
    for (std::size_t i = 0; i < words.size(); ++i)
        for (FigureWords figure : {rate_at(words, i), time_at(words, i), inverse_at(words, i)})
            if (figure.letters > best.letters) best = std::move(figure);
    return best;
}

std::string unit_of_kind(const char* kind, const std::vector<Piece>& pieces) {
    const PieceMatcher text(pieces);
    std::string_view last;
    for (std::size_t i = 0; i < pieces.size(); ++i)
        if (const Found found = longest_at(kind, text, i); found.pieces > 0) last = found.means, i += found.pieces - 1;
    return std::string(last);
}

}  // namespace scalescope
