// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/watch.hpp"
#include "core/network/network.hpp"

/// config.json of a model in the form of Hugging Face's transformers: figures from which the layers follow. Which
/// layers is written in files of families: docs/decisions/families.md. What the format leaves open and what is assumed:
/// docs/decisions/hugging-face.md.
namespace scalescope::formats {

/// Families of models: hugging_face/families.hpp.
class Families;

/// Those that are shipped (presets/families), parsed on first use.
const Families& shipped_families();
/// `base` with the families of a file, which replace those of the same name.
Result<Families> read_families(std::string_view text, std::string file, const Families& base);

/// True if the text is an object with what such a file says of itself (model_type, architectures), or with the figures
/// of one from before there were these.
bool is_hugging_face_config(std::string_view text);

/// The model as layers of this program, with the loss that trains it. `families`: nullptr for those that are shipped.
/// All warnings are appended to `warnings` if it is given.
Result<NetworkDraft> import_hugging_face_config(std::string_view text, std::string file, Problems* warnings = nullptr,
                                                const Watch& watch = {}, const Families* families = nullptr);

/// A published size of a family, such as "7b" of Llama 2.
struct FamilySize {
    std::string family;   ///< word for network_of_size
    std::string title;    ///< as shown: "Llama 2"
    std::string size;     ///< "7b"
    double billions = 0;  ///< parameters
    std::string source;
};
std::vector<FamilySize> sizes(const Families& families);
/// The network of that size. `family` and `size` as in FamilySize.
Result<NetworkDraft> network_of_size(const Families& families, std::string_view family, std::string_view size);

/// A network of a family with about that many parameters.
struct SizedNetwork {
    NetworkDraft draft;
    std::string assumed;  ///< a sentence about its layers if no published size is within 14 %
};
/// The published size within 14 %, or layers and width scaled from the nearest published shape: of the family, or of
/// those that are like the same one if its own are smaller than half or larger than twice. A problem if the family has
/// no sizes.
Result<SizedNetwork> network_with_parameters(const Families& families, std::string_view family, double billions);

}  // namespace scalescope::formats
