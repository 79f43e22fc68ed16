// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>
#include <set>
#include <type_traits>
#include <utility>

#include "core/base/decimal.hpp"
#include "core/base/limits.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/formats/json_writer.hpp"
#include "core/lessons/beginning.hpp"
#include "core/lessons/judge.hpp"
#include "core/lessons/lesson_json.hpp"
#include "core/lessons/places.hpp"
#include "core/scenario/former_names.hpp"

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

// What stands in a file, said once for the reader and the writer, in the order in which it is written.

constexpr auto describe_pin = [](auto& record, auto& pin) {
    record.text("name", pin.name);
    record.changes("set", pin.set);
};

constexpr auto describe_task = [](auto& record, auto& task) {
    record.markup("sentence", task.sentence);
    record.expression("condition", task.condition);
    record.hints("hints", task.hints);
    record.changes("solution", task.solution);
};

constexpr auto describe_answer = [](auto& record, auto& answer) {
    record.markup("text", answer.text);
    record.flag("right", answer.right);
    record.markup("explanation", answer.explanation);
};

constexpr auto describe_question = [](auto& record, auto& question) {
    record.markup("text", question.text);
    record.items("answers", question.answers, describe_answer, true, limits::lesson_items);
};

constexpr auto describe_assertion = [](auto& record, auto& assertion) {
    record.optional_text("name", assertion.name);
    record.expression("is", assertion.is);
    record.optional_text("says", assertion.says);
    record.beginning(assertion.beginning);
    record.changes("with", assertion.with);
};

constexpr auto describe_step = [](auto& record, auto& step) {
    record.text("title", step.title);
    record.words("text", step.text.source);
    record.beginning(step.beginning);
    record.changes("set", step.set);
    record.pins("pins", step.pins);
    record.places("show", step.show, false);
    record.places("hide", step.hide, false);
    record.places("point", step.point, false);
    record.places("charts", step.charts, true);
    record.object("task", step.task, describe_task);
    record.object("question", step.question, describe_question);
    record.items("assertions", step.assertions, describe_assertion, false, limits::lesson_assertions);
};

constexpr auto describe_lesson = [](auto& record, auto& lesson) {
    record.text("title", lesson.title);
    record.text("summary", lesson.summary);
    record.minutes("minutes", lesson.minutes);
    record.words("after", lesson.after);
    record.words("sources", lesson.sources);
    record.words("given", lesson.given);
    record.items("steps", lesson.steps, describe_step, true, limits::lesson_steps);
};

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

    void read_form(JsonValue root) {
        read_object(root, {}, lesson_, [](auto& record, Lesson& lesson) {
            for (auto name : {"format", "version", "$schema"}) record.fields_->ignore(name);
            describe_lesson(record, lesson);
        });
    }

    /// An object; what is in it is read with `fields_` at it.
    template <class Value, class Describe>
    void read_object(JsonValue object, std::string path, Value& value, Describe describe) {
        JsonFields fields(object, std::move(path), problems_);
        JsonFields* const outer = std::exchange(fields_, &fields);
        describe(*this, value);
        fields.finish();
        fields_ = outer;
    }

    void text(std::string_view name, std::string& value) { value = fields_->text(name).value_or(""); }
    void optional_text(std::string_view name, std::string& value) { value = fields_->optional_text(name).value_or(""); }
    void minutes(std::string_view name, int& value) {
        value = static_cast<int>(fields_->integer(name, 1, 240).value_or(5));
    }
    void flag(std::string_view name, bool& value) { value = fields_->optional_boolean(name).value_or(false); }
    void words(std::string_view name, std::vector<std::string>& all) { all = words(*fields_, name); }
    void hints(std::string_view name, std::vector<Text>& all) {
        for (std::string& hint : words(*fields_, name)) all.push_back({std::move(hint), {}});
    }

    template <class Value, class Describe>
    void object(std::string_view name, std::optional<Value>& value, Describe describe) {
        if (const auto found = fields_->optional(name, JsonKind::object))
            read_object(*found, join_path(fields_->path(), name), value.emplace(), describe);
    }
    void pins(std::string_view name, std::optional<std::vector<PinnedDesign>>& pins) {
        if (const auto list = fields_->optional(name, JsonKind::array))
            read_items(name, *list, pins.emplace(), describe_pin, limits::pins);
    }
    template <class Value, class Describe>
    void items(std::string_view name, std::vector<Value>& all, Describe describe, bool needed, std::size_t most) {
        const auto list = needed ? fields_->required(name, JsonKind::array) : fields_->optional(name, JsonKind::array);
        if (list) read_items(name, *list, all, describe, most);
    }

    template <class Value, class Describe>
    void read_items(std::string_view name, JsonValue list, std::vector<Value>& all, Describe describe,
                    std::size_t most) {
        const std::string here = join_path(fields_->path(), name);
        if constexpr (std::is_same_v<Value, Step>)
            if (list.size() == 0) problems_.error(list.at(), here, "The lesson has no steps.", "Write at least one.");
        if (!(std::is_same_v<Value, Assertion> ? few_assertions(list, here) : few_enough(list, here, most))) return;
        for (const JsonValue value : list) {
            const std::string path = item_path(fields_->path(), name, all.size());
            if constexpr (std::is_same_v<Value, Step>) {
                if (problems_.all().size() >= limits::problems) return;
                places_[path] = value.at();
            }
            Value one;
            read_object(value, path, one, describe);
            if constexpr (std::is_same_v<Value, Assertion>) check_name(one, value, path);
            all.push_back(std::move(one));
        }
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
    void places(std::string_view name, std::vector<std::string>& all, bool of_charts) {
        words(name, all);
        for (std::string& place : all) place = path_now(place);
        std::vector<std::string_view> known(chart_names.begin(), chart_names.end());
        if (!of_charts) {
            known.insert(known.end(), panel_names.begin(), panel_names.end());
            for (const Field& f : all_fields()) known.push_back(f.path);
        }
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (std::ranges::find(known, all[i]) != known.end()) continue;
            const std::string where = item_path(fields_->path(), name, i);
            problems_.error(
                places_[where], where,
                std::string("There is no ") + (of_charts ? "chart" : "panel, chart or field") + " called " +
                    formats::quoted(all[i]) + ".",
                formats::did_you_mean(all[i], known,
                                      of_charts ? "Name one, such as \"speedup\"." : "Name one, such as \"workers\"."));
        }
    }

    void beginning(Beginning& result) {
        JsonFields& fields = *fields_;
        const auto value = fields.any("scenario");
        if (!value || value->is_null()) return;
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
    }

    void changes(std::string_view name, Changes& all) {
        const auto object = fields_->optional(name, JsonKind::object);
        const std::string where = join_path(fields_->path(), name);
        if (!object || !few_enough(*object, where)) return;
        for (const JsonValue v : *object) {
            places_[join_path(where, v.key())] = v.at();
            if (v.is_string() || v.is_number() || v.kind() == JsonKind::boolean)
                all.push_back({std::string(v.key()), std::string(v.is_string() ? v.text() : v.source())});
            else
                problems_.error(v.at(), join_path(where, v.key()),
                                "A field is set to a text, a number or true or false.",
                                "Write the value as --set takes it.");
        }
    }

    void markup(std::string_view name, Text& text) {
        const auto value = fields_->required(name, JsonKind::string);
        if (value) places_[join_path(fields_->path(), name)] = value->at();
        text.source = value ? value->text() : std::string_view();
    }

    void expression(std::string_view name, std::string& text) {
        const auto value = fields_->required(name, JsonKind::string);
        if (!value) return;
        if (name == "condition" && value->text().find_first_not_of(" \t") == std::string::npos) {
            problems_.error(value->at(), join_path(fields_->path(), name), "It is not said when the task is done.",
                            "Choose a figure or a field, how it compares, and a value: cluster.workers == 8.");
            return;
        }
        const auto judge = Judge::make(value->text(), library_.catalogue);
        if (!judge)
            for (Problem p : judge.error()) {
                p.where = join_path(fields_->path(), name);
                p.at = inside(value->at(), p.at.column);
                problems_.add(std::move(p));
            }
        text = value->text();
    }

    /// Each is worked out with a scenario of its own, so that there is a limit for all of a lesson.
    bool few_assertions(JsonValue list, const std::string& where) {
        assertions_ += list.size();
        if (assertions_ <= limits::lesson_assertions) return true;
        problems_.error(list.at(), where, "The lesson has too many assertions.",
                        "Write " + std::to_string(limits::lesson_assertions) + " at most.");
        return false;
    }

    void check_name(const Assertion& a, JsonValue value, const std::string& path) {
        if (!a.name.empty() && !names_.insert(a.name).second)
            problems_.error(value.at(), path, "Two assertions are called " + formats::quoted(a.name) + ".",
                            "Give each a name of its own.");
        if (!a.name.empty() && a.says.empty())
            problems_.error(value.at(), path, formats::quoted(a.name) + " has nothing to show.",
                            "Add \"says\", the figure as the text has it.");
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
            if (std::ranges::find(picture_names, name) != picture_names.end()) continue;
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

private:
    const formats::Library& library_;
    formats::ProblemList problems_;
    JsonFields* fields_ = nullptr;                  ///< the object at hand
    std::map<std::string, SourcePosition> places_;  ///< of texts and of fields that are set, by their path
    std::set<std::string> names_;
    std::size_t assertions_ = 0;
    Lesson lesson_;
};

class LessonWriter {
public:
    std::string write(const Lesson& lesson) {
        formats::begin_file(json_, lesson_format);
        describe_lesson(*this, lesson);
        json_.end_object();
        return json_.take();
    }

    void text(std::string_view name, const std::string& value) { json_.text(name, value); }
    void optional_text(std::string_view name, const std::string& value) { json_.optional_text(name, value); }
    void minutes(std::string_view name, int value) { json_.integer(name, value); }
    void flag(std::string_view name, bool value) {
        if (value) json_.boolean(name, true);
    }
    void words(std::string_view name, const std::vector<std::string>& all, bool on_one_line = false) {
        if (all.empty()) return;
        json_.key(name);
        on_one_line ? json_.begin_inline_list() : json_.begin_list();
        for (const std::string& word : all) json_.text(word);
        json_.end_list();
    }
    void places(std::string_view name, const std::vector<std::string>& all, bool) { words(name, all, true); }
    void markup(std::string_view name, const Text& value) { json_.text(name, value.source); }
    void hints(std::string_view name, const std::vector<Text>& all) {
        std::vector<std::string> sources;
        for (const Text& hint : all) sources.push_back(hint.source);
        words(name, sources);
    }
    void expression(std::string_view name, const std::string& value) { json_.text(name, value); }

    template <class Value, class Describe>
    void object(std::string_view name, const std::optional<Value>& value, Describe describe) {
        if (!value) return;
        json_.begin_object(name);
        describe(*this, *value);
        json_.end_object();
    }
    void pins(std::string_view name, const std::optional<std::vector<PinnedDesign>>& pins) {
        if (pins) items(name, *pins, describe_pin, true, 0);
    }
    template <class Value, class Describe>
    void items(std::string_view name, const std::vector<Value>& all, Describe describe, bool needed, std::size_t) {
        if (all.empty() && !needed) return;
        json_.begin_list(name);
        for (const Value& value : all) {
            json_.begin_object();
            describe(*this, value);
            json_.end_object();
        }
        json_.end_list();
    }

    void changes(std::string_view key, const Changes& all) {
        if (all.empty()) return;
        json_.begin_inline_object(key);
        for (std::size_t i = 0; i < all.size(); ++i) {
            // A member stands in an object once: what is set last is what counts.
            const auto same = [&](const Change& c) { return c.path == all[i].path; };
            if (std::any_of(all.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.end(), same)) continue;
            const std::string& value = all[i].value;
            const auto number = parse_decimal(value);
            json_.key(all[i].path);
            if (value == "true" || value == "false" || (number && shortest_decimal(*number) == value))
                json_.raw(value);
            else
                json_.text(value);
        }
        json_.end_object();
    }

    void beginning(const Beginning& b) {
        if (!b.is_given()) return;
        json_.key("scenario");
        if (b.preset.empty())
            json_.raw(b.scenario);
        else
            json_.text(b.preset);
    }

private:
    formats::JsonWriter json_;
};

}  // namespace

Result<Lesson> read_lesson(std::string_view text, std::string file, const formats::Library& library) {
    ASSIGN_OR_RETURN(const auto document, formats::open_document(text, std::move(file), lesson_format));
    return LessonReader(library).read(document.root());
}

Result<Lesson> read_draft(std::string_view text, std::string file, const formats::Library& library) {
    ASSIGN_OR_RETURN(const auto document, formats::open_document(text, std::move(file), lesson_format));
    return LessonReader(library).read_draft(document.root());
}

Result<Lesson> read_lesson(const formats::Preset& preset, const formats::Library& library) {
    auto lesson = read_lesson(preset.text, preset.file, library);
    if (lesson) lesson->id = preset.id;
    return lesson;
}

std::string write_lesson(const Lesson& lesson) { return LessonWriter().write(lesson); }

}  // namespace scalescope::lessons
