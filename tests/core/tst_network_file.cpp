// SPDX-License-Identifier: GPL-3.0-or-later
// Scalescope's network files: what is written reads back, and what is wrong is said once, at its place, with a remedy.
#include <QtTest>
#include <fstream>
#include <random>
#include <sstream>

#include "core/formats/library.hpp"
#include "core/formats/network_json.hpp"
#include "support_library.hpp"

using namespace scalescope;
using namespace scalescope::formats;
using support::messages;

namespace {

/// Line 1 is the head, line 2 the input layer, the layers given begin on line 3, column 1.
std::string net(const std::string& layers) {
    return R"({"format": "scalescope-network", "version": 1, "name": "n", "layers": [
{"name": "data", "kind": "input", "shape": ["batch", 8, 8, 3]},
)" + layers +
           "\n]}\n";
}

std::string conv(const std::string& rest) {
    return net(R"({"name": "c", "kind": "convolution", "inputs": ["data"], )" + rest + "}");
}

struct Bad {
    const char* name;
    std::string text;
    int line, column;
    const char* what;    ///< part of what must be said
    const char* remedy;  ///< part of what must be advised
};

const std::vector<Bad>& bad_networks() {
    static const std::vector<Bad> all{
        {"empty", "", 1, 1, "empty", ""},
        {"blank", "  \n\n ", 1, 1, "empty", ""},
        {"truncated", R"({"format": "scalescope-network", "version": 1, "layers": [{"name": )", 1, 68, "ends", ""},
        {"not JSON", "layers: 3", 1, 1, "cannot stand here", "check what is before"},
        {"trailing comma", net(R"({"name": "a", "kind": "flatten", "inputs": ["data"]},)"), 4, 1, "comma",
         "Remove the comma"},
        {"two values", "{} {}", 1, 4, "", ""},
        {"too deep", std::string(100, '['), 1, 65, "deep", ""},
        {"not UTF-8", "{\"format\": \"\xff\"}", 1, 13, "UTF-8", ""},
        {"UTF-16", std::string("\xff\xfe{\0}\0", 6), 1, 1, "UTF-8", ""},
        {"zero byte", std::string("{\0}", 3), 1, 2, "", ""},
        {"NaN", conv(R"("filters": NaN, "kernel": [3, 3])"), 3, 69, "JSON", ""},
        {"number too large", conv(R"("filters": 1e999, "kernel": [3, 3])"), 3, 69, "number", ""},
        {"member twice", conv(R"("filters": 4, "filters": 5, "kernel": [3, 3])"), 3, 72, "twice", ""},
        {"a list", "[]", 1, 1, "object", "format"},
        {"no format", "{\"layers\": []}", 1, 1, "\"format\" is missing", "Add \"format\""},
        {"format is a number", "{\"format\": 1}", 1, 12, "must be a string", "scalescope-network"},
        {"another format", "{\"format\": \"scalescope-devices\", \"version\": 1}", 1, 12,
         "not a \"scalescope-network\"", "Choose a network"},
        {"no version", "{\"format\": \"scalescope-network\"}", 1, 1, "\"version\" is missing", "Add"},
        {"a newer version", "{\"format\": \"scalescope-network\", \"version\": 2}", 1, 45, "version 2",
         "newer Scalescope"},
        {"version zero", "{\"format\": \"scalescope-network\", \"version\": 0}", 1, 45, "at least 1", "\"version\": 1"},
        {"no layers", "{\"format\": \"scalescope-network\", \"version\": 1, \"name\": \"n\"}", 1, 1,
         "\"layers\" is missing", "list"},
        {"layers as object", "{\"format\": \"scalescope-network\", \"version\": 1, \"name\": \"n\", \"layers\": {}}", 1,
         71, "\"layers\" must be", "list"},
        {"empty list of layers",
         "{\"format\": \"scalescope-network\", \"version\": 1, \"name\": \"n\", \"layers\": []}", 0, 0, "no layers",
         "add an input layer"},
        {"name is a number", "{\"format\": \"scalescope-network\", \"version\": 1, \"name\": 3, \"layers\": []}", 1, 56,
         "\"name\" must be", "text"},
        {"unknown member",
         "{\"format\": \"scalescope-network\", \"version\": 1, \"name\": \"n\", \"layer\": [], \"layers\": []}", 1, 61,
         "\"layer\" is not known", "\"layers\"?"},
        {"layer is a text", net("\"conv1\""), 3, 1, "must be an object", ""},
        {"layer without name", net(R"({"kind": "flatten", "inputs": ["data"]})"), 3, 1, "\"name\" is missing", ""},
        {"empty name", net(R"({"name": "", "kind": "flatten", "inputs": ["data"]})"), 3, 10, "1 to 4096 bytes", "name"},
        {"name far too long",
         net("{\"name\": \"" + std::string(5000, 'x') + R"(", "kind": "flatten", "inputs": ["data"]})"), 3, 10,
         "1 to 4096 bytes", "name"},
        {"name twice",
         net("{\"name\": \"a\", \"kind\": \"flatten\", \"inputs\": [\"data\"]},\n{\"name\": \"a\", \"kind\": "
             "\"flatten\", \"inputs\": [\"data\"]}"),
         4, 1, "Two layers are called \"a\"", "line 3"},
        {"no kind", net(R"({"name": "a", "inputs": ["data"]})"), 3, 1, "\"kind\" is missing", ""},
        {"unknown kind", net(R"({"name": "a", "kind": "convolutoin", "inputs": ["data"]})"), 3, 23,
         "no layer of kind \"convolutoin\"", "\"convolution\"?"},
        {"kind from elsewhere", net(R"({"name": "a", "kind": "LSTMCell", "inputs": ["data"]})"), 3, 23,
         "no layer of kind", "Use one of input, convolution"},
        {"unknown field", conv(R"("filters": 4, "kernal": [3, 3], "kernel": [3, 3])"), 3, 72, "\"kernal\" is not known",
         "\"kernel\"?"},
        {"missing field", conv(R"("kernel": [3, 3])"), 3, 1, "\"filters\" is missing", "whole number"},
        {"missing inputs", net(R"({"name": "a", "kind": "flatten"})"), 3, 1, "\"inputs\" is missing", "list"},
        {"inputs as text", net(R"({"name": "a", "kind": "flatten", "inputs": "data"})"), 3, 44, "\"inputs\" must be",
         "list"},
        {"input is a number", net(R"({"name": "a", "kind": "flatten", "inputs": [1]})"), 3, 45, "name of a layer",
         "double quotes"},
        {"unknown input", net(R"({"name": "a", "kind": "flatten", "inputs": ["date"]})"), 3, 45,
         "no layer called \"date\"", "\"data\"?"},
        {"too many inputs", net(R"({"name": "a", "kind": "flatten", "inputs": ["data", "data"]})"), 3, 1,
         "takes one input", "correct its inputs"},
        {"no inputs at all", net(R"({"name": "a", "kind": "flatten", "inputs": []})"), 3, 1, "takes one input",
         "correct its inputs"},
        {"input with inputs", net(R"({"name": "a", "kind": "input", "inputs": ["data"], "shape": ["batch", 3]})"), 3, 1,
         "takes no inputs", "correct its inputs"},
        {"reads itself", net(R"({"name": "a", "kind": "flatten", "inputs": ["a"]})"), 3, 1, "cycle",
         "remove one of the connections"},
        {"cycle",
         net("{\"name\": \"a\", \"kind\": \"add\", \"inputs\": [\"data\", \"b\"]},\n{\"name\": \"b\", \"kind\": "
             "\"flatten\", \"inputs\": [\"a\"]}"),
         3, 1, "cycle", "remove one of the connections"},
        {"no input layer",
         "{\"format\": \"scalescope-network\", \"version\": 1, \"name\": \"n\", \"layers\": [{\"name\": \"a\", "
         "\"kind\": \"flatten\", \"inputs\": [\"a\"]}]}",
         1, 72, "cycle", ""},
        {"zero filters", conv(R"("filters": 0, "kernel": [3, 3])"), 3, 69, "at least 1|from 1", ""},
        {"negative kernel", conv(R"("filters": 4, "kernel": [3, -3])"), 3, 86, "from 1", ""},
        {"fraction of a filter", conv(R"("filters": 4.5, "kernel": [3, 3])"), 3, 69, "whole number", ""},
        {"filters as text", conv(R"("filters": "4", "kernel": [3, 3])"), 3, 69, "whole number", ""},
        {"huge integer", conv(R"("filters": 99999999999999999999999999, "kernel": [3, 3])"), 3, 69, "whole number", ""},
        {"overflowing size", conv(R"("filters": 9223372036854775807, "kernel": [3, 3])"), 3, 69, "from 1 to 2147483648",
         ""},
        {"kernel as number", conv(R"("filters": 4, "kernel": 3)"), 3, 82, "a list of up to 8 sizes", "[3, 3]"},
        {"kernel of three", conv(R"("filters": 4, "kernel": [3, 3, 3])"), 3, 1,
         "needs depth × height × width × channels", "give 2 sizes"},
        {"kernel of words", conv(R"("filters": 4, "kernel": [3, "x"])"), 3, 86, "whole number", "1"},
        {"unknown padding", conv(R"("filters": 4, "kernel": [3, 3], "padding": "sane")"), 3, 101, "no padding \"sane\"",
         "\"same\"?"},
        {"padding of three", conv(R"("filters": 4, "kernel": [3, 3], "padding": [1, 2, 3, 4, 5])"), 3, 101,
         "no padding", "[top, bottom, left, right]"},
        {"unknown activation", conv(R"("filters": 4, "kernel": [3, 3], "activation": "rely")"), 3, 104,
         "none of the words", "\"relu\"?"},
        {"bias as text", conv(R"("filters": 4, "kernel": [3, 3], "bias": "yes")"), 3, 98, "true or false",
         "without quotes"},
        {"kernel larger than its input", conv(R"("filters": 4, "kernel": [9, 9])"), 3, 1, "does not fit",
         "padding \"same\""},
        {"groups do not divide", conv(R"("filters": 4, "kernel": [3, 3], "groups": 2)"), 3, 1,
         "Groups must divide the input channels", "another number of groups"},
        {"shapes differ in a sum",
         net("{\"name\": \"p\", \"kind\": \"pooling\", \"inputs\": [\"data\"], \"kernel\": [2, 2], \"stride\": [2, "
             "2]},\n{\"name\": \"a\", \"kind\": \"add\", \"inputs\": [\"data\", \"p\"]}"),
         4, 1, "8×8×3 and 4×4×3", "same shape"},
        {"shapes differ in a concatenation",
         net("{\"name\": \"p\", \"kind\": \"pooling\", \"inputs\": [\"data\"], \"kernel\": [2, 2], \"stride\": [2, "
             "2]},\n{\"name\": \"a\", \"kind\": \"concat\", \"inputs\": [\"data\", \"p\"]}"),
         4, 1, "differ outside their channels", "height and width"},
        {"convolution after dense",
         net("{\"name\": \"d\", \"kind\": \"dense\", \"inputs\": [\"data\"], \"units\": 10},\n{\"name\": \"a\", "
             "\"kind\": \"convolution\", \"inputs\": [\"d\"], \"filters\": 4, \"kernel\": [1, 1]}"),
         4, 1, "height × width × channels", "reshape"},
        {"reshape loses elements",
         net(R"({"name": "a", "kind": "reshape", "inputs": ["data"], "shape": ["batch", 100]})"), 3, 1,
         "keeps the number of elements", "correct the shape"},
        {"shape without batch", net(R"({"name": "a", "kind": "reshape", "inputs": ["data"], "shape": [8, 24]})"), 3, 1,
         "first dimension of a shape is the batch", "\"batch\""},
        {"shape of one", net(R"({"name": "a", "kind": "input", "shape": ["batch"]})"), 3, 41, "2 to 8 dimensions",
         "batch"},
        {"unknown symbol", net(R"({"name": "a", "kind": "input", "shape": ["batch", "sequense"]})"), 3, 51,
         "no symbol \"sequense\"", "Declare it"},
        {"misspelt symbol", net(R"({"name": "a", "kind": "input", "shape": ["bach", 3]})"), 3, 42, "no symbol \"bach\"",
         "\"batch\"?"},
        {"factor of a symbol", net(R"({"name": "a", "kind": "input", "shape": ["0*batch", 3]})"), 3, 42,
         "number times a symbol", "4*sequence"},
        {"dropout of everything", net(R"({"name": "a", "kind": "dropout", "inputs": ["data"], "rate": 1})"), 3, 1,
         "between 0 and 1", "0.5"},
        {"dropout as text", net(R"({"name": "a", "kind": "dropout", "inputs": ["data"], "rate": "half"})"), 3, 62,
         "must be a number", "without quotes"},
        {"weights overflow",
         net("{\"name\": \"d\", \"kind\": \"dense\", \"inputs\": [\"data\"], \"units\": 2147483648},\n{\"name\": "
             "\"e\", \"kind\": \"dense\", \"inputs\": [\"d\"], \"units\": 2147483648}"),
         4, 1, "too large to count", "typing error"},
        {"upsampling overflows",
         net("{\"name\": \"u\", \"kind\": \"upsample\", \"inputs\": [\"data\"], \"factor\": [2147483648, 2147483648]}"),
         3, 1, "beyond what this program accepts|too large", ""},
        {"symbol without default",
         "{\"format\": \"scalescope-network\", \"version\": 1, \"name\": \"n\", \"symbols\": {\"batch\": {}}, "
         "\"layers\": []}",
         1, 82, "\"default\" is missing", ""},
        {"symbol with a bad name",
         "{\"format\": \"scalescope-network\", \"version\": 1, \"name\": \"n\", \"symbols\": {\"2b\": {\"default\": "
         "1}}, \"layers\": []}",
         1, 73, "does not begin with a digit", "Rename"},
    };
    return all;
}

/// One of the parts, which are separated by '|'.
bool contains(const std::string& text, std::string parts) {
    std::istringstream list(parts);
    std::string part;
    if (parts.empty()) return true;
    while (std::getline(list, part, '|'))
        if (text.find(part) != std::string::npos) return true;
    return false;
}

}  // namespace

class NetworkFile : public QObject {
    Q_OBJECT
private slots:
    void a_file_of_another_kind_is_called_so() {
        const auto said = [](std::string_view text) {
            const auto read = read_any_network_draft(text, "file");
            return read ? std::string() : to_text(read.error().front());
        };
        using namespace std::string_view_literals;
        const std::string picture = said("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"sv);
        QVERIFY2(picture.find("file: This is neither a text nor a model") == 0, picture.c_str());
        const std::string letter = said("Dear all,\nplease find attached the minutes.\n");
        QVERIFY2(letter.find("file:1:1: This is a text, but no network") == 0, letter.c_str());
        QVERIFY2(letter.find("Caffe prototxt") != std::string::npos, letter.c_str());
        // What was meant to be JSON is judged as JSON.
        for (const std::string_view text :
             {"  {\"format\": 1}"sv, "\xEF\xBB\xBF{\"format\": 1}"sv, "[]"sv, "\xFF\xFE{\0}\0"sv, ""sv, " \n"sv})
            for (const char* other : {"but no network", "neither a text"})
                QVERIFY2(said(text).find(other) == std::string::npos, std::string(text).c_str());
    }

    void a_network_too_large_is_said_with_file_and_layer();
    void presets_round_trip();
    void random_networks_round_trip();
    void assumptions_round_trip();
    void shared_experts_of_older_files();
    void layers_may_stand_in_any_order();
    void bad_text_is_one_clear_message_data();
    void bad_text_is_one_clear_message();
    void every_problem_is_reported();
    void long_lists_of_problems_end();
    void cut_anywhere_never_crashes();
    void kept_sample_opens();
    void migrations_lead_to_the_newest();
    void peeking_agrees_with_parsing();
};

void NetworkFile::presets_round_trip() {
    const Library library = load_shipped();
    for (const Preset& preset : library.networks) {
        if (preset.id.starts_with("paleo/")) continue;
        const auto draft = read_any_network_draft(preset.text, preset.file);
        QVERIFY2(draft.has_value(), draft ? "" : messages(draft.error()).c_str());
        const std::string text = write_network(*draft);
        const auto again = read_network_draft(text, "again.json");
        QVERIFY2(again.has_value(), again ? "" : messages(again.error()).c_str());
        QCOMPARE(again->name, draft->name);
        QCOMPARE(again->description, draft->description);
        QCOMPARE(again->source, draft->source);
        QCOMPARE(again->layers.size(), draft->layers.size());
        for (std::size_t i = 0; i < draft->layers.size(); ++i) {
            const Layer &a = draft->layers[i], &b = again->layers[i];
            QVERIFY2(a.id == b.id && a.name == b.name && a.kind == b.kind && a.attributes == b.attributes &&
                         a.inputs == b.inputs && a.shares_weights_with == b.shares_weights_with,
                     a.name.c_str());
            QCOMPARE(b.at.file, std::string("again.json"));
            QVERIFY(b.at.line > 0);
        }
        QCOMPARE(write_network(*again), text);
        // One line for each layer.
        QVERIFY(std::count(text.begin(), text.end(), '\n') < static_cast<long>(draft->layers.size()) + 20);
    }
}

/// What was assumed of a layer stays with it, in a file and on the clipboard.
void NetworkFile::assumptions_round_trip() {
    auto draft = read_network_draft(
        net(R"({"name": "n", "kind": "rms_norm", "inputs": ["data"], "assumed": "Assumed: RMS normalization."})"), "f");
    QVERIFY2(draft.has_value(), draft ? "" : messages(draft.error()).c_str());
    QVERIFY(draft->layers[0].assumed.empty());
    QCOMPARE(draft->layers[1].assumed, std::string("Assumed: RMS normalization."));
    const auto again = read_network_draft(write_network(*draft), "again");
    QVERIFY(again && again->layers[1].assumed == draft->layers[1].assumed && again->layers[0].assumed.empty());
    const auto copied = read_fragment(write_fragment({draft->layers, {}, draft->symbols, {}}), "clipboard");
    QVERIFY(copied && copied->layers[1].assumed == draft->layers[1].assumed);
    QVERIFY(!read_network_draft(net(R"({"name": "n", "kind": "rms_norm", "inputs": ["data"], "assumed": true})"), "f"));
}

/// They were an attribute of the mixture, and are a network beside it now. Readers of the mixture read the sum.
void NetworkFile::shared_experts_of_older_files() {
    const auto read = [](const std::string& input) {
        const std::string mixture = R"("kind": "mixture_of_experts", "experts": 4, "hidden": 5, "shared_experts": 2)";
        return read_network(net(R"({"name": "out", "kind": "softmax", "inputs": ["b"]},
{"name": "b", "inputs": ["a"], "shares_weights_with": "a", )" +
                                mixture + "},\n" + R"({"name": "a", "inputs": [)" + input + "], " + mixture + "}"),
                            "old.json");
    };
    const auto old = read(R"("data")");
    QVERIFY2(old.has_value(), old ? "" : messages(old.error()).c_str());
    std::string layers;
    for (int l = 0; l < (*old)->size(); ++l) {
        layers += " | " + (*old)->layers()[static_cast<std::size_t>(l)].name;
        for (const int in : (*old)->inputs(l)) layers += " " + std::to_string(in);
    }
    QCOMPARE(layers, std::string(" | data | a 0 | a_shared/up 0 | a_shared/gate 2 | a_shared/down 3 | a_sum 1 4"
                                 " | b 5 | b_shared/up 5 | b_shared/gate 7 | b_shared/down 8 | b_sum 6 9 | out 10"));
    const std::int64_t expert = 3 * 3 * 5;  // matrices, width, hidden units; of 64 positions two experts and two shared
    QCOMPARE((*old)->parameters(), 3 * 4 + (4 + 2) * expert);
    QCOMPARE((*old)->multiply_adds(), 2 * 64 * (3 * 4 + (2 + 2) * expert));
    const auto open = read("null");
    QVERIFY(!open && open.error().front().what.find("shared experts of this mixture") != std::string::npos);
    QCOMPARE(open.error().front().at.line, 5);
}

void NetworkFile::random_networks_round_trip() {
    std::mt19937 engine(7);
    const auto integer = [&](std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution<std::int64_t>(low, high)(engine);
    };
    for (int round = 0; round < 300; ++round) {
        NetworkDraft draft;
        draft.name = "n\"\\\n\u00fc" + std::to_string(round);
        if (round % 2) draft.description = "d", draft.source = "s";
        draft.symbols = {{"batch", integer(1, 1000), round % 3 ? "samples" : ""}, {"sequence", integer(1, 1000), ""}};
        for (std::int64_t i = integer(1, 20); i > 0; --i) {
            Layer layer;
            layer.id = LayerId{static_cast<std::uint32_t>(draft.layers.size() + 1)};
            layer.name =
                "block/" + std::string(draft.layers.size() % 2 ? "\t" : "é") + std::to_string(draft.layers.size());
            layer.kind =
                all_kinds()[static_cast<std::size_t>(integer(0, static_cast<std::int64_t>(all_kinds().size()) - 1))];
            if (layer.kind->max_inputs != 0)
                for (std::int64_t k = integer(0, 3); k > 0 && !draft.layers.empty(); --k)
                    layer.inputs.push_back(draft
                                               .layers[static_cast<std::size_t>(
                                                   integer(0, static_cast<std::int64_t>(draft.layers.size()) - 1))]
                                               .id);
            for (const AttributeInfo& info : layer.kind->attributes) {
                const bool keep = integer(0, 1) == 1 && !std::holds_alternative<std::monostate>(info.initial);
                AttributeValue v = info.initial;
                if (!keep) switch (info.type) {
                        case AttributeType::boolean: v = integer(0, 1) == 1; break;
                        case AttributeType::integer: v = integer(info.minimum, 1LL << 31); break;
                        case AttributeType::number: v = std::uniform_real_distribution<double>(-1, 1)(engine); break;
                        case AttributeType::choice:
                            v = std::string(info.choices.substr(info.choices.rfind('|') + 1));
                            break;
                        case AttributeType::text: v = "t\"" + std::to_string(integer(0, 9)); break;
                        case AttributeType::sizes:
                            v = std::vector<std::int64_t>{integer(info.minimum, 9), integer(info.minimum, 9)};
                            break;
                        case AttributeType::padding:
                            if (integer(0, 2) == 0)
                                v = Padding{Padding::Mode::same, 0, 0, 0, 0};
                            else if (integer(0, 1) == 0)
                                v = Padding{Padding::Mode::explicit_sizes, 2, 2, 3, 3};
                            else
                                v = Padding{Padding::Mode::explicit_sizes, integer(0, 3), integer(0, 3), integer(0, 3),
                                            integer(0, 3)};
                            break;
                        case AttributeType::shape:
                            v = std::vector<Dim>{{1, "batch"}, {integer(1, 9), {}}, {integer(1, 4), "sequence"}};
                            break;
                    }
                layer.attributes.push_back(v);
            }
            draft.layers.push_back(std::move(layer));
        }
        const std::string text = write_network(draft);
        const auto again = read_network_draft(text, "random.json");
        QVERIFY2(again.has_value(), again ? "" : (messages(again.error()) + text).c_str());
        QCOMPARE(again->name, draft.name);
        QCOMPARE(again->symbols.size(), draft.symbols.size());
        for (std::size_t i = 0; i < draft.layers.size(); ++i) {
            const Layer &a = draft.layers[i], &b = again->layers[i];
            QVERIFY2(a.id == b.id && a.name == b.name && a.kind == b.kind && a.attributes == b.attributes &&
                         a.inputs == b.inputs,
                     text.c_str());
        }
        QCOMPARE(write_network(*again), text);
    }
}

void NetworkFile::layers_may_stand_in_any_order() {
    const auto network = read_network(net("{\"name\": \"b\", \"kind\": \"flatten\", \"inputs\": [\"a\"]},\n{\"name\": "
                                          "\"a\", \"kind\": \"dense\", \"inputs\": [\"data\"], \"units\": 5}"),
                                      "order.json");
    QVERIFY2(network.has_value(), network ? "" : messages(network.error()).c_str());
    QVERIFY(*(*network)->position("a") < *(*network)->position("b"));
    // Ids are those of the file, whatever the order became.
    QCOMPARE((*network)->layers()[static_cast<std::size_t>(*(*network)->position("b"))].id.value, 2u);
}

void NetworkFile::bad_text_is_one_clear_message_data() {
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < bad_networks().size(); ++i)
        QTest::newRow(bad_networks()[i].name) << static_cast<int>(i);
}

void NetworkFile::bad_text_is_one_clear_message() {
    QFETCH(int, index);
    const Bad& bad = bad_networks()[static_cast<std::size_t>(index)];
    const auto network = read_network(bad.text, "bad.json");
    QVERIFY(!network);
    const Problem& p = network.error().front();
    const std::string all = messages(network.error());
    QCOMPARE(p.severity, Severity::error);
    QVERIFY2(p.at.line == bad.line && p.at.column == bad.column, all.c_str());
    QVERIFY2(contains(p.what, bad.what), all.c_str());
    QVERIFY2(contains(p.remedy, bad.remedy), all.c_str());
    QVERIFY2(!p.what.empty() && !p.remedy.empty(), all.c_str());
    QVERIFY2(p.at.line == 0 || p.at.file == "bad.json", all.c_str());
}

void NetworkFile::every_problem_is_reported() {
    const auto network =
        read_network(net("{\"name\": \"a\", \"kind\": \"flaten\", \"inputs\": [\"data\"]},\n{\"name\": \"b\", "
                         "\"kind\": \"dense\", \"inputs\": [\"a\", \"x\"], \"units\": 0, \"bais\": true}"),
                     "many.json");
    QVERIFY(!network);
    const std::string all = messages(network.error());
    QCOMPARE(network.error().size(), std::size_t{4});
    for (auto part : {"many.json:3:23: layers › a › kind: ", "many.json:4:48: layers › b › inputs: ",
                      "many.json:4:63: layers › b › units: ", "many.json:4:66: layers › b › bais: "})
        QVERIFY2(all.find(part) != std::string::npos, (part + std::string("\n") + all).c_str());
}

void NetworkFile::long_lists_of_problems_end() {
    std::string layers;
    for (int i = 0; i < 5000; ++i)
        layers += "{\"name\": \"l" + std::to_string(i) + "\", \"kind\": \"flatten\", \"inputs\": [\"missing\"]},\n";
    layers += "{\"name\": \"end\", \"kind\": \"flatten\", \"inputs\": [\"data\"]}";
    const auto network = read_network(net(layers), "long.json");
    QVERIFY(!network);
    QVERIFY(network.error().size() <= 201);
    QVERIFY(network.error().back().what.find("more problems") != std::string::npos);
}

void NetworkFile::cut_anywhere_never_crashes() {
    const Library library = load_shipped();
    const std::string text = library.find_network("nin")->text;
    for (std::size_t n = 0; n + 3 < text.size(); ++n) {
        const auto network = read_network(text.substr(0, n), "cut.json");
        QVERIFY(!network);
        QVERIFY2(!network.error().front().remedy.empty(), messages(network.error()).c_str());
    }
}

void NetworkFile::kept_sample_opens() {
    std::ifstream file(SCALESCOPE_TEST_DATA "/formats/v1/network.json");
    std::stringstream text;
    text << file.rdbuf();
    const auto network = read_network(text.str(), "network.json");
    QVERIFY2(network.has_value(), network ? "" : messages(network.error()).c_str());
    QCOMPARE((*network)->size(), 17);
    QCOMPARE((*network)->parameters(), std::int64_t{5906});
    QCOMPARE((*network)->default_batch(), std::int64_t{32});
}

namespace {

std::string rename_size(JsonValue root) {
    return "{\"format\": \"test\", \"version\": 2, \"width\": " + std::string(root.find("size")->source()) + "}";
}
std::string add_height(JsonValue root) {
    return "{\"format\": \"test\", \"version\": 3, \"width\": " + std::string(root.find("width")->source()) +
           ", \"height\": 1}";
}

}  // namespace

void NetworkFile::migrations_lead_to_the_newest() {
    constexpr std::array<Migration, 2> steps{rename_size, add_height};
    const FileFormat format{"test", "test", steps};
    QCOMPARE(format.newest(), 3);
    for (const auto* text :
         {R"({"format": "test", "version": 1, "size": 7})", R"({"format": "test", "version": 2, "width": 7})",
          R"({"format": "test", "version": 3, "width": 7, "height": 1})"}) {
        const auto document = open_document(text, "old.json", format);
        QVERIFY2(document.has_value(), text);
        QCOMPARE(document->root().find("width")->integer(), std::int64_t{7});
        QCOMPARE(document->root().find("height")->integer(), std::int64_t{1});
    }
    QVERIFY(!open_document(R"({"format": "test", "version": 4})", "new.json", format));
    QCOMPARE(open_document(R"({"format": "test", "version": 1, "size": 7})", "old.json", format)->file(),
             std::string("old.json (brought from version 1 to 3)"));
}

void NetworkFile::peeking_agrees_with_parsing() {
    QCOMPARE(format_of(R"({"a": {"format": "x", "b": ["]}"]}, "format" : "y"})"), std::string("y"));
    QCOMPARE(format_of("\xEF\xBB\xBF{\"format\": \"y\"}"), std::string("y"));
    QCOMPARE(peek_text(R"({"name": "a\"b"})", "name"), std::string());
    for (auto text :
         {"", "{", "{\"format\"", "{\"format\":", "[1]", "{\"a\": 1 2}", "{\"a\": [[[", "\"", "{\"a\": \"\\"})
        QCOMPARE(format_of(text), std::string());
    QCOMPARE(static_cast<int>(peek_kind(R"({"a": 1, "layers": {"x": 2}})", "layers")),
             static_cast<int>(JsonKind::object));
    QCOMPARE(static_cast<int>(peek_kind(R"({"a": 1, "layers": []})", "layers")), static_cast<int>(JsonKind::array));
}

/// Every layer can be counted, but not all of them together; and what is said of the network as a whole names its file.
void NetworkFile::a_network_too_large_is_said_with_file_and_layer() {
    const std::string head = R"({"format": "scalescope-network", "version": 1, "name": "n", "layers": [)";
    std::string text = head + R"({"name": "c0", "kind": "input", "shape": ["batch", 1024, 1024, 1024]})";
    for (int i = 1; i <= 300; ++i)
        text +=
            ",\n"
            R"({"name": "c)" +
            std::to_string(i) + R"(", "kind": "convolution", "inputs": ["c)" + std::to_string(i - 1) +
            R"("], "filters": 1024, "kernel": [63, 63], "padding": "same"})";
    const auto large = read_any_network(text + "]}", "large.json");
    QVERIFY(!large);
    QCOMPARE(QString::fromStdString(to_text(large.error().front())).section(QLatin1Char(';'), 0, 0),
             QStringLiteral(
                 "large.json:266:1: c265: The network is too large to count: up to this layer its totals overflow"));
    for (const std::string& empty : {head, head + R"({"name": "p", "kind": "parameter", "shape": ["batch", 3]})"}) {
        const auto none = read_any_network(empty + "]}", "none.json");
        QVERIFY(!none);
        QVERIFY2(to_text(none.error().front()).find("none.json") == 0, to_text(none.error().front()).c_str());
    }
}

QTEST_APPLESS_MAIN(NetworkFile)
#include "tst_network_file.moc"
