// SPDX-License-Identifier: GPL-3.0-or-later
// Where the devices of a mesh are, what each holds, and with which it communicates.
#include <QtTest>
#include <random>
#include <set>

#include "core/drawing/device_grid.hpp"
#include "core/estimate/device_map.hpp"
#include "support_any_mesh.hpp"
#include "support_library.hpp"
#include "support_mesh.hpp"

using namespace scalescope;
using drawing::DeviceGrid, drawing::DeviceRows;
using support::Answer, support::close;

namespace {

DeviceMap map_of(const Scenario& s) { return *device_map(s, Answer(s).e); }

/// 512 H100 as 4 pipeline × 16 data × 8 tensor.
Scenario llama() {
    Scenario s = support::preset_scenario("llama-3-70b-h100");
    support::set_mesh(s, 16, 4, 8);
    s.parallelism.context = 1;
    s.parallelism.axis_order = AxisOrder::tensor_context_data_pipeline;
    return s;
}

const DeviceGroup& group_on(const std::vector<DeviceGroup>& groups, MeshAxis axis) {
    const auto found =
        std::find_if(groups.begin(), groups.end(), [axis](const DeviceGroup& g) { return g.axis == axis; });
    if (found == groups.end()) qFatal("no such group");
    return *found;
}

}  // namespace

class TestDeviceMap : public QObject {
    Q_OBJECT

private slots:
    /// Device 137 of 4 × 16 × 8: worked out by hand.
    void a_device_by_hand() {
        const DeviceMap map = map_of(llama());
        QCOMPARE(map.devices(), 512);
        QCOMPARE(map.nodes(), 64);
        const DevicePlace place = map.place(137);
        QCOMPARE(place.node, 17);
        QCOMPARE(place.in_node, 1);
        QCOMPARE(place.on(MeshAxis::pipeline), 1);
        QCOMPARE(place.on(MeshAxis::data), 1);
        QCOMPARE(place.on(MeshAxis::tensor), 1);
        QCOMPARE(map.device_at(place.along), 137);
        const auto groups = map.groups(137);
        QCOMPARE(groups.size(), 3U);
        const DeviceGroup &tensor = group_on(groups, MeshAxis::tensor), &data = group_on(groups, MeshAxis::data),
                          &pipeline = group_on(groups, MeshAxis::pipeline);
        QVERIFY(tensor.first == 136 && tensor.count == 8 && tensor.stride == 1 && tensor.in_node());
        QVERIFY(data.first == 129 && data.count == 16 && data.stride == 8 && data.nodes == 16);
        QVERIFY(pipeline.first == 9 && pipeline.count == 4 && pipeline.stride == 128 && pipeline.last() == 393);
        QCOMPARE(tensor.link, map.inside);
        QCOMPARE(data.link, map.between);
        const DeviceHolding held = map.holding(137);
        QCOMPARE(held.stage, 1);
        QCOMPARE(held.layer_parts, 8);
        QCOMPARE(map.peak(137, 8).value, held.memory.peak.value);
        QCOMPARE(map.peak(0, 512).value, map.memory[0].peak.value);  // the first stage keeps most micro-batches
        QVERIFY(held.layers > 0 && !held.runs.empty() && held.memory.peak.value > 0);
    }

    /// Two ranks are in one group exactly if they agree in all other coordinates; in every order of the axes.
    void groups_against_all_ranks() {
        Scenario s = llama();
        DeviceMap map = map_of(s);
        map.mesh = Mesh{2, 3, 4, 2};
        map.traffic.assign(2, {});
        for (const std::int64_t node : {1, 3, 4, 8, 72}) {
            map.devices_per_node = node;
            for (int order = 0; order <= static_cast<int>(AxisOrder::last); ++order) {
                map.mesh.order = order_of(static_cast<AxisOrder>(order));
                std::set<std::array<std::int64_t, 4>> all;
                for (std::int64_t device = 0; device < map.devices(); ++device) {
                    const DevicePlace own = map.place(device);
                    QVERIFY(all.insert(own.along).second);
                    QCOMPARE(map.device_at(own.along), device);
                    for (const DeviceGroup& group : map.groups(device)) {
                        std::set<std::int64_t> nodes;
                        std::int64_t count = 0;
                        for (std::int64_t other = 0; other < map.devices(); ++other) {
                            auto along = map.place(other).along;
                            along[static_cast<std::size_t>(group.axis)] = own.on(group.axis);
                            QCOMPARE(group.has(other), along == own.along);
                            if (!group.has(other)) continue;
                            nodes.insert(map.place(other).node);
                            ++count;
                        }
                        QCOMPARE(group.count, count);
                        QCOMPARE(group.rank, own.on(group.axis));
                        QCOMPARE(group.nodes, static_cast<std::int64_t>(nodes.size()));
                        QCOMPARE(group.link, nodes.size() == 1 ? map.inside : map.between);
                    }
                    for (const std::int64_t count : {2, 5, 8})
                        for (const MeshAxis axis : map.mesh.order) {
                            std::set<std::int64_t> seen;
                            for (std::int64_t d = device; d < std::min(device + count, map.devices()); ++d)
                                seen.insert(map.coordinate(d, axis));
                            const auto shared = map.shared_coordinate(device, count, axis);
                            QCOMPARE(shared.has_value(), seen.size() == 1);
                            if (shared) QCOMPARE(*shared, *seen.begin());
                        }
                }
            }
        }
    }

    /// What stages send along all axes is what the estimate says of its messages and its layers.
    void messages_add_up_to_the_estimate() {
        std::mt19937 random(36);
        int maps = 0, staged = 0;
        for (int i = 0; i < 300; ++i) {
            const Scenario s = support::any_mesh(random);
            const auto e = estimate(s, Remedies::left_out);
            const auto map = e ? device_map(s, *e) : std::nullopt;
            if (!map) continue;
            ++maps;
            staged += map->traffic.size() > 1;
            std::array<double, mesh_axes> exposed{}, hidden{}, time{};
            double on_host = 0;
            for (const auto& m : e->messages) {
                const auto axis = static_cast<std::size_t>(m.axis);
                if (m.message == Message::host_copy) {
                    on_host += m.exposed.value;
                    continue;
                }
                exposed[axis] += m.exposed.value;
                hidden[axis] += m.hidden.value;
                time[axis] += m.each.value * static_cast<double>(m.times);
            }
            double all = on_host, of_layers = 0;
            for (std::size_t a = 0; a < mesh_axes; ++a) {
                const AxisTraffic sum = map->total(static_cast<MeshAxis>(a));
                QVERIFY(close(sum.exposed.value, exposed[a]) && close(sum.hidden.value, hidden[a]));
                QVERIFY(close(sum.time.value, time[a]));
                all += sum.exposed.value;
            }
            for (const auto& layer : e->layers) of_layers += layer.communication.value;
            QVERIFY(close(all, of_layers));
            // Each device's rows are those of its stage, and no message of its stage is left out.
            for (std::int64_t device = 0; device < map->devices(); device += 1 + map->devices() / 7) {
                AxisTraffic rows;
                for (const DeviceGroup& group : map->groups(device)) {
                    rows += group.traffic;
                    QVERIFY(group.has(device) && group.last() < map->devices());
                    QVERIFY(close(group.busy, group.traffic.time / e->summary.step));
                }
                const DeviceHolding held = map->holding(device);
                AxisTraffic wanted;
                for (const auto& m : e->messages)
                    if (m.message != Message::host_copy &&
                        (held.stage < 0 || e->layers[static_cast<std::size_t>(m.first)].stage == held.stage))
                        wanted.add(m);
                QVERIFY(close(rows.exposed.value, wanted.exposed.value) && rows.messages == wanted.messages);
                QCOMPARE(held.memory.peak.value,
                         held.stage < 0 ? e->memory.peak.value
                                        : e->stages[static_cast<std::size_t>(held.stage)].memory.peak.value);
            }
        }
        QVERIFY2(maps > 50 && staged > 20, qPrintable(QStringLiteral("%1 maps, %2 staged").arg(maps).arg(staged)));
    }

    /// Without stages, no message is waited for by another device only: the axes add up to the step's communication.
    void axes_of_a_mesh_without_stages_add_up_to_the_step() {
        Scenario s = llama();
        support::set_mesh(s, 64, 1, 8);
        const Answer a(s);
        const DeviceMap map = *device_map(s, a.e);
        double exposed = 0;
        for (std::size_t axis = 0; axis < mesh_axes; ++axis)
            exposed += map.total(static_cast<MeshAxis>(axis)).exposed.value;
        QVERIFY(close(exposed, a.e.summary.communication.value));
        QCOMPARE(map.holding(100).stage, -1);
        QCOMPARE(map.holding(100).layers, s.network()->size());
    }

    void shards_are_shares_of_the_states() {
        Scenario s = llama();
        for (const auto& [sharded, weights, gradients, optimizer] :
             {std::tuple{Sharded::nothing, 1.0, 1.0, 1.0},
              {Sharded::optimizer, 1.0, 1.0, 1.0 / 16},
              {Sharded::gradients, 1.0, 1.0 / 16, 1.0 / 16},
              {Sharded::weights, 1.0 / 16, 1.0 / 16, 1.0 / 16}}) {
            s.parallelism.sharded = sharded;
            const DeviceHolding held = map_of(s).holding(0);
            QVERIFY(close(held.weights, weights) && close(held.gradients, gradients) &&
                    close(held.optimizer, optimizer));
        }
    }

    void no_map_of_one_device_an_uneven_mesh_or_another_method() {
        Scenario s = llama();
        QVERIFY(has_device_map(s));
        s.model.method = Method::paleo_head;
        QVERIFY(!has_device_map(s));
        s = llama();
        s.cluster.workers = 511;
        QVERIFY(!has_device_map(s));
        support::set_mesh(s, 1, 1, 1);
        QVERIFY(!has_device_map(s));
    }

    /// Every cell is where it is found, none overlaps another, and all are in the rectangle.
    void cells_of_a_grid() {
        for (const auto& [devices, per_node, bands] : {std::tuple<std::int64_t, std::int64_t, std::int64_t>{512, 8, 4},
                                                       {16384, 8, 16},
                                                       {16384, 8, 1},
                                                       {144, 72, 2},
                                                       {2, 1, 2},
                                                       {7, 7, 1},
                                                       {1024, 1, 1},
                                                       {100, 8, 4},
                                                       {16384, 72, 1},
                                                       {96, 16, 3}})
            for (const auto& [width, height] : {std::pair{620.0, 200.0}, {300.0, 120.0}, {1200.0, 700.0}}) {
                const DeviceGrid grid({devices, per_node, bands}, width, height);
                std::int64_t counted = 0;
                std::set<std::pair<double, double>> corners;
                for (std::int64_t cell = 0; cell < grid.cells(); ++cell) {
                    const auto box = grid.box(cell);
                    QVERIFY(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height);
                    QVERIFY(corners.insert({box.x, box.y}).second);
                    const auto found = grid.cell_at(box.x + box.width / 2, box.y + box.height / 2);
                    QVERIFY(found.has_value());
                    QCOMPARE(*found, cell);
                    const auto node = grid.node_box(cell);
                    QVERIFY(box.x >= node.x && box.x + box.width <= node.x + node.width + 1e-9);
                    QVERIFY(box.y >= node.y && box.y + box.height <= node.y + node.height + 1e-9);
                    counted += grid.count_of(cell);
                }
                QCOMPARE(counted, devices);
                QVERIFY(grid.cell() >= DeviceGrid::least_folded && grid.cell() <= DeviceGrid::most);
                if (grid.level() == DeviceGrid::Level::devices) QVERIFY(grid.cell() >= DeviceGrid::least_device);
            }
    }

    void a_grid_by_hand() {
        const DeviceGrid grid({512, 8, 4}, 620, 240);
        QCOMPARE(grid.level(), DeviceGrid::Level::devices);
        QCOMPARE(grid.bands(), 4);
        QCOMPARE(grid.columns(), 16);
        // A node is 2 × 4 cells: device 137 stands right of 136, 138 below.
        QCOMPARE(grid.neighbour(136, 1, 0), 137);
        QCOMPARE(grid.neighbour(136, 0, 1), 138);
        QCOMPARE(grid.neighbour(137, 1, 0), 144);
        QCOMPARE(grid.neighbour(142, 0, 1), 264);  // in the next stage, same replica
        QCOMPARE(grid.neighbour(0, -1, 0), 0);
        QCOMPARE(grid.neighbour(511, 0, 1), 511);
        QVERIFY(!grid.cell_at(-1, 5).has_value());
        QVERIFY(!grid.cell_at(5, 239).has_value());
        QVERIFY(grid.lines_up());
        // Few devices may have larger cells, as far as they fit.
        QCOMPARE(DeviceGrid({8, 8, 1}, 620, 240).cell(), DeviceGrid::most);
        QCOMPARE(DeviceGrid({8, 8, 1}, 620, 240, 28).cell(), 28.0);
        QCOMPARE(DeviceGrid({8, 8, 1}, 620, 84.5, 28).cell(), 20.0);  // 4 × 20 and 3 × 1.5
        // Bands that would cut nodes, or that would shrink the cells, are not drawn.
        QCOMPARE(DeviceGrid({512, 8, 64}, 620, 240).bands(), 1);
        QCOMPARE(DeviceGrid({96, 8, 16}, 620, 240).bands(), 1);
        // 16,384 devices: a node is one cell, and where there is less room a rack.
        QCOMPARE(DeviceGrid({16384, 8, 16}, 620, 200).level(), DeviceGrid::Level::nodes);
        const DeviceGrid racks({16384, 8, 16}, 150, 100);
        QCOMPARE(racks.level(), DeviceGrid::Level::racks);
        QVERIFY(racks.devices_in_cell() % 16 == 0);
    }
};

QTEST_APPLESS_MAIN(TestDeviceMap)
#include "tst_device_map.moc"
