// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <vector>

#include "core/network/network.hpp"

namespace scalescope::ui {

/// What is written of a layer whatever the scenario.
struct LayerText {
    QString name;    ///< "conv2"
    QString shape;   ///< of its output: "26×26×192"
    QString kind;    ///< "Convolution"
    QString detail;  ///< "Convolution · 26×26×192"
    QString guess;   ///< why its figures are a guess (about_guess); empty if they are not
};

/// The texts of all layers, in the order of the network. Made once per network and kept while it is in use: a drag asks
/// for them in every frame. For the GUI thread.
std::shared_ptr<const std::vector<LayerText>> layer_texts(const std::shared_ptr<const Network>& network);

}  // namespace scalescope::ui
