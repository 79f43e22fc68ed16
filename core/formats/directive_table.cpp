// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/directive_table.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "core/base/letters.hpp"
#include "core/base/limits.hpp"

namespace scalescope::formats {

namespace {

constexpr std::string_view spaces_and_ends = " \t\r\n";

std::size_t indent_of(std::string_view line) { return std::min(line.find_first_not_of(spaces_and_ends), line.size()); }

/// Bytes from the bullet of an item to its text; 0 if it has no bullet.
std::size_t bullet_in(std::string_view words) {
    if (words.empty() || std::string_view("*+-").find(words.front()) == std::string_view::npos) return 0;
    return words.size() == 1 ? 1 : indent_of(words.substr(1)) + (words[1] == ' ' || words[1] == '\t' ? 1 : 0);
}

class DirectiveFinder {
public:
    DirectiveFinder(std::string_view text, const TextLine& first) : text_(text), first_(first) {}

    std::optional<TableLayout> run() {
        if (!read_name() || !read_options()) return std::nullopt;
        find_end();
        return layout_;
    }

private:
    bool read_name() {
        auto words = trimmed(first_.text);
        if (!words.starts_with(".. ")) {
            if (words.empty() || std::string_view("`~:").find(words.front()) == words.npos) return false;
            fence_ = words.substr(0, words.find_first_not_of(words.front()));
            if (fence_.size() < 3) return false;
        }
        words = trimmed(words.substr(fence_.empty() ? 3 : fence_.size()));
        words = words.substr(0, words.find_first_of(" \t"));
        layout_.kind = words.find("list") == words.npos ? TableLayout::Kind::csv : TableLayout::Kind::list;
        const std::string_view name = layout_.kind == TableLayout::Kind::csv ? "csv-table" : "list-table";
        return fence_.empty() ? words.ends_with("::") && words.substr(0, words.size() - 2) == name
                              : words.size() > 2 && words.front() == '{' && words.back() == '}' &&
                                    words.substr(1, words.size() - 2) == name;
    }

    bool is_inside(const TextLine& line) const {
        const auto words = trimmed(line.text);
        if (fence_.empty()) return words.empty() || indent_of(line.text) > indent_of(first_.text);
        return !words.starts_with(fence_) || words.find_first_not_of(fence_.front()) != words.npos;
    }

    /// Reads what stands between the directive's name and its rows. False if there are none.
    bool read_options() {
        constexpr int most = 20;  // lines, each of which may begin a directive
        bool in_title = fence_.empty(), between_dashes = false;
        std::size_t indent = text_.npos;  // of the option above
        std::size_t at = layout_.begin = first_.next;
        for (int lines = 0; at < text_.size() && lines < most; ++lines) {
            const TextLine line = line_at(text_, at);
            const auto words = trimmed(line.text);
            if (!is_inside(line) || words.starts_with("..")) return false;
            const bool is_item = layout_.kind == TableLayout::Kind::list && bullet_in(words) > 0;
            if (words.empty()) {
                in_title = false, indent = text_.npos;
            } else if (!fence_.empty() && words == "---") {
                between_dashes = !between_dashes;
            } else if (read_option(words, between_dashes)) {
                in_title = false, indent = indent_of(line.text);
            } else if (in_title && !is_item) {
                layout_.begin = line.next;
            } else if (indent != text_.npos && indent_of(line.text) > indent && !is_item) {
                if (in_header_) layout_.directive.header_end = offset_of(words) + words.size();
            } else {
                layout_.directive.rows = at;
                return is_item || layout_.kind == TableLayout::Kind::csv;
            }
            at = line.next;
        }
        return false;
    }

    std::size_t offset_of(std::string_view part) const { return static_cast<std::size_t>(part.data() - text_.data()); }

    /// ":header-rows: 1"
    bool read_option(std::string_view words, bool between_dashes) {
        if (words.starts_with(':'))
            words.remove_prefix(1);
        else if (!between_dashes)
            return false;
        const std::size_t colon = words.find(':');
        if (colon == words.npos || (colon + 1 < words.size() && words[colon + 1] != ' ')) return false;
        const auto name = words.substr(0, colon), value = trimmed(words.substr(colon + 1));
        auto& directive = layout_.directive;
        in_header_ = name == "header";
        if (in_header_) directive.header = offset_of(value), directive.header_end = directive.header + value.size();
        if (name == "header-rows") std::from_chars(value.data(), value.data() + value.size(), directive.header_rows);
        if (name == "delim" && value.size() == 1) directive.separator = value.front();
        if (name == "delim" && (value == "tab" || value == "space")) directive.separator = value == "tab" ? '\t' : ' ';
        return true;
    }

    void find_end() {
        auto& rows_end = layout_.directive.rows_end;
        for (std::size_t at = layout_.directive.rows; at < text_.size();) {
            const TextLine line = line_at(text_, at);
            at = line.next;
            const bool inside = is_inside(line);
            if (inside && !trimmed(line.text).empty()) rows_end = at;
            if (inside || !fence_.empty()) layout_.end = fence_.empty() ? rows_end : at;
            if (!inside) return;
        }
    }

    std::string_view text_, fence_;  ///< fence: of MyST, "```" or longer
    const TextLine first_;
    TableLayout layout_;
    bool in_header_ = false;
};

/// Drops ":ref:" or "{ref}" from the end of a text.
bool drop_role(std::string& text) {
    constexpr std::size_t longest = 40;
    const auto near = std::string_view(text).substr(text.size() - std::min(text.size(), longest));
    if (near.size() < 3 || (near.back() != ':' && near.back() != '}')) return false;
    const std::size_t before =
        near.find_last_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:.+_-", near.size() - 2);
    const bool braces = near.back() == '}';
    if (braces && (before == near.npos || near[before] != '{')) return false;
    const std::size_t begin = braces ? before : before + 1;  // npos + 1 is 0
    if (near[begin] != (braces ? '{' : ':') || begin + 2 >= near.size()) return false;
    text.resize(text.size() - (near.size() - begin));
    return true;
}

class MarkupReader {
public:
    explicit MarkupReader(std::string_view text) : text_(text) {}

    std::string run() {
        bool line_begins = true;
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (line_begins && text_.substr(at_).starts_with("| ")) ++at_;  // in front of each line of a block
            if (spaces_and_ends.find(c) == spaces_and_ends.npos)
                line_begins = false;
            else if (c == '\n')
                line_begins = true;
            if ((c == '\\' && read_escape()) || (c == '`' && read_quoted()) || (c == '[' && skip_footnote())) continue;
            add(text_.substr(at_++, 1));
        }
        if (plain_.ends_with(' ')) plain_.pop_back();
        return std::move(plain_);
    }

private:
    void add(std::string_view words) {
        for (const char c : words) {
            const bool blank = spaces_and_ends.find(c) != spaces_and_ends.npos;
            if (!blank || (!plain_.empty() && plain_.back() != ' ')) plain_ += blank ? ' ' : c;
        }
    }

    /// "\*" stands for the character, and "\ " for nothing.
    bool read_escape() {
        if (at_ + 1 >= text_.size()) return false;
        const auto next = text_.substr(at_ + 1, 1);
        const char c = small_letter(next.front());
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) return false;
        if (spaces_and_ends.find(c) == spaces_and_ends.npos) add(next);
        at_ += 2;
        return true;
    }

    /// "``literal``", ":role:`text`", "`text <target>`_"
    bool read_quoted() {
        const std::string_view quote = text_.substr(at_).starts_with("``") ? "``" : "`";
        const std::size_t begin = at_ + quote.size(), end = text_.find(quote, begin);
        if (end == text_.npos) return false;
        auto words = text_.substr(begin, end - begin);
        at_ = end + quote.size();
        if (quote.size() == 1) {
            if (words.ends_with('>')) {
                const auto shown = words.substr(0, std::min(words.rfind('<'), words.size()));
                if (shown.find_first_not_of(spaces_and_ends) != shown.npos)
                    words = shown.substr(0, shown.find_last_not_of(spaces_and_ends) + 1);
            }
            if (drop_role(plain_) && (words.starts_with('~') || words.starts_with('!'))) words.remove_prefix(1);
            for (int n = 0; n < 2 && at_ < text_.size() && text_[at_] == '_'; ++n) ++at_;
        }
        add(words);
        return true;
    }

    /// "[1]_"
    bool skip_footnote() {
        constexpr std::size_t longest = 24;
        const auto near = text_.substr(at_, longest);
        const std::size_t end = near.find(']');
        if (end == near.npos || !near.substr(end).starts_with("]_") || near.find_first_of(" `") < end) return false;
        at_ += end + 2;
        return true;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::string plain_;
};

}  // namespace

std::optional<TableLayout> find_directive(std::string_view text, const TextLine& line) {
    return DirectiveFinder(text, line).run();
}

detail::TableRows read_list_table(detail::CsvStore& store, const TableLayout& layout) {
    detail::TableRows table;
    const std::string_view text = store.text;
    std::size_t row_indent = 0, cell_indent = 0, cells = 0;
    for (std::size_t at = layout.directive.rows; at < layout.directive.rows_end && cells <= limits::csv_cells;) {
        const TextLine line = line_at(text, at);
        at = line.next;
        auto words = trimmed(line.text);
        if (words.empty()) continue;
        const auto indent = [&] { return static_cast<std::size_t>(words.data() - line.text.data()); };
        if (bullet_in(words) > 0 && (table.rows.empty() || indent() <= row_indent)) {
            row_indent = indent();
            words.remove_prefix(bullet_in(words));
            cell_indent = words.empty() ? text.npos : indent();
            table.rows.emplace_back();
        }
        auto& row = table.rows.back();
        const bool is_item = bullet_in(words) > 0 && indent() <= cell_indent;
        if (is_item) {
            cell_indent = indent();
            words.remove_prefix(bullet_in(words));
        }
        const auto offset = static_cast<std::uint32_t>(words.data() - text.data());
        if (is_item || (row.empty() && !words.empty())) {
            row.push_back({{offset, 0}, offset, false});
            ++cells;
        }
        if (words.empty()) continue;
        auto& cell = row.back();
        if (cell.slice.length == 0) cell = {{offset, 0}, offset, false};
        cell.slice.length = offset + static_cast<std::uint32_t>(words.size()) - cell.slice.begin;
    }
    for (auto& row : table.rows)
        for (auto& cell : row) drop_markup(store, cell);
    table.headers =
        std::clamp<std::size_t>(layout.directive.header_rows, 1, std::max<std::size_t>(table.rows.size(), 1));
    return table;
}

void drop_markup(detail::CsvStore& store, detail::CsvCell& cell) {
    const auto written = store.view(cell);
    if (written.find_first_of("\r\n`\\]") == written.npos && !written.starts_with('|')) return;
    const std::string plain = MarkupReader(written).run();
    cell.slice = {static_cast<std::uint32_t>(store.unescaped.size()), static_cast<std::uint32_t>(plain.size())};
    cell.unescaped = true;
    store.unescaped += plain;
}

}  // namespace scalescope::formats
