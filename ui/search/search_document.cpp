// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/search/search_document.hpp"

#include <QElapsedTimer>
#include <algorithm>
#include <thread>

#include "core/base/format.hpp"
#include "core/scenario/symbol_fields.hpp"
#include "core/search/ask.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/document/document.hpp"

namespace scalescope::ui {
namespace {

/// One core stays with the window.
unsigned search_threads() { return std::max(2U, std::thread::hardware_concurrency()) - 1; }

/// What a grid shows is another view of the same question.
bool same_question(search::Asked a, const search::Asked& b) {
    a.grid_columns = b.grid_columns;
    a.grid_rows = b.grid_rows;
    return a == b;
}

}  // namespace

SearchDocument::SearchDocument(Document& design, const formats::Library& library, QObject* parent)
    : QObject(parent), design_(design), library_(library) {
    begin();
    connect(&design_, &Document::changed, this, [this] {
        if (!design_.dragging()) {
            follow();
            measure();
        }
        look_at_fit();
    });
    measure();
}

SearchDocument::~SearchDocument() {
    if (cancel_) cancel_->cancel();
}

const Scenario& SearchDocument::scenario() const { return design_.scenario(); }

void SearchDocument::set_asked(search::Asked asked) {
    if (asked == asked_) return;
    if (asked.ask == asked_.ask && asked.numbers == asked_.numbers && !same_question(asked, asked_)) asked.ask.reset();
    asked_ = std::move(asked);
    measure();
    look_at_fit();
}

void SearchDocument::ask(search::Ask ask, const search::AskNumbers& numbers) {
    set_asked(search::asked_by(ask, numbers, scenario(), library_));
}

void SearchDocument::ask_freely() {
    search::Asked asked = asked_;
    asked.ask.reset();
    set_asked(std::move(asked));
}

/// With what a person most likely wants to know of the open scenario.
void SearchDocument::begin() {
    usual_numbers_ = search::usual_numbers(scenario());
    usual_.clear();
    if (const auto first = search::first_ask(scenario()); first && asked_.where.empty())
        asked_ = search::asked_by(*first, usual_numbers_, scenario(), library_);
    else
        asked_.vary = usual_ = search::usual_rows(scenario(), library_);
}

/// As long as nobody has asked otherwise, the question is about the open scenario. One that was answered stays while
/// the scenario is among its combinations, such as the answer that was opened.
void SearchDocument::follow() {
    if (running()) return;
    if (!asked_.ask) {
        if (asked_.vary == usual_) begin();
        return;
    }
    if (answer_ && fit_ != Fit::other_question && search::same_space(answer_->findings.space, scenario())) return;
    if (!search::suits(*asked_.ask, scenario())) {
        asked_ = {};
        begin();
        return;
    }
    const search::AskNumbers now = search::usual_numbers(scenario());
    search::AskNumbers numbers = asked_.numbers;
    if (numbers.devices == usual_numbers_.devices) numbers.devices = now.devices;
    if (numbers.goal == usual_numbers_.goal) numbers.goal = now.goal;
    usual_numbers_ = now;
    asked_ = search::asked_by(*asked_.ask, numbers, scenario(), library_);
}

/// Counts what the question would look at. Space::make tries every value, and reads networks: too long for a key.
void SearchDocument::measure() {
    Size size;
    size.combinations = 1;
    const auto add = [&](const Problems& p) { size.problems.insert(size.problems.end(), p.begin(), p.end()); };
    bool any = false;
    for (const search::Varied& varied : asked_.vary) {
        if (varied.path.empty()) continue;
        any = true;
        const auto axis = search::read_varied(varied, scenario(), library_);
        if (!axis) {
            add(axis.error());
            continue;
        }
        const std::uint64_t count = axis->values.size();
        const bool fits = size.combinations <= search::most_combinations / count;
        size.combinations = fits ? size.combinations * count : search::most_combinations + 1;
    }
    for (const std::string& text : asked_.where)
        if (text.find_first_not_of(' ') != std::string::npos)
            if (const auto read = search::read_constraint(text); !read) add(read.error());
    if (!any) size.combinations = 0;
    size_ = std::move(size);
    emit asked_changed();
}

void SearchDocument::start() {
    if (cancel_) cancel_->cancel();  // the one before, whose answer nobody wants any more
    cancel_.emplace();
    auto library = std::make_shared<const formats::Library>(library_);  // the window's own may change meanwhile
    work_.run(tr("Searching"),
              [this, asked = asked_, scenario = scenario(), library,
               token = cancel_->token()](const Watch& watch) -> Background::Delivery {
                  QElapsedTimer clock;
                  clock.start();
                  search::Tally tally;
                  qint64 told = 0;
                  std::string words;
                  const Progress progress([&](double fraction, std::string_view) {
                      if (const qint64 now = clock.elapsed(); now - told >= 200) {
                          told = now;
                          const double rate = static_cast<double>(tally.scored) * 1e3 / static_cast<double>(now);
                          words = tr("%1 scored, %2 a second")
                                      .arg(text_of(format_count(static_cast<std::int64_t>(tally.scored.load()))),
                                           text_of(format_count(static_cast<std::int64_t>(rate))))
                                      .toStdString();
                      }
                      watch.progress(fraction, words);
                  });
                  auto found = std::make_shared<Result<search::Findings>>([&]() -> Result<search::Findings> {
                      auto made = search::make_question(asked, scenario, library);
                      if (!made) return tl::unexpected(made.error());
                      return search::find_best(asked, std::move(*made), search_threads(), {progress, token}, &tally);
                  }());
                  const double seconds = static_cast<double>(clock.nsecsElapsed()) * 1e-9;
                  return [this, found, seconds] {
                      cancel_.reset();
                      why_.reset();
                      problems_.clear();
                      if (*found) {
                          answer_ = std::make_shared<const SearchAnswer>(SearchAnswer{std::move(**found), seconds});
                      } else {
                          answer_.reset();
                          problems_ = found->error();
                      }
                      fit_ = Fit::fits;
                      chosen_.reset();
                      emit answer_changed();
                      look_at_fit();
                      if (answer_ && !answer_->findings.rows.empty())
                          choose(answer_->findings.rows.front().found.index);
                  };
              });
}

void SearchDocument::stop() {
    if (cancel_) cancel_->cancel();
}

void SearchDocument::look_at_fit() {
    Fit now = Fit::fits;
    if (answer_) {
        if (!same_question(answer_->findings.asked, asked_))
            now = Fit::other_question;
        else if (!search::same_space(answer_->findings.space, scenario()))
            now = Fit::other_scenario;
    }
    if (now == fit_) return;
    fit_ = now;
    emit fit_changed();
}

void SearchDocument::set_current(const LiveResultPtr& current) {
    current_ = current;
    emit current_changed();
}

void SearchDocument::choose(std::uint64_t index) {
    if (!answer_ || chosen_ == index) return;
    chosen_ = index;
    why_.reset();
    emit chosen_changed();
    explain();
}

bool SearchDocument::load() {
    if (!answer_ || !chosen_) return false;
    const auto next = answer_->findings.space.scenario(*chosen_);
    return next && load(*next);
}

bool SearchDocument::load(const Scenario& scenario) {
    design_.edit(scenario);
    return true;
}

void SearchDocument::explain() {
    thinking_.run(
        tr("Comparing"), [this, index = *chosen_, answer = answer_](const Watch& watch) -> Background::Delivery {
            const search::Findings& f = answer->findings;
            SearchAnswerPtr grown;
            if (!f.row_of(index)) {
                const auto cells = f.result.grid.cells();
                const auto cell =
                    std::find_if(cells.begin(), cells.end(), [index](const auto& c) { return c && c->index == index; });
                if (cell != cells.end()) {
                    auto copy = std::make_shared<SearchAnswer>(*answer);
                    copy->findings.add_row(**cell);
                    grown = copy;
                }
            }
            Why why;
            why.index = index;
            why.is_best = !f.rows.empty() && f.rows.front().found.index == index;
            if (f.rows.empty()) return [] {};
            if (!why.is_best)
                why.against = f.rows.front().found.index;
            else if (f.rows.size() > 1)
                why.against = f.rows[1].found.index;
            const auto mine = f.space.scenario(index);
            const auto other = why.against ? f.space.scenario(*why.against) : mine;
            if (!mine || !other) return [] {};
            // The better one comes first.
            const auto reasons = !why.against  ? search::reasons(*mine, nullptr, f.question, watch)
                                 : why.is_best ? search::reasons(*mine, &*other, f.question, watch)
                                               : search::reasons(*other, &*mine, f.question, watch);
            if (reasons)
                why.reasons = *reasons;
            else
                why.problems = reasons.error();
            return [this, why, answer, grown] {
                if (answer != answer_ || chosen_ != why.index) return;
                if (grown) {
                    answer_ = grown;
                    emit row_added();
                }
                why_ = why;
                emit why_changed();
            };
        });
}

}  // namespace scalescope::ui
