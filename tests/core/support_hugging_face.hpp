// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtTest>
#include <memory>
#include <string>

#include "core/formats/library.hpp"
#include "core/support_library.hpp"

/// Networks from configurations in the form of Hugging Face's; a test that cannot read its own text ends.
namespace support {

using Ptr = std::shared_ptr<const scalescope::Network>;

inline Ptr read(const std::string& text, scalescope::Problems* warnings = nullptr, std::string_view part = {}) {
    auto network = scalescope::formats::read_any_network(text, "config.json", warnings, {}, {}, nullptr, part);
    if (!network) qFatal("%s", messages(network.error()).c_str());
    return *network;
}

inline const scalescope::LayerFacts& facts(const Ptr& n, const char* name) {
    const auto p = n->position(name);
    if (!p) qFatal("no layer %s", name);
    return n->facts()[static_cast<std::size_t>(*p)];
}

inline bool has(const Ptr& n, const char* name) { return n->position(name).has_value(); }

}  // namespace support
