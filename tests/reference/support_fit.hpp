// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fstream>
#include <iterator>
#include <string>

#include "core/measure/fit/fit.hpp"
#include "core/measure/runs/import.hpp"

/// The synthetic runs of tests/data/fit, and the forms that they were made with.
namespace support {

using namespace scalescope;
using namespace scalescope::measure;

inline ImportedRuns fit_data(const std::string& name, const ColumnMap& map = {}) {
    std::ifstream in(std::string(SCALESCOPE_TEST_DATA "/fit/") + name + ".csv");
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    return import_runs(text, name + ".csv", map).value();
}

inline FormChoice generic_form() {
    FormChoice form;
    form.intrinsic = {"filters", "kernel_size", "image_side"};
    form.extrinsic = {"workers", "batch_size", "chunks"};
    form.bounds = {{"C", 0.0, 50.0}};  // those of the reference fit
    return form;
}

inline FormChoice categorical_form() {
    FormChoice form;
    form.intrinsic = {"filters", "kernel_size", "activation", "optimizer", "dataset"};
    form.extrinsic = {"workers", "batch_size"};
    return form;
}

inline FormChoice two_term_form() {
    FormChoice form;
    form.kind = FormKind::two_term;
    form.intrinsic = {"fwd_flop_per_sample"};
    form.traffic = {"parameters"};
    form.extrinsic = {"batch_per_worker"};
    return form;
}

inline FormChoice physical_form() {
    FormChoice form;
    form.kind = FormKind::physical;
    return form;
}

inline FormChoice tiers_form() {
    FormChoice form;
    form.kind = FormKind::tiers;
    form.workers = "threads";
    return form;
}

}  // namespace support
