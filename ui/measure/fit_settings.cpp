// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/fit_settings.hpp"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <set>
#include <utility>

#include "core/base/decimal.hpp"
#include "core/base/format.hpp"
#include "core/measure/fit/fit_json.hpp"
#include "ui/language/told.hpp"
#include "ui/measure/runs_document.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/form.hpp"
#include "ui/widgets/number_field.hpp"

namespace scalescope::ui {
namespace {

using namespace measure;

constexpr FactorRole all_roles[] = {FactorRole::none, FactorRole::power, FactorRole::level, FactorRole::extrinsic,
                                    FactorRole::traffic};

QString id_of(FactorRole role) { return QString::number(static_cast<int>(role)); }

/// Parts of the forms that are not sums of factors: the column that plays each.
struct PartOfForm {
    const char *name, *object;
    std::string FormChoice::*member;
    std::vector<FormKind> kinds;
};
const std::vector<PartOfForm>& parts_of_forms() {
    static const std::vector<PartOfForm> parts{{QT_TRANSLATE_NOOP("scalescope::ui::FitSettings", "Workers"),
                                                "partWorkers",
                                                &FormChoice::workers,
                                                {FormKind::two_term, FormKind::physical}},
                                               {QT_TRANSLATE_NOOP("scalescope::ui::FitSettings", "Threads"),
                                                "partThreads",
                                                &FormChoice::workers,
                                                {FormKind::tiers}},
                                               {QT_TRANSLATE_NOOP("scalescope::ui::FitSettings", "Batch/worker"),
                                                "partBatch",
                                                &FormChoice::batch,
                                                {FormKind::physical}},
                                               {QT_TRANSLATE_NOOP("scalescope::ui::FitSettings", "FLOP/sample"),
                                                "partFlops",
                                                &FormChoice::flops,
                                                {FormKind::physical}},
                                               {QT_TRANSLATE_NOOP("scalescope::ui::FitSettings", "Parameters"),
                                                "partParameters",
                                                &FormChoice::parameters,
                                                {FormKind::physical}},
                                               {QT_TRANSLATE_NOOP("scalescope::ui::FitSettings", "Working set"),
                                                "partSet",
                                                &FormChoice::working_set,
                                                {FormKind::tiers}}};
    return parts;
}

}  // namespace

FitSettings::FitSettings(RunsDocument& document, QWidget* parent) : QWidget(parent), document_(document) {
    auto* column = make_layout<QVBoxLayout>(this, 8);
    const auto combo = [](const QString& name, const char* object, std::vector<ComboItem> items) {
        auto* c = new Combo(name);
        c->setObjectName(QLatin1String(object));
        c->set_items(std::move(items));
        return c;
    };
    form_ = combo(
        tr("Form of the model"), "fitForm",
        {combo_item(plain(word_of(FormKind::product)), tr("Product"),
                    tr("A sum of powers and levels, times powers of what scales the work, plus a constant")),
         combo_item(plain(word_of(FormKind::two_term)), tr("Two terms"),
                    tr("Computation that workers share, plus communication that grows with them")),
         combo_item(plain(word_of(FormKind::physical)), tr("Analytical"),
                    tr("Data parallelism with a ring all-reduce: peak, bandwidth, latency and overhead are fitted")),
         combo_item(plain(word_of(FormKind::tiers)), tr("Tiers"),
                    tr("Time per operation by size of the working set and by threads"))});
    auto* form = new Form;
    form->add_row(tr("Form"), form_);
    column->addWidget(form);
    origin_ = make_label({}, type::caption(), Ink::secondary);
    origin_->setWordWrap(true);
    column->addWidget(origin_);
    connect(form_, &Combo::chosen, this, [this](const QString& id) {
        for (const FormKind kind : {FormKind::product, FormKind::two_term, FormKind::physical, FormKind::tiers})
            if (plain(word_of(kind)) == id) document_.set_form(kind);
    });
    factor_rows_ = make_layout<QVBoxLayout>(nullptr, 4);
    no_factors_ = make_label(tr("No column varies."), type::caption(), Ink::secondary);
    column->addWidget(no_factors_);
    column->addLayout(factor_rows_);
    parts_ = new QWidget;
    auto* parts_column = make_layout<QVBoxLayout>(parts_);
    parts_form_ = new Form;
    parts_column->addWidget(parts_form_);
    for (const PartOfForm& part : parts_of_forms()) {
        const QString name = QCoreApplication::translate("scalescope::ui::FitSettings", part.name);
        auto* c = combo(tr("Column of: %1").arg(name), part.object, {});
        connect(c, &Combo::chosen, this, [this, member = part.member, name](const QString& id) {
            FitOptions options = document_.state().options;
            options.form.*member = id.toStdString();
            document_.set_options(std::move(options), tr("Change the column of %1").arg(inside_sentence(name)));
        });
        parts_form_->add_row(name, c);
        part_columns_.push_back(c);
    }
    column->addWidget(parts_);
    column->addWidget(make_rule());
    auto* search = new Form;
    const auto option = [&](const QString& label, const QString& name, const char* object, std::vector<ComboItem> items,
                            auto set) {
        auto* c = combo(name, object, std::move(items));
        connect(c, &Combo::chosen, this, [this, set, label](const QString& id) {
            FitOptions options = document_.state().options;
            set(options, id.toStdString());
            document_.set_options(std::move(options), tr("Change %1").arg(inside_sentence(label)));
        });
        search->add_row(label, c);
        return c;
    };
    loss_ =
        option(tr("Loss"), tr("Loss of a relative error"), "fitLoss",
               {combo_item(plain(word_of(Loss::squared)), tr("Squared")),
                combo_item(plain(word_of(Loss::huber)), tr("Huber"),
                           tr("Squared up to 15 %, linear above: outliers weigh less")),
                combo_item(plain(word_of(Loss::absolute)), tr("Absolute"), tr("Half of the runs above, half below"))},
               [](FitOptions& o, const std::string& id) {
                   for (const Loss loss : {Loss::squared, Loss::huber, Loss::absolute})
                       if (word_of(loss) == id) o.loss = loss;
               });
    lambda_ = option(
        tr("Penalty"), tr("Weight of the penalty on large constants"), "fitLambda",
        {combo_item(QStringLiteral("0"), tr("none")), combo_item(QStringLiteral("auto"), tr("by cross-validation")),
         combo_item(QStringLiteral("0.00001"), QStringLiteral("0.00001")),
         combo_item(QStringLiteral("0.0001"), QStringLiteral("0.0001")),
         combo_item(QStringLiteral("0.001"), QStringLiteral("0.001"))},
        [](FitOptions& o, const std::string& id) { o.lambda = parse_decimal(id); });
    penalty_ = option(
        tr("Of"), tr("What the penalty is of"), "fitPenalty",
        {combo_item(QStringLiteral("l2"), tr("squares (L2)")), combo_item(QStringLiteral("l1"), tr("sizes (L1)"))},
        [](FitOptions& o, const std::string& id) { o.absolute_penalty = id == "l1"; });
    optimizer_ =
        option(tr("Search"), tr("How the constants are sought"), "fitOptimizer",
               {combo_item(plain(word_of(FitOptimizer::fast)), tr("Fast"), tr("Least squares from many starts")),
                combo_item(plain(word_of(FitOptimizer::evolution)), tr("Global"),
                           tr("Differential evolution, checked against the fast way"))},
               [](FitOptions& o, const std::string& id) {
                   o.optimizer = id == word_of(FitOptimizer::evolution) ? FitOptimizer::evolution : FitOptimizer::fast;
               });
    const auto number = [&](const QString& label, const QString& name, const char* object, double high, auto set) {
        auto* f = new NumberField(name);
        f->setObjectName(QLatin1String(object));
        f->set_subject(label);
        f->set_range(0, high);
        connect(f, &NumberField::value_changed, this, [this, set, label](double v) {
            FitOptions options = document_.state().options;
            set(options, v);
            document_.set_options(std::move(options), tr("Change %1").arg(inside_sentence(label)));
        });
        search->add_row(label, f);
        return f;
    };
    seed_ = number(tr("Seed"), tr("Seed of all random numbers"), "fitSeed", 9e15,
                   [](FitOptions& o, double v) { o.seed = static_cast<std::uint64_t>(v); });
    refits_ = number(tr("Refits"), tr("Refits of the bootstrap"), "fitRefits", 10'000,
                     [](FitOptions& o, double v) { o.refits = static_cast<std::size_t>(v); });
    refits_->setToolTip(tr("Number of fits to resampled runs, used for all intervals; 0 for none"));
    column->addWidget(search);
    connect(&document_, &RunsDocument::changed, this, &FitSettings::show_state);
    show_state();
}

void FitSettings::fill_factors() {
    const Runs* runs = document_.runs();
    const auto names = runs ? candidate_factors(*runs) : std::vector<std::string>{};
    const bool same = names.size() == factors_.size() &&
                      std::equal(names.begin(), names.end(), factors_.begin(),
                                 [](const std::string& name, const FactorRow& row) { return row.column == name; });
    if (!same) {
        for (const FactorRow& f : factors_) {
            f.row->hide();
            f.row->deleteLater();
        }
        factors_.clear();
        for (const auto& name : names) {
            auto* row = new QWidget;
            auto* line = make_layout<QHBoxLayout>(row, 8);
            FactorRow f{name, row, new ElidedLabel(plain(name)), new Combo(tr("Role of %1").arg(plain(name)))};
            f.role->setObjectName(QStringLiteral("role_") + plain(name));
            f.role->setFixedWidth(112);
            line->addWidget(f.name, 1);
            line->addWidget(f.role);
            connect(f.role, &Combo::chosen, this, [this, name](const QString& id) {
                const Runs* now = document_.runs();
                if (!now) return;
                FitOptions options = document_.state().options;
                set_role(options.form, *now, name, static_cast<FactorRole>(id.toInt()));
                document_.set_options(std::move(options), tr("Change the role of %1").arg(plain(name)));
            });
            factor_rows_->addWidget(row);
            factors_.push_back(f);
        }
    }
    const FormChoice& choice = document_.state().options.form;
    const bool by_roles = choice.kind == FormKind::product || choice.kind == FormKind::two_term;
    const QString titles[] = {tr("not used"), tr("power"), tr("levels"), tr("scales"), tr("traffic")};
    const QString tips[] = {tr("The time does not depend on it"), tr("What is computed, as a power of it"),
                            tr("What is computed, a constant for every value"),
                            tr("Scales all the work: workers, batch, chunks"), tr("What is sent between workers")};
    for (const FactorRow& f : factors_) {
        f.row->setVisible(by_roles);
        const RunColumn* column = runs ? runs->find(f.column) : nullptr;
        if (!column) continue;
        std::vector<ComboItem> items;
        const auto allowed = roles_in(choice.kind, *column);
        for (const FactorRole role : all_roles)
            if (std::find(allowed.begin(), allowed.end(), role) != allowed.end())
                items.push_back(combo_item(id_of(role), titles[static_cast<int>(role)], tips[static_cast<int>(role)]));
        f.role->set_items(std::move(items));
        f.role->set_current(id_of(role_of(choice, *runs, f.column)));
        const auto values = std::set<std::string_view>(column->words.begin(), column->words.end()).size();
        QString about = tr("%1: %2 values").arg(plain(f.column)).arg(values);
        if (column->kind == ColumnKind::numbers) {
            const auto [least, most] = std::minmax_element(column->numbers.begin(), column->numbers.end());
            about += tr(", %1 to %2").arg(told(format_number(*least)), told(format_number(*most)));
        }
        f.name->setToolTip(about);
    }
    no_factors_->setVisible(by_roles && factors_.empty());
}

void FitSettings::fill_parts() {
    const FormChoice& choice = document_.state().options.form;
    const Runs* runs = document_.runs();
    std::vector<ComboItem> columns;
    if (runs)
        for (const auto& c : runs->columns)
            if (c.kind == ColumnKind::numbers) columns.push_back(combo_item(plain(c.name), plain(c.name)));
    bool any = false;
    for (std::size_t i = 0; i < part_columns_.size(); ++i) {
        const PartOfForm& part = parts_of_forms()[i];
        const bool shown = std::find(part.kinds.begin(), part.kinds.end(), choice.kind) != part.kinds.end();
        any |= shown;
        parts_form_->set_row_visible(part_columns_[i], shown);
        part_columns_[i]->set_items(columns);
        const QString now = plain(choice.*part.member);
        part_columns_[i]->set_current(now, tr("choose a column"));
    }
    parts_->setVisible(any);
}

void FitSettings::show_state() {
    const FitOptions& options = document_.state().options;
    form_->set_current(plain(word_of(options.form.kind)));
    QString origin = told(origin_of(options.form.kind));
    origin[0] = origin[0].toUpper();
    origin_->setText(origin + QLatin1Char('.'));
    fill_factors();
    fill_parts();
    loss_->set_current(plain(word_of(options.loss)));
    lambda_->set_current(!options.lambda          ? QStringLiteral("auto")
                         : *options.lambda == 0.0 ? QStringLiteral("0")
                                                  : plain(shortest_decimal(*options.lambda)),
                         options.lambda ? plain(shortest_decimal(*options.lambda)) : QString());
    penalty_->set_current(options.absolute_penalty ? QStringLiteral("l1") : QStringLiteral("l2"));
    penalty_->setEnabled(!options.lambda || *options.lambda > 0.0);
    optimizer_->set_current(plain(word_of(options.optimizer)));
    seed_->set_value(static_cast<double>(options.seed));
    refits_->set_value(static_cast<double>(options.refits));
}

}  // namespace scalescope::ui
