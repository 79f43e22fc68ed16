// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/network/network.hpp"

namespace scalescope::formats::onnx {

/// One dimension of a tensor to be written: a number, and how it is called where it is left open.
struct Size {
    std::int64_t value = 1;
    std::string open;  ///< "sequence", "2*sequence", "sequence + 1"; empty: the number itself
    bool operator==(const Size&) const = default;
};

/// Which sizes of a network's tensors are open. The network is measured once more with each symbol doubled: what
/// changes depends on it. A symbol on which numbers of the file depend (the shape of weights, a table, a reshape with
/// two open axes that stand elsewhere before) cannot stay open.
class NamedSizes {
public:
    explicit NamedSizes(const Network& network);

    /// Of the output of the layer at `position`, in our order, without the batch.
    const std::vector<Size>& of(int position) const { return sizes_[static_cast<std::size_t>(position)]; }
    /// A symbol that is written as a number, and the layer because of which it is.
    struct Fixed {
        std::string symbol;
        std::int64_t value = 1;
        std::string layer;
    };
    const std::vector<Fixed>& fixed() const { return fixed_; }

    /// The shape of a reshape to `to`, behind the batch: 0 for a size that stays where it was, −1 for one that follows
    /// from the others; false if more would have to follow (their numbers are written).
    static bool resolve(const std::vector<Size>& from, const std::vector<Size>& to, std::vector<std::int64_t>& shape);

private:
    void follow(const Network& network, const Binding& symbol);
    std::vector<std::vector<Size>> sizes_;
    std::vector<Fixed> fixed_;
};

}  // namespace scalescope::formats::onnx
