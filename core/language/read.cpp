// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/embedded.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/formats/versions.hpp"
#include "core/language/catalogue.hpp"

namespace scalescope::language {
namespace {

const formats::FileFormat language_format{"scalescope-language", "language", {}};

}  // namespace

Problems read_language(std::string_view text, std::string file, Catalogue& into) {
    auto document = formats::open_document(text, std::move(file), language_format);
    if (!document) return document.error();
    formats::ProblemList problems;
    formats::JsonFields fields(document->root(), {}, problems);
    fields.ignore("format");
    fields.ignore("version");
    (void)fields.text("language");
    (void)fields.optional_text("about");
    NumberMarks marks = into.marks();
    for (const auto& [name, mark] : {std::pair{"decimal_mark", &marks.decimal}, {"group_mark", &marks.group}})
        if (const auto text_of_mark = fields.optional_text(name); text_of_mark && text_of_mark->size() == 1)
            *mark = text_of_mark->front();
    into.set_marks(marks);
    if (const auto texts = fields.required("texts", formats::JsonKind::object))
        for (const formats::JsonValue entry : *texts) {
            if (!entry.is_string()) {
                problems.error(entry.at(), std::string(entry.key()), "This must be a text.", "Write the translation.");
                continue;
            }
            const std::string wrong = into.add(entry.key(), entry.text());
            if (!wrong.empty())
                problems.error(entry.key_at(), std::string(entry.key()), wrong,
                               "Number the holes of the translation {1}, {2} … as they stand in the English text.");
        }
    fields.finish();
    return problems.take();
}

Result<Catalogue> shipped_catalogue(std::string_view code) {
    Catalogue catalogue;
    Problems problems;
    const std::string folder = "languages/" + std::string(code) + '/';
    for (const formats::EmbeddedFile& file : formats::embedded_files()) {
        // What stands in folders of its own are the texts of lessons (core/lessons/translation.hpp).
        if (!file.path.starts_with(folder) || file.path.find('/', folder.size()) != std::string_view::npos) continue;
        for (Problem& p : read_language(file.text, std::string(file.path), catalogue)) problems.push_back(std::move(p));
    }
    if (!problems.empty()) return fail(std::move(problems));
    catalogue.sort();
    return catalogue;
}

}  // namespace scalescope::language
