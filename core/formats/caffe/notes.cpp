// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/listed.hpp"
#include "core/formats/caffe/converter.hpp"

namespace scalescope::formats {

namespace {

std::string named(const std::vector<std::string>& names) { return listed(names, 6, quoted); }

}  // namespace

void CaffeConverter::say_what_was_chosen() {
    const SourcePosition start = net_.layers.empty() ? SourcePosition{} : net_.layers[0].field.name_at();
    const auto say = [&](const SourcePosition& at, std::string what, std::string remedy) {
        problems_.warning(at, {}, std::move(what), std::move(remedy));
    };
    if (net_.other_phase)
        say(start,
            std::string("The net of the ") + (net_.train ? "TRAIN" : "TEST") +
                " phase is read; layers of other phases and stages are left out.",
            "Nothing needs to be done.");
    if (!labels_.empty())
        say(start, "Left out as labels: " + named(labels_) + "; they cost next to nothing.",
            "Nothing needs to be done.");
    if (!measures_.empty())
        say(start, "Left out: " + named(measures_) + "; they only measure, and nothing is learned from them.",
            "Nothing needs to be done.");
    if (!sides_.empty())
        say(start, "Left out: " + named(sides_) + "; they depend on sizes or labels alone.",
            "Nothing needs to be done.");
    if (!frozen_.empty())
        say(start, "The file keeps the weights of " + named(frozen_) + " as they are (lr_mult: 0); here they learn.",
            "Freeze these layers in the training to price them so.");
    if (first_sharer_ && twice_.ok())
        say(first_sharer_->field.name_at(),
            std::to_string(sharers_) + (sharers_ == 1 ? " layer shares its" : " layers share their") +
                " weights with another by name; here each layer has its own, " + std::to_string(twice_.value()) +
                " parameters too many.",
            "Read the memory and the messages of the gradients with that in mind.");
}

}  // namespace scalescope::formats
