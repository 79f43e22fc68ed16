// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/formats/byte_stream.hpp"

namespace scalescope::formats {

/// What to do with an object or a list: pass its parts on, pass it by with all that is in it, or end the scan.
enum class JsonWish { take, skip, stop };

/// Receives the parts of a JSON text in their order. Texts are valid during the call only. False ends the scan.
class JsonEvents {
public:
    virtual JsonWish begins(bool object) = 0;  ///< an object, else a list; what is skipped does not end
    virtual bool ends() = 0;                   ///< the object or list that began last
    virtual bool key(std::string_view name) = 0;
    virtual bool text(std::string_view value) = 0;
    virtual bool number(std::string_view written) = 0;
    virtual bool word(std::string_view written) = 0;  ///< true, false or null

protected:
    ~JsonEvents() = default;
};

/// Why a scan ended.
enum class ScanEnd { whole, cut_off, not_json, too_deep, refused };

/// Halves of pairs that \\u escapes without the other half, which stand for no character.
enum class LoneHalves { replaced, refused };

/// Reads JSON (RFC 8259) from a stream in bounded memory, far faster than a parser that builds values: a text without
/// escapes is passed on where it stands. Lists and objects nest up to limits::json_depth; texts are not checked to be
/// UTF-8, and of what is skipped only texts and nesting are looked at. Where a scan ends early, the stream stands where
/// it is no JSON.
class JsonScanner {
public:
    JsonScanner(ByteStream& stream, JsonEvents& events, LoneHalves halves = LoneHalves::replaced)
        : stream_(stream), events_(events), strict_(halves == LoneHalves::refused) {}
    ScanEnd run();

    /// Where the text, number, word, object or list began that was met last.
    struct Place {
        std::uint64_t offset = 0;
        int line = 1, column = 1;
    };
    const Place& began() const { return began_; }
    /// During an event: one past its text, number or word; the closing bracket.
    std::uint64_t offset() const { return stream_.offset() + pending_; }
    /// The scan ended within a text, number or word.
    bool in_token() const { return in_token_; }

private:
    bool stop(ScanEnd why);
    bool missing() { return stop(ScanEnd::cut_off); }
    bool value();
    bool list();
    bool object();
    bool skip_nested();
    bool number();
    bool word(std::string_view expected);
    /// The text that begins here, until `done`.
    bool read_text(std::string_view& text);
    bool done();
    bool escape();
    bool read_hex(unsigned& code);
    bool wants_half() const { return high_ != 0 && copy_.size() == after_high_; }
    void begin_token() {
        began_ = {stream_.offset(), stream_.line(), stream_.column()};
        in_token_ = true;
    }

    ByteStream& stream_;
    JsonEvents& events_;
    const bool strict_;
    Place began_;
    bool in_token_ = false;
    ScanEnd end_ = ScanEnd::whole;
    int depth_ = 0;
    std::string copy_;         ///< of a text that has escapes or reaches over two pieces
    std::size_t pending_ = 0;  ///< bytes of the token that still stand in the stream
    unsigned high_ = 0;        ///< the first half of a pair that \\u escapes, up to `after_high_` of the copy
    std::size_t after_high_ = 0;
};

}  // namespace scalescope::formats
