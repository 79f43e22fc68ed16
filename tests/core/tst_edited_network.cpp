// SPDX-License-Identifier: GPL-3.0-or-later
// What a scenario says of the layers of a network that is edited.
#include <QtTest>
#include <algorithm>

#include "core/scenario/clusters.hpp"
#include "core/scenario/scenario.hpp"
#include "core/scenario/symbol_fields.hpp"
#include "support_library.hpp"
#include "support_networks.hpp"

using namespace scalescope;

class TestEditedNetwork : public QObject {
    Q_OBJECT

private slots:
    /// A size of the same name keeps its value, as far as the new network takes it.
    void sizes_stay_with_another_network() {
        Scenario s = support::preset_scenario("llama-3-70b-h100");
        QCOMPARE(symbol_value(s, "sequence"), std::optional<std::int64_t>(8192));
        const Scenario before = s;
        s = with_network(std::move(s), support::preset("llama-3-8b"));
        QCOMPARE(symbol_value(s, "sequence"), std::optional<std::int64_t>(8192));
        // That it is not the network's own size is said, and so is that layers are named no longer.
        const Problems notes = notes_on_network(before, s);
        QCOMPARE(notes.size(), std::size_t{1});
        QCOMPARE(notes[0].what, std::string("symbols.sequence stays 8,192."));
        QVERIFY(notes[0].remedy.find("2,048") != std::string::npos);
        QVERIFY(notes_on_network(s, with_network(s, support::preset("llama-3-8b"))).size() == 1);
        s.training.frozen = {s.network()->layers()[3].id};
        const Scenario image = with_network(s, support::preset("vgg-16"));
        QVERIFY(!symbol_value(image, "sequence"));
        QCOMPARE(notes_on_network(s, image).size(), std::size_t{1});
        QCOMPARE(notes_on_network(s, image)[0].where, std::string("network"));
    }

    void what_names_a_layer_follows_it_or_goes_to_the_next() {
        const auto network = support::preset("alexnet-one-tower");
        Scenario s = support::scenario(network);
        s.workload[0].origin = "alexnet-one-tower";
        const auto id = [&](const char* name) {
            return network->layers()[static_cast<std::size_t>(*network->position(name))].id;
        };
        s.training.frozen = s.parallelism.recompute_layers = {id("conv1"), id("fc8")};
        s.parallelism.cut_auto = false;
        s.parallelism.cut = id("fc6");
        s.parallelism.boundaries = {id("conv3"), id("fc8")};

        NetworkDraft draft = network->draft();
        const auto rename = [&](const char* from, const char* to) {
            for (Layer& l : draft.layers)
                if (l.name == from) l.name = to;
        };
        rename("conv1", "first");  // the same layer
        std::reverse(draft.layers.begin(), draft.layers.end());
        Scenario same = with_edited_network(s, 0, *Network::make(draft));
        QVERIFY(same.workload[0].origin.empty());
        QVERIFY(same.training == s.training && same.parallelism == s.parallelism);

        const LayerId softmax_input = id("fc7"), fc8 = id("fc8"), fc6 = id("fc6");
        std::erase_if(draft.layers, [&](const Layer& l) { return l.id == fc8 || l.id == fc6; });
        for (Layer& l : draft.layers)
            for (LayerId& in : l.inputs) in = in == fc8 ? softmax_input : in == fc6 ? id("pool5") : in;
        const Scenario less = with_edited_network(s, 0, *Network::make(draft));
        QCOMPARE(less.training.frozen.size(), std::size_t{1});
        QVERIFY(less.parallelism.recompute_layers == less.training.frozen);
        // What began with one that is gone begins with the next.
        const Network& now = *less.network();
        const auto name = [&](LayerId l) { return now.layers()[static_cast<std::size_t>(*now.position(l))].name; };
        QCOMPARE(less.parallelism.boundaries.size(), std::size_t{2});
        QCOMPARE(less.parallelism.boundaries[0].value, id("conv3").value);
        QVERIFY(*now.position(less.parallelism.boundaries[1]) > *now.position(id("conv3")));
        QVERIFY(!less.parallelism.cut_auto);
        QVERIFY(!name(less.parallelism.cut).empty());
    }

    void another_network_takes_its_name_along() {
        Scenario s = support::scenario(support::preset("alexnet-one-tower"));
        s.description = "AlexNet's first five layers do nearly all the work.";
        const auto vgg = support::preset("vgg-16");
        const std::string called = vgg->name().substr(0, vgg->name().find(','));
        s.name = "AlexNet on 32 GPUs";
        const Scenario other = with_network(s, vgg);
        QCOMPARE(other.name, called + " on 32 GPUs");
        QVERIFY(other.description.empty());
        s.name = "Offer of March";
        QCOMPARE(with_network(s, vgg).name, s.name);
        // So does the network itself under another name; of several, none is meant.
        s.name = "AlexNet on 32 GPUs";
        NetworkDraft draft = s.network()->draft();
        draft.name = "My net, version 2";
        QCOMPARE(with_edited_network(s, 0, *Network::make(draft)).name, std::string("My net on 32 GPUs"));
        s.workload.push_back(s.workload.front());
        QCOMPARE(with_edited_network(s, 0, *Network::make(draft)).name, s.name);
    }

    /// What a name says of workers and device goes on being true.
    void a_name_follows_what_it_speaks_of() {
        Scenario before = support::scenario(support::preset("alexnet-one-tower"));
        before.cluster.workers = 32;
        before.cluster.device.name = "A100 SXM 80GB";
        Scenario after = before;
        after.cluster.workers = 1024;
        after.cluster.device.name = "Tesla K80 (one of two GPUs)";
        const auto name = [&](const char* was) {
            before.name = after.name = was;
            return name_after(before, after);
        };
        QCOMPARE(name("AlexNet on 32 GPUs"), std::string("AlexNet on 1,024 GPUs"));
        QCOMPARE(name("ResNet-32 on 32 A100, 8 parameter servers"),
                 std::string("ResNet-32 on 1,024 K80, 8 parameter servers"));
        QCOMPARE(name("caches of 32 machines, 32 Gb/s"), std::string("caches of 1,024 machines, 32 Gb/s"));
        QCOMPARE(name("Offer of March"), std::string("Offer of March"));
        after.cluster.workers = 1;
        QCOMPARE(name("AlexNet on 32 GPUs"), std::string("AlexNet on 1 GPU"));
        QCOMPARE(name("caches of 32 machines, 32 Gb/s"), std::string("caches of 1 machine, 32 Gb/s"));
        std::swap(before.cluster.workers, after.cluster.workers);
        QCOMPARE(name("AlexNet on 1 GPU"), std::string("AlexNet on 32 GPUs"));
        QCOMPARE(name("A GPU of 1 worker, on loan"), std::string("A GPU of 32 workers, on loan"));
        std::swap(before.cluster.workers, after.cluster.workers);
        after.cluster.workers = 1024;
        QCOMPARE(name("on 320 A1000"), std::string("on 320 A1000"));
        before.name = "AlexNet on 32 GPUs";
        after.name = "Tuesday's";
        QCOMPARE(name_after(before, after), after.name);
    }

    /// A node's link of one kind of device gives way to that of another; PCIe suits all.
    void a_device_brings_its_link() {
        const Catalogue& known = support::library().catalogue;
        Cluster c;
        c.device = *known.device("a100-sxm-80gb");
        c.inside = *known.link("nvswitch-3");
        QVERIFY(!is_link_of_others(c.inside, c.device, known));
        const Cluster h100 = with_device(c, *known.device("h100-sxm-80gb"), known);
        QCOMPARE(h100.inside.id, std::string("nvswitch-4"));
        QCOMPARE(with_device(h100, *known.device("tesla-v100-sxm2-32gb"), known).inside.id, std::string("nvswitch-2"));
        QCOMPARE(with_device(h100, *known.device("tesla-p100-pcie-16gb"), known).inside.id, std::string("pcie-3-x16"));
        QVERIFY(is_link_of_others(c.inside, h100.device, known));
        c.inside = *known.link("pcie-4-x16");
        QCOMPARE(with_device(c, h100.device, known).inside.id, std::string("pcie-4-x16"));
        QVERIFY(!is_link_of_others(c.inside, h100.device, known));
    }
};

QTEST_APPLESS_MAIN(TestEditedNetwork)
#include "tst_edited_network.moc"
