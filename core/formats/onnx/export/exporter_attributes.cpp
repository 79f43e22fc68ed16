// SPDX-License-Identifier: GPL-3.0-or-later
// Attributes of operators, by their types in onnx.proto3.
#include "core/formats/onnx/export/exporter.hpp"

namespace scalescope::formats::onnx {

Attribute whole_attribute(std::string name, std::int64_t value) {
    Attribute a;
    a.name = std::move(name), a.type = whole_form, a.integer = value;
    return a;
}
Attribute list_attribute(std::string name, std::vector<std::int64_t> values) {
    Attribute a;
    a.name = std::move(name), a.type = list_form, a.integers = std::move(values);
    return a;
}
Attribute real_attribute(std::string name, double value) {
    Attribute a;
    a.name = std::move(name), a.type = real_form, a.number = value;
    return a;
}
Attribute word_attribute(std::string name, std::string value) {
    Attribute a;
    a.name = std::move(name), a.type = word_form, a.text = std::move(value);
    return a;
}

Attribute attribute_as(const AttributeInfo& info, const AttributeValue& value) {
    const std::string name(info.name);
    if (const auto* b = std::get_if<bool>(&value)) return whole_attribute(name, *b ? 1 : 0);
    if (const auto* n = std::get_if<std::int64_t>(&value)) return whole_attribute(name, *n);
    if (const auto* x = std::get_if<double>(&value)) return real_attribute(name, *x);
    if (const auto* t = std::get_if<std::string>(&value)) return word_attribute(name, *t);
    if (const auto* s = std::get_if<std::vector<std::int64_t>>(&value)) return list_attribute(name, *s);
    if (const auto* p = std::get_if<Padding>(&value)) {
        if (p->mode != Padding::Mode::explicit_sizes)
            return word_attribute(name, p->mode == Padding::Mode::same ? "same" : "valid");
        const std::vector<std::int64_t> before{p->front, p->top, p->left}, after{p->back, p->bottom, p->right};
        std::vector<std::int64_t> sizes(before.end() - p->axes, before.end());
        sizes.insert(sizes.end(), after.end() - p->axes, after.end());
        return list_attribute(name, std::move(sizes));
    }
    Attribute lines;
    lines.name = name;
    lines.type = lines_form;
    if (const auto* dims = std::get_if<std::vector<Dim>>(&value))
        for (const Dim& d : *dims)
            lines.texts.push_back(d.symbol.empty() ? std::to_string(d.factor)
                                  : d.factor == 1  ? d.symbol
                                                   : std::to_string(d.factor) + '*' + d.symbol);
    return lines;
}

}  // namespace scalescope::formats::onnx
