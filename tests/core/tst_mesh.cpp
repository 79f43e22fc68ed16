// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <random>
#include <set>

#include "core/parallel/mesh.hpp"
#include "support_mesh.hpp"

using namespace scalescope;
using support::leaving_by_ring, support::leaving_by_all_to_all;

namespace {

/// Coordinates of a rank, by axis.
std::array<std::int64_t, 4> coordinates(const Mesh& mesh, std::int64_t rank) {
    std::array<std::int64_t, 4> at{};
    for (const MeshAxis axis : mesh.order) {
        at[static_cast<std::size_t>(axis)] = rank % mesh.degree(axis);
        rank /= mesh.degree(axis);
    }
    return at;
}

std::set<std::int64_t> ranks_of(const RankGroup& group) {
    std::set<std::int64_t> ranks;
    for (std::int64_t a = 0; a < group.dimensions[0].count; ++a)
        for (std::int64_t b = 0; b < group.dimensions[1].count; ++b)
            ranks.insert(a * group.dimensions[0].stride + b * group.dimensions[1].stride);
    return ranks;
}

}  // namespace

class TestMesh : public QObject {
    Q_OBJECT

private slots:
    /// Against the coordinates of every rank: the first group, and how many of its ranks a box holds at most.
    void groups_are_those_of_the_coordinates() {
        std::mt19937 random(1);
        const auto power = [&] { return std::int64_t{1} << std::uniform_int_distribution<int>(0, 3)(random); };
        for (int i = 0; i < 300; ++i) {
            Mesh mesh{power(), power(), power(), power()};
            std::shuffle(mesh.order.begin(), mesh.order.end(), random);
            for (const bool both : {false, true})
                for (const MeshAxis axis : mesh.order) {
                    const RankGroup group = both ? support::data_and_context(mesh) : mesh.group(axis);
                    std::set<std::int64_t> wanted;
                    for (std::int64_t rank = 0; rank < mesh.devices(); ++rank) {
                        auto at = coordinates(mesh, rank);
                        if (both)
                            at[static_cast<std::size_t>(MeshAxis::data)] =
                                at[static_cast<std::size_t>(MeshAxis::context)] = 0;
                        else
                            at[static_cast<std::size_t>(axis)] = 0;
                        if (at == std::array<std::int64_t, 4>{}) wanted.insert(rank);
                    }
                    QCOMPARE(ranks_of(group), wanted);
                    for (std::int64_t box = 1; box <= mesh.devices(); box *= 2)
                        QCOMPARE(group.in_box(box), std::count_if(wanted.begin(), wanted.end(),
                                                                  [&](std::int64_t rank) { return rank < box; }));
                }
        }
    }

    /// 16 devices, tensor 2, experts over 8: two tensor ranks of each of four replicas.
    void experts_lie_across_the_other_axes() {
        Mesh mesh;
        mesh.tensor = 2, mesh.data = 8, mesh.expert = 8;
        QCOMPARE(mesh.expert_data(), std::int64_t{2});
        QCOMPARE(ranks_of(mesh.expert_group()), (std::set<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7}));
        QCOMPARE(ranks_of(mesh.expert_data_group()), (std::set<std::int64_t>{0, 8}));
    }

    void what_leaves_a_box() {
        Mesh mesh;
        mesh.tensor = 4, mesh.data = 8;
        const RankGroup data = mesh.group(MeshAxis::data);  // 0 4 8 …: two in a box of 8, four groups beside them
        QCOMPARE(leaving_by_ring(data, 8), 4 * 2 * 7.0 / 8);
        QCOMPARE(leaving_by_ring(mesh.group(MeshAxis::tensor), 8), 0.0);
        QCOMPARE(leaving_by_all_to_all(data, 8), 8 * 6.0 / 8);
        QCOMPARE(leaving_by_all_to_all(data, 32), 0.0);
        QCOMPARE(leaving_by_ring(RankGroup{}, 4), 0.0);
    }
};

QTEST_APPLESS_MAIN(TestMesh)
#include "tst_mesh.moc"
