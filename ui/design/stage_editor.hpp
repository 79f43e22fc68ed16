// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <vector>

#include "ui/live/live.hpp"

class QGridLayout;
class QLabel;
class QPushButton;
class QScrollArea;

namespace scalescope::ui {

class Combo;
class Document;

/// The first layer of each stage but the first, as the answer has them; empty where nothing is split by layers.
std::vector<LayerId> stage_starts(const LiveResult& result);

/// Where each stage begins when a network is split by layers, and what each stage takes; every change is one undo step.
class StageEditor final : public QDialog {
    Q_OBJECT
public:
    explicit StageEditor(Document& document, QWidget* parent = nullptr);
    void show_result(const LiveResultPtr& result);

private:
    struct Row {
        QLabel *name, *first, *time;
        Combo* start;
    };
    Document& document_;
    LiveResultPtr result_;
    std::vector<Row> rows_;
    QWidget* list_;
    QScrollArea* scroll_;
    QGridLayout* grid_;
    QLabel* note_;
    QPushButton* balance_;

    void set_rows(std::size_t count);
    void choose(std::size_t stage, LayerId layer);
};

}  // namespace scalescope::ui
