// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/base/limits.hpp"
#include "core/base/listed.hpp"
#include "core/base/name_list.hpp"
#include "core/formats/onnx/reading.hpp"

namespace scalescope::formats::onnx {
namespace {

/// A number at an operator's inputs that would have to be another one for the operator to fit: the length of an axis,
/// or the count of all elements.
struct Mismatch {
    static constexpr int all_elements = -1;

    std::size_t input = 0;
    int axis = all_elements;
    std::int64_t is = 0, wanted = 0;
    bool stored = false;  ///< the wanted number is one of the weights
    bool batch = false;   ///< the wanted number is the batch: it doubles with it
};

/// Operators that read an axis of their data, the first input, with an axis of a weight.
struct Reads {
    std::string_view ops;
    std::size_t data_axis, weight, weight_axis;
};
constexpr Reads reads_channels[] = {{"Conv FusedConv ConvInteger", 1, 1, 1},
                                    {"QLinearConv", 1, 3, 1},
                                    {"ConvTranspose BatchNormalization", 1, 1, 0},
                                    {"LSTM GRU RNN", 2, 1, 2}};

class Comparison {
public:
    Comparison(const Trace& trace, const Item& item) : trace_(trace), item_(item) {}

    std::vector<Mismatch> all() {
        const std::string& op = item_.node->op;
        if (is_among(op, "MatMul MatMulInteger")) return product(false, false);
        if (is_among(op, "Gemm FusedGemm")) return product(turned("transA"), turned("transB"));
        if (op == "Reshape") return reshape();
        if (op == "Concat") return joined();
        if (is_among(op, "LSTM GRU RNN")) {
            const std::size_t batch = turned("layout") ? 0 : 1;
            for (const std::size_t state : {std::size_t{5}, std::size_t{6}}) compare(state, batch, 0, batch);
        }
        for (const Reads& r : reads_channels)
            if (is_among(op, r.ops)) {
                const std::int64_t groups = item_.node->said("group").integer;
                compare(0, r.data_axis, r.weight, r.weight_axis, std::max<std::int64_t>(groups, 1));
                return done();
            }
        if (found_.empty()) broadcast(0);
        return done();
    }

private:
    const Value* value(std::size_t i) const {
        if (i >= item_.inputs.size() || item_.inputs[i] < 0) return nullptr;
        const Value& v = trace_.tensors[static_cast<std::size_t>(item_.inputs[i])].base();
        return v.ranked ? &v : nullptr;
    }
    bool is_stored(std::size_t i) const { return trace_.tensors[static_cast<std::size_t>(item_.inputs[i])].stored; }
    bool turned(std::string_view attribute) const { return item_.node->said(attribute).integer != 0; }

    /// `axis` of input `i`, which the data decide, should be `times` what `other_axis` of input `other` is.
    void compare(std::size_t i, std::size_t axis, std::size_t other, std::size_t other_axis, std::int64_t times = 1) {
        const Value *v = value(i), *o = value(other);
        if (!v || !o || axis >= v->dims.size() || other_axis >= o->dims.size() || is_stored(i)) return;
        const std::int64_t is = v->dims[axis], wanted = o->dims[other_axis];
        if (is < 1 || wanted < 1 || wanted > limits::dimension / times || is == wanted * times) return;
        Mismatch m{i, static_cast<int>(axis), is, wanted * times, is_stored(other), false};
        m.batch = trace_.axis(item_.inputs[other], 1) == static_cast<int>(other_axis);
        found_.push_back(m);
    }

    /// Axes are compared from the last, without the last `apart`; 1 fits everything.
    void broadcast(std::size_t apart) {
        for (std::size_t i = 0; i < item_.inputs.size(); ++i)
            for (std::size_t k = 0; k < item_.inputs.size(); ++k) {
                const Value *a = value(i), *b = value(k);
                if (i == k || !a || !b) continue;
                for (std::size_t back = apart + 1; back <= std::min(a->dims.size(), b->dims.size()); ++back) {
                    const std::size_t x = a->dims.size() - back, y = b->dims.size() - back;
                    if (a->dims[x] != 1 && b->dims[y] != 1) compare(i, x, k, y);
                }
            }
    }

    std::vector<Mismatch> product(bool a_turned, bool b_turned) {
        const Value *a = value(0), *b = value(1);
        if (!a || !b || a->dims.empty() || b->dims.empty()) return {};
        const std::size_t rows = b->dims.size() < 2 ? 0 : b->dims.size() - (b_turned ? 1 : 2);
        const std::size_t columns = a->dims.size() - (a_turned && a->dims.size() > 1 ? 2 : 1);
        compare(0, columns, 1, rows);
        compare(1, rows, 0, columns);
        if (found_.empty()) broadcast(2);
        return done();
    }

    /// The number of elements must be that of a fixed target shape.
    std::vector<Mismatch> reshape() {
        const Value *v = value(0), *shape = value(1);
        if (!v || !shape || !shape->known || is_stored(0) || v->count() < 1) return {};
        std::int64_t wanted = 1;
        for (std::size_t i = 0; i < shape->whole.size(); ++i) {
            std::int64_t n = shape->whole[i];
            if (n == 0 && !turned("allowzero") && i < v->dims.size()) n = v->dims[i];
            if (n < 1 || __builtin_mul_overflow(wanted, n, &wanted)) return {};
        }
        return {{0, Mismatch::all_elements, v->count(), wanted, is_stored(1), false}};
    }

    std::vector<Mismatch> joined() {
        const Value* first = value(0);
        if (!first) return {};
        const auto axis = axis_of(item_.node->said("axis").integer, first->dims.size());
        for (std::size_t i = 0; i < item_.inputs.size(); ++i)
            for (std::size_t a = 0; a < first->dims.size(); ++a) {
                if (axis == a) continue;
                compare(i, a, 0, a);
                compare(0, a, i, a);
            }
        return done();
    }

    std::vector<Mismatch> done() {
        std::ranges::stable_sort(found_, [](const Mismatch& a, const Mismatch& b) { return a.stored && !b.stored; });
        return std::move(found_);
    }

    const Trace& trace_;
    const Item& item_;
    std::vector<Mismatch> found_;
};

/// Functions are called anew on every run, so that their nodes are others.
bool same_operator(const Item& a, const Item& b) {
    return a.node == b.node || (a.path == b.path && a.node->number == b.node->number && a.node->op == b.node->op &&
                                a.node->outputs == b.node->outputs);
}

/// What does not fit at an operator that was refused, by what the operator does: a table of positions says how many
/// positions there are, a filter says how many channels. Weights first. Nothing of operators whose inputs fit together
/// by other rules.
std::vector<Mismatch> mismatches(const Trace& trace, const Item& refused) { return Comparison(trace, refused).all(); }

/// The same number on another run of the model: the operator may be refused there or not. Nothing if it was not
/// reached.
std::optional<std::int64_t> value_at(const Trace& trace, const Item& refused, const Mismatch& mismatch) {
    for (const auto* items : {&trace.refused, &trace.items})
        for (const Item& item : *items) {
            if (!same_operator(item, refused)) continue;
            if (mismatch.input >= item.inputs.size() || item.inputs[mismatch.input] < 0) return std::nullopt;
            const Value& v = trace.tensors[static_cast<std::size_t>(item.inputs[mismatch.input])].base();
            const bool all = mismatch.axis == Mismatch::all_elements;
            if (!v.ranked || (!all && static_cast<std::size_t>(mismatch.axis) >= v.dims.size())) return std::nullopt;
            const std::int64_t n = all ? v.count() : v.dims[static_cast<std::size_t>(mismatch.axis)];
            if (n < 1) return std::nullopt;
            return n;
        }
    return std::nullopt;
}

/// Usual sizes of images, sequences and audio, most common first. 1 is not among them: broadcasting lets it fit almost
/// any model.
constexpr std::array<std::int64_t, 23> usual_sizes{224, 256, 512, 32,  64,  28,  299,  320, 384,  416,  448,  640,
                                                   96,  128, 192, 576, 227, 300, 1024, 480, 2048, 4096, 16000};
constexpr std::array<std::int64_t, 1> last_resort{1};

class Fitting {
public:
    Fitting(const Model& model, const std::string& file, std::span<const Binding> given, const Watch& watch)
        : model_(model), file_(file), given_(given.begin(), given.end()), watch_(watch) {}

    Result<Reading> read() {
        Traced first = traced(two, given_);
        if (first.fits()) return finished(std::move(first));
        const std::vector<Symbol> open = first.plan.open;
        const bool fixed_batch = first.plan.fixed_batch, named_batch = first.plan.named_batch;
        Problems problems = first.problems.all();
        // An open size may be the batch under another name.
        Attempt start{two, given_, std::move(first)};
        while (!start.best.fits() && derived(start, true)) {
        }
        if (start.best.fits()) return finished(std::move(start.best));
        // Where two samples do not fit, it may be made for one; or the open dimension is time.
        std::vector<std::int64_t> others;
        if (!fixed_batch) others = named_batch ? std::vector{one, none} : std::vector{none, one};
        std::vector<Attempt> attempts;
        attempts.push_back(std::move(start));
        for (const std::int64_t batch : others) {
            if (watch_.cancel.cancelled()) break;
            attempts.push_back({batch, given_, traced(batch, given_)});
            if (attempts.back().best.fits()) return finished(std::move(attempts.back().best));
        }
        for (const bool as_last_resort : {false, true})
            for (Attempt& attempt : attempts) {
                budget_ = Budget{};
                if (search(attempt, as_last_resort)) return finished(std::move(attempt.best), as_last_resort);
            }
        return refused(open, std::move(problems));
    }

private:
    static constexpr std::int64_t two = 2, one = 1, none = 0;  ///< samples; 2 first, as 1 fits everything
    static constexpr double half = 0.5;

    /// What was found with a batch, until all operators fit.
    struct Attempt {
        std::int64_t batch;
        std::vector<Binding> sizes;
        Traced best;
    };
    /// A model is carried out again and again; a very large one not as often.
    struct Budget {
        std::size_t times = 300, operators = 400'000;
        bool spent() const { return times == 0 || operators == 0; }
    };

    Traced traced(std::int64_t batch, const std::vector<Binding>& sizes) {
        Traced t = trace_at(model_, file_, sizes, batch, {watch_.progress.part(0, half), watch_.cancel});
        budget_.times -= budget_.times > 0;
        budget_.operators -= std::min(budget_.operators, t.trace.items.size() + t.trace.refused.size());
        return t;
    }
    bool given_up() const { return budget_.spent() || watch_.cancel.cancelled(); }

    /// The sizes of `attempt`, with `size` for all of `group`.
    static std::vector<Binding> with(const Attempt& attempt, std::span<const Symbol> group, std::int64_t size) {
        std::vector<Binding> other;
        for (const Symbol& s : group) other.push_back({s.name, size});
        return overlaid(attempt.sizes, other);
    }

    Result<Reading> finished(Traced t, bool as_last_resort = false) {
        const bool of_one = t.batch == one && !t.plan.fixed_batch;
        std::vector<std::string> ones;
        for (const Symbol& s : t.plan.open)
            if (as_last_resort && s.initial == 1 && !is_given(given_, s)) ones.push_back(s.name);
        auto reading = converted(std::move(t), model_, file_, {watch_.progress.part(half, 1), watch_.cancel});
        if (reading && of_one)
            reading->warnings.push_back(
                make_warning("The file leaves the batch open, but its operators fit together only for one "
                             "sample; the layers are those of one sample, and a batch is many of them.",
                             "Export the model with a batch above 1 to be sure.", {file_, 0, 0}));
        if (reading && !ones.empty())
            reading->warnings.push_back(
                make_warning("The operators of the file fit together only with a size of 1 (" + listed(ones) +
                                 "), which is probably smaller than what the model is made for.",
                             "Set the size that the model is made for, or export it with fixed sizes.", {file_, 0, 0}));
        return reading;
    }

    using Groups = std::vector<std::vector<Symbol>>;

    /// Sizes that may be changed together: each, or those that were taken for alike, as an image's sides.
    Groups changeable(const Plan& plan, bool together) const {
        Groups groups;
        for (const Symbol& s : plan.open) {
            if (is_given(given_, s)) continue;
            const auto alike =
                std::ranges::find_if(groups, [&](const auto& g) { return together && g.front().initial == s.initial; });
            if (alike == groups.end())
                groups.push_back({s});
            else
                alike->push_back(s);
        }
        return groups;
    }

    /// What stands at the first operator that does not fit; small sizes of data fit by broadcasting, and mean nothing.
    static std::vector<std::int64_t> suggested(const Trace& trace) {
        constexpr std::size_t most = 24;
        std::vector<std::int64_t> all;
        const auto add = [&](std::int64_t n, bool stored) {
            if (n > (stored ? 1 : 2) && n <= limits::dimension && std::ranges::find(all, n) == all.end())
                all.push_back(n);
        };
        if (!trace.refused.empty()) {
            const Item& item = trace.refused.front();
            const std::int64_t groups = item.node->said("group").integer;
            for (const int i : item.inputs) {
                if (i < 0 || all.size() >= most) continue;
                const Slot& slot = trace.tensors[static_cast<std::size_t>(i)];
                const Value& v = slot.base();
                for (const std::int64_t d : v.dims) add(d, slot.stored);
                if (groups > 0 && v.rank() > 1 && v.dims[1] <= limits::dimension / groups)
                    add(v.dims[1] * groups, slot.stored);
                for (std::size_t n = 0; n < v.whole.size() && v.rank() == 1 && n < most; ++n)
                    add(v.whole[n], slot.stored);
            }
        }
        return all;
    }

    /// Changes one size after the other as long as more operators fit. False if not all of them do in the end.
    bool search(Attempt& attempt, bool as_last_resort) {
        while (!attempt.best.fits())
            if (!derived(attempt) && !tried(attempt, as_last_resort)) return false;
        return true;
    }

    /// Takes other sizes if more operators fit with them.
    bool take(Attempt& attempt, std::vector<Binding> sizes) {
        Traced t = traced(attempt.batch, sizes);
        if (!t.fits() && t.trace.items.size() <= attempt.best.trace.items.size()) return false;
        attempt.sizes = std::move(sizes);
        attempt.best = std::move(t);
        return true;
    }

    /// Sizes that follow from what does not fit at the first operator that does not.
    bool derived(Attempt& attempt, bool only_batch = false) {
        if (attempt.best.trace.refused.empty()) return false;
        const Trace& trace = attempt.best.trace;
        const Item& refused = trace.refused.front();
        auto wrong = mismatches(trace, refused);
        if (only_batch) std::erase_if(wrong, [](const Mismatch& m) { return !m.batch; });
        if (wrong.empty()) return false;
        // Which sizes decide which of the numbers.
        std::vector<std::vector<Symbol>> deciding(wrong.size());
        for (const Symbol& s : attempt.best.plan.open) {
            if (is_given(given_, s) || s.initial > limits::dimension / 2) continue;
            if (given_up()) return false;
            const Traced t = traced(attempt.batch, with(attempt, std::span(&s, 1), 2 * s.initial));
            for (std::size_t m = 0; m < wrong.size(); ++m)
                if (const auto n = value_at(t.trace, refused, wrong[m]); n && *n != wrong[m].is)
                    deciding[m].push_back(s);
        }
        for (std::size_t m = 0; m < wrong.size(); ++m) {
            if (wrong[m].batch && attempt.batch != none) {
                for (const Symbol& s : deciding[m])
                    if (s.initial == wrong[m].is && take(attempt, with(attempt, std::span(&s, 1), follows_batch)))
                        return true;
                continue;
            }
            // Sizes that were taken for alike, as an image's sides, stay alike where they can.
            if (deciding[m].empty()) continue;
            Groups groups(1);
            for (const Symbol& s : deciding[m])
                if (s.initial == deciding[m].front().initial) groups.front().push_back(s);
            if (groups.front().size() == 1) groups.clear();
            for (const Symbol& s : deciding[m]) groups.push_back({s});
            for (const auto& group : groups)
                if (const auto size = size_for(attempt, group, refused, wrong[m]))
                    if (take(attempt, with(attempt, group, *size))) return true;
        }
        return false;
    }

    /// The size of `group` at which the number is what it must be; it grows with the size.
    std::optional<std::int64_t> size_for(const Attempt& attempt, const std::vector<Symbol>& group, const Item& refused,
                                         const Mismatch& wrong) {
        const std::int64_t now = group.front().initial;
        // −1, 0, 1: less than, just as, more than wanted. What is so small or large that the operator is not reached
        // is too small or too large.
        const auto compared = [&](std::int64_t size) {
            const Traced t = traced(attempt.batch, with(attempt, group, size));
            const auto n = value_at(t.trace, refused, wrong);
            if (!n) return size < now ? -1 : 1;
            return *n < wrong.wanted ? -1 : *n > wrong.wanted ? 1 : 0;
        };
        std::int64_t below = now, above = now;  // less than wanted; not less
        if (wrong.is < wrong.wanted) {
            do {
                below = above;
                if (above > limits::dimension / 2 || given_up()) return std::nullopt;
                above *= 2;
            } while (compared(above) < 0);
        } else {
            do {
                above = below;
                if (given_up()) return std::nullopt;
                below /= 2;
            } while (below > 0 && compared(below) >= 0);
        }
        while (above - below > 1) {
            if (given_up()) return std::nullopt;
            const std::int64_t middle = below + (above - below) / 2;
            (compared(middle) < 0 ? below : above) = middle;
        }
        const std::int64_t first = above;
        if (compared(first) != 0) return std::nullopt;
        // Steps of windows and patches let several sizes give the same number.
        std::int64_t last = first, beyond = first + 1;
        while (beyond <= limits::dimension && beyond <= 2 * first && !given_up() && compared(beyond) == 0) {
            last = beyond;
            beyond = first + 2 * (beyond - first);
        }
        while (beyond - last > 1 && !given_up()) {
            const std::int64_t middle = last + (beyond - last) / 2;
            (compared(middle) == 0 ? last : beyond) = middle;
        }
        // With padding a step counts up to its last element (3000 frames in steps of 2), without from its first one (37
        // patches of 14 pixels).
        const std::int64_t step = last - first + 1;
        return last % step == 0 ? last : first;
    }

    /// Sizes that may fit.
    bool tried(Attempt& attempt, bool as_last_resort) {
        const auto sizes_there = suggested(attempt.best.trace);
        const Groups each = changeable(attempt.best.plan, false), alike = changeable(attempt.best.plan, true);
        using Way = std::pair<std::span<const std::int64_t>, const Groups*>;
        // A tensor in the file decides one size. A default is used for both sides of an image.
        std::vector<Way> ways;
        if (as_last_resort)
            ways = {{last_resort, &alike}, {last_resort, &each}};
        else
            ways = {{sizes_there, &each}, {usual_sizes, &alike}, {usual_sizes, &each}};
        for (const auto& [all, groups] : ways)
            for (const std::int64_t size : all)
                for (const auto& group : *groups) {
                    if (std::ranges::all_of(group, [&](const Symbol& s) { return s.initial == size; })) continue;
                    if (given_up()) return false;
                    if (take(attempt, with(attempt, group, size))) return true;
                }
        return false;
    }

    /// The problems, with the sizes assumed where none were given.
    Result<Reading> refused(const std::vector<Symbol>& open, Problems problems) {
        std::vector<std::string> sizes;
        for (const Symbol& s : open)
            if (!is_given(given_, s)) sizes.push_back(s.name);
        if (!sizes.empty())
            problems.insert(
                problems.begin(),
                make_error("The file leaves sizes open (" + listed(sizes) +
                               "), and none were found at which its operators fit together.",
                           "Export the model with fixed sizes, or open a scenario file that names the model and, under "
                           "\"symbols\", the sizes it is made for.",
                           {file_, 0, 0}, join_path("symbols", sizes.front())));
        if (problems.size() > limits::problems) problems.resize(limits::problems);
        return fail(std::move(problems));
    }

    const Model& model_;
    const std::string& file_;
    const std::vector<Binding> given_;
    const Watch& watch_;
    Budget budget_;
};

}  // namespace

Result<Reading> read_fitting(const Model& model, const std::string& file, std::span<const Binding> given,
                             const Watch& watch) {
    return Fitting(model, file, given, watch).read();
}

}  // namespace scalescope::formats::onnx
