// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/watch.hpp"
#include "core/measure/kineto/trace.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace scalescope::kineto {

/// Reads a trace of PyTorch's profiler: Chrome's trace format as Kineto writes it, plain or packed by gzip, as a
/// stream. Memory grows with the events that are kept (operators, annotations, runtime calls, kernels, memory
/// operations) and their different names, not with the text. Problems, with line: what is no JSON, cut off, damaged, or
/// no such trace; a trace without kernels.
Result<Trace> read_trace(const std::filesystem::path& path, const Watch& watch = {});

/// True if the beginning of the file, unpacked if it is packed by gzip, says that it is such a trace: it is JSON and
/// names what only these have ("traceEvents", "deviceProperties", "ph"). A few pieces are read.
bool is_trace_file(const std::filesystem::path& path);
bool is_trace(std::string_view beginning);

/// The same of bytes that are there already.
Result<Trace> parse_trace(std::string_view bytes, std::string file, const Watch& watch = {});

}  // namespace scalescope::kineto
