// SPDX-License-Identifier: GPL-3.0-or-later
// Precompiled for every file of the window: Qt's headers are half of what each of them takes to compile. A file still
// includes what it uses. Nothing of the project is in here: a change of one of its headers compiles only what includes
// it.
#pragma once

#include <QtWidgets>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>
