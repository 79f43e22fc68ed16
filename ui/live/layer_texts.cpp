// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/layer_texts.hpp"

#include <algorithm>
#include "ui/language/told.hpp"

namespace scalescope::ui {

std::shared_ptr<const std::vector<LayerText>> layer_texts(const std::shared_ptr<const Network>& network) {
    struct Known {
        std::weak_ptr<const Network> network;
        std::shared_ptr<const std::vector<LayerText>> texts;
    };
    static std::vector<Known> known;
    known.erase(std::remove_if(known.begin(), known.end(), [](const Known& k) { return k.network.expired(); }),
                known.end());
    for (const Known& k : known)
        if (k.network.lock() == network) return k.texts;
    auto texts = std::make_shared<std::vector<LayerText>>();
    for (std::size_t i = 0; i < network->layers().size(); ++i) {
        const Layer& layer = network->layers()[i];
        const QString kind = told(layer.kind->title);
        const QString shape = QString::fromStdString(to_text(network->facts()[i].output));
        texts->push_back({QString::fromStdString(layer.name), shape, kind, kind + QStringLiteral(" · ") + shape,
                          told(about_guess(layer, &network->facts()[i]))});
    }
    known.push_back({network, texts});
    return texts;
}

}  // namespace scalescope::ui
