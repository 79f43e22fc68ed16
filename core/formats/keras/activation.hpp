// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/keras/use.hpp"

/// The activation that most of Keras's layers have beside their own work.
namespace scalescope::formats {

/// Of the field "activation" what a convolution or a dense layer does in place, "none" if it is another.
std::string fused_activation_of(KerasUse& use);

/// With the activation the layer did not do in place, if there is one, as a layer behind it.
std::optional<KerasTensor> activated(KerasUse& use, const KerasTensor& tensor);

/// A function by the name Keras has for it.
std::optional<KerasTensor> apply_activation(KerasUse& use, const KerasTensor& tensor, std::string_view word,
                                            std::string_view part);

}  // namespace scalescope::formats
