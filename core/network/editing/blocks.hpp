// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/network/editing/edit.hpp"

namespace scalescope::editing {

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
