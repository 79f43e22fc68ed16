// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/watch.hpp"
#include "core/measure/kineto/classes.hpp"
#include "core/measure/kineto/trace.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// What a recorded training step did: which operator launched which kernels, in which phase of which step, and when the
/// GPU had nothing to do.
namespace scalescope::kineto {

/// A set of times. What is asked of it holds once it is united.
class Intervals {
public:
    void add(const Span& span) { spans_.push_back(span); }
    /// Sorts, and joins what touches.
    void unite() {
        std::ranges::sort(spans_, {}, &Span::begin);
        std::vector<Span> joined;
        for (const Span& s : spans_) {
            if (joined.empty() || s.begin > joined.back().end())
                joined.push_back(s);
            else
                joined.back().length = std::max(joined.back().end(), s.end()) - joined.back().begin;
        }
        spans_ = std::move(joined);
    }
    const std::vector<Span>& spans() const { return spans_; }
    std::int64_t length() const {
        std::int64_t sum = 0;
        for (const Span& s : spans_) sum += s.length;
        return sum;
    }
    /// From the first to the last; empty if there is none.
    Span hull() const {
        if (spans_.empty()) return {};
        return {spans_.front().begin, spans_.back().end() - spans_.front().begin};
    }

private:
    std::vector<Span> spans_;
};

/// How long both run at once; both are united.
inline std::int64_t common_length(const Intervals& a, const Intervals& b) {
    std::int64_t sum = 0;
    auto x = a.spans().begin(), y = b.spans().begin();
    while (x != a.spans().end() && y != b.spans().end()) {
        sum += std::max<std::int64_t>(0, std::min(x->end(), y->end()) - std::max(x->begin, y->begin));
        (x->end() < y->end() ? x : y)++;
    }
    return sum;
}

enum class Phase { forward, backward, optimizer, other };
inline constexpr std::size_t phases = 4;
std::string_view name_of(Phase phase);

/// An operator as it ran once, with the kernels that it launched itself. An operator whose name does not say what it
/// does, such as a compiled function, is several operations: one for each run of kernels of one class.
struct Operation {
    std::int64_t source = unknown;  ///< a place in Trace::operators; unknown: only kernels are known
    NameId name = 0;                ///< of the operator, else of the kernel
    WorkClass cls = WorkClass::other;
    Phase phase = Phase::other;
    std::int64_t step = unknown;                ///< a place in Digest::steps
    std::int64_t begin = 0;                     ///< ns, on the CPU if that is known
    std::size_t first_kernel = 0, kernels = 0;  ///< places in Digest::launched
    std::int64_t kernel_time = 0;               ///< ns
};

struct Step {
    std::string name;
    Span span;  ///< on the CPU
    std::size_t kernels = 0, communication_kernels = 0, memory_operations = 0;
    std::int64_t kernel_time = 0;                 ///< ns, of the kernels that do not communicate
    std::int64_t communication_time = 0;          ///< ns, of those of NCCL
    std::int64_t memory_time = 0;                 ///< ns, of copies and fills
    Span device;                                  ///< from the first to the last thing that the GPU did for it
    std::int64_t idle = 0;                        ///< ns of `device` in which nothing ran
    std::int64_t overlapped = 0;                  ///< ns of communication while a kernel computed
    std::int64_t exposed = 0;                     ///< ns of communication while none did
    PerClass<std::int64_t> by_class{};            ///< ns
    std::array<std::int64_t, phases> by_phase{};  ///< ns, without communication
};

struct Stream {
    std::int64_t device = 0, stream = 0;
    std::size_t kernels = 0, communication_kernels = 0, memory_operations = 0;
    std::int64_t busy = 0;  ///< ns
};

/// Kernels of one name whose work neither their name nor their operators' names tell.
struct UnknownKernel {
    NameId name = 0;
    std::size_t count = 0;
    std::int64_t time = 0;  ///< ns
};

struct Digest {
    std::vector<Step> steps;  ///< in order of time; a trace without ProfilerStep is one step
    std::vector<Stream> streams;
    std::vector<Operation> operations;    ///< in order of time; those of NCCL are of class communication
    std::vector<std::uint32_t> launched;  ///< places in Trace::kernels, operation by operation
    std::vector<UnknownKernel> unknown;   ///< of class other, the longest time first
    std::size_t outside = 0;              ///< kernels of no step
    bool named_phases = false;            ///< the program marked them; else they follow from autograd and the optimizer

    std::span<const std::uint32_t> kernels_of(const Operation& o) const {
        return std::span(launched).subspan(o.first_kernel, o.kernels);
    }
};

/// Kernels belong to the operator whose id they carry, else to the one that enclosed their launch; a kernel belongs to
/// the step and the phase in which it was launched, on whatever thread. Classes follow from the operator's name, then
/// from those around it, then from the kernel's. Time and memory grow with the events, not with how deep they nest. A
/// digest that was cancelled is not whole.
Digest digest(const Trace& trace, const CancelToken& cancel = {});

/// A warning that counts and names the kernels of Digest::unknown; nothing if there are none.
Problems unknown_kernels(const Trace& trace, const Digest& digest);

}  // namespace scalescope::kineto
