// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/validate/residuals.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>
#include <tuple>

#include "core/formats/catalogue_rows.hpp"
#include "core/formats/embedded.hpp"
#include "core/scenario/calibrated.hpp"
#include "core/scenario/hardware.hpp"

namespace scalescope::measure {

namespace {

using formats::JsonFields;
using formats::ProblemList;
using formats::RecordReader;

constexpr formats::FileFormat residuals_format{"scalescope-residuals", "list of residuals", {}};
constexpr double ninety_percent_of_steps = 1.6448536269514722;  ///< normal deviations to either side
constexpr std::size_t enough_rows = 10, enough_sources = 2;
constexpr double unseen = 1.45;  ///< of a kind of device that no source has, at least: the B200 of H100's constants
constexpr double most_rows_that_count = 20;  ///< of a source, so that a long table does not speak for all

bool has_layer(const Network& network, auto&& wanted) {
    return std::any_of(network.layers().begin(), network.layers().end(),
                       [&](const Layer& layer) { return wanted(*layer.kind); });
}

std::string kind_of_network(const Network& network) {
    if (has_layer(network, [](const Kind& k) {
            return std::any_of(k.attributes.begin(), k.attributes.end(),
                               [](const auto& attribute) { return attribute.name == "experts"; });
        }))
        return "experts";
    if (is_transformer(network)) return "transformer";
    if (has_layer(network, [](const Kind& k) { return k.name == "lstm" || k.name == "gru" || k.name == "rnn"; }))
        return "recurrent";
    return has_layer(network, [](const Kind& k) { return k.name == "convolution"; }) ? "convolutional" : "other";
}

bool alike(const ResidualClass& a, const ResidualClass& b, int level) {
    return level == 3 || (a.network == b.network &&
                          (level == 2 || (a.architecture == b.architecture && (level == 1 || a.workers == b.workers))));
}

/// The rows of one source.
struct Pooled {
    double rows = 0, sum = 0, squares = 0;
    void add(double n, double mean, double deviation) {
        rows += n, sum += n * mean, squares += n * (deviation * deviation + mean * mean);
    }
    double mean() const { return sum / rows; }
    double variance() const { return std::max(0.0, squares / rows - mean() * mean()); }
};

ResidualBand band_of(const std::map<std::string, Pooled>& sources) {
    double weight = 0, mean = 0, between = 0, within = 0;
    for (const auto& [name, pooled] : sources) {
        const double w = std::min(pooled.rows, most_rows_that_count);
        weight += w, mean += w * pooled.mean(), within += w * pooled.variance();
    }
    mean /= weight, within /= weight;
    for (const auto& [name, pooled] : sources)
        between += std::min(pooled.rows, most_rows_that_count) / weight * std::pow(pooled.mean() - mean, 2);
    const auto k = static_cast<double>(sources.size());
    between *= k / (k - 1);
    const double half = ninety_percent_of_steps * std::sqrt(between * (1 + 1 / k) + within);
    ResidualBand band{std::exp(mean - half), std::exp(mean + half), 0, sources.size(), 0};
    for (const auto& [name, pooled] : sources) band.rows += static_cast<std::size_t>(pooled.rows);
    return band;
}

}  // namespace

ResidualClass residual_class(const Scenario& scenario) {
    const std::int64_t workers = scenario.cluster.workers;
    return {scenario.cluster.device.architecture, kind_of_network(*scenario.workload.front().network),
            workers <= 1    ? 1
            : workers <= 8  ? 8
            : workers <= 64 ? 64
                            : 100'000};
}

std::optional<double> residual_of(const ValidatedRow& row) {
    const auto error = row.error();
    if (!error || !row.scenario || row.of_memory || row.modelled || !row.more_is_faster) return std::nullopt;
    const double predicted_over_measured = std::log1p(*error);
    return *row.more_is_faster ? predicted_over_measured : -predicted_over_measured;
}

std::string residual_source(std::string_view name) {
    std::string key;
    int words = 0;
    bool inside = false;
    for (const char c : name) {
        const auto letter = static_cast<unsigned char>(c);
        if (!std::isalnum(letter)) {
            inside = false;
            continue;
        }
        if (!inside && ++words > 2) break;
        if (!inside && words == 2) key += ' ';
        inside = true;
        key += static_cast<char>(std::tolower(letter));
    }
    return key;
}

std::vector<Residual> residuals_of(const std::vector<ValidatedRow>& rows) {
    std::map<std::pair<std::string, ResidualClass>, Pooled> pooled;
    for (const ValidatedRow& row : rows)
        if (const auto r = residual_of(row))
            pooled[{residual_source(row.row.source), residual_class(*row.scenario)}].add(1, *r, 0);
    std::vector<Residual> all;
    for (const auto& [key, p] : pooled)
        all.push_back({key.first, key.second, static_cast<std::size_t>(p.rows), p.mean(), std::sqrt(p.variance())});
    return all;
}

Result<std::vector<Residual>> read_residuals(std::string_view text, std::string file) {
    ASSIGN_OR_RETURN(auto document, formats::open_document(text, std::move(file), residuals_format));
    ProblemList problems;
    JsonFields fields(document.root(), {}, problems);
    for (const auto* name : {"format", "version", "$schema"}) fields.ignore(name);
    std::vector<Residual> all;
    RecordReader(fields, problems).rows("residuals", all, [&](RecordReader& row, Residual& r) {
        row.text("source", r.source);
        row.text("architecture", r.of.architecture);
        row.text("network", r.of.network);
        row.integer("workers", r.of.workers, 1);
        row.integer("rows", r.rows, 1);
        row.number("mean", r.mean, -20, 20);
        row.number("deviation", r.deviation, 0, 20);
    });
    fields.finish();
    if (problems.has_errors()) return fail(problems.take());
    return all;
}

std::string write_residuals(const std::vector<Residual>& residuals) {
    std::ostringstream out;
    out.precision(4);
    out << std::fixed << "{\n  \"format\": \"scalescope-residuals\",\n  \"version\": 1,\n  \"residuals\": [";
    for (const Residual& r : residuals)
        out << (&r == residuals.data() ? "\n" : ",\n") << "    {\"source\": \"" << r.source
            << "\", \"architecture\": \"" << r.of.architecture << "\", \"network\": \"" << r.of.network
            << "\", \"workers\": " << r.of.workers << ", \"rows\": " << r.rows << ", \"mean\": " << r.mean
            << ", \"deviation\": " << r.deviation << '}';
    out << "\n  ]\n}\n";
    return out.str();
}

const std::vector<Residual>& shipped_residuals() {
    static const std::vector<Residual> shipped = [] {
        for (const auto& embedded : formats::embedded_files())
            if (embedded.path == "accuracy/residuals.json")
                return read_residuals(embedded.text, std::string(embedded.path)).value_or(std::vector<Residual>{});
        return std::vector<Residual>{};
    }();
    return shipped;
}

std::optional<ResidualBand> residual_band(const ResidualClass& of, const std::vector<Residual>& residuals) {
    for (int level = 0; level <= 3; ++level) {
        std::map<std::string, Pooled> sources;
        double rows = 0;
        for (const Residual& r : residuals)
            if (alike(r.of, of, level)) {
                const auto n = static_cast<double>(r.rows);
                sources[r.source].add(n, r.mean, r.deviation), rows += n;
            }
        if (sources.size() < enough_sources || rows < static_cast<double>(enough_rows)) continue;
        ResidualBand band = band_of(sources);
        band.level = level;
        if (level >= 2) band.low = std::min(band.low, 1 / unseen), band.high = std::max(band.high, unseen);
        return band;
    }
    return std::nullopt;
}

std::optional<TimeBand> step_band(const Scenario& scenario, const Estimate& estimate) {
    if (const auto band = calibrated_band(scenario, estimate)) return band;
    // Published models and CPU clusters have other errors, and nobody measured these classes.
    if (scenario.model.calibration || scenario.model.method != Method::pipeline || is_cpu_cluster(scenario))
        return std::nullopt;
    const auto band = residual_band(residual_class(scenario), shipped_residuals());
    const double step = estimate.summary.step.value;
    if (!band || !(step > 0)) return std::nullopt;
    return TimeBand{Seconds{step * band->low}, Seconds{step * band->high}};
}

}  // namespace scalescope::measure
