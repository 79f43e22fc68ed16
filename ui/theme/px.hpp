// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace scalescope::ui {

/// How much larger than usual type and what holds it are drawn: 1, or more while presenting.
double type_scale();

/// A length in px at 100 % that grows with the type. It is worked out where it is used, so that it may stand among
/// constants.
struct Px {
    int usual;
    Px& operator=(int px) {
        usual = px;
        return *this;
    }
    operator int() const { return static_cast<int>(usual * type_scale() + 0.5); }
};

/// The same with fractions.
struct PxF {
    double usual;
    operator double() const { return usual * type_scale(); }
};

}  // namespace scalescope::ui
