// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/search.hpp"

/// Why one configuration is better than another, and what would have to change for the other to win.
namespace scalescope::search {

/// At which value of a figure two configurations are equally good.
struct Turn {
    std::string path;       ///< of the field that moves
    bool of_other = false;  ///< moves for the other configuration alone; otherwise for both, or for the first alone
    bool of_both = false;
    double from = 0, to = 0;  ///< in the field's unit
    double change() const { return to / from - 1; }
    std::string text;  ///< "The order turns when bandwidth between nodes falls to 1.2 GB/s (−52 %)."
};

struct Reasons {
    std::string binds;                ///< what the step of the first is made of
    std::string lacks;                ///< by how much the other is worse, and in which part; empty without another
    std::vector<std::string> differ;  ///< the fields in which they differ: "Collective ring → tree"
    std::vector<Turn> turns;          ///< the nearest first
    bool steady = false;              ///< no figure turns the order within 16 times up or down
    bool complete = true;             ///< false: given up before every figure was tried
};

/// The fields in which two scenarios differ, with their values: "Collective ring → tree".
std::vector<std::string> differences(const Scenario& from, const Scenario& to);

/// About `best` alone, or against `other`: by the first objective. Turns are looked for in price, peak, memory
/// bandwidth and the links, by factors of 2^(1/8) up to 16 and then exactly; where the order turns twice between two
/// of these the turn is missed. Given up, it tells the turns it has found. Problems: those of the scenarios.
Result<Reasons> reasons(const Scenario& best, const Scenario* other, const Question& question, const Watch& watch = {});

/// What became of the combinations, in sentences: "Of 290,304 combinations 145,152 were scored …".
std::vector<std::string> told(const SearchResult& result, const Space& space, const Question& question);

/// Without which single constraint there would be an answer, and which: "Without «step <= 2 ms» the best has 12.1 ms."
/// Or that the further objectives are what nothing has a figure for. For a search that found nothing; it runs once more
/// for each constraint.
std::vector<std::string> relaxed(const Space& space, const Question& question, unsigned threads,
                                 const Watch& watch = {});

}  // namespace scalescope::search
