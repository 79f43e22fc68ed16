// SPDX-License-Identifier: GPL-3.0-or-later
// Spaces: what must be made anew when a field takes another value.
#include <QtTest>

#include "core/estimate/memory_walk.hpp"
#include "core/scenario/fields.hpp"
#include "core/search/walker.hpp"
#include "support_choices.hpp"
#include "support_library.hpp"
#include "support_search.hpp"

using namespace scalescope;
using namespace scalescope::search;
using support::space_of;

class TestSearchSpace : public QObject {
    Q_OBJECT

    const Catalogue catalogue = support::catalogue_of_two();

private slots:
    /// Every field in turn, of the pipeline and of a CPU cluster: its level is right, so that going from one value to
    /// the other gives what starting there does.
    void a_plan_with_other_prices_is_a_new_plan() {
        int fields = 0;
        const auto fields_of = all_fields();
        for (std::size_t i = 0; i < 2 * fields_of.size(); ++i) {
            const Field& field = fields_of[i / 2];
            Scenario a = support::scenario(support::preset("alexnet-one-tower"));
            a.cluster.machine = catalogue.machines[0];
            if (i % 2 == 1) a.model.method = Method::cpu_cluster;
            support::divide(a.parallelism, support::Divided::hybrid);
            a.parallelism.overlap = Overlap::buckets;
            a.parallelism.copies = true;
            a.cluster.device = catalogue.devices[0];
            a.cluster.inside = a.cluster.between = catalogue.links[0];
            Scenario b = a;
            std::string value;
            if (field.type == FieldType::boolean) value = field_text(field, a) == "true" ? "false" : "true";
            if (field.type == FieldType::choice)
                value = std::string(field.choices[0] == field_text(field, a) ? field.choices[1] : field.choices[0]);
            if (field.type == FieldType::device) value = "fast";
            if (field.type == FieldType::link) value = "thick";
            if (field.type == FieldType::machine) value = "board";
            if (field.type == FieldType::layer) value = "none";
            if (field.type == FieldType::layers) value = a.network()->layers()[5].name;
            if (field.type == FieldType::integer) value = "3";
            if (field.type == FieldType::number) value = "7";
            if (field.type == FieldType::words) continue;
            QVERIFY2(set_field(b, field.path, value, catalogue), std::string(field.path).c_str());
            ++fields;
            const Space space = space_of(a, {{std::string(field.path), {value, field_text(field, a)}}}, catalogue);
            Walker walker(space);
            for (const std::uint64_t place : {0u, 1u, 0u}) {
                const Scenario& expected = place == 0 ? b : a;
                const auto e = estimate(expected);
                const bool made = walker.go(place);
                QVERIFY2(made == prepare(expected).has_value(), std::string(field.path).c_str());
                if (!made || !e) continue;
                Scratch scratch = make_scratch(walker.plan());
                QVERIFY(walker.point() != nullptr);
                const Summary s = score(walker.plan(), *walker.point(), scratch);
                QVERIFY2(s == e->summary, std::string(field.path).c_str());
                QCOMPARE(peak_memory(walker.plan(), *walker.point(), scratch).value, e->memory.peak.value);
            }
        }
        QVERIFY(fields > 45);
    }
};

QTEST_APPLESS_MAIN(TestSearchSpace)
#include "tst_search_space.moc"
