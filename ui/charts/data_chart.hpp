// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <utility>

#include "ui/charts/chart.hpp"

namespace scalescope::ui {

/// Base of the chart class `Self`, which is fed with plain data. Setting equal data again does not redraw.
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

    /// Removes entries of new data that cannot be drawn, and sorts the others.
    virtual void make_sound(Data&) const {}
    /// Called after data_ has changed.
    virtual void rebuild(const Data& before) = 0;
    /// Copies what an export shows besides data and view.
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
