// SPDX-License-Identifier: GPL-3.0-or-later
// Precompiled for every test. A test still includes what it uses. Nothing of the project is in here: a change of one of
// its headers compiles only what includes it.
#pragma once

#include <QtTest>
#ifdef QT_WIDGETS_LIB
#include <QtWidgets>
#endif

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <ranges>
#include <set>
#include <sstream>
#include <string>
#include <variant>
#include <vector>
