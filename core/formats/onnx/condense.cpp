// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/onnx/onnx_import.hpp"

#include "core/base/file_window.hpp"
#include "core/base/limits.hpp"
#include "core/formats/onnx/model.hpp"
#include "core/formats/onnx/wire.hpp"

namespace scalescope::formats {
namespace onnx {
namespace {

constexpr std::size_t longest_header = 20;  // of a field: its key and its length
constexpr int deepest_message = 64;

/// Messages that hold others, as far as tensors may be inside.
enum class Message { model, graph, node, attribute, tensor, sparse, function, leaf };

Message inside(Message message, std::uint64_t number) {
    struct Field {
        Message of;
        std::uint64_t number;
        Message holds;
    };
    using enum Message;
    constexpr Field fields[] = {
        {model, 7, graph},     {model, 25, function},  {graph, 1, node},        {graph, 5, tensor},
        {graph, 15, sparse},   {node, 5, attribute},   {attribute, 5, tensor},  {attribute, 10, tensor},
        {attribute, 6, graph}, {attribute, 11, graph}, {attribute, 22, sparse}, {attribute, 23, sparse},
        {sparse, 1, tensor},   {sparse, 2, tensor},    {function, 7, node},     {function, 11, attribute}};
    for (const Field& f : fields)
        if (f.of == message && f.number == number) return f.holds;
    return leaf;
}

class Condenser {
public:
    Condenser(FileWindow& file, const std::string& name, const Watch& watch)
        : file_(file), name_(name), watch_(watch) {}

    bool message(std::uint64_t at, const std::uint64_t end, Message kind, std::string& out, int depth) {
        if (depth > deepest_message) return stop(at, "messages stand inside each other too deep");
        while (at < end) {
            if ((++fields_ & 1023) == 0) {
                watch_.progress(static_cast<double>(at) / static_cast<double>(file_.size()));
                if (watch_.cancel.cancelled()) return stop(at, "reading was cancelled");
            }
            const std::string_view header = file_.at(at, longest_header);
            std::size_t used = 0;
            std::uint64_t key = 0, value = 0;
            if (!read_varint(header, used, key)) return stop(at, "a field begins and does not end");
            const auto wire = key & 7;
            if (wire == 1 || wire == 5) {
                used += wire == 1 ? 8 : 4;
            } else if (wire != 0 && wire != 2) {
                return stop(at, "stands what is no field");
            } else if (!read_varint(header, used, value)) {
                return stop(at, "a field begins and does not end");
            }
            if (used > end - at || used > header.size()) return stop(at, "a field begins and does not end");
            if (wire != 2) {
                out.append(header.substr(0, used));
                at += used;
            } else if (value > end - at - used) {
                return stop(at, "a part begins that is longer than what holds it");
            } else {
                if (!part(at + used, value, key, inside(kind, key >> 3), out, depth)) return false;
                at += used + value;
            }
            if (out.size() > limits::file_bytes)
                return stop(at, "the graph is larger than " + std::to_string(limits::file_bytes) +
                                    " bytes, without its weights");
        }
        return true;
    }

    Problem problem() const {
        return make_error("The file is no whole ONNX model: at byte " + std::to_string(at_) + ' ' + what_ + '.',
                          "Export or download the model again.", {name_, 0, 0});
    }

private:
    bool part(std::uint64_t at, std::uint64_t size, std::uint64_t key, Message kind, std::string& out, int depth) {
        if (kind != Message::leaf) {
            std::string inner;
            if (!message(at, at + size, kind, inner, depth + 1)) return false;
            write_varint(out, key);
            write_varint(out, inner.size());
            out += inner;
            return true;
        }
        if (size > small_payload) return true;  // weights, or words about the model
        const std::string_view bytes = file_.at(at, static_cast<std::size_t>(size));
        if (bytes.size() < size) return stop(at, "the file ends before its last part");
        write_varint(out, key);
        write_varint(out, size);
        out += bytes;
        return true;
    }

    bool stop(std::uint64_t at, std::string what) {
        at_ = at;
        what_ = std::move(what);
        return false;
    }

    FileWindow& file_;
    const std::string& name_;
    const Watch& watch_;
    std::uint64_t fields_ = 0, at_ = 0;
    std::string what_;
};

}  // namespace
}  // namespace onnx

bool is_onnx_file(const std::filesystem::path& path) {
    constexpr std::size_t telling = 4096;
    auto file = FileWindow::open(path);
    return file && onnx::looks_like_onnx(file->at(0, telling));
}

Result<std::string> condense_onnx(const std::filesystem::path& path, const Watch& watch) {
    ASSIGN_OR_RETURN(auto file, FileWindow::open(path));
    const std::string name = path.string();
    onnx::Condenser condenser(file, name, watch);
    std::string text;
    if (!condenser.message(0, file.size(), onnx::Message::model, text, 0)) return fail(condenser.problem());
    return text;
}

}  // namespace scalescope::formats
