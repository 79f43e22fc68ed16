// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/keras/use.hpp"

/// Recurrent layers as the wrapper for both directions sees them.
namespace scalescope::formats {

struct RecurrentCell {
    std::string_view kind;  ///< of ours
    std::int64_t units = 1;
    std::int64_t biases = 1;  ///< of a gate
    std::int64_t states = 1;  ///< handed on: an LSTM's output and cell
};

/// The cells on top of each other, or nothing after a problem.
std::optional<std::vector<RecurrentCell>> recurrent_cells(KerasUse& use);
bool returns_sequences(KerasUse& use);

/// Its output, then its states if anybody reads them; `states` are those it starts from.
KerasTensors run_recurrent(KerasUse& use, const std::vector<RecurrentCell>& cells, bool sequences,
                           const KerasTensors& states, std::string_view part);

}  // namespace scalescope::formats
