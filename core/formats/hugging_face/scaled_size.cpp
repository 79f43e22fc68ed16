// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes of families that nobody published: "GPT, 20 billion parameters".
#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/format.hpp"
#include "core/base/name_list.hpp"
#include "core/formats/hugging_face/families.hpp"
#include "core/formats/json_decoder.hpp"

namespace scalescope::formats {
namespace hugging_face {
namespace {

constexpr double same_size = 0.13;     ///< of logarithms
constexpr double most_billions = 1e5;  ///< larger numbers are mistakes
double distance(double a, double b) { return std::abs(std::log(a / b)); }

/// Figures that grow with a network, with the member of the configuration that states each.
constexpr const char* growing[] = {"layers", "width", "heads", "kv_heads", "hidden"};
struct Shape {
    double billions = 0;
    std::map<std::string, std::int64_t, std::less<>> figures;
    std::map<std::string, std::string, std::less<>> members;  ///< by figure
};

/// Nothing for mixtures of experts and for configurations that state no layers, width and heads.
std::optional<Shape> shape_of(const Lineage& lineage, const Size& size) {
    const auto document = parse_json(size.config, "size");
    if (!document) return std::nullopt;
    Shape shape{.billions = size.billions, .figures = {}, .members = {}};
    const auto stated = [&](const char* name) {
        const auto found = lineage.figures.find(name);
        const Figure* figure = found == lineage.figures.end() ? nullptr : found->second;
        for (const JsonValue member : document->root())
            if (figure && is_among(member.key(), figure->keys) && member.is_number()) {
                shape.figures[name] = member.integer();
                shape.members[name] = member.key();
                return true;
            }
        return false;
    };
    if (stated("experts")) return std::nullopt;
    for (const char* name : growing) stated(name);
    for (const char* name : {"layers", "width", "heads"})
        if (!shape.figures.contains(name) || shape.figures[name] < 1) return std::nullopt;
    return shape;
}

/// The shape nearest in parameters, or nullopt.
std::optional<Shape> nearest_shape(const Families& families, std::span<const std::shared_ptr<const Family>> of,
                                   double billions) {
    std::optional<Shape> best;
    for (const auto& family : of)
        for (const Size& size : family->sizes) {
            if (best && distance(size.billions, billions) >= distance(best->billions, billions)) continue;
            if (auto shape = shape_of(families.lineage(*family), size)) best = std::move(shape);
        }
    return best;
}

/// `from` with about `billions` parameters, which grow with the layers and with the square of the width. The width of
/// a head stays, and groups of keys stay whole.
Shape scaled(Shape from, const Shape& own, double billions) {
    auto& f = from.figures;
    const double ratio = billions / from.billions;
    const auto head_width = static_cast<double>(f["width"]) / static_cast<double>(f["heads"]);
    const std::int64_t groups = own.figures.contains("kv_heads") ? own.figures.at("kv_heads") : 1;
    const double heads = static_cast<double>(f["heads"]) * std::cbrt(ratio);
    const std::int64_t whole = groups * std::max<std::int64_t>(1, std::llround(heads / static_cast<double>(groups)));
    const double wider = static_cast<double>(whole) / static_cast<double>(f["heads"]);
    Shape shape = own;
    shape.figures["heads"] = whole;
    shape.figures["width"] = std::llround(static_cast<double>(whole) * head_width);
    shape.figures["layers"] =
        std::max<std::int64_t>(1, std::llround(static_cast<double>(f["layers"]) * ratio / (wider * wider)));
    if (own.figures.contains("hidden"))
        shape.figures["hidden"] = own.figures.at("hidden") * shape.figures["width"] / own.figures.at("width");
    return shape;
}

std::optional<double> billions_of(Result<NetworkDraft> draft) {
    if (!draft) return std::nullopt;
    const auto network = Network::make(std::move(*draft));
    if (!network) return std::nullopt;
    return static_cast<double>((*network)->parameters()) / 1e9;
}

/// The configuration with the figures of `shape`.
std::string with_shape(const std::string& config, const Shape& shape) {
    const auto document = parse_json(config, "size");
    std::string text = "{";
    if (!document) return config;
    for (const JsonValue member : document->root()) {
        std::string value(member.source());
        for (const auto& [figure, name] : shape.members)
            if (name == member.key()) value = std::to_string(shape.figures.at(figure));
        text += (text.size() > 1 ? ", " : "") + quoted(member.key()) + ": " + value;
    }
    return text + "}";
}

}  // namespace
}  // namespace hugging_face

Result<SizedNetwork> network_with_parameters(const Families& families, std::string_view name, double billions) {
    using namespace hugging_face;
    const Family* family = families.find(name);
    if (!family || family->sizes.empty() || !(billions > 0 && billions <= most_billions))
        return fail(make_error("There are no sizes of the family " + quoted(name) + ".", "Choose another family."));
    const auto nearer = [&](const Size& a, const Size& b) {
        return distance(a.billions, billions) < distance(b.billions, billions);
    };
    const Size& size = *std::min_element(family->sizes.begin(), family->sizes.end(), nearer);
    if (distance(size.billions, billions) <= same_size) {
        ASSIGN_OR_RETURN(auto draft, network_of_size(families, name, size.name));
        return SizedNetwork{std::move(draft), {}};
    }
    const auto own = shape_of(families.lineage(*family), size);
    constexpr double near_size = 0.7;
    if (!own && distance(size.billions, billions) < near_size) {
        ASSIGN_OR_RETURN(auto draft, network_of_size(families, name, size.name));
        std::string assumed = family->title + ' ' + size.name + ", the nearest published size, is assumed.";
        return SizedNetwork{std::move(draft), std::move(assumed)};
    }
    if (!own)
        return fail(make_error(family->title + " has no size of " + format_number(billions) + " billion parameters.",
                               "Choose " + family->title + " " + size.name + "."));
    std::vector<std::shared_ptr<const Family>> kin;
    for (const auto& other : families.all())
        if (other.get() == family || (std::abs(std::log2(size.billions / billions)) > 1 && other->like == family->like))
            kin.push_back(other);
    Shape shape = scaled(nearest_shape(families, kin, billions).value_or(*own), *own, billions);
    Size made = size;
    const auto drawn = [&](std::int64_t more_layers) {
        Shape taller = shape;
        taller.figures["layers"] += more_layers;
        made.config = with_shape(size.config, taller);
        return network_of(families, *family, made);
    };
    // The family's own tables and widths count, so the number of layers is corrected once.
    const auto one = billions_of(drawn(0)), two = billions_of(drawn(1));
    if (one && two && *two > *one) {
        auto& layers = shape.figures["layers"];
        layers = std::max<std::int64_t>(1, layers + std::llround((billions - *one) / (*two - *one)));
    }
    ASSIGN_OR_RETURN(auto draft, drawn(0));
    draft.name = family->title + " " + format_number(billions) + "B";
    const auto text = [&](const char* figure) { return std::to_string(shape.figures.at(figure)); };
    std::string assumed = draft.name + " is drawn with " + text("layers") + " layers of width " + text("width") +
                          " and " + text("heads") + " heads, as no size near it was published.";
    return SizedNetwork{std::move(draft), std::move(assumed)};
}

}  // namespace scalescope::formats
