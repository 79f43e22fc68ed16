// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "app/commands/options.hpp"
#include "core/base/atomic_file.hpp"
#include "core/measure/habitat/device.hpp"
#include "core/measure/habitat/mlp.hpp"
#include "core/measure/habitat/occupancy.hpp"

/// What the verbs `habitat …` share.
namespace scalescope::app {

/// A file given with an option, handed to its reader; an option that is not there reads as nothing.
template <class Read>
auto read_option_file(const Arguments& a, std::string_view option, Read read) -> decltype(read("", "")) {
    const auto path = a.value(option);
    if (!path) return typename decltype(read("", ""))::value_type{};
    const auto text = read_file(*path);
    if (!text) return fail(text.error());
    return read(*text, *path);
}

/// --variant
void add_variant(Options& options);
habitat::Edition edition_of(const Arguments& a);

/// --devices, of the variant's own figures; none without the option.
Result<std::vector<habitat::Device>> devices_of(const Arguments& a);

/// --models; none without the option.
Result<habitat::MlpModels> models_of(const Arguments& a);

/// --format, CSV by default.
void add_habitat_format(Options& options);
void write_result(std::ostream& out, const Table& table, const Arguments& a);

}  // namespace scalescope::app
