// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <map>

#include "core/parallel/mesh.hpp"
#include "core/support_mesh.hpp"
#include "support_parallel.hpp"

using namespace scalescope;

/// Against 174 groups counted rank by rank (tests/data/parallel).
class TestMeshReference : public QObject {
    Q_OBJECT

private slots:
    void all_groups() {
        const auto csv = support::parallel_csv("grid_links.csv");
        QCOMPARE(csv.rows.size(), std::size_t{174});
        for (const auto& row : csv.rows) {
            Mesh mesh;
            mesh.tensor = row.integer("t"), mesh.context = row.integer("c");
            mesh.data = row.integer("d"), mesh.pipeline = row.integer("p");
            mesh.expert = row.integer("e"), mesh.expert_tensor = row.integer("et");
            QCOMPARE(mesh.devices(), row.integer("ranks"));
            const std::map<std::string, RankGroup> groups{{"tensor", mesh.group(MeshAxis::tensor)},
                                                          {"context", mesh.group(MeshAxis::context)},
                                                          {"data", mesh.group(MeshAxis::data)},
                                                          {"pipeline", mesh.group(MeshAxis::pipeline)},
                                                          {"data x context", mesh.replicas_group()},
                                                          {"expert", mesh.expert_group()},
                                                          {"expert tensor", mesh.group(MeshAxis::expert_tensor)},
                                                          {"expert data", mesh.expert_data_group()}};
            const RankGroup& group = groups.at(row["group"]);
            std::string first;
            for (std::int64_t b = 0; b < group.dimensions[1].count; ++b)
                for (std::int64_t a = 0; a < group.dimensions[0].count; ++a)
                    first += (first.empty() ? "" : " ") +
                             std::to_string(a * group.dimensions[0].stride + b * group.dimensions[1].stride);
            QCOMPARE(first, row["first_group"]);
            QCOMPARE(group.ranks(), row.integer("members"));
            const std::int64_t node = row.integer("ranks_per_node");
            QCOMPARE(group.in_box(node), row.integer("members_per_node"));
            if (row["operation"].empty()) continue;
            const double leaving = row["operation"] == "all-reduce" ? support::leaving_by_ring(group, node)
                                                                    : support::leaving_by_all_to_all(group, node);
            QVERIFY2(paleo_test::agrees(leaving, row.number("leaving_node_per_S")), row.where().c_str());
        }
    }
};

QTEST_APPLESS_MAIN(TestMeshReference)
#include "tst_mesh_groups.moc"
