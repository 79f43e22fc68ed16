// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot.hpp"
//
#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QTableView>

#include "ui/charts/chart.hpp"
#include "ui/charts/chart_export.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/file_names.hpp"

/// The menus of a chart and what they do.
namespace scalescope::ui {

void Chart::fill_export_menu(QMenu& menu) {
    const auto add = [&](const QString& text, const QString& suffix, double scale) {
        menu.addAction(text, this, [this, suffix, scale] { export_with_dialog(suffix, scale); });
    };
    add(tr("PNG…"), QStringLiteral("png"), 1.0);
    add(tr("PNG, 2×…"), QStringLiteral("png"), 2.0);
    add(tr("PNG, 3×…"), QStringLiteral("png"), 3.0);
    add(tr("SVG…"), QStringLiteral("svg"), 1.0);
    add(tr("PDF…"), QStringLiteral("pdf"), 1.0);
    add(tr("CSV…"), QStringLiteral("csv"), 1.0);
    menu.addSeparator();
    menu.addAction(tr("Copy image"), this, &Chart::copy_image);
    // The key is only shown: it belongs to the chart that has the keyboard, not to every menu.
    const QString key = QKeySequence(QKeySequence::Copy).toString(QKeySequence::NativeText);
    menu.addAction(tr("Copy data") + QLatin1Char('\t') + key, this, &Chart::copy_data);
    if (theme().dark) {
        menu.addSeparator();
        QAction* light = menu.addAction(tr("Export with light colours"));
        light->setCheckable(true);
        light->setChecked(light_export_);
        connect(light, &QAction::toggled, this, [this](bool on) { light_export_ = on; });
    }
}

void Chart::fill_menu(QMenu& menu) {
    add_options(menu);
    if (!menu.isEmpty()) menu.addSeparator();
    QAction* table = menu.addAction(tr("Show as table"));
    table->setCheckable(true);
    table->setChecked(table_shown());
    connect(table, &QAction::toggled, this, &Chart::show_table);
    QAction* reset = menu.addAction(tr("Show everything"), QKeySequence(Qt::Key_0), this, &Chart::reset_view);
    reset->setEnabled(chosen_x_.has_value() || chosen_y_.has_value());
    menu.addSeparator();
    QMenu* exports = menu.addMenu(tr("Export and copy"));
    exports->setObjectName(QStringLiteral("chart_export_menu"));
    fill_export_menu(*exports);
}

void Chart::open_menu(QPoint global, bool whole) {
    say_nothing();
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("chart_menu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (whole)
        fill_menu(*menu);
    else
        fill_export_menu(*menu);
    menu->popup(global);
}

void Chart::export_with_dialog(const QString& suffix, double scale) {
    const QString filter = tr("%1 file (*.%2)").arg(suffix.toUpper(), suffix);
    QString path = QFileDialog::getSaveFileName(
        this, tr("Export chart"), file_name_from(title_, QStringLiteral("chart")) + QLatin1Char('.') + suffix, filter);
    if (path.isEmpty()) return;
    if (!path.endsWith(QLatin1Char('.') + suffix, Qt::CaseInsensitive)) path += QLatin1Char('.') + suffix;
    const Theme& colours = light_export_ ? Theme::light() : theme();
    const Result<void> saved = save_chart(*this, path, {size(), scale, &colours});
    if (!saved) QMessageBox::warning(this, tr("Export chart"), told(to_text(saved.error().front())));
}

void Chart::copy_image() {
    const Theme& colours = light_export_ ? Theme::light() : theme();
    QGuiApplication::clipboard()->setImage(chart_image(*this, {size(), std::max(2.0, devicePixelRatioF()), &colours}));
}

void Chart::copy_data() {
    const Theme& colours = light_export_ ? Theme::light() : theme();
    QGuiApplication::clipboard()->setMimeData(chart_mime(*this, {size(), 2.0, &colours}).release());
}

}  // namespace scalescope::ui
