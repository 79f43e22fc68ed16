// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/device_map_page.hpp"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>

#include "core/base/format.hpp"
#include "ui/charts/device_map_chart.hpp"
#include "ui/charts/device_map_words.hpp"
#include "ui/design/names.hpp"
#include "ui/document/document.hpp"
#include "ui/inspect/beside.hpp"
#include "ui/language/told.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/key_figures.hpp"
#include "ui/widgets/order_chips.hpp"
#include "ui/widgets/scrolled_pane.hpp"
#include "ui/widgets/segmented_control.hpp"

namespace scalescope::ui {
namespace {

constexpr int most_groups = 6;

/// The axes of chips, which are written outermost first.
std::vector<MeshAxis> axes_in(const QStringList& ids) {
    std::vector<MeshAxis> axes;
    for (const QString& id : ids) axes.insert(axes.begin(), from_id<MeshAxis>(id));
    return axes;
}

}  // namespace

DeviceMapPage::DeviceMapPage(Document& document, QWidget* parent) : QWidget(parent), document_(document) {
    auto* column = make_layout<QVBoxLayout>(this, space::gap);
    auto* row = make_layout<QHBoxLayout>(nullptr, space::gap);
    auto* strip = make_layout<QHBoxLayout>(nullptr, space::gap);
    back_ = new QToolButton;
    back_->setIcon(icon("left", Tint::secondary));
    back_->setText(tr("All devices"));
    back_->setToolTip(tr("Back to all devices (Escape)"));
    back_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    back_->setFixedHeight(space::control_height);
    back_->setAutoRaise(true);
    back_->setObjectName(QStringLiteral("mapBack"));
    back_->hide();
    axes_ = new QWidget;
    auto* choices = make_layout<QHBoxLayout>(axes_, space::gap);
    colours_ = new SegmentedControl(tr("Axis of the colours"));
    colours_->setObjectName(QStringLiteral("mapColours"));
    order_ = new OrderChips(tr("Outermost first"));
    order_->setObjectName(QStringLiteral("mapOrder"));
    order_->setAccessibleName(tr("Order of the axes"));
    choices->addWidget(make_label(tr("Colour by"), type::control(), Ink::secondary));
    choices->addWidget(colours_);
    choices->addWidget(order_, 1);
    chart_ = new DeviceMapChart;
    chart_->setObjectName(QStringLiteral("deviceMap"));
    strip->addWidget(back_);
    strip->addWidget(axes_, 1);
    column->addLayout(strip);
    column->addLayout(row, 1);
    auto* card = new Card(tr("Device"));
    title_ = card->title_row();
    title_->setObjectName(QStringLiteral("mapDevice"));
    auto* details = add_scrolled_pane(*card->body(), 40);
    details->setSpacing(4);
    place_ = make_label({}, type::table(), Ink::secondary);
    place_->setObjectName(QStringLiteral("mapPlace"));
    place_->setWordWrap(true);
    figures_ = new KeyFigures;
    figures_->setObjectName(QStringLiteral("mapFigures"));
    figures_->setAccessibleName(tr("What the device holds"));
    details->addWidget(place_);
    details->addWidget(figures_);
    auto* grid = new QGridLayout;
    grid->setVerticalSpacing(0);
    grid->setColumnStretch(0, 1);
    for (int i = 0; i < most_groups; ++i) {
        GroupRow one{make_label({}, type::table_strong()), make_label({}, type::table()), new ElidedLabel};
        one.ranks->setFont(type::caption());
        set_ink(*one.ranks, Ink::secondary);
        const int at = 2 * i;
        one.name->setContentsMargins(0, 6, 0, 0);
        one.busy->setContentsMargins(0, 6, 0, 0);
        one.name->setObjectName(QStringLiteral("mapGroup%1").arg(i));
        one.busy->setObjectName(QStringLiteral("mapBusy%1").arg(i));
        one.ranks->setObjectName(QStringLiteral("mapRanks%1").arg(i));
        grid->addWidget(one.name, at, 0);
        grid->addWidget(one.busy, at, 1, Qt::AlignRight);
        grid->addWidget(one.ranks, at + 1, 0, 1, 2);
        groups_.push_back(one);
    }
    details->addLayout(grid);
    row->addWidget(chart_, 1);
    row->addWidget(card);
    new Beside(*row, *card, 276);
    connect(chart_, &DeviceMapChart::device_shown, this, &DeviceMapPage::show_device);
    connect(chart_, &DeviceMapChart::unfolded_changed, this, [this] { back_->setVisible(chart_->unfolded()); });
    connect(back_, &QToolButton::clicked, this, [this] {
        while (chart_->unfolded()) chart_->fold();
        chart_->setFocus();
    });
    connect(colours_, &SegmentedControl::chosen, this,
            [this](const QString& id) { chart_->set_colours(from_id<MeshAxis>(id)); });
    connect(order_, &OrderChips::drag_began, &document_, &Document::begin_drag);
    connect(order_, &OrderChips::drag_ended, &document_, &Document::end_drag);
    connect(order_, &OrderChips::order_chosen, this, [this](const QStringList& ids) {
        if (const auto order = order_laid_out(axes_in(ids), chart_->map()->mesh.degrees()))
            document_.change([&](Scenario& s) { s.parallelism.axis_order = *order; });
    });
}

NamedCharts DeviceMapPage::charts() const { return {{QStringLiteral("device-map"), chart_}}; }

void DeviceMapPage::show_result(const LiveResultPtr& result) {
    const Scenario& s = result->request.scenario;
    std::optional<DeviceMap> map;
    if (result->estimate) map = device_map(s, *result->estimate);
    room_ = s.cluster.device.memory.value_or(Bytes{0});
    network_ = s.workload.size() == 1 ? s.workload.front().network : nullptr;
    chart_->set_map(map ? std::make_shared<const DeviceMap>(std::move(*map)) : nullptr,
                    tr("This design has no device map. It uses only one device, its devices cannot be divided evenly "
                       "into the mesh, "
                       "or its method does not support meshes."));
    show_choices();
    show_device();
}

void DeviceMapPage::show_choices() {
    const DeviceMap* map = chart_->map();
    // One axis leaves nothing to choose.
    axes_->setVisible(map && map->axes().size() > 1);
    if (!map) return;
    std::vector<SegmentedControl::Segment> segments;
    QString ids;
    for (const MeshAxis axis : map->axes()) {
        segments.insert(segments.begin(), {id_of(axis), name_of_axis(axis), tr("Colour by the rank on this axis")});
        ids += id_of(axis) + QLatin1Char(' ');
    }
    if (std::exchange(axes_shown_, ids) != ids) colours_->set_segments(segments);
    colours_->set_current(id_of(chart_->colours()));
    show_order(map->mesh);
}

void DeviceMapPage::show_order(const Mesh& shown) {
    Mesh mesh = shown;  // its order may be that before the last edit
    const Degrees degrees = mesh.degrees();
    const AxisOrder order = document_.scenario().parallelism.axis_order;
    mesh.order = order_of(order);
    std::vector<OrderChips::Chip> chips;
    for (const MeshAxis axis : laid_out(order, degrees).axes) {
        const std::int64_t apart = mesh.stride(axis);
        const QString number = told(format_count(apart));
        const QString tip = apart == 1 ? tr("Neighbours on this axis are the next device.")
                                       : tr("Neighbours on this axis are %1 devices apart.").arg(number);
        chips.insert(chips.begin(),
                     {id_of(axis), name_of_axis(axis), apart == 1 ? tr("next") : tr("%1 apart").arg(number),
                      tip + QLatin1Char(' ') + tr("Drag it to another place, or use Alt+Left and Alt+Right.")});
    }
    order_->set_chips(chips, [mesh, degrees](const QStringList& ids) mutable {
        const auto next = order_laid_out(axes_in(ids), degrees);
        if (next) mesh.order = order_of(*next);
        return next && mesh.order_suits_experts()
                   ? QString()
                   : tr("Experts need the devices of a stage next to each other: pipeline stays outermost.");
    });
}

void DeviceMapPage::show_device() {
    const DeviceMap* map = chart_->map();
    QStringList place;
    QString title = tr("Device"), unit;
    std::vector<DeviceGroup> groups;
    if (map) {
        const DevicePlace at = map->place(chart_->shown_device());
        title = tr("Device %1").arg(told(format_count(at.device)));
        unit = tr("node %1, device %2").arg(told(format_count(at.node)), told(format_count(at.in_node)));
        for (const MeshAxis axis : map->axes()) place.prepend(name_of_rank(axis, at.on(axis)));
        groups = map->groups(at.device);
    }
    title_->set_title(title);
    title_->set_unit(unit);
    place_->setText(place.join(QStringLiteral(" · ")));
    figures_->set_rows(map ? figures_of(*map) : std::vector<KeyFigure>{});
    for (std::size_t i = 0; i < groups_.size(); ++i) show_group(groups_[i], i < groups.size() ? &groups[i] : nullptr);
}

std::vector<KeyFigure> DeviceMapPage::figures_of(const DeviceMap& map) const {
    const DeviceHolding held = map.holding(chart_->shown_device());
    const Bytes peak = held.memory.peak;
    std::vector<KeyFigure> rows;
    const auto add = [&rows](const QString& name, const QString& now, const QString& note) {
        KeyFigure f;
        f.name = name, f.now = now, f.note = note;
        rows.push_back(std::move(f));
    };
    const QString layers = told(format_count(held.layers)), parts = told(format_count(held.layer_parts));
    add(tr("Layers"), held.layer_parts > 1 ? tr("1/%1 of %2").arg(parts, layers) : layers,
        layers_of(held, network_.get()));
    if (held.sequence_parts > 1)
        add(tr("Sequence"), QStringLiteral("1/%1").arg(told(format_count(held.sequence_parts))),
            tr("Share of the positions of each sequence"));
    if (held.optimizer < 1)
        add(tr("Weights · optimizer"),
            QStringLiteral("%1 · %2").arg(part_in_words(held.weights), part_in_words(held.optimizer)),
            tr("Shares of its layers' weights and optimizer states that it keeps (ZeRO)"));
    const QString room = room_.value > 0 ? told(format_bytes(room_)) : QStringLiteral("–");
    add(tr("Memory, peak"), tr("%1 of %2").arg(told(format_bytes(peak)), room), {});
    rows.back().warned = room_.value > 0 && peak > room_;
    add(tr("Waiting"), share_in_words(held.waiting / map.step),
        tr("Share of the step in which it waits for other devices"));
    return rows;
}

void DeviceMapPage::show_group(GroupRow& row, const DeviceGroup* group) {
    for (QWidget* w : std::initializer_list<QWidget*>{row.name, row.busy, row.ranks}) w->setVisible(group);
    if (!group) return;
    const AxisTraffic& sent = group->traffic;
    row.name->setText(QStringLiteral("%1 %2").arg(name_of_axis(group->axis), told(format_count(group->count))));
    row.busy->setText(tr("link busy %1").arg(share_in_words(group->busy)));
    row.ranks->setText(ranks_of(*group) + QStringLiteral(" · ") +
                       QString::fromStdString(group->link.empty() ? "–" : group->link));
    const QString tip =
        tr("%1 messages a step with %2 in %3: %4 exposed, %5 hidden. Within %6.")
            .arg(told(format_count(sent.messages)), told(format_bytes(sent.bytes)), told(format_time(sent.time)),
                 told(format_time(sent.exposed)), told(format_time(sent.hidden)),
                 group->in_node() ? tr("the node") : tr("%1 nodes").arg(told(format_count(group->nodes))));
    for (QWidget* w : std::initializer_list<QWidget*>{row.name, row.busy, row.ranks}) w->setToolTip(tip);
    row.name->setAccessibleDescription(tip);
}

}  // namespace scalescope::ui
