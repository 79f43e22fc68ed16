// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/caffe/net.hpp"

#include <algorithm>
#include <utility>

#include "core/base/limits.hpp"
#include "core/base/name_list.hpp"

namespace scalescope::formats {
namespace {

/// Types of layers that are older than Caffe 1.0. V1LayerParameter wrote them in capitals: CONTRASTIVE_LOSS,
/// INNER_PRODUCT.
constexpr std::string_view old_types =
    "AbsVal Accuracy ArgMax BNLL Concat ContrastiveLoss Convolution Data Deconvolution Dropout DummyData EuclideanLoss "
    "Eltwise Exp Flatten HDF5Data HDF5Output HingeLoss Im2col ImageData InfogainLoss InnerProduct LRN MemoryData "
    "MultinomialLogisticLoss MVN Pooling Power ReLU Sigmoid SigmoidCrossEntropyLoss Silence Softmax Split Slice TanH "
    "WindowData";

/// What a layer type of V1LayerParameter is called since; nothing: it is none.
std::optional<std::string_view> present_type(std::string_view old) {
    if (old == "SOFTMAX_LOSS") return "SoftmaxWithLoss";
    std::string letters;
    for (const char c : old)
        if (c != '_') letters += c;
    for (std::string_view left = old_types; !left.empty();) {
        const std::string_view type = next_name(left);
        if (std::ranges::equal(type, letters, [](char now, char before) {
                return before == (now >= 'a' && now <= 'z' ? static_cast<char>(now - 'a' + 'A') : now);
            }))
            return type;
    }
    return std::nullopt;
}

struct CaffeState {
    bool train = true;
    std::int64_t level = 0;
    std::vector<std::string> stages;
};

class CaffeNetReader {
public:
    explicit CaffeNetReader(ProblemList& problems) : problems_(problems) {}

    std::optional<CaffeNet> read(ProtoField root) {
        const std::size_t errors = problems_.errors();
        const auto net = net_of(root);
        if (!net) return std::nullopt;
        if (const auto name = net->find("name")) net_.name = text(*name, "name");
        read_inputs(*net);
        std::vector<ProtoField> written;
        for (const ProtoField f : *net) {
            if (f.name() != "layer" && f.name() != "layers") continue;
            if (written.size() >= limits::layers) {
                error(f.name_at(), {}, "The net has more than " + std::to_string(limits::layers) + " layers.",
                      "This program accepts up to " + std::to_string(limits::layers) + ".");
                return std::nullopt;
            }
            if (!f.is_message())
                error(f.at(), {}, "A layer is a block, not " + std::string(describe(f.kind())) + ".",
                      "Write layer { … }.");
            else
                written.push_back(f);
        }
        if (written.empty() && problems_.errors() == errors)
            error(net->at(), {}, "This text has no layers, so it is no Caffe net.",
                  "Choose a file with layer { … } in it, such as train_val.prototxt or deploy.prototxt.");
        if (problems_.errors() > errors) return std::nullopt;
        choose(written);
        if (problems_.errors() > errors) return std::nullopt;
        return std::move(net_);
    }

private:
    /// The message that is the net: the file itself, or inside a solver.
    std::optional<ProtoField> net_of(ProtoField root) {
        for (const std::string_view name : {"train_net_param", "net_param"})
            if (const auto inside = root.find(name); inside && inside->is_message()) {
                net_.from_solver = true;
                if (const auto state = root.find("train_state")) read_stages(*state);
                return inside;
            }
        for (const std::string_view name : {"train_net", "net", "test_net"})
            if (const auto other = root.find(name);
                other && other->kind() == ProtoKind::string && !root.find("layer") && !root.find("layers")) {
                error(other->at(), {}, "This is a solver: its net is in another file, " + quoted(other->text()) + ".",
                      "Open that file instead.");
                return std::nullopt;
            }
        if (const auto state = root.find("state")) read_stages(*state);
        return root;
    }

    void read_stages(ProtoField state) {
        for (const ProtoField f : state) {
            if (f.name() == "stage") state_.stages.emplace_back(f.text());
            if (f.name() == "level") state_.level = f.integer().value_or(0);
        }
    }

    /// `input` with four `input_dim` each, or with an `input_shape` each.
    void read_inputs(ProtoField net) {
        std::vector<ProtoField> dims, shapes;
        for (const ProtoField f : net) {
            if (f.name() == "input") {
                CaffeInput input;
                input.name = text(f, "input");
                input.at = f.at();
                net_.inputs.push_back(std::move(input));
            }
            if (f.name() == "input_dim") dims.push_back(f);
            if (f.name() == "input_shape") shapes.push_back(f);
        }
        for (std::size_t i = 0; i < net_.inputs.size(); ++i) {
            CaffeInput& input = net_.inputs[i];
            if (i < shapes.size()) {
                for (const ProtoField d : shapes[i])
                    if (d.name() == "dim" && input.dims.size() <= limits::rank) input.dims.push_back(dimension(d));
            } else if (shapes.empty()) {
                for (std::size_t d = 4 * i; d < 4 * i + 4 && d < dims.size(); ++d)
                    input.dims.push_back(dimension(dims[d]));
            }
        }
    }

    std::int64_t dimension(ProtoField f) {
        const auto value = f.integer();
        if (value && *value >= 1 && *value <= limits::dimension) return *value;
        error(f.at(), {}, "A dimension is a whole number from 1 to 2^31.", "Correct the size.");
        return 1;
    }

    /// A name or type as UTF-8 text of bearable length.
    std::string text(ProtoField f, std::string_view what) {
        const bool fits = !f.is_message() && f.text().size() <= limits::name_bytes;
        if (fits) return std::string(f.text());
        error(f.at(), {},
              "The field " + quoted(what) + " is a text of at most " + std::to_string(limits::name_bytes) + " bytes.",
              "Write " + std::string(what) + ": \"…\".");
        return {};
    }

    void choose(const std::vector<ProtoField>& written) {
        bool asks_train = false, asks_test = false;
        for (const ProtoField l : written)
            for (const ProtoField rule : l) {
                if (rule.name() != "include" && rule.name() != "exclude") continue;
                if (const auto phase = rule.find("phase")) {
                    asks_train = asks_train || is_phase(*phase, true);
                    asks_test = asks_test || is_phase(*phase, false);
                }
            }
        std::vector<CaffeLayer> all;
        all.reserve(written.size());
        for (const ProtoField l : written) {
            all.push_back(read_layer(l));
            if (problems_.all().size() > limits::problems) return;
        }
        const auto stands_in = [&](const CaffeLayer& l, bool train) {
            CaffeState state = state_;
            state.train = train;
            return included(l.field, state);
        };
        bool train_data = false, test_data = false, only_inputs = true;
        for (const CaffeLayer& l : all) {
            if (!is_caffe_source(l)) continue;
            train_data = train_data || stands_in(l, true);
            test_data = test_data || stands_in(l, false);
            only_inputs = only_inputs && l.type == "Input";
        }
        const bool given = !net_.inputs.empty();
        const bool deployed = only_inputs && !asks_train && (given || test_data);
        net_.train = net_.from_solver || !(deployed || (!train_data && test_data && !given));
        for (CaffeLayer& l : all) {
            if (stands_in(l, net_.train)) {
                net_.layers.push_back(std::move(l));
            } else {
                net_.other_phase = true;
            }
        }
        if (net_.layers.empty() && !problems_.has_errors())
            error(written.front().name_at(), {}, "No layer belongs to the training phase.",
                  "Correct the include and exclude blocks of the layers.");
    }

    CaffeLayer read_layer(ProtoField field) {
        CaffeLayer l{{}, {}, {}, {}, {}, false, field};
        bool any_rate = false, any_learns = false;
        const auto rate = [&](const std::optional<double>& r) {
            any_rate = true;
            any_learns = any_learns || !r || *r != 0;
        };
        for (const ProtoField f : field) {
            const auto key = f.name();
            if (key == "name") l.name = text(f, "name");
            if (key == "bottom") l.bottoms.push_back(text(f, "bottom"));
            if (key == "top") l.tops.push_back(text(f, "top"));
            if (key == "type") l.type = text(f, "type");
            if (key == "blobs_lr") rate(f.number());
            if (key == "param" && f.is_message()) {
                if (const auto name = f.find("name")) l.shared.push_back(text(*name, "name"));
                const auto r = f.find("lr_mult");
                rate(r ? r->number() : std::nullopt);
            } else if (key == "param") {
                l.shared.push_back(text(f, "param"));  // V1 names its weights so
            }
            if (key == "layer")
                error(f.name_at(), l.name, "The layer is written in the oldest form of Caffe, a layer inside layers.",
                      "Bring the file to the present form with Caffe's upgrade_net_proto_text.");
        }
        l.frozen = any_rate && !any_learns;
        if (l.bottoms.size() > limits::layer_inputs || l.tops.size() > limits::layer_inputs)
            error(field.name_at(), l.name,
                  "The layer has more than " + std::to_string(limits::layer_inputs) + " inputs or outputs.",
                  "This program accepts up to " + std::to_string(limits::layer_inputs) + ".");
        if (l.type.empty() && !problems_.has_errors())
            error(field.name_at(), l.name, "The layer has no type.", "Add type: \"Convolution\", or what it is.");
        if (const auto type = present_type(l.type)) l.type = *type;
        return l;
    }

    bool is_phase(ProtoField f, bool train) { return f.text() == (train ? "TRAIN" : "TEST"); }

    bool included(ProtoField layer, const CaffeState& state) {
        bool any_include = false, met = false;
        for (const ProtoField rule : layer) {
            if (rule.name() == "exclude" && meets(rule, state)) return false;
            if (rule.name() != "include") continue;
            any_include = true;
            met = met || meets(rule, state);
        }
        return met || !any_include;
    }

    /// Caffe's Net::StateMeetsRule.
    bool meets(ProtoField rule, const CaffeState& state) {
        const auto has = [&](std::string_view stage) {
            return std::ranges::find(state.stages, stage) != state.stages.end();
        };
        for (const ProtoField f : rule) {
            const auto key = f.name();
            if (key == "phase" && !is_phase(f, state.train)) {
                if (!is_phase(f, !state.train) && complained_.insert_or_keep(f.at()))
                    error(f.at(), {}, "There is no phase " + quoted(f.text()) + ".",
                          "Write phase: TRAIN or phase: TEST.");
                return false;
            }
            if (key == "min_level" && state.level < f.integer().value_or(0)) return false;
            if (key == "max_level" && state.level > f.integer().value_or(0)) return false;
            if (key == "stage" && !has(f.text())) return false;
            if (key == "not_stage" && has(f.text())) return false;
        }
        return true;
    }

    void error(SourcePosition at, std::string_view layer, std::string what, std::string remedy) {
        problems_.error(std::move(at), layer.empty() ? std::string() : join_path("layers", layer), std::move(what),
                        std::move(remedy));
    }

    /// Rules are judged for both phases; each place is complained about once.
    struct Places {
        std::vector<std::pair<int, int>> seen;
        bool insert_or_keep(const SourcePosition& at) {
            const std::pair<int, int> place(at.line, at.column);
            if (std::ranges::find(seen, place) != seen.end() || seen.size() > limits::problems) return false;
            seen.push_back(place);
            return true;
        }
    };

    ProblemList& problems_;
    CaffeNet net_;
    CaffeState state_;
    Places complained_;
};

}  // namespace

bool is_caffe_source(const CaffeLayer& layer) { return layer.bottoms.empty() && !layer.tops.empty(); }

std::optional<CaffeNet> read_caffe_net(const ProtoDocument& document, ProblemList& problems) {
    return CaffeNetReader(problems).read(document.root());
}

}  // namespace scalescope::formats
