// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/language/catalogue.hpp"

#include <algorithm>
#include <array>

#include "core/base/limits.hpp"
#include "core/base/sequences.hpp"

namespace scalescope::language {
namespace {

constexpr int deepest = 5;  ///< holes inside holes, and parts of parts

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_letter(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z'); }
/// A capital becomes a small letter, and the other way round.
void turn(char& letter) { letter = static_cast<char>(letter ^ 0x20); }

/// Whether it may be a sentence or words of one; "12.5 ms", "A100" and "3×3" are not.
bool has_words(std::string_view text) {
    int run = 0;
    for (const char c : text) {
        run = is_letter(c) ? run + 1 : 0;
        if (run == 3) return true;
    }
    return false;
}

/// "53.2 GFLOP", with the space that does not break: a number with its unit, which may look like a word.
bool is_quantity(std::string_view text) {
    const std::size_t digit = text.find_first_of("0123456789");
    return digit != std::string_view::npos && text.find(' ') == std::string_view::npos &&
           std::none_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(digit), is_letter);
}

/// One word, a name or a quantity: nothing that needs a grammar.
bool is_term(std::string_view text) {
    int words = 0;
    bool inside = false;
    for (const char c : text) {
        if (is_lower(c) && !inside) ++words;
        inside = c != ' ' && (inside || is_letter(c) || (c >= '0' && c <= '9'));
    }
    return words <= 1;
}

/// A layer's, as most networks write them: "conv2", "h0/attention".
bool is_name(std::string_view text) {
    return !text.empty() && is_lower(text[0]) && text.find(' ') == std::string_view::npos;
}

/// A template that is mostly holes, such as "{} and {}", fits by chance; it counts only around words that are known.
bool is_frame(const Phrase& p) {
    constexpr std::size_t bytes_for_a_hole = 7;
    return p.literal_bytes() < bytes_for_a_hole * p.holes().size();
}

struct Separator {
    std::string_view text;
    std::size_t kept;   ///< of it, at the end of the part before
    bool of_sentences;  ///< each part is a sentence, and may be left as it is
};
constexpr std::array<Separator, 7> separators{{{"\n", 0, true},
                                               {". ", 1, true},
                                               {"; ", 0, true},
                                               {" \u00b7 ", 0, true},
                                               {": ", 0, false},
                                               {", ", 0, false},
                                               {" \u00d7 ", 0, false}}};

}  // namespace

std::string Catalogue::add(std::string_view english, std::string_view other) {
    std::string wrong;
    auto phrase = Phrase::make(english, other, wrong);
    if (!phrase) return wrong;
    if (phrase->holes().empty()) {
        const auto [at, added] = whole_.emplace(english, other);
        return added || at->second == other ? "" : "It is told in two ways.";
    }
    phrases_.push_back(std::move(*phrase));
    return {};
}

void Catalogue::sort() { std::ranges::stable_sort(phrases_, {}, &Phrase::beginning); }

std::string Catalogue::tell(std::string_view said) const {
    return said.size() > limits::lesson_text_bytes ? std::string(said) : tell(said, 0, nullptr).text;
}

std::vector<std::string> Catalogue::unknown(std::string_view said) const {
    std::vector<std::string> words;
    (void)tell(said, 0, &words);
    sort_once(words);
    return words;
}

/// Templates whose beginning is one of `said` stand together for each length of the beginning: the range is narrowed
/// byte by byte.
const Phrase* Catalogue::find(std::string_view said, bool frames, std::vector<std::string_view>& contents) const {
    const Phrase* best = nullptr;
    std::vector<std::string_view> filled;
    const auto try_one = [&](const Phrase& p) {
        if (is_frame(p) != frames) return;
        if (best && p.literal_bytes() <= best->literal_bytes()) return;
        if (!p.match(said, filled)) return;
        best = &p;
        contents = filled;
    };
    auto first = phrases_.begin(), last = phrases_.end();
    for (std::size_t i = 0; first != last; ++i) {
        for (; first != last && first->beginning().size() == i; ++first) try_one(*first);
        if (i == said.size()) break;
        const auto byte = static_cast<unsigned char>(said[i]);
        const auto at = [i](const Phrase& p) { return static_cast<unsigned char>(p.beginning()[i]); };
        first = std::lower_bound(first, last, byte, [&](const Phrase& p, unsigned char b) { return at(p) < b; });
        last = std::upper_bound(first, last, byte, [&](unsigned char b, const Phrase& p) { return b < at(p); });
    }
    return best;
}

Catalogue::Told Catalogue::tell(std::string_view said, int depth, std::vector<std::string>* unknown) const {
    if (depth > deepest || !has_words(said)) {
        const auto found = whole_.find(said);
        return found == whole_.end() ? Told{with_marks(said, marks_), false} : Told{found->second, true};
    }
    const std::size_t begin = said.find_first_not_of(' '), end = said.find_last_not_of(' ') + 1;
    const std::string_view bare = said.substr(begin, end - begin);
    std::vector<std::string> missed;
    std::vector<std::string>* into = unknown ? &missed : nullptr;
    Told told = told_in_full(bare, depth, false, into);
    if (!told.known) told = told_in_other_form(bare, depth, into);
    if (!told.known) told = told_in_parts(bare, depth, into);
    if (!told.known) told = told_in_full(bare, depth, true, into);
    told.text = std::string(said.substr(0, begin)) + told.text + std::string(said.substr(end));
    if (!told.known) {
        missed.assign(1, std::string(bare));
        told.text = is_quantity(bare) ? with_marks(said, marks_) : std::string(said);
    }
    if (unknown) unknown->insert(unknown->end(), missed.begin(), missed.end());
    return told;
}

/// Core makes titles and sentences of its words: with a capital letter, or with a full stop.
Catalogue::Told Catalogue::told_in_other_form(std::string_view said, int depth,
                                              std::vector<std::string>* unknown) const {
    for (const bool stop : {false, true}) {
        if (stop && (!said.ends_with('.') || said.size() < 2)) break;
        for (const bool turned : {false, true}) {
            if ((!turned && !stop) || (turned && !is_letter(said[0]))) continue;
            std::string other(said.substr(0, said.size() - (stop ? 1 : 0)));
            if (turned) turn(other[0]);
            Told told = told_in_full(other, depth, false, unknown);
            if (!told.known) continue;
            if (turned && !is_lower(said[0]) && is_lower(told.text[0])) turn(told.text[0]);
            if (stop) told.text += '.';
            return told;
        }
    }
    return {std::string(said), false};
}

Catalogue::Told Catalogue::told_in_full(std::string_view said, int depth, bool frames,
                                        std::vector<std::string>* unknown) const {
    if (const auto found = whole_.find(said); found != whole_.end()) return {found->second, true};
    std::vector<std::string_view> contents;
    const Phrase* phrase = find(said, frames, contents);
    if (!phrase) return {std::string(said), false};
    std::vector<std::string> filled;
    for (std::size_t i = 0; i < contents.size(); ++i) {
        if (phrase->holes()[i] != Hole::said) {
            // "Activations behind conv1, bytes" is a list whose first member has a name in it.
            const bool last = i + 1 == contents.size() && !phrase->ends_in_list();
            if (const auto at = contents[i].rfind(", "); last && at != std::string_view::npos)
                if (tell(contents[i].substr(at + 2), deepest, nullptr).known) return {std::string(said), false};
            const bool number =
                phrase->holes()[i] == Hole::number || !has_words(contents[i]) || is_quantity(contents[i]);
            filled.push_back(number ? with_marks(contents[i], marks_) : std::string(contents[i]));
            continue;
        }
        Told told = tell(contents[i], depth + 1, unknown);
        // A frame around words that are not known would give half a sentence in each language.
        if (!told.known && frames && !is_term(contents[i])) return {std::string(said), false};
        filled.push_back(std::move(told.text));
    }
    return {phrase->compose(filled), true};
}

Catalogue::Told Catalogue::told_in_parts(std::string_view said, int depth, std::vector<std::string>* unknown) const {
    for (const Separator& separator : separators) {
        if (said.find(separator.text) == std::string_view::npos) continue;
        std::string text;
        std::vector<std::string> missed;
        bool any_word = false, all = true, first = true;
        for (std::string_view rest = said;;) {
            const std::size_t at = rest.find(separator.text);
            const bool last = at == std::string_view::npos;
            const std::string_view part = last ? rest : rest.substr(0, at + separator.kept);
            // "conv2, forward": what stands first is a name, even if it is a word too.
            const bool name = depth == 0 && first && !last && !separator.of_sentences && is_name(part);
            const Told told =
                name ? Told{std::string(part), false} : tell(part, depth + 1, unknown ? &missed : nullptr);
            all &= told.known || separator.of_sentences || first || is_term(part);
            any_word |= told.known && has_words(part);
            first = false;
            text += told.text;
            if (last) break;
            text += separator.text.substr(separator.kept);
            rest.remove_prefix(at + separator.text.size());
        }
        if (!any_word || !all) continue;
        if (unknown) unknown->insert(unknown->end(), missed.begin(), missed.end());
        return {std::move(text), true};
    }
    return {std::string(said), false};
}

}  // namespace scalescope::language
