// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/paleo/build.hpp"

#include <set>
#include <string>
#include <unordered_map>
#include <utility>

namespace scalescope::formats::paleo_build {

using namespace paleo;

void Reporter::error(std::string_view layer, Place at, std::string what, std::string remedy) const {
    problems.error({file, at.line, at.column}, layer.empty() ? "layers" : join_path("layers", layer), std::move(what),
                   std::move(remedy));
}

void Reporter::warning(std::string_view layer, Place at, std::string what, std::string remedy) const {
    problems.warning({file, at.line, at.column}, layer.empty() ? "layers" : join_path("layers", layer), std::move(what),
                     std::move(remedy));
}

namespace {

/// The copies of one sublayer of a ModelParallel block: places first .. first + splits - 1.
struct Copies {
    int first = 0;
    std::int64_t splits = 1;
};

class Unfolder {
public:
    Unfolder(const Description& description, ProblemList& problems)
        : description_(description), report_{problems, description.file} {}

    std::vector<Unfolded> run() {
        for (const auto& item : description_.items)
            if (!add(item)) return {};
        for (std::size_t i = 0; i < layers_.size() && connections_ < limits::connections; ++i)
            resolve_parents(static_cast<int>(i));
        check_data();
        return std::move(layers_);
    }

private:
    bool add(const Item& item) {
        if (item.kind == Item::Kind::layer) return add_one(item.layer.name, item.layer, nullptr, not_split);
        if (!item.endpoint.empty()) check_endpoint(item);
        blocks_.emplace(item.name, &item);
        for (const auto& sublayer : item.layers) {
            const std::string base = item.name + "/" + sublayer.name;
            if (item.kind == Item::Kind::block) {
                if (!add_one(base, sublayer, &item, not_split)) return false;
                continue;
            }
            copies_.emplace(base, Copies{static_cast<int>(layers_.size()), item.splits});
            for (int k = 0; k < item.splits; ++k)
                if (!add_one(base + "@" + std::to_string(k), sublayer, &item, k)) return false;
        }
        return true;
    }

    bool add_one(std::string name, const Definition& definition, const Item* block, int split) {
        name_bytes_ += name.size();
        if (layers_.size() >= limits::layers || name_bytes_ > limits::file_bytes) {
            report_.error(name, definition.at, "The network has too many layers after its blocks are unfolded.",
                          "Use fewer splits; at most " + std::to_string(limits::layers) + " layers are allowed.");
            return false;
        }
        const auto [found, is_new] = places_.emplace(name, static_cast<int>(layers_.size()));
        if (!is_new)
            report_.error(name, definition.at, "Two layers are called " + quoted(name) + ".", "Rename one of them.");
        layers_.push_back({std::move(name), &definition, split, block ? block->splits : 1, {}});
        owners_.push_back(block);
        return true;
    }

    void check_endpoint(const Item& block) {
        std::vector<std::string_view> known;
        for (const auto& sublayer : block.layers) {
            if (sublayer.name == block.endpoint) return;
            known.push_back(sublayer.name);
        }
        report_.error(block.name, block.at, "The endpoint " + quoted(block.endpoint) + " is no layer of this block.",
                      did_you_mean(block.endpoint, known, "Name one of the block's layers."));
    }

    void resolve_parents(int place) {
        const auto& layer = layers_[static_cast<std::size_t>(place)];
        const auto& definition = *layer.definition;
        const Item* block = owners_[static_cast<std::size_t>(place)];
        if (definition.kind == LayerType::input) {
            if (!definition.parents.empty())
                report_.error(layer.name, definition.parents_at, "An Input has no parents.", "Write \"parents\": [].");
            return;
        }
        const bool inherits = definition.parents.empty() && block;
        const auto& references = inherits ? block->parents : definition.parents;
        const Place at = inherits ? block->parents_at : definition.parents_at;
        const std::string prefix = block && !inherits ? block->name + "/" : "";
        speaker_ = inherits ? Speaker{block, block->name} : Speaker{&definition, layer.name};
        for (const auto& reference : references) resolve(place, prefix, reference, at);
        if (references.empty() && is_first_complaint("parents"))
            report_.error(speaker_.name, at.line ? at : definition.at, "The layer has no parents.",
                          "Name the layers it reads; only an Input has none.");
    }

    /// Copies of a layer, and layers that inherit the parents of their block, would all say the same.
    bool is_first_complaint(const std::string& about) { return said_.emplace(speaker_.owner, about).second; }

    /// One entry of a parents list; `prefix` is "block/" for a layer in a block.
    void resolve(int place, const std::string& prefix, const std::string& reference, Place at) {
        auto& layer = layers_[static_cast<std::size_t>(place)];
        const std::string full = prefix + reference;
        if (const auto exact = places_.find(full); exact != places_.end()) return connect(layer, exact->second);
        const auto mark = full.rfind('@');
        const std::string base = full.substr(0, mark);
        const std::string suffix = mark == std::string::npos ? "" : full.substr(mark + 1);
        if (const auto block = blocks_.find(base); block != blocks_.end() && prefix.empty()) {
            const auto& endpoint = block->second->endpoint;
            if (endpoint.empty()) {
                if (is_first_complaint(reference))
                    report_.error(speaker_.name, at,
                                  "The block " + quoted(base) + " has no endpoint, so it cannot be a parent.",
                                  "Give it an \"endpoint\", or name one of its layers: \"" + base + "/...\".");
                return;
            }
            const std::string target = base + "/" + endpoint;
            if (places_.count(target) == 0 && copies_.count(target) == 0) return;  // check_endpoint has said so
            return resolve(place, base + "/", suffix.empty() ? endpoint : endpoint + "@" + suffix, at);
        }
        const auto copies = copies_.find(base);
        if (copies != copies_.end() && suffix == "self" && layer.split != not_split)
            return connect(layer, copies->second.first + layer.split);
        if (copies != copies_.end() && suffix == "all") {
            for (int k = 0; k < copies->second.splits && connections_ < limits::connections; ++k)
                connect(layer, copies->second.first + k);
            return;
        }
        if (is_first_complaint(reference)) unknown(layer, prefix, reference, at, copies != copies_.end());
    }

    void connect(Unfolded& layer, int parent) {
        if (++connections_ == limits::connections)
            report_.error(layer.name, layer.definition->at, "The network has too many connections.",
                          "Use fewer splits.");
        if (connections_ < limits::connections) layer.parents.push_back(parent);
    }

    void unknown(const Unfolded& layer, const std::string& prefix, const std::string& reference, Place at, bool split) {
        if (split) {
            const std::string base = reference.substr(0, reference.find('@'));
            return report_.error(
                speaker_.name, at, "The parent " + quoted(reference) + " is split into several copies.",
                "Write \"" + base + "@all\" for all copies" +
                    (layer.split != not_split ? ", or \"" + base + "@self\" for the one of the same split." : "."));
        }
        const auto mark = reference.rfind('@');
        const std::string base = reference.substr(0, mark);
        if (mark != std::string::npos && places_.count(prefix + base) != 0)
            return report_.error(speaker_.name, at,
                                 "The parent " + quoted(base) + " is not split, so it has no copies.",
                                 "Write " + quoted(base) + " alone.");
        if (!prefix.empty() && (places_.count(reference) != 0 || blocks_.count(reference) != 0))
            return report_.error(
                speaker_.name, at,
                "The parent " + quoted(reference) + " is outside the block; a layer sees only its own block.",
                "Leave \"parents\" empty to read what the block reads, or move the layer out of the block.");
        if (suggestions_.empty()) {
            for (const auto& known : layers_) suggestions_.push_back(known.name);
            for (const auto& known : blocks_) suggestions_.push_back(known.first);
            for (const auto& known : copies_) suggestions_.push_back(known.first);
        }
        auto close = closest_name(prefix + base, suggestions_);
        if (close.starts_with(prefix)) close.remove_prefix(prefix.size());
        report_.error(speaker_.name, at,
                      "There is no layer " + quoted(reference) + (prefix.empty() ? "." : " in this block."),
                      close.empty() ? "Name an existing layer." : "Did you mean " + quoted(close) + "?");
    }

    void check_data() {
        const auto found = places_.find("data");
        if (found == places_.end()) {
            std::vector<std::string_view> inputs;
            for (const auto& layer : layers_)
                if (layer.definition->kind == LayerType::input) inputs.push_back(layer.name);
            report_.error({}, {1, 1}, "The network has no layer called \"data\".",
                          inputs.empty() ? "Add \"data\": {\"type\": \"Input\", \"tensor\": [batch, height, width, "
                                           "channels], \"parents\": []}."
                                         : "Rename the Input " + quoted(inputs.front()) + " to \"data\".");
        } else if (const auto& data = *layers_[static_cast<std::size_t>(found->second)].definition;
                   data.kind != LayerType::input) {
            report_.error("data", data.at, "The layer \"data\" must be an Input.", "Write \"type\": \"Input\".");
        }
    }

    const Description& description_;
    Reporter report_;
    std::vector<Unfolded> layers_;
    std::vector<const Item*> owners_;  ///< the block of each layer, or null
    std::unordered_map<std::string, int> places_;
    std::unordered_map<std::string, const Item*> blocks_;
    std::unordered_map<std::string, Copies> copies_;
    /// Whose parents list is being resolved.
    struct Speaker {
        const void* owner = nullptr;
        std::string name;
    };
    Speaker speaker_;
    std::set<std::pair<const void*, std::string>> said_;
    std::vector<std::string_view> suggestions_;
    std::size_t name_bytes_ = 0;
    std::size_t connections_ = 0;
};

}  // namespace

std::vector<Unfolded> unfold(const Description& description, ProblemList& problems) {
    return Unfolder(description, problems).run();
}

}  // namespace scalescope::formats::paleo_build
