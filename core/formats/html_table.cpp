// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/html_table.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/base/letters.hpp"
#include "core/base/limits.hpp"
#include "core/base/name_list.hpp"
#include "core/base/utf8.hpp"

namespace scalescope::formats {

namespace {

constexpr std::pair<std::string_view, std::string_view> entities[] = {
    {"nbsp", " "},       {"amp", "&"},        {"lt", "<"},         {"gt", ">"},          {"quot", "\""},
    {"times", "\u00d7"}, {"ndash", "\u2013"}, {"mdash", "\u2014"}, {"plusmn", "\u00b1"}, {"minus", "-"}};

class HtmlReader {
public:
    HtmlReader(std::string_view text, std::size_t begin, std::string& texts) : text_(text), at_(begin), texts_(texts) {}

    HtmlTable run() {
        for (++at_; at_ < text_.size() && cells_ <= limits::csv_cells && !done_;) {
            if ((text_[at_] == '<' && read_tag()) || (text_[at_] == '&' && read_entity())) continue;
            add(text_.substr(at_, 1), at_), ++at_;
        }
        end_row();
        table_.headers = std::min(std::max<std::size_t>(headers_, 1), std::max<std::size_t>(table_.rows.size(), 1));
        table_.end = at_;
        return std::move(table_);
    }

    /// The text as one cell, without its tags.
    void add_all() {
        open_ = true;
        cell_.slice.begin = static_cast<std::uint32_t>(texts_.size());
        while (at_ < text_.size() && !done_) {
            if ((text_[at_] == '<' && read_tag()) || (text_[at_] == '&' && read_entity())) continue;
            add(text_.substr(at_, 1), at_), ++at_;
        }
    }

private:
    /// Adds to the open cell; spaces at its ends, and all but one between words, are dropped.
    void add(std::string_view words, std::size_t offset) {
        if (!open_) return;
        if (words == "\n" || words == "\r" || words == "\t") words = " ";
        const bool first = texts_.size() == cell_.slice.begin;
        if (words == " " && (first || texts_.back() == ' ')) return;
        if (first) cell_.offset = static_cast<std::uint32_t>(offset);
        texts_ += words;
    }

    bool skip_comment() {
        at_ = std::min(text_.find("-->", at_), text_.size() - 3) + 3;
        return true;
    }
    /// False if no tag stands here, as in "< 5".
    bool read_tag() {
        if (text_.substr(at_).starts_with("<!--")) return skip_comment();
        const std::size_t close = text_.find_first_of("<>", at_ + 1);
        if (close == text_.npos || text_[close] == '<') return false;
        const std::string tag = in_small_letters(text_.substr(at_ + 1, close - at_ - 1));
        const std::string_view name = std::string_view(tag).substr(0, tag.find_first_of(" \t\r\n", 1));
        if (name.find_first_of("abcdefghijklmnopqrstuvwxyz!/") != 0) return false;
        if (name == "table") return done_ = true;  // inside of this one
        const std::size_t begin = std::exchange(at_, close + 1);
        if (name == "/table") done_ = true;
        if (is_among(name, "tr /tr thead /thead tbody")) end_row();
        if (is_among(name, "thead /thead tbody")) in_head_ = name == "thead";
        if (name == "/td" || name == "/th") end_cell();
        if (name == "td" || name == "th") begin_cell(begin, tag);
        if (is_among(name, "br br/ sup")) add(" ", begin);
        return true;
    }

    bool read_entity() {
        constexpr std::size_t longest = 10;
        const auto near = text_.substr(at_ + 1, longest);
        const auto name = near.substr(0, near.find(';'));
        if (name.size() == near.size()) return false;
        std::string character;
        for (const auto& [known, written] : entities)
            if (known == name) character = written;
        if (name.size() > 1 && name.front() == '#') {
            const bool hex = small_letter(name[1]) == 'x';
            const char* const end = name.data() + name.size();
            unsigned code = 0;  // stays so if the number is too large
            const char* const stop = std::from_chars(name.data() + (hex ? 2 : 1), end, code, hex ? 16 : 10).ptr;
            const bool valid = code >= ' ' && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
            if (stop == end && valid) append_utf8(character, code == 0xa0 ? ' ' : code);
        }
        if (character.empty()) return false;
        add(character, at_);
        at_ += name.size() + 2;
        return true;
    }

    static std::size_t span_in(std::string_view tag, std::string_view attribute) {
        constexpr std::size_t most = 1000;
        std::size_t count = 1;
        const std::size_t digits = tag.find_first_of("0123456789", std::min(tag.find(attribute), tag.size()));
        if (digits != tag.npos) std::from_chars(tag.data() + digits, tag.data() + tag.size(), count);
        return std::clamp<std::size_t>(count, 1, most);
    }

    void begin_cell(std::size_t offset, std::string_view tag) {
        end_cell(), open_ = true;
        all_names_ = (row_.empty() || all_names_) && tag.starts_with("th");
        cell_ = {{static_cast<std::uint32_t>(texts_.size()), 0}, static_cast<std::uint32_t>(offset), true};
        columns_ = span_in(tag, "colspan"), rows_ = span_in(tag, "rowspan");
    }
    void end_cell() {
        if (!std::exchange(open_, false)) return;
        if (texts_.size() > cell_.slice.begin && texts_.back() == ' ') texts_.pop_back();
        cell_.slice.length = static_cast<std::uint32_t>(texts_.size()) - cell_.slice.begin;
        take_spanned();
        for (; columns_ > 0 && row_.size() <= limits::csv_columns; --columns_) {
            above_.resize(std::max(above_.size(), row_.size() + 1));
            above_[row_.size()] = {cell_, rows_};
            row_.push_back(cell_);
        }
    }
    /// The next columns of this row, as far as cells of rows above span them.
    void take_spanned() {
        while (row_.size() < above_.size() && above_[row_.size()].second > 0) row_.push_back(above_[row_.size()].first);
    }
    void end_row() {
        end_cell();
        if (row_.empty()) return;
        const detail::CsvCell nothing{{0, 0}, row_.front().offset, false};
        for (take_spanned(); row_.size() < above_.size(); take_spanned()) row_.push_back(nothing);
        for (auto& spanning : above_) spanning.second -= spanning.second > 0;
        cells_ += row_.size();
        headers_ += headers_ == table_.rows.size() && (in_head_ || all_names_);
        table_.rows.push_back(std::exchange(row_, {}));
    }

    std::string_view text_;
    std::size_t at_;
    std::string& texts_;
    HtmlTable table_;
    std::vector<detail::CsvCell> row_;
    std::vector<std::pair<detail::CsvCell, std::size_t>>
        above_;             ///< by column: a cell, and how many rows it still fills
    detail::CsvCell cell_;  ///< being read
    std::size_t columns_ = 1, rows_ = 1, cells_ = 0, headers_ = 0;
    bool open_ = false, in_head_ = false, all_names_ = false, done_ = false;
};

}  // namespace

HtmlTable read_html_table(std::string_view text, std::size_t begin, std::string& texts) {
    return HtmlReader(text, begin, texts).run();
}

void append_html_text(std::string_view html, std::string& text) { HtmlReader(html, 0, text).add_all(); }

}  // namespace scalescope::formats
