// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

namespace scalescope::ui {

/// What a file about `title` is offered to be called, without its ending: "Time per layer" gives "time-per-layer",
/// "bert_base/v1.2" gives "bert_base-v1.2". At most 80 letters, none that a file system minds; `otherwise` if none is
/// left.
QString file_name_from(const QString& title, const QString& otherwise);

/// Asks where to save a file. A name without an ending gets `ending`; empty if the person changed their mind. `filter`
/// as QFileDialog takes and returns it.
QString ask_where_to_save(QWidget* parent, const QString& title, const QString& offered, const QString& filter,
                          const QString& ending, QString* chosen_filter = nullptr);

}  // namespace scalescope::ui
