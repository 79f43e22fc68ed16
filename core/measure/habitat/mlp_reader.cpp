// SPDX-License-Identifier: GPL-3.0-or-later
// Reads files of networks as a stream: a full-size one has millions of numbers, far more than a JsonDocument holds.
#include "core/base/file_window.hpp"
#include "core/base/limits.hpp"
#include "core/formats/byte_stream.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/measure/habitat/mlp_json.hpp"
#include "core/measure/habitat/mlp_names.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include <nlohmann/json.hpp>

namespace scalescope::habitat {

namespace {

using formats::ByteStream;
using formats::CharIterator;
using formats::join_path;
using formats::ProblemList;
using ModelJson = nlohmann::json;

constexpr formats::StreamBounds model_bounds{limits::model_bytes, limits::name_bytes + (1u << 16),
                                             "reading the networks"};

/// Line and column, both from 1.
struct Place {
    int line = 1, column = 1;
};

/// What the parser reads from; notes where each token begins. Parsers read one character beyond a number.
class MarkedIterator {
public:
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = char;
    using iterator_category = std::input_iterator_tag;

    /// Where the token at hand begins.
    struct Mark {
        Place at;
        bool awaits = true;
    };

    MarkedIterator() = default;
    MarkedIterator(ByteStream& stream, Mark& mark) : stream_(&stream), base_(stream), mark_(&mark) {}
    char operator*() const {
        const char c = *base_;
        if (mark_->awaits && c != ' ' && c != '\n' && c != ',' && c != ':' && c != '\t' && c != '\r') {
            mark_->at = {stream_->line(), stream_->column()};
            mark_->awaits = false;
        }
        return c;
    }
    MarkedIterator& operator++() {
        ++base_;
        return *this;
    }
    void operator++(int) { ++base_; }
    bool operator==(const MarkedIterator& other) const { return base_ == other.base_; }
    bool operator!=(const MarkedIterator& other) const { return base_ != other.base_; }

private:
    ByteStream* stream_ = nullptr;
    CharIterator base_;
    Mark* mark_ = nullptr;
};

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

/// Receives the parser's events, one after the other.
class ModelHandler : public ModelJson::json_sax_t {
public:
    ModelHandler(ByteStream& stream, MarkedIterator::Mark& mark, std::string file)
        : stream_(stream), mark_(mark), file_(std::move(file)) {}

    bool null() override { return other("nothing"); }
    bool boolean(bool) override { return other("true or false"); }
    bool number_integer(number_integer_t v) override { return number(static_cast<double>(v), v, {}); }
    bool number_unsigned(number_unsigned_t v) override {
        if (std::in_range<std::int64_t>(v)) return number_integer(static_cast<std::int64_t>(v));
        return number(static_cast<double>(v), std::nullopt, {});
    }
    bool number_float(number_float_t v, const string_t& text) override { return number(v, std::nullopt, text); }
    bool string(string_t& text) override;
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override;
    bool end_object() override { return leave(); }
    bool start_array(std::size_t) override;
    bool end_array() override;
    bool key(string_t& text) override;
    bool parse_error(std::size_t, const std::string& token, const ModelJson::exception&) override {
        last_token_ = token;
        return false;
    }

    void error(Place at, std::string where, std::string what, std::string remedy) {
        problems_.error({file_, at.line, at.column}, std::move(where), std::move(what), std::move(remedy));
    }
    ProblemList& problems() { return problems_; }
    std::vector<ModelDraft>& drafts() { return drafts_; }
    bool stopped() const { return stopped_; }
    const std::string& last_token() const { return last_token_; }
    /// Of the token at hand; after a number the character behind it, which is read with it.
    Place at() const {
        return mark_.awaits && stream_.column() > 1 ? Place{stream_.line(), stream_.column() - 1} : mark_.at;
    }

private:
    /// What a list or an object of the file is.
    enum class Room { root, model, features, statistics, parameters, parameter, row, ignored };

    Room room() const { return rooms_.empty() ? Room::root : rooms_.back(); }
    bool understood() {
        stream_.token_understood();
        mark_.awaits = true;
        return !stopped_;
    }
    bool enter(Room room) {
        if (rooms_.size() >= static_cast<std::size_t>(limits::json_depth))
            return stop("Lists are more than " + std::to_string(limits::json_depth) + " inside each other.",
                        "Check that this is a file of networks.");
        rooms_.push_back(room);
        return understood();
    }
    bool leave() {
        rooms_.pop_back();
        return understood();
    }
    bool stop(std::string what, std::string remedy) {
        error(mark_.at, {}, std::move(what), std::move(remedy));
        stopped_ = true;
        return false;
    }
    /// A value that cannot stand in its place; said, and passed over.
    bool other(std::string_view found);
    bool number(double value, std::optional<std::int64_t> whole, const std::string& text);
    bool counted() {
        if (++numbers_ <= limits::model_numbers) return true;
        return stop("The file holds more than " + std::to_string(limits::model_numbers) + " numbers.",
                    "Split it into files with fewer networks.");
    }
    ModelDraft& draft() { return drafts_.back(); }
    std::string path() const {
        return join_path(drafts_.empty() ? std::string_view() : std::string_view(drafts_.back().name), key_);
    }
    bool no_numbers(std::string remedy) {
        error(mark_.at, path(), "This is no list of numbers.", std::move(remedy));
        return enter(Room::ignored);
    }

    ByteStream& stream_;
    MarkedIterator::Mark& mark_;
    std::string file_;
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
    std::string last_token_;
};

bool ModelHandler::key(string_t& text) {
    if (text.size() > limits::name_bytes)
        return stop("This name is longer than " + std::to_string(limits::name_bytes) + " bytes.", "Shorten it.");
    const auto twice = [&] {
        error(mark_.at, drafts_.empty() ? std::string() : drafts_.back().name,
              "The name " + formats::quoted(text) + " is used twice in one object.", "Rename or remove one of them.");
    };
    if (room() == Room::root) {
        if (std::any_of(drafts_.begin(), drafts_.end(), [&](const ModelDraft& d) { return d.name == text; })) twice();
        drafts_.push_back({});
        if (drafts_.size() > limits::problems)
            return stop("There are more than " + std::to_string(limits::problems) + " networks.",
                        "Check that this is a file of networks.");
        draft().name = text;
        draft().at = mark_.at;
        key_.clear();
        seen_.clear();
    } else if (room() == Room::model) {
        if (std::find(seen_.begin(), seen_.end(), text) != seen_.end()) twice();
        if (seen_.size() <= limits::problems) seen_.push_back(text);
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
        parameter_->at = mark_.at;
    }
    return understood();
}

bool ModelHandler::other(std::string_view found) {
    const Room here = room();
    if (here == Room::statistics || here == Room::parameter || here == Room::row || here == Room::parameters)
        error(mark_.at, path(), "This is no number but " + std::string(found) + '.', "Write a finite number.");
    else if (here == Room::features)
        error(mark_.at, path(), "This is no name but " + std::string(found) + '.', "Write names of features.");
    else if (rooms_.empty())
        error(mark_.at, {}, "This is no file of networks.",
              "Write an object with a network for each operation, such as \"conv2d\".");
    else if (here == Room::root)
        error(mark_.at, drafts_.back().name, "This is no network but " + std::string(found) + '.',
              "Write an object with its features, sizes and parameters.");
    return understood();
}

bool ModelHandler::string(string_t& text) {
    if (room() == Room::features) {
        if (text.size() > limits::name_bytes || draft().features->size() >= limits::csv_columns)
            return stop("There are too many features, or their names are too long.",
                        "Give at most " + std::to_string(limits::csv_columns) + " names.");
        draft().features->push_back(text);
        return understood();
    }
    return other("a text");
}

bool ModelHandler::number(double value, std::optional<std::int64_t> whole, const std::string& text) {
    const auto no_finite = [&](const char* what) {
        error(mark_.at, path(), what, "Write a finite number.");
        return understood();
    };
    switch (room()) {
        case Room::statistics:
            if (!counted()) return false;
            if (!std::isfinite(value)) return no_finite("This is no number that the network can hold.");
            statistics_->values.push_back(value);
            return understood();
        case Room::parameter:
        case Room::row: {
            if (!counted()) return false;
            // Straight from the text: over a double it would be rounded twice.
            auto single = static_cast<float>(value);
            if (!text.empty()) {
                float read = 0.0f;
                const auto result = std::from_chars(text.data(), text.data() + text.size(), read);
                if (result.ec == std::errc()) single = read;
            }
            if (!std::isfinite(single)) return no_finite("This is no number that the network can hold.");
            if (room() == Room::parameter && parameter_->nested)
                return no_finite("A number stands beside lists of numbers here.");
            parameter_->values.push_back(single);
            return understood();
        }
        case Room::model:
            if (key_ == "layers" || key_ == "layer_size") {
                if (!whole || *whole < 0)
                    error(mark_.at, path(), "This is no whole number from 0.", "Count the layers, and what is in one.");
                else
                    (key_ == "layers" ? draft().layers : draft().layer_size) = Count{*whole, mark_.at};
            }
            return understood();
        default: return other("a number");
    }
}

bool ModelHandler::start_object(std::size_t) {
    switch (room()) {
        case Room::root:
            if (rooms_.empty()) return enter(Room::root);
            draft().at = mark_.at;
            return enter(Room::model);
        case Room::model:
            if (key_ != "parameters") break;
            draft().has_parameters = true;
            return enter(Room::parameters);
        case Room::statistics:
        case Room::parameters:
        case Room::parameter:
        case Room::row: return no_numbers("Write numbers.");
        case Room::features: other("an object"); break;
        case Room::ignored: break;
    }
    return enter(Room::ignored);
}

bool ModelHandler::start_array(std::size_t) {
    switch (room()) {
        case Room::root: other("a list"); break;
        case Room::model:
            if (key_ == "features") {
                draft().features.emplace();
                return enter(Room::features);
            }
            if (key_ == "mu" || key_ == "sigma") {
                auto& numbers = key_ == "mu" ? draft().mu : draft().sigma;
                numbers.emplace();
                numbers->at = mark_.at;
                statistics_ = &*numbers;
                return enter(Room::statistics);
            }
            break;
        case Room::parameters: parameter_->at = mark_.at; return enter(Room::parameter);
        case Room::parameter:
            if (!parameter_->nested && !parameter_->values.empty())
                return no_numbers("Write numbers, or lists of numbers, not both.");
            parameter_->nested = true;
            row_began_ = parameter_->values.size();
            row_at_ = mark_.at;
            return enter(Room::row);
        case Room::statistics:
        case Room::row: return no_numbers("Write numbers.");
        case Room::features: other("a list"); break;
        case Room::ignored: break;
    }
    return enter(Room::ignored);
}

bool ModelHandler::end_array() {
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
    return leave();
}

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
    if (std::any_of(sigma.begin(), sigma.end(), [](double s) { return s <= 0.0; })) {
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

/// Why the parser stopped, if nothing else has been said.
void say_what_stopped(ModelHandler& in, const ByteStream& stream) {
    const Place here = in.at();
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
    if (stream.ended() == formats::StreamEnd::whole && stream.at_end() && stream.offset() == 0)
        return in.error(here, {}, "The file is empty.", "Choose a file of networks.");
    in.error(here, {}, "What begins here is no JSON, or the file is cut off.",
             "Check " + formats::quoted(in.last_token()) + ", or copy the file again.");
}

Result<MlpModels> read_model_stream(formats::ReadPiece read, std::uint64_t size, std::string file, const Watch& watch) {
    ByteStream stream(std::move(read), size, model_bounds, watch);
    MarkedIterator::Mark mark;
    ModelHandler handler(stream, mark, std::move(file));
    const bool whole = ModelJson::sax_parse(MarkedIterator(stream, mark), MarkedIterator(), &handler);
    if ((!whole || stream.ended() != formats::StreamEnd::whole) && !handler.stopped())
        say_what_stopped(handler, stream);
    MlpModels models;
    if (!handler.problems().has_errors())
        for (ModelDraft& draft : handler.drafts())
            if (auto mlp = finished(handler, draft)) models.emplace(draft.name, std::move(*mlp));
    if (handler.problems().has_errors()) return fail(handler.problems().take());
    return models;
}

}  // namespace

Result<MlpModels> read_mlp_models(const std::filesystem::path& path, const Watch& watch) {
    auto window = FileWindow::open(path);
    if (!window) return fail(window.error());
    const auto size = window->size();
    return read_model_stream([&window](std::uint64_t offset, std::size_t count) { return window->at(offset, count); },
                             size, path.string(), watch);
}

Result<MlpModels> parse_mlp_models(std::string_view text, std::string file, const Watch& watch) {
    return read_model_stream(
        [text](std::uint64_t offset, std::size_t count) {
            return text.substr(static_cast<std::size_t>(std::min<std::uint64_t>(offset, text.size())), count);
        },
        text.size(), std::move(file), watch);
}

}  // namespace scalescope::habitat
