// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/kineto/trace.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace scalescope::kineto {

/// One event of the file, as far as anybody asks for it.
struct RawEvent {
    std::string phase, category, name, process, thread;
    std::optional<std::int64_t> begin, length;  ///< ns
    std::int64_t external_id = unknown, correlation = unknown, device = 0, stream = 0;
    std::array<std::int64_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    std::int64_t registers = 0, shared = 0;
    OperatorInputs inputs;
    void clear();
};

/// Puts events into the tables of a trace, names only once. What it keeps is bounded by limits::trace_*, so that a
/// trace and all that is made of it fit into 200 MB.
class EventSink {
public:
    /// Whether events of this category are of use.
    static bool keeps(std::string_view category);
    /// False if the trace has more than is kept; `problem` says what.
    bool add(const RawEvent& event);
    const std::string& problem() const { return problem_; }
    Trace& trace() { return trace_; }
    std::size_t skipped() const { return skipped_; }
    /// Sorts the tables.
    void finish();

private:
    std::optional<NameId> name(std::string_view text);
    std::int64_t inputs(const OperatorInputs& inputs);

    Trace trace_;
    std::unordered_map<std::string, NameId> names_;
    std::unordered_map<std::string, std::int64_t> inputs_;
    std::string problem_, key_;
    std::size_t text_bytes_ = 0, events_ = 0, device_events_ = 0, steps_ = 0, skipped_ = 0;
};

}  // namespace scalescope::kineto
