// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/onnx/wire.hpp"

#include <bit>

namespace scalescope::formats::onnx {
namespace {

std::uint64_t little_endian(std::string_view bytes, std::size_t at, std::size_t count) {
    std::uint64_t value = 0;
    for (std::size_t i = count; i > 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[at + i - 1]);
    return value;
}

}  // namespace

bool read_varint(std::string_view bytes, std::size_t& at, std::uint64_t& value) {
    value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        if (at >= bytes.size()) return false;
        const auto byte = static_cast<unsigned char>(bytes[at++]);
        if (shift < 64) value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
        if (byte < 0x80) return true;
    }
    return false;
}

void write_varint(std::string& out, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) out += static_cast<char>(static_cast<unsigned char>(value | 0x80));
    out += static_cast<char>(value);
}

float WireField::single() const { return std::bit_cast<float>(static_cast<std::uint32_t>(value)); }

bool WireMessage::next(WireField& field) {
    if (!broken_.empty() || at_ >= bytes_.size()) return false;
    field.offset = offset_ + at_;
    std::uint64_t key = 0;
    if (!read_varint(bytes_, at_, key)) return fail("a field begins here and does not end");
    field.number = static_cast<std::uint32_t>(key >> 3);
    field.bytes = {};
    field.value = 0;
    if (key >> 3 == 0 || key >> 32 != 0) return fail("no field can begin so");
    switch (key & 7) {
        case 0:
            field.wire = Wire::varint;
            return read_varint(bytes_, at_, field.value) || fail("a number begins here and does not end");
        case 1:
        case 5: {
            const std::size_t size = (key & 7) == 1 ? 8 : 4;
            field.wire = size == 8 ? Wire::fixed64 : Wire::fixed32;
            if (bytes_.size() - at_ < size) return fail("a number begins here and does not end");
            field.value = little_endian(bytes_, at_, size);
            at_ += size;
            return true;
        }
        case 2: {
            field.wire = Wire::bytes;
            std::uint64_t size = 0;
            if (!read_varint(bytes_, at_, size)) return fail("a length begins here and does not end");
            if (size > bytes_.size() - at_) return fail("what begins here is longer than what holds it");
            field.bytes = bytes_.substr(at_, static_cast<std::size_t>(size));
            at_ += static_cast<std::size_t>(size);
            return true;
        }
        default: return fail("no field can begin so");
    }
}

void append_integers(const WireField& field, std::vector<std::int64_t>& to) {
    if (field.wire != Wire::bytes) {
        to.push_back(field.integer());
        return;
    }
    std::uint64_t value = 0;
    for (std::size_t at = 0; at < field.bytes.size() && read_varint(field.bytes, at, value);)
        to.push_back(static_cast<std::int64_t>(value));
}

void append_floats(const WireField& field, std::vector<double>& to) {
    if (field.wire == Wire::fixed32) to.push_back(static_cast<double>(field.single()));
    for (std::size_t at = 0; at + 4 <= field.bytes.size(); at += 4)
        to.push_back(
            static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(little_endian(field.bytes, at, 4)))));
}

void append_doubles(const WireField& field, std::vector<double>& to) {
    if (field.wire == Wire::fixed64) to.push_back(std::bit_cast<double>(field.value));
    for (std::size_t at = 0; at + 8 <= field.bytes.size(); at += 8)
        to.push_back(std::bit_cast<double>(little_endian(field.bytes, at, 8)));
}

}  // namespace scalescope::formats::onnx
