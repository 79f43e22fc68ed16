// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <charconv>
#include <utility>

#include "core/base/limits.hpp"
#include "core/base/name_list.hpp"
#include "core/formats/tables/cell_text.hpp"
#include "core/formats/tables/reading.hpp"

namespace scalescope::formats::tables {

namespace {

class HtmlReader {
public:
    HtmlReader(std::string_view text, std::size_t begin, std::string& texts) : text_(text), at_(begin), texts_(texts) {}

    HtmlTable run() {
        for (++at_; at_ < text_.size() && cells_ <= limits::csv_cells && !done_;)
            if (const auto tag = tag_at(text_, at_ = std::min(text_.find('<', at_), text_.size() - 1)))
                read_tag(*tag);
            else
                ++at_;
        end_row();
        table_.end = at_;
        return std::move(table_);
    }

private:
    void read_tag(const HtmlTag& tag) {
        const auto name = tag.name();
        done_ = is_among(name, "table /table");
        if (name == "table") return;  // inside of this one
        const std::size_t begin = std::exchange(at_, tag.end);
        if (is_among(name, "tr /tr thead /thead tbody")) end_row();
        if (is_among(name, "thead /thead tbody")) in_head_ = name == "thead";
        if (is_among(name, "td th /td /th")) end_cell();
        if (is_among(name, "td th")) begin_cell(begin, tag.text);
    }

    static std::size_t span_in(std::string_view tag, std::string_view attribute) {
        constexpr std::size_t most = 1000;
        std::size_t count = 1;
        const std::size_t digits = tag.find_first_of("0123456789", std::min(tag.find(attribute), tag.size()));
        if (digits != tag.npos) std::from_chars(tag.data() + digits, tag.data() + tag.size(), count);
        return std::clamp<std::size_t>(count, 1, most);
    }

    void begin_cell(std::size_t offset, std::string_view tag) {
        is_open_ = true, cell_begin_ = offset;
        all_names_ = (row_.empty() || all_names_) && tag.starts_with("th");
        columns_ = span_in(tag, "colspan"), rows_ = span_in(tag, "rowspan");
    }
    void end_cell() {
        if (!std::exchange(is_open_, false)) return;
        std::size_t first = 0;
        std::string text = html_text(text_.substr(cell_begin_, at_ - cell_begin_), &first);
        if (text.ends_with(' ')) text.pop_back();
        const Cell cell{cell_at(texts_.size(), text.size()).slice, static_cast<std::uint32_t>(cell_begin_ + first),
                        true};
        texts_ += text;
        take_spanned();
        for (; columns_ > 0 && row_.size() <= limits::csv_columns; --columns_) {
            above_.resize(std::max(above_.size(), row_.size() + 1));
            above_[row_.size()] = {cell, rows_};
            row_.push_back(cell);
        }
    }
    /// The next columns of this row, as far as cells of rows above span them.
    void take_spanned() {
        while (row_.size() < above_.size() && above_[row_.size()].second > 0) row_.push_back(above_[row_.size()].first);
    }
    void end_row() {
        end_cell();
        if (row_.empty()) return;
        const Cell nothing = cell_at(row_.front().offset);
        for (take_spanned(); row_.size() < above_.size(); take_spanned()) row_.push_back(nothing);
        for (auto& spanning : above_) spanning.second -= spanning.second > 0;
        cells_ += row_.size();
        table_.headers += table_.headers == table_.rows.size() && (in_head_ || all_names_);
        table_.rows.push_back(std::exchange(row_, {}));
    }

    std::string_view text_;
    std::size_t at_;
    std::string& texts_;
    HtmlTable table_;
    Row row_;
    std::vector<std::pair<Cell, std::size_t>> above_;      ///< by column: a cell, and how many rows it still fills
    std::size_t cell_begin_ = 0, columns_ = 1, rows_ = 1;  ///< of the cell that is open
    std::size_t cells_ = 0;
    bool is_open_ = false, in_head_ = false, all_names_ = false, done_ = false;
};

}  // namespace

HtmlTable read_html(std::string_view text, std::size_t begin, std::string& texts) {
    return HtmlReader(text, begin, texts).run();
}

}  // namespace scalescope::formats::tables
