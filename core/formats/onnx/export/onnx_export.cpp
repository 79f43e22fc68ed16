// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/onnx/export/onnx_export.hpp"

#include "core/formats/network_json.hpp"
#include "core/formats/onnx/export/exporter.hpp"

namespace scalescope::formats {
namespace onnx {
namespace {

constexpr std::string_view network_key = "org.scalescope.network.", digest_key = "org.scalescope.digest";
/// Larger entries would be skipped with the weights of a file (small_payload).
constexpr std::size_t piece_bytes = small_payload / 2;

/// Fowler, Noll and Vo's hash, 64 bits (FNV-1a): it tells whether operators were changed, not by whom.
class Digest {
public:
    void add(std::string_view text) {
        for (const char c : text) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
        hash_ = (hash_ ^ 0x100U) * 0x100000001b3ULL;  // where a text ends
    }
    void add(std::int64_t n) { add(std::to_string(n)); }
    template <class T>
    void add(const std::vector<T>& all) {
        add(static_cast<std::int64_t>(all.size()));
        for (const T& x : all) add(x);
    }
    void add(double x) { add(std::to_string(x)); }
    void add(const Dimension& d) {
        add(d.value);
        add(d.symbol);
    }
    void add(const Tensor& t) {
        add(t.name);
        add(t.dims);
        add(std::int64_t{t.element});
        add(t.whole);
        add(t.real);
    }
    void add(const Attribute& a) {
        add(a.name);
        add(a.text);
        add(a.integer);
        add(a.number);
        add(a.integers);
        add(a.numbers);
        add(a.texts);
        if (a.tensor) add(*a.tensor);
    }
    void add(const Node& n) {
        add(n.op);
        add(n.domain);
        add(n.inputs);
        add(n.outputs);
        add(n.attributes);
    }
    /// What a value is called and how large it is; of those inside the graph anybody may say more.
    void add(const ValueInfo& v) {
        add(v.name);
        add(v.dims);
    }
    std::string text() const { return std::to_string(hash_); }

private:
    std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};

std::string digest_of(const Graph& graph) {
    Digest digest;
    digest.add(graph.nodes);
    digest.add(graph.initializers);
    digest.add(graph.inputs);
    digest.add(graph.outputs);
    return digest.text();
}

}  // namespace

void keep_network(Model& model, const NetworkDraft& draft) {
    const std::string text = write_network(draft);
    std::size_t piece = 0;
    for (std::size_t from = 0; from < text.size(); ++piece) {
        std::size_t end = std::min(text.size(), from + piece_bytes);
        while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // whole characters
        model.metadata.emplace_back(std::string(network_key) + std::to_string(piece), text.substr(from, end - from));
        from = end;
    }
    model.metadata.emplace_back(digest_key, digest_of(model.graph));
}

std::optional<std::string> kept_network(const Model& model, bool& changed) {
    std::string text, digest;
    std::size_t piece = 0;
    for (const auto& [name, value] : model.metadata) {
        if (name == digest_key) digest = value;
        if (name != std::string(network_key) + std::to_string(piece)) continue;
        text += value;
        ++piece;
    }
    if (text.empty()) return std::nullopt;
    changed = digest != digest_of(model.graph);
    return changed ? std::nullopt : std::optional(std::move(text));
}

}  // namespace onnx

std::string write_onnx_network(const Network& network, Problems* warnings) {
    Problems own;
    onnx::Model model = onnx::Exporter(network).run(own);
    if (warnings) warnings->insert(warnings->end(), own.begin(), own.end());
    // The digest is that of what a reader sees, who makes bytes visible that are no text.
    if (auto seen = onnx::read_model(onnx::write_model(model), {})) {
        onnx::keep_network(*seen, network.draft());
        model.metadata = std::move(seen->metadata);
    }
    return onnx::write_model(model);
}

}  // namespace scalescope::formats
