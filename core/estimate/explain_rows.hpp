// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <type_traits>

#include "core/estimate/explain_page.hpp"
#include "core/scenario/fields.hpp"

/// Pages as data. A figure has a symbol, words, a value, what it leads to, and, if its page is in this room, the
/// formulas by which it comes about, each with the case in which it does and the notes beside it.
namespace scalescope::explaining {

struct Cpu;
std::shared_ptr<const Cpu> cpu_of(const Context&, const Item&);
struct PaleoLayer;

/// What a page is about. Functions of figures take it, or the part of a method that their room is about.
struct Ask {
    const Context& c;
    const Item& item;
    std::shared_ptr<const Cpu> cpu{};   ///< set in the room of CPU clusters
    const PaleoLayer* paleo = nullptr;  ///< set in the room of PALEO's methods

    int part() const { return item.part; }
    /// The item's layer, or the first one of those that its message is about.
    int layer() const {
        const auto& messages = c.estimate.messages;
        if (item.layer >= 0 || item.message < 0 || item.message >= std::ssize(messages)) return item.layer;
        return message().layers.empty() ? -1 : message().layers.front();
    }
    const LayerEstimate& row() const { return c.row(part(), layer()); }
    const LayerFacts& facts() const { return c.facts(part(), layer()); }
    const PassWork& work() const { return c.part(part()).work.pass[index_of(item.pass)]; }
    const MessageEstimate& message() const { return c.message(item.message); }
    const MessageEstimate& message_at(int m) const { return c.message(m); }
    const Estimate& e() const { return c.estimate; }
    const Summary& s() const { return c.estimate.summary; }
    const Scenario& scenario() const { return c.scenario; }
};

using A = const Ask&;
const Field* field_of(A, std::string_view path);
/// The page that a symbol of the item's page leads to.
Item item_of(A, const Leads&);
template <Pass pass>
constexpr auto layer_in = [](A x) {
    return Item{Topic::layer_pass, x.part(), x.layer(), pass};
};
template <Topic topic>
constexpr auto before_this = [](A x) { return of_message(topic, x.part(), x.message().before); };
template <Topic topic>
constexpr auto on_one_worker = [](A) { return Item{.topic = topic, .baseline = true}; };
inline Moves moves_of(A x) {
    return scalescope::moves_of(x.c.part(x.part()).work, x.facts(), static_cast<std::size_t>(x.layer()), x.item.pass);
}
inline constexpr auto narrow = [](A x) {
    return x.c.part(x.part()).work.is_narrow(static_cast<std::size_t>(x.layer()));
};
/// Whether the item's pass is priced by the shapes of its products, and what then stands on its page
/// (explain_products.cpp).
bool priced_by_shape(A x);
std::string products_text(A x, Page& page);
Bytes beside_products(A x);
Bytes bytes_of_products(A x);
Seconds start_of_product(A x);
inline constexpr auto roofline = [](A x) { return x.c.plan.device.overlap_memory; };
/// Recomputation keeps only inputs of blocks, or goes by modules or operators; otherwise it is that of attention.
inline constexpr auto by_modules = [](A x) {
    const Recompute r = x.c.plan.point.recompute;
    return r == Recompute::operators || modules_of(r) != 0;
};
inline constexpr auto whole_blocks = [](A x) {
    return x.c.plan.point.recompute != Recompute::attention && !by_modules(x);
};
inline bool computed_again(const Context& c, int part, int layer) {
    const auto& again = c.part(part).work.again;
    return !again.empty() && again[static_cast<std::size_t>(layer)].any();
}
inline constexpr auto staged = [](A x) { return x.c.staged(); };
inline constexpr auto hybrid = [](A x) { return x.c.hybrid(); };
/// Whether a worker reads more of a layer's input than its part of the output: rows of its neighbours, repeated heads.
inline bool reads_more(const LayerEstimate& row) {
    return (row.along == ShardAlong::image_rows || row.along == ShardAlong::heads) &&
           row.shares.inputs != row.shares.outputs;
}

/// What a function of figures or holes takes of the page.
using M = const MessageEstimate&;
using Row = const LayerEstimate&;
using Facts = const LayerFacts&;
template <class T>
const T& the(A x) {
    if constexpr (std::is_same_v<T, Ask>) return x;
    if constexpr (std::is_same_v<T, Cpu>) return *x.cpu;
    if constexpr (std::is_same_v<T, PaleoLayer>) return *x.paleo;
    if constexpr (std::is_same_v<T, Context>) return x.c;
    if constexpr (std::is_same_v<T, Estimate>) return x.e();
    if constexpr (std::is_base_of_v<T, Point>) return x.e().point;
    if constexpr (std::is_same_v<T, MemoryEstimate>) return x.e().memory;
    if constexpr (std::is_same_v<T, Asynchronous>) return x.e().servers->state;
    if constexpr (std::is_same_v<T, Batch>) return x.s().batch;
    if constexpr (std::is_same_v<T, GroupReach>) return x.message().group;
    if constexpr (std::is_same_v<T, LayerShares>) return x.row().shares;
    if constexpr (std::is_same_v<T, Summary>) return x.s();
    if constexpr (std::is_base_of_v<T, MessageEstimate>) return x.message();
    if constexpr (std::is_same_v<T, LayerEstimate>) return x.row();
    if constexpr (std::is_same_v<T, LayerFacts>) return x.facts();
}
template <class R, class G, class T, class... More>
T taken_by(R (G::*)(const T&, More...) const);
template <class R, class T, class... More>
T taken_by(R (*)(const T&, More...));
template <class R, class T>
T taken_by_member(R T::*);

/// A function as figures hold it: made of one that takes any of the above, or of a member of one.
template <class R>
using Of = std::function<R(A)>;
template <class R, class G>
Of<R> made_of(G g) {
    if constexpr (std::is_null_pointer_v<G>)
        return nullptr;
    else if constexpr (std::is_member_pointer_v<G>)
        return [g](A x) { return R(std::invoke(g, the<decltype(taken_by_member(g))>(x))); };
    else if constexpr (std::is_pointer_v<G>)
        return [g](A x) { return R(g(the<decltype(taken_by(g))>(x))); };
    else
        return [g](A x) { return R(g(the<decltype(taken_by(&G::operator()))>(x))); };
}

/// A row of a table of figures. Its key is the symbol as formulas of the tables write it; a dot and a word behind it
/// tell figures apart that look alike on different pages. "+" before the key: a term that is left out where it is 0,
/// with the factors beside it; "*": a factor that is left out where it is 1. Words, formulas and notes may have holes:
/// {name}. A reason or a note may name a field or a figure behind a bar, "…|cpu.threads": its value stands on the page
/// then.
class Figure {
public:
    std::string_view key;
    const char* text;
    Of<Amount> amount = nullptr;  ///< none: of the field, of the page that it leads to, or what its formula gives
    Leads leads;

    struct Case {
        const char* formula;  ///< over keys; {sum} stands for the terms of the sum
        Of<bool> applies;
        const char* source = nullptr;  ///< of this case and those before it; else that of the figure, or of the room
    };
    struct Note {
        const char* text;
        Of<bool> applies;
        std::ptrdiff_t of_case = -1;  ///< -1: of all
    };
    std::vector<Case> cases{};
    std::vector<Note> notes{}, reasons{};
    const char *paper = nullptr, *parts = nullptr;
    Of<Terms> terms = nullptr;
    std::string_view over{};  ///< of each layer of the step this figure, instead of terms
    const char* what = "layers";
    Measure measure = Measure::seconds;

    /// The value is a lambda, or nullptr. Behind it, in any order, what the figure leads to and its clauses.
    template <class G, class... More>
    Figure(const char* name, const char* words, G value, const More&... more) : key(name), text(words) {
        if constexpr (std::is_convertible_v<G, std::string_view>)
            leads.set(value);
        else
            amount = made_of<Amount>(value);
        with(more...);
    }
    std::string_view name() const { return key[0] == '+' || key[0] == '*' ? key.substr(1) : key; }
    /// Whether nothing is left of a product that it is a factor of, or of a sum that it is a term of.
    bool vanishes(double value) const { return (key[0] == '+' && value == 0) || (key[0] == '*' && value == 1); }
    template <class... More>
    Figure& with(const More&... more) {
        (take(more), ...);
        return *this;
    }

private:
    template <class One>
    void take(const One& one) {
        if constexpr (std::is_invocable_v<One, Figure&>)
            one(*this);
        else
            leads.set(one);
    }
};

/// Clauses of a row. Its formula, in all cases, or in one: the first that applies counts.
template <class G = std::nullptr_t>
auto is(const char* formula, G applies = {}) {
    return [=](Figure& f) { f.cases.push_back({formula, made_of<bool>(applies)}); };
}
/// Of the case before, or of all cases if there is none yet.
template <class G = std::nullptr_t>
auto note(const char* said, G applies = {}) {
    return [=](Figure& f) { f.notes.push_back({said, made_of<bool>(applies), std::ssize(f.cases) - 1}); };
}
inline auto source(const char* said) {
    return [=](Figure& f) { (f.cases.empty() ? f.paper : f.cases.back().source) = said; };
}
/// Why it is 0, where it is: the first that applies.
template <class G = std::nullptr_t>
auto nothing(const char* said, G applies = {}) {
    return [=](Figure& f) { f.reasons.push_back({said, made_of<bool>(applies)}); };
}
/// The coloured parts: "Memory: m_w m_a".
inline auto stack(const char* said) {
    return [=](Figure& f) { f.parts = said; };
}
/// A sum of terms, alone unless a formula is given before it; or of this figure of each layer of the step.
template <class G>
auto sum(G of, const char* words = "layers", Measure m = Measure::seconds) {
    return [=](Figure& f) {
        if constexpr (std::is_convertible_v<G, std::string_view>)
            f.over = of;
        else
            f.terms = made_of<Terms>(of);
        f.what = words, f.measure = m;
        if (f.cases.empty()) is("{sum}")(f);
    };
}

/// What stands in a hole of a formula or a text: a text, or one of two; with a page it may put quantities on it.
struct Hole {
    std::string_view key;
    std::function<std::string(A, Page&)> text;

    template <class G>
    Hole(const char* name, G g) : key(name) {
        if constexpr (requires(A x, Page & page) { g(x, page); })
            text = [g](A x, Page& page) { return std::string(g(x, page)); };
        else if constexpr (requires(const PaleoLayer& x, Page& page) { g(x, page); })
            text = [g](A x, Page& page) { return std::string(g(*x.paleo, page)); };
        else
            text = [of = made_of<std::string>(g)](A x, Page&) { return of(x); };
    }
    /// A text with its case, as many times as wanted, and what stands there otherwise.
    template <class G, class... More>
    Hole(const char* name, G g, const char* yes, const More&... more) : key(name) {
        text = [of = made_of<bool>(g), yes, otherwise = Hole(name, more...)](A x, Page& page) {
            return of(x) ? yes : otherwise.text(x, page);
        };
    }
    Hole(const char* name, const char* always) : key(name), text([always](A, Page&) { return always; }) {}
    std::string_view name() const { return key; }
};

struct Room {
    std::span<const Figure> figures;
    std::span<const Hole> holes;
    const char* source = "By definition";  ///< of pages that name none
};

/// What all methods have, room after room: where to look for what a room lacks.
Room step_room();
Room layer_room();
Room work_room();
Room product_room();
Room stage_room();
Room exposure_room();
Room message_room();
Room memory_room();
/// The page of the first figure with the item's topic and index of which a case applies, or nothing. A figure of that
/// index without formulas has those of the figure of the topic without an index.
std::optional<Page> page_of_room(const Ask&, const Room&);

}  // namespace scalescope::explaining
