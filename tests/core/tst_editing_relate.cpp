// SPDX-License-Identifier: GPL-3.0-or-later
// A draft that was written and read again is known as a state of its network.
#include <QtTest>
#include <set>

#include "core/formats/network_json.hpp"
#include "core/network/editing/relate.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using support::Builder;

namespace {

Layer& named(NetworkDraft& draft, const std::string& name) {
    for (Layer& l : draft.layers)
        if (l.name == name) return l;
    qFatal("no layer %s", name.c_str());
}

}  // namespace

class TestEditingRelate : public QObject {
    Q_OBJECT

private slots:
    void ids_come_back_by_name() {
        Builder b;
        b.dense(b.activation(b.dense(b.dense(b.input({8}), 8), 8)), 4);
        NetworkDraft first = b.make()->draft();
        for (std::size_t l = 0; l < first.layers.size(); ++l) first.layers[l].id = LayerId{std::uint32_t(40 + 3 * l)};
        for (std::size_t l = 1; l < first.layers.size(); ++l) first.layers[l].inputs = {first.layers[l - 1].id};
        first.layers[2].name = "two", first.layers[3].name = "act", first.layers[4].name = "four";
        const auto network = *Network::make(first);
        NetworkDraft draft = network->draft();
        // One is renamed, another one takes its old name, a third is gone, and a new one is called like it.
        named(draft, "four").name = "last";
        named(draft, "two").name = "four";
        const LayerId gone = named(draft, "act").id;
        Layer fresh = named(draft, "last");
        fresh.name = "act";
        fresh.id = LayerId{1000};
        std::erase_if(draft.layers, [&](const Layer& l) { return l.id == gone; });
        named(draft, "last").inputs = {named(draft, "four").id};
        fresh.inputs = {named(draft, "last").id};
        draft.layers.push_back(fresh);
        const auto renamed = editing::renamed_in(draft, *network);
        QCOMPARE(renamed, (std::map<std::string, std::string>{{"four", "two"}, {"last", "four"}}));

        const auto read = formats::read_network_draft(formats::write_network(draft), "text");
        QVERIFY(read.has_value());
        NetworkDraft again = editing::related_to(*read, *network, renamed);
        QCOMPARE(again.layers.size(), draft.layers.size());
        for (const Layer& l : draft.layers) {
            const Layer& now = named(again, l.name);
            if (l.name == "act") {
                QVERIFY(!network->position(now.id));  // of another kind than the one that had the name
                continue;
            }
            QCOMPARE(now.id.value, l.id.value);
            QCOMPARE(now.inputs.size(), l.inputs.size());
        }
        QCOMPARE(named(again, "act").inputs.front().value, named(again, "last").id.value);
        QVERIFY(Network::make(again).has_value());
        std::set<std::uint32_t> ids;
        for (const Layer& l : again.layers) QVERIFY(ids.insert(l.id.value).second);
    }
};

QTEST_APPLESS_MAIN(TestEditingRelate)
#include "tst_editing_relate.moc"
