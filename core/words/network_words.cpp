// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/network_words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "core/base/letters.hpp"
#include "core/formats/hugging_face/import.hpp"
#include "core/words/pieces.hpp"
#include "core/words/vocabulary.hpp"

namespace scalescope {
namespace {

/// Sizes that names spell out or abbreviate: ViT-B is ViT-base.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> sizes{
    {{"base", "b"}, {"large", "l"}, {"small", "s"}, {"huge", "h"}, {"xlarge", "xl"}}};

std::string_view short_size(std::string_view word) {
    for (const auto& [full, brief] : sizes)
        if (word == full) return brief;
    return word;
}

/// Whether a word of a name follows from the number of parameters.
bool is_size(std::string_view word) {
    const auto says = [&](const auto& size) { return word == size.first || word == size.second; };
    return word == "medium" || std::any_of(sizes.begin(), sizes.end(), says);
}

/// The number of parameters that the text states: "1.5B", "124M"; 0 if it states none.
double parameters_in(const std::vector<Piece>& p) {
    for (std::size_t i = 0; i + 1 < p.size(); ++i) {
        const bool ends = i + 2 >= p.size() || !p[i + 2].glued || p[i + 2].number;
        if (!p[i].number || !p[i + 1].glued || !ends || (i > 0 && p[i - 1].text == "x")) continue;
        if (p[i + 1].text == "b") return p[i].value * 1e9;
        if (p[i + 1].text == "m" && p[i].value >= 20) return p[i].value * 1e6;
    }
    return 0;
}

/// Number of letters of the name that occur in the text; 0 if a part is missing. If `sized`, parts that follow from the
/// number of parameters may be missing, such as "xl" in "gpt-2-xl".
std::size_t letters_found(const std::vector<Piece>& text, const std::vector<Piece>& name, bool sized) {
    PieceMatcher found(text);
    std::size_t letters = 0;
    for (std::size_t k = 0; k < name.size(); ++k) {
        const Piece& part = name[k];
        bool is_there = false;
        for (std::size_t i = 0; i < text.size() && !is_there; ++i) {
            const bool same = text[i].number && part.number
                                  ? text[i].value == part.value || std::floor(text[i].value) == part.value
                                  : short_size(text[i].text) == short_size(part.text);
            is_there = !found.is_taken(i) && same;
            if (is_there) found.take(i);
        }
        is_there = is_there || (!part.number && found.take(part.text));
        if (!is_there && !part.number && k + 1 < name.size() && found.take(part.text + name[k + 1].text)) {
            letters += part.text.size() + name[k + 1].text.size();  // "deepseekv3"
            ++k;
            continue;
        }
        // "Inception3" is Inception-v3.
        const bool is_version = part.text == "v" && k > 0 && k + 1 < name.size() && name[k + 1].number;
        if (!is_there && !is_version && (part.number || !sized || !is_size(part.text))) return 0;
        letters += is_there ? part.text.size() : 0;
    }
    return letters;
}

/// How much of the text the family's title spells: 0 if it is not there. A title without its version counts less.
std::size_t title_found(const std::vector<Piece>& text, std::string_view title) {
    const auto parts = pieces_of(title);
    std::string joined, unversioned;
    for (const Piece& part : parts) {
        joined += part.text;
        if (!part.number) unversioned += part.text;
    }
    const PieceMatcher found(text);
    constexpr std::size_t shortest = 3;
    if (found.find(joined)) return joined.size() + 2;
    const std::size_t apart = letters_found(text, parts, false);
    if (apart >= shortest) return apart + 1;
    return unversioned.size() >= shortest && found.find(unversioned) ? unversioned.size() : 0;
}

/// The family that the text names, and its number of parameters: the stated one, or that of a size that it names.
NetworkReading read_family(const formats::Library& library, const std::vector<Piece>& text, double stated) {
    NetworkReading best;
    std::size_t most = 0;
    double nearest = 0;
    const PieceMatcher found(text);
    const auto published = formats::sizes(library.known_families());
    for (const formats::FamilySize& size : published) {
        const std::size_t letters = title_found(text, size.title);
        if (letters == 0 || letters < most) continue;
        const auto is_of_it = [&](const formats::FamilySize& other) { return other.family == size.family; };
        if (stated == 0 && !found.find(size.size) && std::count_if(published.begin(), published.end(), is_of_it) > 1)
            continue;
        const double billions = stated > 0 ? stated / 1e9 : size.billions,
                     off = std::abs(std::log(billions / size.billions));
        if (letters == most && off >= nearest) continue;
        best.family = size.family, best.billions = billions;
        most = letters, nearest = off;
    }
    return best;
}

}  // namespace

std::string family_called(const formats::Library& library, std::string_view text) {
    const auto pieces = pieces_of(text);
    std::string best;
    std::size_t most = 0;
    for (const formats::FamilySize& size : formats::sizes(library.known_families())) {
        if (size.family == best) continue;
        const std::size_t letters = title_found(pieces, size.title);
        if (letters > most) best = size.family, most = letters;
    }
    return best;
}

double stated_parameters(std::string_view text) { return parameters_in(pieces_of(text)); }

NetworkReading read_network(const formats::Library& library, std::string_view text, double parameters) {
    const std::string small = in_small_letters(text);
    for (const std::string_view negation : {"w/o", "without"})  // "DeepSeek-V3 (w/o MTP)"
        text = text.substr(0, small.find(negation));
    const auto pieces = pieces_of(text);
    const double in_text = parameters_in(pieces), stated = in_text > 0 ? in_text : parameters;
    /// How far the stated number of parameters is off, as a logarithm.
    const auto off_by = [&](const formats::Preset& preset) {
        if (stated == 0) return 0.0;
        const auto network = library.network(preset.id);
        const double has = network ? static_cast<double>((*network)->parameters()) : 0.0;
        return has > 0 ? std::abs(std::log(stated / has)) : 1.0;
    };
    constexpr double most_off = 0.13;
    if (const formats::Preset* exact = library.find_network(text);
        exact && (parameters == 0 || off_by(*exact) < most_off))
        return {.id = exact->id};
    std::string best;
    std::size_t most = 0;
    double nearest = 0;
    for (const formats::Preset& preset : library.networks) {
        if (preset.id.starts_with("paleo/")) continue;
        const std::string_view id = std::string_view(preset.id).substr(preset.id.rfind('/') + 1);
        std::size_t letters = 0;
        const std::string_view whole = preset.name;
        for (const std::string_view name : {id, whole, whole.substr(0, whole.find(" ("))})
            letters = std::max(letters, letters_found(pieces, pieces_of(name), stated > 0));
        if (letters < std::max<std::size_t>(most, 3)) continue;
        const double off = off_by(preset);
        if (off > most_off) continue;
        if (letters == most && off >= nearest) continue;
        best = preset.id, most = letters, nearest = off;
    }
    if (best.empty()) {
        const std::string meant = shipped_vocabulary().read("network", text).means;
        if (!meant.empty()) return {.id = meant};
        return read_family(library, pieces, stated);
    }
    const std::string name = library.find_network(best)->name;
    const auto in_name = pieces_of(name);
    const auto is_version = [&](const Piece& p) {
        return p.number && p.value < 10 && p.value != std::floor(p.value) &&
               std::any_of(in_name.begin(), in_name.end(),
                           [&](const Piece& of) { return of.number && of.value == std::floor(p.value); });
    };
    if (std::none_of(pieces.begin(), pieces.end(), is_version)) return {.id = best};
    return {.id = best, .assumed = "\"" + std::string(text.substr(0, 60)) + "\" is read as " + name + "."};
}

}  // namespace scalescope
