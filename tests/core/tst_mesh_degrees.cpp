// SPDX-License-Identifier: GPL-3.0-or-later
// The mesh as an equation: it stays true whichever factor changes, and locks hold.
#include <QtTest>
#include <random>

#include "core/scenario/mesh_degrees.hpp"
#include "support_library.hpp"

using namespace scalescope;

namespace {

Scenario mesh(std::int64_t workers, std::int64_t tensor, std::int64_t pipeline, std::int64_t context = 1) {
    Scenario s = support::preset_scenario("llama-3-70b-h100");
    s.cluster.workers = workers;
    s.parallelism.tensor = tensor;
    s.parallelism.pipeline = pipeline;
    s.parallelism.context = context;
    return s;
}
LockedAxes locks(std::initializer_list<MeshAxis> axes) {
    LockedAxes l;
    for (const MeshAxis axis : axes) l.set(axis, true);
    return l;
}
std::vector<std::int64_t> factors(const Scenario& s) {
    std::vector<std::int64_t> all{s.cluster.workers};
    for (const MeshAxis axis : mesh_axes_of_equation) all.push_back(degree_of(s, axis));
    return all;
}
using F = std::vector<std::int64_t>;  // workers = data × pipeline × context × tensor

}  // namespace

class TestMeshDegrees : public QObject {
    Q_OBJECT

private slots:
    void data_takes_what_a_degree_leaves() {
        const Scenario s = mesh(512, 8, 4);
        QCOMPARE(factors(s), (F{512, 16, 4, 1, 8}));
        QCOMPARE(factors(with_degree(s, MeshAxis::tensor, 4, {})), (F{512, 32, 4, 1, 4}));
        QCOMPARE(factors(with_degree(s, MeshAxis::context, 2, {})), (F{512, 8, 4, 2, 8}));
    }
    void a_data_degree_takes_from_another_axis() {
        const Scenario s = mesh(512, 8, 4);
        QCOMPARE(factors(with_degree(s, MeshAxis::data, 32, {})), (F{512, 32, 2, 1, 8}));
        QCOMPARE(factors(with_degree(s, MeshAxis::data, 32, locks({MeshAxis::pipeline}))), (F{512, 32, 4, 1, 4}));
        const auto all = locks({MeshAxis::pipeline, MeshAxis::tensor, MeshAxis::context});
        QCOMPARE(factors(with_degree(s, MeshAxis::data, 32, all)), (F{1024, 32, 4, 1, 8}));
    }
    void locked_data_stays() {
        const Scenario s = mesh(512, 8, 4);
        const auto data = locks({MeshAxis::data});
        QCOMPARE(factors(with_degree(s, MeshAxis::tensor, 4, data)), (F{512, 16, 8, 1, 4}));
        QCOMPARE(factors(with_workers(s, 1024, data)), (F{1024, 16, 8, 1, 8}));
        QCOMPARE(factors(with_workers(s, 1024, locks({MeshAxis::data, MeshAxis::pipeline}))), (F{1024, 16, 4, 1, 16}));
        QCOMPARE(factors(with_workers(s, 1024, {})), (F{1024, 32, 4, 1, 8}));
    }
    void what_does_not_divide_is_kept_and_the_nearest_are_named() {
        const Scenario s = mesh(512, 8, 4), odd = with_degree(s, MeshAxis::tensor, 6, {});
        QCOMPARE(odd.parallelism.tensor, 6);
        QVERIFY(!degrees_of(odd));
        QCOMPARE(degree_of(odd, MeshAxis::data), 0);
        QCOMPARE(nearest_degrees(odd, MeshAxis::tensor, 6), (F{4, 8}));
        QCOMPARE(nearest_degrees(s, MeshAxis::tensor, 8), (F{8}));
        QCOMPARE(nearest_degrees(s, MeshAxis::tensor, 1000), (F{128}));
        const Scenario more = with_workers(s, 500, {});
        QVERIFY(!degrees_of(more));
        QCOMPARE(nearest_workers(more), (F{480, 512}));
        QCOMPARE(nearest_workers(with_workers(s, 3, {})), (F{32}));
    }
    void steps_lead_to_degrees_that_divide() {
        const Scenario s = mesh(96, 2, 4);
        QCOMPARE(next_degree(s, MeshAxis::tensor, 2, 1), 3);
        QCOMPARE(next_degree(s, MeshAxis::tensor, 4, 1), 6);
        QCOMPARE(next_degree(s, MeshAxis::tensor, 6, -1), 4);
        QCOMPARE(next_degree(s, MeshAxis::tensor, 24, 1), 24);
        QCOMPARE(next_degree(s, MeshAxis::tensor, 1, -1), 1);
        const Scenario odd = mesh(97, 2, 4);
        QCOMPARE(next_degree(odd, MeshAxis::tensor, 2, 1), 3);
    }
    void other_axes_that_fill_give_way_to_data() {
        Scenario s = mesh(32, 1, 1);
        s.parallelism.fill = MeshAxis::tensor;
        QCOMPARE(factors(s), (F{32, 1, 1, 1, 32}));
        QCOMPARE(factors(with_degree(s, MeshAxis::tensor, 8, {})), (F{32, 4, 1, 1, 8}));
        QCOMPARE(factors(with_degree(s, MeshAxis::pipeline, 2, {})), (F{32, 0, 2, 1, 32}));
        QCOMPARE(factors(with_workers(s, 64, {})), (F{64, 1, 1, 1, 64}));
    }
    /// Of random changes of meshes that come out even, all but degrees that do not divide leave one that does.
    void the_equation_stays_true() {
        std::mt19937 random(3);
        const auto pick = [&](int last) { return static_cast<int>(random() % static_cast<unsigned>(last + 1)); };
        Scenario s = mesh(512, 8, 4, 2);
        for (int k = 0; k < 3000; ++k) {
            LockedAxes locked;
            for (const MeshAxis axis : mesh_axes_of_equation) locked.set(axis, pick(2) == 0);
            const MeshAxis axis = mesh_axes_of_equation[static_cast<std::size_t>(pick(3))];
            const std::int64_t n = std::int64_t{1} << pick(6);
            const Scenario next = with_degree(s, axis, n, locked);
            QCOMPARE(degree_of(next, axis) == n || !degrees_of(next), true);
            for (const MeshAxis other : mesh_axes_of_equation)
                if (other != axis && locked.contains(other)) QCOMPARE(degree_of(next, other), degree_of(s, other));
            if (degrees_of(next) && next.cluster.workers <= 1 << 16) {
                QCOMPARE(degrees_of(next)->workers(), next.cluster.workers);
                s = next;
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestMeshDegrees)
#include "tst_mesh_degrees.moc"
