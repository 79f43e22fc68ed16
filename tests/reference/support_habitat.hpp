// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/atomic_file.hpp"
#include "core/formats/csv.hpp"
#include "core/measure/habitat/mlp.hpp"
#include "core/measure/habitat/tables.hpp"

#include <QtTest>
#include <charconv>
#include <cmath>
#include <string>

/// The files of tests/data/habitat, read as the program reads them.
namespace habitat_test {

using namespace scalescope;

inline std::string path(const std::string& name) { return SCALESCOPE_TEST_DATA "/habitat/" + name; }

template <class T>
T need(Result<T> result) {
    if (!result) qFatal("%s", to_text(result.error().front()).c_str());
    return std::move(*result);
}

inline std::string text(const std::string& name) { return need(read_file(path(name))); }
inline formats::CsvTable table(const std::string& name) { return need(formats::parse_csv(text(name), name)); }

/// The inputs of one edition; its files begin with `prefix`.
struct Inputs {
    std::string prefix;
    habitat::Edition edition;
    std::vector<habitat::Device> devices;
    std::vector<habitat::Kernel> kernels;
    habitat::RegisterTable registers;

    explicit Inputs(bool deepview)
        : prefix(deepview ? "deepview_" : ""),
          edition(deepview ? habitat::Edition::deepview : habitat::Edition::habitat),
          devices(need(habitat::read_devices(text("devices.csv"), "devices.csv", deepview ? "deepview" : "habitat"))),
          kernels(need(habitat::read_kernels(text(prefix + "kernels.csv"), "kernels.csv"))),
          registers(need(habitat::read_registers(text(prefix + "kernel_registers.csv"), "registers.csv"))) {}

    const habitat::Device& device(std::string_view name) const {
        for (const auto& d : devices)
            if (d.name == name) return d;
        qFatal("no such device");
        return devices.front();
    }
};

inline double number(std::string_view text) {
    double value = std::nan("");
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

inline bool close(double actual, double expected, double tolerance) {
    return std::abs(actual - expected) <= tolerance * std::abs(expected);
}

}  // namespace habitat_test
