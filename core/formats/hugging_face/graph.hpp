// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/draft_builder.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scalescope::formats::hugging_face {

enum class Norm { layer, layer_without_bias, layer_without_weights, rms };

/// Adds layers to a draft; each returns the id of the layer that it added.
class Graph {
public:
    using Inputs = std::vector<LayerId>;
    using Attributes = DraftBuilder::Givens;

    Graph(NetworkDraft& draft, SourcePosition at) : draft_(draft), at_(std::move(at)) {}

    LayerId add(std::string name, std::string_view kind, Inputs inputs, const Attributes& attributes = {});
    LayerId input(std::string name, std::vector<Dim> shape);
    /// At every position, on the last axis.
    LayerId dense(std::string name, LayerId in, std::int64_t units, bool bias);
    LayerId norm(std::string name, LayerId in, Norm norm);
    LayerId embedding(std::string name, LayerId in, std::int64_t rows, std::int64_t width);
    /// A trained tensor, the same for all samples.
    LayerId parameter(std::string name, const std::vector<std::int64_t>& shape);
    LayerId reshape(std::string name, LayerId in, std::vector<Dim> shape);
    LayerId activation(std::string name, LayerId in, const std::string& function);
    /// The input itself at rate 0.
    LayerId dropout(std::string name, LayerId in, double rate);
    LayerId sum(std::string name, Inputs inputs) { return add(std::move(name), "add", std::move(inputs)); }
    /// `layer` uses the weights of `owner`, which stands before it.
    void share(LayerId layer, LayerId owner);
    /// The `count` layers from `first` on, those of them that have weights, use the weights of those from `owner` on.
    void share_all(std::size_t first, std::size_t owner, std::size_t count);
    std::size_t size() const { return draft_.layers.size(); }

    /// "h0/attention/" while the layers of that part are added.
    std::string prefix;

private:
    NetworkDraft& draft_;
    SourcePosition at_;
};

/// "batch" and these.
std::vector<Dim> sample_shape(std::vector<Dim> dims);

/// The word that this program has for an activation of a config.json; empty if it has none.
std::string activation_called(std::string_view name);

}  // namespace scalescope::formats::hugging_face
