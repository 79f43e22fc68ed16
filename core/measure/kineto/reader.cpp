// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/kineto/reader.hpp"

#include "core/base/file_window.hpp"
#include "core/base/limits.hpp"
#include "core/formats/byte_stream.hpp"
#include "core/measure/kineto/event_sink.hpp"

#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

namespace scalescope::kineto {

namespace {

using Json = nlohmann::json;
using formats::ByteStream;
using formats::CharIterator;
using formats::ReadPiece;
using formats::StreamEnd;

constexpr formats::StreamBounds trace_bounds{limits::trace_bytes, limits::trace_token_bytes, "reading the trace"};

/// What a list or an object of the file is.
enum class Place {
    outside,
    root,
    distributed,
    devices,
    device,
    events,
    event,
    arguments,
    grid,
    block,
    input_sizes,
    input_size,
    input_values,
    ignored
};

constexpr double most_nanoseconds = 3e18;

/// The figures of a device under the names that the file has for them.
struct DeviceKey {
    std::string_view name;
    std::int64_t DeviceProperties::*place;
};
constexpr DeviceKey device_keys[] = {
    {"id", &DeviceProperties::id},
    {"totalGlobalMem", &DeviceProperties::memory},
    {"maxThreadsPerBlock", &DeviceProperties::threads_per_block},
    {"maxThreadsPerMultiprocessor", &DeviceProperties::threads_per_processor},
    {"regsPerBlock", &DeviceProperties::registers_per_block},
    {"regsPerMultiprocessor", &DeviceProperties::registers_per_processor},
    {"warpSize", &DeviceProperties::warp_size},
    {"sharedMemPerBlock", &DeviceProperties::shared_per_block},
    {"sharedMemPerMultiprocessor", &DeviceProperties::shared_per_processor},
    {"sharedMemPerBlockOptin", &DeviceProperties::shared_per_block_optin},
    {"numSms", &DeviceProperties::processors},
};

struct ArgumentKey {
    std::string_view name;
    std::int64_t RawEvent::*place;
};
constexpr ArgumentKey argument_keys[] = {
    {"External id", &RawEvent::external_id}, {"external id", &RawEvent::external_id},
    {"correlation", &RawEvent::correlation}, {"stream", &RawEvent::stream},
    {"device", &RawEvent::device},           {"registers per thread", &RawEvent::registers},
    {"shared memory", &RawEvent::shared},    {"bytes", &RawEvent::bytes},
};

/// Receives the parser's events, one after the other.
class TraceHandler : public Json::json_sax_t {
public:
    explicit TraceHandler(ByteStream& stream) : stream_(stream) { places_.push_back(Place::outside); }

    bool null() override { return understood(); }
    bool boolean(bool) override { return understood(); }
    bool number_integer(number_integer_t v) override { return number(v, static_cast<double>(v)); }
    bool number_unsigned(number_unsigned_t v) override {
        constexpr auto most = static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max());
        return number(static_cast<std::int64_t>(std::min(v, most)), static_cast<double>(v));
    }
    bool number_float(number_float_t v, const string_t& text) override {
        decimal_ = text;
        const bool sane = std::isfinite(v) && std::abs(v) < most_nanoseconds;
        const bool goes_on = number(sane ? static_cast<std::int64_t>(v) : 0, v);
        decimal_ = {};
        return goes_on;
    }
    bool string(string_t& text) override;
    bool binary(binary_t&) override { return understood(); }
    bool start_object(std::size_t) override { return enter(true); }
    bool start_array(std::size_t) override { return enter(false); }
    bool key(string_t& text) override {
        key_ = text;
        return understood();
    }
    bool end_object() override;
    bool end_array() override;
    bool parse_error(std::size_t, const std::string& token, const Json::exception&) override {
        last_token_ = token;
        return false;
    }

    EventSink& sink() { return sink_; }
    bool has_events() const { return has_events_; }
    bool too_deep() const { return too_deep_; }
    /// The parser wanted more where the file has no more; else it met something that does not belong there.
    bool wants_more() const { return last_token_.empty() || places_.size() > 1; }

private:
    bool understood() {
        stream_.token_understood();
        return true;
    }
    Place inside(bool object) const;
    bool enter(bool object);
    bool number(std::int64_t v, double exact);
    std::optional<std::int64_t> nanoseconds(std::int64_t whole, double microseconds) const;
    void event_number(std::int64_t v, double exact);

    ByteStream& stream_;
    EventSink sink_;
    std::vector<Place> places_;
    std::string key_;
    std::string_view decimal_;  ///< of the number at hand, as it is written
    RawEvent event_;
    DeviceProperties device_;
    std::size_t index_ = 0;  ///< in a grid or block
    bool has_events_ = false, too_deep_ = false;
    std::string last_token_;
};

/// What begins here.
Place TraceHandler::inside(bool object) const {
    switch (places_.back()) {
        case Place::outside: return object ? Place::root : Place::events;  // Chrome takes a mere list of events, too
        case Place::root:
            if (object) return key_ == "distributedInfo" ? Place::distributed : Place::ignored;
            if (key_ == "traceEvents") return Place::events;
            return key_ == "deviceProperties" ? Place::devices : Place::ignored;
        case Place::devices: return object ? Place::device : Place::ignored;
        case Place::events: return object ? Place::event : Place::ignored;
        case Place::event: return object && key_ == "args" ? Place::arguments : Place::ignored;
        case Place::arguments:
            if (object) return Place::ignored;
            if (key_ == "grid") return Place::grid;
            if (key_ == "block") return Place::block;
            if (key_ == "Input Dims") return Place::input_sizes;
            return key_ == "Concrete Inputs" ? Place::input_values : Place::ignored;
        case Place::input_sizes: return object ? Place::ignored : Place::input_size;
        default: return Place::ignored;
    }
}

bool TraceHandler::enter(bool object) {
    if (places_.size() > static_cast<std::size_t>(limits::json_depth)) {
        too_deep_ = true;
        return false;
    }
    const Place place = inside(object);
    places_.push_back(place);
    index_ = 0;
    if (place == Place::events) has_events_ = true;
    if (place == Place::event) event_.clear();
    if (place == Place::device) device_ = {};
    if (place == Place::input_size && event_.inputs.sizes.size() < limits::trace_tensors)
        event_.inputs.sizes.emplace_back();
    return understood();
}

bool TraceHandler::end_object() {
    const Place place = places_.back();
    places_.pop_back();
    if (place == Place::device && sink_.trace().devices.size() < limits::trace_tensors)
        sink_.trace().devices.push_back(device_);
    if (place == Place::event && !sink_.add(event_)) return false;
    return understood();
}

bool TraceHandler::end_array() {
    places_.pop_back();
    return understood();
}

/// Microseconds as they are written, without a detour over a double: there, a time of the day has no nanoseconds.
std::optional<std::int64_t> TraceHandler::nanoseconds(std::int64_t whole, double microseconds) const {
    if (!std::isfinite(microseconds) || std::abs(microseconds) * 1e3 > most_nanoseconds) return std::nullopt;
    if (decimal_.empty()) return whole * 1000;
    std::int64_t digits = 0;
    int after = -1;  // digits after the point
    for (const char c : decimal_) {
        if (c == '-') continue;
        if (c == 'e' || c == 'E' || c == '+') return static_cast<std::int64_t>(std::llround(microseconds * 1e3));
        if (c < '0' || c > '9') {
            after = 0;
        } else if (after < 3) {
            if (digits > static_cast<std::int64_t>(most_nanoseconds) / 10) return std::nullopt;
            digits = digits * 10 + (c - '0');
            if (after >= 0) ++after;
        }
    }
    for (after = std::max(after, 0); after < 3; ++after) digits *= 10;
    return std::signbit(microseconds) ? -digits : digits;
}

void TraceHandler::event_number(std::int64_t v, double exact) {
    if (key_ == "ts") event_.begin = nanoseconds(v, exact);
    if (key_ == "dur") event_.length = nanoseconds(v, exact);
    if (key_ == "pid") event_.process = std::to_string(v);
    if (key_ == "tid") event_.thread = std::to_string(v);
}

bool TraceHandler::number(std::int64_t v, double exact) {
    switch (places_.back()) {
        case Place::event: event_number(v, exact); break;
        case Place::arguments:
            for (const ArgumentKey& k : argument_keys)
                if (k.name == key_) event_.*k.place = v;
            break;
        case Place::grid:
        case Place::block:
            if (index_ < 3) (places_.back() == Place::grid ? event_.grid : event_.block)[index_++] = v;
            break;
        case Place::input_sizes:
            if (event_.inputs.sizes.size() < limits::trace_tensors) event_.inputs.sizes.emplace_back();
            break;
        case Place::input_size:
            if (auto& sizes = event_.inputs.sizes.back(); sizes.size() < static_cast<std::size_t>(limits::rank))
                sizes.push_back(v);
            break;
        case Place::device:
            for (const DeviceKey& k : device_keys)
                if (k.name == key_) device_.*k.place = std::max<std::int64_t>(v, 0);
            if (key_ == "computeMajor") device_.capability.major = static_cast<int>(std::clamp<std::int64_t>(v, 0, 99));
            if (key_ == "computeMinor") device_.capability.minor = static_cast<int>(std::clamp<std::int64_t>(v, 0, 9));
            break;
        case Place::distributed:
            if (key_ == "rank") sink_.trace().rank = v;
            if (key_ == "world_size") sink_.trace().world_size = v;
            break;
        default: break;
    }
    return understood();
}

bool TraceHandler::string(string_t& text) {
    switch (places_.back()) {
        case Place::event:
            if (key_ == "ph") event_.phase = text;
            if (key_ == "cat") event_.category = text;
            if (key_ == "name") event_.name = text;
            if (key_ == "pid") event_.process = text;
            if (key_ == "tid") event_.thread = text;
            break;
        case Place::device:
            if (key_ == "name") device_.name = text.substr(0, limits::name_bytes);
            break;
        case Place::input_values:
            if (event_.inputs.values.size() < limits::trace_tensors)
                event_.inputs.values.push_back(text.substr(0, limits::name_bytes));
            break;
        case Place::input_sizes:  // an input that is no tensor
            if (event_.inputs.sizes.size() < limits::trace_tensors) event_.inputs.sizes.emplace_back();
            break;
        default: break;
    }
    return understood();
}

Problem trace_problem(const std::string& file, int line, std::string what, std::string remedy) {
    return {Severity::error, std::move(what), {}, std::move(remedy), {file, line, 0}};
}

constexpr std::string_view how_to_record =
    "Record one with torch.profiler (activities CPU and CUDA) and its export_chrome_trace.";

/// Why the parser stopped.
Problem what_stopped(const std::string& file, const ByteStream& stream, const TraceHandler& handler,
                     const std::string& too_much) {
    const int line = stream.line();
    const std::string place = " (byte " + std::to_string(stream.offset()) + (stream.packed() ? ", unpacked)" : ")");
    switch (stream.ended()) {
        case StreamEnd::cancelled: return trace_problem(file, line, "Reading was cancelled.", "Read the file again.");
        case StreamEnd::damaged:
            return trace_problem(file, line, "The packed file is damaged, or cut off" + place + ".",
                                 "Copy or record it again.");
        case StreamEnd::too_long:
            return trace_problem(file, line,
                                 "The trace has more than " + std::to_string(limits::trace_bytes >> 30) + " GiB.",
                                 "Record fewer steps.");
        case StreamEnd::token_too_long:
            return trace_problem(file, line,
                                 "A text of the trace is longer than " +
                                     std::to_string(limits::trace_token_bytes >> 20) + " MiB" + place + ".",
                                 "Check that this is a trace.");
        case StreamEnd::whole:
            if (!handler.wants_more()) break;
            return trace_problem(file, line, "The trace is cut off" + place + ".", "Copy or record it again.");
        case StreamEnd::none: break;
    }
    if (!too_much.empty()) return trace_problem(file, line, too_much, "Record fewer steps.");
    if (handler.too_deep())
        return trace_problem(file, line,
                             "Lists are more than " + std::to_string(limits::json_depth) + " inside each other.",
                             "Check that this is a trace.");
    return trace_problem(file, line, "This is no JSON" + place + ".", std::string(how_to_record));
}

Result<Trace> read_stream(ReadPiece read, std::uint64_t size, std::string file, const Watch& watch) {
    ByteStream stream(std::move(read), size, trace_bounds, watch);
    TraceHandler handler(stream);
    const bool whole = Json::sax_parse(CharIterator(stream), CharIterator(), &handler);
    EventSink& sink = handler.sink();
    if (!whole || stream.ended() != StreamEnd::whole) return fail(what_stopped(file, stream, handler, sink.problem()));
    if (!handler.has_events())
        return fail(trace_problem(file, 1, "This is no profiler trace: it has no \"traceEvents\".",
                                  std::string(how_to_record)));
    sink.finish();
    Trace trace = std::move(sink.trace());
    trace.file = std::move(file);
    if (trace.kernels.empty())
        return fail(trace_problem(trace.file, 1, "The trace has no kernels of a GPU.",
                                  "Record it with ProfilerActivity.CUDA."));
    if (sink.skipped() > 0)
        trace.warnings.push_back({Severity::warning,
                                  std::to_string(sink.skipped()) + " events have no time or no duration.",
                                  {},
                                  "They are left out; record the trace again if they are many.",
                                  {trace.file, 0, 0}});
    return trace;
}

}  // namespace

Result<Trace> read_trace(const std::filesystem::path& path, const Watch& watch) {
    auto window = FileWindow::open(path);
    if (!window) return fail(window.error());
    const auto size = window->size();
    return read_stream([&window](std::uint64_t offset, std::size_t count) { return window->at(offset, count); }, size,
                       path.string(), watch);
}

namespace {

constexpr std::size_t beginning_bytes = 64 * 1024;

std::string beginning_of(ReadPiece read, std::uint64_t size) {
    const Watch nobody;
    ByteStream stream(std::move(read), size, trace_bounds, nobody);
    std::string text;
    while (!stream.at_end() && text.size() < beginning_bytes) {
        text += stream.current();
        stream.token_understood();
        stream.advance();
    }
    return text;
}

bool reads_as_trace(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    if (first == std::string_view::npos || (text[first] != '{' && text[first] != '[')) return false;
    const auto names = [text](std::string_view key) { return text.find(key) != std::string_view::npos; };
    return names("\"traceEvents\"") || names("\"deviceProperties\"") || (names("\"ph\"") && names("\"ts\""));
}

}  // namespace

bool is_trace_file(const std::filesystem::path& path) {
    auto window = FileWindow::open(path);
    if (!window) return false;
    const auto size = window->size();
    return reads_as_trace(
        beginning_of([&window](std::uint64_t offset, std::size_t count) { return window->at(offset, count); }, size));
}

bool is_trace(std::string_view beginning) {
    return reads_as_trace(beginning_of(
        [beginning](std::uint64_t offset, std::size_t count) {
            return beginning.substr(static_cast<std::size_t>(std::min<std::uint64_t>(offset, beginning.size())), count);
        },
        beginning.size()));
}

Result<Trace> parse_trace(std::string_view bytes, std::string file, const Watch& watch) {
    return read_stream(
        [bytes](std::uint64_t offset, std::size_t count) {
            return bytes.substr(static_cast<std::size_t>(std::min<std::uint64_t>(offset, bytes.size())), count);
        },
        bytes.size(), std::move(file), watch);
}

}  // namespace scalescope::kineto
