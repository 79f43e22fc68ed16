// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/edited_network.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace scalescope {
namespace {

class Replacement {
public:
    Replacement(Scenario scenario, int part, std::shared_ptr<const Network> network)
        : result_{std::move(scenario), {}}, first_(part == 0) {
        WorkloadPart& edited = result_.scenario.workload[static_cast<std::size_t>(part)];
        edited.origin.clear();
        before_ = std::exchange(edited.network, network);
        if (before_ && result_.scenario.workload.size() == 1)
            result_.scenario.name = name_with(std::move(result_.scenario.name), *before_, *network);
        after_ = std::move(network);
    }

    Replaced run() {
        mend_frozen();
        if (first_) {  // which these are about
            mend_cut();
            mend_boundaries();
        }
        return std::move(result_);
    }

private:
    Replaced result_;
    bool first_;
    std::shared_ptr<const Network> before_, after_;

    bool is_there(LayerId id) const { return after_->position(id).has_value(); }

    /// What the layer is or was called.
    std::string name(LayerId id) const {
        for (const Network* n : {after_.get(), before_.get()})
            if (const auto at = n ? n->position(id) : std::nullopt)
                return n->layers()[static_cast<std::size_t>(*at)].name;
        return "a layer";
    }

    /// The layer itself or, of those that came after it, the first that is still there.
    std::optional<LayerId> still_there(LayerId id) const {
        if (is_there(id)) return id;
        const auto at = before_ ? before_->position(id) : std::nullopt;
        if (!at) return std::nullopt;
        for (int l = *at + 1; l < before_->size(); ++l)
            if (const LayerId next = before_->layers()[static_cast<std::size_t>(l)].id; is_there(next)) return next;
        return std::nullopt;
    }

    void mend_frozen() {
        std::erase_if(result_.scenario.training.frozen, [&](LayerId id) {
            // They may be of any network of the workload.
            const auto& workload = result_.scenario.workload;
            if (std::any_of(workload.begin(), workload.end(),
                            [&](const WorkloadPart& p) { return p.network && p.network->position(id); }))
                return false;
            result_.notes.push_back(name(id) + " was frozen and is gone.");
            return true;
        });
    }

    void mend_cut() {
        Parallelism& p = result_.scenario.parallelism;
        if (p.cut == LayerId{} || is_there(p.cut)) return;
        const LayerId gone = p.cut;
        const auto next = still_there(gone);
        p.cut = next.value_or(LayerId{});
        if (p.cut_auto) return;
        if (next) {
            result_.notes.push_back("The back part begins with " + name(*next) + " now: " + name(gone) + " is gone.");
        } else {
            p.cut_auto = true;
            result_.notes.push_back("The cut is chosen automatically now: " + name(gone) + " is gone.");
        }
    }

    void mend_boundaries() {
        auto& stages = result_.scenario.parallelism.boundaries;
        std::vector<std::pair<int, LayerId>> kept;  // by position
        for (LayerId id : stages) {
            const auto next = still_there(id);
            if (next && *next != id)
                result_.notes.push_back("A stage begins with " + name(*next) + " now: " + name(id) + " is gone.");
            const int at = next ? *after_->position(*next) : 0;
            const auto same = [&](const auto& k) { return k.first == at; };
            if (at > 0 && std::none_of(kept.begin(), kept.end(), same))
                kept.emplace_back(at, *next);
            else
                result_.notes.push_back("The stage that began with " + name(id) + " is part of another one now.");
        }
        std::sort(kept.begin(), kept.end());
        stages.clear();
        for (const auto& [at, id] : kept) stages.push_back(id);
    }
};

}  // namespace

Replaced replace_network(Scenario scenario, int part, std::shared_ptr<const Network> network) {
    return Replacement(std::move(scenario), part, std::move(network)).run();
}

Scenario with_edited_network(Scenario scenario, int part, std::shared_ptr<const Network> network) {
    return replace_network(std::move(scenario), part, std::move(network)).scenario;
}

}  // namespace scalescope
