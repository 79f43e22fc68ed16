// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "core/pricing/collectives.hpp"
#include "core/scenario/names.hpp"
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
                    const RankGroup group = both ? mesh.replicas_group() : mesh.group(axis);
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

    void orders_are_what_their_words_say() {
        std::set<AxesInOrder> all;
        for (std::size_t i = 0; i < choice_names<AxisOrder>.size(); ++i) {
            const auto axes = order_of(static_cast<AxisOrder>(i));
            std::string text;
            for (const MeshAxis axis : axes) text += (text.empty() ? "" : "_") + std::string(choice_name(axis));
            QCOMPARE(text, std::string(choice_names<AxisOrder>[i]));
            all.insert(axes);
        }
        QCOMPARE(all.size(), std::size_t{24});
        QVERIFY(order_of({}) == Mesh{}.order);
        // Axes of one worker make no difference.
        QCOMPARE(distinct_orders({1, 1, 1, 1}).size(), std::size_t{1});
        QCOMPARE(distinct_orders({4, 1, 2, 1}).size(), std::size_t{2});
        QCOMPARE(distinct_orders({4, 2, 2, 1}).size(), std::size_t{6});
        QCOMPARE(distinct_orders({4, 2, 2, 2}).size(), std::size_t{24});
        QVERIFY((distinct_orders({4, 1, 2, 1}).back().axes == std::vector{MeshAxis::data, MeshAxis::tensor}));
        const Degrees three{4, 2, 2, 1};
        for (const LaidOut& one : distinct_orders(three)) {
            const auto order = order_laid_out(one.axes, three);
            QVERIFY(order && laid_out(*order, three).axes == one.axes);
            // Only with stages outermost may experts be divided.
            Mesh mesh{2, 1, 4, 2, 2, 1, order_of(*order)};
            QCOMPARE(mesh.order_suits_experts(), one.axes.back() == MeshAxis::pipeline);
            mesh.expert = 1;
            QVERIFY(mesh.order_suits_experts());
        }
        QVERIFY(!order_laid_out({MeshAxis::data, MeshAxis::tensor}, three));  // pipeline is missing
    }

    /// Stages are in one node if the ranks that differ in nothing else are, for each of those rows.
    void rows_of_stages_in_a_node() {
        std::mt19937 random(2);
        const auto any = [&](int most) { return std::int64_t{std::uniform_int_distribution<int>(1, most)(random)}; };
        for (int i = 0; i < 300; ++i) {
            Mesh mesh{any(3), any(2), any(3), 1 + any(4)};
            std::shuffle(mesh.order.begin(), mesh.order.end(), random);
            LinkRates links;
            links.devices_per_node = any(12);
            const std::int64_t first = any(static_cast<int>(mesh.pipeline) - 1) - 1, last = first + 1;
            std::map<std::int64_t, std::set<std::int64_t>> nodes;  // of each row
            const std::int64_t row = mesh.stride(MeshAxis::pipeline) * mesh.pipeline;
            for (std::int64_t rank = 0; rank < mesh.devices(); ++rank) {
                const std::int64_t stage = coordinates(mesh, rank)[static_cast<std::size_t>(MeshAxis::pipeline)];
                if (stage == first || stage == last) nodes[rank / row].insert(rank / links.devices_per_node);
            }
            const bool near =
                std::all_of(nodes.begin(), nodes.end(), [](const auto& n) { return n.second.size() == 1; });
            QCOMPARE(reach_of_stages(2, first, last, mesh, links).nodes == 1, near);
        }
    }

    /// 16 devices, tensor 2, experts over 8: two tensor ranks of each of four replicas.
    void experts_lie_across_the_other_axes() {
        Mesh mesh;
        mesh.tensor = 2, mesh.data = 8, mesh.expert = 8;
        QCOMPARE(mesh.expert_data(), std::int64_t{2});
        QCOMPARE(ranks_of(mesh.expert_group()), (std::set<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7}));
        QCOMPARE(ranks_of(mesh.expert_data_group()), (std::set<std::int64_t>{0, 8}));
        mesh.expert = 4, mesh.expert_tensor = 2;
        QCOMPARE(ranks_of(mesh.group(MeshAxis::expert)), (std::set<std::int64_t>{0, 2, 4, 6}));
        QCOMPARE(ranks_of(mesh.group(MeshAxis::expert_tensor)), (std::set<std::int64_t>{0, 1}));
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
