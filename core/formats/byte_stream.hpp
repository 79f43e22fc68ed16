// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file_window.hpp"
#include "core/base/watch.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace scalescope::formats {

/// The bytes of a file, piece by piece: up to so many from an offset, none at its end. Valid until the next call.
using ReadPiece = std::function<std::string_view(std::uint64_t offset, std::size_t count)>;

/// Why a stream ended.
enum class StreamEnd { none, whole, damaged, too_long, cancelled, token_too_long };

/// What a stream may hold, and what it says while it is read.
struct StreamBounds {
    std::uint64_t bytes = 0;        ///< of all its text, unpacked
    std::uint64_t token_bytes = 0;  ///< of one text or number
    std::string_view doing;         ///< "reading the trace"
};

/// The text of a file, packed by gzip or not, character by character in bounded memory. Counts lines as they pass.
class ByteStream {
public:
    ByteStream(ReadPiece read, std::uint64_t size, const StreamBounds& bounds, const Watch& watch);
    ~ByteStream();
    ByteStream(const ByteStream&) = delete;
    ByteStream& operator=(const ByteStream&) = delete;

    bool at_end() const { return next_ == text_.size(); }
    char current() const { return text_[next_]; }
    void advance();
    /// What is there of the text without reading on; empty at the end only.
    std::string_view rest() const { return text_.substr(next_); }
    /// Passes bytes of `rest` that end no line.
    void skip(std::size_t bytes) {
        next_ += bytes;
        if (bytes > 0 && next_ == text_.size()) refill();
    }
    /// Passes spaces, tabs and ends of lines.
    void skip_blanks();

    /// Whoever reads has understood all so far: the next token begins.
    void token_understood() { token_began_ = passed_ + next_; }

    StreamEnd ended() const { return end_; }
    int line() const { return line_; }
    int column() const;                                       ///< in bytes, from 1
    std::uint64_t offset() const { return passed_ + next_; }  ///< of the text, unpacked
    bool packed() const { return packed_ != nullptr; }

private:
    struct Packed;
    void refill();
    void count_line();
    std::string_view raw_piece();
    void inflate_piece();

    ReadPiece read_;
    std::uint64_t size_, taken_ = 0, passed_ = 0, token_began_ = 0, line_began_ = 0;
    StreamBounds bounds_;
    const Watch& watch_;
    std::unique_ptr<Packed> packed_;
    std::string unpacked_;
    std::string_view text_;
    std::size_t next_ = 0;
    StreamEnd end_ = StreamEnd::none;
    int line_ = 1;
};

/// The pieces of a text, and of a file; both have to live as long.
ReadPiece pieces_of(std::string_view text);
ReadPiece pieces_of(FileWindow& file);

}  // namespace scalescope::formats
