// SPDX-License-Identifier: GPL-3.0-or-later
#include "support_any_scenario.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/decimal.hpp"
#include "core/formats/network_json.hpp"
#include "core/paleo/method.hpp"
#include "core/scenario/symbol_fields.hpp"
#include "support_choices.hpp"
#include "support_library.hpp"
#include "support_networks.hpp"

namespace support {
namespace {

using namespace scalescope;

constexpr int most_layers = 160;  ///< of a shipped network: larger ones take as long as ten small ones

const std::vector<NetworkPtr>& shipped_networks() {
    static const std::vector<NetworkPtr> all = [] {
        std::vector<NetworkPtr> small;
        for (const auto& preset : library().networks)
            if (auto network = library().network(preset.id); network && (*network)->size() <= most_layers)
                small.push_back(*network);
        return small;
    }();
    return all;
}

bool one_in(std::mt19937& random, int n) { return pick(random, 1, n) == 1; }

/// Amounts differ by orders of magnitude, so their logarithms are drawn evenly.
double even_logarithm(std::mt19937& random, double low, double high) {
    return std::clamp(std::exp(real(random, std::log(low), std::log(high))), low, high);
}

double any_number(std::mt19937& random, const Field& field, std::optional<double> now) {
    if (one_in(random, 12)) return one_in(random, 2) ? field.least : field.most;
    const double low = std::max(field.least, 1e-9);
    if (one_in(random, 12)) return even_logarithm(random, low, field.most);
    const double around = std::clamp(now && *now > 0 ? *now : std::sqrt(low), low, field.most);
    return even_logarithm(random, std::max(low, around / 30), std::min(field.most, around * 30));
}

std::int64_t any_count(std::mt19937& random, const Field& field) {
    // The best splits over many machines take seconds to find.
    if (field.path == "cpu.partitions") return pick(random, 1, 8);
    if (one_in(random, 40)) return static_cast<std::int64_t>(one_in(random, 2) ? field.least : field.most);
    const double most = one_in(random, 20) ? field.most : std::min(field.most, 300.0);
    const double least = std::max(field.least, 1.0);
    return std::llround(even_logarithm(random, least, std::max(least, most)));
}

/// Some layers in their order, as stages and frozen layers are named.
std::string any_layers(std::mt19937& random, const Scenario& s, std::size_t wanted) {
    std::vector<std::size_t> places(s.network()->layers().size());
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
    std::shuffle(places.begin(), places.end(), random);
    places.resize(std::min(places.size(), wanted));
    std::sort(places.begin(), places.end());
    std::string text;
    for (const std::size_t i : places) text += (text.empty() ? "" : ",") + s.network()->layers()[i].name;
    return text;
}

std::string any_corrections(std::mt19937& random) {
    std::string text;
    for (const auto& correction : paleo::corrections())
        if (one_in(random, 3)) text += (text.empty() ? "" : ",") + std::string(correction.id);
    return text;
}

template <class T>
std::optional<std::string> any_id(std::mt19937& random, const std::vector<T>& all) {
    return all.empty() ? std::nullopt : std::optional(choose(random, all).id);
}

/// Most random combinations are refused: a precision without a peak, servers without asynchronous updates. Makes up for
/// the commonest reasons.
void make_sense(std::mt19937& random, Scenario& s) {
    s.cluster.workers = std::llround(even_logarithm(random, 1, 64));
    std::vector<Precision> known;
    for (const Precision p : all_precisions)
        if (s.cluster.device.peak_at(p)) known.push_back(p);
    if (!known.empty() && !s.cluster.device.peak_at(s.training.precision)) s.training.precision = choose(random, known);
    Parallelism& p = s.parallelism;
    if (is_paleo(s.model.method)) {
        p.collective = choose(random, std::vector{Collective::one_to_all, Collective::paleo_tree, Collective::butterfly,
                                                  Collective::butterfly_mixing});
        p.updates = Updates::synchronous;
    }
    if (s.model.method == Method::cpu_cluster) {
        if (!s.cluster.has_machine()) s.cluster.machine = choose(random, library().catalogue.machines);
        s.workload.resize(1);
        s.workload.front().passes = {};
        s.workload.front().count = 1;
        s.cpu.threads = pick(random, 0, s.cluster.machine.cores);
        s.cpu.partitions = pick(random, 1, 6);
        s.cluster.workers *= s.cpu.partitions;
        return;
    }
    if (p.updates == Updates::asynchronous) {
        support::divide(p, support::Divided::data);
        p.overlap = Overlap::off;
        p.copies = false;
    }
    if (!fills_data(p)) s.workload.resize(1);
    if (!fills_data(p) && s.workload.front().count > 1) s.workload.front().count = 1;
    if (p.fill == MeshAxis::pipeline) {
        s.cluster.workers = pick(random, 1, std::min(16, s.network()->size()));
        if (!p.boundaries.empty()) s.cluster.workers = static_cast<std::int64_t>(p.boundaries.size()) + 1;
    }
    p.degrees_given() = {};
    if (p.segments || p.updates == Updates::asynchronous || s.workload.size() > 1 || s.workload.front().count > 1 ||
        is_paleo(s.model.method))
        return;
    if (one_in(random, 2)) p.tensor = pick(random, 1, 4);
    if (one_in(random, 2)) p.pipeline = pick(random, 1, std::min(4, s.network()->size()));
    const auto facts = s.network()->facts();
    const auto all = [&](auto good) { return std::all_of(facts.begin(), facts.end(), good); };
    const bool positions = !all([](const LayerFacts&f) { return f.along(ShardAlong::queries) == 0; }) &&
                           all([](const LayerFacts&f) { return f.along(ShardAlong::queries) % 2 == 0; }),
               heads = all([](const LayerFacts&f) { return f.query_heads % 8 == 0; }),
               columns = policy_of(p) == ShardingPolicy::columns;
    if (positions && !columns && (heads || p.context_scheme != ContextScheme::heads)) p.context = pick(random, 1, 2);
    const auto given = degrees_of(p.fill, p.tensor * p.pipeline * p.context * s.cluster.workers, p);
    s.cluster.workers = given->workers();
    const bool experts = !all([](const LayerFacts& f) { return f.experts.count == 0; }) && !columns;
    const auto even = [&](auto pieces) {
        return experts && all([&](const LayerFacts& f) { return pieces(f) % 2 == 0; });
    };
    const std::int64_t in_stage = s.cluster.workers / given->pipeline;
    if (even([](const LayerFacts& f) { return f.experts.count; }) && in_stage % 2 == 0) p.expert = pick(random, 1, 2);
    if (even([](const LayerFacts& f) { return f.experts.hidden; }) && in_stage % (2 * p.expert) == 0)
        p.expert_tensor = pick(random, 1, 2);
}

/// FNV-1a.
std::uint32_t hash_of(std::string_view text) {
    std::uint32_t hash = 2'166'136'261u;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16'777'619u;
    return hash;
}

void vary(std::mt19937& all, Scenario& s, std::span<const Field> fields) {
    const Catalogue& catalogue = library().catalogue;
    const auto seed = static_cast<std::uint32_t>(all());
    for (const Field& field : fields) {
        std::mt19937 random(seed ^ hash_of(field.path));  // so that a new field changes no other one's value
        const bool usually = field.type == FieldType::device || field.type == FieldType::link ||
                             field.type == FieldType::machine || field.type == FieldType::choice;
        if (field.derived || !one_in(random, usually ? 2 : 6)) continue;
        if (const auto value = any_value(random, field, s)) (void)set_field(s, field, *value, catalogue);
    }
}

}  // namespace

std::optional<std::string> any_value(std::mt19937& random, const Field& field, const Scenario& s) {
    const Catalogue& catalogue = library().catalogue;
    switch (field.type) {
        case FieldType::integer: return std::to_string(any_count(random, field));
        case FieldType::number:
            if (field.optional && one_in(random, 10)) return std::string();
            return shortest_decimal(any_number(random, field, field_number(field, s)));
        case FieldType::boolean: return one_in(random, 2) ? "true" : "false";
        case FieldType::choice:
            return std::string(choose(random, std::vector(field.choices.begin(), field.choices.end())));
        case FieldType::device: return any_id(random, catalogue.devices);
        case FieldType::link: return any_id(random, catalogue.links);
        case FieldType::machine: return any_id(random, catalogue.machines);
        case FieldType::layer:
            if (one_in(random, 2)) return std::string(one_in(random, 5) ? "none" : "automatic");
            return any_layers(random, s, 1);
        case FieldType::layers:
            if (field.path != "parallelism.boundaries")
                return any_layers(random, s, static_cast<std::size_t>(pick(random, 0, 4)));
            return any_layers(random, s, static_cast<std::size_t>(std::min<std::int64_t>(s.cluster.workers, 12) - 1));
        case FieldType::words: return any_corrections(random);
    }
    return std::nullopt;
}

Scenario any_scenario(std::mt19937& random) {
    Scenario s = scenario(one_in(random, 3) ? random_network(random, static_cast<int>(pick(random, 1, 30)))
                                            : choose(random, shipped_networks()));
    if (one_in(random, 4)) {
        WorkloadPart part;
        part.network = one_in(random, 2) ? s.workload.front().network : choose(random, shipped_networks());
        s.workload.push_back(std::move(part));
    }
    for (WorkloadPart& part : s.workload)
        if (one_in(random, 4)) {
            part.count = static_cast<int>(pick(random, 1, 20));
            part.passes.backward = !one_in(random, 3);
            part.passes.weights = !one_in(random, 3);
            part.passes.to_data = one_in(random, 3);
            part.passes.update = !one_in(random, 3);
        }
    // Half of all scenarios are of the pipeline, whose fields are the most.
    const Field& method = *find_field("model.method");
    vary(random, s, all_fields());
    if (one_in(random, 2)) (void)set_field(s, method, "pipeline", library().catalogue);
    vary(random, s, SymbolFields(s).rows());
    if (!one_in(random, 6)) make_sense(random, s);
    return s;
}

}  // namespace support
