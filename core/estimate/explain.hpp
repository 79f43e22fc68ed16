// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/estimate/estimate.hpp"

/// Why a figure is what it is: the formula, the numbers put into it with their units, the result, the source. Composed
/// on demand from the same Scenario, Plan and Estimate that gave the figure; nothing here is computed twice in two ways
/// but the formula itself, and a test evaluates every formula shown on the inputs shown.
namespace scalescope {

/// What can be asked about. Fields of Item that a topic uses stand behind it; the rest stay as they are by default.
enum class Topic {
    // the step
    step,
    forward,
    backward,
    update,
    communication,  ///< exposed
    hidden,         ///< communication under the backward pass or other work
    idle,           ///< index 1: what filling and draining the stages leaves idle, without the wait for input
    all_layers,     ///< forward and backward of every layer; index 1: of hybrid's back part
    // what a person asks of it
    speedup,
    efficiency,
    throughput,
    epoch,
    cost,
    idle_share,
    goodput,              ///< share of the elapsed time that trains
    checkpoint_interval,  ///< training time between two checkpoints
    checkpoint,           ///< time in which one is written
    interruption,         ///< mean time between interruptions
    effective_batch,
    // a layer: part, layer
    layer,
    layer_compute,  ///< forward and backward
    layer_pass,     ///< pass
    layer_backward,
    layer_recompute,  ///< its forward pass, run once more in its backward pass
    layer_update,
    layer_communication,
    layer_hidden,
    layer_flops,         ///< pass
    layer_bytes,         ///< pass
    layer_product,       ///< pass, index: which of its products, or its fused attention
    product_arithmetic,  ///< pass, index
    product_memory,      ///< pass, index
    layer_parameters,    ///< held by the busiest worker; index 1, PALEO's methods only: as PALEO counts them; where
                         ///< experts are divided, 2: of them, 3: all others
    layer_inputs,        ///< elements of all its inputs, one sample
    layer_output,        ///< elements of its output, one sample
    layer_kept,   ///< bytes kept from forward for backward; level 1: there only while its block is computed again
    kept_tensor,  ///< index: which of them
    share,        ///< of the layer's output that the busiest worker holds
    samples,      ///< at once, on index 0: a worker, 1: all workers, 2: a stage, 3: the way over hybrid's cut
    slices,       ///< hybrid: how many the back part works through
    // a message: message
    message,        ///< time of one; index 0, 1, 2: the alternatives of the automatic choice
    message_level,  ///< index: alternative or -1, level: 0, 1, 2
    message_bytes,
    message_exposed,
    message_hidden,
    message_ready,
    message_start,
    message_end,
    ranks,  ///< that hold the same weights; index 1: the same experts
    sharing,
    nodes,
    backward_window,  ///< part: backward of one micro-step, under which its messages may hide; message, where each
                      ///< micro-batch sends them: of the stage that sends it
    work_beside,      ///< message: work of the layers beside which it travels, once
    cut_exposed,      ///< hybrid: what of the transfers at the cut is waited for, one micro-step
    cut_transfers,    ///< hybrid: transfers at the cut for one slice; index 0: into the back part, 1: out of it
    cut_work,         ///< hybrid: what the back part does with one slice
    back_messages,    ///< hybrid: messages inside the back part
    // stages: split by layers
    pipeline,
    stage,             ///< index: which, pass: forward, grad_input for backward; grad_weights if they come later
    chain,             ///< the longest chain of a schedule, one micro-step; level 0: without messages, 1: with them
    chain_piece,       ///< on the chain of that level; index: stage, pass; or message: a transfer
    in_flight,         ///< index: stage; micro-batches whose activations it holds at once
    border_exposed,    ///< transfers between stages that are waited for, one micro-step; index 0: forward, 1: backward,
                       ///< -1: both
    border_transfers,  ///< all of one micro-batch, as above
    stage_wait,        ///< for gradients of the stage that is done last
    micro_batches,
    micro_steps,  ///< whose gradients are added up, as many as are really used
    // asynchronous updates
    server_wait,       ///< for other workers, at the busiest server
    server_queue,      ///< index: workers there are; how many of them are at the busiest server
    server_service,    ///< what the busiest server does for a worker's step; index 1: in one network, part
    server_update,     ///< of the largest shard, once; part
    server_think,      ///< a worker's step without the busiest server
    server_response,   ///< wait and service; index 1: of the slowest server, if their times spread as exponential ones
    shard,             ///< weights on the fullest server; part
    update_rate,       ///< updates of all workers in a second
    knee,              ///< workers from which on the servers are the limit
    staleness,         ///< updates of others between a worker's pull and its own
    statistical_cost,  ///< what staleness makes of the length of the training
    // the fullest device
    memory,
    weights,  ///< and what is kept of them; index as of layer_parameters: the number of parameters
    gradients,
    optimizer,
    activations,
    recomputed,  ///< layer: what its block needs up to there, in the backward pass that computes it again
    live,        ///< activations kept at the worst moment, with the two gradient tensors beside them
    // CPU clusters
    cpu_exchange,  ///< between the machines of a replica; index 1: hidden, 2: with its compute, 3: all of a step, 4:
                   ///< deltas
    cpu_sending,   ///< to and from the servers, waited for; index 1: hidden
    cpu_serving,   ///< the servers' processors, waited for; index 1: where they are the workers'
    cpu_worker_network,  ///< of one exchange
    cpu_server_network,
    cpu_server_cpu,
    cpu_upload,  ///< bytes; with a layer: its elements
    cpu_download,
    cpu_queue,           ///< at the servers: queueing and service
    cpu_binding,         ///< what the step lasts as long as
    cpu_staleness,       ///< updates of others between a replica's read and its own
    cpu_compute,         ///< layer, index 0, 1, 2: forward, errors, deltas of one sample on one thread
    cpu_multiply_add,    ///< layer, index
    cpu_layer_exchange,  ///< layer, index
    cpu_layer_waited,    ///< layer, index: what of it adds to the compute
    cpu_working_set,     ///< layer, index
};

/// A figure of the estimate that somebody points at.
struct Item {
    Topic topic = Topic::step;
    int part = 0;    ///< index into Scenario::workload
    int layer = -1;  ///< position in its network
    Pass pass = Pass::forward;
    int message = -1;  ///< index into Estimate::messages
    int index = -1;
    int level = 0;
    int from = 0;           ///< of a sum: without its `from` largest terms, which the page before has listed
    bool baseline = false;  ///< of the same step on one worker

    auto operator<=>(const Item&) const = default;
};

/// How far a figure can be trusted, best first.
enum class Evidence { exact, calibrated, datasheet, extrapolated, assumed };
std::string_view name_of(Evidence e);

/// One quantity of a formula.
struct Input {
    std::string symbol;  ///< as in the formula: "F", "t_1"; empty: a circumstance, no quantity
    std::string text;    ///< "multiply and add"
    double value = 0;    ///< in `unit`, as the formula uses it; a share of 62 % is 0.62
    std::string unit;    ///< "s", "FLOP", "B", "FLOP/s", "B/s", "samples/s", "$", "$/h"; empty for counts and shares
    std::string shown;   ///< "53.16 GFLOP"
    std::string field;   ///< dotted path of the field that controls it, or empty
    std::optional<Item> because;  ///< what explains it further
    Evidence evidence = Evidence::exact;
};

/// A second formula on the page: where an input comes from, with its numbers put in.
struct Definition {
    std::string symbol;  ///< of the input it gives
    std::string text;    ///< "2·5·5·64·26·26·192·128"
    Item because;
};

/// A piece of the stack of coloured parts; all pieces make up the whole.
struct ExplainedPart {
    std::string name;
    double value = 0;  ///< in the unit of the whole
    double share = 0;
    std::string shown, share_shown;
    Item item;
};

struct Crumb {
    std::string text;
    Item item;
};

struct Explanation {
    Item item;
    std::string title;          ///< "conv2, forward"
    std::vector<Crumb> crumbs;  ///< from the step down to this one
    std::string symbol;         ///< of the result: "t"
    double result = 0;
    std::string result_unit;  ///< as Input::unit
    std::string result_shown;
    std::string formula;  ///< in the syntax of core/numerics/expression
    std::vector<std::string>
        lines;  ///< with numbers put in; the lines of one equation start with "= " and "+ " or "− "
    std::vector<Input> inputs;
    std::vector<Definition> definitions;
    std::vector<ExplainedPart> parts;
    std::string parts_name, parts_shown;  ///< the whole: "Step", "238.91 ms"
    std::string source;                   ///< "PALEO, Qi et al., ICLR 2017"
    Evidence evidence = Evidence::exact;
    std::string evidence_text;  ///< "peak figures, not calibrated"
    std::vector<std::string> notes;
};

/// `estimate` is that of `scenario` with `plan`. A Problem if the item is none of this estimate: a layer or message
/// that is not there, a cost where the device has no price.
Result<Explanation> explain(const Scenario& scenario, const Plan& plan, const Estimate& estimate, const Item& item);

}  // namespace scalescope
