// SPDX-License-Identifier: GPL-3.0-or-later
// Families as JSON: presets/schema/families.schema.json.
#include <algorithm>
#include <array>

#include "core/base/limits.hpp"
#include "core/base/name_list.hpp"
#include "core/formats/hugging_face/families.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/formats/network_json.hpp"
#include "core/formats/versions.hpp"

namespace scalescope::formats::hugging_face {
namespace {

constexpr FileFormat format{"scalescope-families", "file of families", {}};
constexpr std::int64_t most_width = 1 << 24;  ///< unless a family says otherwise

/// Where the characters of a text begin.
SourcePosition inside(JsonValue text) {
    SourcePosition at = text.at();
    ++at.column;
    return at;
}

Statement statement_of(ExpressionReader& in) {
    Statement s;
    s.at = in.position();
    s.target = in.name();
    in.expect("=");
    ExpressionReader called = in;
    s.callee = called.name();
    if (!s.callee.empty() && called.take("(") && s.callee != "has") {
        in = called;
        while (!in.take(")") && !in.problem()) {
            ExpressionReader named = in;
            Argument argument;
            argument.name = named.name();
            if (!argument.name.empty() && named.take(":"))
                in = named;
            else
                argument.name.clear();
            argument.value = in.expression();
            s.arguments.push_back(std::move(argument));
            if (!in.take(",")) {
                in.expect(")");
                break;
            }
        }
    } else {
        s.callee.clear();
        s.arguments.push_back({{}, in.expression()});
    }
    if (in.take("as")) {
        const auto at = in.position();
        ExpressionReader name(in.until_blank(), at);
        s.name = name.text();
        if (name.problem()) in.wrong(name.problem()->what, name.problem()->remedy);
    }
    if (in.take("for")) {
        s.repeat = in.name();
        in.expect("<");
        s.count = in.expression();
    }
    if (in.take("if")) s.condition = in.expression();
    if (!in.ended() || s.target.empty() || (s.count && s.callee.empty()))
        in.wrong("This is not a line of a block.",
                 "Write \"name = block(inputs, figure: value) as NAME if condition\".");
    return s;
}

class FamilyReader {
public:
    FamilyReader(JsonValue value, ProblemList& problems) : fields_(value, "families", problems), problems_(problems) {}

    Family family() {
        Family f;
        f.at = fields_.value().at();
        f.types = fields_.optional_text("types").value_or("");
        std::string_view types = f.types;
        f.name = fields_.optional_text("name").value_or(next_name(types));
        f.title = fields_.optional_text("title").value_or(f.name);
        f.classes = fields_.optional_text("classes").value_or("");
        f.exact = fields_.optional_text("class").value_or("");
        f.like = fields_.optional_text("like").value_or("");
        f.spellings = fields_.optional_text("spellings").value_or("");
        f.usual = fields_.optional_text("usual").value_or("");
        (void)fields_.optional_text("source");
        if (f.name.empty()) fields_.error("This family has no name.", "Write \"types\": the model_type of its files.");
        for (const JsonValue v : members("figures")) f.figures.emplace(v.key(), figure(v));
        for (const JsonValue v : members("defaults")) f.defaults.emplace(v.key(), formula(v));
        for (const JsonValue v : members("blocks")) {
            Block block = this->block(v);
            f.blocks.emplace(v.key().substr(0, v.key().find('(')), std::move(block));
        }
        for (const bool error : {true, false})
            for (const JsonValue v : members(error ? "errors" : "warnings", JsonKind::array))
                f.notes.push_back(note(v, error));
        for (const JsonValue v : members("symbols")) f.symbols.push_back(symbol(v));
        for (const JsonValue v : members("sizes")) f.sizes.push_back(size(v));
        fields_.finish();
        return f;
    }

private:
    std::vector<JsonValue> members(std::string_view name, JsonKind kind = JsonKind::object) {
        const auto all = fields_.optional(name, kind);
        return all ? std::vector<JsonValue>(all->begin(), all->end()) : std::vector<JsonValue>{};
    }

    void report(const ExpressionReader& reader, JsonValue v) {
        if (const auto& p = reader.problem()) problems_.error(p->at, std::string(v.key()), p->what, p->remedy);
    }

    Expression formula(JsonValue v) {
        if (v.is_integer()) return constant({v.integer()}, v.at());
        if (v.is_number()) return constant({v.number()}, v.at());
        if (v.kind() == JsonKind::boolean) return constant({std::int64_t{v.boolean()}}, v.at());
        ExpressionReader in(v.text().substr(0, limits::expression_bytes), inside(v));
        Expression e = in.expression();
        if (!in.ended()) in.wrong("The formula should end here.", "Correct it.");
        report(in, v);
        return e;
    }

    Expression words(JsonFields& fields, std::string_view name) {
        const auto v = fields.required(name, JsonKind::string);
        ExpressionReader in(v ? v->text() : "", v ? inside(*v) : SourcePosition{});
        Expression t = in.text();
        if (v) report(in, *v);
        return t;
    }

    Figure figure(JsonValue v) {
        Figure f;
        f.at = v.at();
        if (!v.is_object()) {
            f.otherwise = formula(v);
            return f;
        }
        JsonFields in(v, std::string(v.key()), problems_);
        constexpr std::array<std::string_view, 6> kinds{"whole", "number", "flag", "word", "list", "any"};
        f.kind = static_cast<Figure::Kind>(in.any("kind") ? in.choice("kind", kinds).value_or(0) : 0);
        f.keys = in.text("keys").value_or("");
        if (const auto otherwise = in.any("otherwise")) f.otherwise = formula(*otherwise);
        f.least = in.optional_integer("least").value_or(1);
        f.most = in.optional_integer("most").value_or(most_width);
        f.quiet = in.optional_boolean("quiet").value_or(f.kind != Figure::Kind::whole);
        f.absent = in.optional_text("absent").value_or("");
        if (const auto all = in.optional("words", JsonKind::object))
            for (const JsonValue word : *all) f.words.emplace_back(word.key(), word.text());
        in.finish();
        return f;
    }

    /// "mlp(x, memory)": ["line", …]
    Block block(JsonValue v) {
        Block b;
        b.at = v.key_at();
        ExpressionReader head(v.key(), inside(v));
        (void)head.name();
        head.expect("(");
        while (!head.take(")") && !head.problem()) {
            b.inputs.push_back(head.name());
            if (!head.take(",")) {
                head.expect(")");
                break;
            }
        }
        if (!head.ended() || head.problem())
            problems_.error(b.at, std::string(v.key()), "This is not the head of a block.",
                            "Write \"name(x)\": [\"line\", …].");
        for (const JsonValue line : v) {
            ExpressionReader in(line.text().substr(0, limits::expression_bytes), inside(line));
            b.statements.push_back(statement_of(in));
            report(in, v);
        }
        return b;
    }

    Note note(JsonValue v, bool error) {
        JsonFields in(v, error ? "errors" : "warnings", problems_);
        Note n;
        if (const auto when = in.any("if"))
            n.when = formula(*when);
        else
            n.when = constant({std::int64_t{1}}, v.at());
        n.figure = in.optional_text("at").value_or("");
        n.what = words(in, "what");
        n.remedy = words(in, "remedy");
        if (!error) n.layers = in.optional_text("layers").value_or("");
        n.error = error;
        in.finish();
        return n;
    }

    FamilySymbol symbol(JsonValue v) {
        JsonFields in(v, std::string(v.key()), problems_);
        FamilySymbol s;
        s.name = v.key();
        if (!is_symbol(v.key()))
            problems_.error(v.key_at(), "symbols", quoted(v.key()) + " is no name of a symbol.",
                            "Use letters, digits and _, and begin with a letter.");
        const auto initial = in.any("initial");
        s.initial = initial ? formula(*initial) : constant({std::int64_t{1}}, v.at());
        s.about = words(in, "about");
        in.finish();
        return s;
    }

    Size size(JsonValue v) {
        JsonFields in(v, std::string(v.key()), problems_);
        Size s;
        s.name = v.key();
        s.billions = in.number("billions", 0).value_or(0);
        s.source = in.text("source").value_or("");
        const auto config = in.required("config", JsonKind::object);
        if (config) s.config = config->source();
        if (config && config->size() == 0)
            problems_.error(config->at(), "config", "This size has no figures.", "Write those of its config.json.");
        in.finish();
        return s;
    }

    JsonFields fields_;
    ProblemList& problems_;
};

}  // namespace

Result<std::vector<Family>> read_family_file(std::string_view text, std::string file) {
    ASSIGN_OR_RETURN(const auto document, open_document(text, std::move(file), format));
    ProblemList problems;
    JsonFields fields(document.root(), {}, problems);
    (void)fields.any("format");
    (void)fields.any("version");
    std::vector<Family> all;
    if (const auto families = fields.required("families", JsonKind::array))
        for (const JsonValue v : *families) all.push_back(FamilyReader(v, problems).family());
    fields.finish();
    if (problems.has_errors()) return fail(problems.take());
    return all;
}

}  // namespace scalescope::formats::hugging_face
