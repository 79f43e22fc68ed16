// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/trainers/description.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include "core/base/sequences.hpp"
#include "core/formats/embedded.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/formats/versions.hpp"

namespace scalescope::formats::trainers {
namespace {

const FileFormat configurations_format{"scalescope-configurations", "training configuration", {}};

std::vector<std::string> words_in(std::string_view text) {
    std::vector<std::string> words;
    while (!text.empty()) {
        const auto end = std::min(text.find(' '), text.size());
        if (end > 0) words.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

class DescriptionReader {
public:
    DescriptionReader(ProblemList& problems, std::vector<Description>& known) : problems_(problems), known_(known) {}

    void read(JsonValue value, const std::string& path) {
        JsonFields fields(value, path, problems_);
        Description d;
        if (const auto like = fields.optional_text("like")) {
            if (const Description* base = find_by(known_, *like, &Description::id))
                d = *base;
            else
                fields.error("like", value, "There is no description " + quoted(*like) + " before this one.",
                             "Name one that stands before it.");
            d.recognized.clear();
            d.written.clear();
            d.losses.clear();
        }
        d.id = fields.text("id").value_or("");
        d.title = fields.text("title").value_or("");
        fields.ignore("abstract");
        fields.ignore("source");
        if (const auto all = fields.any("recognized")) {
            for (const auto& keys : fields.texts("recognized").value_or(std::vector<std::string>{}))
                d.recognized.push_back(words_in(keys));
        }
        append_words(fields, "prefixes", d.prefixes);
        append_words(fields, "unused", d.unused);
        each(fields, "figures", [&](JsonValue figure) { d.figures[std::string(figure.key())] = figure_of(figure); });
        each(fields, "models", [&](JsonValue model) {
            for (const JsonValue figure : model)
                d.models[std::string(model.key())][std::string(figure.key())] = constant_of(figure);
        });
        each(fields, "gone", [&](JsonValue gone) { d.gone[std::string(gone.key())] = gone.text(); });
        append_rules(fields, "rules", d.rules);
        append_rules(fields, "losses", d.losses);
        if (const auto written = fields.optional("written", JsonKind::object))
            read_written(*written, join_path(path, "written"), d);
        fields.finish();
        check_names(d, value);
        known_.push_back(std::move(d));
    }

private:
    static void append_words(JsonFields& fields, std::string_view name, std::vector<std::string>& to) {
        if (const auto text = fields.optional_text(name))
            for (std::string& word : words_in(*text)) to.push_back(std::move(word));
    }

    template <class F>
    static void each(JsonFields& fields, std::string_view name, F f) {
        if (const auto object = fields.optional(name, JsonKind::object))
            for (const JsonValue member : *object) f(member);
    }

    static Value constant_of(JsonValue value) {
        if (value.kind() == JsonKind::boolean) return {std::int64_t{value.boolean()}};
        if (value.is_integer()) return {value.integer()};
        if (value.is_number()) return {value.number()};
        return {std::string(value.text())};
    }

    Expression expression(JsonValue value, bool text = false) {
        if (!value.is_string()) return hugging_face::constant(constant_of(value), value.at());
        hugging_face::ExpressionReader reader(value.text(), value.at());
        Expression e = text ? reader.text() : reader.expression();
        if (!reader.problem() && !reader.ended()) reader.wrong("The formula goes on here.", "End it here.");
        if (reader.problem()) problems_.add(*reader.problem());
        return e;
    }

    FigureRule figure_of(JsonValue value) {
        FigureRule rule;
        if (!value.is_object()) {
            rule.otherwise = expression(value);
            return rule;
        }
        JsonFields fields(value, std::string(value.key()), problems_);
        append_words(fields, "keys", rule.keys);
        if (const auto otherwise = fields.any("otherwise")) rule.otherwise = expression(*otherwise);
        each(fields, "words", [&](JsonValue word) {
            for (const std::string& one : words_in(word.key())) rule.words[one] = constant_of(word);
        });
        const auto kind = fields.optional_text("kind").value_or("");
        rule.repeated = kind == "repeated";
        fields.finish();
        return rule;
    }

    void append_rules(JsonFields& fields, std::string_view name, std::vector<Rule>& to) {
        const auto list = fields.optional(name, JsonKind::array);
        if (!list) return;
        for (const JsonValue value : *list) {
            JsonFields members(value, join_path(fields.path(), name), problems_);
            Rule rule;
            if (const auto when = members.any("if")) rule.when = expression(*when);
            if (const auto what = members.any("what")) rule.what = expression(*what, true);
            if (const auto remedy = members.any("remedy")) rule.remedy = expression(*remedy, true);
            rule.vary = members.optional_text("vary").value_or("");
            constexpr std::array<std::string_view, 3> kinds{"complaint", "question", "note"};
            if (members.any("kind"))
                if (const auto kind = members.choice("kind", kinds)) rule.kind = static_cast<RuleKind>(*kind);
            members.finish();
            to.push_back(std::move(rule));
        }
    }

    void read_written(JsonValue value, const std::string& path, Description& d) {
        JsonFields fields(value, path, problems_);
        d.syntax = fields.text("syntax").value_or("");
        if (const auto command = fields.any("command")) d.command = expression(*command, true);
        d.written.clear();
        if (const auto keys = fields.required("keys", JsonKind::array))
            for (const JsonValue row : *keys) {
                JsonFields members(row, path, problems_);
                WrittenKey key;
                key.key = members.text("key").value_or("");
                if (const auto when = members.any("if")) key.when = expression(*when);
                if (const auto text = members.any("text")) {
                    key.value = expression(*text, true);
                    key.text = true;
                } else if (const auto flag = members.any("flag")) {
                    key.value = expression(*flag);
                    key.flag = true;
                } else if (const auto formula = members.any("value")) {
                    key.value = expression(*formula);
                }
                members.finish();
                d.written.push_back(std::move(key));
            }
        fields.finish();
    }

    /// Every name in a formula is a figure.
    void check_names(const Description& d, JsonValue value) {
        const std::function<void(const Expression&)> check = [&](const Expression& e) {
            if (e.op == Expression::Op::name && !d.figure(e.name))
                problems_.error(e.at.line > 0 ? e.at : value.at(), d.id, "There is no figure " + quoted(e.name) + ".",
                                "Define it, or correct its name.");
            std::ranges::for_each(e.parts, check);
        };
        for (const auto& [name, figure] : d.figures)
            if (figure.otherwise) check(*figure.otherwise);
        for (const auto* rules : {&d.rules, &d.losses})
            for (const Rule& rule : *rules)
                for (const Expression* e : {&rule.when, &rule.what, &rule.remedy}) check(*e);
        check(d.command);
        for (const WrittenKey& key : d.written) {
            check(key.value);
            if (key.when) check(*key.when);
        }
    }

    ProblemList& problems_;
    std::vector<Description>& known_;
};

}  // namespace

const FigureRule* Description::figure(std::string_view name) const {
    constexpr std::string_view stated = "_stated";
    if (name.ends_with(stated)) name.remove_suffix(stated.size());
    const auto found = figures.find(name);
    return found == figures.end() ? nullptr : &found->second;
}

Result<std::vector<Description>> read_descriptions(std::string_view text, const std::string& file,
                                                   std::vector<Description> known) {
    ASSIGN_OR_RETURN(const auto document, open_document(text, file, configurations_format));
    ProblemList problems;
    JsonFields fields(document.root(), {}, problems);
    for (const auto name : {"format", "version", "$schema"}) fields.ignore(name);
    DescriptionReader reader(problems, known);
    if (const auto trainers = fields.required("trainers", JsonKind::array))
        for (const JsonValue trainer : *trainers) reader.read(trainer, "trainers");
    fields.finish();
    if (problems.has_errors()) return fail(problems.take());
    return known;
}

const std::vector<Description>& shipped_descriptions() {
    static const std::vector<Description> all = [] {
        std::vector<Description> known;
        for (const EmbeddedFile& file : embedded_files()) {
            if (!file.path.starts_with("configurations/")) continue;
            auto read = read_descriptions(file.text, "presets/" + std::string(file.path), known);
            if (read) known = std::move(*read);  // a test reads them one by one
        }
        return known;
    }();
    return all;
}

}  // namespace scalescope::formats::trainers
