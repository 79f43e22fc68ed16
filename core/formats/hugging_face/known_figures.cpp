// SPDX-License-Identifier: GPL-3.0-or-later
// Networks of a family of which some figures are known: "Llama 3 70B cut to 12 layers".
#include <algorithm>
#include <cmath>

#include "core/base/name_list.hpp"
#include "core/formats/hugging_face/families.hpp"
#include "core/formats/json_decoder.hpp"

namespace scalescope::formats {
namespace hugging_face {
namespace {

/// Logarithm of their ratio; 1 if one of them is unknown.
double ratio_off(double a, double b) { return a > 0 && b > 0 ? std::abs(std::log(a / b)) : 1.0; }

/// The configuration of a size, and which figures of the family its members state.
class Configuration {
public:
    Configuration(const Lineage& lineage, JsonValue root) : lineage_(lineage), root_(root) {}

    std::int64_t figure(std::string_view name) const {
        for (const JsonValue member : root_)
            if (states(member.key(), name) && member.is_number()) return member.integer();
        return 0;
    }
    /// With these figures instead of its own; those of 0 are left out.
    std::string with(const KnownFigures& figures) const {
        std::string text = "{";
        const auto write = [&](std::string_view key, std::string_view value) {
            text += (text.size() > 1 ? ", " : "") + quoted(key) + ": " + std::string(value);
        };
        const auto is_replaced = [&](const auto& figure) { return states(key_, figure.first); };
        for (const JsonValue member : root_) {
            key_ = member.key();
            if (std::none_of(figures.begin(), figures.end(), is_replaced)) write(key_, member.source());
        }
        for (const auto& [name, value] : figures) {
            const Figure* figure = find_in(lineage_.figures, name);
            std::string_view keys = figure ? std::string_view(figure->keys) : std::string_view();
            const std::string_view key = next_name(keys);
            if (value > 0 && !key.empty() && key.find('.') == std::string_view::npos) write(key, std::to_string(value));
        }
        return text + "}";
    }

private:
    const Lineage& lineage_;
    JsonValue root_;
    mutable std::string_view key_;

    bool states(std::string_view key, std::string_view name) const {
        const Figure* figure = find_in(lineage_.figures, name);
        return figure && is_among(key, figure->keys);
    }
};

/// Figures that follow from the known ones and from those of a published size with other widths.
void add_dependent(KnownFigures& known, const Configuration& published) {
    const std::int64_t width = published.figure("width"), heads = published.figure("heads"),
                       groups = published.figure("kv_heads"), hidden = published.figure("hidden");
    const auto known_or = [&](const char* name, std::int64_t otherwise) {
        const auto found = known.find(name);
        return found == known.end() ? otherwise : found->second;
    };
    const std::int64_t now = known_or("width", width);
    if (!known.contains("heads") && heads > 0 && width >= heads && now != width) {
        const std::int64_t each = width / heads;
        known["heads"] = now % each == 0 ? now / each : heads;
    }
    const std::int64_t queries = known_or("heads", heads);
    if (now == width && queries == heads) return;
    known.emplace("head_width", 0);
    if (groups == heads || groups == 0 || queries % groups != 0) known.emplace("kv_heads", 0);
    constexpr std::int64_t multiple = 256;  // of gated networks (Touvron et al., LLaMA, 2023)
    constexpr std::int64_t most = 1 << 30;
    if (hidden > 0 && hidden < most && width > 0 && now < most && now != width)
        known.emplace("hidden", hidden % width == 0 ? hidden / width * now
                                                    : (hidden * now / width + multiple - 1) / multiple * multiple);
}

}  // namespace
}  // namespace hugging_face

Result<NetworkDraft> network_with_figures(const Families& families, std::string_view name, double billions,
                                          KnownFigures figures) {
    using namespace hugging_face;
    const Family* family = families.find(name);
    if (!family) return fail(make_error("There is no family " + quoted(name) + ".", "Choose another family."));
    const Lineage lineage = families.lineage(*family);
    const auto figure = [&](const char* of) {
        const auto found = figures.find(of);
        return found == figures.end() ? 0.0 : static_cast<double>(found->second);
    };
    Size made{.name = {}, .billions = billions, .source = {}, .config = "{}"};
    double nearest = 0;
    for (const Size& size : family->sizes) {
        const auto document = parse_json(size.config, "size");
        if (!document) continue;
        const Configuration published(lineage, document->root());
        const double off = billions > 0
                               ? ratio_off(size.billions, billions)
                               : ratio_off(static_cast<double>(published.figure("width")), figure("width")) +
                                     ratio_off(static_cast<double>(published.figure("layers")), figure("layers"));
        if (made.config != "{}" && off >= nearest) continue;
        made.config = size.config;
        nearest = off;
    }
    ASSIGN_OR_RETURN(const auto document, parse_json(made.config, "size"));
    const Configuration published(lineage, document.root());
    add_dependent(figures, published);
    made.config = published.with(figures);
    return network_of(families, *family, made);
}

}  // namespace scalescope::formats
