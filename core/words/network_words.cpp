// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/network_words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "core/base/letters.hpp"
#include "core/base/name_list.hpp"
#include "core/formats/hugging_face/import.hpp"
#include "core/words/pieces.hpp"
#include "core/words/vocabulary.hpp"

namespace scalescope {
namespace {

/// Sizes that names spell out or abbreviate: ViT-B is ViT-base.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> sizes{
    {{"base", "b"}, {"large", "l"}, {"small", "s"}, {"huge", "h"}, {"xlarge", "xl"}, {"tiny", "t"}}};

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
        if (i + 3 < p.size() && p[i + 2].number && p[i + 3].text == "e" && p[i + 3].glued) continue;  // "17B-128E"
        const bool ends = i + 2 >= p.size() || !p[i + 2].glued || p[i + 2].number;
        if (!p[i].number || !p[i + 1].glued || !ends || (i > 0 && is_among(p[i - 1].text, "x v"))) continue;  // "v1b"
        if (p[i + 1].text == "b") {                                                // "7B", "7b1"
            if (i + 2 < p.size() && p[i + 2].text.starts_with("token")) continue;  // "trained on 300B tokens"
            const bool decimal = i + 2 < p.size() && p[i + 2].glued && p[i + 2].number && p[i + 2].value < 10;
            return (p[i].value + (decimal ? p[i + 2].value / 10 : 0)) * 1e9;
        }
        if (p[i + 1].text == "m" && p[i].value >= 20) return p[i].value * 1e6;
    }
    return 0;
}

/// Takes a number with a fraction whose point is another sign: 1.6 in "regnet_y_1_6gf" and "v1.6".
bool take_digits(const std::vector<Piece>& text, std::string_view number, PieceMatcher& found) {
    const std::size_t point = number.find('.');
    for (std::size_t i = 0; point != std::string_view::npos && i + 1 < text.size(); ++i) {
        if (found.is_taken(i) || found.is_taken(i + 1) || !text[i].number || text[i].text != number.substr(0, point) ||
            text[i + 1].text != number.substr(point + 1))
            continue;
        found.take(i), found.take(i + 1);
        return true;
    }
    return false;
}

/// Number of letters of the name that occur in the text; 0 if a part is missing. If `sized`, parts that follow from the
/// number of parameters may be missing, such as "xl" in "gpt-2-xl".
std::size_t letters_found(const std::vector<Piece>& text, const std::vector<Piece>& name, bool sized) {
    PieceMatcher found(text);
    std::size_t letters = 0;
    for (std::size_t k = 0; k < name.size(); ++k) {
        const Piece& part = name[k];
        bool is_there = false;
        std::size_t spelled = part.text.size();  // 1 of 1.0
        for (std::size_t i = 0; i < text.size() && !is_there; ++i) {
            const bool whole = part.text.find('.') == std::string::npos,
                       same = text[i].number && part.number
                                  ? text[i].value == part.value || (whole && std::floor(text[i].value) == part.value)
                                  : short_size(text[i].text) == short_size(part.text);
            is_there = !found.is_taken(i) && same;
            if (is_there) found.take(i), spelled = std::min(spelled, text[i].text.size());
        }
        is_there = is_there || (part.number ? take_digits(text, part.text, found) : found.take(part.text));
        if (!is_there && !part.number && k + 1 < name.size() && found.take(part.text + name[k + 1].text)) {
            letters += part.text.size() + name[k + 1].text.size();  // "deepseekv3"
            ++k;
            continue;
        }
        // "Inception3" is Inception-v3.
        const bool is_version = part.text == "v" && k > 0 && k + 1 < name.size() && name[k + 1].number;
        if (!is_there && !is_version && (part.number || !sized || !is_size(part.text))) return 0;
        letters += is_there ? spelled : 0;
    }
    return letters;
}

/// Whether words of the name that are written as one are so in the text: "MobileFaceNet" is no MobileNet.
bool has_whole_words(const PieceMatcher& text, const std::vector<Piece>& name) {
    std::string word;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name[i].number) continue;
        word += name[i].text;
        const bool goes_on = i + 1 < name.size() && name[i + 1].glued && !name[i + 1].number;
        if (goes_on) continue;
        if (word.size() > name[i].text.size() && !text.find(word)) return false;
        word.clear();
    }
    return true;
}

constexpr std::size_t title_bonus = 2;  ///< for a title in one piece

/// How much of the text the family's title spells: 0 if it is not there. A title without its version counts less.
std::size_t title_found(const std::vector<Piece>& text, std::string_view title) {
    const auto parts = pieces_of(title);
    std::string joined, unversioned;
    for (const Piece& part : parts) {
        joined += part.text;
        if (!part.number) unversioned += part.text;
    }
    const PieceMatcher found(text);
    constexpr std::size_t shortest = 3, shortest_apart = 4;  // "DS, FP16 … 2.1" is no DS2
    if (found.find(joined)) return joined.size() + title_bonus;
    const std::size_t apart = has_whole_words(found, parts) ? letters_found(text, parts, false) : 0;
    if (apart >= shortest_apart) return apart + 1;
    return unversioned.size() >= shortest && found.find(unversioned) ? unversioned.size() : 0;
}

/// Whether the text says "3D", but not of parallelism: a network with that in its name is another one.
bool says_3d(const std::vector<Piece>& text) {
    for (std::size_t i = 0; i + 1 < text.size(); ++i)
        if (text[i].text == "3" && text[i + 1].text == "d" && text[i + 1].glued)
            return i + 2 == text.size() || !text[i + 2].text.starts_with("parallel");
    return false;
}

/// Whether the text has a version from 2 on, such as "v3", that none of the names has, or says "3D" where none does: it
/// is another family. "V100" does not count as a version.
bool has_other_version(const std::vector<Piece>& text, std::string_view title, std::string_view size) {
    auto names = pieces_of(title);
    for (Piece& piece : pieces_of(size)) names.push_back(std::move(piece));
    if (says_3d(text) && !says_3d(names)) return true;
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
        constexpr double most = 20;
        if (text[i].text != "v" || !text[i + 1].number || text[i + 1].value < 2 || text[i + 1].value > most) continue;
        const auto is_it = [&](const Piece& of) {
            return of.number && std::floor(of.value) == std::floor(text[i + 1].value);
        };
        if (std::none_of(names.begin(), names.end(), is_it)) return true;
    }
    return false;
}

std::string joined(std::string_view name) {
    std::string all;
    for (const Piece& part : pieces_of(name)) all += part.text;
    return all;
}

/// The pieces of the text that do not belong to the name: the T in "DeiT-S" does not mean "tiny".
std::vector<Piece> without(const std::vector<Piece>& text, std::string_view name) {
    PieceMatcher found(text);
    if (!found.take(joined(name))) return text;
    std::vector<Piece> rest;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (!found.is_taken(i)) rest.push_back(text[i]);
    return rest;
}

/// Whether the name is only the end of a word of the text, such as U-Net in "nnU-Net".
bool begins_inside_a_word(const std::vector<Piece>& text, std::string_view name) {
    const std::size_t at = PieceMatcher(text).find_at(joined(name));
    return at != PieceMatcher::no_place && at > 0 && text[at].glued && !text[at - 1].number;
}

/// Whether a number or a size follows the name, such as 51 in "ResNet-51".
bool is_numbered(const std::vector<Piece>& text, std::string_view name) {
    PieceMatcher found(text);
    std::size_t at = found.find_at(joined(name));
    if (!found.take(joined(name))) return true;
    while (at < text.size() && found.is_taken(at)) ++at;
    return at < text.size() &&
           (text[at].number || is_size(text[at].text) || (at + 1 < text.size() && text[at + 1].number));
}

/// Whether the text has the number behind an X, which stands for ResNeXt: "X-101" is larger than ResNet-101. Not in
/// "2x 101".
bool is_behind_x(const std::vector<Piece>& text, std::string_view number) {
    for (std::size_t i = 0; i + 1 < text.size(); ++i)
        if (text[i].text == "x" && text[i + 1].text == number && (i == 0 || !text[i - 1].number)) return true;
    return false;
}

constexpr double most_off = 0.13;         ///< of a stated number of parameters, as a logarithm
constexpr double most_off_beside = 0.35;  ///< of one in another cell, which may count with or without a head

/// The title and the other spellings.
std::vector<std::string_view> names_of(const formats::FamilySize& size) {
    std::vector<std::string_view> names{size.title};
    for (std::string_view rest = size.spellings; !rest.empty();) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        names.push_back(trimmed(rest.substr(0, comma)));
        rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    return names;
}

/// A family, and how much of its names the text spells.
struct FamilyReading {
    NetworkReading read;
    std::string name;  ///< the title that the text spells, or another spelling of it
    std::size_t letters = 0;
};

/// Two letters that stand for other things too, and name a family only with its size: SD is the standard deviation.
bool is_abbreviation(std::string_view name) {
    return name.size() <= 2 && std::all_of(name.begin(), name.end(), [](char c) { return c < '0' || c > '9'; });
}

/// The family that the text names, and its number of parameters: the stated one, or that of a size that it names. Its
/// name alone is enough if all its sizes have as many, or if the family says which size is the usual one.
FamilyReading read_family(const formats::Library& library, const std::vector<Piece>& text, double stated) {
    FamilyReading best, usual;
    double nearest = 0;
    const auto published = formats::sizes(library.known_families());
    for (const formats::FamilySize& size : published) {
        const double billions = stated > 0 ? stated / 1e9 : size.billions,
                     off = std::abs(std::log(billions / size.billions));
        const auto is_other = [&](const formats::FamilySize& other) {
            return other.family == size.family && std::abs(other.billions / size.billions - 1) > 1e-9;
        };
        for (const std::string_view name : names_of(size)) {
            const std::size_t title = title_found(text, name);
            if (title == 0 || has_other_version(text, name, size.size)) continue;
            const std::size_t spelled = off < most_off && !is_behind_x(text, size.size)
                                            ? letters_found(without(text, name), pieces_of(size.size), false)
                                            : 0;
            if (is_abbreviation(name) && !PieceMatcher(text).find(joined(name) + joined(size.size))) continue;
            if (stated == 0 && spelled == 0 &&
                (begins_inside_a_word(text, name) || std::any_of(published.begin(), published.end(), is_other))) {
                if (!size.usual || begins_inside_a_word(text, name) || is_numbered(text, name) || title < usual.letters)
                    continue;
                usual = {
                    {.family = size.family,
                     .size = size.size,
                     .billions = billions,
                     .assumed = size.title + " " + size.size + ", the usual size of " + size.title + ", is assumed."},
                    std::string(name),
                    title};
                continue;
            }
            const std::size_t letters = title + spelled;
            if (letters < best.letters || (letters == best.letters && off >= nearest)) continue;
            best.read = {.family = size.family, .billions = billions};
            if (spelled > 0 || stated == 0) best.read.size = size.size;
            best.name = name, best.letters = letters;
            nearest = off;
        }
    }
    return best.letters > 0 && best.letters >= usual.letters ? best : usual;
}

/// Whether the family's name has a word, or its size a number other than that of parameters, that neither name of the
/// preset has.
bool names_more(const FamilyReading& family, std::string_view id, std::string_view name) {
    const auto of_family = pieces_of(family.name), of_size = pieces_of(family.read.size);
    auto of_preset = pieces_of(id);
    for (Piece& piece : pieces_of(name)) of_preset.push_back(std::move(piece));
    const auto is_missing = [&](const Piece& word) {
        return std::none_of(of_preset.begin(), of_preset.end(), [&](const Piece& p) { return p.text == word.text; });
    };
    for (std::size_t i = 0; i < of_size.size(); ++i) {
        const bool counts = i + 1 < of_size.size() && of_size[i + 1].glued && !of_size[i + 1].number;  // "355m"
        if (of_size[i].number && !counts && is_missing(of_size[i])) return true;
    }
    return std::any_of(of_family.begin(), of_family.end(),
                       [&](const Piece& word) { return !word.number && word.text.size() > 1 && is_missing(word); });
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

bool names_size(std::string_view text) {
    const auto pieces = pieces_of(text);
    return std::any_of(pieces.begin(), pieces.end(), [](const Piece& p) { return is_size(p.text); });
}

double stated_parameters(std::string_view text) { return parameters_in(pieces_of(text)); }

namespace {

/// The text behind the full forms of its short names, which stand before a number: "ResNet RN50". Empty if it has none,
/// or is longer than a name: "cfg2, sd 20.5" within a row is a deviation.
std::string with_full_names(std::string_view text) {
    constexpr std::size_t longest = 6;  // in pieces
    const auto pieces = pieces_of(text);
    const PieceMatcher found(pieces);
    std::string full;
    const auto is_before_number = [&](const std::string& name) {
        for (std::size_t i = 0; i < pieces.size(); ++i)
            if (const std::size_t length = found.length_at(name, i);
                length > 0 && i + length < pieces.size() && pieces[i + length].number)
                return true;
        return false;
    };
    for (const WordKind::Entry& entry : shipped_vocabulary().kinds.at("network before a number").entries)
        if (pieces.size() <= longest && std::any_of(entry.phrases.begin(), entry.phrases.end(), is_before_number))
            full += entry.means + ' ';
    return full.empty() ? full : full.append(text);
}

NetworkReading read_as_written(const formats::Library& library, std::string_view text, double parameters) {
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
    if (const formats::Preset* exact = library.find_network(text);
        exact && (parameters == 0 || off_by(*exact) < most_off_beside))
        return {.id = exact->id};
    std::string best;
    std::size_t most = 0;
    double nearest = 0;
    for (const formats::Preset& preset : library.networks) {
        if (preset.id.starts_with("paleo/") || (says_3d(pieces) && !says_3d(pieces_of(preset.name)))) continue;
        const std::string_view id = std::string_view(preset.id).substr(preset.id.rfind('/') + 1);
        std::size_t letters = 0;
        const std::string_view whole = preset.name;
        for (const std::string_view name : {id, whole, whole.substr(0, whole.find(" ("))})
            letters = std::max(letters, letters_found(pieces, pieces_of(name), stated > 0));
        if (letters < std::max<std::size_t>(most, 3)) continue;
        const double off = off_by(preset);
        if (off > (in_text > 0 ? most_off : most_off_beside)) continue;
        if (letters == most && off >= nearest) continue;
        best = preset.id, most = letters, nearest = off;
    }
    if (best.empty()) {
        const std::string meant = shipped_vocabulary().read("network", text).means;
        if (!meant.empty()) return {.id = meant};
        return read_family(library, pieces, stated).read;
    }
    const std::string name = library.find_network(best)->name;
    const FamilyReading family = read_family(library, pieces, stated);
    if (!family.read.size.empty() && family.letters >= most + title_bonus && names_more(family, best, name))
        return family.read;
    const auto in_name = pieces_of(name);
    const auto is_version = [&](const Piece& p) {
        return p.number && p.value < 10 && p.value != std::floor(p.value) &&
               std::any_of(in_name.begin(), in_name.end(),
                           [&](const Piece& of) { return of.number && of.value == std::floor(p.value); });
    };
    if (std::none_of(pieces.begin(), pieces.end(), is_version)) return {.id = best};
    return {.id = best, .assumed = "\"" + std::string(text.substr(0, 60)) + "\" is read as " + name + "."};
}

}  // namespace

NetworkReading read_network(const formats::Library& library, std::string_view text, double parameters) {
    NetworkReading read = read_as_written(library, text, parameters);
    const std::string full = read.id.empty() && read.family.empty() ? with_full_names(text) : std::string();
    if (full.empty()) return read;
    NetworkReading read_in_full = read_as_written(library, full, parameters);
    const std::string family = family_called(library, text);  // the ResNet in "CLIP RN50" is a part of another network
    const bool is_part = !family.empty() && family != read_in_full.family;
    return is_part || !read_in_full.assumed.empty() ? read : read_in_full;
}

}  // namespace scalescope
