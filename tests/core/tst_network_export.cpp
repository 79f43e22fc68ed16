// SPDX-License-Identifier: GPL-3.0-or-later
// Networks as files of the formats that others read: each reads back equal, or it is said which layers it cannot say.
#include <QtTest>

#include "core/formats/library.hpp"
#include "core/formats/network_export.hpp"
#include "core/formats/network_json.hpp"
#include "support_library.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using namespace scalescope::formats;
using support::Builder;
using support::messages;
using support::NetworkPtr;

namespace {

NetworkPtr exported_and_read(const Network& network, NetworkFormat format, bool lossy = false) {
    const auto file = export_network(network, format, lossy);
    [&] { QVERIFY2(file.has_value(), file ? "" : messages(file.error()).c_str()); }();
    if (!file) return nullptr;
    const auto back = read_any_network(file->text, "back");
    [&] { QVERIFY2(back.has_value(), back ? "" : messages(back.error()).c_str()); }();
    return back ? *back : nullptr;
}

}  // namespace

class TestNetworkExport : public QObject {
    Q_OBJECT
private slots:
    void formats_by_name();
    void all_presets_as_ours();
    void random_networks_as_ours();
    void sizes_of_today_are_defaults();
    void presets_of_paleo();
    void shipped_networks_as_paleo();
    void what_paleo_has_no_word_for();
    void what_paleo_can_do_without();
};

void TestNetworkExport::formats_by_name() {
    for (const auto f : {NetworkFormat::scalescope, NetworkFormat::paleo, NetworkFormat::onnx})
        QCOMPARE(network_format_called(word_for(f)), f);
    QVERIFY(!network_format_called("caffe"));
    QCOMPARE(network_format_for("a/b.JSON"), NetworkFormat::scalescope);
    QCOMPARE(network_format_for("b.onnx"), NetworkFormat::onnx);
    QVERIFY(!network_format_for("onnx") && !network_format_for("") && !network_format_for("-"));
}

void TestNetworkExport::all_presets_as_ours() {
    for (const auto& preset : support::library().networks) {
        const auto network = *support::library().network(preset.id);
        const auto back = exported_and_read(*network, NetworkFormat::scalescope);
        QVERIFY(back);
        QCOMPARE(write_network(back->draft()), write_network(network->draft()));
        QCOMPARE(back->parameters(), network->parameters());
        QCOMPARE(back->multiply_adds(), network->multiply_adds());
    }
}

void TestNetworkExport::random_networks_as_ours() {
    std::mt19937 random(22);
    for (int i = 0; i < 100; ++i) {
        const auto network = support::random_network(random, 4 + i % 40);
        const auto back = exported_and_read(*network, NetworkFormat::scalescope);
        QVERIFY(back);
        QCOMPARE(write_network(back->draft()), write_network(network->draft()));
        QCOMPARE(back->multiply_adds(), network->multiply_adds());
    }
}

void TestNetworkExport::sizes_of_today_are_defaults() {
    const auto network = *support::library().network("gpt-2");
    std::vector<Binding> wanted(network->bindings().begin(), network->bindings().end());
    QVERIFY(!wanted.empty());
    for (Binding& b : wanted) b.value = 77;
    const auto longer = *network->with(wanted);
    for (const auto format : {NetworkFormat::scalescope, NetworkFormat::onnx}) {
        const auto back = exported_and_read(*longer, format);
        QVERIFY(back);
        QCOMPARE(back->bindings().front().value, std::int64_t{77});
        QCOMPARE(back->multiply_adds(), longer->multiply_adds());
    }
}

/// PALEO marks copies of a split layer with @, which no file may write; all else is the same.
void TestNetworkExport::presets_of_paleo() {
    int presets = 0;
    for (const auto& preset : support::library().networks) {
        if (!preset.id.starts_with("paleo/")) continue;
        ++presets;
        const auto network = *support::library().network(preset.id);
        const auto back = exported_and_read(*network, NetworkFormat::paleo);
        QVERIFY(back);
        NetworkDraft was = network->draft(), is = back->draft();
        was.source = is.source = {};
        for (Layer& l : was.layers) std::replace(l.name.begin(), l.name.end(), '@', '_');
        QCOMPARE(write_network(is), write_network(was));
        QCOMPARE(back->parameters(), network->parameters());
        QCOMPARE(back->multiply_adds(), network->multiply_adds());
    }
    QCOMPARE(presets, 8);
}

/// Whatever is written without a word has the totals of the network.
void TestNetworkExport::shipped_networks_as_paleo() {
    std::vector<std::string> written;
    for (const auto& preset : support::library().networks) {
        if (preset.id.starts_with("paleo/")) continue;
        const auto network = *support::library().network(preset.id);
        const auto file = export_network(*network, NetworkFormat::paleo);
        if (!file) {
            for (const Problem& p : file.error()) QVERIFY(!p.what.empty() && !p.remedy.empty());
            continue;
        }
        const auto back = read_any_network(file->text, "back");
        QVERIFY(back.has_value());
        QCOMPARE((*back)->parameters(), network->parameters());
        QCOMPARE((*back)->multiply_adds(), network->multiply_adds());
        written.push_back(preset.id);
    }
    for (const char* one : {"vgg-16", "vgg-19", "overfeat"})
        QVERIFY2(std::find(written.begin(), written.end(), one) != written.end(), one);
}

void TestNetworkExport::what_paleo_has_no_word_for() {
    Builder b;
    const int conv = b.conv(b.input({8, 8, 4}), 8, 3, 1, 2);
    b.dense(b.flatten(conv), 3);
    for (const bool lossy : {false, true}) {
        const auto file = export_network(*b.make(), NetworkFormat::paleo, lossy);
        QVERIFY(!file);
        QVERIFY2(file.error()[0].what.find("groups") != std::string::npos, messages(file.error()).c_str());
        QVERIFY(file.error()[0].where.find("convolution_1") != std::string::npos);
        QVERIFY(file.error()[0].remedy.find("ONNX") != std::string::npos);
    }
}

void TestNetworkExport::what_paleo_can_do_without() {
    Builder b;
    const int conv = b.conv(b.input({8, 8, 4}), 8, 3);
    b.dense(b.activation(b.batch_norm(conv)), 3, false);
    const auto network = b.make();
    const auto refused = export_network(*network, NetworkFormat::paleo);
    QVERIFY(!refused);
    const std::string why = messages(refused.error());
    for (const char* part :
         {"weights that PALEO does not count: batch_norm_2", "no bias, and PALEO counts one for every output: dense_4",
          "does not know, and cost nothing there: activation_3"})
        QVERIFY2(why.find(part) != std::string::npos, why.c_str());
    const auto file = export_network(*network, NetworkFormat::paleo, true);
    QVERIFY(file.has_value());
    QCOMPARE(file->warnings.size(), std::size_t{3});
    const auto back = exported_and_read(*network, NetworkFormat::paleo, true);
    QVERIFY(back);
    QCOMPARE(back->parameters(), network->parameters() - 2 * 8 + 3);
    QCOMPARE(back->multiply_adds(), network->multiply_adds());
}

QTEST_APPLESS_MAIN(TestNetworkExport)
#include "tst_network_export.moc"
