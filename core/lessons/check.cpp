// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/check.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/decimal.hpp"
#include "core/base/name_list.hpp"
#include "core/lessons/beginning.hpp"
#include "core/lessons/judge.hpp"
#include "core/lessons/lesson.hpp"

namespace scalescope::lessons {
namespace {

bool is_digit_character(char c) { return c >= '0' && c <= '9'; }
bool is_word_character(char c) {
    return is_digit_character(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (static_cast<unsigned char>(c) & 0x80u) != 0;
}

std::string trimmed_of_spaces(std::string text) {
    // A no-break space, too, may stand between a number and its unit.
    for (auto at = text.find("\u00A0"); at != std::string::npos; at = text.find("\u00A0")) text.replace(at, 2, " ");
    const auto from = text.find_first_not_of(' ');
    return from == std::string::npos ? std::string() : text.substr(from, text.find_last_not_of(' ') - from + 1);
}

/// "about 2,048.50 ms" taken apart.
struct ShownNumber {
    double value = 0;
    double half = 0.5;  ///< of its last digit
    std::string unit;
};

Result<ShownNumber> read_shown(std::string_view says) {
    const auto refuse = [&](std::string what) {
        return fail(make_error(std::move(what), "Write one number, such as \"63 %\" or \"2,048\"."));
    };
    const auto first = std::ranges::find_if(says, is_digit_character);
    if (first == says.end()) return refuse("\"" + std::string(says.substr(0, 60)) + "\" shows no number.");
    auto at = static_cast<std::size_t>(first - says.begin());
    std::string before(says.substr(0, at));
    const bool minus = before.ends_with("-") || before.ends_with("−");
    ShownNumber shown;
    std::string digits;
    for (; at < says.size(); ++at) {
        const bool digit_follows = at + 1 < says.size() && is_digit_character(says[at + 1]);
        if (is_digit_character(says[at])) {
            digits += says[at];
        } else if (says[at] == '.' && digit_follows && digits.find('.') == std::string::npos) {
            digits += '.';
        } else if (!(says[at] == ',' && digit_follows && digits.find('.') == std::string::npos)) {
            break;
        }
    }
    const auto value = parse_decimal(digits);
    const auto rest = says.substr(at);
    if (!value || std::ranges::any_of(rest, is_digit_character))
        return refuse("\"" + std::string(says.substr(0, 60)) + "\" shows more than one number.");
    shown.value = minus ? -*value : *value;
    if (const auto dot = digits.find('.'); dot != std::string::npos)
        shown.half = 0.5 * std::pow(10.0, -static_cast<double>(digits.size() - dot - 1));
    shown.unit = trimmed_of_spaces(std::string(rest));
    return shown;
}

struct UnitStep {
    std::string_view shown, of;
    double factor;  ///< the value in `of` times this is the value in `shown`
};
constexpr std::array<UnitStep, 17> unit_steps{{{"s", "ms", 1e-3},
                                               {"µs", "ms", 1e3},
                                               {"min", "ms", 1.0 / 6e4},
                                               {"ms", "s", 1e3},
                                               {"min", "s", 1.0 / 60},
                                               {"minutes", "s", 1.0 / 60},
                                               {"h", "s", 1.0 / 3600},
                                               {"hours", "s", 1.0 / 3600},
                                               {"MiB", "GB", 1e9 / 1048576},
                                               {"GiB", "GB", 1e9 / 1073741824},
                                               {"MB", "GB", 1e3},
                                               {"GB", "MB", 1e-3},
                                               {"TFLOP", "GFLOP", 1e-3},
                                               {"MFLOP", "GFLOP", 1e3},
                                               {"thousand", "million", 1e3},
                                               {"billion", "million", 1e-3},
                                               {"W", "kW", 1e3}}};

/// What `says` may leave to the sentence around it: "{n} workers", "{x} times".
bool is_no_unit(std::string_view word) {
    return word.empty() || is_among(word, "times × workers GPUs machines samples images updates steps");
}

class LessonCheck {
public:
    LessonCheck(const Lesson& lesson, const formats::Library& library) : lesson_(lesson), library_(library) {}

    CheckedLesson run() {
        check_digits();
        for (std::size_t i = 0; i < lesson_.steps.size(); ++i) {
            const Step& step = lesson_.steps[i];
            const std::string here = "steps › " + std::to_string(i + 1);
            for (const Assertion& a : step.assertions) check_assertion(i, a, here);
            if (step.task) check_task(i, *step.task, here + " › task");
            if (step.question) check_question(*step.question, here + " › question");
        }
        return std::move(result_);
    }

private:
    void add(const std::string& where, std::string what, std::string remedy) {
        result_.problems.push_back(make_error(std::move(what), std::move(remedy), {}, where));
    }

    /// A scenario with its estimate.
    struct Worked {
        Scenario scenario;
        Estimate estimate_of_it;
        Design design() const { return {&scenario, &estimate_of_it}; }
    };
    std::optional<Worked> work_out(Result<Scenario> scenario, const std::string& where) {
        Problems problems;
        if (!scenario) {
            problems = std::move(scenario.error());
        } else if (auto e = estimate(*scenario)) {
            return Worked{std::move(*scenario), std::move(*e)};
        } else {
            problems = std::move(e.error());
        }
        for (Problem& p : problems) {
            p.where = p.where.empty() ? where : where + " › " + p.where;
            result_.problems.push_back(std::move(p));
        }
        return std::nullopt;
    }

    /// Pins of the step, worked out; `worked` keeps them.
    Surroundings around(std::size_t step, const std::optional<Worked>& start, std::vector<Worked>& worked,
                        const std::string& where) {
        Surroundings s;
        if (start) s.start = start->design();
        // The pins that a step leaves alone are those of the last one that set any.
        while (step > 0 && !lesson_.steps[step].pins) --step;
        if (const auto pins = pins_of(lesson_, step, library_)) {
            worked.reserve(pins->size());
            for (const Pin& pin : *pins)
                if (auto w = work_out(*pin.scenario, where)) worked.push_back(std::move(*w));
        }
        for (const Worked& w : worked) s.pins.push_back(w.design());
        return s;
    }

    void check_assertion(std::size_t step, const Assertion& a, const std::string& here) {
        const std::string where = here + " › assertions › " + (a.name.empty() ? a.is : a.name);
        const auto start = work_out(scenario_of(lesson_, step, library_), where);
        const auto worked = work_out(scenario_of(lesson_, step, a, library_), where);
        const auto judge = Judge::make(a.is, library_.catalogue);
        if (!judge || !worked || !start) {
            if (!judge) add(where, judge.error().front().what, judge.error().front().remedy);
            return;
        }
        std::vector<Worked> pins;
        const auto value = judge->value(worked->design(), around(step, start, pins, where));
        CheckedAssertion checked{step, a.name, a.is, a.says, value.value_or(0.0), false};
        if (!value) {
            add(where, value.error().front().what, value.error().front().remedy);
        } else if (a.says.empty()) {
            checked.right = *value != 0.0;
            if (!checked.right) add(where, "It does not hold: " + a.is + ".", "Correct the lesson.");
        } else if (const auto right = shows(a.says, *value, judge->unit(), &checked.value); !right) {
            add(where, right.error().front().what, right.error().front().remedy);
        } else {
            checked.right = *right;
            if (!*right)
                add(where, "\"" + a.says + "\" is wrong: " + a.is + " is " + shortest_decimal(checked.value) + ".",
                    "Write what the model says, or another statement.");
        }
        result_.assertions.push_back(std::move(checked));
    }

    void check_task(std::size_t step, const Task& task, const std::string& where) {
        ++result_.tasks;
        const auto judge = Judge::make(task.condition, library_.catalogue);
        const auto start = work_out(scenario_of(lesson_, step, library_), where);
        if (!judge || !start) {
            if (!judge) add(where, judge.error().front().what, judge.error().front().remedy);
            return;
        }
        std::vector<Worked> pins;
        const auto surroundings = around(step, start, pins, where);
        if (judge->judge(start->design(), surroundings).holds)
            add(where, "The condition holds before anything is done: " + task.condition + ".",
                "Begin with another scenario, or ask for more.");
        const auto solved = work_out(changed(start->scenario, task.solution, library_), where + " › solution");
        if (!solved) return;
        const auto done = judge->judge(solved->design(), surroundings);
        if (!done.holds)
            add(where + " › solution",
                "It does not fulfil the condition " + task.condition + "." +
                    (done.distance ? " It gives " + shortest_decimal(done.distance->now) + " against " +
                                         shortest_decimal(done.distance->wanted) + "."
                                   : std::string()) +
                    (done.why.empty() ? "" : " " + done.why),
                "Write changes that do.");
        if (task.hints.empty()) add(where, "The task has no hints.", "Write one at least.");
    }

    void check_question(const Question& q, const std::string& where) {
        const auto right = std::ranges::count_if(q.answers, [](const Answer& a) { return a.right; });
        if (right == 0 || right == static_cast<std::ptrdiff_t>(q.answers.size()))
            add(where, right == 0 ? "No answer is right." : "No answer is wrong.", "Offer at least one of each.");
    }

    void check_line(const std::string& where, const Line& line) {
        std::string text;
        // A figure ends what stands before it, and so does a formula.
        for (const Span& s : line)
            text += s.kind == Span::Kind::figure || s.kind == Span::Kind::formula ? std::string("\n") : s.text;
        digits_in(where, text);
    }

    void digits_in(const std::string& where, std::string_view text) {
        if (const auto found = unexplained_digits(text, lesson_.given); !found.empty())
            add(where, "\"" + found + "\" is neither a figure of an assertion nor declared as given.",
                "Show an assertion, {name}, or add it to \"given\" if the model has nothing to do with it.");
    }

    void check_digits() {
        digits_in("title", lesson_.title);
        digits_in("summary", lesson_.summary);
        for (std::size_t i = 0; i < lesson_.steps.size(); ++i)
            digits_in("steps › " + std::to_string(i + 1) + " › title", lesson_.steps[i].title);
        every_text(
            lesson_, [&](const std::string& where, const Text& text) { check_line(where, text.line); },
            [&](const std::string& where, const Passage& passage) {
                for (const Block& b : passage.blocks)
                    for (const Line& line : b.lines) check_line(where, line);
            });
    }

    const Lesson& lesson_;
    const formats::Library& library_;
    CheckedLesson result_;
};

}  // namespace

CheckedLesson check_lesson(const Lesson& lesson, const formats::Library& library) {
    return LessonCheck(lesson, library).run();
}

Result<bool> shows(std::string_view says, double value, std::string_view unit, double* converted) {
    ASSIGN_OR_RETURN(const auto shown, read_shown(says));
    double in_unit = value;
    if (!unit.empty() && shown.unit != unit && !is_no_unit(shown.unit)) {
        const auto* step =
            std::ranges::find_if(unit_steps, [&](const UnitStep& u) { return u.shown == shown.unit && u.of == unit; });
        if (step == unit_steps.end())
            return fail(
                make_error("\"" + shown.unit + "\" is no unit that fits " + std::string(unit) + ".",
                           "Show it in " + std::string(unit) + ", or write an expression in the unit you show."));
        in_unit = value * step->factor;
    }
    if (converted) *converted = in_unit;
    // A half rounds either way.
    return std::abs(in_unit - shown.value) <= shown.half * (1 + 1e-9);
}

std::string unexplained_digits(std::string_view text, const std::vector<std::string>& given) {
    std::string left(text);
    std::vector<std::string> longest_first = given;
    std::ranges::sort(longest_first, std::greater{}, &std::string::size);
    for (const std::string& known : longest_first) {
        if (known.empty()) continue;
        for (auto at = left.find(known); at != std::string::npos; at = left.find(known, at + 1)) {
            const auto end = at + known.size();
            const bool begins = at == 0 || !is_word_character(left[at - 1]) || !is_word_character(known.front());
            const bool ends = end == left.size() || !is_word_character(left[end]) || !is_word_character(known.back());
            // "1" explains neither "1.5" nor "1,000".
            const bool goes_on =
                end + 1 < left.size() && (left[end] == '.' || left[end] == ',') && is_digit_character(left[end + 1]);
            if (begins && ends && !goes_on) left.replace(at, known.size(), known.size(), '\n');
        }
    }
    const auto first = std::ranges::find_if(left, is_digit_character);
    if (first == left.end()) return {};
    auto from = static_cast<std::size_t>(first - left.begin()), to = from;
    while (from > 0 && is_word_character(left[from - 1])) --from;
    while (to < left.size() && (is_word_character(left[to]) || left[to] == '.' || left[to] == ',')) ++to;
    return left.substr(from, to - from);
}

}  // namespace scalescope::lessons
