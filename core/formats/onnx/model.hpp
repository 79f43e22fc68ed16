// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/problem.hpp"
#include "core/base/watch.hpp"

/// An ONNX model as its file says it (github.com/onnx/onnx, onnx.proto3), before shapes are known. Payloads of tensors
/// beyond `small_payload` bytes are not kept: a model's size and work follow from the dimensions.
namespace scalescope::formats::onnx {

/// Numbers that shapes depend on are few; a payload larger than this holds weights.
inline constexpr std::size_t small_payload = 64 * 1024;

/// TensorProto.DataType.
enum class Element : int {
    none = 0,
    float32 = 1,
    uint8 = 2,
    int8 = 3,
    uint16 = 4,
    int16 = 5,
    int32 = 6,
    int64 = 7,
    text = 8,
    boolean = 9,
    float16 = 10,
    float64 = 11,
    uint32 = 12,
    uint64 = 13,
    complex64 = 14,
    complex128 = 15,
    bfloat16 = 16
};
/// Floating point and complex numbers of any width, the 8-bit ones included.
bool is_real(int element);
/// Integers of any width, and booleans.
bool is_whole(int element);

struct Tensor {
    std::string name;
    std::vector<std::int64_t> dims;
    int element = 0;
    bool external = false;  ///< its numbers lie in another file
    bool kept = false;      ///< its numbers are in `whole` or `real`
    std::vector<std::int64_t> whole;
    std::vector<double> real;
};

struct Graph;

/// Of operators that this program writes where ONNX has none.
inline constexpr std::string_view own_domain = "org.scalescope";

/// AttributeProto.AttributeType, as far as it is written here; of a sparse tensor only the shape is.
enum AttributeForm {
    real_form = 1,
    whole_form = 2,
    word_form = 3,
    tensor_form = 4,
    reals_form = 6,
    list_form = 7,
    lines_form = 8,
    sparse_form = 11
};

struct Attribute {
    std::string name, text;
    std::string reference;  ///< inside a function: the attribute of the call that it stands for
    int type = 0;           ///< AttributeForm or another, 0 where old files leave it out
    std::int64_t integer = 0;
    double number = 0;
    std::vector<std::int64_t> integers;
    std::vector<double> numbers;
    std::vector<std::string> texts;
    std::shared_ptr<const Tensor> tensor;
    std::shared_ptr<const Graph> graph;
};

struct Node {
    std::string op, domain, name;
    std::vector<std::string> inputs, outputs;
    std::vector<Attribute> attributes;
    std::size_t number = 0;  ///< among the nodes of its graph or function, from 1; 0: in none

    const Attribute* find(std::string_view attribute) const;
    /// The same, or one of zeros and without a text where it is left out.
    const Attribute& said(std::string_view attribute) const;
};

/// One dimension of a declared shape.
struct Dimension {
    std::int64_t value = -1;  ///< below 0: open
    std::string symbol;
};

struct ValueInfo {
    enum class Form { tensor, sequence, optional, other };
    std::string name;
    Form form = Form::tensor;  ///< of what a sequence or optional holds, the rest speaks
    int element = 0;
    bool has_shape = false;
    std::vector<Dimension> dims;
};

struct Graph {
    std::string name;
    std::vector<Node> nodes;
    std::vector<Tensor> initializers;
    std::vector<ValueInfo> inputs, outputs, values;
};

struct Function {
    std::string name, domain;
    std::vector<std::string> inputs, outputs;
    std::vector<Attribute> defaults;
    std::vector<Node> nodes;
    std::map<std::string, std::int64_t> opsets;
};

struct Model {
    std::int64_t ir_version = 0;
    std::string producer;
    std::map<std::string, std::int64_t> opsets;  ///< by domain; "" is ONNX's own
    Graph graph;
    std::vector<Function> functions;
    /// metadata_props: what programs say to themselves, each with the name they gave it.
    std::vector<std::pair<std::string, std::string>> metadata;
};

/// What is shown and written to text files is text: bytes that are none become "?".
std::string visible_text(std::string_view bytes);

/// Refuses what is no such message, with the offset where it stops being one.
Result<Model> read_model(std::string_view bytes, const std::string& file, const Watch& watch = {});
/// The bytes of a model: those of a file.
std::string write_model(const Model& model);
/// One TensorProto by itself, as test data have it.
Result<Tensor> read_tensor(std::string_view bytes, const std::string& file);

/// True if the bytes are the beginning of an ONNX model: fields of ModelProto, in any order, and no others.
bool looks_like_onnx(std::string_view beginning);

}  // namespace scalescope::formats::onnx
