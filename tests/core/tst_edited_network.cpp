// SPDX-License-Identifier: GPL-3.0-or-later
// What a scenario says of the layers of a network that is edited.
#include <QtTest>
#include <algorithm>

#include "core/scenario/edited_network.hpp"
#include "support_networks.hpp"

using namespace scalescope;

class TestEditedNetwork : public QObject {
    Q_OBJECT

private slots:
    void what_names_a_layer_follows_it_or_goes_to_the_next() {
        const auto network = support::preset("alexnet-one-tower");
        Scenario s = support::scenario(network);
        s.workload[0].origin = "alexnet-one-tower";
        const auto id = [&](const char* name) {
            return network->layers()[static_cast<std::size_t>(*network->position(name))].id;
        };
        s.training.frozen = {id("conv1"), id("fc8")};
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
};

QTEST_APPLESS_MAIN(TestEditedNetwork)
#include "tst_edited_network.moc"
