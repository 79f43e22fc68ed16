// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/paleo_path.hpp"

#include <QCoreApplication>

#include "core/formats/paleo_convert.hpp"
#include "core/paleo/simulate.hpp"

namespace scalescope::ui {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("paleo", text); }

Problem not_in_paleo(const QString& what, const QString& remedy) {
    Problem p;
    p.what = what.toStdString();
    p.remedy = remedy.toStdString();
    return p;
}

/// PALEO's four schemes keep theirs. The all-reduces of today have none; a binary tree is nearest to them in PALEO.
std::optional<paleo::Scheme> scheme_of(Collective c) {
    switch (c) {
        case Collective::one_to_all: return paleo::Scheme::one_to_all;
        case Collective::paleo_tree: return paleo::Scheme::tree_all_reduce;
        case Collective::butterfly: return paleo::Scheme::butterfly_all_reduce;
        case Collective::butterfly_mixing: return paleo::Scheme::butterfly_mixing;
        case Collective::ring:
        case Collective::recursive:
        case Collective::tree:
        case Collective::automatic: break;
    }
    return std::nullopt;
}

Result<paleo::Setup> setup_of(const Scenario& s) {
    paleo::Setup setup;
    if (const paleo::Device* own = paleo::find_device(s.cluster.device.paleo_key)) {
        setup.device = *own;
    } else {
        auto device = paleo::from_catalogue(s.cluster.device);
        if (!device) return fail(device.error());
        setup.device = std::move(*device);
    }
    const paleo::Link* own = paleo::find_link(s.cluster.between.paleo_key);
    setup.link = own ? *own : paleo::from_catalogue(s.cluster.between);
    setup.ppp_compute = s.model.compute.value;
    setup.ppp_memory = s.model.memory.value;
    setup.ppp_communication = s.model.between.value;
    setup.pipeline = s.model.overlap_memory;
    return setup;
}

QStringList left_out(const Scenario& s) {
    QStringList list;
    const auto precision = name_of(s.training.precision);
    if (!scheme_of(s.parallelism.collective)) list << tr("its all-reduce (a tree instead)");
    if (s.training.precision != Precision::fp32)
        list << tr("%1 (fp32 instead)")
                    .arg(QString::fromUtf8(precision.data(), static_cast<qsizetype>(precision.size())));
    if (s.parallelism.overlap != Overlap::off) list << tr("overlap of communication");
    if (s.cluster.devices_per_node > 1) list << tr("the link inside a node");
    if (s.cluster.between.latency.value > 0) list << tr("start-up times of messages");
    if (s.model.launch.value > 0) list << tr("start-up times of operations");
    if (s.training.optimizer != Optimizer::sgd) list << tr("the optimizer (plain SGD instead)");
    if (s.training.accumulation > 1) list << tr("accumulation of gradients");
    if (!s.training.frozen.empty()) list << tr("frozen layers");
    if (s.training.input_limit.value > 0) list << tr("the limit of the input pipeline");
    if (s.model.convolution != ConvolutionAlgorithm::gemm)
        list << tr("the cheapest convolution (matrix product instead)");
    return list;
}

}  // namespace

Result<PaleoPath> paleo_path(const Scenario& s, const PaleoQuestion& question) {
    if (s.workload.size() != 1 || !s.network())
        return fail(not_in_paleo(tr("PALEO prices a step of one network, and this one has several."),
                                 tr("Choose a scenario with one network to compare.")));
    if (s.parallelism.strategy != Strategy::data)
        return fail(not_in_paleo(
            tr("PALEO divides a network only where its own files do, so it has no answer for this strategy."),
            tr("Choose Data to compare.")));
    const auto net = formats::to_paleo(*s.network());
    if (!net) return fail(net.error());
    const auto setup = setup_of(s);
    if (!setup) return fail(setup.error());

    paleo::Situation situation;
    situation.scaling = s.training.batch_rule == BatchRule::per_worker ? paleo::Scaling::weak : paleo::Scaling::strong;
    situation.scheme = scheme_of(s.parallelism.collective).value_or(paleo::Scheme::tree_all_reduce);
    situation.batch = s.training.batch;
    situation.workers = s.cluster.workers;

    PaleoPath path;
    path.left_out = left_out(s);
    paleo::Plan plan = paleo::make_plan(*net, {question.era, {}});
    path.published = path.reached = paleo::iteration_time(plan, *setup, situation);
    for (const paleo::Correction& correction : paleo::corrections()) {
        if (!(question.corrections.*correction.flag)) continue;
        paleo::Method method = plan.method;
        method.corrections.*correction.flag = true;
        if (correction.changes_work)
            plan = paleo::make_plan(*net, method);
        else
            plan.method = method;
        const Seconds time = paleo::iteration_time(plan, *setup, situation);
        path.steps.push_back({&correction, time - path.reached});
        path.reached = time;
    }
    return path;
}

}  // namespace scalescope::ui
