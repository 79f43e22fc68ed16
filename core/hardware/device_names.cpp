// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/device_names.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/base/letters.hpp"
#include "core/base/suggest.hpp"

namespace scalescope {
namespace {

bool is_word_part(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z'); }

/// "NVIDIA A100-SXM4-40GB" → a100, sxm, 40gb. Words that say nothing are left out.
std::vector<std::string> device_words(std::string_view name) {
    constexpr std::array<std::string_view, 7> empty{"nvidia",      "amd",   "gpu",    "graphics",
                                                    "corporation", "tesla", "geforce"};
    std::vector<std::string> words;
    std::string word;
    const auto end = [&] {
        if (word == "gb" && !words.empty() && words.back().find_first_not_of("0123456789") == std::string::npos) {
            words.back() += word;  // "80 GB"
        } else if (word.starts_with("sxm")) {
            words.emplace_back("sxm");
        } else if (word == "hbm3") {  // drivers call the H100 SXM so
            words.emplace_back("sxm");
        } else if (!word.empty() && std::find(empty.begin(), empty.end(), word) == empty.end()) {
            words.push_back(word);
        }
        word.clear();
    };
    for (const char c : in_small_letters(name)) {
        if (is_word_part(c))
            word += c;
        else
            end();
    }
    end();
    return words;
}

bool has_all(const std::vector<std::string>& all, const std::vector<std::string>& some) {
    return std::all_of(some.begin(), some.end(),
                       [&all](const std::string& w) { return std::find(all.begin(), all.end(), w) != all.end(); });
}

}  // namespace

std::string folded_device_name(std::string_view name) {
    std::string all;
    for (const std::string& word : device_words(name)) all += word;
    return all;
}

std::vector<const Device*> fitting_devices(const Catalogue& catalogue, std::string_view name) {
    if (const Device* device = catalogue.device(name)) return {device};
    const auto words = device_words(name);
    if (words.empty()) return {};
    const std::string wanted = folded_device_name(name);
    for (const Device& device : catalogue.devices)
        if (folded_device_name(device.id) == wanted || folded_device_name(device.name) == wanted) return {&device};
    std::vector<const Device*> fitting;
    for (const Device& device : catalogue.devices)
        if (device.paleo_key.empty() && has_all(device_words(device.name), words)) fitting.push_back(&device);
    return fitting;
}

Result<const Device*> require_device(const Catalogue& catalogue, std::string_view name) {
    const auto fitting = fitting_devices(catalogue, name);
    if (fitting.size() == 1) return fitting.front();
    std::vector<std::string> known;
    for (const Device& device : catalogue.devices) known.push_back(device.id);
    std::string remedy = "scalescope list devices shows those there are";
    if (!fitting.empty()) {
        remedy = "say which one:";
        for (const Device* device : fitting) remedy += ' ' + device->id;
    } else if (const auto near = closest(name, known)) {
        remedy = "did you mean \"" + *near + "\"?";
    }
    return fail(make_error("No device is known as \"" + std::string(name.substr(0, 60)) + "\".", remedy, {}, "device"));
}

}  // namespace scalescope
