// SPDX-License-Identifier: GPL-3.0-or-later
#include "support_keras.hpp"

#include <cstdio>
#include <sstream>

#include "core/formats/library.hpp"
#include "support_library.hpp"

using namespace scalescope;

namespace support::keras {

std::string layer(const std::string& type, const std::string& name, const std::string& config,
                  const std::string& reads) {
    return "{\"class_name\": \"" + type + "\", \"name\": \"" + name + "\", \"config\": {\"name\": \"" + name + "\"" +
           (config.empty() ? "" : ", ") + config + "}, \"inbound_nodes\": [" + reads + "]}";
}

std::string input(const std::string& name, const std::string& shape) {
    return layer("InputLayer", name, "\"batch_input_shape\": " + shape);
}

std::string from(const std::string& names) {
    std::string text;
    std::istringstream all(names);
    for (std::string name; all >> name;) text += (text.empty() ? "" : ", ") + ("[\"" + name + "\", 0, 0, {}]");
    return '[' + text + ']';
}

std::string model(const std::string& layers, const std::string& out, const std::string& in) {
    std::string ins;
    std::istringstream all(in);
    for (std::string name; all >> name;) ins += (ins.empty() ? "" : ", ") + ("[\"" + name + "\", 0, 0]");
    return "{\"class_name\": \"Model\", \"config\": {\"name\": \"m\", \"layers\": [\n" + layers +
           "],\n\"input_layers\": [" + ins + "], \"output_layers\": [[\"" + out + "\", 0, 0]]}}";
}

std::string one(const std::string& type, const std::string& config, const std::string& shape) {
    return model(input("x", shape) + ",\n" + layer(type, "y", config, from("x")));
}

Shape shape_of(const Network& network, std::string_view name) {
    const auto at = network.position(name);
    return at ? network.facts()[static_cast<std::size_t>(*at)].output : Shape{};
}

Shape last_shape(const Network& network) { return network.facts().back().output; }

std::shared_ptr<const Network> read(const std::string& text, Problems* warnings) {
    const auto network = formats::read_any_network(text, "model.json", warnings);
    if (!network) std::fprintf(stderr, "%s\n", messages(network.error()).c_str());
    return network ? *network : nullptr;
}

std::string two(const std::string& type, const std::string& config, const std::string& a, const std::string& b) {
    return model(input("x", a) + ",\n" + input("z", b) + ",\n" + layer(type, "y", config, from("x z")), "y", "x z");
}

}  // namespace support::keras
