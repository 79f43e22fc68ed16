// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/watch.hpp"
#include "core/network/network.hpp"

/// config.json of a model in the format of Hugging Face's transformers: figures that determine the layers. Family files
/// define which layers follow (docs/decisions/families.md). For what the format leaves open and what is assumed, see
/// docs/decisions/hugging-face.md.
namespace scalescope::formats {

/// Families of models; see hugging_face/families.hpp.
class Families;

/// The families shipped with the program (presets/families), parsed on first use.
const Families& shipped_families();
/// `base` and the families of a file, which replace families of the same name.
Result<Families> read_families(std::string_view text, std::string file, const Families& base);

/// True if the text is an object with the members that identify such a file (model_type, architectures), or with the
/// figures of a file older than these members.
bool is_hugging_face_config(std::string_view text);

/// The model as a network draft, with its training loss. `families`: nullptr for the shipped ones. All warnings are
/// appended to `warnings` unless it is nullptr. `part`: the one part to draw of a model of several, named as its object
/// without "_config" ("text", "vision", "audio"); empty: the parts joined.
Result<NetworkDraft> import_hugging_face_config(std::string_view text, std::string file, Problems* warnings = nullptr,
                                                const Watch& watch = {}, const Families* families = nullptr,
                                                std::string_view part = {});

/// A published size of a family, such as "7b" of Llama 2.
struct FamilySize {
    std::string family;   ///< argument of network_of_size()
    std::string title;    ///< name to show: "Llama 2"
    std::string size;     ///< "7b"
    double billions = 0;  ///< parameters
    std::string source;
    std::string spellings;  ///< other names of the family, separated by commas
    bool usual = false;     ///< the family's bare name means this size
};
std::vector<FamilySize> sizes(const Families& families);
/// The network of that size. For `family` and `size`, see FamilySize.
Result<NetworkDraft> network_of_size(const Families& families, std::string_view family, std::string_view size);

/// Figures of a network by the names that families give them: layers, width, heads, kv_heads, hidden (width of the
/// feed-forward network), vocabulary, positions, experts, experts_used.
using KnownFigures = std::map<std::string, std::int64_t, std::less<>>;

/// A network of a family of which some figures are known.
struct SizedNetwork {
    NetworkDraft draft;
    std::string assumed;  ///< a sentence about its layers if they are neither given nor those of a published size
};
/// The network of a family with about `billions` parameters (0: unknown) and these figures. Other figures are those of
/// the published size nearest in parameters, or else in layers and width.
/// - With layers or width given: of another width, the feed-forward network keeps its ratio to it, and heads keep
///   their width.
/// - Otherwise, if no published size is within 14 %: layers and width scaled from the nearest published shape. Shapes
/// of
///   families that are `like` the same family count too if the sizes of the family are all smaller than half or larger
///   than twice the requested one. Of mixtures of experts and of families without layers and heads, the nearest size
///   within a factor of two.
/// A problem if the family has no sizes and no layers or width are given.
Result<SizedNetwork> network_of_family(const Families& families, std::string_view family, double billions,
                                       const KnownFigures& figures = {});

}  // namespace scalescope::formats
