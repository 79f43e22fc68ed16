// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/network/network.hpp"

/// What a gesture on a drawn network does: functions from a draft to a new one. Half-made drafts are legal: a layer may
/// have an open input (LayerId{}), one too few, or shapes that do not fit; Sketch says so, the edits do not mind.
/// A layer that an edit leaves in the draft keeps its LayerId.
namespace scalescope::editing {

struct Edited {
    NetworkDraft draft;
    std::vector<LayerId> selected;  ///< what the edit was about, to be selected after it
};

/// A new draft, or why there is none.
using Edit = Result<Edited>;

/// A layer that reads nothing yet, in the block `block` ("": at the top).
Edit insert_alone(const NetworkDraft& draft, const Kind& kind, std::string_view block = {});

/// What becomes of those that read the layer behind which another one is put.
enum class Readers { stay, follow };

/// A layer that reads `sources`, in the innermost block of all of them: a branch of its own, or (readers follow)
/// between them and whatever reads them. Of a kind that takes one input, every source but the first is left out.
Edit insert_behind(const NetworkDraft& draft, const Kind& kind, std::span<const LayerId> sources,
                   Readers readers = Readers::stay);

/// A layer between `to` and what its input number `input` comes from.
Edit insert_on_edge(const NetworkDraft& draft, const Kind& kind, LayerId to, int input);

/// Takes the layers out. Whoever read one of them reads its input instead: of several inputs the first whose shape is
/// that of the output, else the first. Behind a layer that read nothing, inputs are left open. Weights that others
/// share pass to the first of those. Selected is what the removed ones read.
Edit remove_layers(const NetworkDraft& draft, std::span<const LayerId> layers);

/// Lets `to` read `from`: at its input number `input`, in place of what is there; without a number at one that is open,
/// else as one more, or, of a kind that takes no more, in place of the last. A cycle is a Problem.
Edit connect_layers(const NetworkDraft& draft, LayerId from, LayerId to, std::optional<int> input = {});

Edit disconnect_input(const NetworkDraft& draft, LayerId to, int input);

/// Sets an attribute of all the layers at once; each must have it, and the value must be in its range. Whether the
/// shapes then fit is for Sketch to say.
Edit set_attribute(const NetworkDraft& draft, std::span<const LayerId> layers, std::string_view name,
                   const AttributeValue& value);

/// `name` with the blocks the layer shall stand in: "block1/conv1".
Edit rename_layer(const NetworkDraft& draft, LayerId layer, const std::string& name);

/// What the network itself is called.
Edit rename_network(const NetworkDraft& draft, const std::string& name);

/// Renames or moves a block: whatever is in `path` is in `new_path` then.
Edit rename_block(const NetworkDraft& draft, const std::string& path, const std::string& new_path);

/// Attributes of the same name keep their value if the new kind allows it, others get a first one; inputs that are too
/// many are dropped. The name stays.
Edit change_kind(const NetworkDraft& draft, LayerId layer, const Kind& kind);

/// Lets a layer use the weights of `owner`, or (LayerId{}) have weights of its own.
Edit share_weights(const NetworkDraft& draft, LayerId layer, LayerId owner);

/// Puts the layers into a new block `name` within the innermost block of all of them.
Edit group_layers(const NetworkDraft& draft, std::span<const LayerId> layers, const std::string& name);

/// Puts what is in the block where the block is. Names that are taken there get a number.
Edit ungroup_block(const NetworkDraft& draft, const std::string& path);

/// The blocks alike that follow each other, each reading the one before it, among which `path` is: their paths in that
/// order. Alike are blocks with the same names, kinds, attributes and connections inside. Only `path` if there are no
/// others; empty if it is no block.
std::vector<std::string> row_of(const NetworkDraft& draft, const std::string& path);

/// Makes the row of `path` `count` blocks long: copies are put behind its last one, or the last ones taken away. A
/// block that reads several layers, or is read at several, has no next one, which is a Problem that names them.
Edit repeat_block(const NetworkDraft& draft, const std::string& path, int count);

}  // namespace scalescope::editing
