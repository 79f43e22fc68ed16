// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/onnx/fitting_sizes.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/base/limits.hpp"

namespace scalescope::formats::onnx {
namespace {

/// Usual sizes of images, sequences and audio, most common first.
constexpr std::array<std::int64_t, 24> usual_sizes{224, 256, 512, 1,   32,  64,  28,  299,  320, 384,  416,  448,
                                                   640, 96,  128, 192, 576, 227, 300, 1024, 480, 2048, 4096, 16000};

class Fitting {
public:
    Fitting(const Model& model, const std::string& file, std::span<const Binding> given, const Watch& watch)
        : model_(model), file_(file), given_(given.begin(), given.end()), watch_(watch) {}

    Result<Reading> read() {
        Traced first = traced(two, given_);
        if (first.fits()) return finished(std::move(first));
        // Where two samples do not fit, it may be made for one; or the open dimension is time.
        std::vector<std::int64_t> batches{two};
        if (!first.plan.fixed_batch)
            batches = first.plan.named_batch ? std::vector<std::int64_t>{two, one, none}
                                             : std::vector<std::int64_t>{two, none, one};
        for (std::size_t i = 1; i < batches.size() && !watch_.cancel.cancelled(); ++i)
            if (Traced t = traced(batches[i], given_); t.fits()) return finished(std::move(t));
        // A model is carried out again and again; a very large one not as often.
        constexpr std::size_t most_items = 400'000, most_times = 160;
        const std::size_t items = first.trace.items.size() + first.trace.refused.size();
        for (const std::int64_t batch : batches) {
            times_left_ = std::min(most_times, most_items / std::max<std::size_t>(items, 1));
            if (auto found = search(batch)) return finished(std::move(*found));
        }
        return refused(std::move(first));
    }

private:
    static constexpr std::int64_t two = 2, one = 1, none = 0;  ///< samples; 2 first, as 1 fits everything
    static constexpr double half = 0.5;

    Traced traced(std::int64_t batch, const std::vector<Binding>& sizes) {
        return trace_at(model_, file_, sizes, batch, {watch_.progress.part(0, half), watch_.cancel});
    }

    Result<Reading> finished(Traced t) {
        const bool of_one = t.batch == one && !t.plan.fixed_batch;
        auto reading = converted(std::move(t), model_, file_, {watch_.progress.part(half, 1), watch_.cancel});
        if (reading && of_one)
            reading->warnings.push_back({Severity::warning,
                                         "The file leaves the batch open, but its operators fit together only for one "
                                         "sample; the layers are those of one sample, and a batch is many of them.",
                                         {},
                                         "Export the model with a batch above 1 to be sure.",
                                         {file_, 0, 0}});
        return reading;
    }

    bool is_given(const Symbol& s) const {
        return std::any_of(given_.begin(), given_.end(), [&](const Binding& b) { return b.symbol == s.name; });
    }

    using Groups = std::vector<std::vector<Symbol>>;

    /// Sizes that may be changed together: each, or those that were taken for alike, as an image's sides.
    Groups changeable(const Plan& plan, bool together) const {
        Groups groups;
        for (const Symbol& s : plan.open) {
            if (is_given(s)) continue;
            const auto alike = std::find_if(groups.begin(), groups.end(),
                                            [&](const auto& g) { return together && g.front().initial == s.initial; });
            if (alike == groups.end())
                groups.push_back({s});
            else
                alike->push_back(s);
        }
        return groups;
    }

    /// What stands at the first operator that does not fit.
    static std::vector<std::int64_t> suggested(const Trace& trace) {
        constexpr std::size_t most = 24;
        std::vector<std::int64_t> all;
        const auto add = [&](std::int64_t n) {
            if (n > 0 && n <= limits::dimension && std::find(all.begin(), all.end(), n) == all.end()) all.push_back(n);
        };
        if (!trace.refused.empty()) {
            const Item& item = trace.refused.front();
            const Attribute* group = item.node->find("group");
            for (const int i : item.inputs) {
                if (i < 0 || all.size() >= most) continue;
                const Value& v = trace.tensors[static_cast<std::size_t>(i)].base();
                for (const std::int64_t d : v.dims) add(d);
                if (group && group->integer > 0 && v.rank() > 1 && v.dims[1] <= limits::dimension / group->integer)
                    add(v.dims[1] * group->integer);
                for (std::size_t n = 0; n < v.whole.size() && v.rank() == 1 && n < most; ++n) add(v.whole[n]);
            }
        }
        return all;
    }

    /// Changes one size after the other as long as more operators fit; nothing if not all of them do in the end.
    std::optional<Traced> search(std::int64_t batch) {
        std::vector<Binding> sizes = given_;
        Traced best = traced(batch, sizes);
        while (true) {
            auto next = further(best, sizes);
            if (!next || next->fits()) return next;
            best = std::move(*next);
        }
    }

    std::optional<Traced> further(const Traced& best, std::vector<Binding>& sizes) {
        const auto sizes_there = suggested(best.trace);
        const Groups each = changeable(best.plan, false), alike = changeable(best.plan, true);
        // One tensor decides one size, but what is usual is usual for both sides of an image.
        for (const auto& [all, groups] : std::array<std::pair<std::span<const std::int64_t>, const Groups*>, 3>{
                 {{sizes_there, &each}, {usual_sizes, &alike}, {usual_sizes, &each}}})
            if (auto found = further(best, sizes, all, *groups)) return found;
        return std::nullopt;
    }

    std::optional<Traced> further(const Traced& best, std::vector<Binding>& sizes, std::span<const std::int64_t> all,
                                  const Groups& groups) {
        for (const std::int64_t size : all)
            for (const auto& group : groups) {
                if (std::all_of(group.begin(), group.end(), [&](const Symbol& s) { return s.initial == size; }))
                    continue;
                if (times_left_ == 0 || watch_.cancel.cancelled()) return std::nullopt;
                --times_left_;
                std::vector<Binding> other;
                for (const Symbol& s : group) other.push_back({s.name, size});
                other = overlaid(sizes, other);
                Traced t = traced(best.batch, other);
                if (!t.fits() && t.trace.items.size() <= best.trace.items.size()) continue;
                sizes = std::move(other);
                return t;
            }
        return std::nullopt;
    }

    /// The problems, with the sizes assumed where none were given.
    Result<Reading> refused(Traced t) {
        std::string sizes, example;
        for (const Symbol& s : t.plan.open) {
            if (is_given(s)) continue;
            sizes += (sizes.empty() ? "" : ", ") + s.name;
            if (example.empty()) example = "symbols." + s.name + '=' + std::to_string(s.initial);
        }
        Problems problems = t.problems.take();
        if (!sizes.empty())
            problems.insert(
                problems.begin(),
                {Severity::error,
                 "The file leaves sizes open (" + sizes + "), and none were found at which its operators fit together.",
                 {},
                 "Give those the model is made for, such as " + example + " with --set, or export it with fixed sizes.",
                 {file_, 0, 0}});
        if (problems.size() > limits::problems) problems.resize(limits::problems);
        return fail(std::move(problems));
    }

    const Model& model_;
    const std::string& file_;
    const std::vector<Binding> given_;
    const Watch& watch_;
    std::size_t times_left_ = 0;
};

}  // namespace

Result<Reading> read_fitting(const Model& model, const std::string& file, std::span<const Binding> given,
                             const Watch& watch) {
    return Fitting(model, file, given, watch).read();
}

}  // namespace scalescope::formats::onnx
