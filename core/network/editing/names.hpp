// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "core/network/editing/edit.hpp"

/// Names of layers are paths: "Mixed_5b/Branch_0/conv1" is a layer in a block in a block.
namespace scalescope::editing {

/// The block that a layer or block stands in: "Mixed_5b/Branch_0"; empty at the top.
std::string_view parent_path(std::string_view path);
/// Whether a layer or block of that name is in the block `path`, at any depth; everything is in the block "".
bool is_inside(std::string_view name, std::string_view path);
/// `path`/`name`, or `name` at the top.
std::string joined(std::string_view path, std::string_view name);
/// The innermost block that all of them are in.
std::string common_path(std::span<const std::string> names);
/// Why a layer or a block cannot have this name; nothing if it can, apart from others that have it.
std::optional<Problem> about_name(std::string_view name);
/// The same for the name of a network, in which slashes mean nothing.
std::optional<Problem> about_title(std::string_view title);

/// The names that a draft has, to find ones that are free.
class Names {
public:
    explicit Names(const NetworkDraft& draft);

    /// Whether there is a layer or a block of that path.
    bool taken(const std::string& path) const { return paths_.contains(path); }
    void add(const std::string& name);

    /// `wanted`, or the next that is free: conv2 is followed by conv3 (or by conv6, if there is a conv5), relu by
    /// relu2, Mixed_5b by Mixed_5b_2.
    std::string fresh(const std::string& wanted) const;
    /// The next of a row in a block: `stem` with the number after the highest there is, which is 1 if there is none.
    std::string numbered(std::string_view block, std::string_view stem, int least = 1) const;

private:
    std::unordered_set<std::string> paths_;                  ///< of layers and of blocks
    std::unordered_map<std::string, std::int64_t> highest_;  ///< number behind each path that ends in one
};

/// A name's end in digits: "conv12" is "conv" and 12; nothing for "relu" and for sizes such as "conv_1x1".
struct Numbered {
    std::string_view stem;
    std::int64_t number = 0;
};
std::optional<Numbered> split_number(std::string_view name);

}  // namespace scalescope::editing
