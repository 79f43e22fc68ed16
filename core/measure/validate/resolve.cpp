// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/validate/resolve.hpp"

#include <algorithm>

#include "core/base/decimal.hpp"
#include "core/base/limits.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/formats/named_settings.hpp"
#include "core/scenario/fields.hpp"
#include "core/scenario/recompute_choice.hpp"
#include "core/scenario/symbol_fields.hpp"

namespace scalescope::measure {

namespace {

std::string first_line(const Problems& problems) {
    if (problems.empty()) return "It cannot be predicted.";
    const Problem& p = problems.front();
    return p.remedy.empty() ? p.what : p.what + " " + p.remedy;
}

void add_once(std::vector<std::string>& list, const std::string& text) {
    if (!text.empty() && std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
}

/// "selective", "full", "uniform", or modules: "moe_act; layernorm".
std::optional<Recompute> recompute_meant(std::string_view spelled) {
    if (spelled.empty() || spelled == "none") return Recompute::nothing;
    if (spelled == "selective") return Recompute::attention;
    if (spelled == "full") return Recompute::blocks;
    std::string words;
    for (const char c : spelled) {
        const bool apart = std::string_view(" ,;+").find(c) != std::string_view::npos;
        if (!apart)
            words += c;
        else if (!words.empty() && words.back() != '+')
            words += '+';
    }
    return recompute_called(words);
}

bool unread(const std::vector<std::string>& unverified, std::string_view field) {
    return std::any_of(unverified.begin(), unverified.end(),
                       [&](const std::string& name) { return name.starts_with(field); });
}

/// "FSDP 4, context parallel 2": workers that divide the positions of a sequence.
std::int64_t context_of(const PublishedRow& row) {
    constexpr std::string_view words = "context parallel ";
    const auto at = row.notes.find(words);
    if (at == std::string::npos) return 1;
    const auto rest = std::string_view(row.notes).substr(at + words.size());
    const auto degree = parse_decimal(rest.substr(0, rest.find_first_not_of("0123456789")));
    return degree && *degree >= 1 && *degree <= limits::workers ? static_cast<std::int64_t>(*degree) : 1;
}

}  // namespace

PublishedRow RowResolver::filled(const PublishedRow& row, ResolvedRow& resolved) const {
    PublishedRow full = row;
    for (const CellRule& rule : aliases_.cells) {
        if (!meets(full, rule.when)) continue;
        bool any = false;
        for (const auto& [column, text] : rule.cells) any = fill_cell(full, column, text) || any;
        if (!any) continue;
        for (const auto& source : rule.sources) add_once(resolved.sources, source);
        add_once(resolved.assumed, rule.note);
    }
    settle_batch(full);
    return full;
}

std::shared_ptr<const Network> RowResolver::network(const PublishedRow& row, ResolvedRow& resolved) {
    const NetworkAlias* named = aliases_.network(row.network);
    const std::string id = named ? named->network : row.network;
    const auto known = [&](KnownNetworks& networks, const std::string& key, const auto& read) {
        auto found = networks.find(key);
        if (found == networks.end()) found = networks.emplace(key, read()).first;
        if (found->second) return *found->second;
        resolved.reason = first_line(found->second.error());
        return std::shared_ptr<const Network>();
    };
    if (named || library_.find_network(id)) {
        resolved.measured.tokens_per_sample = named ? named->tokens_per_sample : 1.0;
        if (!named && row.sequence > 0) resolved.measured.tokens_per_sample = static_cast<double>(row.sequence);
        return known(presets_, id, [&] { return library_.network(id); });
    }
    const FamilyAlias* family = aliases_.family(row.network);
    if (!family || !has_transformer(row)) {
        resolved.reason = "No alias and no preset is called " + formats::quoted(row.network) + ".";
        if (row.has_figures)
            resolved.reason = "No preset is called " + formats::quoted(row.network) +
                              ", and the table does not give what its layers follow from: " + missing_figures(row) +
                              ".";
        return nullptr;
    }
    add_once(resolved.assumed, family->note);
    resolved.measured.tokens_per_sample = static_cast<double>(row.sequence);
    return known(drawn_, row.network + '\n' + transformer_config(row, *family),
                 [&] { return transformer_of(row, *family); });
}

/// The degrees of the mesh, and the micro-steps of a replica: micro-batches where there are stages.
std::string RowResolver::set_mesh(const PublishedRow& row, Scenario& s) const {
    Parallelism& p = s.parallelism;
    p.context = context_of(row);
    if (const std::int64_t copies = row.copies(); copies == 0 || copies * row.replica_size() * p.context != row.workers)
        return "Its degrees of tensor, pipeline, context and data parallelism do not come to its " +
               std::to_string(row.workers) + " workers.";
    p.tensor = std::max<std::int64_t>(1, row.tensor);
    p.pipeline = std::max<std::int64_t>(1, row.pipeline);
    s.training.batch = row.batch_per_worker * row.accumulation;
    s.training.accumulation = row.accumulation;
    if (row.replica_size() * p.context > 1) {
        s.training.batch_rule = BatchRule::total;
        s.training.batch *= row.copies();
    }
    if (p.pipeline > 1) {
        if (row.micro_batch == 0) return "The table does not give the micro-batch of its pipeline.";
        p.micro_batches = row.accumulation;
        s.training.accumulation = 1;
        p.order = row.interleave > 1 ? PipelineOrder::interleaved : PipelineOrder::one_f_one_b;
        if (row.interleave > 1) p.chunks = row.interleave;
    }
    const auto recompute = recompute_meant(row.recompute);
    if (!recompute) return "Nothing predicts the recomputation " + formats::quoted(row.recompute) + ".";
    p.recompute = *recompute;
    return {};
}

std::string RowResolver::set_rules(const PublishedRow& row, Scenario& s, ResolvedRow& resolved) const {
    for (const SettingRule& rule : aliases_.settings) {
        if (!applies(rule, row)) continue;
        for (const auto& [path, text] : rule.set)
            if (const auto set = formats::set_by_name(s, path, text, library_); !set)
                return "The alias for " + path + " does not fit: " + first_line(set.error());
        for (const auto& source : rule.sources) add_once(resolved.sources, source);
    }
    const bool nodes = s.cluster.workers > s.cluster.devices_per_node;
    const std::string nobody_says = "No alias says what link " + formats::quoted(row.interconnect) + " is";
    if (s.cluster.workers > 1 && s.cluster.devices_per_node > 1 && s.cluster.inside.id.empty())
        return nobody_says + ".";
    if (nodes && s.cluster.between.id.empty()) return nobody_says + " between nodes.";
    if (s.cluster.inside.id.empty()) s.cluster.inside = library_.catalogue.links.front();
    if (s.cluster.between.id.empty()) s.cluster.between = library_.catalogue.links.front();
    const Device& device = s.cluster.device;
    resolved.recalled =
        unread(device.unverified, "peak_tflops." + std::string(name_of(traits_of(s.training.precision).products))) ||
        unread(device.unverified, "memory_bandwidth") ||
        (row.workers > 1 && unread(s.cluster.inside.unverified, "bandwidth")) ||
        (nodes && unread(s.cluster.between.unverified, "bandwidth"));
    return {};
}

ResolvedRow RowResolver::resolve(const PublishedRow& given) {
    ResolvedRow resolved;
    const auto because = [&](std::string why) {
        resolved.scenario.reset();
        resolved.reason = std::move(why);
        return resolved;
    };
    const auto modelled = [&](const ModelledRule& rule) { return meets(given, rule.when); };
    resolved.modelled = std::any_of(aliases_.modelled.begin(), aliases_.modelled.end(), modelled);
    if (!given.wrong.empty()) return because(given.wrong);
    Measured& measured = resolved.measured;
    const PublishedRow row = filled(given, resolved);
    if (auto why = find_metric(row, measured); !why.empty()) return because(std::move(why));
    if (row.batch_per_worker == 0) return because("The table does not give its batch.");
    Scenario s;
    if (row.has_figures && row.precision.empty()) return because("The table does not give its precision.");
    if (!row.precision.empty()) {
        const PrecisionAlias* precision = aliases_.precision(row.precision);
        if (!precision) return because("No alias is called " + formats::quoted(row.precision) + " (a precision).");
        s.training.precision = precision->precision;
    }
    if (auto why = set_mesh(row, s); !why.empty()) return because(std::move(why));
    const auto net = network(row, resolved);
    if (!net) return resolved;
    const DeviceAlias* device_alias = aliases_.device(row.device);
    const Device* device = library_.catalogue.device(device_alias ? device_alias->device : row.device);
    if (!device) return because("No alias and no device is called " + formats::quoted(row.device) + ".");

    s.name = net->name() + " on " + std::to_string(row.workers) + " × " + device->name;
    s.description = "Line " + std::to_string(row.line) + " of " + row.file + ".";
    for (const std::string& sentence : resolved.assumed) s.description += " " + sentence;
    const NetworkAlias* named = aliases_.network(row.network);
    s.workload.push_back({net, {}, 1, named ? named->network : row.network});
    // Times of passes come from benchmarks that go back to the image and update nothing.
    if (measured.metric == PublishedMetric::forward || measured.metric == PublishedMetric::backward ||
        measured.metric == PublishedMetric::both_passes) {
        s.workload.front().passes.to_data = true;
        s.workload.front().passes.update = false;
    }
    s.cluster.device = *device;
    s.cluster.workers = row.workers;
    s.cluster.devices_per_node = std::clamp<std::int64_t>(row.devices_per_node, 1, row.workers);
    s.cluster.inside = s.cluster.between = Link{};
    if (row.sequence > 0 && symbol_value(s, "sequence"))
        if (const auto set = set_symbol(s, "sequence", row.sequence); !set) return because(first_line(set.error()));
    if (auto why = set_rules(row, s, resolved); !why.empty()) return because(std::move(why));
    if (counts_flops(measured.metric)) {
        // Of the peak of what is not narrow, unless the table says otherwise.
        const auto peak = s.cluster.device.peak_at(traits_of(s.training.precision).elements);
        if (!peak) return because("The device has no peak in its precision.");
        measured.peak = *peak;
        const auto& counts = s.workload.front().network;
        auto counted = counted_.find(counts);
        if (counted == counted_.end()) counted = counted_.emplace(counts, counted_flops(*counts)).first;
        measured.counted = counted->second;
    }
    resolved.scenario = std::move(s);
    return resolved;
}

}  // namespace scalescope::measure
