// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/watch.hpp"
#include "core/compare/attribution.hpp"
#include "core/compare/side_by_side.hpp"
#include "core/scenario/pin.hpp"

/// What is handed over of a few designs: a page or two that says what they are, what they come to, what makes the
/// difference and what all of it rests on. A plain value; who draws it finds every word here.
namespace scalescope::report {

/// The open design and four that are pinned.
inline constexpr std::size_t most_designs = limits::pins + 1;

struct Asked {
    std::string title;  ///< empty: the names of the designs
    std::string question;
    search::Metric metric = search::Metric::step;  ///< whose difference is shared out
    std::string version, date;                     ///< of the program, of today: given, for core has no clock
};

struct Design {
    std::string letter, name;  ///< "A"; as a person called it
    std::shared_ptr<const Scenario> scenario;
    Estimate estimate;
    std::string cannot_run;  ///< "A does not fit into memory: it needs 1.31 TB of 80.0 GB."; empty if it fits
    std::string title() const { return letter + ": " + name; }
};

/// A field with what each design has there.
struct FieldLine {
    std::string label;
    std::vector<std::string> values;
    bool differs = false;
};

/// A figure of all designs, those behind the first told against it.
struct FigureLine {
    std::string label, unit;
    std::vector<std::string> values, changes;
    std::vector<compare::Verdict> verdicts;
    compare::FigureRow row;    ///< the numbers
    std::vector<bool> struck;  ///< of a design that cannot run: shown struck through
};

/// What one difference explains.
struct ShareLine {
    std::string name, change, part, alone;  ///< "Workers 32 → 64", "−80.2 ms", "67.5 %", "−91.0 ms"
};

/// From the first design to another one.
struct Comparison {
    std::size_t to = 1;  ///< index of the design
    compare::Attribution shares;
    std::string sentence, note;
    std::vector<ShareLine> lines;
};

/// Something that the figures rest on.
struct Assumption {
    std::string designs;   ///< letters of those it is about: "A, B"; empty: of all
    std::string what;      ///< "Tesla K40: 4.29 TFLOP/s fp32, 288 GB/s memory"
    std::string evidence;  ///< "datasheet", "calibrated", "assumed", …, as the why panel says it
    std::string source;    ///< where it was read, or why it is assumed
    bool operator==(const Assumption&) const = default;
};

struct Report {
    std::string title, question, version, date;
    search::Metric metric = search::Metric::step;
    std::vector<Design> designs;
    std::vector<FieldLine> fields;
    std::vector<FigureLine> figures;
    std::vector<Comparison> comparisons;
    std::vector<Assumption> assumptions;
    std::vector<std::string> notes;  ///< what the estimates warn of
};

/// What the figures of one design rest on: the method, the figures of its hardware, the shares of them that are
/// reached, prices.
std::vector<Assumption> assumptions_of(const Scenario& scenario);

/// What each is called: those that are called alike by what tells them apart.
std::vector<std::string> names_of(const Pins& designs);

/// Of one to most_designs scenarios, the first of which the others are compared with. Those that are called alike get
/// names that tell them apart. Problems: those of the scenarios, each with the letter of its design; a figure that the
/// metric lacks; cancelled.
Result<Report> make_report(const Asked& asked, const Pins& designs, const Watch& watch = {});

}  // namespace scalescope::report
