// SPDX-License-Identifier: GPL-3.0-or-later
// How the canvas leaves the program: pictures in its own size, and paper.
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QPainter>
#include <QPrintPreviewDialog>
#include <QPrinter>
#include <QScopeGuard>

#include "ui/canvas/canvas.hpp"
#include "ui/canvas/canvas_legend.hpp"
#include "ui/canvas/canvas_scene.hpp"
#include "ui/canvas/canvas_view.hpp"
#include "ui/canvas/fault_list.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/file_names.hpp"

namespace scalescope::ui {
namespace {

constexpr int legend_gap = 12;
constexpr double least_drawing = 0.4;  // of a page, however long the list below it
constexpr int paper_dots = 96;         // fonts are in points: pixels as large as on the screen; all is lines anyway

/// What stands below the drawing: the legend, then what does not fit.
struct Below {
    double legend = 0, faults = 0;  ///< heights
    double all() const { return legend + faults; }
};
Below below_of(double width, const CanvasScene& scene, const CanvasLegend& legend, const FaultList& faults) {
    Below below;
    if (scene.priced()) below.legend = legend.sizeHint().height() + 2 * legend_gap;
    if (!faults.empty()) below.faults = faults.height(width - 2 * legend_gap) + legend_gap;
    return below;
}

/// The drawing, and the legend below it, in the middle of a page of that size.
void draw(QPainter& painter, const QSizeF& page, CanvasScene& scene, const CanvasLegend& legend, const Theme& look) {
    const QScopeGuard back([&scene] { scene.set_look(nullptr); });
    scene.set_look(&look);
    const FaultList faults(scene);
    const Below below = below_of(page.width(), scene, legend, faults);
    const QRectF all = scene.sceneRect();
    const double scale =
        std::min({1.0, page.width() / std::max(1.0, all.width()),
                  std::max(least_drawing * page.height(), page.height() - below.all()) / std::max(1.0, all.height())});
    const QSizeF size = all.size() * scale;
    painter.fillRect(QRectF(QPointF(), page), look.card);
    const QRectF target(QPointF((page.width() - size.width()) / 2, 0), size);
    scene.render(&painter, target, all, Qt::IgnoreAspectRatio);
    painter.save();
    faults.draw_markers(painter,
                        QTransform::fromTranslate(-all.x(), -all.y()) * QTransform::fromScale(scale, scale) *
                            QTransform::fromTranslate(target.x(), target.y()),
                        look);
    painter.translate(legend_gap, std::max(size.height(), page.height() - below.all()) + legend_gap);
    if (below.legend > 0) legend.draw_on(painter, look);
    painter.translate(0, below.legend);
    if (!faults.empty()) faults.draw(painter, page.width() - 2 * legend_gap, look);
    painter.restore();
}

}  // namespace

QSize Canvas::picture_size() const {
    const QSizeF all = scene_->sceneRect().size();
    const FaultList faults(*scene_);
    const int width = std::max({qRound(all.width()), view_->legend()->sizeHint().width() + 2 * legend_gap,
                                faults.empty() ? 0 : FaultList::narrowest});
    return {width, qRound(all.height() + below_of(width, *scene_, *view_->legend(), faults).all())};
}

Picture Canvas::picture() const {
    return {tr("%1, coloured by %2").arg(QString::fromStdString(scene_->sketch()->name), title_of(scene_->colouring())),
            legend_title(scene_->colouring()), [this](QPaintDevice& device, QSize size, const Theme& look) {
                QPainter painter(&device);
                draw(painter, size, *scene_, *view_->legend(), look);
            }};
}

void Canvas::fill_export_menu(QMenu& menu) {
    const auto add = [&](const QString& title, const QString& suffix, double scale) {
        menu.addAction(title, this, [this, suffix, scale] { export_with_dialog(suffix, scale); });
    };
    add(tr("PNG…"), QStringLiteral("png"), 1.0);
    add(tr("PNG, 2×…"), QStringLiteral("png"), 2.0);
    add(tr("SVG…"), QStringLiteral("svg"), 1.0);
    add(tr("PDF…"), QStringLiteral("pdf"), 1.0);
    menu.addSeparator();
    menu.addAction(tr("Print…"), this, &Canvas::print);
}

void Canvas::export_with_dialog(const QString& suffix, double scale) {
    QString path = QFileDialog::getSaveFileName(
        this, tr("Export the drawing"), file_name_from(picture().title, tr("network")) + QLatin1Char('.') + suffix,
        tr("%1 file (*.%2)").arg(suffix.toUpper(), suffix));
    if (path.isEmpty()) return;
    if (QFileInfo(path).suffix().compare(suffix, Qt::CaseInsensitive) != 0) path += QLatin1Char('.') + suffix;
    ExportOptions options;
    options.size = picture_size();
    options.scale = scale;
    const auto saved = save_bytes(path, picture_bytes(picture(), suffix, options));
    if (saved)
        emit said(tr("The drawing is in %1.").arg(QFileInfo(path).fileName()), false);
    else
        emit said(told(to_text(saved.error().front())), true);
}

void Canvas::print() {
    QPrinter printer;
    printer.setResolution(paper_dots);
    const QSizeF all = picture_size();
    printer.setPageOrientation(all.width() > all.height() ? QPageLayout::Landscape : QPageLayout::Portrait);
    QPrintPreviewDialog dialog(&printer, this);
    dialog.setWindowTitle(tr("Print the drawing"));
    dialog.resize(window()->size() * 0.8);
    connect(&dialog, &QPrintPreviewDialog::paintRequested, this, [this](QPrinter* to) { print_on(*to); });
    dialog.exec();
}

void Canvas::print_on(QPrinter& printer) const {
    printer.setDocName(picture().title);
    printer.setResolution(paper_dots);
    QPainter painter(&printer);
    draw(painter, printer.pageRect(QPrinter::DevicePixel).size(), *scene_, *view_->legend(), Theme::light());
}

}  // namespace scalescope::ui
