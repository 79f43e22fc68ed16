// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html.hpp"

#include "core/base/utf8.hpp"

namespace scalescope::report {
namespace {

constexpr std::string_view style = R"(
@page { size: A4; margin: 14mm }
* { box-sizing: border-box }
body { font: 13px/1.4 Inter, "Helvetica Neue", Arial, sans-serif; color: #111; background: #fff; max-width: 760px;
  margin: 24px auto; padding: 0 16px }
h1 { font-size: 22px; line-height: 1.25; margin: 0 0 4px }
h2 { font-size: 15px; margin: 20px 0 6px }
p { margin: 4px 0 8px } .by, .note, caption { color: #555 } .question { font-style: italic }
table { border-collapse: collapse; width: 100%; margin: 4px 0 }
th, td { text-align: left; padding: 2px 10px 2px 0; vertical-align: top; border-bottom: 1px solid #ddd }
thead th { border-bottom: 1px solid #555 } th[scope=row] { font-weight: normal }
.misfit { color: #b3261e; font-weight: 600 }
tr.differs th, tr.differs td { font-weight: 600 }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
figure { margin: 10px 0; break-inside: avoid } tr, h2 { break-inside: avoid } h2 { break-after: avoid }
svg { width: 100%; height: auto; display: block } svg text, svg g { font-family: Inter, "Helvetica Neue", Arial, sans-serif }
@media print { body { font-size: 10.5px; margin: 0; max-width: none; padding: 0 } h1 { font-size: 18px } h2 { font-size: 13px; margin: 12px 0 4px }
  th, td { padding: 1px 8px 1px 0 } table { break-inside: avoid } table.sources { break-inside: auto }
  figure { width: 86%; margin: 6px auto } }
)";

std::string element(std::string_view name, std::string_view text, std::string_view attributes = {}) {
    std::string out = "<" + std::string(name) + (attributes.empty() ? "" : " " + std::string(attributes)) + ">";
    return out + escaped(text) + "</" + std::string(name) + ">\n";
}

/// The drawing itself: an element in a page has no prolog and no document type.
std::string inside(std::string_view svg) {
    const auto begin = svg.find("<svg");
    return begin == std::string_view::npos ? std::string() : std::string(svg.substr(begin));
}

std::string mark(compare::Verdict v) {
    return v == compare::Verdict::better ? " ✓" : v == compare::Verdict::worse ? " ✗" : "";
}

/// The beginning of a table up to its first row; `heads` may have the class of numbers from some place on.
void begin_table(std::string& out, const Speech& in, std::initializer_list<const char*> heads, std::size_t numbers) {
    out += "<thead><tr>";
    std::size_t i = 0;
    for (const char* head : heads)
        out += element("th", in.tell(head), i++ < numbers ? "scope=\"col\"" : "scope=\"col\" class=\"n\"");
    out += "</tr></thead>\n<tbody>\n";
}

void add_head_row(std::string& out, const Report& r, std::string_view first, bool numbers) {
    out += "<thead><tr>" + element("th", first, "scope=\"col\"");
    for (const Design& d : r.designs)
        out += element("th", d.letter, numbers ? "scope=\"col\" class=\"n\"" : "scope=\"col\"");
    out += "</tr></thead>\n<tbody>\n";
}

void add_designs(std::string& out, const Report& r, const Speech& in) {
    out += element("h2", in.tell("Designs"));
    for (const Design& d : r.designs)
        out += "<p><b>" + escaped(d.title()) + "</b>" +
               (d.scenario->description.empty() ? "" : " – " + escaped(in.tell(d.scenario->description))) + "</p>\n";
    out += "<table>\n";
    if (r.designs.size() > 1) out += element("caption", in.tell("Rows in bold differ."));
    add_head_row(out, r, "", false);
    for (const FieldLine& line : r.fields) {
        out += line.differs ? "<tr class=\"differs\">" : "<tr>";
        out += element("th", in.tell(line.label), "scope=\"row\"");
        for (const std::string& value : line.values) out += element("td", tell_value(in, line.label, value));
        out += "</tr>\n";
    }
    out += "</tbody></table>\n";
}

void add_figures(std::string& out, const Report& r, const Speech& in) {
    out += element("h2", in.tell("Key figures")) + "<table>\n";
    if (r.designs.size() > 1)
        out += element("caption", in.tell("Changes are against " + r.designs[0].letter + ": ✓ better, ✗ worse."));
    add_head_row(out, r, "", true);
    for (const FigureLine& line : r.figures) {
        out += "<tr>" + element("th", in.tell(line.label) + (line.unit.empty() ? "" : ", " + in.tell(line.unit)),
                                "scope=\"row\"");
        for (std::size_t i = 0; i < line.values.size(); ++i) {
            const std::string text = escaped(
                line.values[i] +
                (line.changes[i].empty() ? "" : " (" + in.tell(line.changes[i]) + mark(line.verdicts[i]) + ")"));
            out += "<td class=\"n\">" + (line.struck[i] ? "<s>" + text + "</s>" : text) + "</td>\n";
        }
        out += "</tr>\n";
    }
    out += "</tbody></table>\n";
}

/// Those of one comparison, or of all designs.
void add_pictures(std::string& out, const std::vector<Picture>& pictures, int comparison) {
    for (const Picture& p : pictures)
        if (p.comparison == comparison)
            out += "<figure role=\"img\" aria-label=\"" + escaped(p.title) + "\">\n" + inside(p.svg) + "</figure>\n";
}

void add_comparison(std::string& out, const Report& r, std::size_t index, const std::vector<Picture>& pictures,
                    const Speech& in) {
    const Comparison& c = r.comparisons[index];
    if (c.lines.empty()) return;  // the sentence at the beginning says so
    const Design& to = r.designs[c.to];
    out += element("h2", in.tell("What makes the difference between " + r.designs[0].letter + " and " + to.letter));
    add_pictures(out, pictures, static_cast<int>(index));
    out += "<table>\n";
    begin_table(out, in, {"Replaced, in this order", "Change", "Of the whole", "Alone"}, 1);
    for (const ShareLine& line : c.lines)
        out += "<tr>" + element("th", in.tell(line.name), "scope=\"row\"") + element("td", line.change, "class=\"n\"") +
               element("td", line.part, "class=\"n\"") + element("td", line.alone, "class=\"n\"") + "</tr>\n";
    out += "</tbody></table>\n";
    if (!c.note.empty()) out += element("p", in.tell(c.note), "class=\"note\"");
}

void add_assumptions(std::string& out, const Report& r, const Speech& in) {
    out += element("h2", in.tell("What this rests on")) + "<table class=\"sources\">\n";
    begin_table(out, in, {"Assumption", "Evidence", "Source"}, 3);
    for (const Assumption& a : r.assumptions)
        out += "<tr>" + element("th", (a.designs.empty() ? "" : a.designs + ": ") + in.tell(a.what), "scope=\"row\"") +
               element("td", in.tell(a.evidence)) + element("td", in.tell(a.source)) + "</tr>\n";
    out += "</tbody></table>\n";
    for (const std::string& note : r.notes) out += element("p", in.tell(note), "class=\"note\"");
}

}  // namespace

std::string tell_value(const Speech& in, const std::string& label, const std::string& value) {
    const std::string before = in.tell(label) + ' ', both = in.tell(label + ' ' + value);
    return both.starts_with(before) ? both.substr(before.size()) : in.tell(value);
}

std::string escaped(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        const std::size_t length = character_length(text, i);
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            case '\'': out += "&#39;"; break;
            default:
                if (length == 0)
                    out += replacement_character;
                else if (length > 1 || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F) || c == '\t' || c == '\n')
                    out += text.substr(i, length);  // XML knows no other control characters, not even escaped
        }
        i += length == 0 ? 1 : length;
    }
    return out;
}

std::string to_html(const Report& r, const std::vector<Picture>& pictures, const Speech& in) {
    std::string out =
        "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"" + in.code + "\">\n<head>\n";
    out += "<meta charset=\"utf-8\"/>\n" + element("title", r.title) + "<style>" + std::string(style) + "</style>\n";
    out += "</head>\n<body>\n" + element("h1", r.title);
    out += element("p",
                   "Scalescope " + r.version + (r.date.empty() ? "" : ", " + r.date) + ". " +
                       in.tell("Predicted by a performance model; nothing was run."),
                   "class=\"by\"");
    if (!r.question.empty()) out += element("p", r.question, "class=\"question\"");
    for (const Design& d : r.designs)
        if (!d.cannot_run.empty()) out += element("p", in.tell(d.cannot_run), "class=\"misfit\"");
    for (const Comparison& c : r.comparisons) out += element("p", in.tell(c.sentence));
    add_designs(out, r, in);
    add_figures(out, r, in);
    add_pictures(out, pictures, -1);
    for (std::size_t i = 0; i < r.comparisons.size(); ++i) add_comparison(out, r, i, pictures, in);
    add_assumptions(out, r, in);
    return out + "</body>\n</html>\n";
}

}  // namespace scalescope::report
