// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/limits.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/formats/json_scanner.hpp"

/// Networks as a file has them, filled in from the stream; mlp_reader.cpp makes networks of them.
namespace scalescope::habitat::drafts {

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

    formats::JsonWish begins(bool object) override;
    bool ends() override;
    bool key(std::string_view name) override;
    bool text(std::string_view value) override;
    bool number(std::string_view written) override;
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
    Room object_room();
    Room list_room();
    bool stop(std::string what, std::string remedy) {
        error(at(), {}, std::move(what), std::move(remedy));
        stopped_ = true;
        return false;
    }
    bool is_utf8(std::string_view name);
    /// A value that cannot stand in its place; said, and passed over.
    bool other(std::string_view found);
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

}  // namespace scalescope::habitat::drafts
