// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/network/editing/edit.hpp"

namespace scalescope::editing {

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

}  // namespace scalescope::editing
