// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

class QHBoxLayout;

namespace scalescope::ui {

/// "Step › conv2 › Forward": all but the last are links.
class Breadcrumb final : public QWidget {
    Q_OBJECT
public:
    struct Crumb {
        QString id, text;
        bool operator==(const Crumb&) const = default;
    };
    explicit Breadcrumb(QWidget* parent = nullptr);
    void set_crumbs(const std::vector<Crumb>& crumbs);

signals:
    void crumb_clicked(const QString& id);

private:
    QHBoxLayout* row_;
    std::vector<Crumb> crumbs_;
};

}  // namespace scalescope::ui
