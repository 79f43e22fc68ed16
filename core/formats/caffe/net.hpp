// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/json_decoder.hpp"
#include "core/formats/prototxt.hpp"

#include <optional>
#include <string>
#include <vector>

/// A Caffe net as its text says it (BVLC/caffe, src/caffe/proto/caffe.proto), for one phase and before shapes are
/// known: the old and the new way to write layers made the same, the layers of other phases and stages taken out.
namespace scalescope::formats {

/// A tensor the net is given from outside: `input: "data"` with its dimensions, batch first.
struct CaffeInput {
    std::string name;
    std::vector<std::int64_t> dims;  ///< empty: none are written
    SourcePosition at;
};

struct CaffeLayer {
    std::string name;  ///< as written; may be empty
    std::string type;  ///< as newer Caffe calls it: "Convolution", also for CONVOLUTION
    std::vector<std::string> bottoms, tops;
    std::vector<std::string> shared;  ///< names of its weights, under which other layers share them
    bool frozen = false;              ///< every `lr_mult` written is 0
    ProtoField field;
};

struct CaffeNet {
    std::string name;
    bool train = true;         ///< the phase that was read
    bool other_phase = false;  ///< some layers belong to the other phase only
    bool from_solver = false;  ///< the net stood in a solver file
    std::vector<CaffeInput> inputs;
    std::vector<CaffeLayer> layers;  ///< in file order, which is the order Caffe runs them in
};

/// The net of the TRAIN phase; of the TEST phase if only that one has data, or if the net takes its data from outside
/// and no layer asks for TRAIN (the form for deployment). Views into `document`, which must outlive it.
std::optional<CaffeNet> read_caffe_net(const ProtoDocument& document, ProblemList& problems);

/// True for a layer that brings data and reads none.
bool is_caffe_source(const CaffeLayer& layer);

}  // namespace scalescope::formats
