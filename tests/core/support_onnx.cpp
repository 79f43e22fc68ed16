// SPDX-License-Identifier: GPL-3.0-or-later
#include "support_onnx.hpp"

#include <bit>

#include "core/formats/onnx/wire.hpp"

namespace support::by_hand {

using scalescope::formats::onnx::write_varint;

std::string number(unsigned field, std::uint64_t value) {
    std::string out;
    write_varint(out, field << 3);
    write_varint(out, value);
    return out;
}
std::string part(unsigned field, const std::string& bytes) {
    std::string out;
    write_varint(out, field << 3 | 2);
    write_varint(out, bytes.size());
    return out + bytes;
}
std::string packed(const std::vector<std::int64_t>& numbers) {
    std::string out;
    for (const auto n : numbers) write_varint(out, static_cast<std::uint64_t>(n));
    return out;
}

namespace {

std::string fixed32(unsigned field, float value) {
    std::string out;
    write_varint(out, field << 3 | 5);
    const auto bits = std::bit_cast<std::uint32_t>(value);
    for (unsigned i = 0; i < 4; ++i) out += static_cast<char>(bits >> 8 * i);
    return out;
}

}  // namespace

std::string ints(const std::string& name, const std::vector<std::int64_t>& values) {
    return part(5, part(1, name) + part(8, packed(values)) + number(20, 7));
}
std::string integer(const std::string& name, std::int64_t value) {
    return part(5, part(1, name) + number(3, static_cast<std::uint64_t>(value)) + number(20, 2));
}
std::string real(const std::string& name, float value) {
    return part(5, part(1, name) + fixed32(2, value) + number(20, 1));
}
std::string reals(const std::string& name, const std::vector<float>& values) {
    std::string all;
    for (const float v : values) all += fixed32(7, v);
    return part(5, part(1, name) + all + number(20, 6));
}
std::string text(const std::string& name, const std::string& value) {
    return part(5, part(1, name) + part(4, value) + number(20, 3));
}
std::string graph(const std::string& name, const std::string& pieces) {
    return part(5, part(1, name) + part(6, pieces) + number(20, 5));
}
std::string reference(const std::string& name, const std::string& attribute, int type) {
    return part(5, part(1, name) + part(21, attribute) + number(20, static_cast<std::uint64_t>(type)));
}

std::string node(const std::string& op, const std::vector<std::string>& in, const std::vector<std::string>& out,
                 const std::string& attributes, const std::string& domain, unsigned field) {
    std::string n;
    for (const auto& i : in) n += part(1, i);
    for (const auto& o : out) n += part(2, o);
    return part(field, n + part(3, "the " + op) + part(4, op) + attributes + (domain.empty() ? "" : part(7, domain)));
}

std::string weights(const std::string& name, const std::vector<std::int64_t>& dims, int element) {
    return part(5,
                part(1, packed(dims)) + number(2, static_cast<std::uint64_t>(element)) + part(8, name) + number(14, 1));
}
std::string whole_numbers(const std::string& name, const std::vector<std::int64_t>& values) {
    return part(5, part(1, packed({static_cast<std::int64_t>(values.size())})) + number(2, 7) +
                       part(7, packed(values)) + part(8, name));
}
std::string whole_scalar(const std::string& name, std::int64_t value) {
    return part(5, number(2, 7) + part(7, packed({value})) + part(8, name));
}
std::string real_numbers(const std::string& name, const std::vector<float>& values) {
    std::string numbers;
    for (const float v : values) numbers += fixed32(4, v);
    return part(5,
                part(1, packed({static_cast<std::int64_t>(values.size())})) + number(2, 1) + numbers + part(8, name));
}

std::string value(unsigned field, const std::string& name, const std::vector<std::int64_t>& dims, int element,
                  const std::vector<std::string>& names) {
    std::string shape;
    for (const auto d : dims)
        shape += part(1, d == -1 ? part(2, "N")
                         : d < 0 ? part(2, names.at(static_cast<std::size_t>(-2 - d)))
                                 : number(1, static_cast<std::uint64_t>(d)));
    return part(field,
                part(1, name) + part(2, part(1, number(1, static_cast<std::uint64_t>(element)) + part(2, shape))));
}
std::string model(const std::string& graph, std::uint64_t opset, const std::string& more) {
    return number(1, 8) + part(2, "by hand") + part(7, graph + part(2, "net")) + part(8, number(2, opset)) + more;
}

std::string text_of(const scalescope::Problems& problems) {
    std::string all;
    for (const auto& p : problems) all += scalescope::to_text(p) + '\n';
    return all;
}

}  // namespace support::by_hand
