// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/limits.hpp"
#include "core/formats/byte_stream.hpp"
#include "core/formats/json_decoder.hpp"

/// Networks as a file has them, filled in from the stream; mlp_reader.cpp makes networks of them.
namespace scalescope::habitat::drafts {

using formats::ByteStream;
using formats::CharIterator;
using formats::join_path;
using formats::ProblemList;
using ModelJson = nlohmann::json;

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

}  // namespace scalescope::habitat::drafts
