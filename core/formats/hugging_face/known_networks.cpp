// SPDX-License-Identifier: GPL-3.0-or-later
// Networks of a family that nobody published as they are: "GPT, 20 billion parameters", "Llama 3 70B cut to 12 layers".
#include <algorithm>
#include <cmath>

#include "core/base/format.hpp"
#include "core/base/name_list.hpp"
#include "core/formats/hugging_face/families.hpp"
#include "core/formats/json_decoder.hpp"

namespace scalescope::formats {
namespace hugging_face {
namespace {

constexpr double same_size = 0.13, near_size = 0.7;  ///< of logarithms
constexpr double most_billions = 1e5;                ///< larger numbers are mistakes

/// Logarithm of their ratio; 1 if one of them is unknown.
double distance(double a, double b) { return a > 0 && b > 0 ? std::abs(std::log(a / b)) : 1.0; }

std::int64_t known_or(const KnownFigures& figures, const char* name, std::int64_t otherwise) {
    const auto found = figures.find(name);
    return found == figures.end() ? otherwise : found->second;
}
double known(const KnownFigures& figures, const char* name) { return static_cast<double>(known_or(figures, name, 0)); }

/// The figures that a size states as whole numbers.
KnownFigures figures_of(const Lineage& lineage, const Size& size) {
    KnownFigures all;
    if (const auto document = parse_json(size.config, "size"))
        for (const JsonValue member : document->root())
            for (const auto& [name, figure] : lineage.figures)
                if (member.is_integer() && is_among(member.key(), figure->keys)) all.emplace(name, member.integer());
    return all;
}

/// The size with these figures instead of its own; those of 0 are left out.
Size with_figures(const Lineage& lineage, Size size, const KnownFigures& figures) {
    std::string text = "{";
    const auto write = [&](std::string_view key, std::string_view value) {
        text += (text.size() > 1 ? ", " : "") + quoted(key) + ": " + std::string(value);
    };
    const auto keys_of = [&](const std::string& name) -> std::string_view {
        const Figure* figure = find_in(lineage.figures, name);
        return figure ? std::string_view(figure->keys) : std::string_view();
    };
    if (const auto document = parse_json(size.config, "size"))
        for (const JsonValue member : document->root()) {
            const auto replaces = [&](const auto& figure) { return is_among(member.key(), keys_of(figure.first)); };
            if (std::none_of(figures.begin(), figures.end(), replaces)) write(member.key(), member.source());
        }
    for (const auto& [name, value] : figures) {
        std::string_view keys = keys_of(name);
        const std::string_view key = next_name(keys);
        if (value > 0 && !key.empty() && key.find('.') == std::string_view::npos) write(key, std::to_string(value));
    }
    size.config = text + "}";
    return size;
}

/// Adds the figures that follow from the known ones and from those of a published size with other widths.
void add_dependent(KnownFigures& made, const KnownFigures& published) {
    const std::int64_t width = known_or(published, "width", 0), heads = known_or(published, "heads", 0),
                       groups = known_or(published, "kv_heads", 0), hidden = known_or(published, "hidden", 0);
    const std::int64_t now = known_or(made, "width", width);
    if (heads > 0 && width >= heads && now != width) {
        const std::int64_t each = width / heads;
        made.emplace("heads", now % each == 0 ? now / each : heads);
    }
    const std::int64_t queries = known_or(made, "heads", heads);
    if (now == width && queries == heads) return;
    if (queries * width != now * heads) made.emplace("head_width", 0);
    if (groups == heads || groups == 0 || queries % groups != 0) made.emplace("kv_heads", 0);
    constexpr std::int64_t multiple = 256;  // of gated networks (Touvron et al., LLaMA, 2023)
    constexpr std::int64_t most = 1 << 30;
    if (hidden > 0 && hidden < most && width > 0 && now < most && now != width)
        made.emplace("hidden", hidden % width == 0 ? hidden / width * now
                                                   : (hidden * now / width + multiple - 1) / multiple * multiple);
}

bool can_be_scaled(const KnownFigures& f) {
    return !f.contains("experts") && known(f, "layers") > 0 && known(f, "width") > 0 && known(f, "heads") > 0;
}

/// Layers, heads and width of about `billions` parameters, which grow with the layers and with the square of the width.
/// The width of a head stays as in `from`, whose parameters are known, and the groups of `own` stay whole.
KnownFigures scaled(const KnownFigures& from, double from_billions, const KnownFigures& own, double billions) {
    const double ratio = billions / from_billions, heads = known(from, "heads");
    const auto groups = static_cast<double>(std::max<std::int64_t>(1, known_or(own, "kv_heads", 1)));
    const double whole = groups * std::max(1.0, std::round(heads * std::cbrt(ratio) / groups)), wider = whole / heads;
    return {{"heads", std::llround(whole)},
            {"width", std::llround(whole * (known(from, "width") / heads))},
            {"layers", std::max<std::int64_t>(1, std::llround(known(from, "layers") * ratio / (wider * wider)))}};
}

}  // namespace
}  // namespace hugging_face

Result<SizedNetwork> network_of_family(const Families& families, std::string_view name, double billions,
                                       const KnownFigures& figures) {
    using namespace hugging_face;
    const Family* family = families.find(name);
    const bool has_shape = figures.contains("layers") || figures.contains("width");
    if (!family || (!has_shape && (family->sizes.empty() || !(billions > 0 && billions <= most_billions))))
        return fail(make_error("There are no sizes of the family " + quoted(name) + ".", "Choose another family."));
    const Lineage lineage = families.lineage(*family);
    const auto off = [&](const Size& size) {
        if (billions > 0) return distance(size.billions, billions);
        const KnownFigures f = figures_of(lineage, size);
        return distance(known(f, "width"), known(figures, "width")) +
               distance(known(f, "layers"), known(figures, "layers"));
    };
    Size size{.name = {}, .billions = billions, .source = {}, .config = "{}"};
    double nearest = 0;
    for (const Size& published : family->sizes)
        if (const double distance = off(published); size.name.empty() || distance < nearest) {
            size = published;
            nearest = distance;
        }
    KnownFigures own = figures_of(lineage, size), made = figures;
    SizedNetwork sized;
    const bool scales = !has_shape && nearest > same_size && can_be_scaled(own);
    if (!has_shape && nearest > same_size && !scales) {
        if (nearest >= near_size)
            return fail(
                make_error(family->title + " has no size of " + format_number(billions) + " billion parameters.",
                           "Choose " + family->title + " " + size.name + "."));
        sized.assumed = family->title + ' ' + size.name + ", the nearest published size, is assumed.";
    }
    if (!scales) {
        add_dependent(made, own);
        ASSIGN_OR_RETURN(sized.draft, network_of(families, *family, with_figures(lineage, size, made)));
        return sized;
    }
    // Shapes of other families help where the family's own sizes are all far away.
    KnownFigures from = own;
    double from_billions = size.billions;
    const bool far = std::abs(std::log2(size.billions / billions)) > 1;
    for (const auto& other : families.all())
        if (other.get() == family || (far && other->like == family->like))
            for (const Size& published : other->sizes)
                if (distance(published.billions, billions) < distance(from_billions, billions))
                    if (KnownFigures f = figures_of(families.lineage(*other), published); can_be_scaled(f)) {
                        from = std::move(f);
                        from_billions = published.billions;
                    }
    made.merge(scaled(from, from_billions, own, billions));
    add_dependent(made, own);
    const auto drawn = [&] { return network_of(families, *family, with_figures(lineage, size, made)); };
    const auto has_billions = [&]() -> double {
        auto draft = drawn();
        const auto network = draft ? Network::make(std::move(*draft)) : fail(Problems{});
        return network ? static_cast<double>((*network)->parameters()) / 1e9 : 0.0;
    };
    // The family's own tables and widths count, so the number of layers is corrected once.
    auto& layers = made["layers"];
    const double one = has_billions();
    ++layers;
    const double two = has_billions();
    --layers;
    if (one > 0 && two > one) layers = std::max<std::int64_t>(1, layers + std::llround((billions - one) / (two - one)));
    ASSIGN_OR_RETURN(sized.draft, drawn());
    sized.draft.name = family->title + " " + format_number(billions) + "B";
    const auto text = [&](const char* figure) { return std::to_string(made.at(figure)); };
    sized.assumed = sized.draft.name + " is drawn with " + text("layers") + " layers of width " + text("width") +
                    " and " + text("heads") + " heads, as no size near it was published.";
    return sized;
}

}  // namespace scalescope::formats
