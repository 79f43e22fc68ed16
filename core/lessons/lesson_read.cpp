// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>
#include <set>

#include "core/base/limits.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/lessons/beginning.hpp"
#include "core/lessons/judge.hpp"
#include "core/lessons/lesson_json.hpp"
#include "core/lessons/places.hpp"
#include "core/scenario/fields.hpp"

namespace scalescope::lessons {

const formats::FileFormat lesson_format{"scalescope-lesson", "lesson", {}};

namespace {

using formats::join_path;
using formats::JsonFields;
using formats::JsonKind;
using formats::JsonValue;

/// `parent › name › number`, counted from 1.
std::string item_path(std::string_view parent, std::string_view name, std::size_t index) {
    return join_path(join_path(parent, name), std::to_string(index + 1));
}

class LessonReader {
public:
    explicit LessonReader(const formats::Library& library) : library_(library) {}

    Result<Lesson> read(JsonValue root) {
        read_form(root);
        if (!problems_.has_errors()) read_texts();
        if (!problems_.has_errors()) try_scenarios();
        if (problems_.has_errors()) return fail(problems_.take());
        return std::move(lesson_);
    }

    Result<Lesson> read_draft(JsonValue root) {
        read_form(root);
        if (lesson_.steps.empty()) return fail(problems_.take());
        parse_texts(lesson_);
        return std::move(lesson_);
    }

private:
    void read_form(JsonValue root) {
        JsonFields fields(root, {}, problems_);
        for (auto name : {"format", "version", "$schema"}) fields.ignore(name);
        lesson_.title = fields.text("title").value_or("");
        lesson_.summary = fields.text("summary").value_or("");
        lesson_.minutes = static_cast<int>(fields.integer("minutes", 1, 240).value_or(5));
        lesson_.after = words(fields, "after");
        lesson_.sources = words(fields, "sources");
        lesson_.given = words(fields, "given");
        if (const auto steps = fields.required("steps", JsonKind::array)) read_steps(*steps);
        fields.finish();
    }

    /// Says that a list is too long; otherwise its values are looked at.
    bool few_enough(JsonValue list, const std::string& where, std::size_t most = limits::lesson_items) {
        if (list.size() <= most) return true;
        problems_.error(list.at(), where, "There are " + std::to_string(list.size()) + " of them.",
                        "Write " + std::to_string(most) + " at most.");
        return false;
    }

    std::vector<std::string> words(JsonFields& fields, std::string_view name) {
        const auto list = fields.optional(name, JsonKind::array);
        std::vector<std::string> all;
        if (!list || !few_enough(*list, join_path(fields.path(), name))) return all;
        std::size_t number = 0;
        for (const JsonValue v : *list) {
            const std::string where = item_path(fields.path(), name, number++);
            places_[where] = v.at();
            if (v.is_string())
                all.emplace_back(v.text());
            else
                problems_.error(v.at(), where, "A text is expected here.", "Put it in double quotes.");
        }
        return all;
    }

    /// Names of a list that must be known.
    std::vector<std::string> places(JsonFields& fields, std::string_view name, bool of_charts) {
        auto all = words(fields, name);
        std::vector<std::string_view> known(chart_names.begin(), chart_names.end());
        if (!of_charts) {
            known.insert(known.end(), panel_names.begin(), panel_names.end());
            for (const Field& f : all_fields()) known.push_back(f.path);
        }
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (std::find(known.begin(), known.end(), all[i]) != known.end()) continue;
            const std::string where = item_path(fields.path(), name, i);
            problems_.error(
                places_[where], where,
                std::string("There is no ") + (of_charts ? "chart" : "panel, chart or field") + " called " +
                    formats::quoted(all[i]) + ".",
                formats::did_you_mean(all[i], known,
                                      of_charts ? "Name one, such as \"speedup\"." : "Name one, such as \"workers\"."));
        }
        return all;
    }

    void read_steps(JsonValue steps) {
        if (steps.size() == 0) problems_.error(steps.at(), "steps", "The lesson has no steps.", "Write at least one.");
        if (!few_enough(steps, "steps", limits::lesson_steps)) return;
        for (const JsonValue value : steps) {
            if (problems_.all().size() >= limits::problems) return;
            JsonFields fields(value, join_path("steps", std::to_string(lesson_.steps.size() + 1)), problems_);
            places_[fields.path()] = value.at();
            lesson_.steps.push_back(read_step(fields));
            fields.finish();
        }
    }

    Step read_step(JsonFields& fields) {
        Step step;
        step.title = fields.text("title").value_or("");
        step.text.source = words(fields, "text");
        step.beginning = beginning(fields);
        step.set = changes(fields, "set");
        if (const auto pins = fields.optional("pins", JsonKind::array)) read_pins(*pins, fields.path(), step);
        step.show = places(fields, "show", false);
        step.hide = places(fields, "hide", false);
        step.point = places(fields, "point", false);
        step.charts = places(fields, "charts", true);
        if (const auto task = fields.optional("task", JsonKind::object)) step.task = read_task(*task, fields.path());
        if (const auto question = fields.optional("question", JsonKind::object))
            step.question = read_question(*question, fields.path());
        if (const auto all = fields.optional("assertions", JsonKind::array)) read_assertions(*all, fields.path(), step);
        return step;
    }

    Beginning beginning(JsonFields& fields) {
        Beginning result;
        const auto value = fields.any("scenario");
        if (!value || value->is_null()) return result;
        places_[join_path(fields.path(), "scenario")] = value->at();
        if (value->is_string())
            result.preset = value->text();
        else if (value->is_object())
            result.scenario = value->source();
        else
            fields.error("scenario", *value, "A scenario is a preset's id or a whole scenario.",
                         "Write for example \"scenario\": \"example\".");
        if (value->is_string() && !library_.find_scenario(value->text())) {
            std::vector<std::string_view> known;
            for (const auto& preset : library_.scenarios) known.push_back(preset.id);
            fields.error("scenario", *value, "There is no scenario called " + formats::quoted(value->text()) + ".",
                         formats::did_you_mean(value->text(), known, "See: scalescope list scenarios."));
        }
        return result;
    }

    Changes changes(JsonFields& fields, std::string_view name) {
        Changes all;
        const auto object = fields.optional(name, JsonKind::object);
        const std::string where = join_path(fields.path(), name);
        if (!object || !few_enough(*object, where)) return all;
        for (const JsonValue v : *object) {
            places_[join_path(where, v.key())] = v.at();
            if (v.is_string() || v.is_number() || v.kind() == JsonKind::boolean)
                all.push_back({std::string(v.key()), std::string(v.is_string() ? v.text() : v.source())});
            else
                problems_.error(v.at(), join_path(where, v.key()),
                                "A field is set to a text, a number or true or false.",
                                "Write the value as --set takes it.");
        }
        return all;
    }

    void read_pins(JsonValue pins, const std::string& path, Step& step) {
        step.pins.emplace();
        if (!few_enough(pins, join_path(path, "pins"), limits::pins)) return;
        for (const JsonValue value : pins) {
            JsonFields fields(value, item_path(path, "pins", step.pins->size()), problems_);
            PinnedDesign design;
            design.name = fields.text("name").value_or("");
            design.set = changes(fields, "set");
            fields.finish();
            step.pins->push_back(std::move(design));
        }
    }

    Text text(JsonFields& fields, std::string_view name) {
        const auto value = fields.required(name, JsonKind::string);
        if (value) places_[join_path(fields.path(), name)] = value->at();
        return {value ? std::string(value->text()) : std::string(), {}};
    }

    Task read_task(JsonValue value, const std::string& path) {
        JsonFields fields(value, join_path(path, "task"), problems_);
        Task task;
        task.sentence = text(fields, "sentence");
        task.condition = expression(fields, "condition");
        for (std::string& hint : words(fields, "hints")) task.hints.push_back({std::move(hint), {}});
        task.solution = changes(fields, "solution");
        fields.finish();
        return task;
    }

    Question read_question(JsonValue value, const std::string& path) {
        JsonFields fields(value, join_path(path, "question"), problems_);
        Question question;
        question.text = text(fields, "text");
        const auto answers = fields.required("answers", JsonKind::array);
        if (answers && few_enough(*answers, join_path(fields.path(), "answers")))
            for (const JsonValue v : *answers) {
                JsonFields of(v, item_path(fields.path(), "answers", question.answers.size()), problems_);
                Answer answer;
                answer.text = text(of, "text");
                answer.right = of.optional_boolean("right").value_or(false);
                answer.explanation = text(of, "explanation");
                of.finish();
                question.answers.push_back(std::move(answer));
            }
        fields.finish();
        return question;
    }

    void read_assertions(JsonValue all, const std::string& path, Step& step) {
        // Each is worked out with a scenario of its own, so that there is a limit for all of a lesson.
        assertions_ += all.size();
        if (assertions_ > limits::lesson_assertions) {
            problems_.error(all.at(), join_path(path, "assertions"), "The lesson has too many assertions.",
                            "Write " + std::to_string(limits::lesson_assertions) + " at most.");
            return;
        }
        for (const JsonValue value : all) {
            JsonFields fields(value, item_path(path, "assertions", step.assertions.size()), problems_);
            Assertion a;
            a.name = fields.optional_text("name").value_or("");
            a.is = expression(fields, "is");
            a.says = fields.optional_text("says").value_or("");
            a.beginning = beginning(fields);
            a.with = changes(fields, "with");
            fields.finish();
            if (!a.name.empty() && !names_.insert(a.name).second)
                problems_.error(value.at(), fields.path(), "Two assertions are called " + formats::quoted(a.name) + ".",
                                "Give each a name of its own.");
            if (!a.name.empty() && a.says.empty())
                problems_.error(value.at(), fields.path(), formats::quoted(a.name) + " has nothing to show.",
                                "Add \"says\", the figure as the text has it.");
            step.assertions.push_back(std::move(a));
        }
    }

    std::string expression(JsonFields& fields, std::string_view name) {
        const auto value = fields.required(name, JsonKind::string);
        if (!value) return {};
        if (name == "condition" && value->text().find_first_not_of(" \t") == std::string::npos) {
            problems_.error(value->at(), join_path(fields.path(), name), "It is not said when the task is done.",
                            "Choose a figure or a field, how it compares, and a value: cluster.workers == 8.");
            return {};
        }
        const auto judge = Judge::make(value->text(), library_.catalogue);
        if (!judge)
            for (Problem p : judge.error()) {
                p.where = join_path(fields.path(), name);
                p.at = inside(value->at(), p.at.column);
                problems_.add(std::move(p));
            }
        return std::string(value->text());
    }

    /// Column `column` of a text that is written at `at`, behind its quotation mark.
    static SourcePosition inside(SourcePosition at, int column) {
        at.column += column;
        return at;
    }

    void read_texts() {
        for (Problem& p : parse_texts(lesson_)) {
            if (const auto found = places_.find(p.where); found != places_.end())
                p.at = inside(found->second, p.at.column);
            problems_.add(std::move(p));
        }
        for (std::size_t i = 0; i < lesson_.steps.size(); ++i) check_pictures(lesson_.steps[i].text.source, i);
    }

    void check_pictures(const std::vector<std::string>& sources, std::size_t step) {
        for (std::size_t k = 0; k < sources.size(); ++k) {
            const auto block = parse_blocks({sources[k]}, [](std::string_view) { return std::string(); });
            if (!block || block->front().kind != Block::Kind::picture) continue;
            const std::string& name = block->front().name;
            if (std::find(picture_names.begin(), picture_names.end(), name) != picture_names.end()) continue;
            const auto where = item_path(join_path("steps", std::to_string(step + 1)), "text", k);
            problems_.error(places_[where], where, "There is no picture called " + formats::quoted(name) + ".",
                            formats::did_you_mean(name, picture_names, "Leave it out."));
        }
    }

    template <class T>
    bool works(const Result<T>& result, const std::string& where) {
        if (result) return true;
        for (Problem p : result.error()) {
            // A field's problem stands at its value, any other where the scenario is named.
            for (const std::string& place : {join_path(where, p.where), join_path(where, "scenario"), where})
                if (const auto found = places_.find(place); found != places_.end()) {
                    p.at = found->second;
                    break;
                }
            p.where = p.where.empty() ? where : join_path(where, p.where);
            problems_.add(std::move(p));
        }
        return false;
    }

    /// Whether every scenario that the lesson speaks of can be made.
    void try_scenarios() {
        Result<Scenario> scenario = fail(Problem{});
        for (std::size_t i = 0; i < lesson_.steps.size(); ++i) {
            const Step& step = lesson_.steps[i];
            const auto here = join_path("steps", std::to_string(i + 1));
            if (step.beginning.is_given()) {
                scenario = scenario_of(step.beginning, library_);
                if (!works(scenario, here)) return;
            } else if (i == 0) {
                problems_.error(places_[here], here, "The first step has no scenario.",
                                "Add \"scenario\", with a preset's id such as \"example\".");
                return;
            }
            scenario = changed(std::move(*scenario), step.set, library_);
            if (!works(scenario, join_path(here, "set"))) return;
            if (step.pins)
                for (std::size_t k = 0; k < step.pins->size(); ++k)
                    works(changed(*scenario, (*step.pins)[k].set, library_),
                          join_path(item_path(here, "pins", k), "set"));
            if (step.task) works(changed(*scenario, step.task->solution, library_), join_path(here, "task › solution"));
            for (std::size_t k = 0; k < step.assertions.size(); ++k) {
                const Assertion& a = step.assertions[k];
                const auto assertion = item_path(here, "assertions", k);
                const auto base = a.beginning.is_given() ? scenario_of(a.beginning, library_) : scenario;
                if (works(base, assertion)) works(changed(*base, a.with, library_), join_path(assertion, "with"));
            }
        }
    }

    const formats::Library& library_;
    formats::ProblemList problems_;
    std::map<std::string, SourcePosition> places_;  ///< of texts and of fields that are set, by their path
    std::set<std::string> names_;
    std::size_t assertions_ = 0;
    Lesson lesson_;
};

}  // namespace

Result<Lesson> read_lesson(std::string_view text, std::string file, const formats::Library& library) {
    const auto document = formats::open_document(text, std::move(file), lesson_format);
    if (!document) return fail(document.error());
    return LessonReader(library).read(document->root());
}

Result<Lesson> read_draft(std::string_view text, std::string file, const formats::Library& library) {
    const auto document = formats::open_document(text, std::move(file), lesson_format);
    if (!document) return fail(document.error());
    return LessonReader(library).read_draft(document->root());
}

Result<Lesson> read_lesson(const formats::Preset& preset, const formats::Library& library) {
    auto lesson = read_lesson(preset.text, preset.file, library);
    if (lesson) lesson->id = preset.id;
    return lesson;
}

}  // namespace scalescope::lessons
