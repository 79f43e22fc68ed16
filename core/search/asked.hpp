// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/formats/library.hpp"
#include "core/search/search.hpp"
#include "core/search/values.hpp"

/// A search as a person writes it down: texts that need not make sense yet.
namespace scalescope::search {

/// A row of *Vary*: a path, and its values as read_axis() takes them.
struct Varied {
    std::string path, values;
    bool operator==(const Varied&) const = default;
};

/// Questions that people ask (core/search/ask.hpp).
enum class Ask : std::uint8_t {
    fastest_mesh,
    fewest_devices,
    cheapest,
    which_device,
    longest_sequence,
    largest_network
};
inline constexpr std::size_t ask_count = 6;

/// The numbers of their sentences.
struct AskNumbers {
    std::int64_t devices = 1;
    double days = 30;
    double goal = 1;  ///< 10^12 tokens, or epochs of a network that reads no tokens
    bool operator==(const AskNumbers&) const = default;
};

struct Asked {
    std::optional<Ask> ask;  ///< what wrote the rest; nothing once a person has changed it
    AskNumbers numbers;
    std::vector<Varied> vary;        ///< rows without a path are passed over
    std::vector<std::string> where;  ///< as read_constraint() takes them; empty ones are passed over
    std::vector<Metric> objectives{Metric::time};
    double goal = 1;
    bool goal_in_epochs = true;  ///< else in samples
    bool must_fit = true;
    std::size_t top = 100;
    /// Paths of the columns and the rows of the grid; what is not varied is replaced by the first two that are.
    std::string grid_columns, grid_rows;
    bool operator==(const Asked&) const = default;
};

/// What is varied until a person says otherwise: the first of usual_fields(), each over its usual values.
std::vector<Varied> usual_rows(const Scenario& scenario, const formats::Library& library);

/// Reads the values of one row and tries them in the scenario, the first thousand and the last: Space::make tries all.
Result<Axis> read_varied(const Varied& varied, const Scenario& scenario, const formats::Library& library);

/// Most cells of a grid that a picture can show; of more there is none.
inline constexpr std::size_t most_cells = 40'000;

/// What is searched, and what is asked of it.
struct MadeQuestion {
    Space space;
    Question question;
};
/// Problems: of every row and constraint that cannot be read; `where` of a constraint's is its text, of a row's its
/// path. `library` is kept.
Result<MadeQuestion> make_question(const Asked& asked, const Scenario& scenario,
                                   std::shared_ptr<const formats::Library> library);

/// Whether a space made around `base` is the same around `other`: they differ in nothing but what is varied.
bool same_space(const Space& space, const Scenario& other);

std::string asked_json(const Asked& asked);
Result<Asked> read_asked(const std::string& text, const std::string& name);

}  // namespace scalescope::search
