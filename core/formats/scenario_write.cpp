// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/calibration_json.hpp"
#include "core/formats/catalogue_json.hpp"
#include "core/formats/network_json.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/formats/scenario_members.hpp"
#include "core/scenario/fields.hpp"

namespace scalescope::formats {
namespace {

class ScenarioWriter {
public:
    ScenarioWriter(JsonWriter& out, const Scenario& scenario, const Library& library)
        : s_(scenario), library_(library), out_(out) {}

    void write(std::string_view view, const Pins& pins) {
        begin_file(out_, scenario_format);
        write_members();
        if (!pins.empty()) write_pins(pins);
        if (!view.empty()) out_.raw("view", view);
        out_.end_object();
    }

private:
    void write_members() {
        out_.text("name", s_.name);
        out_.text("description", s_.description);
        out_.begin_list("workload");
        for (const WorkloadPart& part : s_.workload) write_part(part);
        out_.end_list();
        for (const std::string_view section : {"training", "cluster", "parallelism", "model"}) write_section(section);
        if (!(s_.cpu == CpuCluster{}) || s_.model.method == Method::cpu_cluster) write_section("cpu");
        if (!(s_.reliability == Reliability{})) write_section("reliability");
    }

    void write_pins(const Pins& pins) {
        out_.begin_list("pins");
        for (const Pin& pin : pins) {
            out_.begin_object();
            out_.text("name", pin.name);
            out_.begin_object("scenario");
            ScenarioWriter(out_, *pin.scenario, library_).write_members();
            out_.end_object();
            out_.end_object();
        }
        out_.end_list();
    }

    void write_part(const WorkloadPart& part) {
        out_.begin_object();
        if (part.network) {
            out_.key("network");
            if (is_preset(part)) {
                out_.text(part.origin);
            } else {
                encode_network(out_, part.network->draft());
                out_.optional_text("origin", part.origin);
            }
        }
        // Also where a symbol has its initial value: a network's default may be another one some day.
        if (part.network && !part.network->bindings().empty() && !part.network->draft().remade_by) {
            out_.begin_inline_object("symbols");
            for (const Binding& b : part.network->bindings()) out_.integer(b.symbol, b.value);
            out_.end_object();
        }
        if (!(part.passes == Passes{})) {
            out_.begin_inline_object("passes");
            for (const PassName& pass : pass_names) {
                if (part.passes.*pass.member == Passes{}.*pass.member) continue;
                out_.boolean(pass.name, part.passes.*pass.member);
            }
            out_.end_object();
        }
        if (part.count != 1) out_.integer("count", part.count);
        out_.end_object();
    }

    bool is_preset(const WorkloadPart& part) const {
        const Preset* preset = library_.find_network(part.origin);
        if (!preset || preset->own || preset->id != part.origin) return false;
        const auto network = library_.network(part.origin);
        return network && (&(*network)->draft() == &part.network->draft() ||
                           write_network((*network)->draft()) == write_network(part.network->draft()));
    }

    void write_section(std::string_view section) {
        out_.begin_object(section);
        for (const Field& field : all_fields()) {
            const auto name = member_of(field.path, section);
            if (name.empty() || field.derived) continue;
            if (field.path == "parallelism.cut") {
                write_cut();
                continue;
            }
            const std::string text = field.type == FieldType::layers ? std::string() : field_text(field, s_);
            if (field.optional && text.empty()) continue;
            out_.key(name);
            switch (field.type) {
                case FieldType::integer:
                case FieldType::number:
                case FieldType::boolean: out_.raw(text); break;
                case FieldType::choice:
                case FieldType::layer: out_.text(text); break;
                case FieldType::device: encode_device(out_, s_.cluster.device); break;
                case FieldType::machine: encode_machine(out_, s_.cluster.machine); break;
                case FieldType::link:
                    encode_link(out_, name == "inside" ? s_.cluster.inside : s_.cluster.between);
                    break;
                case FieldType::layers: write_layers(layers_of(field, s_)); break;
                case FieldType::words: write_words(s_.model.paleo_corrections); break;
            }
        }
        if (section == "model" && s_.model.calibration) {
            out_.key("calibration");
            encode_calibration(out_, *s_.model.calibration);
        }
        out_.end_object();
    }

    void write_words(const std::vector<std::string>& words) {
        out_.begin_inline_list();
        for (const auto& w : words) out_.text(w);
        out_.end_list();
    }

    void write_layers(const std::vector<LayerId>& ids) {
        out_.begin_inline_list();
        for (LayerId id : ids)
            if (const std::string* name = layer_name(id)) out_.text(*name);
        out_.end_list();
    }

    void write_cut() {
        if (const std::string* name = layer_name(s_.parallelism.cut)) out_.text("cut", *name);
        out_.boolean("cut_auto", s_.parallelism.cut_auto);
    }

    const std::string* layer_name(LayerId id) const {
        const Network* network = s_.network();
        const auto at = network ? network->position(id) : std::nullopt;
        return at ? &network->layers()[static_cast<std::size_t>(*at)].name : nullptr;
    }

    const Scenario& s_;
    const Library& library_;
    JsonWriter& out_;
};

}  // namespace

std::string write_scenario(const Scenario& scenario, const Library& library, std::string_view view, const Pins& pins) {
    JsonWriter out;
    ScenarioWriter(out, scenario, library).write(view, pins);
    return out.take();
}

}  // namespace scalescope::formats
