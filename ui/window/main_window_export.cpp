// SPDX-License-Identifier: GPL-3.0-or-later
// The network as a file that others read: asked for, written off the window's thread, and what became of it said.
#include <QFileDialog>
#include <QFileInfo>
#include <QPushButton>
#include <array>
#include <memory>

#include "core/base/atomic_file.hpp"
#include "core/report/trace.hpp"
#include "ui/language/told.hpp"
#include "ui/widgets/banner.hpp"
#include "ui/widgets/file_names.hpp"
#include "ui/window/main_window.hpp"

namespace scalescope::ui {
namespace {

using formats::NetworkFormat;

constexpr std::array network_formats{NetworkFormat::scalescope, NetworkFormat::onnx, NetworkFormat::paleo};

QString filter_of(NetworkFormat format) {
    switch (format) {
        case NetworkFormat::scalescope: return MainWindow::tr("Scalescope network (*.json)");
        case NetworkFormat::onnx: return MainWindow::tr("ONNX model without weights (*.onnx)");
        case NetworkFormat::paleo: return MainWindow::tr("PALEO network (*.json)");
    }
    return {};
}

QString joined(const Problems& problems) {
    QStringList all;
    for (const Problem& p : problems) all << told(to_text(p));
    return all.join(QStringLiteral("\n\n"));
}

}  // namespace

void MainWindow::export_network() {
    const Network* network = document_.scenario().network();
    if (!network || document_.draft())
        return say(tr("The drawing is not a valid network yet. Fix the entries under Problems, then export it."), true);
    QStringList filters;
    for (const auto format : network_formats) filters << filter_of(format);
    QString chosen = filters.front();
    QString file = QFileDialog::getSaveFileName(
        this, tr("Export the network"),
        file_name_from(QString::fromStdString(network->name()), tr("network")) + QStringLiteral(".json"),
        filters.join(QStringLiteral(";;")), &chosen);
    if (file.isEmpty()) return;
    NetworkFormat format = network_formats[static_cast<std::size_t>(std::max<qsizetype>(filters.indexOf(chosen), 0))];
    // The ending of the name counts; PALEO's is Scalescope's too.
    if (QFileInfo(file).suffix().isEmpty())
        file += format == NetworkFormat::onnx ? QStringLiteral(".onnx") : QStringLiteral(".json");
    const auto named = formats::network_format_for(file.toStdString());
    if (named && !(format == NetworkFormat::paleo && *named == NetworkFormat::scalescope)) format = *named;
    export_network_to(file, format, false);
}

void MainWindow::export_trace() {
    if (!result() || !result()->estimate || !result()->plan || result()->estimate->cpu)
        return say(tr("This design has no timeline."), true);
    const Scenario& s = result()->request.scenario;
    QString file = QFileDialog::getSaveFileName(
        this, tr("Export the timeline"),
        file_name_from(QString::fromStdString(s.name), tr("timeline")) + QStringLiteral(".trace.json"),
        tr("Trace for Perfetto (*.json)"));
    if (file.isEmpty()) return;
    if (QFileInfo(file).suffix().isEmpty()) file += QStringLiteral(".json");
    loader_.load(
        QFileInfo(file).fileName(),
        [file, result = result()](const Watch&) -> Result<OpenedFile> {
            const auto written = write_file(
                file.toStdString(), report::trace_json(result->request.scenario, *result->plan, *result->estimate));
            if (!written) return tl::unexpected(written.error());
            return OpenedFile{};
        },
        [this, name = QFileInfo(file).fileName()](Result<OpenedFile> done) {
            if (done)
                say(tr("The timeline was exported to %1. Open it at ui.perfetto.dev.").arg(name));
            else
                say(tr("%1 was not written. %2").arg(name, told(to_text(done.error().front()))), true);
            open_next();
        });
}

void MainWindow::export_network_to(const QString& file, NetworkFormat format, bool lossy) {
    const auto network = document_.scenario().workload.front().network;
    auto can_be_less = std::make_shared<bool>(false);
    auto writer = [network, file, format, lossy, can_be_less](const Watch&) -> Result<OpenedFile> {
        const auto made = formats::export_network(*network, format, lossy);
        if (!made) {
            *can_be_less = !lossy && formats::export_network(*network, format, true).has_value();
            return tl::unexpected(made.error());
        }
        if (const auto written = write_file(file.toStdString(), made->text); !written)
            return tl::unexpected(written.error());
        OpenedFile done;
        done.warnings = made->warnings;
        return done;
    };
    const QString name = QFileInfo(file).fileName();
    loader_.load(name, std::move(writer), [this, file, name, format, can_be_less](Result<OpenedFile> done) {
        if (done) {
            const QString more = done->warnings.empty() ? QString() : told(done->warnings.front().what);
            say(tr("The network was exported to %1.").arg(name) + (more.isEmpty() ? more : QLatin1Char(' ') + more));
            notice_->setToolTip(joined(done->warnings));
        } else {
            say(tr("%1 was not written. %2").arg(name, told(to_text(done.error().front()))), true);
            failure_->setToolTip(joined(done.error()));
            if (*can_be_less)
                connect(failure_->add_button(tr("Write what PALEO can say")), &QPushButton::clicked, this,
                        [this, file, format] { export_network_to(file, format, true); });
        }
        open_next();
    });
}

}  // namespace scalescope::ui
