// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/validate/resolve.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/checked.hpp"
#include "core/base/format.hpp"
#include "core/base/letters.hpp"
#include "core/base/limits.hpp"
#include "core/base/sequences.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/formats/named_settings.hpp"
#include "core/measure/validate/columns.hpp"
#include "core/pricing/rates.hpp"
#include "core/scenario/adapters.hpp"
#include "core/scenario/fields.hpp"
#include "core/scenario/symbol_fields.hpp"
#include "core/words/choices.hpp"
#include "core/words/device_words.hpp"
#include "core/words/link_words.hpp"
#include "core/words/network_words.hpp"
#include "core/words/pieces.hpp"
#include "core/words/vocabulary.hpp"

namespace scalescope::measure {

namespace {

constexpr std::int64_t imagenet_images = 1281167;  ///< of ILSVRC-2012

/// Whether the network tells apart the thousand classes of ImageNet-1k.
bool classifies_imagenet(const Network& network) {
    constexpr std::int64_t classes = 1000, colors = 3;
    const auto& facts = network.facts();
    const auto is_image = [](const LayerFacts& f) { return f.output.size() == 3 && f.output.back() == colors; };
    return std::any_of(facts.begin(), facts.end(), is_image) &&
           std::any_of(facts.begin(), facts.end(), [](const LayerFacts& f) { return f.out_elements == classes; });
}
/// Whether the FLOPs of a step over the step time that the row gives come nearer to the rate of all devices than to
/// that of each.
bool is_of_all(const PublishedRow& row, const Scenario& s, const Measured& measured) {
    if (row.step_seconds <= 0) return false;
    const double samples = static_cast<double>(row.batch_per_worker * row.accumulation * row.copies());
    const double rate = model_flops(measured.counted).value * samples / row.step_seconds * measured.unit / row.value;
    return std::abs(std::log(rate)) < std::abs(std::log(rate / static_cast<double>(s.cluster.workers)));
}

/// Whether a rate in tokens per second is plausible as a rate per device, and much less so as that of all devices.
bool are_of_each(const PublishedRow& row, const Scenario& s, const Measured& measured) {
    constexpr double usual = 0.4, margin = 2, most_off = 4;
    const auto peak = s.cluster.device.peak_at(s.training.precision);
    if (!peak || row.step_seconds > 0) return false;
    const double tokens = row.value / measured.unit,
                 share = model_flops(measured.counted).value / measured.tokens_per_sample * tokens / peak->value;
    const auto off = [&](double of_peak) { return std::abs(std::log(of_peak / usual)); };
    return off(share) < std::log(most_off) &&
           off(share) + std::log(margin) < off(share / static_cast<double>(s.cluster.workers));
}

}  // namespace

std::string assumed_sentence(std::string what) { return what + " is assumed."; }

bool is_decoder(const Network& network) {
    return std::any_of(network.layers().begin(), network.layers().end(), [](const Layer& l) {
        return l.kind->name == "attention" && std::get<bool>(attribute(l, "causal"));
    });
}

bool is_transformer(const Network& network) {
    return std::any_of(network.facts().begin(), network.facts().end(),
                       [](const LayerFacts& f) { return f.along(ShardAlong::heads) > 0; });
}

std::string first_line(const Problems& problems) {
    if (problems.empty()) return "It cannot be predicted.";
    const Problem& p = problems.front();
    if (p.remedy.empty()) return p.what;
    return p.what + " " + p.remedy + (p.remedy.ends_with('.') || p.remedy.ends_with('?') ? "" : ".");
}

void add_once(std::vector<std::string>& list, const std::string& text) {
    if (!text.empty() && std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
}

std::string quoted_start(std::string_view text) {
    constexpr std::size_t longest = 60;
    return formats::quoted(text.substr(0, longest));
}

/// The meaning of words of that kind in the text, which many rows share.
const std::string& RowResolver::word_in(const char* kind, const std::string& text) {
    const std::string key = std::string(kind) + '\n' + text;
    auto found = words_.find(key);
    if (found == words_.end())
        found = words_.emplace(key, shipped_vocabulary().read_strictly(kind, pieces_of(text)).means).first;
    return found->second;
}

PublishedRow RowResolver::filled(const PublishedRow& row, ResolvedRow& resolved) {
    PublishedRow full = row;
    // A run's texts name its framework, if no column does.
    std::vector<std::string> texts{row.framework, row.notes, row.source};
    texts.insert(texts.end(), row.texts.begin(), row.texts.end());
    std::string all;
    for (const std::string& text : texts) all += text + '\n';
    if (full.framework.empty()) full.framework = word_in("framework", all);
    for (const std::string& text : texts)
        if (full.samples == 0)
            if (const auto size = whole_number(word_in("dataset", text), limits::batch)) full.samples = *size;
    if (row.continued) add_once(resolved.assumed, "Empty cells are assumed to be those of the row above.");
    for (const Profile& profile : profiles_) {
        if (profile.cells.empty() || !meets(full, profile.when) ||
            (!profile.mentions.empty() && in_small_letters(all).find(profile.mentions) == std::string::npos))
            continue;
        bool any = false;
        for (const auto& [column, text] : profile.cells) any = fill_cell(full, column, text) || any;
        if (!any) continue;
        for (const auto& source : profile.sources) add_once(resolved.sources, source);
        add_once(resolved.assumed, profile.note);
    }
    return full;
}

const DeviceReading& RowResolver::read_cached(const std::string& text) {
    auto found = devices_.find(text);
    if (found == devices_.end()) found = devices_.emplace(text, read_device(library_.catalogue, text)).first;
    return found->second;
}

/// The device that the row names, or otherwise the first one that the texts around its cells name. If that text does
/// not give its number, a text further away may.
const DeviceReading& RowResolver::device(const PublishedRow& row, ResolvedRow& resolved) {
    const DeviceReading& named = read_cached(row.device);
    if (named.device) return named;
    const bool counted = row.workers_given || row.nodes > 0 || row.replica_size() * row.replicas > 1;
    std::vector<std::string> texts{row.notes, row.network};
    texts.insert(texts.end(), row.texts.begin(), row.texts.end());
    texts.push_back(row.device);
    const DeviceReading* found = nullptr;
    const std::string* said_by = nullptr;
    for (const std::string& text : texts) {
        if (!has_letters(text)) continue;  // "1,060" tokens
        const DeviceReading& read = read_cached(text);
        if (!read.device || (found && (read.device != found->device || !read.count))) continue;
        found = &read, said_by = &text;
        if (counted || read.count) break;
    }
    if (found)
        add_once(resolved.assumed,
                 assumed_sentence("The device " + found->device->name + ", from " + quoted_start(*said_by) + ","));
    if (found) return *found;
    for (const std::string& text : texts)
        if (const std::string& vague = word_in("device otherwise", text); !vague.empty()) {
            add_once(resolved.assumed, assumed_sentence("The device " + vague + ", from " + quoted_start(text) + ","));
            return read_cached(vague);
        }
    const std::string& usual = word_in("device usually", row.metric);
    if (row.device.empty() && !usual.empty()) {
        add_once(resolved.assumed, usual + " is assumed, as memory hardly depends on the device.");
        resolved.device_assumed = true;
        return read_cached(usual);
    }
    return named;
}

/// The system that the device's name or the notes name, if it has such devices.
const ClusterPreset* RowResolver::system_of(const PublishedRow& row, const DeviceReading& named) {
    if (named.cluster) return named.cluster;
    for (const std::string* text : {&row.interconnect, &row.notes}) {
        if (text->empty()) continue;
        const ClusterPreset* system = read_cached(row.device + ' ' + *text).cluster;  // there are two DGX-1
        const Device* built_with = system ? library_.catalogue.device(system->device) : nullptr;
        if (built_with && built_with->architecture == named.device->architecture) return system;
    }
    return nullptr;
}

/// Derives the workers and the batch from the device's name and from other cells if the table does not give them.
void RowResolver::complete(PublishedRow& row, const DeviceReading& device, ResolvedRow& resolved) const {
    const UsualLinks usual = usual_links(library_.catalogue, *device.device);
    const std::int64_t built_with = device.cluster ? device.cluster->devices_per_node : usual.devices_per_node;
    if (!row.workers_given && row.workers == 1) {
        const std::int64_t of_experts = row.expert * std::max<std::int64_t>(1, row.pipeline),
                           of_mesh = std::max(row.replica_size() * std::max<std::int64_t>(1, row.replicas), of_experts),
                           node = device.count.value_or(device.cluster ? built_with : 1);
        row.workers = row.nodes > 0 ? row.nodes * std::max<std::int64_t>(device.count.value_or(0), built_with)
                                    : std::max(of_mesh, node);
        if (row.nodes > 0 && row.replicas > 0 && of_mesh < row.workers && of_mesh % row.nodes == 0)
            row.workers = of_mesh;
        if (row.nodes > 0) row.devices_per_node = row.workers / row.nodes;
        if (row.workers > 1 && !device.count && row.nodes > 0)
            add_once(resolved.assumed,
                     assumed_sentence("A node size of " + std::to_string(row.devices_per_node) + " devices"));
    }
    if (row.devices_per_node == 0 && row.workers > 1) {
        row.devices_per_node = std::min(row.workers, device.domain.value_or(built_with));
        // Jobs take equal parts of their nodes: 256 devices of racks of 72 are 64 of each of four.
        const std::int64_t nodes = ceil_div(row.workers, row.devices_per_node);
        if (row.workers % nodes == 0) row.devices_per_node = row.workers / nodes;
    }
    if (row.tensor > row.devices_per_node && row.devices_per_node > 0 && row.pipeline == 0 &&
        row.tensor % row.devices_per_node == 0) {
        row.pipeline = row.tensor / row.devices_per_node;
        row.tensor = row.devices_per_node;
        add_once(resolved.assumed,
                 "Model parallelism over more devices than a node has is assumed to be tensor "
                 "parallelism inside a node and pipeline stages.");
    }
    if (row.replicas > 0 && row.shard_group > 1 && row.replicas * row.shard_group * row.replica_size() == row.workers)
        row.replicas *= row.shard_group;  // copies, and devices that share one
    const std::int64_t cores = device.device->multiprocessors.value_or(1);
    const std::int64_t degrees = row.replica_size() * std::max<std::int64_t>(1, row.replicas);
    if (cores > 1 && row.replicas > 0 && degrees == row.workers * cores) {
        std::int64_t& axis = row.tensor > 0 && row.tensor % cores == 0 ? row.tensor : row.replicas;
        if (axis % cores == 0) {
            axis /= cores;
            add_once(resolved.assumed, "The degrees are assumed to count the " + std::to_string(cores) +
                                           " cores of each chip, which is predicted as one device.");
        }
    }
    if (row.batch_tokens > 0 && row.batch_global == 0 && row.sequence > 0)
        row.batch_global = std::max<std::int64_t>(1, (row.batch_tokens + row.sequence / 2) / row.sequence);
    if (row.batch_derived && row.batch_global > 0) {
        const std::int64_t copies = std::max<std::int64_t>(1, row.copies());
        row.batch_global = std::max<std::int64_t>(1, (row.batch_global + copies / 2) / copies) * copies;
        add_once(resolved.assumed, "The batch of " + std::to_string(row.batch_global) +
                                       " is derived from the rate and the step time of the row.");
    }
    if (row.batch > 0 && row.batch_global == 0 && row.batch_per_worker == 0) {
        const bool of_all = row.workers > 1 && row.micro_batch > 0;
        (of_all ? row.batch_global : row.batch_per_worker) = row.batch;
        if (row.workers > 1)
            add_once(
                resolved.assumed,
                of_all
                    ? "The batch is assumed to be that of all devices; if it is not, call its column batch_per_worker."
                    : "The batch is assumed to be that of each replica; if it is not, call its column batch_global.");
    }
    if (row.pipeline > 1 && row.accumulation == 1 && row.batch_per_worker > 1 &&
        row.batch_per_worker <= limits::repeats) {
        row.accumulation = std::exchange(row.batch_per_worker, 1);
        add_once(resolved.assumed, assumed_sentence("A micro-batch of one sequence"));
    }
    if (row.pipeline > 1 && row.micro_batch == 0 && row.batch_global > 0) {
        row.micro_batch = 1;
        add_once(resolved.assumed, assumed_sentence("A micro-batch of one sequence"));
    }
    settle_batch(row);
}

const CountedFlops& RowResolver::counted(const std::shared_ptr<const Network>& network) {
    auto found = counted_.find(network);
    if (found == counted_.end()) found = counted_.emplace(network, counted_flops(*network)).first;
    return found->second;
}

/// A missing batch is assumed for rates, which it hardly changes, and for the memory of language models, most of which
/// are states; not for times, which grow with it.
void RowResolver::assume_batch(PublishedRow& row, const std::shared_ptr<const Network>& network,
                               ResolvedRow& resolved) {
    const PublishedMetric metric = resolved.measured.metric;
    const bool decoder = is_decoder(*network),
               hardly_changes = (is_rate(metric) && metric != PublishedMetric::steps_per_second) ||
                                metric == PublishedMetric::epoch || (decoder && is_memory(metric)) ||
                                (is_training_time(metric) && resolved.measured.training_steps == 0);
    if (row.batch_per_worker > 0 || !hardly_changes) return;
    // Small networks get more samples, which keep a device about as busy as 32 images of ResNet-18.
    constexpr std::int64_t least = 32, most = 65536, micro_steps = 8;
    constexpr double busy = 1e11;  // FLOPs of a forward pass
    std::int64_t samples = least;
    const double each = counted(network).forward.value;
    while (samples < most && each * static_cast<double>(samples) < busy / 2) samples *= 2;
    resolved.batch_assumed = true;
    row.batch_per_worker = row.micro_batch = decoder ? 1 : samples;
    row.accumulation = decoder ? micro_steps * std::max<std::int64_t>(1, row.pipeline) : 1;
    add_once(resolved.assumed,
             assumed_sentence("A batch of " + std::to_string(row.batch_per_worker * row.accumulation) +
                              (decoder ? " sequences a replica, one at a time," : " samples a replica")));
}

/// The layers that get adapters according to the row, or to its page if that mentions no training of all weights.
std::string RowResolver::adapters_of(const PublishedRow& row) {
    const std::string own = row.network + '\n' + row.notes;
    std::string adapters = word_in("adapters", own);
    if (!adapters.empty() || !word_in("all weights", own).empty()) return adapters;
    for (const std::string& text : row.texts) {
        if (!word_in("all weights", text).empty()) return {};
        if (adapters.empty()) adapters = word_in("adapters", text);
    }
    return adapters;
}

ResolvedRow RowResolver::resolve(const PublishedRow& given) {
    ResolvedRow resolved;
    const auto because = [&](std::string why) {
        resolved.scenario.reset();
        resolved.reason = std::move(why);
        return resolved;
    };
    if (!given.wrong.empty()) return because(given.wrong);
    Measured& measured = resolved.measured;
    PublishedRow row = filled(given, resolved);
    const DeviceReading& read = device(row, resolved);
    if (!read.device && row.device.empty())
        return because("The row names no device; name its column device, or give one, --map \"device=H100 SXM\".");
    if (!read.device) return because(first_line(require_device(library_.catalogue, row.device).error()));
    const Device* device = read.device;
    for (const std::string& sentence : read.assumed) add_once(resolved.assumed, sentence);
    const auto net = network(row, resolved);
    if (!net) return resolved;
    if (const Symbol* symbol = find_by(net->draft().symbols, "sequence", &Symbol::name); symbol && row.sequence == 0) {
        row.sequence = symbol->initial;
        measured.tokens_per_sample = static_cast<double>(row.sequence);
        add_once(resolved.assumed,
                 assumed_sentence("A sequence length of " + std::to_string(row.sequence) + " tokens"));
    }
    complete(row, read, resolved);
    const bool is_throughput = row.metric.empty() || row.metric.find("throughput") != std::string::npos;
    if (row.unit.empty() && is_throughput && !is_decoder(*net)) {  // of decoders, tokens or sequences
        const double flops = model_flops(counted(net)).value * row.value;
        const bool possible = flops <= fastest(*device).value * static_cast<double>(row.workers);
        row.unit = possible ? "samples/s" : "tokens/s";
        add_once(resolved.assumed, assumed_sentence("The unit " + row.unit));
    }
    if (row.unit.empty())
        return because("The table does not give the unit of its figures; write --map \"values=tokens/s\".");
    if ((row.metric == "training_time" || row.metric == "device_time") && row.epochs + row.steps == 0 &&
        row.tokens <= 0 && classifies_imagenet(*net) && (row.samples == 0 || row.samples == imagenet_images)) {
        constexpr std::int64_t epochs = 90, of_transformers = 300;  // of ResNet (Goyal et al. 2017) and DeiT
        row.epochs = is_transformer(*net) ? of_transformers : epochs;
        add_once(resolved.assumed, assumed_sentence("A training of " + std::to_string(row.epochs) + " epochs"));
    }
    const bool counts_epochs = row.epochs > 0 || row.metric == "epoch";
    if (counts_epochs && row.samples == 0 && row.steps == 0 && classifies_imagenet(*net)) {
        row.samples = imagenet_images;
        add_once(resolved.assumed, assumed_sentence("ImageNet-1k, with 1,281,167 images,"));
    }
    if (auto why = find_metric(row, measured); !why.empty()) return because(std::move(why));
    assume_batch(row, net, resolved);
    if (row.batch_per_worker == 0)
        return because(
            "The table does not give a batch, which times and memory depend on; name its column batch_global or "
            "batch_per_worker.");
    Scenario s;
    if (!row.precision.empty()) {
        const auto precision = read_precision(row.precision);
        if (!precision)
            return because(formats::quoted(row.precision) +
                           " is no known precision; write a name such as bf16, fp16 or fp8.");
        s.training.precision = *precision;
        const auto has = [&](Precision p) { return device->peak_at(p).has_value(); };
        if (*precision == Precision::fp16 && !has(Precision::fp16) && has(Precision::bf16)) {
            s.training.precision = Precision::bf16;
            add_once(resolved.assumed, assumed_sentence("The 16-bit format of the device, bf16,"));
        }
    }
    if (auto why = set_mesh(row, s, resolved); !why.empty()) return because(std::move(why));
    s.name = net->name() + " on " + std::to_string(row.workers) + " × " + device->name;
    s.workload.push_back({net, {}, 1, resolved.network});
    // Times of passes come from benchmarks that propagate gradients back to the image and do not update weights.
    if (measured.metric == PublishedMetric::forward || measured.metric == PublishedMetric::backward ||
        measured.metric == PublishedMetric::both_passes) {
        s.workload.front().passes.to_data = true;
        s.workload.front().passes.update = false;
    }
    resolved.undivided = row.sharding.empty() && row.tensor == 0 && row.pipeline == 0 && row.replicas == 0;
    s.cluster.device = *device;
    if (read.memory) {
        s.cluster.device.memory = read.memory;
        add_once(resolved.assumed,
                 device->name + " has " + format_bytes(*read.memory) + " of memory, as the table says.");
    }
    if (read.memory_bandwidth) s.cluster.device.memory_bandwidth = *read.memory_bandwidth;
    if (read.watts && device->tdp_w) {
        // Power grows faster than the clock, since voltage rises with it.
        const Fraction slower{std::sqrt(*read.watts / *device->tdp_w)};
        for (auto& peak : s.cluster.device.peak)
            if (peak) peak = *peak * slower;
        add_once(resolved.assumed, device->name + " is assumed to reach " + format_percent(slower) +
                                       " of its peak with " + format_number(*read.watts) + " of " +
                                       format_number(*device->tdp_w) + " W.");
    }
    s.cluster.workers = row.workers;
    s.cluster.devices_per_node = std::clamp<std::int64_t>(row.devices_per_node, 1, row.workers);
    s.cluster.inside = s.cluster.between = Link{};
    if (row.sequence > 0 && symbol_value(s, "sequence"))
        if (const auto set = set_symbol(s, "sequence", row.sequence); !set) return because(first_line(set.error()));
    set_states(row, s, resolved);
    const auto links = set_links(row, system_of(row, read), s, resolved);
    if (auto why = set_profiles(row, s, resolved); !why.empty()) return because(std::move(why));
    const std::string adapters = adapters_of(row);
    if (!adapters.empty()) {
        if (const auto set = formats::set_by_name(s, "adapters", adapters, library_); !set)
            return because(first_line(set.error()));
        add_once(resolved.assumed, "Adapters of rank " + std::to_string(first_rank) + " beside the products of " +
                                       adapters + " are assumed.");
    }
    for (const AssumedLink& link : links)
        if ((link.between ? s.cluster.between : s.cluster.inside).id == link.link->id)
            add_once(resolved.assumed, link.sentence);
    if (!symbol_value(s, "sequence") && row.sequence == 0) measured.tokens_per_sample = tokens_of(s);
    measured.counted = counted(s.workload.front().network);
    if (measured.metric == PublishedMetric::tokens_per_second && !measured.each_device && row.workers > 1 &&
        is_decoder(*net) && are_of_each(row, s, measured)) {
        measured.each_device = true;
        measured.unit /= static_cast<double>(row.workers);
        add_once(resolved.assumed,
                 "The rate is so small a share of the peak of all devices that it is assumed to be that of each.");
    }
    if (counts_flops(measured.metric)) {
        // Relative to the peak of the precision that is not narrow, unless the table says otherwise.
        const auto peak = s.cluster.device.peak_at(traits_of(s.training.precision).elements);
        if (!peak)
            return because(
                "The catalogue has no peak for this device in this precision; give another device or precision.");
        measured.peak = *peak;
        // "TFLOPS" of several devices that one of them could reach are usually those of each.
        if (measured.metric == PublishedMetric::flop_rate && !measured.each_device && row.workers > 1 &&
            row.value / measured.unit < peak->value && !is_of_all(row, s, measured)) {
            measured.each_device = true;
            measured.unit /= static_cast<double>(row.workers);
            add_once(resolved.assumed,
                     "The rate is less than the peak of one device, so it is assumed to be that of each.");
        }
    }
    s.description = "Line " + std::to_string(row.line) + " of " + row.file + ".";
    for (const std::string& sentence : resolved.assumed) s.description += " " + sentence;
    resolved.scenario = std::move(s);
    return resolved;
}

}  // namespace scalescope::measure
