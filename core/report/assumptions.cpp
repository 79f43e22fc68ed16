// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/listed.hpp"
#include "core/report/report.hpp"

#include <algorithm>

#include "core/base/format.hpp"
#include "core/estimate/explain.hpp"
#include "core/scenario/calibrated.hpp"
#include "core/scenario/hardware.hpp"
#include "core/yan/configuration.hpp"

namespace scalescope::report {
namespace {

std::string word(Evidence e) { return std::string(name_of(e)); }

std::string sources_text(const std::vector<std::string>& sources, const std::string& otherwise) {
    const std::string all = joined(sources, "; ");
    return all.empty() ? otherwise : all;
}

bool any_of(const std::vector<std::string>& unverified, std::initializer_list<std::string_view> fields) {
    return std::ranges::any_of(unverified, [&](const std::string& u) {
        return std::ranges::any_of(fields, [&](std::string_view f) { return u.starts_with(f); });
    });
}

Assumption of_method(const Scenario& s) {
    switch (s.model.method) {
        case Method::cpu_cluster:
            return {
                {},
                "CPU clusters " + std::string(yan::method_label),
                "reconstructed",
                "Yan, Ruwase, He, Chilimbi, KDD 2015: the method was rebuilt from its description, and its published "
                "figures could not be checked"};
        case Method::paleo_head:
        case Method::paleo_paper:
            return {{},
                    s.model.method == Method::paleo_head ? "PALEO as its public code has it" : "PALEO as in the paper",
                    "published",
                    "Qi, Sparks, Talwalkar: PALEO, ICLR 2017"};
        case Method::pipeline: break;
    }
    return {{},
            s.model.overlap_memory ? "A layer takes its arithmetic or its memory traffic, whichever is longer"
                                   : "A layer takes its arithmetic and its memory traffic, one after the other",
            "model",
            "After PALEO (Qi, Sparks, Talwalkar, ICLR 2017), corrected; messages by start-up time and bandwidth"};
}

Assumption of_device(const Scenario& s) {
    const Device& d = s.cluster.device;
    const auto computed = multiplied_in(d, s.training.precision);
    const std::string precision(name_of(computed));
    const auto peak = d.peak_at(computed);
    const bool open = any_of(d.unverified, {"peak_tflops." + precision, "memory_bandwidth"});
    return {{},
            d.name + ": " + (peak ? format_rate(*peak) + ' ' + precision + ", " : std::string()) +
                format_rate(d.memory_bandwidth) + " memory" + (d.memory ? ", " + format_bytes(*d.memory) : ""),
            word(open ? Evidence::assumed : Evidence::datasheet),
            sources_text(d.sources, "set by hand")};
}

Assumption of_machine(const Scenario& s) {
    const CpuMachine& m = s.cluster.machine;
    return {{},
            m.name + ": " + format_count(m.cores) + " cores, network " + format_bit_rate(m.network),
            word(m.unverified.empty() ? Evidence::datasheet : Evidence::assumed),
            sources_text(m.sources, "set by hand") +
                (m.unverified.empty() ? ""
                                      : "; " + format_count(static_cast<std::int64_t>(m.unverified.size())) +
                                            " of its figures without a source that was read")};
}

Assumption of_link(const Link& link, const char* where) {
    const bool open = any_of(link.unverified, {"bandwidth", "latency"});
    return {{},
            std::string(where) + ": " + link.name + ", " + format_bit_rate(link.bandwidth) + ", " +
                (link.latency.value > 0 ? format_time(link.latency) + " start-up" : "no start-up time"),
            word(open ? Evidence::assumed : Evidence::datasheet),
            sources_text(link.sources, link.note.empty() ? "no source was read" : link.note)};
}

/// A share of a peak: fitted to measurements, or set.
Assumption of_share(const Scenario& s, const char* what, const char* field, Fraction share) {
    const auto rests_on = evidence_of(s);
    const bool fitted = constant_in_use(s, field) && s.model.method == Method::pipeline;
    const Evidence e = fitted             ? (rests_on.beyond.empty() ? Evidence::calibrated : Evidence::extrapolated)
                       : share.value == 1 ? Evidence::datasheet
                                          : Evidence::assumed;
    return {{},
            std::string(what) + " reached: " + format_percent(share),
            word(e),
            fitted             ? long_text(rests_on, s)
            : share.value == 1 ? "The peak as it stands, which no program reaches: times are lower bounds"
                               : "Set by hand or by a preset; not calibrated for this design"};
}

Assumption of_arithmetic(const Scenario& s) {
    const char* const what = "Share of peak arithmetic";
    const auto rates = device_rates(s.cluster, s.model, s.training.precision);
    if (s.model.compute.value > 0 || s.model.method != Method::pipeline || !rates)
        return of_share(s, what, "model.compute", s.model.compute.value > 0 ? s.model.compute : Fraction{1});
    if (rates->share.value == 1) return of_share(s, what, "model.compute", rates->share);
    return {{},
            std::string(what) + " reached: " + format_percent(rates->share) +
                (rates->attention ? ", by attention " + format_percent(rates->attention->reached) : ""),
            word(Evidence::datasheet),
            "16-bit products as measured on the device: " + sources_text(s.cluster.device.sources, "set by hand")};
}

void add_costs(std::vector<Assumption>& all, const Scenario& s) {
    if (const auto price = worker_price(s)) {
        all.push_back({{},
                       "Price of " + worker_name(s) + ": " + format_fixed(*price, 2) + " USD an hour",
                       word(Evidence::assumed),
                       price_basis(s)});
    }
    if (const auto watts = worker_watts(s))
        all.push_back({{},
                       "Power of " + worker_name(s) + ": " + format_number(*watts) + " W all the time",
                       word(Evidence::assumed),
                       "Thermal design power: an upper bound; hosts and switches are not in it"});
}

}  // namespace

std::vector<Assumption> assumptions_of(const Scenario& s) {
    std::vector<Assumption> all{of_method(s)};
    if (is_cpu_cluster(s)) {
        all.push_back(of_machine(s));
        add_costs(all, s);
        return all;
    }
    const std::int64_t nodes =
        (s.cluster.workers + s.cluster.devices_per_node - 1) / std::max<std::int64_t>(s.cluster.devices_per_node, 1);
    all.push_back(of_device(s));
    if (s.cluster.devices_per_node > 1 && s.cluster.workers > 1)
        all.push_back(of_link(s.cluster.inside, "Link inside a node"));
    if (nodes > 1) all.push_back(of_link(s.cluster.between, "Link between nodes"));
    all.push_back(of_arithmetic(s));
    if (s.model.memory.value > 0)
        all.push_back(of_share(s, "Share of memory bandwidth", "model.memory", s.model.memory));
    else
        all.push_back({{},
                       "Share of memory bandwidth reached: " + format_percent(stream_share(s.cluster.device, s.model)),
                       word(Evidence::datasheet),
                       "What copies reach on such devices"});
    if (nodes > 1) all.push_back(of_share(s, "Share of link bandwidth", "model.between", s.model.between));
    if (s.model.staleness_cost.value > 0)
        all.push_back({{},
                       "Each update of staleness lengthens training by " + format_percent(s.model.staleness_cost, 2),
                       word(Evidence::assumed),
                       "Not measured"});
    add_costs(all, s);
    return all;
}

}  // namespace scalescope::report
