// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

class QAbstractButton;
class QButtonGroup;

namespace scalescope::ui {

/// One of a few, side by side in one track: "Data Outputs Layers Hybrid". One Tab stop, arrows move the choice. A
/// segment that can't be chosen stays readable and says why.
class SegmentedControl final : public QWidget {
    Q_OBJECT
public:
    struct Segment {
        QString id, text, tip;
    };

    explicit SegmentedControl(const QString& accessible_name, QWidget* parent = nullptr);
    void set_segments(const std::vector<Segment>& segments);
    /// Emits nothing. An unknown id changes nothing.
    void set_current(const QString& id);
    QString current() const;
    /// With enabled = false, `reason` becomes tip and accessible description: "AlexNet has no place to cut".
    void set_segment_enabled(const QString& id, bool enabled, const QString& reason = {});
    QAbstractButton* button(const QString& id) const;

signals:
    /// A person chose it.
    void chosen(const QString& id);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QButtonGroup* group_;
    std::vector<Segment> segments_;
};

}  // namespace scalescope::ui
