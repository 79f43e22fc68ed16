// SPDX-License-Identifier: GPL-3.0-or-later
// Reads files of networks as a stream: a full-size one has millions of numbers, far more than a JsonDocument holds.
#include "core/base/decimal.hpp"
#include "core/base/file_window.hpp"
#include "core/base/limits.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/formats/json_scanner.hpp"
#include "core/formats/json_store.hpp"
#include "core/measure/habitat/mlp.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace scalescope::habitat {

namespace {

using formats::ByteStream;
using formats::join_path;
using formats::ProblemList;
/// Line and column, both from 1.
using Place = formats::JsonScanner::Place;

/// A list of numbers, or of such lists of one length, as the file has it.
template <class T>
struct Numbers {
    std::vector<T> values;
    std::size_t rows = 0, width = 0;
    bool nested = false;
    Place at;
};

/// A member that should be a whole number from 0.
struct Count {
    std::int64_t value = 0;
    Place at;
};

/// A network as the file has it, before its sizes are held against each other.
struct ModelDraft {
    std::string name;
    Place at;
    std::optional<std::vector<std::string>> features;
    std::optional<Count> layers, layer_size;
    std::optional<Numbers<double>> mu, sigma;
    bool has_parameters = false;
    std::map<std::string, Numbers<float>, std::less<>> parameters;
};

/// Receives the parts of the file, one after the other.
class ModelHandler final : public formats::JsonEvents {
public:
    ModelHandler(formats::ByteStream& stream, std::string file)
        : file_(std::move(file)), scanner_(stream, *this, formats::LoneHalves::refused) {}

    formats::ScanEnd run() { return scanner_.run(); }

    formats::JsonWish begins(bool object) override {
        rooms_.push_back(object ? object_room() : list_room());
        return formats::JsonWish::take;
    }
    bool ends() override {
        if (room() == Room::row) {
            const std::size_t width = parameter_->values.size() - row_began_;
            if (parameter_->rows == 0) parameter_->width = width;
            if (parameter_->width != width)
                error(row_at_, path(),
                      "Row " + std::to_string(parameter_->rows + 1) + " of these weights has " + std::to_string(width) +
                          " numbers, the first " + std::to_string(parameter_->width) + '.',
                      "Give as many in each.");
            ++parameter_->rows;
        } else if (room() == Room::parameter) {
            parameter_->values.shrink_to_fit();
        }
        rooms_.pop_back();
        return true;
    }

    bool key(std::string_view text) override {
        if (!is_utf8(text)) return false;
        if (text.size() > limits::name_bytes)
            return stop("This name is longer than " + std::to_string(limits::name_bytes) + " bytes.", "Shorten it.");
        const auto twice = [&] {
            error(at(), drafts_.empty() ? std::string() : drafts_.back().name,
                  "The name " + formats::quoted(text) + " is used twice in one object.",
                  "Rename or remove one of them.");
        };
        if (room() == Room::root) {
            if (std::ranges::any_of(drafts_, [&](const ModelDraft& d) { return d.name == text; })) twice();
            drafts_.push_back({});
            if (drafts_.size() > limits::problems)
                return stop("There are more than " + std::to_string(limits::problems) + " networks.",
                            "Check that this is a file of networks.");
            draft().name = text;
            draft().at = at();
            key_.clear();
            seen_.clear();
        } else if (room() == Room::model) {
            if (std::ranges::find(seen_, text) != seen_.end()) twice();
            if (seen_.size() <= limits::problems) seen_.emplace_back(text);
            key_ = text;
        } else if (room() == Room::parameters) {
            key_ = text;
            if (draft().parameters.size() > limits::layers)
                return stop("There are more than " + std::to_string(limits::layers) + " parameters.",
                            "Check that this is a file of networks.");
            const auto added = draft().parameters.try_emplace(key_);
            if (!added.second) twice();
            parameter_ = &added.first->second;
            *parameter_ = {};
            parameter_->at = at();
        }
        return true;
    }

    bool text(std::string_view value) override {
        if (room() != Room::features) return other("a text");
        if (value.size() > limits::name_bytes || draft().features->size() >= limits::csv_columns)
            return stop("There are too many features, or their names are too long.",
                        "Give at most " + std::to_string(limits::csv_columns) + " names.");
        if (!is_utf8(value)) return false;
        draft().features->emplace_back(value);
        return true;
    }

    bool number(std::string_view written) override {
        constexpr double beyond = std::numeric_limits<double>::infinity();
        const char* end = written.data() + written.size();
        const auto no_finite = [&](const char* what) {
            error(at(), path(), what, "Write a finite number.");
            return true;
        };
        switch (room()) {
            case Room::statistics: {
                if (!counted()) return false;
                const double value = parse_decimal(written).value_or(beyond);
                if (!std::isfinite(value)) return no_finite("This is no number that the network can hold.");
                statistics_->values.push_back(value);
                return true;
            }
            case Room::parameter:
            case Room::row: {
                if (!counted()) return false;
                // Straight from the text: over a double it would be rounded twice.
                float single = 0.0f;
                if (std::from_chars(written.data(), end, single).ec != std::errc())
                    single = static_cast<float>(parse_decimal(written).value_or(beyond));
                if (!std::isfinite(single)) return no_finite("This is no number that the network can hold.");
                if (room() == Room::parameter && parameter_->nested)
                    return no_finite("A number stands beside lists of numbers here.");
                parameter_->values.push_back(single);
                return true;
            }
            case Room::model:
                if (key_ == "layers" || key_ == "layer_size") {
                    std::int64_t whole = -1;
                    const auto read = std::from_chars(written.data(), end, whole);
                    if (read.ec != std::errc() || read.ptr != end || whole < 0)
                        error(at(), path(), "This is no whole number from 0.", "Count the layers, and what is in one.");
                    else
                        (key_ == "layers" ? draft().layers : draft().layer_size) = Count{whole, at()};
                }
                return true;
            default: return other("a number");
        }
    }

    bool word(std::string_view written) override { return other(written == "null" ? "nothing" : "true or false"); }

    void error(Place at, std::string where, std::string what, std::string remedy) {
        problems_.error({file_, at.line, at.column}, std::move(where), std::move(what), std::move(remedy));
    }
    ProblemList& problems() { return problems_; }
    std::vector<ModelDraft>& drafts() { return drafts_; }
    bool stopped() const { return stopped_; }

private:
    /// What a list or an object of the file is.
    enum class Room { root, model, features, statistics, parameters, parameter, row, ignored };

    Room room() const { return rooms_.empty() ? Room::root : rooms_.back(); }
    Place at() const { return scanner_.began(); }
    Room object_room() {
        switch (room()) {
            case Room::root:
                if (rooms_.empty()) return Room::root;
                draft().at = at();
                return Room::model;
            case Room::model:
                if (key_ != "parameters") break;
                draft().has_parameters = true;
                return Room::parameters;
            case Room::statistics:
            case Room::parameters:
            case Room::parameter:
            case Room::row: return no_numbers("Write numbers.");
            case Room::features: other("an object"); break;
            case Room::ignored: break;
        }
        return Room::ignored;
    }

    Room list_room() {
        switch (room()) {
            case Room::root: other("a list"); break;
            case Room::model:
                if (key_ == "features") {
                    draft().features.emplace();
                    return Room::features;
                }
                if (key_ == "mu" || key_ == "sigma") {
                    auto& numbers = key_ == "mu" ? draft().mu : draft().sigma;
                    numbers.emplace();
                    numbers->at = at();
                    statistics_ = &*numbers;
                    return Room::statistics;
                }
                break;
            case Room::parameters: parameter_->at = at(); return Room::parameter;
            case Room::parameter:
                if (!parameter_->nested && !parameter_->values.empty())
                    return no_numbers("Write numbers, or lists of numbers, not both.");
                parameter_->nested = true;
                row_began_ = parameter_->values.size();
                row_at_ = at();
                return Room::row;
            case Room::statistics:
            case Room::row: return no_numbers("Write numbers.");
            case Room::features: other("a list"); break;
            case Room::ignored: break;
        }
        return Room::ignored;
    }

    bool stop(std::string what, std::string remedy) {
        error(at(), {}, std::move(what), std::move(remedy));
        stopped_ = true;
        return false;
    }

    /// What would be shown in messages must be text.
    bool is_utf8(std::string_view name) {
        if (formats::detail::first_bad_byte(name) == formats::detail::no_offset) return true;
        return stop("This byte is not UTF-8 text.", "Save the file as UTF-8; it may also be a binary file.");
    }
    /// A value that cannot stand in its place; said, and passed over.
    bool other(std::string_view found) {
        const Room here = room();
        if (here == Room::statistics || here == Room::parameter || here == Room::row || here == Room::parameters)
            error(at(), path(), "This is no number but " + std::string(found) + '.', "Write a finite number.");
        else if (here == Room::features)
            error(at(), path(), "This is no name but " + std::string(found) + '.', "Write names of features.");
        else if (rooms_.empty())
            error(at(), {}, "This is no file of networks.",
                  "Write an object with a network for each operation, such as \"conv2d\".");
        else if (here == Room::root)
            error(at(), drafts_.back().name, "This is no network but " + std::string(found) + '.',
                  "Write an object with its features, sizes and parameters.");
        return true;
    }

    bool counted() {
        if (++numbers_ <= limits::model_numbers) return true;
        return stop("The file holds more than " + std::to_string(limits::model_numbers) + " numbers.",
                    "Split it into files with fewer networks.");
    }

    ModelDraft& draft() { return drafts_.back(); }
    std::string path() const {
        return join_path(drafts_.empty() ? std::string_view() : std::string_view(drafts_.back().name), key_);
    }
    Room no_numbers(std::string remedy) {
        error(at(), path(), "This is no list of numbers.", std::move(remedy));
        return Room::ignored;
    }

    std::string file_;
    formats::JsonScanner scanner_;
    ProblemList problems_;
    std::vector<Room> rooms_;
    std::vector<ModelDraft> drafts_;
    std::vector<std::string> seen_;  ///< members of the object at hand, of the two outer kinds
    std::string key_;                ///< of the member at hand of a network, or of its parameters
    Place row_at_;
    Numbers<double>* statistics_ = nullptr;
    Numbers<float>* parameter_ = nullptr;
    std::size_t row_began_ = 0;
    std::size_t numbers_ = 0;
    bool stopped_ = false;
};

constexpr formats::StreamBounds model_bounds{limits::model_bytes, limits::name_bytes + (1u << 16),
                                             "reading the networks"};

/// Whether a list of `width` numbers, or `rows` of them if not 0, is there; said if not.
template <class T>
bool has_size(ModelHandler& in, const std::string& path, const Numbers<T>& numbers, std::size_t rows,
              std::size_t width) {
    const bool right = rows == 0 ? !numbers.nested && numbers.values.size() == width
                                 : numbers.nested && numbers.rows == rows && numbers.width == width;
    if (right) return true;
    in.error(numbers.at, path,
             rows == 0
                 ? "This is no list of " + std::to_string(width) + " numbers."
                 : "This is no list of " + std::to_string(rows) + " rows of " + std::to_string(width) + " weights.",
             rows == 0 ? "Give as many as there are." : "Give one row for each output, as wide as the inputs.");
    return false;
}

bool take_layer(ModelHandler& in, ModelDraft& draft, std::size_t l, std::size_t hidden, MlpLayer& layer) {
    for (const Parameter which : {Parameter::weight, Parameter::bias}) {
        const std::string name = parameter_name(l, hidden, which);
        const std::string path = join_path(join_path(draft.name, "parameters"), name);
        const auto found = draft.parameters.find(name);
        if (found == draft.parameters.end()) {
            in.error(draft.at, path, "The parameters " + name + " are missing.", "Add them.");
            return false;
        }
        if (!has_size(in, path, found->second, which == Parameter::weight ? layer.outputs : 0,
                      which == Parameter::weight ? layer.inputs : layer.outputs))
            return false;
        (which == Parameter::weight ? layer.weights : layer.bias) = std::move(found->second.values);
    }

    return true;
}

bool is_complete(ModelHandler& in, const ModelDraft& draft) {
    const auto missing = [&](bool there, const char* name) {
        if (!there)
            in.error(draft.at, draft.name, std::string("There is no usable \"") + name + "\" here.",
                     "Add it; a network has features, layers, layer_size, mu, sigma and parameters.");
        return !there;
    };
    if (missing(draft.features.has_value(), "features") || missing(draft.layers.has_value(), "layers") ||
        missing(draft.layer_size.has_value(), "layer_size") || missing(draft.mu.has_value(), "mu") ||
        missing(draft.sigma.has_value(), "sigma") || missing(draft.has_parameters, "parameters"))
        return false;
    if (draft.layers->value > most_hidden_layers || draft.layer_size->value > most_layer_width ||
        draft.layer_size->value < 1) {
        in.error(draft.layers->at, draft.name, "No network has so many layers, or so wide ones.",
                 "Give at most " + std::to_string(most_hidden_layers) + " layers of 1 to " +
                     std::to_string(most_layer_width) + '.');
        return false;
    }

    const std::size_t count = draft.features->size();
    if (count <= device_features) {
        in.error(draft.at, draft.name, "There are " + std::to_string(count) + " features.",
                 "Name the operation's own, then mem, mem_bw, num_sm and single.");
        return false;
    }

    if (!has_size(in, join_path(draft.name, "mu"), *draft.mu, 0, count) ||
        !has_size(in, join_path(draft.name, "sigma"), *draft.sigma, 0, count))
        return false;
    const auto& sigma = draft.sigma->values;
    if (std::ranges::any_of(sigma, [](double s) { return s <= 0.0; })) {
        in.error(draft.sigma->at, join_path(draft.name, "sigma"), "A standard deviation is not above 0.",
                 "Train the network with features that vary.");
        return false;
    }

    return true;
}

/// The network, its numbers moved out of the draft; nothing, and problems, if it is broken.
std::optional<Mlp> finished(ModelHandler& in, ModelDraft& draft) {
    if (!is_complete(in, draft)) return std::nullopt;
    const auto hidden = static_cast<std::size_t>(draft.layers->value);
    const auto width = static_cast<std::size_t>(draft.layer_size->value);
    Mlp mlp{std::move(*draft.features), std::move(draft.mu->values), std::move(draft.sigma->values), {}};
    for (std::size_t l = 0; l < hidden + 2; ++l) {
        MlpLayer layer{l == 0 ? mlp.features.size() : width, l > hidden ? 1 : width, {}, {}};
        if (!take_layer(in, draft, l, hidden, layer)) return std::nullopt;
        mlp.layers.push_back(std::move(layer));
    }

    return mlp;
}

/// Why the scan ended early, if nothing else has been said.
void say_what_stopped(ModelHandler& in, formats::ScanEnd end, const ByteStream& stream) {
    const bool behind = stream.at_end() && stream.column() > 1;
    const Place here{stream.offset(), stream.line(), stream.column() - (behind ? 1 : 0)};
    switch (stream.ended()) {
        case formats::StreamEnd::cancelled:
            return in.error(here, {}, "Reading was cancelled here.", "Read the file again.");
        case formats::StreamEnd::damaged:
            return in.error(here, {}, "The packed file is damaged, or cut off.", "Copy it again.");
        case formats::StreamEnd::too_long:
            return in.error(here, {}, "The file has more than " + std::to_string(limits::model_bytes >> 20) + " MiB.",
                            "Split it into files with fewer networks.");
        case formats::StreamEnd::token_too_long:
            return in.error(here, {}, "A text of the file is too long.", "Check that this is a file of networks.");
        case formats::StreamEnd::whole:
        case formats::StreamEnd::none: break;
    }

    if (end == formats::ScanEnd::too_deep)
        return in.error(here, {}, "Lists are more than " + std::to_string(limits::json_depth) + " inside each other.",
                        "Check that this is a file of networks.");
    if (stream.at_end() && stream.offset() == 0)
        return in.error(here, {}, "The file is empty.", "Choose a file of networks.");
    in.error(here, {}, "What begins here is no JSON, or the file is cut off.",
             "Check " + formats::quoted(stream.rest().substr(0, 20)) + ", or copy the file again.");
}

Result<MlpModels> read_model_stream(formats::ReadPiece read, std::uint64_t size, std::string file, const Watch& watch) {
    ByteStream stream(std::move(read), size, model_bounds, watch);
    ModelHandler handler(stream, std::move(file));
    const formats::ScanEnd end = handler.run();
    if ((end != formats::ScanEnd::whole || stream.ended() != formats::StreamEnd::whole) && !handler.stopped())
        say_what_stopped(handler, end, stream);
    MlpModels models;
    if (!handler.problems().has_errors())
        for (ModelDraft& draft : handler.drafts())
            if (auto mlp = finished(handler, draft)) models.emplace(draft.name, std::move(*mlp));
    if (handler.problems().has_errors()) return fail(handler.problems().take());
    return models;
}

}  // namespace

Result<MlpModels> read_mlp_models(const std::filesystem::path& path, const Watch& watch) {
    ASSIGN_OR_RETURN(auto window, FileWindow::open(path));
    const auto size = window.size();
    return read_model_stream(formats::pieces_of(window), size, path.string(), watch);
}

Result<MlpModels> parse_mlp_models(std::string_view text, std::string file, const Watch& watch) {
    return read_model_stream(formats::pieces_of(text), text.size(), std::move(file), watch);
}

}  // namespace scalescope::habitat
