// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/byte_stream.hpp"

#include <algorithm>
#include <limits>

#include <zlib.h>

namespace scalescope::formats {

namespace {

constexpr std::size_t stream_piece = 256 * 1024;
constexpr std::string_view gzip_mark = "\x1f\x8b";

}  // namespace

ReadPiece pieces_of(std::string_view text) {
    return [text](std::uint64_t offset, std::size_t count) {
        return text.substr(static_cast<std::size_t>(std::min<std::uint64_t>(offset, text.size())), count);
    };
}

ReadPiece pieces_of(FileWindow& file) {
    return [&file](std::uint64_t offset, std::size_t count) { return file.at(offset, count); };
}

struct ByteStream::Packed {
    z_stream stream{};
    bool between = true;  ///< no member has begun, or the last one is whole
    std::string input;

    Packed() { inflateInit2(&stream, MAX_WBITS + 16); }
    ~Packed() { inflateEnd(&stream); }
    Packed(const Packed&) = delete;
    Packed& operator=(const Packed&) = delete;
};

ByteStream::ByteStream(ReadPiece read, std::uint64_t size, const StreamBounds& bounds, const Watch& watch)
    : read_(std::move(read)), size_(size), bounds_(bounds), watch_(watch) {
    if (read_(0, gzip_mark.size()) == gzip_mark) packed_ = std::make_unique<Packed>();
    refill();
}

ByteStream::~ByteStream() = default;

void ByteStream::count_line() {
    if (line_ < std::numeric_limits<int>::max()) ++line_;
    line_began_ = passed_ + next_ + 1;
}

void ByteStream::advance() {
    if (text_[next_] == '\n') count_line();
    if (++next_ == text_.size()) refill();
}

void ByteStream::skip_blanks() {
    while (!at_end()) {
        for (; next_ < text_.size(); ++next_) {
            const char c = text_[next_];
            if (c == '\n')
                count_line();
            else if (c != ' ' && c != '\t' && c != '\r')
                return;
        }
        refill();
    }
}

std::string_view ByteStream::raw_piece() {
    const auto piece = read_(taken_, stream_piece);
    taken_ += piece.size();
    return piece;
}

void ByteStream::refill() {
    passed_ += text_.size();
    next_ = 0;
    text_ = {};
    if (end_ != StreamEnd::none) return;
    if (watch_.cancel.cancelled()) {
        end_ = StreamEnd::cancelled;
        return;
    }
    if (passed_ > bounds_.bytes) {
        end_ = StreamEnd::too_long;
        return;
    }
    if (passed_ - token_began_ > bounds_.token_bytes) {
        end_ = StreamEnd::token_too_long;
        return;
    }
    if (packed_) {
        inflate_piece();
    } else {
        text_ = raw_piece();
        if (text_.empty()) end_ = StreamEnd::whole;
    }
    if (size_ > 0) watch_.progress(static_cast<double>(taken_) / static_cast<double>(size_), bounds_.doing);
}

int ByteStream::column() const {
    constexpr std::uint64_t most = std::numeric_limits<int>::max();
    return static_cast<int>(std::min(passed_ + next_ - line_began_ + 1, most));
}

/// Several packed files one after the other are one text, as for gunzip.
void ByteStream::inflate_piece() {
    z_stream& z = packed_->stream;
    unpacked_.resize(stream_piece);
    z.next_out = reinterpret_cast<Bytef*>(unpacked_.data());
    z.avail_out = static_cast<uInt>(unpacked_.size());
    while (z.avail_out == unpacked_.size()) {
        if (z.avail_in == 0) {
            packed_->input = raw_piece();
            if (packed_->input.empty()) {
                end_ = packed_->between ? StreamEnd::whole : StreamEnd::damaged;
                return;
            }
            z.next_in = reinterpret_cast<Bytef*>(packed_->input.data());
            z.avail_in = static_cast<uInt>(packed_->input.size());
        }
        packed_->between = false;
        const int state = inflate(&z, Z_NO_FLUSH);
        if (state == Z_STREAM_END) {
            packed_->between = true;
            inflateReset(&z);
        } else if (state != Z_OK && state != Z_BUF_ERROR) {
            end_ = StreamEnd::damaged;
            return;
        }
    }
    text_ = std::string_view(unpacked_).substr(0, unpacked_.size() - z.avail_out);
}

}  // namespace scalescope::formats
