// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/kineto/reader.hpp"

#include "core/base/decimal.hpp"
#include "core/base/file_window.hpp"
#include "core/base/limits.hpp"
#include "core/formats/byte_stream.hpp"
#include "core/formats/json_scanner.hpp"
#include "core/measure/kineto/event_sink.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace scalescope::kineto {

namespace {

using formats::ByteStream;
using formats::ReadPiece;
using formats::ScanEnd;
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

constexpr std::int64_t most_nanoseconds = 3'000'000'000'000'000'000;

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
    {"shared memory", &RawEvent::shared},
};

/// Receives the parts of the file, one after the other.
class TraceHandler final : public formats::JsonEvents {
public:
    TraceHandler() { places_.push_back(Place::outside); }

    formats::JsonWish begins(bool object) override;
    bool ends() override;
    bool key(std::string_view name) override {
        key_ = name;
        return true;
    }
    bool text(std::string_view value) override;
    bool number(std::string_view written) override;
    bool word(std::string_view) override { return true; }

    EventSink& sink() { return sink_; }
    bool has_events() const { return has_events_; }

private:
    Place inside(bool object) const;
    void event_number(std::string_view written);

    EventSink sink_;
    std::vector<Place> places_;
    std::string key_;
    RawEvent event_;
    DeviceProperties device_;
    std::size_t index_ = 0;  ///< in a grid or block
    bool unwanted_ = false;  ///< the event at hand is of a category that is not kept
    bool has_events_ = false;
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

formats::JsonWish TraceHandler::begins(bool object) {
    const Place place = inside(object);
    if (place == Place::ignored || (places_.back() == Place::event && unwanted_)) return formats::JsonWish::skip;
    places_.push_back(place);
    index_ = 0;
    if (place == Place::events) has_events_ = true;
    if (place == Place::event) {
        event_.clear();
        unwanted_ = false;
    }
    if (place == Place::device) device_ = {};
    if (place == Place::input_size && event_.inputs.sizes.size() < limits::trace_tensors)
        event_.inputs.sizes.emplace_back();
    return formats::JsonWish::take;
}

bool TraceHandler::ends() {
    const Place place = places_.back();
    places_.pop_back();
    if (place == Place::device && sink_.trace().devices.size() < limits::trace_tensors)
        sink_.trace().devices.push_back(device_);
    return place != Place::event || unwanted_ || sink_.add(event_);
}

/// Microseconds as they are written, without a detour over a double: there, a time of the day has no nanoseconds.
std::optional<std::int64_t> nanoseconds(std::string_view written) {
    std::int64_t digits = 0;
    int after = -1;  // digits after the point
    for (const char c : written) {
        if (c == '-') continue;
        if (c == 'e' || c == 'E') {
            const auto microseconds = parse_decimal(written);
            if (!microseconds || std::abs(*microseconds) * 1e3 > static_cast<double>(most_nanoseconds))
                return std::nullopt;
            return static_cast<std::int64_t>(std::llround(*microseconds * 1e3));
        }
        if (c < '0' || c > '9') {
            after = 0;
        } else if (after < 3) {
            if (digits > most_nanoseconds / 10) return std::nullopt;
            digits = digits * 10 + (c - '0');
            if (after >= 0) ++after;
        }
    }
    for (after = std::max(after, 0); after < 3; ++after) {
        if (digits > most_nanoseconds / 10) return std::nullopt;
        digits *= 10;
    }
    return written.starts_with('-') ? -digits : digits;
}

/// The whole part of a number, as near as 64 bits come.
std::int64_t whole_part(std::string_view written) {
    std::int64_t whole = 0;
    const auto read = std::from_chars(written.data(), written.data() + written.size(), whole);
    if (read.ec == std::errc() && read.ptr == written.data() + written.size()) return whole;
    const auto value = parse_decimal(written);
    constexpr double most = 9.2e18;
    return value ? static_cast<std::int64_t>(std::clamp(*value, -most, most)) : 0;
}

void TraceHandler::event_number(std::string_view written) {
    if (key_ == "ts") event_.begin = nanoseconds(written);
    if (key_ == "dur") event_.length = nanoseconds(written);
    if (key_ == "pid") event_.process = written;
    if (key_ == "tid") event_.thread = written;
}

bool TraceHandler::number(std::string_view written) {
    const auto v = [written] { return whole_part(written); };
    switch (places_.back()) {
        case Place::event:
            if (!unwanted_) event_number(written);
            break;
        case Place::arguments:
            for (const ArgumentKey& k : argument_keys)
                if (k.name == key_) event_.*k.place = v();
            break;
        case Place::grid:
        case Place::block:
            if (index_ < 3) (places_.back() == Place::grid ? event_.grid : event_.block)[index_++] = v();
            break;
        case Place::input_sizes:
            if (event_.inputs.sizes.size() < limits::trace_tensors) event_.inputs.sizes.emplace_back();
            break;
        case Place::input_size:
            if (auto& sizes = event_.inputs.sizes.back(); sizes.size() < static_cast<std::size_t>(limits::rank))
                sizes.push_back(v());
            break;
        case Place::device:
            for (const DeviceKey& k : device_keys)
                if (k.name == key_) device_.*k.place = std::max<std::int64_t>(v(), 0);
            if (key_ == "computeMajor")
                device_.capability.major = static_cast<int>(std::clamp<std::int64_t>(v(), 0, 99));
            if (key_ == "computeMinor")
                device_.capability.minor = static_cast<int>(std::clamp<std::int64_t>(v(), 0, 9));
            break;
        case Place::distributed:
            if (key_ == "rank") sink_.trace().rank = v();
            if (key_ == "world_size") sink_.trace().world_size = v();
            break;
        default: break;
    }
    return true;
}

bool TraceHandler::text(std::string_view value) {
    switch (places_.back()) {
        case Place::event:
            if (unwanted_) break;
            if (key_ == "ph") event_.phase = value;
            if (key_ == "cat") {
                event_.category = value;
                unwanted_ = !EventSink::keeps(value);
            }
            if (key_ == "name") event_.name = value;
            if (key_ == "pid") event_.process = value;
            if (key_ == "tid") event_.thread = value;
            break;
        case Place::device:
            if (key_ == "name") device_.name = value.substr(0, limits::name_bytes);
            break;
        case Place::input_values:
            if (event_.inputs.values.size() < limits::trace_tensors)
                event_.inputs.values.emplace_back(value.substr(0, limits::name_bytes));
            break;
        case Place::input_sizes:  // an input that is no tensor
            if (event_.inputs.sizes.size() < limits::trace_tensors) event_.inputs.sizes.emplace_back();
            break;
        default: break;
    }
    return true;
}

Problem trace_problem(const std::string& file, int line, std::string what, std::string remedy) {
    return make_error(std::move(what), std::move(remedy), {file, line, 0});
}

constexpr std::string_view how_to_record =
    "Record one with torch.profiler (activities CPU and CUDA) and its export_chrome_trace.";

/// Why the parser stopped.
Problem what_stopped(const std::string& file, const ByteStream& stream, ScanEnd end, const std::string& too_much) {
    const int line = stream.line();
    if (end == ScanEnd::refused) return trace_problem(file, line, too_much, "Record fewer steps.");
    const std::string place = " (byte " + std::to_string(stream.offset()) + (stream.packed() ? ", unpacked)" : ")");
    switch (stream.ended()) {
        case StreamEnd::cancelled: return trace_problem(file, line, "Reading was cancelled.", "Read the file again.");
        case StreamEnd::damaged:
            return trace_problem(file, line, "The packed file is damaged, or cut off" + place + ".",
                                 "Copy or record it again.");
        case StreamEnd::too_long:
            return trace_problem(
                file, line, "The trace has more than " + std::to_string(limits::trace_bytes >> 20) + " MiB of text.",
                "Record fewer steps.");
        case StreamEnd::token_too_long:
            return trace_problem(file, line,
                                 "A text of the trace is longer than " +
                                     std::to_string(limits::trace_token_bytes >> 20) + " MiB" + place + ".",
                                 "Check that this is a trace.");
        case StreamEnd::whole:
            if (end != ScanEnd::cut_off) break;
            return trace_problem(file, line, "The trace is cut off" + place + ".", "Copy or record it again.");
        case StreamEnd::none: break;
    }
    if (end == ScanEnd::too_deep)
        return trace_problem(file, line,
                             "Lists are more than " + std::to_string(limits::json_depth) + " inside each other.",
                             "Check that this is a trace.");
    return trace_problem(file, line, "This is no JSON" + place + ".", std::string(how_to_record));
}

}  // namespace

Result<Trace> read_trace(ReadPiece read, std::uint64_t size, std::string file, const Watch& watch) {
    ByteStream stream(std::move(read), size, trace_bounds, watch);
    TraceHandler handler;
    const ScanEnd end = formats::JsonScanner(stream, handler).run();
    EventSink& sink = handler.sink();
    if (end != ScanEnd::whole || stream.ended() != StreamEnd::whole)
        return fail(what_stopped(file, stream, end, sink.problem()));
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
        trace.warnings.push_back(make_warning(std::to_string(sink.skipped()) + " events have no time or no duration.",
                                              "They are left out; record the trace again if they are many.",
                                              {trace.file, 0, 0}));
    return trace;
}

Result<Trace> read_trace(const std::filesystem::path& path, const Watch& watch) {
    ASSIGN_OR_RETURN(auto window, FileWindow::open(path));
    const auto size = window.size();
    return read_trace(formats::pieces_of(window), size, path.string(), watch);
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
    return reads_as_trace(beginning_of(formats::pieces_of(*window), size));
}

bool is_trace(std::string_view beginning) {
    return reads_as_trace(beginning_of(formats::pieces_of(beginning), beginning.size()));
}

Result<Trace> parse_trace(std::string_view bytes, std::string file, const Watch& watch) {
    return read_trace(formats::pieces_of(bytes), bytes.size(), std::move(file), watch);
}

}  // namespace scalescope::kineto
