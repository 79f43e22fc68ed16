// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/estimate/estimate.hpp"

/// What failures of devices leave of the time: synchronous training stops when any device fails, and goes on from the
/// last checkpoint (docs/decisions/goodput.md).
namespace scalescope {

/// Whether interruptions are modelled: synchronous updates of one network, priced by the pipeline.
bool has_goodput(const Scenario& scenario);

/// Of the network's parameters, those that the optimizer updates and keeps states of.
Fraction trained_share(const Scenario& scenario);

/// Training time between two checkpoints that loses least, if a checkpoint takes `write` and interruptions are
/// `between` apart on average, at random: with x = write/(2·between), sqrt(2·write·between)·(1 + sqrt(x)/3 + x/9) −
/// write, and `between` where x ≥ 1 (J. T. Daly, Future Generation Computer Systems 22, 2006, equation 37). The first
/// factor alone is J. W. Young's (Communications of the ACM 17, 1974).
Seconds checkpoint_interval(Seconds write, Seconds between);

/// Share of the elapsed time that trains, if there is a checkpoint after each `interval` of training:
/// with M = `between` and a cycle c = interval + write, interval/M · e^(−(restart + c)/M) / (1 − e^(−c/M)) (Daly 2006,
/// equation 20, which divides by M·e^(restart/M)·(e^(c/M) − 1)). To first
/// order it is 1 − write/interval − (interval/2 + write + restart)/M. Failures strike while a checkpoint is written or
/// training restarts, too.
Fraction share_that_trains(Seconds interval, Seconds write, Seconds restart, Seconds between);

struct Goodput {
    Bytes checkpoint{0};  ///< weights and optimizer states, each of them once
    Seconds write{0};     ///< of a checkpoint, in which nothing trains; all devices write an equal share at once
    Seconds between{0};   ///< mean time between interruptions: that of a device over the number of devices
    Seconds interval{0};  ///< of training between two checkpoints
    Fraction trains{1};   ///< of the elapsed time
    /// What `training`, a time without interruptions, takes with them; nothing where they leave no time to train.
    std::optional<Seconds> elapsed(Seconds training) const;
};
/// Nothing where no device fails, where the network has no weights, or where interruptions are not modelled.
std::optional<Goodput> goodput_of(const Scenario& scenario, const Estimate& estimate);

}  // namespace scalescope
