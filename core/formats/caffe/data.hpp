// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/caffe/net.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// What a Caffe layer that brings data gives: its text often says only part of it.
namespace scalescope::formats {

struct CaffeData {
    std::vector<std::int64_t> dims;  ///< batch first; empty: the text does not say
    std::string assumed;             ///< what was taken for granted, as a sentence; empty: all is written
};

/// The first tensor of a layer that reads a data set (Data, ImageData, MemoryData, …, and those of forks), from its
/// crop size, sizes and batch size wherever in its blocks they stand. Channels that stand nowhere are three; the sizes
/// of MNIST and CIFAR are known by the name of the data set.
CaffeData caffe_data(const CaffeLayer& layer);

/// All tensors of an Input or DummyData layer, each with its own or the one common shape.
std::vector<std::vector<std::int64_t>> caffe_given_shapes(const CaffeLayer& layer, const std::string& where,
                                                          ProblemList& problems);

}  // namespace scalescope::formats
