// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/problem.hpp"
#include "core/hardware/catalogue.hpp"
#include "core/scenario/scenario.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The one table of everything in a Scenario that changes a number, apart from the networks themselves. It serves --set
/// and --vary, the controls, undo texts, searches and `list fields`. A new member of Scenario is a new row here.
namespace scalescope {

enum class FieldType {
    integer,
    number,
    boolean,  ///< "true" or "false"
    choice,   ///< one of Field::choices
    device,   ///< id or name of a device of the catalogue; its figures are copied
    link,     ///< id or name of a link of the catalogue; its figures are copied
    machine,  ///< id or name of a CPU machine of the catalogue; its figures are copied
    layer,    ///< name of a layer of the first network, or one of Field::choices
    layers,   ///< names of such layers, separated by commas; may be empty
    words     ///< words separated by commas; may be empty
};

struct FieldAccess;

struct Field {
    std::string_view path;  ///< "cluster.between.bandwidth_gb_s"
    FieldType type = FieldType::number;
    std::string_view label;      ///< short, as a control or an undo text says it: "Workers"
    std::string_view text;       ///< one sentence on what it is
    std::string_view unit;       ///< of the numbers below and of all texts: "GB/s", "%"; empty for counts and words
    double least = 0, most = 0;  ///< integers and numbers: bounds, both allowed
    std::span<const std::string_view> choices;
    bool optional = false;  ///< may be unknown: its text is then empty
    bool derived = false;   ///< another way to set a field that has its own row
    const FieldAccess* access = nullptr;
    bool modules = false;  ///< a choice that may also be names of modules, joined by "+"
    /// Basis of the present value, such as "list price on demand"; empty if the scenario gives none.
    std::string (*basis)(const Scenario&) = nullptr;
};

std::span<const Field> all_fields();
/// Also a former one (former_names.hpp); nullptr if there is none. What the symbols of a scenario's networks add is in
/// symbol_fields.hpp.
const Field* find_field(std::string_view path);

/// What a field is called in texts about one scenario: the workers of a CPU cluster are machines.
inline std::string label_in(const Scenario& scenario, const Field& field) {
    return scenario.model.method == Method::cpu_cluster && field.path == "cluster.workers" ? "Machines"
                                                                                           : std::string(field.label);
}

/// The value as set_field takes it: numbers are the shortest text that gives the same bits again.
std::string field_text(const Field& field, const Scenario& scenario);
/// The value as people read it: "Tesla K40", "12 GB/s", "on", "unknown".
std::string shown_value(const Field& field, const Scenario& scenario);
/// Integers and numbers, in the field's unit (rounded to the nearest double); nothing for other types and unknown
/// values.
std::optional<double> field_number(const Field& field, const Scenario& scenario);

/// Of a field of FieldType::layers.
const std::vector<LayerId>& layers_of(const Field& field, const Scenario& scenario);
void set_layers(const Field& field, Scenario& scenario, std::vector<LayerId> ids);

/// Sets the field from text. What cannot be read, is out of bounds or names something unknown is a Problem whose
/// `where` is the path, and changes nothing.
Result<void> set_field(Scenario& scenario, const Field& field, std::string_view text, const Catalogue& catalogue);
/// The same by path, "symbols.sequence" among them; an unknown path is a Problem that names the closest one.
Result<void> set_field(Scenario& scenario, std::string_view path, std::string_view text, const Catalogue& catalogue);
/// Integers (rounded) and numbers, in the field's unit: for sliders.
Result<void> set_field(Scenario& scenario, const Field& field, double value);

/// Takes over all four shares of a percent-of-peak preset; its communication share goes to both links.
void apply(const PercentOfPeak& percents, ModelOptions& model);

/// Fields in which two scenarios differ, in the table's order, derived ones left out. A device or link that was
/// exchanged for another one (another id) is one field, not one per figure.
std::vector<const Field*> changed_fields(const Scenario& a, const Scenario& b);
/// For undo texts: "Workers 8 → 64", "Network NiN → VGG-16", "3 changes"; empty if nothing that counts has changed.
std::string describe_change(const Scenario& a, const Scenario& b);

/// Hardware, links, batch and precision as --set takes them, for the comment of an exported table:
/// "cluster.device=a100-sxm-80gb, training.batch=128, …".
std::string key_settings(const Scenario& scenario);

}  // namespace scalescope
