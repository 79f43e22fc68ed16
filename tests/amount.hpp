// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QtGlobal>

namespace support {

/// How much of a test with random numbers to do, and where they begin: what the environment variable says, so that
/// packaging/soak can do more than CI.
inline unsigned amount(const char* variable, unsigned usual) {
    bool is_number = false;
    const unsigned given = qEnvironmentVariable(variable).toUInt(&is_number);
    return is_number ? given : usual;
}

}  // namespace support
