// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <utility>

#include "ui/charts/chart.hpp"

namespace scalescope::ui {

/// A chart of kind `Self` that is fed with plain data; the same data given twice draw nothing.
template <class Self, class Data, class Base = Chart>
class DataChart : public Base {
public:
    void set_data(Data data) {
        make_sound(data);
        if (data == data_) return;
        const Data before = std::exchange(data_, std::move(data));
        rebuild(before);
    }
    const Data& data() const { return data_; }

protected:
    using Base::Base;

    /// Leaves out of new data what cannot be drawn, and sorts the rest.
    virtual void make_sound(Data&) const {}
    /// There are other data than before.
    virtual void rebuild(const Data& before) = 0;
    /// What an export shows besides data and view.
    virtual void copy_state(const Self&) {}
    std::unique_ptr<Chart> copy() const final {
        auto other = std::make_unique<Self>();
        other->set_data(data_);
        static_cast<DataChart&>(*other).copy_state(static_cast<const Self&>(*this));
        return other;
    }

    Data data_;
};

}  // namespace scalescope::ui
