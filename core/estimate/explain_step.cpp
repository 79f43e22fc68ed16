// SPDX-License-Identifier: GPL-3.0-or-later
// The step, the sums it consists of, what a person asks of it, and how many samples are worked on at once.
#include "core/estimate/details.hpp"
#include "core/estimate/explain_rows.hpp"
#include "core/estimate/goodput.hpp"
#include "core/estimate/servers.hpp"
#include "core/scenario/hardware.hpp"

namespace scalescope::explaining {

/// The stage whose sums the estimate took: the one with most forward and backward work, or with the largest update.
int busiest_stage(const Context& c, Topic t) {
    const Summary& s = c.estimate.summary;
    const auto off = [&](const StageEstimate& stage) {
        return t == Topic::update
                   ? std::abs((stage.update - s.update).value)
                   : std::abs((stage.forward - s.forward).value) + std::abs((stage.backward - s.backward).value);
    };
    const auto& stages = c.estimate.stages;
    return static_cast<int>(
        std::min_element(stages.begin(), stages.end(), [&](const auto& a, const auto& b) { return off(a) < off(b); }) -
        stages.begin());
}

namespace {

/// The item's sum over the layers of the busiest worker.
template <Topic topic>
constexpr auto of_busiest = [](A x) {
    const int stage = x.c.staged() ? busiest_stage(x.c, x.item.topic) : -1;
    return layer_terms(x.c, topic, [&](Row r) { return stage < 0 || r.stage == stage; });
};
constexpr auto of_all_layers = [](A x) {
    return layer_terms(x.c, Topic::layer_compute,
                       [&](Row r) { return x.item.index != 1 || x.c.in_back(r.part, r.position); });
};
/// Of stages that divide their layers, the step has the messages within the busiest stage; index 1: those between all
/// stages, 2: those within all.
constexpr auto exposed_messages = [](A x) {
    const auto& messages = x.e().messages;
    const bool divided = x.c.staged() && std::ranges::any_of(messages, &MessageEstimate::within_stage);
    const int stage = divided ? busiest_stage(x.c, Topic::forward) : -1;
    return message_terms(x.c, Topic::message_exposed, [&](const MessageEstimate& m) {
        if (x.item.index > 0) return m.within_stage() == (x.item.index == 2);
        return !divided || !m.within_stage() || x.c.row(m.part, m.layers.front()).stage == stage;
    });
};
constexpr auto hidden_messages = [](A x) {
    return message_terms(x.c, Topic::message_hidden, [](const MessageEstimate&) { return true; });
};

Seconds slowest(A x) {
    if (updates_alone(x.e().point)) return {};
    return Seconds{wait_for_slowest(x.c.plan.spread, x.s().batch.active, (x.s().forward + x.s().backward).value)};
}
/// What is left of a difference of times of the step, or of sums that are added up in another order.
Seconds beyond_rounding(A x, Seconds left) { return left.value <= 1e-12 * x.s().step.value ? Seconds{} : left; }
Seconds filling(A x) {
    if (!x.c.staged()) return {};
    const double idle =
        value_of(x.c, Item{Topic::pipeline}) - (x.s().forward + x.s().backward + x.s().communication).value;
    return beyond_rounding(x, Seconds{idle});
}

constexpr auto grows = &Context::batch_grows;
constexpr auto limited = [](A x) { return x.c.plan.training.input_limit.value > 0; };
constexpr auto uneven = [](A x) { return !x.c.hybrid() && x.c.degrees().data > 1 && !x.c.batch_grows(); };
constexpr auto accumulates = [](A x) { return x.c.plan.training.accumulation > 1; };
template <int index>
constexpr auto samples_at = [](A x) { return x.c.samples(index); };
template <MeshAxis axis>
constexpr auto is_filled = [](A x) { return x.e().point.fill == axis; };
template <HybridScheme scheme>
constexpr auto by_scheme = [](A x) { return x.e().point.scheme == scheme; };

/// Samples of a step: of all workers, or of the busiest replica.
std::string batch_text(A x, bool of_all) {
    if (of_all || x.c.degrees().data == 1) return x.c.batch_grows() ? "B*n" : "B";
    return x.c.batch_grows() ? "B*n_t*n_p*n_c" : "ceil(B/{data})";
}

constexpr auto interrupted = [](A x) { return *goodput_of(x.scenario(), x.e()); };

const Hole step_holes[] = {
    {"stage", [](A x) { return std::to_string(busiest_stage(x.c, x.item.topic) + 1); }},
    {"stages", [](A x) { return std::to_string(x.c.stage_count()); }},
    {"workers", [](A x) { return x.c.workers() == 1 ? "1 worker" : format_count(x.c.workers()) + " workers"; }},
    {"batch", [](A x) { return format_count(x.e().point.batch); }},
    {"of", &Context::batch_grows, "a worker", "all workers"},
    {"device", [](A x) { return x.scenario().cluster.device.name; }},
    {"precision",
     [](A x) { return name_of(else_computed_in(x.scenario().cluster.device, x.scenario().training.precision)); }},
    {"narrow",
     [](A x) { return name_of(multiplied_in(x.scenario().cluster.device, x.scenario().training.precision)); }},
    {"price", [](A x) { return price_basis(x.scenario()); }},
    {"epoch", [](A x) { return has_epochs(x.scenario()); }, "epoch", "time for these samples"},
    {"replica", [](A x) { return x.c.degrees().data == x.c.workers(); }, "worker", "replica"},
    {"all", [](A x) { return batch_text(x, true); }},
    {"share", [](A x) { return batch_text(x, false); }},
    {"own", [](A x) { return batch_text(x, x.c.one_replica()); }},
    {"S", &Context::one_replica, "S.all", "b.one"},
    // Axes of the mesh: what the others leave of the workers, or as given.
    {"data", "(n/(n_t*n_p*n_c))"},
    {"tensor", is_filled<MeshAxis::tensor>, "(n/(n_p*n_c))", "n_t"},
    {"pipeline", is_filled<MeshAxis::pipeline>, "(n/(n_t*n_c))", "n_p"},
};

constexpr const char *busiest_worker = "Sum over the layers of the busiest worker",
                     *of_busiest_stage = "Of the busiest stage, {stage} of {stages}.",
                     *no_layers = "No layer does any work in this pass.";

}  // namespace

Room step_room() {
    using enum Topic;
    static const Figure all[] = {
        {"t", "step", &Summary::step, step, is("t_f + t_b + t_u + t_c + t_i"),
         note("What work hides is not added.|t_h", [](const Summary& s) { return s.hidden.value > 0; }),
         stack("Step: t_f t_b t_u t_c t_i"), source("Parts of the step on the busiest worker")},
        {"t_f", "forward", &Summary::forward, forward, sum(of_busiest<layer_pass>), source(busiest_worker),
         note(of_busiest_stage, staged), nothing(no_layers)},
        {"t_b", "backward", &Summary::backward, backward, sum(of_busiest<layer_backward>), source(busiest_worker),
         note(of_busiest_stage, staged), nothing(no_layers)},
        {"t_u", "update", &Summary::update, update, sum(of_busiest<layer_update>), source(busiest_worker),
         note("The stages update at the same time: stage {stage} takes longest.", staged),
         nothing("No layer's weights are updated.")},
        {"t_c", "communication", &Summary::communication, communication, sum(exposed_messages, "messages"),
         nothing("There is nothing to send.|cluster.workers", [](const Estimate& e) { return e.messages.empty(); }),
         nothing("One worker has nobody to exchange with.|cluster.workers", [](A x) { return x.c.workers() == 1; }),
         nothing("All of it is hidden behind work.|t_h")},
        {"t_c.between", "transfers waited for", nullptr, communication, 1},
        {"+t_x", "messages within the stages", nullptr, communication, 2},
        {"t_h", "hidden communication", [](A x) { return beyond_rounding(x, x.s().hidden); }, hidden,
         sum(hidden_messages, "messages"), nothing("No message is hidden behind work.|parallelism.overlap"),
         source("Messages under the backward pass or other work; not part of the step")},
        {"t_l", "forward and backward of all stages", nullptr, all_layers, sum(of_all_layers)},
        {"t_l.back", "layers of the back part, whole step", nullptr, all_layers, 1},
        // what makes the busiest worker wait
        {"+t_i", "idle", [](A x) { return beyond_rounding(x, x.s().idle); }, idle,
         is("t_s + t_o + t_q + t_w + max(0, E/R_i - (t_f + t_b + t_u + t_c + t_s + t_o + t_q + t_w))", limited),
         note("The input pipeline holds the workers up.", [](A x) { return x.s().idle.value > 0; }),
         note("The input pipeline keeps up.", [](A x) { return x.s().idle.value <= 0; }),
         source("Input pipeline: a step takes at least as long as its samples need to arrive"),
         is("t_s + t_o + t_q + t_w"), nothing("Nothing makes the busiest worker wait.|training.input_limit")},
        {"+t_s", "filling and draining", filling, idle, 1, is("max(0, t_p - (t_f + t_b + t_c))", staged),
         note("The busiest stage waits while the others work."), source("{schedule}"), is("0"),
         nothing("Nothing makes the busiest worker wait.", staged),
         nothing("There are no stages.|parallelism.pipeline")},
        {"+t_w", "waiting for the slowest", slowest, idle, 2,
         is("rho*(2*0.6931471805599453*log2(n.active))^0.5*(t_f + t_b)"),
         note("The largest of n normal values lies about (2 ln n)^0.5 deviations above their mean."),
         nothing("No worker is slower than another.|model.spread"),
         source("Extreme values: Cram\u00e9r, Mathematical Methods of Statistics, 1946")},
        {"+t_o", "overhead of a step", "model.overhead_ms"},
        {"+t_q", "waiting for other workers at the servers",
         [](A x) { return x.e().servers ? x.e().servers->state.waiting : Seconds{}; }, server_wait},
        {"R_i", "samples the input pipeline delivers", "training.input_limit"},
        {"rho", "spread of the workers' speeds", "model.spread"},
        {"n.active", "workers", &Batch::active, "cluster.workers"},
        // what a person asks of a step
        {"S.up", "speedup", [](A x) { return Amount(x.e().speedup, Measure::ratio); }, speedup, is("n*t_1/t_n", grows),
         note("1× is one worker with {batch} samples; every worker has as many, so n of them do n times the work."),
         source("Samples per second against one worker's, weak scaling (PALEO, Qi et al., ICLR 2017)"), is("t_1/t_n"),
         note("1× is one worker with all {batch} samples."),
         source("Samples per second against one worker's, strong scaling (PALEO, Qi et al., ICLR 2017)"),
         stack("t_n: t_f t_b t_u t_c t_i")},
        {"t_1", "step on 1 worker", [](A x) { return x.e().baseline.step; }, on_one_worker<step>},
        {"t_n", "step on {workers}", &Summary::step, step},
        {"e.n", "efficiency", [](A x) { return Fraction{x.e().efficiency}; }, efficiency, is("S.up/n"),
         stack("Step: t_f t_b t_u t_c t_i")},
        {"X.all", "throughput", &Estimate::throughput, throughput, is("E/t"), stack("Step: t_f t_b t_u t_c t_i")},
        {"T", "{epoch}", &Estimate::epoch, epoch,
         note("The size of the data set is not set; that of ImageNet stands in for it.",
              [](A x) { return !has_epochs(x.scenario()); }),
         is("t*ceil(N.set/E)"),
         source("Steps that go once through the data set; the last one may be smaller, and counts whole")},
        {"N.set", "samples in the data set", [](A x) { return x.c.plan.training.data_set; }, "training.data_set"},
        {"C", "cost", [](A x) { return Amount(x.e().epoch_cost.value_or(0), Measure::dollars); }, cost,
         is("p.price*(n + k.own)*T/3600"),
         note("An hour has 3,600 s. Prices differ by seller and date; this one is a starting value to edit."),
         note("Price: {price}")},
        {"p.price", "price of a {device}", "cluster.device.price_usd_per_hour"},
        {"+k.own", "parameter servers, each paid for as a worker",
         [](A x) { return own_servers(x.scenario(), x.e().point.updates, x.c.workers(), x.e().point.servers); },
         "parallelism.servers"},
        {"u", "idle share", [](A x) { return Fraction{x.e().idle_share <= 1e-12 ? 0 : x.e().idle_share}; }, idle_share,
         is("1 - (t - t_i)/t*min(1, E/(ceil(E/{data})*{data}))", uneven),
         note("The busiest {replica} has the rounded-up share of the batch; the others wait for it."),
         is("1 - (t - t_i)/t"), source("Of all workers together: time in which they have nothing to do")},
        // interruptions
        {"G", "goodput", [](A x) { return interrupted(x).trains; }, goodput,
         is("tau/M_c*exp(-(R + tau + delta)/M_c)/(1 - exp(-(tau + delta)/M_c))"),
         note("Training goes on from the last checkpoint when a device fails: what came after it is done again. "
              "Failures strike while a checkpoint is written or training restarts, too."),
         source("Failures at random: Daly, Future Generation Computer Systems 22, 2006")},
        {"tau", "training between two checkpoints", [](A x) { return interrupted(x).interval; }, checkpoint_interval,
         is("M_c", [](A x) { return interrupted(x).write >= 2 * interrupted(x).between; }),
         note("A checkpoint takes longer than two interruptions are apart."),
         is("(2*delta*M_c)^0.5*(1 + (delta/(2*M_c))^0.5/3 + delta/(18*M_c)) - delta"),
         note("The first factor alone is Young's interval (Communications of the ACM 17, 1974)."),
         source("The best interval, higher order: Daly, Future Generation Computer Systems 22, 2006")},
        {"delta", "time of a checkpoint", [](A x) { return interrupted(x).write; }, checkpoint,
         is("N.all*(w.one + k.state*x_t)/(n*W.save)"),
         note("Nothing trains while all devices write an equal share at once."),
         source("Weights, master weights and optimizer states, each of them once")},
        {"M_c", "time between interruptions", [](A x) { return interrupted(x).between; }, interruption, is("M_d/n"),
         note("Training stops when any device fails."), source("Failures of n devices, each by itself, at random")},
        {"M_d", "time between failures of a device", "reliability.device_mtbf_h"},
        {"R", "time to restart", "reliability.restart_s"},
        {"W.save", "bandwidth of a device's share of a checkpoint", "reliability.checkpoint_gb_s"},
        {"N.all", "parameters of the network", [](A x) { return x.scenario().network()->parameters(); }},
        {"*x_t", "share of the parameters that is trained", [](A x) { return trained_share(x.scenario()); },
         "training.frozen"},
        {"w.one", "bytes of a weight", [](A x) { return Bytes{bytes_per_element(x.scenario().training.precision)}; },
         "training.precision"},
        {"E", "samples in a step", &Batch::effective, effective_batch, is("B*n", grows),
         source("The batch grows with the workers (weak scaling)"), is("B"),
         source("The batch stays the same for any number of workers (strong scaling)")},
        {"B", "samples of {of}", "training.batch"},
        // the mesh, and how often things happen in a step
        {"n", "workers", &Context::workers, "cluster.workers"},
        {"*n_t", "tensor degree", [](A x) { return x.c.degrees().tensor; }, "parallelism.tensor"},
        {"*n_p", "pipeline degree", [](A x) { return x.c.degrees().pipeline; }, "parallelism.pipeline"},
        {"*n_c", "context degree", [](A x) { return x.c.degrees().context; }, "parallelism.context",
         is("n/(n_t*n_p)", is_filled<MeshAxis::context>)},
        {"*a", "micro-steps added up", &Context::micro_step_count, micro_steps, "training.accumulation",
         is("ceil({own}/{S})")},
        {"a.wanted", "micro-steps wanted", [](A x) { return x.c.plan.training.accumulation; }, "training.accumulation"},
        {"*M", "micro-batches", &Context::micro_batches, micro_batches, "parallelism.micro_batches",
         is("ceil({S}/b_m)", staged), is("1")},
        {"*g", "slices", &Context::slices, slices, "cluster.workers",
         is("1", [](A x) { return !x.c.hybrid() || by_scheme<HybridScheme::all_at_once>(x); }),
         is("ceil(S.all/b.one)")},
        {"*c", "times in a step", [](A x) { return x.c.count(x.part()); }, "workload.count"},
        // samples at once
        {"b.one", "samples of a worker", samples_at<0>, samples, 0, "training.batch",
         is("ceil({share}/a.wanted)", accumulates), is("{share}")},
        {"S.all", "samples of all workers", samples_at<1>, samples, 1, "training.batch", is("ceil({all}/a)", hybrid),
         is("ceil({all}/a.wanted)", accumulates), is("{all}")},
        {"b_m", "samples of a micro-batch", samples_at<2>, samples, 2, "training.batch", is("ceil({S}/min(m, {S}))")},
        {"m", "micro-batches wanted", "parallelism.micro_batches"},
        {"b_s", "samples on the way at once", samples_at<3>, samples, 3,
         is("b.one", by_scheme<HybridScheme::one_sender>), is("b.one*n", by_scheme<HybridScheme::all_at_once>),
         is("ceil(b.one/n)*n"),
         note("Each worker sends a share of what it has; the buffer counts as so many of the largest."),
         source("The tensor at the cut, for the samples that move at once")},
        {"b", "samples at once", [](A x) { return x.c.samples(x.c.samples_index(x.part(), x.layer())); }, samples,
         "training.batch"},
        // the device
        {"P", "{precision} peak of the {device}", "cluster.device.peak_tflops"},
        {"P_n", "{narrow} peak of the {device}", "cluster.device.peak_tflops.narrow"},
        {"e", "share of peak reached", [](A x) { return x.c.plan.device.share; }, "model.compute"},
        {"W", "memory bandwidth", "cluster.device.memory_bandwidth_gb_s"},
        {"e_m", "share of it reached",
         [](A x) {
             const bool unset = x.c.plan.paleo && x.scenario().model.memory.value == 0;
             return unset ? Fraction{1} : stream_share(x.scenario().cluster.device, x.scenario().model);
         }, "model.memory"},
        {"*k_m", "times that layers without products move it", "model.traffic"},
        {"w", "bytes of an element", [](A x) { return Bytes{x.c.part(x.part()).work.element_bytes}; },
         "training.precision"},
        {"w_g", "bytes of a gradient", [](A x) { return Bytes{x.c.part(x.part()).work.gradient_element_bytes}; },
         "parallelism.gradients"},
        {"f", "arithmetic for a parameter", [](A x) { return Flops{x.c.plan.update.flops}; }, "training.optimizer"},
        {"d", "traffic for a parameter",
         [](A x) { return Bytes{(x.e().servers ? x.c.plan.update : x.c.part(x.part()).update).bytes}; },
         "training.optimizer"},
    };
    return {all, step_holes};
}

}  // namespace scalescope::explaining
