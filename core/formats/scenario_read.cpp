// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>

#include "core/base/limits.hpp"
#include "core/base/listed.hpp"
#include "core/base/sequences.hpp"
#include "core/formats/calibration_json.hpp"
#include "core/formats/catalogue_json.hpp"
#include "core/formats/input_file.hpp"
#include "core/formats/network_json.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/formats/scenario_members.hpp"
#include "core/scenario/adapters.hpp"
#include "core/scenario/former_names.hpp"
#include "core/scenario/names.hpp"

namespace scalescope::formats {

namespace {
/// Version 2 has the degrees of the mesh and what goes with them; in one of version 1 they have their defaults.
/// Version 3 has other names for how the work is divided; the former ones are read as well.
constexpr std::array<Migration, 2> migrations{nullptr, nullptr};
}  // namespace
const FileFormat scenario_format{"scalescope-scenario", "scenario", migrations};

namespace {

class ScenarioReader {
public:
    ScenarioReader(const Library& library, const ReadText& read_text, std::string file, std::span<const Binding> sizes)
        : library_(library), read_text_(read_text), file_(std::move(file)), sizes_(sizes) {}

    Result<ReadScenario> read(JsonValue root) {
        JsonFields fields(root, {}, problems_);
        for (auto name : {"format", "version", "$schema"}) fields.ignore(name);
        if (const auto view = fields.optional("view", JsonKind::object)) result_.view = view->source();
        if (const auto pins = fields.optional("pins", JsonKind::array)) read_pins(*pins);
        return read_members(root, fields);
    }

private:
    Result<ReadScenario> read_members(JsonValue root, JsonFields& fields) {
        result_.scenario.name = fields.optional_text("name").value_or("");
        result_.scenario.description = fields.optional_text("description").value_or("");
        needs_device_ = !of_machines(root);
        if (const auto workload = fields.required("workload", JsonKind::array)) read_workload(*workload);
        for (const std::string_view section : {"training", "cluster", "parallelism", "cpu", "model", "reliability"}) {
            const bool needed = section == "cluster";
            if (const auto value =
                    needed ? fields.required(section, JsonKind::object) : fields.optional(section, JsonKind::object))
                read_section(*value, section);
        }
        if (const auto adapters = fields.optional("adapters", JsonKind::object)) read_adapters(*adapters);
        fields.finish();
        if (problems_.has_errors()) return fail(problems_.take());
        result_.warnings = problems_.take();
        return std::move(result_);
    }

    /// {"layers": "linear", "rank": 16}: low-rank adapters for the networks named above. Saved scenarios hold the
    /// network that results.
    void read_adapters(JsonValue value) {
        JsonFields fields(value, "adapters", problems_);
        const auto layers = fields.text("layers");
        const auto rank = fields.optional_integer("rank", 1, limits::dimension);
        fields.finish();
        if (!layers || problems_.has_errors()) return;
        auto adapted = with_adapters(result_.scenario, *layers, rank);
        // Layers get the numbers that they have in a saved file.
        auto saved = adapted ? read_scenario(write_scenario(*adapted, library_), file_, library_)
                             : Result<ReadScenario>(tl::unexpected(adapted.error()));
        if (saved)
            result_.scenario = std::move(saved->scenario);
        else
            for (Problem& p : saved.error()) problems_.add(std::move(p));
    }

    /// Each is a scenario of its own, with neither pins nor a view.
    void read_pins(JsonValue pins) {
        if (pins.size() > limits::pins) {
            problems_.error(pins.at(), "pins", "There are " + std::to_string(pins.size()) + " pins.",
                            "Keep " + std::to_string(limits::pins) + " at most.");
            return;
        }
        int number = 0;
        for (const JsonValue value : pins) {
            JsonFields fields(value, join_path("pins", std::to_string(++number)), problems_);
            Pin pin;
            pin.name = fields.optional_text("name").value_or("");
            if (const auto scenario = fields.required("scenario", JsonKind::object)) {
                ScenarioReader reader(library_, read_text_, file_, sizes_);
                JsonFields members(*scenario, join_path(fields.path(), "scenario"), reader.problems_);
                auto read = reader.read_members(*scenario, members);
                if (read) pin.scenario = std::make_shared<const Scenario>(std::move(read->scenario));
                for (Problem& p : read ? read->warnings : read.error()) problems_.add(std::move(p));
            }
            fields.finish();
            if (pin.scenario) result_.pins.push_back(std::move(pin));
        }
    }

    /// CPU clusters need neither device nor links; the model stands behind them.
    static bool of_machines(JsonValue root) {
        const auto model = root.is_object() ? root.find("model") : std::nullopt;
        const auto method = model && model->is_object() ? model->find("method") : std::nullopt;
        return method && method->is_string() &&
               method->text() == choice_names<Method>[static_cast<std::size_t>(Method::cpu_cluster)];
    }

    void read_workload(JsonValue workload) {
        if (workload.size() > limits::workload_parts) {
            problems_.error(workload.at(), "workload",
                            "The workload has " + std::to_string(workload.size()) + " parts.",
                            "This program accepts up to " + std::to_string(limits::workload_parts) + ".");
            return;
        }
        int number = 0;
        for (const JsonValue value : workload) {
            JsonFields fields(value, join_path("workload", std::to_string(++number)), problems_);
            WorkloadPart part;
            if (const auto origin = fields.optional_text("origin")) part.origin = *origin;
            const auto network = fields.any("network");
            if (network)
                read_network(*network, fields, part);
            else if (fields.is_object())
                fields.error("The field \"network\" is missing.",
                             "Add it; it is a preset's name, { \"file\": \"…\" } or a whole network.");
            if (const auto symbols = fields.optional("symbols", JsonKind::object)) read_symbols(*symbols, fields, part);
            if (const auto passes = fields.optional("passes", JsonKind::object)) {
                JsonFields p(*passes, join_path(fields.path(), "passes"), problems_);
                for (const PassName& pass : pass_names)
                    part.passes.*pass.member = p.optional_boolean(pass.name).value_or(part.passes.*pass.member);
                p.finish();
            }
            part.count = static_cast<int>(fields.optional_integer("count", 1, limits::repeats).value_or(1));
            fields.finish();
            result_.scenario.workload.push_back(std::move(part));
        }
    }

    void read_network(JsonValue value, JsonFields& part_fields, WorkloadPart& part) {
        if (value.is_string()) {
            const std::string id(value.text());
            if (part.origin.empty()) part.origin = id;
            auto& known = presets_[id];
            if (!known) known = accept(library_.network(id), part_fields, value);
            part.network = known;
        } else if (value.is_object() && value.find("file") && !value.find("layers")) {
            JsonFields fields(value, join_path(part_fields.path(), "network"), problems_);
            const auto name = fields.text("file");
            fields.finish();
            if (!name) return;
            if (part.origin.empty()) part.origin = *name;
            read_network_file(std::string(*name), part_fields, value, part);
        } else if (value.is_object()) {
            read_embedded(value, join_path(part_fields.path(), "network"), part);
        } else {
            part_fields.error("network", value,
                              "A network is a preset's name, { \"file\": \"…\" } or a whole network, not " +
                                  std::string(describe(value.kind())) + ".",
                              "Write for example \"network\": \"vgg-16\".");
        }
    }

    /// The same values before the network is read, some of which can be read only with them; what is wrong with them is
    /// said afterwards.
    std::vector<Binding> named_sizes(const JsonFields& part_fields) const {
        std::vector<Binding> sizes(sizes_.begin(), sizes_.end());
        const auto symbols = part_fields.value().find("symbols");
        if (!symbols || !symbols->is_object()) return sizes;
        for (const JsonValue s : *symbols)
            if (s.is_integer() && s.integer() >= 1 && s.integer() <= limits::dimension && !replaced(s.key()))
                sizes.push_back({std::string(s.key()), s.integer()});
        return sizes;
    }

    /// The size that the caller set instead of the file's, or null.
    const Binding* replaced(std::string_view symbol) const { return find_by(sizes_, symbol, &Binding::symbol); }

    /// In or below the folder of the scenario, by a relative path, after symbolic links are followed.
    static bool stays_below(const std::filesystem::path& folder, const std::filesystem::path& name) {
        if (name.empty() || name.has_root_path() || *name.lexically_normal().begin() == "..") return false;
        std::error_code failed;
        const auto top = std::filesystem::weakly_canonical(folder.empty() ? "." : folder, failed);
        if (failed) return false;
        const auto file = std::filesystem::weakly_canonical(top / name, failed);
        return !failed && std::mismatch(top.begin(), top.end(), file.begin(), file.end()).first == top.end();
    }

    /// The author of a scenario could name any file of its reader, so the contents of other files are never shown.
    void read_network_file(const std::string& name, JsonFields& part_fields, JsonValue value, WorkloadPart& part) {
        const auto refuse = [&](std::string what, std::string remedy) {
            problems_.error(value.at(), join_path(part_fields.path(), "network"), std::move(what), std::move(remedy));
        };
        const auto folder = std::filesystem::path(file_).parent_path();
        const auto path = folder / std::filesystem::path(name);
        if (!read_text_ && !stays_below(folder, name))
            return refuse("The file " + formats::quoted(std::string_view(name)) +
                              " is not read: it lies outside the scenario's folder.",
                          "Copy it into that folder and name it by a relative path, or choose the network yourself.");
        const auto text = read_text_ ? read_text_(path) : read_input_file(path);
        if (!text) {
            part.network = accept(tl::unexpected(text.error()), part_fields, value);
            return;
        }
        if (!is_any_network(*text))
            return refuse(
                "The file " + formats::quoted(std::string_view(name)) + " holds no network that Scalescope reads.",
                "Name a file with a network.");
        Problems warnings;
        const auto sizes = named_sizes(part_fields);
        auto network = read_any_network(*text, path.string(), &warnings, {}, sizes, library_.families.get());
        if (network)
            part.network = std::move(*network);
        else  // its problems name the file, which may have no lines
            for (Problem& p : network.error()) problems_.add(std::move(p));
        for (Problem& p : warnings) problems_.add(std::move(p));
    }

    /// {"sequence": 2048}: values for the symbols of the part's network.
    void read_symbols(JsonValue value, JsonFields& part_fields, WorkloadPart& part) {
        JsonFields fields(value, join_path(part_fields.path(), "symbols"), problems_);
        std::vector<Binding> bindings;
        std::vector<std::string_view> known;
        if (part.network)
            for (const Binding& b : part.network->bindings()) known.push_back(b.symbol);
        for (const JsonValue s : value) {
            const std::string name(s.key());
            fields.ignore(s.key());
            if (part.network && std::ranges::find(known, name) == known.end()) {
                problems_.error(s.key_at(), join_path(fields.path(), name),
                                "The network has no symbol " + formats::quoted(name) + ".",
                                did_you_mean(name, known,
                                             known.empty() ? "Leave it out: all sizes of this network are numbers."
                                                           : "Use one of " + listed(known) + "."));
            } else if (const auto v = fields.as_integer(name, s, 1, limits::dimension)) {
                const Binding* size = replaced(name);
                bindings.push_back(size ? *size : Binding{name, *v});
            }
            if (problems_.all().size() > limits::problems) return;
        }
        fields.finish();
        if (part.network && bindings.size() == value.size())
            part.network = accept(part.network->with(bindings), part_fields, value);
    }

    void read_embedded(JsonValue value, const std::string& path, WorkloadPart& part) {
        const auto version = value.find("version");
        if (!version || !version->is_integer() || version->integer() != network_format.newest()) {
            // Of another version, or of none: read as a file of its own, for its migrations and its messages.
            auto network = formats::read_network(value.source(), file_ + " (" + path + ")");
            if (!network)
                for (Problem& p : network.error()) problems_.add(std::move(p));
            else
                part.network = *network;
            return;
        }
        auto draft = decode_network(value, path, problems_);
        if (!draft) return;
        auto network = Network::make(std::move(*draft));
        if (network) {
            part.network = *network;
            return;
        }
        for (Problem& p : network.error()) {
            p.where = p.where.empty() ? path : join_path(path, p.where);
            if (p.at.line == 0) p.at = value.at();
            problems_.add(std::move(p));
        }
    }

    /// Problems without a place in a file get the place where the network is named.
    std::shared_ptr<const Network> accept(Result<std::shared_ptr<const Network>> network, JsonFields& fields,
                                          JsonValue value) {
        if (network) return *network;
        for (Problem& p : network.error()) {
            if (p.at.line == 0) p.at = value.at();
            if (p.where.empty()) p.where = join_path(fields.path(), "network");
            problems_.add(std::move(p));
        }
        return nullptr;
    }

    void read_section(JsonValue value, std::string_view section) {
        JsonFields fields(value, std::string(section), problems_);
        for (const Field& field : former_fields())  // first: fields of today may correct what they say
            if (const auto name = member_of(field.path, section); !name.empty())
                if (const auto member = fields.any(name); member && !member->is_null())
                    read_field(fields, field, name, *member);
        for (const Field& field : all_fields()) {
            const auto name = member_of(field.path, section);
            if (name.empty() || field.derived) continue;
            if (field.path == "parallelism.cut")
                read_cut(fields);
            else if (field.type == FieldType::device)
                read_part(fields, name, &Cluster::device, library_.catalogue.devices, decode_device, &usual_device);
            else if (field.type == FieldType::machine)
                read_part(fields, name, &Cluster::machine, library_.catalogue.machines, decode_machine, nullptr);
            else if (field.path == "cluster.inside")
                read_part(fields, name, &Cluster::inside, library_.catalogue.links, decode_link, &usual_inside);
            else if (field.type == FieldType::link)
                read_part(fields, name, &Cluster::between, library_.catalogue.links, decode_link, &usual_between);
            else if (field.type == FieldType::layers)
                read_layers(fields, name, field);
            else if (const auto member = fields.any(name); member && !member->is_null())
                read_field(fields, field, name, *member);
        }
        if (section == "model") read_calibration(fields);
        fields.finish();
    }

    /// What the constants were fitted to; they stand beside it, and may be others by now.
    void read_calibration(JsonFields& fields) {
        const auto value = fields.optional("calibration", JsonKind::object);
        if (!value) return;
        result_.scenario.model.calibration = {std::make_shared<const Calibration>(
            decode_calibration(*value, join_path(fields.path(), "calibration"), problems_))};
    }

    void read_field(JsonFields& fields, const Field& field, std::string_view name, JsonValue value) {
        std::string text(value.is_string() ? value.text() : value.source());
        if (field.type == FieldType::words) {
            const auto words = fields.texts(name);
            if (!words) return;
            text = joined(*words, ",");
        } else {
            const JsonKind kind = field.type == FieldType::boolean  ? JsonKind::boolean
                                  : field.type == FieldType::choice ? JsonKind::string
                                                                    : JsonKind::number;
            if (value.kind() != kind) {
                fields.error(name, value,
                             "The field " + quoted(name) + " must be " + std::string(describe(kind)) + ", not " +
                                 std::string(describe(value.kind())) + ".",
                             "Write " + std::string(describe(kind)) + " here.");
                return;
            }
        }
        set(fields, field, name, value, text);
    }

    LayerId layer(JsonFields& fields, std::string_view name, JsonValue value) {
        const Network* network = result_.scenario.network();
        if (!value.is_string()) {
            fields.error(name, value, "A layer is named by a text, not " + std::string(describe(value.kind())) + ".",
                         "Write the layer's name in double quotes.");
        } else if (network) {  // without one that is the problem reported
            if (layers_.empty())
                for (const Layer& l : network->layers()) layers_.emplace(l.name, l.id);
            if (const auto it = layers_.find(value.text()); it != layers_.end()) return it->second;
            std::vector<std::string_view> known;
            for (const auto& [layer_name, id] : layers_) known.push_back(layer_name);
            fields.error(name, value, "The first network has no layer called " + quoted(value.text()) + ".",
                         did_you_mean(value.text(), known,
                                      "Name a layer of " + quoted(std::string_view(network->name())) + "."));
        }
        return {};
    }

    void read_layers(JsonFields& fields, std::string_view name, const Field& field) {
        const auto list = fields.optional(name, JsonKind::array);
        if (!list) return;
        std::vector<LayerId> layers;
        for (const JsonValue value : *list) {
            if (problems_.all().size() > 20) return;  // each asks for the closest name, which takes time
            layers.push_back(layer(fields, name, value));
        }
        set_layers(field, result_.scenario, std::move(layers));
    }

    /// The cut is kept while it is automatic, for the day when it is not.
    void read_cut(JsonFields& fields) {
        Parallelism& p = result_.scenario.parallelism;
        const auto cut = fields.any("cut");
        if (cut && !cut->is_null()) p.cut = layer(fields, "cut", *cut);
        p.cut_auto = fields.optional_boolean("cut_auto").value_or(!cut);
    }

    /// A device, link or machine: its figures, or the name of a preset. If it is missing, a scenario that needs none
    /// has the usual one, for the day when it is priced by another method.
    template <class T, class Decode>
    void read_part(JsonFields& fields, std::string_view name, T Cluster::*place, const std::vector<T>& presets,
                   Decode decode, const Usual* usual) {
        const auto value = fields.any(name);
        if (!value && usual && (needs_device_ || !take_usual(*usual)))
            fields.error("The field " + quoted(name) + " is missing.",
                         name == "device" ? "Add it; it is a device's name or its figures."
                                          : "Add it; it is a link's name or its figures.");
        if (!value || (!usual && value->is_null())) return;
        if (!value->is_object()) return by_name(fields, name, *value);
        auto decoded = decode(*value, join_path(fields.path(), name), {}, problems_);
        if (!decoded) return;
        if constexpr (std::is_same_v<T, Device>) find_host_link(*decoded, library_.catalogue.links);
        const T* preset = find_by(presets, decoded->id, &T::id);
        result_.scenario.cluster.*place = std::move(*decoded);
        if (!preset) return;
        Scenario as_preset = result_.scenario;
        as_preset.cluster.*place = *preset;
        warn_of_changes(as_preset, name, *value, preset->name);
    }

    bool take_usual(const Usual& usual) {
        return set_field(result_.scenario, *find_field(usual.path), usual.preset, library_.catalogue).has_value();
    }

    /// A device, link or machine given as the name of a preset.
    void by_name(JsonFields& fields, std::string_view name, JsonValue value) {
        if (!value.is_string())
            fields.error(name, value, "This must be the name of a preset, or an object with the figures.",
                         "Write a preset's name in double quotes.");
        else
            set(fields, *find_field("cluster." + std::string(name)), name, value, value.text());
    }

    void set(JsonFields& fields, const Field& field, std::string_view name, JsonValue value, std::string_view text) {
        auto done = set_field(result_.scenario, field, text, library_.catalogue);
        if (done) return;
        for (Problem& p : done.error()) {
            p.at = value.at();
            p.where = join_path(fields.path(), name);
            problems_.add(std::move(p));
        }
    }
    void warn_of_changes(const Scenario& as_preset, std::string_view name, JsonValue value,
                         const std::string& preset_name) {
        std::string changes;
        for (const Field* f : changed_fields(result_.scenario, as_preset))
            changes += (changes.empty() ? "" : ", ") + std::string(f->label) + " " + field_text(*f, result_.scenario) +
                       " here and " + field_text(*f, as_preset) + " there";
        if (changes.empty()) return;
        problems_.warning(value.at(), join_path("cluster", name),
                          "The preset " + quoted(std::string_view(preset_name)) +
                              " has other figures than this file: " + changes + ".",
                          "The file's figures are used; choose the preset again to take its own.");
    }

    bool needs_device_ = true;
    const Library& library_;
    const ReadText& read_text_;
    std::string file_;
    std::span<const Binding> sizes_;
    ProblemList problems_;
    ReadScenario result_;
    std::map<std::string, std::shared_ptr<const Network>> presets_;
    std::map<std::string_view, LayerId> layers_;
};

}  // namespace

Result<ReadScenario> read_scenario(std::string_view text, std::string file, const Library& library,
                                   const ReadText& read_text, const Watch& watch, std::span<const Binding> sizes) {
    ASSIGN_OR_RETURN(auto document, open_document(text, file, scenario_format, watch));
    return ScenarioReader(library, read_text, std::move(file), sizes).read(document.root());
}

}  // namespace scalescope::formats
