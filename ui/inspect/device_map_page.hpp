// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/estimate/device_map.hpp"
#include "ui/charts/chart.hpp"
#include "ui/live/view.hpp"

class QLabel;
class QToolButton;

namespace scalescope::ui {

class CardTitle;
class DeviceMapChart;
class Document;
class ElidedLabel;
class KeyFigures;
class OrderChips;
struct KeyFigure;
class SegmentedControl;

/// The devices of the mesh as a map, and beside it what the held or hovered one keeps, with which others it exchanges
/// messages over which link, and how busy that is. The axis of the colours and the order of the axes are chosen above
/// the map.
class DeviceMapPage final : public QWidget, public View {
    Q_OBJECT
public:
    explicit DeviceMapPage(Document& document, QWidget* parent = nullptr);

    DeviceMapChart* chart() const { return chart_; }
    NamedCharts charts() const override;
    void show_result(const LiveResultPtr& result) override;

private:
    /// A group in two lines, and its messages in the tip.
    struct GroupRow {
        QLabel *name, *busy;
        ElidedLabel* ranks;
    };

    Document& document_;
    DeviceMapChart* chart_;
    SegmentedControl* colours_;
    OrderChips* order_;
    QToolButton* back_;
    QWidget* axes_;  ///< colours and order
    CardTitle* title_;
    QLabel* place_;
    KeyFigures* figures_;
    std::vector<GroupRow> groups_;
    QString axes_shown_;                      ///< ids of the segments
    Bytes room_{0};                           ///< memory of a device
    std::shared_ptr<const Network> network_;  ///< null where there are several

    void show_choices();
    void show_order(const Mesh& mesh);
    void show_device();
    std::vector<KeyFigure> figures_of(const DeviceMap& map) const;
    void show_group(GroupRow& row, const DeviceGroup* group);
};

}  // namespace scalescope::ui
