// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/watch.hpp"
#include "core/formats/byte_stream.hpp"
#include "core/measure/kineto/trace.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace scalescope::kineto {

/// Reads a trace of PyTorch's profiler: Chrome's trace format as Kineto writes it, plain or packed by gzip, as a
/// stream. Memory grows with the events that are kept (operators, annotations, runtime calls, kernels, memory
/// operations) and their different names, not with the text. Problems, with line: what is no JSON, cut off, damaged, or
/// no such trace; a trace without kernels.
/// A trace with more than limits::trace_* is refused as soon as that is known.
Result<Trace> read_trace(const std::filesystem::path& path, const Watch& watch = {});

/// True if the beginning of the file, unpacked if it is packed by gzip, says that it is such a trace: it is JSON and
/// names what only these have ("traceEvents", "deviceProperties", "ph"). A few pieces are read.
bool is_trace_file(const std::filesystem::path& path);
bool is_trace(std::string_view beginning);

/// The same of bytes that come piece by piece, `size` in all, which is for the progress only.
Result<Trace> read_trace(formats::ReadPiece read, std::uint64_t size, std::string file, const Watch& watch = {});

/// The same of bytes that are there already.
Result<Trace> parse_trace(std::string_view bytes, std::string file, const Watch& watch = {});

}  // namespace scalescope::kineto
