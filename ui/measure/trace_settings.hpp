// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>
#include <optional>

#include "ui/measure/trace_document.hpp"

class QLabel;
class QPushButton;

namespace scalescope::ui {

class Combo;
class NumberField;
class PickList;

/// What a person chooses about a trace: which step is drawn, whose shapes its operators have, by which rules and in
/// which precision they are carried over, and to which GPUs.
class TraceSettings final : public QWidget {
    Q_OBJECT
public:
    explicit TraceSettings(TraceDocument& document, QWidget* parent = nullptr);

    /// What the document has now. Another recording than before starts at its second step.
    void show_state();
    std::size_t step() const;
    /// Ids of the GPUs to be shown; nothing: all, new ones too.
    std::optional<QStringList> gpus() const;
    void set_gpus(const std::optional<QStringList>& ids);
    bool is_chosen(const Device& device) const;
    PickList* gpu_list() const { return gpus_; }
    QPushButton* export_button() const { return export_; }

signals:
    void step_chosen();
    void gpus_chosen();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build_sets();
    void show_calibrations();
    void change(const std::function<void(TraceOptions&)>& set);
    void ask_for_calibration();

    TraceDocument& document_;
    Combo *step_, *network_, *rules_, *precision_, *calibration_;
    NumberField* batch_;
    PickList* gpus_;
    QPushButton* export_;
    QLabel* assumed_;
    RecordedTracePtr shown_;
};

}  // namespace scalescope::ui
