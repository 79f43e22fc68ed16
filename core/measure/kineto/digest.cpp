// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/kineto/digest.hpp"

#include "core/base/format.hpp"
#include "core/base/sequences.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace scalescope::kineto {

namespace {

constexpr std::string_view step_mark = "ProfilerStep#";
constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

/// The phase that a person's or PyTorch's own annotation names: "## forward ##", "Optimizer.step#SGD.step".
struct PhaseMark {
    Phase phase = Phase::other;
    bool by_person = false;
};
std::optional<PhaseMark> phase_mark(std::string_view name) {
    const bool by_person = name.starts_with("##");
    const auto says = [&](std::string_view word) { return name.find(word) != std::string_view::npos; };
    if (name.starts_with("Optimizer.")) return PhaseMark{Phase::optimizer, false};
    if (name == "DistributedDataParallel.forward") return PhaseMark{Phase::forward, false};
    if (!by_person) return std::nullopt;
    if (says("forward")) return PhaseMark{Phase::forward, true};
    if (says("backward")) return PhaseMark{Phase::backward, true};
    if (says("optimizer")) return PhaseMark{Phase::optimizer, true};
    return PhaseMark{Phase::other, true};
}

struct PhaseSpan {
    Span span;
    PhaseMark mark;
};

/// The last span that begins before t and contains it. `spans` are sorted; nested ones do not go deep.
template <class T>
const T* containing(const std::vector<T>& spans, std::int64_t t) {
    constexpr int nesting = 16;
    auto at = std::ranges::upper_bound(spans, t, {}, [](const T& s) { return s.span.begin; });
    for (int i = 0; i < nesting && at != spans.begin(); ++i)
        if ((--at)->span.contains(t)) return &*at;
    return nullptr;
}

/// The class of a name, sought once.
class ClassOfNames {
public:
    template <class Find>
    std::optional<WorkClass> of(const Trace& trace, NameId id, const Find& find) {
        if (sought_.empty()) sought_.resize(trace.names.size());
        Sought& s = sought_[id];
        if (!s.done) s = {true, find(trace.name(id))};
        return s.cls;
    }

private:
    struct Sought {
        bool done = false;
        std::optional<WorkClass> cls;
    };
    std::vector<Sought> sought_;
};

class Digester {
public:
    Digester(const Trace& trace, const CancelToken& cancel) : trace_(trace), cancel_(cancel) {}

    Digest run() {
        // In this order, and no further once somebody cancels: what is missing then is empty.
        constexpr void (Digester::*parts[])() = {
            &Digester::find_operators,  &Digester::find_launches, &Digester::find_steps, &Digester::assign_kernels,
            &Digester::make_operations, &Digester::find_streams,  &Digester::account,    &Digester::sort_unknown};
        for (const auto part : parts) {
            if (cancel_.cancelled()) break;
            (this->*part)();
        }
        return std::move(result_);
    }

private:
    /// Drops the operators that do not last until `end`, and those of other threads.
    void close(std::vector<std::size_t>& open, NameId thread, std::int64_t end) const {
        while (!open.empty() &&
               (trace_.operators[open.back()].thread != thread || trace_.operators[open.back()].span.end() < end))
            open.pop_back();
    }

    /// What an operator is, or takes over from the one that encloses it: however deep they nest, each is seen once.
    void find_operators() {
        operators_.resize(trace_.operators.size());
        std::vector<std::size_t> open;
        for (std::size_t i = 0; i < trace_.operators.size(); ++i) {
            const CpuEvent& e = trace_.operators[i];
            close(open, e.thread, e.span.end());
            KnownOperator& o = operators_[i];
            if (!open.empty()) o = operators_[open.back()];
            if (const auto cls = operator_classes_.of(trace_, e.name, class_of_operator)) o.cls = cls;
            o.backward = o.backward || trace_.name(e.name).starts_with("autograd::engine");
            open.push_back(i);
            if (e.external_id != unknown) by_id_.emplace_back(e.external_id, i);
        }
        std::ranges::sort(by_id_);
    }

    /// The innermost operator of its thread around the beginning of each call.
    void find_launches() {
        const auto key = [](const auto& e) { return std::pair(e.thread, e.span.begin); };
        std::vector<std::uint32_t> calls(trace_.calls.size());
        std::iota(calls.begin(), calls.end(), 0u);
        std::ranges::sort(
            calls, [&](std::uint32_t a, std::uint32_t b) { return key(trace_.calls[a]) < key(trace_.calls[b]); });
        launched_by_.resize(trace_.calls.size(), nowhere);
        std::vector<std::size_t> open;
        std::size_t next = 0;
        for (const std::uint32_t c : calls) {
            const RuntimeCall& call = trace_.calls[c];
            for (; next < trace_.operators.size() && key(trace_.operators[next]) <= key(call); ++next) {
                const CpuEvent& e = trace_.operators[next];
                close(open, e.thread, e.span.end());
                open.push_back(next);
            }
            close(open, call.thread, call.span.begin + 1);
            if (!open.empty()) launched_by_[c] = open.back();
        }
    }

    void find_steps() {
        for (const CpuEvent& a : trace_.annotations) {
            const std::string& name = trace_.name(a.name);
            if (name.starts_with(step_mark)) {
                Step step;
                step.name = name;
                step.span = a.span;
                result_.steps.push_back(std::move(step));
            } else if (const auto mark = phase_mark(name)) {
                (mark->by_person ? phases_ : guesses_).push_back({a.span, *mark});
            }
        }
        const auto by_begin = [](const auto& a, const auto& b) { return a.span.begin < b.span.begin; };
        std::ranges::stable_sort(result_.steps, by_begin);
        std::ranges::stable_sort(phases_, by_begin);
        std::ranges::stable_sort(guesses_, by_begin);
        result_.named_phases = !phases_.empty();
        if (!result_.steps.empty()) return;
        Step whole;
        whole.name = "the recording";
        std::int64_t first = trace_.kernels.front().span.begin, last = first;
        const auto reach = [&](const Span& s) {
            first = std::min(first, s.begin);
            last = std::max(last, s.end());
        };
        for (const auto& k : trace_.kernels) reach(k.span);
        for (const auto& m : trace_.memory) reach(m.span);
        for (const auto& o : trace_.operators) reach(o.span);
        for (const auto& c : trace_.calls) reach(c.span);
        whole.span = {first, last - first + 1};
        result_.steps.push_back(std::move(whole));
    }

    const RuntimeCall* call_of(std::int64_t correlation) const {
        if (correlation == unknown) return nullptr;
        const auto at = std::ranges::lower_bound(trace_.calls, correlation, {}, &RuntimeCall::correlation);
        return at != trace_.calls.end() && at->correlation == correlation ? &*at : nullptr;
    }

    template <class Event>
    std::size_t operator_of(const Event& e, const RuntimeCall* call) const {
        for (const std::int64_t id : {e.external_id, call ? call->external_id : unknown}) {
            if (id <= 0) continue;
            const auto found = std::ranges::lower_bound(by_id_, std::pair(id, std::size_t{0}));
            if (found != by_id_.end() && found->first == id) return found->second;
        }
        return call ? launched_by_[static_cast<std::size_t>(call - trace_.calls.data())] : nowhere;
    }

    std::int64_t step_at(std::int64_t t) const {
        const Step* step = containing(result_.steps, t);
        return step ? step - result_.steps.data() : unknown;
    }

    /// When somebody asked for it, on the CPU.
    template <class Event>
    std::int64_t asked(const Event& e, const RuntimeCall* call, std::size_t op) const {
        if (call) return call->span.begin;
        return op != nowhere ? trace_.operators[op].span.begin : e.span.begin;
    }

    struct Assigned {
        std::uint32_t kernel;
        std::size_t op;
        std::int64_t asked;
    };

    void assign_kernels() {
        assigned_.reserve(trace_.kernels.size());
        for (std::uint32_t i = 0; i < trace_.kernels.size(); ++i) {
            const KernelEvent& k = trace_.kernels[i];
            const RuntimeCall* call = call_of(k.correlation);
            const std::size_t op = operator_of(k, call);
            assigned_.push_back({i, op, asked(k, call, op)});
        }
        // Kernels of one operator stand together, in the order they ran; one without operator is an operation of its
        // own.
        std::ranges::stable_sort(assigned_, [&](const Assigned& a, const Assigned& b) {
            return std::tuple(began(a), a.op) < std::tuple(began(b), b.op);
        });
    }
    std::int64_t began(const Assigned& a) const {
        return a.op != nowhere ? trace_.operators[a.op].span.begin : a.asked;
    }

    WorkClass class_of(std::size_t op, NameId kernel) {
        if (communicates(trace_.name(kernel))) return WorkClass::communication;
        if (op != nowhere && operators_[op].cls) return *operators_[op].cls;
        return *kernel_classes_.of(trace_, kernel, class_of_kernel);
    }

    void count_unknown(const KernelEvent& k) {
        UnknownKernel& unknown_kernel = unknown_[k.name];
        unknown_kernel.name = k.name;
        ++unknown_kernel.count;
        unknown_kernel.time += k.span.length;
    }

    void sort_unknown() {
        for (const auto& entry : unknown_) result_.unknown.push_back(entry.second);
        std::ranges::stable_sort(result_.unknown, std::greater{}, &UnknownKernel::time);
    }

    Phase phase_of(std::size_t op, std::int64_t t) const {
        if (const PhaseSpan* p = containing(phases_, t)) return p->mark.phase;
        if (result_.named_phases) return Phase::other;
        if (const PhaseSpan* p = containing(guesses_, t); p && p->mark.phase == Phase::optimizer) return p->mark.phase;
        if (op == nowhere) return Phase::other;
        return operators_[op].backward ? Phase::backward : Phase::forward;
    }

    void make_operations() {
        for (std::size_t i = 0; i < assigned_.size(); ++i) {
            const Assigned& a = assigned_[i];
            const KernelEvent& k = trace_.kernels[a.kernel];
            // Compiled functions launch kernels of all kinds: each kind is an operation of its own.
            const WorkClass cls = class_of(a.op, k.name);
            if (cls == WorkClass::other) count_unknown(k);
            const bool again =
                i > 0 && a.op != nowhere && a.op == assigned_[i - 1].op && cls == result_.operations.back().cls;
            if (!again) {
                Operation o;
                o.source = a.op == nowhere ? unknown : static_cast<std::int64_t>(a.op);
                o.name = a.op == nowhere ? k.name : trace_.operators[a.op].name;
                o.cls = cls;
                o.phase = phase_of(a.op, a.asked);
                o.step = step_at(a.asked);
                o.begin = began(a);
                o.first_kernel = i;
                result_.operations.push_back(o);
            }
            Operation& o = result_.operations.back();
            ++o.kernels;
            o.kernel_time += k.span.length;
            result_.launched.push_back(a.kernel);
        }
    }

    void find_streams() {
        std::map<std::pair<std::int64_t, std::int64_t>, Stream> streams;
        const auto at = [&](const auto& e) -> Stream& {
            Stream& s = streams[{e.device, e.stream}];
            s.device = e.device;
            s.stream = e.stream;
            s.busy += e.span.length;
            return s;
        };
        for (const KernelEvent& k : trace_.kernels) {
            Stream& s = at(k);
            ++s.kernels;
            if (communicates(trace_.name(k.name))) ++s.communication_kernels;
        }
        for (const MemoryEvent& m : trace_.memory) ++at(m).memory_operations;
        for (const auto& entry : streams) result_.streams.push_back(entry.second);
    }

    void account() {
        std::vector<Intervals> computing(result_.steps.size()), communicating(result_.steps.size()),
            busy(result_.steps.size());
        for (const Operation& o : result_.operations) {
            if (o.step == unknown) {
                result_.outside += o.kernels;
                continue;
            }
            const auto s = static_cast<std::size_t>(o.step);
            Step& step = result_.steps[s];
            step.by_class[static_cast<std::size_t>(o.cls)] += o.kernel_time;
            for (const auto i : result_.kernels_of(o)) {
                const KernelEvent& k = trace_.kernels[i];
                busy[s].add(k.span);
                if (communicates(trace_.name(k.name))) {
                    ++step.communication_kernels;
                    step.communication_time += k.span.length;
                    communicating[s].add(k.span);
                } else {
                    ++step.kernels;
                    step.kernel_time += k.span.length;
                    step.by_phase[static_cast<std::size_t>(o.phase)] += k.span.length;
                    computing[s].add(k.span);
                }
            }
        }
        for (const MemoryEvent& m : trace_.memory) {
            const RuntimeCall* call = call_of(m.correlation);
            const auto place = step_at(asked(m, call, operator_of(m, call)));
            if (place == unknown) continue;
            Step& step = result_.steps[static_cast<std::size_t>(place)];
            ++step.memory_operations;
            step.memory_time += m.span.length;
            busy[static_cast<std::size_t>(place)].add(m.span);
        }
        for (std::size_t s = 0; s < result_.steps.size(); ++s) {
            busy[s].unite();
            computing[s].unite();
            communicating[s].unite();
            Step& step = result_.steps[s];
            step.device = busy[s].hull();
            step.idle = step.device.length - busy[s].length();
            step.overlapped = common_length(computing[s], communicating[s]);
            step.exposed = communicating[s].length() - step.overlapped;
        }
    }

    struct KnownOperator {
        std::optional<WorkClass> cls;  ///< by its name, else by the innermost one around it that has one
        bool backward = false;         ///< autograd's, or inside of it
    };

    const Trace& trace_;
    const CancelToken& cancel_;
    Digest result_;
    ClassOfNames operator_classes_, kernel_classes_;
    std::vector<KnownOperator> operators_;
    std::vector<std::size_t> launched_by_;                     ///< of each call: a place in Trace::operators
    std::vector<std::pair<std::int64_t, std::size_t>> by_id_;  ///< sorted: the first operator with an id counts
    std::vector<PhaseSpan> phases_, guesses_;
    std::vector<Assigned> assigned_;
    std::map<NameId, UnknownKernel> unknown_;
};

}  // namespace

std::string_view name_of(Phase phase) { return one_of(phase, "forward", "backward", "optimizer", "other"); }

Digest digest(const Trace& trace, const CancelToken& cancel) { return Digester(trace, cancel).run(); }

Problems unknown_kernels(const Trace& trace, const Digest& digest) {
    constexpr std::size_t shown = 3, shown_bytes = 60;
    if (digest.unknown.empty()) return {};
    std::size_t count = 0;
    std::int64_t time = 0, all = 0;
    std::string names;
    for (std::size_t i = 0; i < digest.unknown.size(); ++i) {
        const UnknownKernel& u = digest.unknown[i];
        count += u.count;
        time += u.time;
        if (i >= shown) continue;
        const std::string& name = trace.name(u.name);
        names += (i ? ", " : "") + name.substr(0, shown_bytes) + (name.size() > shown_bytes ? "\u2026" : "");
    }
    for (const KernelEvent& k : trace.kernels) all += k.span.length;
    const Fraction share{all > 0 ? static_cast<double>(time) / static_cast<double>(all) : 0.0};
    return {make_warning(format_count(static_cast<std::int64_t>(count)) +
                             (count == 1 ? " kernel has a name that is" : " kernels have names that are") +
                             " not known here, with " + format_percent(share) + " of the kernel time: " + names +
                             (digest.unknown.size() > shown ? ", \u2026" : "") + ".",
                         "Their class is \"other\", and their time on another GPU goes by wave scaling.",
                         {trace.file, 0, 0})};
}

}  // namespace scalescope::kineto
