// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

/// Changes JSON text where it stays JSON: flipping bytes alone seldom gets past the parser. Numbers become small, large
/// or odd ones, texts change places, values are doubled or dropped; now and then the bytes are left to libFuzzer.
namespace scalescope::fuzz {

struct Token {
    std::size_t begin = 0, end = 0;
    bool text = false;
};

inline std::vector<Token> tokens_of(std::string_view json) {
    std::vector<Token> tokens;
    for (std::size_t i = 0; i < json.size();) {
        const std::size_t begin = i;
        if (json[i] == '"') {
            for (++i; i < json.size() && json[i] != '"'; ++i)
                if (json[i] == '\\') ++i;
            i = std::min(i + 1, json.size());
            tokens.push_back({begin, i, true});
        } else if ((json[i] >= '0' && json[i] <= '9') || json[i] == '-') {
            while (i < json.size() && std::string_view("+-.eE0123456789").find(json[i]) != std::string_view::npos) ++i;
            tokens.push_back({begin, i, false});
        } else {
            ++i;
        }
    }
    return tokens;
}

inline bool change_json(std::string& json, std::mt19937& random) {
    constexpr std::array numbers{"0",
                                 "1",
                                 "2",
                                 "3",
                                 "4",
                                 "5",
                                 "7",
                                 "8",
                                 "16",
                                 "31",
                                 "64",
                                 "100",
                                 "127",
                                 "1000",
                                 "4096",
                                 "65536",
                                 "1000000",
                                 "1048576",
                                 "16777217",
                                 "1073741824",
                                 "2147483647",
                                 "2147483648",
                                 "4294967296",
                                 "9007199254740993",
                                 "9223372036854775807",
                                 "-1",
                                 "0.5",
                                 "1e-9",
                                 "1e-7",
                                 "99.9",
                                 "1e12",
                                 "1e300"};
    const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    const auto tokens = tokens_of(json);
    if (tokens.empty()) return false;
    const Token t = tokens[pick(tokens.size())], other = tokens[pick(tokens.size())];
    switch (pick(6)) {
        case 0:
        case 1:
        case 2:
            if (t.text) return false;
            json.replace(t.begin, t.end - t.begin, numbers[pick(numbers.size())]);
            return true;
        case 3:
            if (!t.text || !other.text) return false;
            json.replace(t.begin, t.end - t.begin, json.substr(other.begin, other.end - other.begin));
            return true;
        case 4: {  // one line again, somewhere else: a layer or a field
            const auto line = json.rfind('\n', t.begin), end = json.find('\n', t.begin);
            if (line == std::string::npos || end == std::string::npos || end - line > 400) return false;
            const auto to = json.find('\n', other.begin);
            json.insert(to == std::string::npos ? end : to, json.substr(line, end - line));
            return true;
        }
        default: {
            const auto line = json.rfind('\n', t.begin), end = json.find('\n', t.begin);
            if (line == std::string::npos || end == std::string::npos) return false;
            json.erase(line, end - line);
            return true;
        }
    }
}

}  // namespace scalescope::fuzz

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
    std::mt19937 random(seed);
    if (random() % 4 == 0) return LLVMFuzzerMutate(data, size, max_size);
    std::string json(reinterpret_cast<const char*>(data), size);
    for (unsigned changes = 1 + random() % 4, tries = 0; changes > 0 && tries < 20; ++tries)
        if (scalescope::fuzz::change_json(json, random)) --changes;
    if (json.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
    std::copy(json.begin(), json.end(), data);
    return json.size();
}
