// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/formats/library.hpp"
#include "core/scenario/scenario.hpp"

/// What is shipped, and problems as text.
namespace support {

/// The shipped presets, read once.
const scalescope::formats::Library& library();
/// A shipped scenario; stops the test if there is none of that name.
scalescope::Scenario preset_scenario(const std::string& id);
/// Every shipped network with attention.
std::vector<std::pair<std::string, std::shared_ptr<const scalescope::Network>>> transformers();
/// A GPT of that shape with dropout, as GPT-2 has it, and a vocabulary of 512; `flash`: its attention is fused.
std::shared_ptr<const scalescope::Network> gpt(std::int64_t blocks, std::int64_t hidden, std::int64_t heads,
                                               std::int64_t positions, bool flash);
/// A decoder of that shape whose blocks each have four experts, two for each position, and two heads of keys and
/// values; `shared`: and one expert that every position goes through, and one table for tokens and head.
std::shared_ptr<const scalescope::Network> mixture(std::int64_t blocks, std::int64_t hidden, std::int64_t heads,
                                                   std::int64_t positions, bool shared);
/// The same network with another value of that attribute of all layers that have it.
std::shared_ptr<const scalescope::Network> with_attribute(const std::shared_ptr<const scalescope::Network>& network,
                                                          std::string_view name,
                                                          const scalescope::AttributeValue& value);
/// One problem a line.
std::string messages(const scalescope::Problems& problems);

}  // namespace support
