// SPDX-License-Identifier: GPL-3.0-or-later
// What holds for every edit of every network.
#include <QtTest>
#include <map>

#include "core/formats/network_json.hpp"
#include "core/network/editing/edit.hpp"
#include "core/network/editing/fragment.hpp"
#include "support_editing.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using namespace scalescope::editing;
using support::choose;
using support::pick;
using support::same_draft;

namespace {

LayerId any_layer(std::mt19937& random, const NetworkDraft& draft) { return choose(random, draft.layers).id; }

std::vector<LayerId> some_layers(std::mt19937& random, const NetworkDraft& draft) {
    std::vector<LayerId> ids;
    const std::int64_t part = pick(random, 2, 6);
    for (const Layer& l : draft.layers)
        if (pick(random, 1, part) == 1) ids.push_back(l.id);
    if (ids.empty()) ids.push_back(any_layer(random, draft));
    return ids;
}

const Kind& any_kind(std::mt19937& random) {
    const auto kinds = all_kinds();
    return *kinds[static_cast<std::size_t>(pick(random, 0, static_cast<std::int64_t>(kinds.size()) - 1))];
}

/// Two drafts with the same names, whatever the numbers of their layers.
bool same_by_name(const NetworkDraft& a, const NetworkDraft& b) {
    return formats::write_network(a) == formats::write_network(b);
}

/// One gesture, sensible or not.
Edit gesture(std::mt19937& random, const NetworkDraft& d) {
    if (d.layers.empty()) return insert_alone(d, any_kind(random));
    const LayerId one = any_layer(random, d), two = any_layer(random, d);
    const Layer& layer = choose(random, d.layers);
    switch (pick(random, 0, 15)) {
        case 0: return insert_alone(d, any_kind(random));
        case 1: return insert_behind(d, any_kind(random), some_layers(random, d), Readers::stay);
        case 2: return insert_behind(d, any_kind(random), std::vector<LayerId>{one}, Readers::follow);
        case 3: return insert_on_edge(d, any_kind(random), one, static_cast<int>(pick(random, 0, 2)));
        case 4: return remove_layers(d, std::vector<LayerId>{one, two});
        case 5: return remove_layers(d, some_layers(random, d));
        case 6: return connect_layers(d, one, two);
        case 7: return connect_layers(d, one, two, static_cast<int>(pick(random, 0, 2)));
        case 8:
        case 9: return disconnect_input(d, one, static_cast<int>(pick(random, 0, 1)));
        case 10: return change_kind(d, one, any_kind(random));
        case 11: return share_weights(d, one, pick(random, 0, 1) ? two : LayerId{});
        case 12: {
            if (layer.attributes.empty()) return Edited{d, {}};
            const auto a =
                static_cast<std::size_t>(pick(random, 0, static_cast<std::int64_t>(layer.attributes.size()) - 1));
            AttributeValue value = layer.attributes[a];
            if (auto* n = std::get_if<std::int64_t>(&value)) *n = pick(random, 0, 40);
            if (auto* sizes = std::get_if<std::vector<std::int64_t>>(&value); sizes && !sizes->empty())
                sizes->front() = pick(random, 0, 9);
            if (auto* flag = std::get_if<bool>(&value)) *flag = !*flag;
            return set_attribute(d, std::vector<LayerId>{layer.id}, layer.kind->attributes[a].name, value);
        }
        case 13: return group_layers(d, some_layers(random, d), "block" + std::to_string(pick(random, 1, 5)));
        case 14:
            return repeat_block(d, "block" + std::to_string(pick(random, 1, 5)), static_cast<int>(pick(random, 1, 3)));
        default: return duplicate_layers(d, std::vector<LayerId>{one, two});
    }
}

}  // namespace

class TestEditingRandom : public QObject {
    Q_OBJECT

private slots:
    void removing_undoes_inserting() {
        std::mt19937 random(1);
        for (int i = 0; i < 60; ++i) {
            const NetworkDraft draft = support::random_network(random, 15)->draft();
            for (const Layer& l : draft.layers) {
                const Kind& kind = any_kind(random);
                for (auto readers : {Readers::stay, Readers::follow}) {
                    const auto edit = insert_behind(draft, kind, std::vector<LayerId>{l.id}, readers);
                    QCOMPARE(edit.has_value(), kind.max_inputs != 0);
                    if (edit) QVERIFY(same_draft(remove_layers(edit->draft, edit->selected)->draft, draft));
                }
                for (std::size_t k = 0; k < l.inputs.size(); ++k)
                    if (const auto edit = insert_on_edge(draft, kind, l.id, static_cast<int>(k)))
                        QVERIFY(same_draft(remove_layers(edit->draft, edit->selected)->draft, draft));
            }
        }
    }

    /// Of layers that change no shape, whatever else goes with them.
    void without_layers_that_change_nothing_the_rest_is_whole() {
        std::mt19937 random(2);
        for (int i = 0; i < 100; ++i) {
            const auto network = support::random_network(random, 25);
            std::vector<LayerId> gone;
            for (const Layer& l : network->layers())
                if (l.kind->name == "activation" || l.kind->name == "batch_norm" || l.kind->name == "dropout")
                    gone.push_back(l.id);
            const auto edit = remove_layers(network->draft(), gone);
            QVERIFY(edit.has_value());
            // Two of them may have shared weights with what stays; none stays alone then.
            const Sketch sketch(edit->draft);
            QVERIFY2(sketch.faults.empty(), sketch.faults.empty() ? "" : to_text(sketch.faults[0].problem).c_str());
        }
    }

    void pasting_what_was_copied_is_duplicating() {
        std::mt19937 random(3);
        for (int i = 0; i < 100; ++i) {
            NetworkDraft draft = support::random_network(random, 20)->draft();
            if (pick(random, 0, 1)) draft = group_layers(draft, some_layers(random, draft), "block")->draft;
            const auto chosen = some_layers(random, draft);
            const auto duplicate = duplicate_layers(draft, chosen);
            QVERIFY(duplicate.has_value());
            const auto text = formats::write_fragment(*copy_layers(draft, chosen));
            const auto fragment = formats::read_fragment(text, "");
            QVERIFY2(fragment.has_value(), fragment ? "" : qPrintable(support::text_of(fragment.error())));
            const auto pasted = paste_layers(draft, *fragment);
            QVERIFY(pasted.has_value());
            QVERIFY(same_draft(pasted->draft, duplicate->draft));
            QVERIFY(Sketch(pasted->draft).faults.empty());
            // What was there is there as it was, and taking the copies away leaves that.
            QVERIFY(same_draft(remove_layers(pasted->draft, pasted->selected)->draft, draft));
        }
    }

    void grouping_changes_nothing_but_names() {
        std::mt19937 random(4);
        for (int i = 0; i < 60; ++i) {
            const NetworkDraft draft = support::random_network(random, 20)->draft();
            const auto chosen = some_layers(random, draft);
            const auto grouped = group_layers(draft, chosen, "block");
            QVERIFY(grouped.has_value());
            QVERIFY(grouped->selected == chosen);
            QVERIFY(same_draft(ungroup_block(grouped->draft, "block")->draft, draft));
            const auto repeated = repeat_block(grouped->draft, "block", 3);
            if (!repeated) continue;
            QCOMPARE(repeated->draft.layers.size(), draft.layers.size() + 2 * chosen.size());
            const auto back = repeat_block(repeated->draft, "block", 1);
            QVERIFY(back.has_value());
            QVERIFY(same_draft(back->draft, grouped->draft));
        }
    }

    /// Many gestures one after the other: names and numbers stay unique, layers that stay keep their number, no cycle
    /// comes about, every state can be looked at, and one without faults is a network that its file gives again.
    void a_walk() {
        int networks = 0;
        for (unsigned seed = 0; seed < 25; ++seed) {
            std::mt19937 random(seed);
            NetworkDraft draft;
            if (seed % 2) draft = support::random_network(random, 12)->draft();
            NetworkDraft whole = draft;
            int broken = 0;
            for (int step = 0; step < 120; ++step) {
                const auto edit = gesture(random, draft);
                if (!edit) {
                    QVERIFY(!edit.error().empty() && !edit.error()[0].what.empty() && !edit.error()[0].remedy.empty());
                    continue;
                }
                std::map<std::string, std::uint32_t> before;
                for (const Layer& l : draft.layers) before[l.name] = l.id.value;
                draft = edit->draft;
                int renamed = 0;
                for (const Layer& l : draft.layers)
                    if (const auto it = before.find(l.name); it != before.end() && it->second != l.id.value) ++renamed;
                QCOMPARE(renamed, 0);
                for (LayerId id : edit->selected)
                    QVERIFY(std::any_of(draft.layers.begin(), draft.layers.end(),
                                        [&](const Layer& l) { return l.id == id; }));
                const Sketch sketch(draft);
                QCOMPARE(sketch.size(), static_cast<int>(draft.layers.size()));
                for (const Fault& f : sketch.faults) {
                    const QString why = QString::fromStdString(to_text(f.problem));
                    QVERIFY2(!why.contains("cycle") && !why.contains("are called") &&
                                 !why.contains("have the number") && !why.contains("does not exist"),
                             qPrintable(why));
                    QVERIFY(f.layer < sketch.size());
                }
                const auto network = Network::make(draft);
                QCOMPARE(network.has_value(), sketch.faults.empty());
                if (draft.layers.size() > 60) draft = remove_layers(draft, some_layers(random, draft))->draft;
                const auto read = formats::read_network_draft(formats::write_network(draft), "walk.json");
                QVERIFY2(read.has_value(), read ? "" : qPrintable(support::text_of(read.error())));
                QVERIFY(same_by_name(*read, draft));
                networks += network.has_value();
                broken = network ? 0 : broken + 1;
                if (network) whole = draft;
                if (broken > 3) draft = whole;  // back, as somebody would who has tried in vain
            }
        }
        QVERIFY2(networks > 200, qPrintable(QString::number(networks)));
    }
};

QTEST_APPLESS_MAIN(TestEditingRandom)
#include "tst_editing_random.moc"
