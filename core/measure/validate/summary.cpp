// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/validate/validate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/measure/fit/forms.hpp"

namespace scalescope::measure {

namespace {

std::string source_family(const PublishedRow& row) { return row.source.substr(0, row.source.find(':')); }

struct WorkerRange {
    std::string_view name;
    std::int64_t least, most;
};
constexpr std::array<WorkerRange, 3> worker_ranges{
    {{"1 worker", 1, 1}, {"2–8 workers", 2, 8}, {"more than 8", 9, INT64_MAX}}};

std::string file_name(const PublishedRow& row) { return row.file.substr(row.file.find_last_of("/\\") + 1); }

std::string_view table_range(const ValidatedRow& row) {
    return row.modelled ? "table, computed by a model" : row.of_memory ? "table, memory" : "table";
}

GroupSummary group_of(std::string group, std::string range, const std::vector<const ValidatedRow*>& rows) {
    GroupSummary g;
    g.group = std::move(group);
    g.range = std::move(range);
    g.rows = rows.size();
    std::vector<double> ours, roofline;
    std::vector<ScalingPoint> points;
    for (const ValidatedRow* r : rows) {
        const auto error = r->error();
        if (!error) continue;
        ours.push_back(*error);
        if (!r->fits) ++g.do_not_fit;
        if (r->roofline) roofline.push_back(*r->roofline / r->row.value - 1.0);
        if (r->linear) {
            const double workers = static_cast<double>(r->row.workers);
            points.push_back({workers * r->row.value / *r->linear, workers});
        }
    }
    g.ours = summarise_errors(std::move(ours));
    if (!roofline.empty()) g.roofline = summarise_errors(std::move(roofline));
    if (!points.empty()) {
        g.linear = linear_baseline(points);
        g.constant = constant_baseline(points);
        g.power = power_baseline(points);
    }
    return g;
}

}  // namespace

ErrorSummary summarise_errors(std::vector<double> errors) {
    ErrorSummary s;
    s.rows = errors.size();
    if (errors.empty()) return s;
    for (double& e : errors) e = std::abs(e);
    std::sort(errors.begin(), errors.end());
    for (const double e : errors) s.mean += e;
    s.mean /= static_cast<double>(errors.size());
    s.worst = errors.back();
    s.median = median_of(std::move(errors));
    return s;
}

std::vector<GroupSummary> tables_of(const std::vector<ValidatedRow>& rows) {
    using Key = std::pair<std::string, std::string_view>;
    std::vector<Key> keys;
    std::map<Key, std::vector<const ValidatedRow*>> of_key;
    for (const ValidatedRow& r : rows) {
        if (!r.counts()) continue;
        const Key key{file_name(r.row), table_range(r)};
        auto& some = of_key[key];
        if (some.empty()) keys.push_back(key);
        some.push_back(&r);
    }
    std::vector<GroupSummary> groups;
    for (const Key& key : keys) groups.push_back(group_of(key.first, std::string(key.second), of_key[key]));
    return groups;
}

std::vector<GroupSummary> summarise(const std::vector<ValidatedRow>& rows) {
    std::vector<std::string> sources;
    std::map<std::string, std::vector<const ValidatedRow*>> networks, devices;
    for (const ValidatedRow& r : rows) {
        const std::string family = source_family(r.row);
        if (std::find(sources.begin(), sources.end(), family) == sources.end()) sources.push_back(family);
        if (r.row.workers != 1 || !r.counts()) continue;
        networks[r.row.network].push_back(&r);
        devices[r.row.device].push_back(&r);
    }
    std::vector<GroupSummary> groups;
    for (const auto& source : sources)
        for (const WorkerRange& range : worker_ranges) {
            std::vector<const ValidatedRow*> some;
            for (const ValidatedRow& r : rows)
                if (r.counts() && source_family(r.row) == source && r.row.workers >= range.least &&
                    r.row.workers <= range.most)
                    some.push_back(&r);
            if (!some.empty()) groups.push_back(group_of(source, std::string(range.name), some));
        }
    for (const auto& [name, some] : networks) groups.push_back(group_of(name, "network", some));
    for (const auto& [name, some] : devices) groups.push_back(group_of(name, "device", some));
    for (auto& group : tables_of(rows)) groups.push_back(std::move(group));
    return groups;
}

std::vector<std::pair<std::string, std::size_t>> reasons_of(const std::vector<ValidatedRow>& rows) {
    std::map<std::string, std::size_t> counts;
    for (const ValidatedRow& r : rows)
        if (!r.reason.empty()) ++counts[r.reason];
    std::vector<std::pair<std::string, std::size_t>> all(counts.begin(), counts.end());
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    return all;
}

}  // namespace scalescope::measure
