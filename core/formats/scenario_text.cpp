// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/scenario_text.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

#include <zlib.h>

#include "core/base/limits.hpp"
#include "core/formats/byte_stream.hpp"

namespace scalescope::formats {
namespace {

constexpr std::string_view link_scheme = "scalescope:",
                           link_alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr int link_version = 1;
constexpr std::size_t sum_digits = 8;

tl::unexpected<Problems> link_problem(std::string what, std::string remedy) {
    return fail(make_error(std::move(what), std::move(remedy), {std::string(link_title), 0, 0}));
}

tl::unexpected<Problems> link_damaged(std::string how) {
    return link_problem("The link is damaged: " + std::move(how) + ".", "Copy it again, or ask for it as a file.");
}

tl::unexpected<Problems> link_cut_off() {
    return link_problem("The link is cut off.", "Copy all of it, with the eight digits after its last colon.");
}

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string in_base64(std::string_view bytes) {
    std::string text;
    text.reserve(bytes.size() * 4 / 3 + 3);
    std::uint32_t held = 0;
    int bits = 0;
    for (const char c : bytes) {
        held = held << 8 | static_cast<unsigned char>(c);
        for (bits += 8; bits >= 6; bits -= 6) text += link_alphabet[held >> (bits - 6) & 63];
    }
    if (bits > 0) text += link_alphabet[held << (6 - bits) & 63];
    return text;
}

/// Nothing if it is none, or not as in_base64 writes it: what is left of the last sign must be zero.
std::optional<std::string> out_of_base64(std::string_view text) {
    std::string bytes;
    bytes.reserve(text.size() * 3 / 4);
    std::uint32_t held = 0;
    int bits = 0;
    for (const char c : text) {
        const auto value = link_alphabet.find(c);
        if (value == std::string_view::npos) return std::nullopt;
        held = held << 6 | static_cast<std::uint32_t>(value);
        if ((bits += 6) >= 8) {
            bits -= 8;
            bytes += static_cast<char>(static_cast<unsigned char>(held >> bits & 0xff));
        }
    }
    if (bits >= 6 || (held & ((1u << bits) - 1)) != 0) return std::nullopt;
    return bytes;
}

std::string sum_text(std::string_view bytes) {
    auto sum = crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
    std::string digits(sum_digits, '0');
    for (std::size_t i = sum_digits; i > 0; --i, sum >>= 4) digits[i - 1] = "0123456789abcdef"[sum & 15];
    return digits;
}

std::string gzipped(std::string_view text) {
    z_stream stream{};
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) return {};
    std::string packed(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
    // zlib takes its input without const, and leaves it as it is.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    const bool whole = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    packed.resize(whole ? stream.total_out : 0);
    deflateEnd(&stream);
    return packed;
}

/// Stops at the bound, however much more would come out.
Result<std::string> unzipped(std::string_view packed, const Watch& watch) {
    const ReadPiece read = [packed](std::uint64_t offset, std::size_t count) {
        return packed.substr(static_cast<std::size_t>(std::min<std::uint64_t>(offset, packed.size())), count);
    };
    ByteStream stream(read, packed.size(), {limits::file_bytes, limits::file_bytes, "unpacking the link"}, watch);
    std::string text;
    if (stream.packed())
        for (; !stream.at_end(); stream.advance()) text += stream.current();
    const std::string most = std::to_string(limits::file_bytes >> 20) + " MiB";
    if (stream.ended() == StreamEnd::cancelled)
        return link_problem("Reading the link was cancelled.", "Paste it again to read it.");
    if (stream.ended() == StreamEnd::too_long || text.size() > limits::file_bytes)
        return link_problem("The link unpacks to more than " + most + "; no more is read.",
                            "Do not trust it: no scenario is that large.");
    if (!stream.packed() || stream.ended() != StreamEnd::whole) return link_damaged("it does not unpack");
    return text;
}

/// The packed bytes of a link that is whole and of a version known here.
Result<std::string> packed_part(std::string_view link) {
    if (!link.starts_with(link_scheme))
        return link_problem("This is no scenario link.",
                            "Copy all of it, from \"scalescope:\" to the eight digits after its last colon.");
    link.remove_prefix(link_scheme.size());
    const auto head = link.find(':');
    const std::string_view number = link.substr(0, head);
    int version = 0;
    const auto read = std::from_chars(number.data(), number.data() + number.size(), version);
    if (number.empty() && head == std::string_view::npos) return link_cut_off();
    const bool plain = read.ec == std::errc() && read.ptr == number.data() + number.size() && number[0] != '0';
    const bool beyond = read.ec == std::errc::result_out_of_range;
    if (!beyond && (!plain || version < 1)) return link_damaged("its version is no number");
    if (head == std::string_view::npos) return link_cut_off();
    if (beyond || version > link_version)
        return link_problem("The link has version " + std::string(number.substr(0, 12)) +
                                ", this program knows links up to version " + std::to_string(link_version) + ".",
                            "Open it with a newer Scalescope.");
    link.remove_prefix(head + 1);
    const auto tail = link.find(':');
    for (const char c : link.substr(0, tail))
        if (link_alphabet.find(c) == std::string_view::npos) return link_damaged("it holds a sign that no link has");
    if (tail == std::string_view::npos) return link_cut_off();
    const std::string_view sum = link.substr(tail + 1);
    const auto digits = std::min(sum.find_first_not_of("0123456789abcdef"), sum.size());
    if (digits > sum_digits || (digits == sum_digits && sum.size() > digits))
        return link_problem("Something follows the link.", "Copy the link alone, up to the eight digits at its end.");
    if (digits < sum.size()) return link_damaged("its checksum is no number");
    if (digits < sum_digits) return link_cut_off();
    auto packed = out_of_base64(link.substr(0, tail));
    if (!packed || sum_text(*packed) != sum) return link_damaged("its checksum differs");
    return std::move(*packed);
}

}  // namespace

bool is_link(std::string_view text) {
    std::size_t matched = 0;
    for (const char c : text) {
        if (is_space(c)) continue;
        if (matched == link_scheme.size()) return c >= '0' && c <= '9';
        if (c != link_scheme[matched++]) return false;
    }
    return false;
}

Result<std::string> to_link(const Scenario& scenario, const Library& library) {
    const std::string text = write_scenario(scenario, library);
    const std::string packed = text.size() <= limits::file_bytes ? gzipped(text) : std::string();
    std::string link = std::string(link_scheme) + std::to_string(link_version) + ':' + in_base64(packed) + ':';
    link += sum_text(packed);
    if (packed.empty() || link.size() > limits::link_bytes)
        return link_problem(
            "The scenario is too large for a link of at most " + std::to_string(limits::link_bytes >> 20) + " MiB.",
            "Save it as a file, and hand that on.");
    return link;
}

Result<ReadScenario> from_link(std::string_view text, const Library& library, const Watch& watch) {
    if (text.size() > limits::link_bytes)
        return link_problem("The link has " + std::to_string(text.size() >> 20) + " MiB; at most " +
                                std::to_string(limits::link_bytes >> 20) + " MiB are read.",
                            "Ask for the scenario as a file.");
    std::string link(text);
    std::erase_if(link, is_space);
    ASSIGN_OR_RETURN(const auto packed, packed_part(link));
    ASSIGN_OR_RETURN(const auto file, unzipped(packed, watch));
    // Whoever wrote the link knows nothing of this machine, and has no business with its files.
    const auto refusal = link_problem("A link reads no files.", "Ask for a link with the network in it.");
    return read_scenario(file, std::string(link_title), library, no_files(refusal.value().front()), watch);
}

}  // namespace scalescope::formats
