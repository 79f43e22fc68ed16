// SPDX-License-Identifier: GPL-3.0-or-later
// A scenario's name goes on being true: "AlexNet on 32 GPUs" after another network, another count, another device.
#include <algorithm>
#include <array>
#include <string_view>

#include "core/base/format.hpp"
#include "core/scenario/scenario.hpp"

namespace scalescope {
namespace {

/// "Inception v3, 299 × 299" is called Inception v3 wherever more words follow.
std::string short_name(const Network& network) { return network.name().substr(0, network.name().find(',')); }

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool ends_word(char c) { return c == ' ' || c == ',' || c == ':' || c == ';' || c == '.' || c == '(' || c == ')'; }

/// Of a device's name the part that people say: "A100" of "A100 SXM 80GB", "K80" of "Tesla K80 (one of two GPUs)",
/// "RTX 4090" of "GeForce RTX 4090", and all of "Titan X (PALEO)" but its remark.
std::string model_of(const Device& d) {
    std::string name = d.name.substr(0, d.name.find(" ("));
    std::size_t begin = 0, before = 0;
    while (begin < name.size()) {
        const std::size_t end = std::min(name.find(' ', begin), name.size());
        const std::string_view word(name.data() + begin, end - begin);
        if (std::any_of(word.begin(), word.end(), is_digit)) {
            const bool number = std::all_of(word.begin(), word.end(), is_digit);
            const std::size_t from = number ? before : begin;
            return name.substr(from, end - from);
        }
        before = begin;
        begin = end + 1;
    }
    return name;
}

/// Where `word` stands in `name` as a word of its own that follows `after`; npos if nowhere.
std::size_t find_word(std::string_view name, std::string_view word, std::string_view after) {
    for (std::size_t at = name.find(word); !word.empty() && at != std::string_view::npos;
         at = name.find(word, at + 1)) {
        const bool ends = at + word.size() == name.size() || ends_word(name[at + word.size()]);
        if (ends && (at == 0 || name[at - 1] == ' ') && name.substr(0, at).ends_with(after)) return at;
    }
    return std::string_view::npos;
}

void replace_word(std::string& name, const std::string& gone, const std::string& come, std::string_view after) {
    if (gone == come) return;
    if (const auto at = find_word(name, gone, after); at != std::string::npos) name.replace(at, gone.size(), come);
}

/// "on 1 GPUs" becomes "on 1 GPU", and "on 8 GPU" "on 8 GPUs".
void agree_in_number(std::string& name, std::int64_t before, std::int64_t now, std::string_view after) {
    constexpr std::array<std::string_view, 7> nouns{"GPU", "TPU", "device", "worker", "machine", "node", "replica"};
    if ((before == 1) == (now == 1)) return;
    const std::string count = format_count(now);
    for (const std::string_view noun : nouns) {
        const std::string one(noun), many = one + 's', as_counted = std::string(after) + count + ' ';
        replace_word(name, now == 1 ? many : one, now == 1 ? one : many, as_counted);
    }
}

}  // namespace

std::string name_with(std::string name, const Network& gone, const Network& come) {
    const std::string before = short_name(gone);
    if (const auto at = before.empty() ? std::string::npos : name.find(before); at != std::string::npos)
        name.replace(at, before.size(), short_name(come));
    return name;
}

std::string name_after(const Scenario& before, const Scenario& after) {
    std::string name = after.name;
    if (name != before.name || name.empty()) return name;
    for (const std::string_view words : {" on ", " of "}) {  // "on 8 P100, 8 parameter servers": the first is meant
        const std::string count = format_count(before.cluster.workers);
        if (find_word(name, count, words) == std::string_view::npos) continue;
        replace_word(name, count, format_count(after.cluster.workers), words);
        agree_in_number(name, before.cluster.workers, after.cluster.workers, words);
        break;
    }
    replace_word(name, model_of(before.cluster.device), model_of(after.cluster.device), " ");
    return name;
}

}  // namespace scalescope
