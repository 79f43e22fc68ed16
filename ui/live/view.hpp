// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <utility>

#include "ui/live/analysis.hpp"

namespace scalescope::ui {

class Chart;

/// Something that shows answers: a chart, a panel or a page. It is asked and told only while somebody looks at it.
class View {
public:
    virtual ~View() = default;

    virtual void show_result(const LiveResultPtr&) {}
    /// The last analysis, which may be null or about an earlier answer. `current`: it answers everything that is asked
    /// about the answer on show.
    virtual void show_analysis(const AnalysisPtr&, bool) {}
    /// What the view wants with the next answer.
    virtual void add_to_request(LiveRequest&) const {}
    /// What the view wants to be worked out at rest.
    virtual void add_to_question(AnalysisQuestion&, const Scenario&) const {}
    /// By the names of their files.
    virtual std::vector<std::pair<QString, Chart*>> charts() const { return {}; }
};

/// A view made of functions; those that are empty do nothing.
class MadeView final : public View {
public:
    std::vector<std::pair<QString, Chart*>> shown_charts;
    std::function<void(const LiveResultPtr&)> result;
    std::function<void(const AnalysisPtr&, bool)> analysis;
    std::function<void(LiveRequest&)> request;
    std::function<void(AnalysisQuestion&)> question;

    void show_result(const LiveResultPtr& answer) override {
        if (result) result(answer);
    }
    void show_analysis(const AnalysisPtr& latest, bool current) override {
        if (analysis) analysis(latest, current);
    }
    void add_to_request(LiveRequest& wanted) const override {
        if (request) request(wanted);
    }
    void add_to_question(AnalysisQuestion& wanted, const Scenario&) const override {
        if (question) question(wanted);
    }
    std::vector<std::pair<QString, Chart*>> charts() const override { return shown_charts; }
};

}  // namespace scalescope::ui
