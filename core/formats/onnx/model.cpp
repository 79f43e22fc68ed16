// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/onnx/model.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

#include "core/base/limits.hpp"
#include "core/base/sequences.hpp"
#include "core/base/utf8.hpp"
#include "core/formats/onnx/wire.hpp"

namespace scalescope::formats::onnx {
namespace {

constexpr int deepest = 16;  // subgraphs within subgraphs

double half_to_double(std::uint64_t bits) {
    const int exponent = static_cast<int>(bits >> 10 & 31);
    const double fraction = static_cast<double>(bits & 1023), sign = (bits & 0x8000) != 0 ? -1 : 1;
    if (exponent == 31) return bits & 1023 ? 0.0 : sign * 65504;
    return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25));
}

/// Of the printable UTF-8 character at `i`; 0: there is none.
std::size_t character_bytes(std::string_view text, std::size_t i) {
    const auto first = static_cast<unsigned char>(text[i]);
    return first < 0x20 || first == 0x7f ? 0 : character_length(text, i);
}

/// Of one number of `raw_data`; 0: it is none that is read.
std::size_t element_bytes(int element) {
    constexpr std::uint8_t bytes[] = {0, 4, 1, 1, 2, 2, 4, 8, 0, 1, 2, 8, 4, 8, 0, 0, 2};  // by Element
    return element < 0 || static_cast<std::size_t>(element) >= std::size(bytes) ? 0 : bytes[element];
}

double single_of(std::uint64_t bits) {
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
}

/// The numbers of `raw_data`.
void unpack(Tensor& t, std::string_view raw) {
    const std::size_t size = element_bytes(t.element);
    if (size == 0) return;
    const auto kind = static_cast<Element>(t.element);
    for (std::size_t at = 0; at + size <= raw.size(); at += size) {
        std::uint64_t bits = 0;
        for (std::size_t i = size; i > 0; --i) bits = bits << 8 | static_cast<unsigned char>(raw[at + i - 1]);
        switch (kind) {
            case Element::float32: t.real.push_back(single_of(bits)); break;
            case Element::float64: t.real.push_back(std::bit_cast<double>(bits)); break;
            case Element::float16: t.real.push_back(half_to_double(bits)); break;
            case Element::bfloat16: t.real.push_back(single_of(bits << 16)); break;
            case Element::int8: t.whole.push_back(static_cast<std::int8_t>(bits)); break;
            case Element::int16: t.whole.push_back(static_cast<std::int16_t>(bits)); break;
            case Element::int32: t.whole.push_back(static_cast<std::int32_t>(bits)); break;
            default: t.whole.push_back(static_cast<std::int64_t>(bits)); break;
        }
    }
}

class ModelDecoder {
public:
    ModelDecoder(std::string_view whole, const std::string& file, const Watch& watch)
        : whole_(whole), file_(file), watch_(watch) {}

    Model model() {
        Model m;
        each(whole_, [&](const WireField& f) {
            if (f.number == 1) m.ir_version = f.integer();
            if (f.number == 2) m.producer = text(f);
            if (f.number == 7) m.graph = graph(f, 0);
            if (f.number == 8) opset(f, m.opsets);
            if (f.number == 14) m.metadata.push_back(entry(f));
            if (f.number == 25) m.functions.push_back(function(f));
        });
        return m;
    }

    Tensor tensor(std::string_view bytes) {
        Tensor t;
        std::string_view raw;
        std::size_t payload = 0;
        const auto small = [&](const WireField& f) {
            payload += std::max<std::size_t>(f.bytes.size(), 8);
            return f.bytes.size() <= small_payload && payload <= small_payload;
        };
        std::vector<std::int64_t> whole;
        std::vector<double> real;
        each(bytes, [&](const WireField& f) {
            if (f.number == 1) append_integers(f, t.dims);
            if (f.number == 2) t.element = static_cast<int>(std::clamp<std::int64_t>(f.integer(), 0, 1000));
            if (f.number == 8) t.name = text(f);
            if (f.number == 14) t.external = f.value == 1;
            const bool numbers = f.number == 4 || f.number == 5 || f.number == 7 || (f.number >= 9 && f.number <= 11);
            if (!numbers || !small(f)) return;
            if (f.number == 4) return append_floats(f, real);
            if (f.number == 10) return append_doubles(f, real);
            if (f.number != 9) return append_integers(f, whole);
            raw = f.bytes;
        });
        if (!raw.empty()) {
            unpack(t, raw);
        } else if (t.element == static_cast<int>(Element::float16)) {
            for (const auto bits : whole) t.real.push_back(half_to_double(static_cast<std::uint64_t>(bits)));
        } else if (t.element == static_cast<int>(Element::bfloat16)) {
            for (const auto bits : whole) t.real.push_back(single_of(static_cast<std::uint64_t>(bits) << 16));
        } else {
            t.whole = std::move(whole);
            t.real = std::move(real);
        }
        std::int64_t count = 1;
        for (const auto d : t.dims)
            if (d < 0 || d > limits::elements || count < 0 || __builtin_mul_overflow(count, d, &count)) count = -1;
        if (count < 0) stop(f_offset(bytes), "a tensor has dimensions that no tensor can have");
        const auto have = static_cast<std::int64_t>(is_real(t.element) ? t.real.size() : t.whole.size());
        t.kept = !t.external && have == count && payload <= small_payload;
        if (!t.kept) {
            t.whole.clear();
            t.real.clear();
        }
        return t;
    }

    bool failed() const { return !what_.empty(); }
    Problem problem() const {
        return make_error("The file is no whole ONNX model: at byte " + std::to_string(at_) + ' ' + what_ + '.',
                          remedy_, {file_, 0, 0});
    }

private:
    std::uint64_t f_offset(std::string_view part) const {
        return part.empty() ? 0 : static_cast<std::uint64_t>(part.data() - whole_.data());
    }
    void stop(std::uint64_t at, std::string what, std::string remedy = "Export or download the model again.") {
        if (failed()) return;
        at_ = at;
        what_ = std::move(what);
        remedy_ = std::move(remedy);
    }

    template <class Use>
    void each(std::string_view bytes, Use use) {
        WireMessage message(bytes, f_offset(bytes));
        WireField field;
        while (!failed() && message.next(field)) use(field);
        if (!message.broken().empty()) stop(message.offset(), std::string(message.broken()));
    }

    std::string text(const WireField& f) {
        return f.bytes.size() > limits::name_bytes ? std::string() : visible_text(f.bytes);
    }

    std::pair<std::string, std::string> entry(const WireField& of) {
        std::pair<std::string, std::string> e;
        each(of.bytes, [&](const WireField& f) {
            if (f.number == 1) e.first = text(f);
            if (f.number == 2) e.second = f.bytes;
        });
        return e;
    }

    void opset(const WireField& f, std::map<std::string, std::int64_t>& opsets) {
        std::string domain;
        std::int64_t version = 0;
        each(f.bytes, [&](const WireField& g) {
            if (g.number == 1) domain = text(g);
            if (g.number == 2) version = g.integer();
        });
        opsets[domain == "ai.onnx" ? std::string() : domain] = version;
    }

    Graph graph(const WireField& of, int depth) {
        Graph g;
        if (depth > deepest) {
            stop(of.offset, "graphs stand inside each other more than " + std::to_string(deepest) + " deep");
            return g;
        }
        each(of.bytes, [&](const WireField& f) {
            if (f.number == 1) {
                if ((++nodes_ & 255) == 0) {
                    watch_.progress(static_cast<double>(f.offset) / static_cast<double>(whole_.size()));
                    if (watch_.cancel.cancelled())
                        stop(f.offset, "reading was cancelled", "Open the file again to read all of it.");
                }
                if (nodes_ > limits::layers)
                    stop(f.offset, "there are more than " + std::to_string(limits::layers) + " nodes",
                         "Open a smaller model.");
                g.nodes.push_back(node(f, depth));
                g.nodes.back().number = g.nodes.size();
            }
            if (f.number == 2) g.name = text(f);
            if (f.number == 5) g.initializers.push_back(tensor(f.bytes));
            if (f.number == 11) g.inputs.push_back(value_info(f));
            if (f.number == 12) g.outputs.push_back(value_info(f));
            if (f.number == 13) g.values.push_back(value_info(f));
            if (f.number == 15) g.initializers.push_back(sparse(f));
        });
        return g;
    }

    /// A sparse tensor is as large as the one it stands for.
    Tensor sparse(const WireField& of) {
        Tensor t;
        std::vector<std::int64_t> dims;
        each(of.bytes, [&](const WireField& f) {
            if (f.number == 1) t = tensor(f.bytes);
            if (f.number == 3) append_integers(f, dims);
        });
        t.dims = std::move(dims);
        t.kept = false;
        t.whole.clear();
        t.real.clear();
        return t;
    }

    Node node(const WireField& of, int depth) {
        Node n;
        each(of.bytes, [&](const WireField& f) {
            if (f.number == 1) n.inputs.push_back(text(f));
            if (f.number == 2) n.outputs.push_back(text(f));
            if (f.number == 3) n.name = text(f);
            if (f.number == 4) n.op = text(f);
            if (f.number == 5) n.attributes.push_back(attribute(f, depth));
            if (f.number == 7) n.domain = text(f);
        });
        if (n.domain == "ai.onnx") n.domain.clear();
        return n;
    }

    Attribute attribute(const WireField& of, int depth) {
        Attribute a;
        each(of.bytes, [&](const WireField& f) {
            if (f.number == 1) a.name = text(f);
            if (f.number == 2) a.number = static_cast<double>(f.single());
            if (f.number == 3) a.integer = f.integer();
            if (f.number == 4) a.text = text(f);
            if (f.number == 5) a.tensor = std::make_shared<Tensor>(tensor(f.bytes));
            if (f.number == 6) a.graph = std::make_shared<Graph>(graph(f, depth + 1));
            if (f.number == 7) append_floats(f, a.numbers);
            if (f.number == 8) append_integers(f, a.integers);
            if (f.number == 9) a.texts.push_back(text(f));
            if (f.number == 20) a.type = static_cast<int>(std::clamp<std::int64_t>(f.integer(), 0, 1000));
            if (f.number == 21) a.reference = text(f);
            if (f.number == 22) a.tensor = std::make_shared<Tensor>(sparse(f));
        });
        return a;
    }

    Function function(const WireField& of) {
        Function x;
        each(of.bytes, [&](const WireField& f) {
            if (f.number == 1) x.name = text(f);
            if (f.number == 4) x.inputs.push_back(text(f));
            if (f.number == 5) x.outputs.push_back(text(f));
            if (f.number == 7) {
                x.nodes.push_back(node(f, 0));
                x.nodes.back().number = x.nodes.size();
            }
            if (f.number == 9) opset(f, x.opsets);
            if (f.number == 10) x.domain = text(f);
            if (f.number == 11) x.defaults.push_back(attribute(f, 0));
        });
        if (x.domain == "ai.onnx") x.domain.clear();
        return x;
    }

    ValueInfo value_info(const WireField& of) {
        ValueInfo v;
        each(of.bytes, [&](const WireField& f) {
            if (f.number == 1) v.name = text(f);
            if (f.number == 2) type(f, v, 0);
        });
        return v;
    }

    void type(const WireField& of, ValueInfo& v, int depth) {
        if (depth > deepest) return stop(of.offset, "types stand inside each other too deep");
        each(of.bytes, [&](const WireField& f) {
            using Form = ValueInfo::Form;
            if (f.number == 1) tensor_type(f, v);
            if (f.number != 4 && f.number != 9 && f.number != 5 && f.number != 8) return;
            v.form = f.number == 4 ? Form::sequence : f.number == 9 ? Form::optional : Form::other;
            each(f.bytes, [&](const WireField& inner) {
                if (inner.number != 1 || f.number == 5 || f.number == 8) return;
                const Form outer = v.form;
                type(inner, v, depth + 1);
                v.form = outer;
            });
        });
    }

    void tensor_type(const WireField& of, ValueInfo& v) {
        each(of.bytes, [&](const WireField& f) {
            if (f.number == 1) v.element = static_cast<int>(std::clamp<std::int64_t>(f.integer(), 0, 1000));
            if (f.number != 2) return;
            v.has_shape = true;
            each(f.bytes, [&](const WireField& d) {
                if (d.number != 1) return;
                Dimension dim;
                each(d.bytes, [&](const WireField& x) {
                    if (x.number == 1) dim.value = x.integer() < 0 || x.integer() > limits::elements ? -1 : x.integer();
                    if (x.number == 2) dim.symbol = text(x);
                });
                v.dims.push_back(std::move(dim));
            });
        });
    }

    std::string_view whole_;
    const std::string& file_;
    const Watch& watch_;
    std::size_t nodes_ = 0;
    std::uint64_t at_ = 0;
    std::string what_, remedy_;
};

}  // namespace

bool is_real(int element) {
    const auto e = static_cast<Element>(element);
    return e == Element::float32 || e == Element::float16 || e == Element::float64 || e == Element::bfloat16 ||
           e == Element::complex64 || e == Element::complex128 || (element >= 17 && element <= 20) || element == 23 ||
           element == 24;
}

bool is_whole(int element) { return element != 0 && !is_real(element) && element != static_cast<int>(Element::text); }

std::string visible_text(std::string_view bytes) {
    std::string clean(bytes);
    for (std::size_t i = 0; i < clean.size();) {
        const std::size_t length = character_bytes(clean, i);
        if (length == 0) clean[i] = '?';
        i += std::max<std::size_t>(length, 1);
    }
    return clean;
}

const Attribute* Node::find(std::string_view attribute) const {
    return find_by(attributes, attribute, &Attribute::name);
}

const Attribute& Node::said(std::string_view attribute) const {
    static const Attribute none;
    const Attribute* own = find(attribute);
    return own ? *own : none;
}

Result<Model> read_model(std::string_view bytes, const std::string& file, const Watch& watch) {
    ModelDecoder decoder(bytes, file, watch);
    Model model = decoder.model();
    if (decoder.failed()) return fail(decoder.problem());
    return model;
}

Result<Tensor> read_tensor(std::string_view bytes, const std::string& file) {
    const Watch nobody;
    ModelDecoder decoder(bytes, file, nobody);
    Tensor tensor = decoder.tensor(bytes);
    if (decoder.failed()) return fail(decoder.problem());
    return tensor;
}

bool looks_like_onnx(std::string_view beginning) {
    // ModelProto: numbers are the version fields, messages and texts the rest.
    constexpr std::uint32_t numbers = 1u << 1 | 1u << 5;
    constexpr std::uint32_t texts =
        1u << 2 | 1u << 3 | 1u << 4 | 1u << 6 | 1u << 7 | 1u << 8 | 1u << 14 | 1u << 20 | 1u << 25;
    bool telling = false;
    std::size_t at = 0;
    while (at < beginning.size()) {
        std::uint64_t key = 0, value = 0;
        if (!read_varint(beginning, at, key)) return telling;
        const auto number = static_cast<unsigned>(key >> 3);
        if (number > 25 || (key & 7) > 2 || (key & 7) == 1) return false;
        const bool text = (key & 7) == 2;
        if (((text ? texts : numbers) >> number & 1) == 0) return false;
        if (!read_varint(beginning, at, value)) return telling;
        if (number == 1 && value > 1000) return false;
        telling = telling || number == 1;  // every model has a version
        if (text) {
            if (value > beginning.size() - at) return telling;
            at += static_cast<std::size_t>(value);
        }
    }
    return telling;
}

}  // namespace scalescope::formats::onnx
