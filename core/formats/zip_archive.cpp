// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/zip_archive.hpp"

#include <algorithm>
#include <optional>

#include <zlib.h>

#include "core/base/limits.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/formats/text_file.hpp"

namespace scalescope::formats {
namespace {

constexpr std::string_view member_mark = "PK\3\4", entry_mark = "PK\1\2", end_mark = "PK\5\6", end64_mark = "PK\6\6",
                           locator_mark = "PK\6\7";
constexpr std::size_t member_header = 30, entry_header = 46, end_record = 22, end64_record = 56, locator = 20,
                      longest_comment = 0xffff;
constexpr std::uint64_t in_64_bits = 0xffffffff;  ///< stands where a number needs more than 32

/// `width` bytes at `at`, the lowest first; the caller has checked that they are there.
std::uint64_t little_endian(std::string_view bytes, std::size_t at, std::size_t width) {
    std::uint64_t n = 0;
    for (std::size_t i = width; i > 0; --i) n = n << 8 | static_cast<unsigned char>(bytes[at + i - 1]);
    return n;
}

struct Member {
    std::uint64_t flags, method, sum, packed, size, offset;
};

class ZipReader {
public:
    ZipReader(const ReadBytes& read, std::uint64_t size, const std::string& file)
        : read_(read), size_(size), file_(file) {}

    Result<std::string> unpack(std::string_view name) {
        const auto entries = directory();
        if (!entries) return damaged();
        const auto member = find(*entries, name);
        if (!member)
            return problem("The archive has no " + quoted(name) + ".",
                           "Open an archive that holds one, as Keras writes them (.keras).");
        if ((member->flags & 1) != 0)
            return problem("The archive is encrypted.", "Unpack it, and open its " + std::string(name) + ".");
        if (member->size > limits::file_bytes || member->packed > limits::file_bytes)
            return problem("Its " + quoted(name) + " would have more than " + std::to_string(limits::file_bytes >> 20) +
                               " MiB; no more are read.",
                           "Choose a smaller file.");
        if (member->method != 0 && member->method != 8)
            return problem("Its " + quoted(name) + " is packed in a way that is not read here.",
                           "Unpack the archive, and open that file.");
        const auto packed = packed_bytes(*member);
        if (!packed) return damaged();
        auto text = member->method == 0 ? packed : inflated(*packed, static_cast<std::size_t>(member->size));
        if (!text || text->size() != member->size || sum_of(*text) != member->sum) return damaged();
        return std::move(*text);
    }

private:
    tl::unexpected<Problems> problem(std::string what, std::string remedy) {
        return fail(about_file(file_, std::move(what), std::move(remedy)));
    }
    tl::unexpected<Problems> damaged() {
        return problem("The archive is damaged, or cut off.", "Copy or save it again.");
    }

    /// Exactly so many bytes, or nothing.
    std::optional<std::string> bytes(std::uint64_t offset, std::uint64_t count) {
        if (offset > size_ || count > size_ - offset) return std::nullopt;
        std::string all = read_(offset, static_cast<std::size_t>(count));
        if (all.size() != count) return std::nullopt;
        return all;
    }

    /// The list of members, which the end of the archive points to.
    std::optional<std::string> directory() {
        const std::uint64_t tail_size = std::min<std::uint64_t>(size_, end_record + longest_comment);
        const auto tail = bytes(size_ - tail_size, tail_size);
        if (!tail) return std::nullopt;
        for (std::size_t at = tail->rfind(end_mark); at != std::string::npos;
             at = at == 0 ? std::string::npos : tail->rfind(end_mark, at - 1)) {
            // The mark may stand in the comment behind the end, too: the end is where the comment's length says.
            if (at + end_record > tail->size() || at + end_record + little_endian(*tail, at + 20, 2) != tail->size())
                continue;
            std::uint64_t length = little_endian(*tail, at + 12, 4), offset = little_endian(*tail, at + 16, 4);
            if (offset == in_64_bits || length == in_64_bits) {
                const auto record = wide_end(size_ - tail_size + at);
                if (!record) return std::nullopt;
                length = little_endian(*record, 40, 8);
                offset = little_endian(*record, 48, 8);
            }
            if (length > limits::archive_directory_bytes) return std::nullopt;
            return bytes(offset, length);
        }
        return std::nullopt;
    }

    /// The end of archives of more than 4 GiB, which a record before the usual one points to.
    std::optional<std::string> wide_end(std::uint64_t usual_end) {
        if (usual_end < locator) return std::nullopt;
        const auto pointer = bytes(usual_end - locator, locator);
        if (!pointer || !pointer->starts_with(locator_mark)) return std::nullopt;
        auto record = bytes(little_endian(*pointer, 8, 8), end64_record);
        if (!record || !record->starts_with(end64_mark)) return std::nullopt;
        return record;
    }

    static std::optional<Member> find(std::string_view entries, std::string_view name) {
        while (entries.size() >= entry_header && entries.starts_with(entry_mark)) {
            const std::size_t name_size = little_endian(entries, 28, 2), whole = entry_header + name_size +
                                                                                 little_endian(entries, 30, 2) +
                                                                                 little_endian(entries, 32, 2);
            if (whole > entries.size()) break;
            if (entries.substr(entry_header, name_size) == name)
                return Member{little_endian(entries, 8, 2),  little_endian(entries, 10, 2),
                              little_endian(entries, 16, 4), little_endian(entries, 20, 4),
                              little_endian(entries, 24, 4), little_endian(entries, 42, 4)};
            entries.remove_prefix(whole);
        }
        return std::nullopt;
    }

    std::optional<std::string> packed_bytes(const Member& member) {
        const auto header = bytes(member.offset, member_header);
        if (!header || !header->starts_with(member_mark)) return std::nullopt;
        return bytes(member.offset + member_header + little_endian(*header, 26, 2) + little_endian(*header, 28, 2),
                     member.packed);
    }

    /// No more than `size` bytes come out, whatever the packed ones say.
    static std::optional<std::string> inflated(const std::string& packed, std::size_t size) {
        std::string text(size, '\0');
        z_stream stream{};
        if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return std::nullopt;
        // zlib takes its input without const, and leaves it as it is.
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
        stream.avail_in = static_cast<uInt>(packed.size());
        stream.next_out = reinterpret_cast<Bytef*>(text.data());
        stream.avail_out = static_cast<uInt>(text.size());
        const int ended = inflate(&stream, Z_FINISH);
        const bool whole = ended == Z_STREAM_END && stream.total_out == size;
        inflateEnd(&stream);
        return whole ? std::optional(std::move(text)) : std::nullopt;
    }

    static std::uint64_t sum_of(const std::string& text) {
        return crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size()));
    }

    const ReadBytes& read_;
    std::uint64_t size_;
    const std::string& file_;
};

}  // namespace

bool is_zip_archive(std::string_view bytes) { return bytes.starts_with(member_mark) || bytes.starts_with(end_mark); }

Result<std::string> unpack_member(const ReadBytes& read, std::uint64_t size, std::string_view name,
                                  const std::string& file) {
    return ZipReader(read, size, file).unpack(name);
}

Result<std::string> unpack_member(std::string_view archive, std::string_view name, const std::string& file) {
    const ReadBytes read = [archive](std::uint64_t offset, std::size_t count) {
        return std::string(
            archive.substr(static_cast<std::size_t>(std::min<std::uint64_t>(offset, archive.size())), count));
    };
    return unpack_member(read, archive.size(), name, file);
}

}  // namespace scalescope::formats
