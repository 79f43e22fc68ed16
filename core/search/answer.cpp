// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/answer.hpp"

#include <algorithm>

#include "core/base/format.hpp"
#include "core/scenario/mesh_degrees.hpp"
#include "core/search/best_mesh.hpp"

namespace scalescope::search {
namespace {

bool is_choice_of_mesh(std::string_view path) {
    const auto choices = mesh_choices();
    return std::find(choices.begin(), choices.end(), path) != choices.end();
}

/// The axis that was asked about; nothing where that is the mesh.
std::optional<std::size_t> subject_of(const Space& space) {
    for (std::size_t i = 0; i < space.axes().size(); ++i)
        if (space.axes()[i].values.size() > 1 && !is_choice_of_mesh(space.axes()[i].path)) return i;
    return std::nullopt;
}

/// "H100 SXM 80GB, 512 = 64 data × 8 tensor"
std::string described(const Space& space, std::uint64_t index, const formats::Library& library) {
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    const auto digits = space.digits(index);
    bool any_mesh = false;
    for (std::size_t i = 0; i < space.axes().size(); ++i) {
        const Axis& axis = space.axes()[i];
        if (axis.values.size() == 1) continue;
        if (is_choice_of_mesh(axis.path) || axis.path == "cluster.workers") {
            any_mesh = true;
        } else if (const Field* field = find_field(axis.path)) {
            const bool named = field->type == FieldType::device || field->type == FieldType::link;
            add((named ? "" : std::string(field->label) + ' ') + value_name(axis, digits[i], library));
        } else if (!axis.path.starts_with(SymbolFields::prefix)) {  // the figures already give the length
            add(value_name(axis, digits[i], library));
        }
    }
    if (any_mesh)
        if (const auto scenario = space.scenario(index)) add(mesh_equation(*scenario));
    return text;
}

std::string figures_of(const Findings& f, const Found& found) {
    std::string text;
    for (std::size_t i = 0; i < f.question.objectives.size(); ++i) {
        if (f.question.objectives[i] == Metric::devices) continue;  // the equation begins with them
        text +=
            (text.empty() ? "" : ", ") + metric_text(f.question.objectives[i], f.result.value(f.question, found, i));
    }
    return text;
}

}  // namespace

std::string mesh_equation(const Scenario& scenario) {
    std::string text = format_count(scenario.cluster.workers);
    if (!has_mesh(scenario) || !degrees_of(scenario))
        return text + (scenario.cluster.workers == 1 ? " device" : " devices");
    std::string product;
    for (const MeshAxis axis : mesh_axes_of_equation)
        if (const std::int64_t degree = degree_of(scenario, axis); degree > 1)
            product += (product.empty() ? "" : " × ") + format_count(degree) + ' ' +
                       std::string(find_field("parallelism.fill")->choices[static_cast<std::size_t>(axis)]);
    return product.empty() ? text + " device" : text + " = " + product;
}

Answer answer_of(const Findings& f, const formats::Library& library) {
    Answer answer;
    if (f.rows.empty() || !f.rows.front().ranked) return answer;
    const Found& best = f.rows.front().found;
    const auto subject = subject_of(f.space);
    const auto told = [&](const Found& found) {
        const std::string what = described(f.space, found.index, library), figures = figures_of(f, found);
        return what + (what.empty() || figures.empty() ? "" : ": ") + figures + '.';
    };
    const auto asked_of = [&](std::uint64_t index) {
        return subject ? f.space.axes()[*subject].values[f.space.digits(index)[*subject]]
                       : described(f.space, index, library);
    };
    std::vector<Found> others;
    for (const Row& row : f.rows) others.push_back(row.found);
    for (const auto& cell : f.result.grid.cells())
        if (cell) others.push_back(*cell);
    std::stable_sort(others.begin(), others.end(), before);
    const std::string asked = asked_of(best.index);
    const auto other =
        std::find_if(others.begin(), others.end(), [&](const Found& o) { return asked_of(o.index) != asked; });
    answer.best = "The best is " + told(best);
    if (other != others.end()) {
        answer.runner_up = "The next best is " + told(*other);
        answer.runner_up_index = other->index;
    }
    return answer;
}

}  // namespace scalescope::search
