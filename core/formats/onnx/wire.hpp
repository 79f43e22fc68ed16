// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Protocol buffers' wire format (protobuf.dev/programming-guides/encoding): what the bytes say, without a schema.
namespace scalescope::formats::onnx {

enum class Wire : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

struct WireField {
    std::uint32_t number = 0;
    Wire wire = Wire::varint;
    std::uint64_t value = 0;   ///< of a varint or a fixed number
    std::string_view bytes;    ///< of a text, a message or packed numbers
    std::uint64_t offset = 0;  ///< of the field's key, from the beginning of the file

    std::int64_t integer() const { return static_cast<std::int64_t>(value); }
    float single() const;
};

/// The fields of one message, one after the other.
class WireMessage {
public:
    WireMessage(std::string_view bytes, std::uint64_t offset) : bytes_(bytes), offset_(offset) {}

    /// False at the end, and at what is no field (`broken`).
    bool next(WireField& field);
    /// What is wrong at `offset()`; empty: nothing.
    std::string_view broken() const { return broken_; }
    std::uint64_t offset() const { return offset_ + at_; }

private:
    bool fail(std::string_view what) {
        broken_ = what;
        return false;
    }
    std::string_view bytes_;
    std::uint64_t offset_;
    std::size_t at_ = 0;
    std::string_view broken_;
};

/// Reads one varint at `at`, which moves behind it; false if the bytes end before, or it has more than ten bytes.
bool read_varint(std::string_view bytes, std::size_t& at, std::uint64_t& value);
void write_varint(std::string& out, std::uint64_t value);

/// A repeated number, packed or not, appended to `to`.
void append_integers(const WireField& field, std::vector<std::int64_t>& to);
void append_floats(const WireField& field, std::vector<double>& to);
void append_doubles(const WireField& field, std::vector<double>& to);

}  // namespace scalescope::formats::onnx
