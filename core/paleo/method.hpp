// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/problem.hpp"
#include "core/hardware/device.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// How PALEO is asked: which version, which of its slips are mended, on what machine.
namespace scalescope::paleo {

// PALEO's own figures, exactly as its code has them (github.com/TalwalkarLab/paleo, commit 984bbf5). They are not the
// catalogue's: its K80 is the whole two-chip board and the clock of its CPU is a slip of the pen.

struct Device {
    std::string key;   ///< PALEO's name for it: "TITAN_X"
    std::string name;  ///< as PALEO prints it: "Titan X"
    double clock_mhz = 1000.0;
    double peak_gflops = 1.0;  ///< single precision, 10^9 per second
    double memory_gb_per_s = 1.0;
};

/// What joins the workers.
struct Link {
    std::string key;
    std::string name;
    double gbit_per_s = 1.0;  ///< 10^9 bits per second
};

std::span<const Device> devices();
std::span<const Link> links();

/// By key; null if PALEO has none of that name.
const Device* find_device(std::string_view key);
const Link* find_link(std::string_view key);

/// A device or link of the catalogue in PALEO's terms: fp32 peak, and the clock only for the clock tick (1 GHz if it is
/// not known). A device without an fp32 peak is a Problem.
Result<Device> from_catalogue(const scalescope::Device& device);
Link from_catalogue(const scalescope::Link& link);

/// `head`: the public code as it stands (commit 984bbf5, 2018). `paper`: its first commit (b12c04b, December 2016),
/// which gave the numbers of the ICLR 2017 paper and of the authors' demo.
enum class Era : std::uint8_t { head, paper };

enum class Pass : std::uint8_t { forward, data_gradient, filter_gradient };
inline constexpr std::size_t pass_count = 3;
inline constexpr std::array passes{Pass::forward, Pass::data_gradient, Pass::filter_gradient};
constexpr std::size_t index(Pass pass) { return static_cast<std::size_t>(pass); }

/// How a convolution is done. PALEO has no rule for choosing one: it asks cuDNN. Default here: matrix product.
enum class Algorithm : std::uint8_t {
    gemm,
    gemm_with_copy,  ///< cuDNN's data gradient 1 as HEAD prices it: writes and reads the unfolded image too
    fft,
    fft_tiled,
};

/// The meaning PALEO gives to cuDNN version 4's number of an algorithm. Nothing for a number it does not know, and for
/// Winograd (forward 6, data gradient 4), which PALEO prices at zero: that is never done here.
std::optional<Algorithm> algorithm_of(Pass pass, int cudnn_number, Era era);

enum class Scheme : std::uint8_t { one_to_all, tree_all_reduce, butterfly_all_reduce, butterfly_mixing };
inline constexpr std::size_t scheme_count = 4;
constexpr std::size_t index(Scheme scheme) { return static_cast<std::size_t>(scheme); }
std::string_view scheme_name(Scheme scheme);  ///< "OneToAll", ...

enum class Scaling : std::uint8_t { weak, strong };
enum class Parallelism : std::uint8_t { data, model, hybrid };

/// One switch for each place where PALEO's code departs from what it sets out to compute. All off: PALEO's numbers.
struct Corrections {
    bool gradient_work = false;
    bool tensor_bytes = false;
    bool bytes_only = false;
    bool deconvolution_batch = false;
    bool decimal_units = false;
    bool memory_percent = false;
    bool update_percent = false;
    bool no_tick = false;
    bool mixing_alone = false;
    bool unsplit_device = false;
    bool no_halving = false;
    bool network_fetch = false;
    bool hybrid_bytes = false;

    bool operator==(const Corrections&) const = default;
};

struct Correction {
    std::string_view id;
    std::string_view name;
    std::string_view sentence;  ///< what PALEO does, and what is done instead
    bool Corrections::*flag = nullptr;
    bool changes_work = false;  ///< a new Plan is needed; the others only change how a plan is priced
};

/// All of them, in the order in which the waterfall applies them.
std::span<const Correction> corrections();
Corrections all_corrections();

struct Method {
    Era era = Era::head;
    Corrections corrections;
};

/// The machine and how much of its peaks a software reaches (1 is 100 %).
struct Setup {
    Device device;
    Link link;
    double ppp_compute = 1.0;
    double ppp_communication = 1.0;
    double ppp_memory = 1.0;  ///< used by the correction `memory_percent` only: PALEO takes ppp_compute for memory too
    bool pipeline = false;    ///< bound from below: compute and memory of a layer overlap fully
};

}  // namespace scalescope::paleo
