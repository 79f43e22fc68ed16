// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/paleo/build.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>

namespace scalescope::formats::paleo_build {

using namespace paleo;

namespace {

struct TypeName {
    std::string_view name;
    LayerType type;
    std::string_view priced_as;
};
constexpr TypeName type_names[] = {
    {"Input", LayerType::input, "input"},
    {"Convolution", LayerType::convolution, "conv2d"},
    {"Deconvolution", LayerType::deconvolution, "deconv2d"},
    {"Pooling", LayerType::pooling, "pool2d"},
    {"AvgPool", LayerType::pooling, "pool2d"},
    {"UpSampling2D", LayerType::upsampling, "upsampling2d"},
    {"Dropout", LayerType::dropout, "dropout"},
    {"Concatenate", LayerType::concatenate, "concat"},
    {"Reshape", LayerType::reshape, "reshape"},
    {"Elementwise", LayerType::elementwise, "elementwise"},
    {"Softmax", LayerType::softmax, "softmax"},
    {"Sigmoid", LayerType::sigmoid, "sigmoid"},
    {"InnerProduct", LayerType::inner_product, "innerproduct"},
};

Place place(const SourcePosition& at) { return {at.line, at.column}; }

/// What is wrong with a member that is there.
void wrong(JsonFields& fields, std::string_view name, std::string what, std::string remedy) {
    fields.error(name, *fields.value().find(name), std::move(what), std::move(remedy));
}

constexpr auto largest = limits::dimension;

class Decoder {
public:
    explicit Decoder(ProblemList& problems) : problems_(problems) {}

    Description file(JsonValue root);

private:
    Item item(JsonValue value, const std::string& path);
    void block(Item& item, JsonFields& fields, bool parallel);
    Definition layer(JsonValue value, const std::string& path);
    LayerType type(std::string_view name, JsonFields& fields);
    void name(std::string_view name, JsonFields& fields, JsonValue value);
    void fields_of(Definition& d, JsonFields& fields);
    void window(Definition& d, JsonFields& fields);
    void strides(Definition& d, JsonFields& fields);
    void padding(Definition& d, JsonFields& fields, bool numbers_allowed);
    void shape(Definition& d, JsonFields& fields, std::string_view field, std::int64_t lowest);
    void keep_unread(std::vector<std::pair<std::string, std::string>>& extras, JsonFields& fields);
    template <std::size_t N>
    bool numbers(std::array<std::int64_t, N>& to, JsonFields& fields, std::string_view field, std::int64_t lowest,
                 Place& at);

    ProblemList& problems_;
    std::set<std::string, std::less<>> strange_types_;  ///< said once each
};

void Decoder::name(std::string_view name, JsonFields& fields, JsonValue value) {
    if (name.empty())
        problems_.error(value.key_at(), fields.path(), "A layer's name may not be empty.", "Give it a name.");
    else if (name.size() > limits::name_bytes)
        problems_.error(value.key_at(), {}, "The layer's name " + quoted(name) + " is too long.", "Shorten it.");
    else if (name.find('@') != std::string_view::npos)
        problems_.error(value.key_at(), fields.path(), "A layer's name may not contain '@'.",
                        "Rename it; '@' marks the copies of a split layer.");
}

template <std::size_t N>
bool Decoder::numbers(std::array<std::int64_t, N>& to, JsonFields& fields, std::string_view field, std::int64_t lowest,
                      Place& at) {
    if (const auto value = fields.value().find(field)) at = place(value->at());
    const auto list = fields.integers(field, N, lowest, largest);
    if (list) std::ranges::copy(*list, to.begin());
    return list.has_value();
}

void Decoder::window(Definition& d, JsonFields& fields) {
    if (numbers(d.window, fields, "ksize", 1, d.window_at) && (d.window[0] != 1 || d.window[3] != 1))
        wrong(fields, "ksize", "A window covers height and width only.", "Write [1, height, width, 1].");
}

void Decoder::strides(Definition& d, JsonFields& fields) {
    Place at;
    if (numbers(d.strides, fields, "strides", 1, at) && (d.strides[0] != 1 || d.strides[3] != 1))
        wrong(fields, "strides", "A stride goes over height and width only.", "Write [1, height, width, 1].");
}

void Decoder::padding(Definition& d, JsonFields& fields, bool numbers_allowed) {
    const auto value = fields.any("padding");
    const std::string choice = numbers_allowed ? "\"SAME\", \"VALID\" or [height, width]" : "\"SAME\" or \"VALID\"";
    if (!value) return fields.error("The field \"padding\" is missing.", "Write " + choice + ".");
    if (value->is_string() && (value->text() == "SAME" || value->text() == "VALID")) {
        d.padding = value->text() == "SAME" ? Padding::same : Padding::valid;
    } else if (value->is_array() && numbers_allowed) {
        d.padding = Padding::given;
        Place at;
        numbers(d.pad, fields, "padding", 0, at);
    } else {
        fields.error("padding", *value, "This is no padding that PALEO knows here.", "Write " + choice + ".");
    }
}

void Decoder::shape(Definition& d, JsonFields& fields, std::string_view field, std::int64_t lowest) {
    if (const auto value = fields.value().find(field)) d.shape_at = place(value->at());
    const auto list = fields.integers(field, 0, lowest, largest);
    if (!list) return;
    d.shape = *list;
    if (d.shape.empty() || d.shape.size() > static_cast<std::size_t>(limits::rank))
        wrong(fields, field,
              "A tensor has 1 to " + std::to_string(limits::rank) + " dimensions, not " +
                  std::to_string(d.shape.size()) + ".",
              "Write [batch, height, width, channels].");
    else if (d.shape[0] > limits::batch)
        wrong(fields, field, "The batch is larger than " + std::to_string(limits::batch) + ".",
              "Write a smaller first number.");
    if (std::ranges::find(d.shape, 0) != d.shape.end())
        wrong(fields, field, "A dimension cannot be 0.", "Write sizes of at least 1.");
}

void Decoder::fields_of(Definition& d, JsonFields& fields) {
    switch (d.kind) {
        case LayerType::input: shape(d, fields, "tensor", 1); break;
        case LayerType::convolution:
        case LayerType::deconvolution: {
            if (numbers(d.filter, fields, "filter", -1, d.filter_at)) {
                const bool free_in = d.kind == LayerType::convolution && d.filter[2] == -1;
                if (d.filter[0] < 1 || d.filter[1] < 1 || (d.filter[2] < 1 && !free_in) || d.filter[3] < 1)
                    wrong(fields, "filter", "The sizes of a filter are at least 1.",
                          "Write [height, width, in, out]; for a Convolution, in = -1 takes what comes.");
            }
            strides(d, fields);
            padding(d, fields, d.kind == LayerType::convolution);
            if (d.kind == LayerType::deconvolution) {
                shape(d, fields, "output_shape", -1);
                if (!d.shape.empty() && d.shape.size() != 4)
                    wrong(fields, "output_shape", "A Deconvolution gives an image: 4 dimensions.",
                          "Write [batch, height, width, channels].");
            }
            break;
        }
        case LayerType::pooling:
            window(d, fields);
            strides(d, fields);
            padding(d, fields, false);
            break;
        case LayerType::upsampling: window(d, fields); break;
        case LayerType::dropout:
            d.keep_probability = fields.optional_number("dropout_keep_prob", 0.0, 1.0).value_or(0.5);
            break;
        case LayerType::concatenate:
            d.dimension = fields.integer("dim", -limits::rank, limits::rank - 1).value_or(3);
            break;
        case LayerType::reshape: shape(d, fields, "output_shape", -1); break;
        case LayerType::softmax: d.outputs = fields.optional_integer("num_classes", 1, largest).value_or(0); break;
        case LayerType::inner_product: d.outputs = fields.integer("num_outputs", 1, largest).value_or(0); break;
        case LayerType::elementwise:
        case LayerType::sigmoid:
        case LayerType::generic: break;
    }
}

LayerType Decoder::type(std::string_view name, JsonFields& fields) {
    for (const auto& known : type_names)
        if (known.name == name) return known.type;
    if (strange_types_.size() < limits::problems && strange_types_.emplace(name).second) {
        std::vector<std::string_view> known{"Block", "ModelParallel"};
        for (const auto& t : type_names) known.push_back(t.name);
        problems_.warning(
            fields.value().find("type")->at(), join_path(fields.path(), "type"),
            "PALEO does not know the type " + quoted(name) + ": such layers keep their shape and cost nothing.",
            did_you_mean(name, known, "Nothing needs to be done if that is meant."));
    }
    return LayerType::generic;
}

void Decoder::keep_unread(std::vector<std::pair<std::string, std::string>>& extras, JsonFields& fields) {
    for (const auto member : fields.unread()) extras.emplace_back(member.key(), member.source());
}

Definition Decoder::layer(JsonValue value, const std::string& path) {
    Definition d;
    JsonFields fields(value, path, problems_);
    d.name = value.key();
    d.at = place(value.key_at());
    name(value.key(), fields, value);
    if (!fields.is_object()) return d;
    d.type = fields.text("type").value_or("");
    if (d.type == "Block" || d.type == "ModelParallel") {
        fields.error("A block cannot stand inside a block.", "Put its layers directly into the outer block.");
        return d;
    }
    if (!d.type.empty()) d.kind = type(d.type, fields);
    if (const auto at = fields.value().find("parents")) d.parents_at = place(at->at());
    d.parents = fields.texts("parents").value_or(std::vector<std::string>{});
    fields_of(d, fields);
    if (d.kind != LayerType::generic) {
        d.activation = fields.optional_text("activation_fn").value_or("");
        d.normalizer = fields.optional_text("normalizer_fn").value_or("");
        keep_unread(d.extras, fields);
        fields.ignore("bias");
        fields.finish(Severity::warning);
    } else {
        keep_unread(d.extras, fields);
    }
    return d;
}

void Decoder::block(Item& item, JsonFields& fields, bool parallel) {
    item.kind = parallel ? Item::Kind::model_parallel : Item::Kind::block;
    if (const auto at = fields.value().find("parents")) item.parents_at = place(at->at());
    item.parents = fields.texts("parents").value_or(std::vector<std::string>{});
    item.endpoint = fields.optional_text("endpoint").value_or("");
    if (parallel) item.splits = fields.integer("splits", 1, static_cast<std::int64_t>(limits::layers)).value_or(1);
    if (const auto layers = fields.required("layers", JsonKind::object)) {
        item.layers.reserve(layers->size());
        for (const auto member : *layers)
            item.layers.push_back(layer(member, join_path(join_path(fields.path(), "layers"), member.key())));
        if (item.layers.empty()) fields.error("The block has no layers.", "Add layers to it, or remove it.");
    }
    keep_unread(item.extras, fields);
    fields.finish(Severity::warning);
}

Item Decoder::item(JsonValue value, const std::string& path) {
    Item item;
    const auto type = value.find("type");
    const bool parallel = type && type->text() == "ModelParallel";
    if (!parallel && !(type && type->text() == "Block")) {
        item.layer = layer(value, path);
        return item;
    }
    JsonFields fields(value, path, problems_);
    fields.ignore("type");
    item.name = value.key();
    item.at = place(value.key_at());
    name(value.key(), fields, value);
    block(item, fields, parallel);
    return item;
}

Description Decoder::file(JsonValue root) {
    Description description;
    JsonFields fields(root, {}, problems_);
    description.name = fields.optional_text("name").value_or("");
    if (const auto layers = fields.required("layers", JsonKind::object)) {
        if (layers->size() > limits::layers) {
            fields.error("layers", *layers, "The network has more than " + std::to_string(limits::layers) + " layers.",
                         "Choose a smaller network.");
            return description;
        }
        description.items.reserve(layers->size());
        for (const auto member : *layers) description.items.push_back(item(member, join_path("layers", member.key())));
    }
    fields.finish(Severity::warning);
    return description;
}

}  // namespace

Description decode(const JsonDocument& document, ProblemList& problems) {
    auto description = Decoder(problems).file(document.root());
    description.file = document.file();
    return description;
}

}  // namespace scalescope::formats::paleo_build

namespace scalescope::paleo {

std::string priced_as(const Layer& layer) {
    for (const auto& known : formats::paleo_build::type_names)
        if (known.type == layer.kind) return std::string(known.priced_as);
    return "generic_" + layer.type;
}

}  // namespace scalescope::paleo
