// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pricing/collective_table.hpp"

#include <array>
#include <bit>

namespace scalescope {
namespace {

double floor_log2(std::int64_t n) { return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(n)) - 1); }
double ceil_log2(std::int64_t n) { return n <= 1 ? 0.0 : floor_log2(n - 1) + 1.0; }
double others_of(std::int64_t n) { return static_cast<double>(n) - 1; }
double part_of(std::int64_t n) { return others_of(n) / static_cast<double>(n); }
/// The largest power of two up to n. So many ranks halve and double; each other rank first sends its buffer to one of
/// them, and receives the result at the end.
double core_of(std::int64_t n) { return static_cast<double>(std::int64_t{1} << static_cast<int>(floor_log2(n))); }

using enum OfRanks;
/// By OfRanks, over `n`.
constexpr std::array<std::string_view, 11> texts{"1",
                                                 "2",
                                                 "(n - 1)",
                                                 "2*(n - 1)",
                                                 "(n - 1)/n",
                                                 "2*(n - 1)/n",
                                                 "ceil(log2(n))",
                                                 "2*ceil(log2(n))",
                                                 "2*log2(n)",
                                                 "(2*floor(log2(n)) + 2)",
                                                 "(2*(2^floor(log2(n)) - 1)/2^floor(log2(n)) + 2)"};
static_assert(texts[static_cast<std::size_t>(parts_of_core)].starts_with("(2*(2^"));
constexpr std::string_view text_of(OfRanks factor) { return texts[static_cast<std::size_t>(factor)]; }

struct Algorithm {
    const char* name;  ///< in a sentence
    CollectiveRow all_reduce;
    bool logarithmic;  ///< other messages too go in steps that double
    bool one_level;
    const char* source;
};
constexpr auto paleo_source = "PALEO, Qi et al., ICLR 2017; start-up time per hop added",
               ring_source = "Ring: Patarasuk and Yuan, JPDC 2009";
/// By Collective.
constexpr std::array<Algorithm, 9> algorithms{{
    {"ring", {twice_others, twice_part}, false, false, ring_source},
    {"recursive halving and doubling",
     {halvings, twice_part},
     true,
     false,
     "Recursive halving and doubling: Thakur et al., IJHPCA 2005"},
    {"double tree",
     {twice_hops, twice},
     true,
     false,
     "Double binary tree, pipelined: Sanders et al., Parallel Computing 2009"},
    {"one to all", {twice_others, twice_others}, false, true, paleo_source},
    {"tree", {twice_hops, twice_hops}, false, true, paleo_source},
    {"butterfly", {hops, hops}, false, true, paleo_source},
    {"butterfly mixing", {once, once}, false, true, paleo_source},
    {"parameter server", {twice, twice}, false, false, "Parameter servers in the hosts' memory: Li et al., OSDI 2014"},
    {"fastest", {twice_others, twice_part}, false, false, ring_source},
}};
static_assert(algorithms[static_cast<std::size_t>(Collective::automatic)].name == std::string_view("fastest"));
constexpr CollectiveRow uneven_recursive{halvings_of_core, parts_of_core}, single{once, once},
    scatter_by_ring{others, part}, scatter_in_steps{hops, part}, chain{others, once}, binomial{hops, hops};

const Algorithm& row_of(Collective c) { return algorithms[static_cast<std::size_t>(c)]; }

}  // namespace

double value_of(OfRanks factor, std::int64_t n) {
    switch (factor) {
        case once: return 1;
        case twice: return 2;
        case others: return others_of(n);
        case twice_others: return 2 * others_of(n);
        case part: return part_of(n);
        case twice_part: return 2 * part_of(n);
        case hops: return ceil_log2(n);
        case twice_hops: return 2 * ceil_log2(n);
        case halvings: return 2 * floor_log2(n);
        case halvings_of_core: return 2 * floor_log2(n) + 2.0;
        case parts_of_core: return 2 * (core_of(n) - 1) / core_of(n) + 2.0;
    }
    return 0;
}

const CollectiveRow& collective_row(Message message, Collective algorithm, std::int64_t ranks) {
    const bool logarithmic = row_of(algorithm).logarithmic;
    switch (message) {
        case Message::all_reduce:
            if (algorithm == Collective::recursive && (ranks & (ranks - 1)) != 0) return uneven_recursive;
            return row_of(algorithm).all_reduce;
        case Message::reduce_scatter:
        case Message::all_gather: return logarithmic ? scatter_in_steps : scatter_by_ring;
        case Message::all_to_all: return scatter_by_ring;  // one piece after the other
        case Message::broadcast:
        case Message::reduce: return logarithmic ? binomial : chain;
        case Message::point_to_point:
        case Message::push:
        case Message::pull:
        case Message::host_copy: break;
    }
    return single;
}

std::string collective_formula(Message message, Collective algorithm, std::int64_t ranks, const std::string& n,
                               const std::string& s, const std::string& a, const std::string& w) {
    const CollectiveRow& row = collective_row(message, algorithm, ranks);
    const auto times = [&](std::string_view factor, const std::string& what) {
        if (factor == text_of(once)) return what;
        std::string text;
        for (std::size_t i = 0; i < factor.size(); ++i) {
            // `n` alone, not as a letter of a function's name
            const bool letter = i > 0 && factor[i - 1] >= 'a' && factor[i - 1] <= 'z';
            text += factor[i] == 'n' && !letter ? n : std::string(1, factor[i]);
        }
        return text + '*' + what;
    };
    const std::string_view startups = text_of(row.startups), crossings = text_of(row.crossings);
    const std::string transfer = s + "/" + w;
    if (startups != crossings) return times(startups, a) + " + " + times(crossings, transfer);
    return row.startups == once ? a + " + " + transfer : times(startups, '(' + a + " + " + transfer + ')');
}

Collective priced_as(Message message, Collective asked) {
    switch (message) {
        case Message::all_reduce:
        case Message::point_to_point:
        case Message::push:
        case Message::pull:
        case Message::host_copy: return asked;
        case Message::reduce_scatter:
        case Message::all_gather:
        case Message::broadcast:
        case Message::reduce: break;
        case Message::all_to_all: return Collective::ring;
    }
    return row_of(asked).logarithmic ? Collective::recursive : Collective::ring;
}

bool one_level(Collective c) { return row_of(c).one_level; }
std::string_view word_for(Collective c) { return row_of(c).name; }
const char* source_of(Collective c) { return row_of(c).source; }

}  // namespace scalescope
