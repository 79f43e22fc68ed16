// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "core/measure/validate/aliases.hpp"
#include "core/measure/validate/published.hpp"
#include "core/network/network.hpp"

/// Networks of rows that describe a transformer by its figures: layers, width, heads, length of a sequence, vocabulary.
namespace scalescope::measure {

/// Whether the row has every figure that such a network needs.
bool has_transformer(const PublishedRow& row);
/// The figures that the row lacks, as columns: "layers, heads".
std::string missing_figures(const PublishedRow& row);

/// The configuration of a decoder with these figures, in the form of Hugging Face's transformers. The family decides
/// what the figures leave open: biases, norms, gates, tables of positions. Llama's feed-forward network is 8/3 of the
/// width, rounded up to 256, unless the row says otherwise (Touvron et al., LLaMA, 2023); GPT-2's and MPT's is four
/// times the width.
std::string transformer_config(const PublishedRow& row, const FamilyAlias& family);

/// The network drawn from it.
Result<std::shared_ptr<const Network>> transformer_of(const PublishedRow& row, const FamilyAlias& family);

}  // namespace scalescope::measure
