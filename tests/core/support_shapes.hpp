// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtTest>
#include <string>

#include "core/network/network.hpp"

/// Rows of a test that reads a text and compares a layer's shape and the network's counts with those worked out by
/// hand.
namespace support {

inline void shape_columns() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shape");
    QTest::addColumn<qint64>("parameters");
    QTest::addColumn<qint64>("multiply_adds");
}

/// `multiply_adds` -1: those are not compared.
inline void shape_row(const char* name, const std::string& text, const char* shape, qint64 parameters,
                      qint64 multiply_adds = -1) {
    QTest::newRow(name) << QString::fromStdString(text) << QString(shape) << parameters << multiply_adds;
}

inline void compare_row(const scalescope::Network& network, const scalescope::Shape& is) {
    QFETCH(QString, shape);
    QFETCH(qint64, parameters);
    QFETCH(qint64, multiply_adds);
    QCOMPARE(QString::fromStdString(scalescope::to_text(is)), shape);
    QCOMPARE(network.parameters(), parameters);
    if (multiply_adds >= 0) QCOMPARE(network.multiply_adds(), multiply_adds);
}

}  // namespace support
