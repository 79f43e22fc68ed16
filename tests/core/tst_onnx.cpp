// SPDX-License-Identifier: GPL-3.0-or-later
// ONNX: bytes made by hand, broken ones, files too large to read, and a fixed batch made free.
#include <QtTest>
#include <bit>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "core/formats/input_file.hpp"
#include "core/formats/library.hpp"
#include "core/formats/onnx/model.hpp"
#include "core/formats/onnx/onnx_import.hpp"
#include "core/formats/onnx/wire.hpp"
#include "core/support_onnx.hpp"

using namespace scalescope;
using namespace scalescope::formats;
using namespace support::by_hand;
namespace fs = std::filesystem;

namespace {

/// 3×8×8 images, 4 filters of 3×3, then all of it to 10 units.
std::string small_net(std::int64_t batch, bool fixed_reshape) {
    std::string g =
        value(11, "x", {batch, 3, 8, 8}) + weights("w", {4, 3, 3, 3}) + weights("b", {4}) + weights("v", {256, 10});
    g += node("Conv", {"x", "w", "b"}, "c", ints("pads", {1, 1, 1, 1}));
    g += node("Relu", {"c"}, "r");
    if (fixed_reshape) {
        g += whole_numbers("s", {batch, 256});
        g += node("Reshape", {"r", "s"}, "f");
    } else {
        g += node("Flatten", {"r"}, "f");
    }
    return g + node("MatMul", {"f", "v"}, "y") + value(12, "y", {batch, 10});
}

/// What this process has read so far; 0 where the kernel does not count it.
std::uint64_t bytes_read() {
    std::ifstream counts("/proc/self/io");
    std::string name;
    std::uint64_t count = 0;
    return counts >> name >> count && name == "rchar:" ? count : 0;
}

}  // namespace

class Onnx : public QObject {
    Q_OBJECT
private slots:
    void counts_by_hand();
    void a_fixed_batch_is_made_free_data();
    void a_fixed_batch_is_made_free();
    void broken_files_say_where();
    void nodes_that_do_not_fit_are_named();
    void it_is_recognised_by_its_content();
    void large_payloads_are_never_read();
    void loops_of_known_length_share_their_weights();
};

/// Convolution: 8·8·4·27 products, 112 parameters; dense without bias: 2560 of both.
void Onnx::counts_by_hand() {
    const auto network = read_any_network(model(small_net(-1, false)), "net.onnx");
    QVERIFY2(network.has_value(), network ? "" : text_of(network.error()).c_str());
    QCOMPARE((*network)->parameters(), 112 + 2560);
    QCOMPARE((*network)->multiply_adds(), 8 * 8 * 4 * 27 + 2560);
    QCOMPARE((*network)->unknown_kinds(), 0);
    const auto position = (*network)->position("the Conv");
    QVERIFY(position.has_value());
    QCOMPARE((*network)->facts()[static_cast<std::size_t>(*position)].output, (Shape{8, 8, 4}));
}

void Onnx::a_fixed_batch_is_made_free_data() {
    QTest::addColumn<int>("batch");
    for (const int n : {1, 4, 8}) QTest::addRow("%d", n) << n;
}

/// A reshape to batch × 256 written as numbers is the same for one sample as a flattening.
void Onnx::a_fixed_batch_is_made_free() {
    QFETCH(int, batch);
    Problems warnings;
    const auto fixed = read_any_network(model(small_net(batch, true)), "net.onnx", &warnings);
    QVERIFY2(fixed.has_value(), fixed ? "" : text_of(fixed.error()).c_str());
    QCOMPARE((*fixed)->multiply_adds(), 8 * 8 * 4 * 27 + 2560);
    QCOMPARE((*fixed)->default_batch(), batch);
    QCOMPARE((*fixed)->facts().back().output, (Shape{10}));
    QVERIFY2(warnings.empty(), text_of(warnings).c_str());
}

void Onnx::broken_files_say_where() {
    const std::string whole = model(small_net(2, false));
    for (std::size_t length = 1; length < whole.size(); ++length) {
        const auto network = read_any_network(whole.substr(0, length), "cut.onnx");
        if (network) continue;  // a model may end behind any field of its own
        QVERIFY2(!network.error().empty() && !network.error()[0].remedy.empty(), text_of(network.error()).c_str());
    }
    const auto cut = import_onnx_network(whole.substr(0, 60), "cut.onnx");
    QVERIFY(!cut.has_value());
    QVERIFY2(text_of(cut.error()).find("cut.onnx: The file is no whole ONNX model: at byte") != std::string::npos,
             text_of(cut.error()).c_str());
}

void Onnx::nodes_that_do_not_fit_are_named() {
    const std::string missing = value(11, "x", {1, 4}) + node("Relu", {"z"}, "y");
    auto network = read_any_network(model(missing), "net.onnx");
    QVERIFY(!network.has_value());
    const std::string says = "net.onnx: nodes › 1 › Relu \"the Relu\": No node before it makes its input \"z\"";
    QVERIFY2(text_of(network.error()).find(says) != std::string::npos, text_of(network.error()).c_str());
    const std::string misfit = value(11, "x", {1, 4}) + weights("w", {5, 2}) + node("MatMul", {"x", "w"}, "y");
    network = read_any_network(model(misfit), "net.onnx");
    QVERIFY(!network.has_value());
    QVERIFY2(text_of(network.error()).find("4 columns meet 5 rows") != std::string::npos,
             text_of(network.error()).c_str());
}

void Onnx::it_is_recognised_by_its_content() {
    QVERIFY(is_onnx_network(model(small_net(1, false))));
    for (const char* other : {"", "{\"format\": 1}", "name: \"net\"\nlayer { }", "PK\x03\x04",
                              "\x7f"
                              "ELF",
                              ":0", "\n", "#!/bin/sh", "input: 'data'"})
        QVERIFY2(!is_onnx_network(other), other);
}

/// A file of 2.5 GB, most of it a hole that a reader of all of it would notice.
void Onnx::large_payloads_are_never_read() {
    const fs::path path = fs::temp_directory_path() / "scalescope-large.onnx";
    constexpr std::uint64_t payload = 2'500'000'000;
    std::string before = value(11, "x", {1, 25000}) + node("MatMul", {"x", "w"}, "y");
    std::string tensor = part(1, packed({25000, 25000})) + number(2, 1) + part(8, "w");
    onnx::write_varint(tensor, 9 << 3 | 2);
    onnx::write_varint(tensor, payload);
    std::string initializer;
    onnx::write_varint(initializer, 5 << 3 | 2);
    onnx::write_varint(initializer, tensor.size() + payload);
    std::string head_of_graph;
    onnx::write_varint(head_of_graph, 7 << 3 | 2);
    onnx::write_varint(head_of_graph, before.size() + initializer.size() + tensor.size() + payload);
    {
        std::ofstream file(path, std::ios::binary);
        file << number(1, 8) << head_of_graph << before << initializer << tensor;
    }
    std::error_code error;
    const auto head = fs::file_size(path);
    fs::resize_file(path, head + payload, error);
    if (error) QSKIP("no sparse files here");
    {
        std::ofstream file(path, std::ios::binary | std::ios::app);
        file << part(8, number(2, 13));
    }
    const std::uint64_t before_reading = bytes_read();
    const auto text = read_input_file(path);
    const std::uint64_t read = bytes_read() - before_reading;
    fs::remove(path);
    QVERIFY2(text.has_value(), text ? "" : text_of(text.error()).c_str());
    QVERIFY2(text->size() < 1000, "what is kept is small");
    QVERIFY2(read < 1'000'000, "the weights were read");
    const auto network = read_any_network(*text, "large.onnx");
    QVERIFY2(network.has_value(), network ? "" : text_of(network.error()).c_str());
    QCOMPARE((*network)->parameters(), 625'000'000);
}

/// Three rounds of one product: three layers, one set of weights.
void Onnx::loops_of_known_length_share_their_weights() {
    const auto scalar = [](unsigned field, const std::string& name, int type) { return value(field, name, {}, type); };
    const std::string body = scalar(11, "i", 7) + scalar(11, "go", 9) + value(11, "a", {2, 4}) +
                             node("Identity", {"go"}, "on") + node("MatMul", {"a", "w"}, "b") + scalar(12, "on", 9) +
                             value(12, "b", {2, 4});
    const std::string net = value(11, "x", {2, 4}) + weights("w", {4, 4}) + whole_numbers("three", {3}) +
                            node("Loop", {"three", "", "x"}, "y", graph("body", body));
    const auto network = read_any_network(model(net), "loop.onnx");
    QVERIFY2(network.has_value(), network ? "" : text_of(network.error()).c_str());
    QCOMPARE((*network)->multiply_adds(), 3 * 16);
    QCOMPARE((*network)->parameters(), 16);
}

QTEST_APPLESS_MAIN(Onnx)
#include "tst_onnx.moc"
