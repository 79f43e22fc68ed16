// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/problem.hpp"
#include "core/formats/trainers/description.hpp"
#include "core/formats/trainers/settings.hpp"

/// Training configurations of Megatron-LM, torchtitan, DeepSpeed and others, read with the descriptions of these
/// trainers.
namespace scalescope::formats::trainers {

enum class Origin : std::uint8_t {
    stated,    ///< by a key of the file
    derived,   ///< from what the file states
    standard,  ///< the trainer's default
    assumed    ///< the default of a variable that the environment may set
};

struct Figure {
    Value value;  ///< `none`: unknown
    Origin origin = Origin::standard;
    SourcePosition at;  ///< of the key
};
using Figures = std::map<std::string, Figure, std::less<>>;

struct TrainerName {
    std::string id, title;
};

/// What a configuration says, whatever the trainer. The names of the figures are those of the descriptions: "devices",
/// "tensor", "micro_batch" (configurations.md lists them).
struct Reading {
    std::string trainer;  ///< id of the description
    std::string title;
    std::vector<TrainerName> others;  ///< trainers whose keys are in the file, too; the likeliest first
    Figures figures;
    bool infeasible = false;  ///< its values contradict each other
    Problems notes;           ///< warnings: assumptions, questions, contradictions, keys that are not used

    std::optional<std::int64_t> whole(std::string_view name) const;
    std::string text(std::string_view name) const;  ///< empty if unknown
    bool truth(std::string_view name) const;
};

/// Whether a trainer whose files look like this is known. Cheap for texts that are clearly something else.
bool is_configuration(std::string_view text);

/// Read as a file of the trainer of which most keys are recognized, or of the one with the id `trainer`. Fails if the
/// text cannot be parsed, or no known trainer or not this one has such keys. Contradictions are notes.
Result<Reading> read_configuration(std::string_view text, const std::string& file, std::string_view trainer = {});

/// Expands a pattern of repetitions: "([0]*3+[1]*3)" gives "000111", and "(t)*2m|" gives "ttm|". Empty if the text is
/// not such a pattern, or if the result is too long.
std::string unrolled(std::string_view pattern);

}  // namespace scalescope::formats::trainers
