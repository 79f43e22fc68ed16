// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>
#include <optional>

#include "core/search/findings.hpp"
#include "ui/live/background.hpp"
#include "ui/live/live.hpp"

namespace scalescope::ui {

class Document;

/// Found, with how long it took.
struct SearchAnswer {
    search::Findings findings;
    double seconds = 0;
    double scored_per_second() const {
        return seconds > 0 ? static_cast<double>(findings.result.counts.scored) / seconds : 0;
    }
};
using SearchAnswerPtr = std::shared_ptr<const SearchAnswer>;

/// What is asked of the design space around the open scenario, and the last answer. Searches on other threads, all
/// cores but one; the newest wins. An answer stays until the next one, and knows whether it is still about the scenario
/// and the question on show.
class SearchDocument final : public QObject {
    Q_OBJECT
public:
    /// Both must outlive this.
    SearchDocument(Document& design, const formats::Library& library, QObject* parent = nullptr);
    ~SearchDocument() override;

    Document& design() { return design_; }
    const Scenario& scenario() const;
    const formats::Library& library() const { return library_; }

    const search::Asked& asked() const { return asked_; }
    /// A question that was changed otherwise than by ask() is a person's own.
    void set_asked(search::Asked asked);
    void ask(search::Ask ask, const search::AskNumbers& numbers);
    /// The question is a person's own from now on, and begins as it is.
    void ask_freely();
    /// What the question says now: how many combinations, or what is wrong with it.
    struct Size {
        std::uint64_t combinations = 0;
        Problems problems;
    };
    const Size& size() const { return size_; }

    void start();
    /// Ends the search early: what it has found so far is the answer.
    void stop();
    bool running() const { return work_.running(); }
    Background& work() { return work_; }

    const SearchAnswerPtr& answer() const { return answer_; }
    /// Why the last search came to nothing at all.
    const Problems& problems() const { return problems_; }
    enum class Fit { fits, other_scenario, other_question };
    /// Whether the answer belongs to what is on show.
    Fit fit() const { return fit_; }

    /// The scenario as it is with its figures, if it has any.
    void set_current(const LiveResultPtr& current);
    const LiveResultPtr& current() const { return current_; }

    /// The combination that a person looks at, by its index in the answer's space: at first the best. One of the grid
    /// that is not among the rows gets a row, once its figures are there.
    const std::optional<std::uint64_t>& chosen() const { return chosen_; }
    void choose(std::uint64_t index);
    /// What is chosen becomes the open scenario: one undo step. False if there is nothing to load.
    bool load();
    bool load(const Scenario& scenario);

    /// Why what is chosen is what it is: against the runner-up for the best, against the best for any other. Thought
    /// about on another thread.
    struct Why {
        std::uint64_t index = 0;
        std::optional<std::uint64_t> against;  ///< nothing if it is the only one
        bool is_best = false;
        search::Reasons reasons;
        Problems problems;
    };
    const std::optional<Why>& why() const { return why_; }
    Background& thinking() { return thinking_; }

signals:
    void asked_changed();
    void answer_changed();
    void fit_changed();
    void current_changed();
    void row_added();  ///< to the same answer, for what is chosen
    void chosen_changed();
    void why_changed();

private:
    void explain();
    void begin();
    void follow();
    void measure();
    void look_at_fit();

    Document& design_;
    const formats::Library& library_;
    search::Asked asked_;
    std::vector<search::Varied> usual_;  ///< what is varied at first, where no question suits
    search::AskNumbers usual_numbers_;   ///< of the scenario that was asked about last
    Size size_;
    SearchAnswerPtr answer_;
    Problems problems_;
    Fit fit_ = Fit::fits;
    LiveResultPtr current_;
    std::optional<std::uint64_t> chosen_;
    std::optional<Why> why_;
    std::optional<CancelSource> cancel_;
    Background work_, thinking_;
};

}  // namespace scalescope::ui
