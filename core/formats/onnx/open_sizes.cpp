// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/onnx/reading.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "core/base/limits.hpp"

namespace scalescope::formats::onnx {
namespace {

/// Sizes to compare with: half as much again, which whatever divides the likely size divides too, in most networks; the
/// double, for images that are halved often; half, where there is a longest one.
std::vector<std::int64_t> other_sizes(std::int64_t n) {
    if (n < 4) return {n + 1};
    return {n + n / 2, 2 * n, n / 2};
}
/// And to look whether what was found holds.
std::vector<std::int64_t> further_sizes(std::int64_t n) {
    if (n < 4) return {n + 2};
    return {3 * n, n + n / 4, n - n / 4};
}

bool same_but_sizes(const Layer& a, const Layer& b) {
    if (a.id != b.id || a.name != b.name || a.kind != b.kind || a.inputs != b.inputs ||
        a.shares_weights_with != b.shares_weights_with)
        return false;
    for (std::size_t i = 0; i < a.attributes.size(); ++i) {
        const auto *x = std::get_if<std::vector<Dim>>(&a.attributes[i]),
                   *y = std::get_if<std::vector<Dim>>(&b.attributes[i]);
        if (x && y ? x->size() != y->size() : !(a.attributes[i] == b.attributes[i])) return false;
    }
    return true;
}

bool same_layers(const NetworkDraft& a, const NetworkDraft& b) {
    return std::ranges::equal(a.layers, b.layers, same_but_sizes);
}

/// Lets the dimensions of `draft`, read at `from`, be the symbol where they are in proportion to it: `other` was read
/// at `to`. False if one of them is otherwise.
bool follow(NetworkDraft& draft, const NetworkDraft& base, const NetworkDraft& other, const std::string& symbol,
            std::int64_t from, std::int64_t to) {
    if (!same_layers(base, other)) return false;
    for (std::size_t l = 0; l < base.layers.size(); ++l)
        for (std::size_t a = 0; a < base.layers[l].attributes.size(); ++a) {
            const auto* before = std::get_if<std::vector<Dim>>(&base.layers[l].attributes[a]);
            if (!before) continue;
            const auto& after = std::get<std::vector<Dim>>(other.layers[l].attributes[a]);
            auto& dims = std::get<std::vector<Dim>>(draft.layers[l].attributes[a]);
            for (std::size_t d = 0; d < dims.size(); ++d) {
                const std::int64_t was = (*before)[d].factor, is = after[d].factor;
                if (was == is) continue;
                if (!dims[d].symbol.empty() || was % from != 0 || is % to != 0 || was / from != is / to) return false;
                dims[d] = Dim{was / from, symbol};
            }
        }
    return true;
}

bool same_work(const Network& a, const Network& b) {
    return std::ranges::equal(a.facts(), b.facts(), [](const LayerFacts& x, const LayerFacts& y) {
        return x.output == y.output && x.weights == y.weights && x.multiply_adds == y.multiply_adds;
    });
}

std::vector<Binding> taken_at(const Reading& reading) {
    std::vector<Binding> sizes = reading.following;
    for (const Symbol& s : reading.open) sizes.push_back({s.name, s.initial});
    return sizes;
}

/// The model, to be read again at other sizes.
class ModelSource : public NetworkSource, public std::enable_shared_from_this<ModelSource> {
public:
    ModelSource(std::shared_ptr<const Model> model, std::string file, const Reading& first, std::vector<Symbol> symbols)
        : model_(std::move(model)),
          file_(std::move(file)),
          symbols_(std::move(symbols)),
          taken_(taken_at(first)),
          batch_(first.batch),
          shortened_(first.shortened) {
        for (const Layer& l : first.draft.layers) {
            ids_.emplace(l.name, l.id);
            last_ = std::max(last_, l.id.value);
        }
    }

    Result<NetworkDraft> at(std::span<const Binding> sizes) const override {
        auto reading = read_at(*model_, file_, overlaid(taken_, sizes), batch_, {});
        if (!reading) {
            for (Problem& p : reading.error())
                p.remedy = "Choose other sizes; with these the operators of the file do not fit together.";
            return tl::unexpected(std::move(reading.error()));
        }
        if (reading->shortened > shortened_)
            return fail(make_error("A loop would go round more often than this program carries out.",
                                   "Choose smaller sizes.", {file_, 0, 0}));
        NetworkDraft draft = std::move(reading->draft);
        keep_ids(draft);
        put_symbols(draft, sizes);
        return draft;
    }

    void put_symbols(NetworkDraft& draft, std::span<const Binding> sizes) const {
        for (Symbol s : symbols_) {
            for (const Binding& b : sizes)
                if (b.symbol == s.name) s.initial = b.value;
            draft.symbols.push_back(std::move(s));
        }
        draft.remade_by = shared_from_this();
    }

private:
    void keep_ids(NetworkDraft& draft) const {
        std::map<LayerId, LayerId> now;
        std::uint32_t last = last_;
        for (Layer& l : draft.layers) {
            const auto it = ids_.find(l.name);
            const LayerId id = it == ids_.end() ? LayerId{++last} : it->second;
            now.emplace(l.id, id);
            l.id = id;
        }
        for (Layer& l : draft.layers) {
            for (LayerId& in : l.inputs) in = now.at(in);
            if (l.shares_weights_with != LayerId{}) l.shares_weights_with = now.at(l.shares_weights_with);
        }
    }

    std::shared_ptr<const Model> model_;
    std::string file_;
    std::vector<Symbol> symbols_;
    std::vector<Binding> taken_;  ///< sizes of the first reading
    std::int64_t batch_;
    std::size_t shortened_;
    std::map<std::string, LayerId, std::less<>> ids_;
    std::uint32_t last_ = 0;
};

class Opener {
public:
    Opener(Reading& base, std::shared_ptr<const Model> model, const std::string& file, std::span<const Binding> given,
           const Watch& watch)
        : base_(base), model_(std::move(model)), file_(file), given_(given), watch_(watch) {
        // A model is read again a few times; a very large one, or one with very many open sizes, not for all of them.
        constexpr std::size_t most_layers = 500'000, most_times = 40;
        times_left_ = std::min(most_times, most_layers / std::max<std::size_t>(base.draft.layers.size(), 1));
    }

    void open() {
        std::vector<Symbol> symbols;
        NetworkDraft merged = base_.draft;
        bool follows = true;
        for (const Symbol& s : base_.open) {
            if (watch_.cancel.cancelled()) return;
            std::optional<Reading> other;
            std::int64_t to = s.initial;
            for (const std::int64_t size : other_sizes(s.initial)) {
                if (times_left_ < further_sizes(s.initial).size() + 1) break;
                auto read = at({{s.name, size}});
                if (!read || read->shortened > base_.shortened) continue;
                other = std::move(*read);
                to = size;
                break;
            }
            if (!other && is_given(given_, s)) {
                follows = false;
                symbols.push_back(s);
                continue;
            }
            if (!other) {
                warn(s,
                     "The file leaves " + formats::quoted(s.name) + " open; " + std::to_string(s.initial) +
                         (times_left_ > further_sizes(s.initial).size()
                              ? " is taken, as no other size was found that fits."
                              : " is taken, as the model is too large to look for others."),
                     "Export the model for the size you want if it is another.");
                continue;
            }
            follows = follows && follow(merged, base_.draft, other->draft, s.name, s.initial, to);
            symbols.push_back(s);
        }
        if (symbols.empty()) return;
        for (const Symbol& s : symbols) merged.symbols.push_back(s);
        follows = follows && holds(merged, symbols);
        for (const Symbol& s : symbols) {
            if (is_given(given_, s)) continue;
            warn(s,
                 "The file leaves " + formats::quoted(s.name) + " open; it is " + std::to_string(s.initial) +
                     " until you set another.",
                 "Set symbols." + s.name + ", in the window among the sizes of the network" +
                     (follows ? "." : "; it is a number in what you save or edit, as the layers depend on it."));
        }
        if (follows)
            base_.draft = std::move(merged);
        else
            std::make_shared<const ModelSource>(model_, file_, base_, symbols)->put_symbols(base_.draft, {});
    }

private:
    Result<Reading> at(const std::vector<Binding>& sizes) {
        if (times_left_ > 0) --times_left_;
        return read_at(*model_, file_, overlaid(taken_at(base_), sizes), base_.batch, {{}, watch_.cancel});
    }

    /// Whether the draft is what the file is, all sizes being others.
    bool holds(const NetworkDraft& draft, const std::vector<Symbol>& symbols) {
        for (std::size_t way = 0; way < further_sizes(1000).size(); ++way) {
            std::vector<Binding> sizes;
            for (const Symbol& s : symbols) {
                const auto all = further_sizes(s.initial);
                sizes.push_back({s.name, all[std::min(way, all.size() - 1)]});
            }
            auto other = at(sizes);
            if (!other) continue;
            if (!same_layers(base_.draft, other->draft)) return false;
            const auto read = Network::make(std::move(other->draft)), bound = Network::make(draft, sizes);
            return read && bound && same_work(**read, **bound);
        }
        return false;
    }

    void warn(const Symbol& s, std::string what, std::string remedy) {
        base_.warnings.push_back(make_warning(std::move(what), std::move(remedy), {file_, 0, 0}, s.name));
    }

    Reading& base_;
    std::shared_ptr<const Model> model_;
    const std::string& file_;
    std::span<const Binding> given_;
    const Watch& watch_;
    std::size_t times_left_ = 0;  ///< that the model is read again
};

}  // namespace

void open_sizes(Reading& base, std::shared_ptr<const Model> model, const std::string& file,
                std::span<const Binding> given, const Watch& watch) {
    if (!base.open.empty()) Opener(base, std::move(model), file, given, watch).open();
}

}  // namespace scalescope::formats::onnx
