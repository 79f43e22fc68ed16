// SPDX-License-Identifier: GPL-3.0-or-later
// ONNX: what a file leaves open is a size of the network, and layers follow it; where they cannot, the file is read
// again.
#include <QtTest>

#include "core/formats/library.hpp"
#include "core/formats/network_json.hpp"
#include "core/formats/onnx/onnx_import.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/scenario/symbol_fields.hpp"
#include "core/support_library.hpp"
#include "core/support_networks.hpp"
#include "core/support_onnx.hpp"

using namespace scalescope;
using namespace scalescope::formats;
using namespace support::by_hand;

namespace {

const std::vector<std::string> sequence{"sequence"};
constexpr int whole = 7;

/// x of N × sequence × 8; 64 products each; two heads of 4, each row with each other row.
std::string attention_net() {
    std::string g = value(11, "x", {-1, -2, 8}, 1, sequence) + weights("w", {8, 8}) + whole_numbers("s", {0, -1, 2, 4});
    g += node("MatMul", {"x", "w"}, "p") + node("Reshape", {"p", "s"}, "r");
    g += node("Transpose", {"r"}, "q", ints("perm", {0, 2, 1, 3}));
    g += node("Transpose", {"r"}, "k", ints("perm", {0, 2, 3, 1}));
    return g + node("MatMul", {"q", "k"}, "y");
}
std::int64_t attention_work(std::int64_t n) { return n * 64 + 2 * n * n * 4; }

/// As many rows of a table of 512 as x has are added to it, then 64 products each.
std::string positions_net() {
    std::string g = value(11, "x", {-1, -2, 8}, 1, sequence) + weights("w", {8, 8}) + weights("table", {512, 8});
    g += whole_numbers("zero", {0}) + whole_numbers("one", {1});
    g += node("Shape", {"x"}, "shape") + node("Gather", {"shape", "one"}, "n");
    g += node("Slice", {"table", "zero", "n", "zero"}, "rows") + node("Add", {"x", "rows"}, "sum");
    return g + node("MatMul", {"sum", "w"}, "y");
}

/// One product for each round; how many there are is an input.
std::string loop_net() {
    const auto scalar = [](unsigned field, const std::string& name, int type) { return value(field, name, {}, type); };
    const std::string body = scalar(11, "i", 7) + scalar(11, "go", 9) + value(11, "a", {-1, 4}) +
                             node("Identity", {"go"}, "on") + node("MatMul", {"a", "w"}, "b") + scalar(12, "on", 9) +
                             value(12, "b", {-1, 4});
    return value(11, "x", {-1, 4}) + scalar(11, "n", 7) + weights("w", {4, 4}) +
           node("Loop", {"n", "", "x"}, "y", graph("body", body));
}

/// Sound of an open length in pieces, of which there must be 5: as models that are made for one length have it.
std::string pieces_net(std::int64_t piece = 96) {
    std::string g = value(11, "input", {-1, -2}, 1, sequence) + weights("w", {piece, 4}) + weights("v", {20, 3});
    g += whole_numbers("pieces", {0, 5, piece}) + whole_numbers("flat", {0, 20});
    g += node("Reshape", {"input", "pieces"}, "p") + node("MatMul", {"p", "w"}, "q");
    return g + node("Reshape", {"q", "flat"}, "r") + node("MatMul", {"r", "v"}, "y");
}

/// An image whose four dimensions are all open: the filters say how many channels there are, the product behind them
/// how large it is.
std::string image_net() {
    const std::vector<std::string> names{"c", "h", "w"};
    std::string g = value(11, "image", {-1, -2, -3, -4}, 1, names) + weights("f", {4, 6, 3, 3});
    g += weights("m", {4 * 30 * 30, 5}) + node("Conv", {"image", "f"}, "a");
    return g + node("Flatten", {"a"}, "b") + node("MatMul", {"b", "m"}, "y");
}

/// Tokens and a table of `positions`, whose rows are added: all of them, or as many as there are tokens.
std::string text_net(std::int64_t positions, bool sliced) {
    std::string g = value(11, "ids", {-1, -2}, 7, {"sequence_length"}) + weights("words", {100, 8});
    g += weights("w", {8, 8}) + node("Gather", {"words", "ids"}, "a");
    if (sliced) {
        g += weights("table", {positions, 8}) + whole_numbers("zero", {0}) + whole_numbers("one", {1});
        g += node("Shape", {"ids"}, "shape") + node("Gather", {"shape", "one"}, "n");
        g += node("Slice", {"table", "zero", "n", "zero"}, "p");
    } else {
        g += weights("p", {1, positions, 8});
    }
    return g + node("Add", {"a", "p"}, "sum") + node("MatMul", {"sum", "w"}, "y");
}

/// An image in square patches with a table of their positions.
std::string patches_net(std::int64_t patch, std::int64_t positions) {
    const std::vector<std::string> names{"num_channels", "height", "width"};
    std::string g = value(11, "pixels", {-1, -2, -3, -4}, 1, names) + weights("f", {8, 3, patch, patch});
    g += weights("p", {1, positions, 8}) + weights("w", {8, 8}) + whole_numbers("s", {0, 8, -1});
    g += node("Conv", {"pixels", "f"}, "a", ints("strides", {patch, patch})) + node("Reshape", {"a", "s"}, "b");
    g += node("Transpose", {"b"}, "c", ints("perm", {0, 2, 1})) + node("Add", {"c", "p"}, "d");
    return g + node("MatMul", {"d", "w"}, "y");
}

/// An image whose filters of 11 × 11 leave 56 × 56 places, with steps of 4 and without padding.
std::string steps_net() {
    std::string g = value(11, "image", {-1, -2, -3, -4}, 1, {"C", "H", "W"}) + weights("f", {8, 3, 11, 11});
    g += weights("m", {8 * 56 * 56, 10}) + node("Conv", {"image", "f"}, "a", ints("strides", {4, 4}));
    return g + node("Flatten", {"a"}, "b") + node("MatMul", {"b", "m"}, "y");
}

/// Frames of sound, halved with padding, with a table of 1500 positions.
std::string frames_net() {
    std::string g = value(11, "x", {-1, -2, -3}, 1, {"feature_size", "encoder_sequence_length"});
    g += weights("f", {16, 80, 3}) + weights("h", {16, 16, 3}) + weights("p", {1500, 16}) + weights("w", {16, 16});
    g += node("Conv", {"x", "f"}, "a", ints("pads", {1, 1}));
    g += node("Conv", {"a", "h"}, "b", ints("pads", {1, 1}) + ints("strides", {2}));
    g += node("Transpose", {"b"}, "c", ints("perm", {0, 2, 1})) + node("Add", {"c", "p"}, "d");
    return g + node("MatMul", {"d", "w"}, "y");
}

/// Two inputs that are 137 columns together.
std::string columns_net() {
    std::string g = value(11, "x", {-1, -2}, 1, {"a"}) + value(11, "z", {-1, -2}, 1, {"b"}) + weights("w", {137, 4});
    return g + node("Concat", {"x", "z"}, "c", integer("axis", 1)) + node("MatMul", {"c", "w"}, "y");
}

/// A recurrent layer whose state has a batch of another name.
std::string state_net() {
    std::string g = value(11, "x", {-2, -1, 8}, 1, {"frames"}) + value(11, "state", {1, -2, 4}, 1, {"state_1"});
    g += weights("w", {1, 12, 8}) + weights("r", {1, 12, 4});
    return g + node("GRU", {"x", "w", "r", "", "", "state"}, std::vector<std::string>{"y", "last"});
}

/// Fits at 1 alone, as 1 fits everything: nothing says what x is made for.
std::string ones_net() {
    std::string g = value(11, "x", {-1, -2, 1}, 1, sequence) + weights("u", {3, 5}) + weights("v", {7, 5});
    return g + node("Mul", {"x", "u"}, "a") + node("Mul", {"x", "v"}, "y");
}

/// A decoder that keeps one state whatever the batch is.
std::string one_sample_net(const std::string& batch) {
    std::string g = value(11, "tokens", {-2, -3, 8}, 1, {batch, "sequence"}) + weights("w", {8, 8});
    g += weights("state", {1, 8}) + whole_numbers("s", {1, -1, 2, 4}) + whole_numbers("last", {0, 8});
    g += node("ReduceMean", {"tokens"}, "m", ints("axes", {1}) + integer("keepdims", 0));
    g += node("Concat", {"m", "state"}, "both", integer("axis", 1));
    g += weights("u", {16, 8}) + node("MatMul", {"both", "u"}, "n");
    return g + node("Reshape", {"tokens", "s"}, "r") + node("MatMul", {"n", "w"}, "y");
}

std::shared_ptr<const Network> read(const std::string& graph, Problems* warnings = nullptr,
                                    std::span<const Binding> sizes = {}) {
    const auto network = read_any_network(model(graph), "open.onnx", warnings, {}, sizes);
    if (!network) qFatal("%s", text_of(network.error()).c_str());
    return *network;
}

std::shared_ptr<const Network> at(const Network& network, const std::string& symbol, std::int64_t value) {
    const std::vector<Binding> sizes{{symbol, value}};
    const auto other = network.with(sizes);
    if (!other) qFatal("%s", text_of(other.error()).c_str());
    return *other;
}

}  // namespace

class OnnxSizes : public QObject {
    Q_OBJECT
private slots:
    void dimensions_follow();
    void a_file_keeps_them();
    void a_slice_follows_by_reading_again();
    void a_factor_goes_with_the_size();
    void rounds_are_asked();
    void what_does_not_fit_is_said();
    void a_size_without_another_is_a_number();
    void what_is_known_before_reading_comes_first();
    void a_size_that_fits_is_found();
    void a_table_decides_the_sizes_data();
    void a_table_decides_the_sizes();
    void a_state_follows_the_batch();
    void one_is_a_last_resort();
    void filters_decide_the_channels();
    void a_model_for_one_sample();
    void no_size_that_fits();
    void a_scenario_reads_at_its_sizes();
    void a_scenario_names_the_file_that_is_wrong();
    void all_tokens_are_those_before_and_those_now();
    void a_scenario_sets_them();
    void what_is_saved_has_numbers();
};

void OnnxSizes::dimensions_follow() {
    Problems warnings;
    const auto network = read(attention_net(), &warnings);
    QVERIFY(!network->draft().remade_by);
    QCOMPARE(network->bindings().size(), std::size_t{1});
    QCOMPARE(network->bindings()[0], (Binding{"sequence", 128}));
    QVERIFY2(text_of(warnings).find("symbols.sequence") != std::string::npos, text_of(warnings).c_str());
    QCOMPARE(network->multiply_adds(), attention_work(128));
    for (const std::int64_t n : {1, 7, 64, 1000}) {
        const auto other = at(*network, "sequence", n);
        QCOMPARE(other->multiply_adds(), attention_work(n));
        QCOMPARE(other->facts().back().output, (Shape{2, n, n}));
        QCOMPARE(other->parameters(), 64);
    }
}

void OnnxSizes::a_file_keeps_them() {
    const auto again = read_network_draft(write_network(read(attention_net())->draft()), "again.json");
    QVERIFY2(again.has_value(), again ? "" : text_of(again.error()).c_str());
    const std::vector<Binding> sizes{{"sequence", 64}};
    const auto network = Network::make(*again, sizes);
    QVERIFY(network.has_value());
    QCOMPARE((*network)->multiply_adds(), attention_work(64));
}

/// The rows taken are a number in their layer; at another length it is another number.
void OnnxSizes::a_slice_follows_by_reading_again() {
    const auto network = read(positions_net());
    QVERIFY(network->draft().remade_by != nullptr);
    QCOMPARE(network->multiply_adds(), 128 * 64);
    const auto other = at(*network, "sequence", 50);
    QCOMPARE(other->multiply_adds(), 50 * 64);
    QCOMPARE(other->parameters(), network->parameters());
    QCOMPARE(other->bindings()[0], (Binding{"sequence", 50}));
    QVERIFY(network->same_draft(*other));
    for (const Layer& l : network->layers()) {
        const auto position = other->position(l.id);
        QVERIFY(position.has_value());
        QCOMPARE(other->layers()[static_cast<std::size_t>(*position)].name, l.name);
    }
    QCOMPARE(at(*other, "sequence", 128)->multiply_adds(), 128 * 64);
    // Known from the beginning, it is the same.
    const auto draft = import_onnx_network(model(positions_net()), "open.onnx");
    const std::vector<Binding> sizes{{"sequence", 50}};
    QVERIFY(draft.has_value());
    QCOMPARE((*Network::make(*draft, sizes))->multiply_adds(), 50 * 64);
}

/// A loop whose rounds only the data know goes round once, until somebody says how often: 16 products each.
/// An image of any size, made 3/2 as high and 3/4 as wide, sizes rounded down; of given sizes it would be read again.
void OnnxSizes::a_factor_goes_with_the_size() {
    const std::vector<std::string> names{"height", "width"};
    const std::string x = value(11, "x", {-1, 4, -2, -3}, 1, names), linear = text("mode", "linear");
    const std::string by_input =
        x + real_numbers("f", {1, 1, 1.5F, 0.75F}) + node("Resize", {"x", "", "f"}, "y", linear);
    const std::string by_axes =
        x + real_numbers("f", {0.75F, 1.5F}) + node("Resize", {"x", "", "f"}, "y", linear + ints("axes", {3, -2}));
    for (const std::string& g : {by_input, by_axes}) {
        const auto network = read(g);
        QVERIFY(!network->draft().remade_by);
        QCOMPARE(network->layers().back().kind->name, std::string_view("resize"));
        for (const auto& [h, w, high, wide] : std::vector<std::array<std::int64_t, 4>>{{12, 8, 18, 6}, {7, 9, 10, 6}}) {
            const std::vector<Binding> sizes{{"height", h}, {"width", w}};
            const auto other = network->with(sizes);
            QVERIFY2(other.has_value(), other ? "" : text_of(other.error()).c_str());
            QCOMPARE((*other)->facts().back().output, (Shape{high, wide, 4}));
        }
    }
    // a third, kept in 32 bits
    const auto third = read(x + real_numbers("f", {1, 1, 1.F / 3, 2.F / 3}) + node("Resize", {"x", "", "f"}, "y"));
    const std::vector<Binding> sizes{{"height", 9}, {"width", 11}};
    QCOMPARE((*third->with(sizes))->facts().back().output, (Shape{3, 7, 4}));
}

void OnnxSizes::rounds_are_asked() {
    Problems warnings;
    const auto network = read(loop_net(), &warnings);
    QCOMPARE(network->bindings().size(), std::size_t{1});
    QCOMPARE(network->bindings()[0], (Binding{"the_Loop_rounds", 1}));
    QVERIFY2(text_of(warnings).find("symbols.the_Loop_rounds") != std::string::npos, text_of(warnings).c_str());
    QCOMPARE(network->multiply_adds(), 16);
    const auto five = at(*network, "the_Loop_rounds", 5);
    QCOMPARE(five->multiply_adds(), 5 * 16);
    QCOMPARE(five->parameters(), 16);
    QVERIFY(five->position(network->layers().back().id).has_value());
    const std::vector<Binding> many{{"the_Loop_rounds", 1'000'000}};
    const auto refused = network->with(many);
    QVERIFY(!refused.has_value());
    QVERIFY2(text_of(refused.error()).find("smaller") != std::string::npos, text_of(refused.error()).c_str());
}

void OnnxSizes::what_does_not_fit_is_said() {
    const auto network = read(positions_net());
    const std::vector<Binding> long_one{{"sequence", 600}}, none{{"length", 5}}, zero{{"sequence", 0}};
    for (const auto& sizes : {long_one, none, zero}) {
        const auto other = network->with(sizes);
        QVERIFY(!other.has_value());
        QVERIFY(!other.error()[0].remedy.empty());
    }
}

/// Channels that the filters decide: no other number of them fits.
void OnnxSizes::a_size_without_another_is_a_number() {
    Problems warnings;
    const auto network = read(
        value(11, "x", {-1, -2, 8, 8}, 1, {"channel"}) + weights("w", {4, 3, 3, 3}) + node("Conv", {"x", "w"}, "y"),
        &warnings);
    QVERIFY(network->bindings().empty());
    QCOMPARE(network->multiply_adds(), 6 * 6 * 4 * 27);
    QVERIFY2(text_of(warnings).find("no other size was found") != std::string::npos, text_of(warnings).c_str());
}

/// 480 is the only length that fits: whoever names it need not hope that it is found, and it stays a size to be set.
void OnnxSizes::what_is_known_before_reading_comes_first() {
    const std::vector<Binding> sizes{{"sequence", 480}, {"nobody", 7}};
    Problems warnings;
    const auto network = read(pieces_net(), &warnings, sizes);
    QCOMPARE(network->multiply_adds(), 5 * 96 * 4 + 20 * 3);
    QCOMPARE(network->bindings().size(), std::size_t{1});
    QCOMPARE(network->bindings()[0], (Binding{"sequence", 480}));
    QVERIFY2(warnings.empty(), text_of(warnings).c_str());
    const std::vector<Binding> wrong{{"sequence", 481}};
    const auto refused = network->with(wrong);
    QVERIFY(!refused && !refused.error()[0].remedy.empty());
    const auto unread = read_any_network(model(pieces_net()), "open.onnx", nullptr, {}, wrong);
    QVERIFY(!unread);
    QVERIFY2(text_of(unread.error()).find("Reshape") != std::string::npos, text_of(unread.error()).c_str());
}

void OnnxSizes::a_size_that_fits_is_found() {
    Problems warnings;
    const auto network = read(pieces_net(), &warnings);
    QCOMPARE(network->multiply_adds(), 5 * 96 * 4 + 20 * 3);
    QVERIFY2(text_of(warnings).find("\"sequence\" open; 480 is taken") != std::string::npos, text_of(warnings).c_str());
    // Of no list of usual sizes.
    QCOMPARE(read(pieces_net(97))->multiply_adds(), 5 * 97 * 4 + 20 * 3);
}

void OnnxSizes::a_table_decides_the_sizes_data() {
    QTest::addColumn<std::string>("graph");
    QTest::addColumn<qint64>("work");
    const auto row = [](const char* name, const std::string& graph, qint64 work) {
        QTest::newRow(name) << graph << work;
    };
    row("77 positions", text_net(77, false), 77 * 64);
    row("77 positions, as many as tokens", text_net(77, true), 77 * 64);
    const auto image = [](qint64 patch, qint64 side) { return side * side * (8 * 3 * patch * patch + 64); };
    row("384 pixels in patches of 16", patches_net(16, 24 * 24), image(16, 24));
    row("336 pixels in patches of 14", patches_net(14, 24 * 24), image(14, 24));
    row("392 pixels in patches of 14", patches_net(14, 28 * 28), image(14, 28));
    row("518 pixels in patches of 14", patches_net(14, 37 * 37), image(14, 37));
    row("231 pixels", steps_net(), 56 * 56 * 8 * (3 * 121 + 10));
    row("3000 frames", frames_net(), 3000 * 16 * 80 * 3 + 1500 * (16 * 16 * 3 + 256));
    row("137 columns", columns_net(), 137 * 4);
    row("45 channels of a recurrent layer",
        value(11, "x", {-2, -1, -3}, 1, {"time", "c"}) + weights("w", {1, 12, 45}) + weights("r", {1, 12, 4}) +
            node("GRU", {"x", "w", "r"}, "y"),
        128 * 12 * (45 + 4));
}

/// Sizes from what the weights are made for, not the small ones that fit by broadcasting.
void OnnxSizes::a_table_decides_the_sizes() {
    QFETCH(std::string, graph);
    QFETCH(qint64, work);
    Problems warnings;
    QCOMPARE(read(graph, &warnings)->multiply_adds(), work);
    const auto size_taken = [&](const char* taken) { return text_of(warnings).find(taken) != std::string::npos; };
    const std::string row = QTest::currentDataTag();
    if (row.starts_with("518")) QVERIFY2(size_taken("\"height\" open; 518 "), text_of(warnings).c_str());
    if (row.starts_with("231")) QVERIFY2(size_taken("\"W\" open; 231 "), text_of(warnings).c_str());
    if (row.starts_with("3000")) QVERIFY2(size_taken("length\" open; 3000 "), text_of(warnings).c_str());
}

/// The state of a recurrent layer is one of each sample, whatever the file calls them.
void OnnxSizes::a_state_follows_the_batch() {
    Problems warnings;
    const auto network = read(state_net(), &warnings);
    QCOMPARE(network->multiply_adds(), 128 * (8 + 4) * 12);
    QCOMPARE(network->bindings().size(), std::size_t{1});
    QCOMPARE(network->bindings()[0], (Binding{"frames", 128}));
    QCOMPARE(at(*network, "frames", 50)->multiply_adds(), 50 * (8 + 4) * 12);
    QVERIFY2(text_of(warnings).find("state_1") == std::string::npos, text_of(warnings).c_str());
    // Another number is refused, not passed over.
    const auto refused =
        read_any_network(model(value(11, "x", {7, 3, 8}) + value(11, "state", {1, 5, 4}) + weights("w", {1, 12, 8}) +
                               weights("r", {1, 12, 4}) + node("GRU", {"x", "w", "r", "", "", "state"}, "y")),
                         "open.onnx");
    QVERIFY(!refused);
    QVERIFY2(text_of(refused.error()).find("state is of 5 samples") != std::string::npos,
             text_of(refused.error()).c_str());
}

void OnnxSizes::one_is_a_last_resort() {
    Problems warnings;
    const auto network = read(ones_net(), &warnings);
    QCOMPARE(network->facts().back().output, (Shape{7, 5}));
    QVERIFY2(text_of(warnings).find("only with a size of 1 (sequence)") != std::string::npos,
             text_of(warnings).c_str());
}

void OnnxSizes::filters_decide_the_channels() {
    const auto network = read(image_net());
    QCOMPARE(network->parameters(), 4 * 6 * 9 + 4 * 30 * 30 * 5);
    QCOMPARE(network->facts()[0].output, (Shape{32, 32, 6}));
    QCOMPARE(network->multiply_adds(), 30 * 30 * 4 * 6 * 9 + 4 * 30 * 30 * 5);
}

void OnnxSizes::a_model_for_one_sample() {
    for (const char* batch : {"batch_size", "n"}) {
        Problems warnings;
        const auto network = read(one_sample_net(batch), &warnings);
        QCOMPARE(network->multiply_adds(), 16 * 8 + 8 * 8);
        QCOMPARE(network->bindings()[0].symbol, std::string("sequence"));
        QVERIFY2(text_of(warnings).find("one sample") != std::string::npos, text_of(warnings).c_str());
    }
}

/// The message says which sizes are open, and what to do; then what does not fit.
void OnnxSizes::no_size_that_fits() {
    const std::string never = value(11, "x", {-1, -2}, 1, sequence) + weights("w", {8, 8}) + weights("v", {9, 8}) +
                              node("MatMul", {"x", "w"}, "a") + node("MatMul", {"x", "v"}, "b") +
                              node("Add", {"a", "b"}, "y");
    const auto refused = read_any_network(model(never), "open.onnx");
    QVERIFY(!refused);
    const std::string first = to_text(refused.error().front()), all = text_of(refused.error());
    QVERIFY2(first.find("leaves sizes open (sequence)") != std::string::npos, first.c_str());
    QVERIFY2(first.find("symbols › sequence") != std::string::npos, first.c_str());
    // The size that does not fit is no advice; nor is an option of the command line, in the window.
    QVERIFY2(first.find("128") == std::string::npos && first.find("--") == std::string::npos, first.c_str());
    QVERIFY2(all.find("MatMul") != std::string::npos, all.c_str());
}

/// A scenario that names a file and a size: the file is read at that size.
void OnnxSizes::a_scenario_reads_at_its_sizes() {
    const auto file = [](const std::filesystem::path&) -> Result<std::string> { return model(pieces_net()); };
    const std::string text = R"({"format": "scalescope-scenario", "version": 1, "workload": [
        {"network": {"file": "open.onnx"}, "symbols": {"sequence": 480}}], "training": {"batch": 4},
        "cluster": {"device": "K20", "workers": 1, "inside": "pcie-3-x16", "between": "ethernet-10g"}})";
    const auto read = read_scenario(text, "s.json", support::library(), file);
    QVERIFY2(read.has_value(), read ? "" : text_of(read.error()).c_str());
    QCOMPARE(read->scenario.workload[0].network->bindings()[0], (Binding{"sequence", 480}));
}

/// Problems of a network stand in its own file, though it has no lines.
void OnnxSizes::a_scenario_names_the_file_that_is_wrong() {
    std::string g = value(11, "x", {-1, 1024, 1024, 1024});
    for (int i = 0; i < 300; ++i) {
        const std::string n = std::to_string(i), filter = "w" + n;
        g += weights(filter, {1024, 1024, 63, 63}) + node("Conv", {i == 0 ? "x" : "y" + std::to_string(i - 1), filter},
                                                          "y" + n, ints("pads", {31, 31, 31, 31}));
    }
    const auto file = [&](const std::filesystem::path&) -> Result<std::string> { return model(g); };
    const std::string text = R"({"format": "scalescope-scenario", "version": 1, "workload": [
        {"network": {"file": "big.onnx"}}], "training": {"batch": 4},
        "cluster": {"device": "K20", "workers": 1, "inside": "pcie-3-x16", "between": "ethernet-10g"}})";
    const auto read = read_scenario(text, "s.json", support::library(), file);
    QVERIFY(!read);
    const std::string first = to_text(read.error().front());
    QVERIFY2(first.starts_with("big.onnx: the Conv") && first.find("too large to count") != std::string::npos,
             first.c_str());
}

/// The mask of a decoder is as long as both together: no size of its own.
void OnnxSizes::all_tokens_are_those_before_and_those_now() {
    const std::vector<std::string> names{"sequence_length", "past_sequence_length", "total_sequence_length"};
    std::string g = value(11, "x", {-1, -2, 8}, 1, names) + value(11, "past", {-1, -3, 8}, 1, names) +
                    value(11, "mask", {-1, -4, 1}, 1, names);
    g += node("Concat", {"past", "x"}, "all", integer("axis", 1)) + node("Mul", {"all", "mask"}, "y");
    const auto network = read(g);
    QCOMPARE(network->bindings().size(), std::size_t{2});
    const std::vector<Binding> sizes{{"sequence_length", 1}, {"past_sequence_length", 99}};
    const auto other = network->with(sizes);
    QVERIFY2(other.has_value(), other ? "" : text_of(other.error()).c_str());
    QCOMPARE((*other)->facts().back().output, (Shape{100, 8}));
}

void OnnxSizes::a_scenario_sets_them() {
    for (const auto& graph : {attention_net(), positions_net()}) {
        Scenario s = support::scenario(read(graph));
        const Scenario before = s;
        const auto& catalogue = support::library().catalogue;
        QVERIFY(set_field(s, "symbols.sequence", "64", catalogue).has_value());
        QCOMPARE(s.workload[0].network->bindings()[0].value, 64);
        QVERIFY(!(s == before));
        const auto changed = changed_symbols(before, s);
        QVERIFY(changed.has_value());
        QCOMPARE(*changed, std::vector<std::string>{"sequence"});
        QVERIFY(set_field(s, "symbols.sequence", "128", catalogue).has_value());
        QVERIFY(s == before);
    }
}

/// What only the file could change is a number in a scenario's file, of the size it had.
void OnnxSizes::what_is_saved_has_numbers() {
    Scenario s = support::scenario(at(*read(positions_net()), "sequence", 50));
    s.workload[0].origin = "open.onnx";
    const auto again = read_scenario(write_scenario(s, support::library()), "s.json", support::library());
    QVERIFY2(again.has_value(), again ? "" : text_of(again.error()).c_str());
    const Network& network = *again->scenario.workload[0].network;
    QCOMPARE(network.multiply_adds(), 50 * 64);
    QVERIFY(network.bindings().empty());
    const NetworkDraft drawn = settled(read(positions_net())->draft());
    QVERIFY(!drawn.remade_by);
    QCOMPARE(drawn.symbols.size(), std::size_t{1});
}

QTEST_APPLESS_MAIN(OnnxSizes)
#include "tst_onnx_sizes.moc"
