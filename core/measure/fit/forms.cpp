// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/fit/forms.hpp"

#include <algorithm>

#include "core/base/listed.hpp"
#include "core/measure/fit/grouped_form.hpp"

namespace scalescope::measure {

double median_of(std::vector<double> values) {
    if (values.empty()) return 0.0;
    const std::size_t middle = values.size() / 2;
    std::ranges::sort(values);
    return values.size() % 2 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

namespace {

// Multipliers. Backward costs twice forward, so a step is three forwards; parameters are sent as four bytes each; a
// ring all-reduce of w workers sends 2(w − 1)/w of them in 2(w − 1) messages (Patarasuk and Yuan, J. Parallel Distrib.
// Comput. 69, 2009).
double communicating(std::span<const double> v) { return 1.0 - 1.0 / v[0]; }
double others(std::span<const double> v) { return v[0] - 1.0; }
double step_flops(std::span<const double> v) { return 3.0 * v[0] * v[1]; }
double ring_bytes(std::span<const double> v) { return 2.0 * (v[1] - 1.0) / v[1] * 4.0 * v[0]; }
double ring_messages(std::span<const double> v) { return 2.0 * (v[0] - 1.0); }

class GroupedFormMaker {
public:
    GroupedFormMaker(const FormChoice& choice, const Runs& runs)
        : choice_(choice),
          runs_(runs),
          form_(std::make_unique<GroupedForm>()),
          typical_(median_of(runs.seconds)),
          least_(*std::ranges::min_element(runs.seconds)) {}

    Result<std::unique_ptr<Form>> make() {
        if (choice_.kind == FormKind::product) product();
        if (choice_.kind == FormKind::two_term) two_term();
        if (choice_.kind == FormKind::physical) physical();
        if (!problems_.empty()) return fail(std::move(problems_));
        return std::unique_ptr<Form>(std::move(form_));
    }

private:
    void product() {
        Group group = intrinsic_group(choice_.intrinsic, "");
        for (const auto& factor : choice_.extrinsic) scale(group, factor, "q_" + factor);
        form_->groups.push_back(std::move(group));
        add_offset();
    }

    void two_term() {
        Group compute = intrinsic_group(choice_.intrinsic, "");
        bool with_workers = false;
        for (const auto& factor : choice_.extrinsic) {
            with_workers = with_workers || factor == choice_.workers;
            scale(compute, factor, "q_" + factor);
        }
        form_->groups.push_back(std::move(compute));
        Group traffic = intrinsic_group(choice_.traffic, choice_.traffic.empty() ? "_traffic" : "");
        multiply(traffic, "(1 \u2212 1/" + choice_.workers + ")", {choice_.workers}, communicating);
        if (with_workers) scale(traffic, choice_.workers, "q_traffic");
        form_->groups.push_back(std::move(traffic));
        Group each;
        base(each, "kappa");
        multiply(each, "(" + choice_.workers + " \u2212 1)", {choice_.workers}, others);
        form_->groups.push_back(std::move(each));
        add_offset();
    }

    void physical() {
        const std::string& w = choice_.workers;
        rate("compute", "peak", "FLOP/s", "3\u00b7" + choice_.flops + "\u00b7" + choice_.batch,
             {choice_.flops, choice_.batch}, step_flops);
        rate("transfer", "bandwidth", "B/s", "2\u00b7(" + w + " \u2212 1)/" + w + "\u00b74\u00b7" + choice_.parameters,
             {choice_.parameters, w}, ring_bytes);
        rate("latency", "", "s", "2\u00b7(" + w + " \u2212 1)", {w}, ring_messages);
        add_offset();
        form_->constants().back().shown_name = "overhead";
    }

    /// A group with one constant, seconds for one of what the multiplier counts; named by its inverse if that has one.
    void rate(const std::string& name, const std::string& inverse, const std::string& unit, const std::string& text,
              std::vector<std::string> columns, double (*of)(std::span<const double>)) {
        Group group;
        base(group, name);
        multiply(group, text, std::move(columns), of);
        Constant& constant = form_->constants()[group.terms.front().scale];
        constant.shown_inverse = !inverse.empty();
        constant.shown_name = inverse;
        constant.unit = unit;
        form_->groups.push_back(std::move(group));
    }

    /// Powers of the numbers, levels of the words, and a base if there are levels or nothing else.
    Group intrinsic_group(const std::vector<std::string>& factors, const std::string& suffix) {
        Group group;
        bool levels = false, powers = false;
        for (const auto& factor : factors) {
            const RunColumn* column = runs_.find(factor);
            const bool as_levels = std::ranges::find(choice_.levels, factor) != choice_.levels.end();
            if (!column || (column->kind == ColumnKind::numbers && !as_levels)) {
                GroupTerm term;
                term.kind = GroupTerm::Kind::power;
                term.power = power(factor);
                term.scale = add({"a_" + factor, ConstantKind::scale, 0.0, 10.0 * typical_, factor});
                term.exponent = add({"p_" + factor, ConstantKind::exponent, 0.0, 3.0, factor});
                group.terms.push_back(std::move(term));
                powers = true;
                continue;
            }
            levels = true;
            add_levels(group, *column);
        }
        if (levels || !powers) base(group, "base" + suffix);
        return group;
    }

    void add_levels(Group& group, const RunColumn& column) {
        GroupTerm term;
        term.kind = GroupTerm::Kind::levels;
        term.column = column.name;
        for (const auto& word : column.words)
            if (std::ranges::find(term.levels, word) == term.levels.end()) term.levels.push_back(word);
        if (term.levels.size() < 2) {
            problems_.push_back(make_error("\"" + column.name + "\" has the same value in every run that is fitted.",
                                           "leave it out of the factors"));
            return;
        }
        std::ranges::sort(term.levels);
        term.scale = form_->size();
        for (std::size_t level = 1; level < term.levels.size(); ++level)
            add({"d_" + column.name + "[" + term.levels[level] + "]", ConstantKind::level, -10.0 * typical_,
                 10.0 * typical_, column.name});
        group.terms.push_back(std::move(term));
    }

    void base(Group& group, const std::string& name) {
        GroupTerm term;
        term.scale = add({name, ConstantKind::scale, 0.0, 10.0 * typical_, ""});
        group.terms.push_back(term);
    }

    void scale(Group& group, const std::string& factor, const std::string& name) {
        group.scaling.push_back({power(factor), add({name, ConstantKind::exponent, -2.0, 2.0, factor})});
    }

    void multiply(Group& group, const std::string& text, std::vector<std::string> columns,
                  double (*of)(std::span<const double>)) {
        group.multiplier = Multiplier{text, std::move(columns), of};
        const auto& m = *group.multiplier;
        std::vector<double> values(m.columns.size()), products;
        for (std::size_t row = 0; row < runs_.size(); ++row) {
            for (std::size_t c = 0; c < values.size(); ++c) {
                const RunColumn* column = runs_.find(m.columns[c]);
                if (!column || column->kind != ColumnKind::numbers) {
                    problems_.push_back(needs_numbers(runs_, m.columns[c]));
                    return;
                }
                values[c] = column->numbers[row];
            }
            const double product = of(values);
            if (product > 0.0) products.push_back(product);
        }
        if (choice_.normalized && !products.empty()) group.multiplier_median = median_of(products);
    }

    std::size_t power(const std::string& factor) {
        for (std::size_t i = 0; i < form_->powers.size(); ++i)
            if (form_->powers[i].column == factor) return i;
        PowerFactor added{factor, 1.0};
        const RunColumn* column = runs_.find(factor);
        if (!column)
            problems_.push_back(make_error("The runs have no column \"" + factor + "\".", "see the header row"));
        else if (column->kind != ColumnKind::numbers)
            problems_.push_back(make_error("\"" + factor + "\" is not a column of numbers, so it has no power.",
                                           "make it an intrinsic factor, where its words are levels"));
        else if (choice_.normalized)
            added.median = median_of(column->numbers);
        if (!(added.median > 0.0)) added.median = 1.0;  // binding says which run is not above zero
        form_->powers.push_back(added);
        return form_->powers.size() - 1;
    }

    void add_offset() {
        Group group;
        group.terms.push_back({});
        group.terms.back().scale = add({"C", ConstantKind::offset, 0.0, least_, ""});
        form_->groups.push_back(std::move(group));
        form_->constants().back().unit = "s";
    }

    std::size_t add(Constant constant) {
        form_->constants().push_back(std::move(constant));
        return form_->size() - 1;
    }

    const FormChoice& choice_;
    const Runs& runs_;
    std::unique_ptr<GroupedForm> form_;
    Problems problems_;
    double typical_, least_;
};

Result<std::unique_ptr<Form>> with_bounds(std::unique_ptr<Form> form, const FormChoice& choice) {
    for (const GivenBound& given : choice.bounds) {
        bool known = false;
        for (Constant& constant : form->constants()) {
            if (constant.name != given.constant) continue;
            constant.low = given.low;
            constant.high = given.high;
            known = true;
        }
        if (known && given.low <= given.high) continue;
        if (known)
            return fail(make_error("The bounds of " + given.constant + " are the wrong way round.",
                                   "write the smaller one first"));
        return fail(make_error("The form has no constant \"" + given.constant + "\".",
                               "it has " + joined(form->constants(), ", ", &Constant::name)));
    }
    return form;
}

}  // namespace

std::string_view origin_of(FormKind kind) {
    constexpr std::string_view origins[] = {
        "after Kavarakuntla et al. 2024; reconstructed, for their paper's exact expression was not read",
        "Scalescope's own form, for times that communication may raise again",
        "data parallelism with a ring all-reduce, its four constants fitted",
        "Scalescope's own form, by working set and threads"};
    return origins[static_cast<std::size_t>(kind)];
}

Problem needs_numbers(const Runs& runs, const std::string& name) {
    const RunColumn* column = runs.find(name);
    if (!column || column->first_word.line == 0)
        return make_error("This form needs a column of numbers \"" + name + "\".",
                          "name the column that has them, or choose another form");
    Problem p = make_error("This form needs numbers in the column \"" + name + "\", and this cell is not one.",
                           "write a number, or name another column");
    p.at = column->first_word;
    return p;
}

Result<std::unique_ptr<Form>> make_form(const FormChoice& choice, const Runs& runs) {
    if (runs.size() == 0)
        return fail(make_error("There are no runs to fit.", "hold out fewer runs, or loosen the filters"));
    auto form = choice.kind == FormKind::tiers ? make_tiers_form(choice, runs) : GroupedFormMaker(choice, runs).make();
    if (!form) return form;
    return with_bounds(std::move(*form), choice);
}

}  // namespace scalescope::measure
