// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/exports.hpp"

#include <QApplication>
#include <QClipboard>
#include <QDate>
#include <QDesktopServices>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QUrl>
#include <array>
#include <utility>

#include "core/base/atomic_file.hpp"
#include "core/formats/trainers/description.hpp"
#include "core/report/trace.hpp"
#include "core/words/configured.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/charts/chart_export.hpp"
#include "ui/language/told.hpp"
#include "ui/report/report_dialog.hpp"
#include "ui/report/report_file.hpp"
#include "ui/theme/icons.hpp"
#include "ui/widgets/file_names.hpp"
#include "ui/widgets/messages.hpp"
#include "ui/window/files.hpp"

namespace scalescope::ui {
namespace {

using formats::NetworkFormat;

constexpr std::array network_formats{NetworkFormat::scalescope, NetworkFormat::onnx, NetworkFormat::paleo};

QString filter_of(NetworkFormat format) {
    switch (format) {
        case NetworkFormat::scalescope: return Exports::tr("Scalescope network (*.json)");
        case NetworkFormat::onnx: return Exports::tr("ONNX model without weights (*.onnx)");
        case NetworkFormat::paleo: return Exports::tr("PALEO network (*.json)");
    }
    return {};
}

QString joined(const Problems& problems) {
    QStringList all;
    for (const Problem& p : problems) all << told(to_text(p));
    return all.join(QStringLiteral("\n\n"));
}

}  // namespace

Exports::Exports(QWidget& window, const Document& document, Presenter& presenter, Files& files, Messages& messages,
                 Surroundings around)
    : window_(window),
      document_(document),
      presenter_(presenter),
      files_(files),
      messages_(messages),
      around_(std::move(around)) {}

void Exports::fill_menu(QMenu& menu) {
    menu.setIcon(icon("export"));
    for (const auto& entry : presenter_.charts()) {
        QMenu* one = menu.addMenu(entry.second->title());
        Chart* chart = entry.second;
        connect(&menu, &QMenu::aboutToShow, one, [one, chart] {
            one->setTitle(chart->title());
            one->menuAction()->setVisible(chart->isVisible());
        });
        connect(one, &QMenu::aboutToShow, this, [one, chart] {
            one->clear();
            chart->fill_export_menu(*one);
        });
    }
    menu.addAction(tr("All charts…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E), this, &Exports::export_all);
    menu.addSeparator();
    QMenu* drawing = menu.addMenu(tr("Drawing of the network"));
    connect(drawing, &QMenu::aboutToShow, this, [this, drawing] {
        drawing->clear();
        around_.drawing().fill_export_menu(*drawing);
    });
    menu.addAction(tr("Network as a file…"), this, &Exports::export_network)
        ->setObjectName(QStringLiteral("exportNetwork"));
    QAction* trace = menu.addAction(tr("Timeline as a trace…"), this, &Exports::export_trace);
    trace->setObjectName(QStringLiteral("exportTrace"));
    trace->setToolTip(tr("A file that Perfetto (ui.perfetto.dev) and chrome://tracing open"));
}

void Exports::add_actions(QMenu& menu) {
    QAction* report =
        menu.addAction(tr("&Report…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R), this, &Exports::ask_for_report);
    report->setObjectName(QStringLiteral("report"));
    report->setToolTip(tr("Export the open and pinned designs as a report of one or two pages (Ctrl+Shift+R)"));
    menu.addAction(tr("&Print the drawing…"), QKeySequence::Print, this, [this] { around_.drawing().print(); });
}

void Exports::fill_copy_menu(QMenu& menu) {
    for (const auto& trainer : formats::trainers::shipped_descriptions())
        if (!trainer.syntax.empty())
            menu.addAction(plain(trainer.title), this, [this, &trainer] { copy_as(trainer.id, plain(trainer.title)); })
                ->setObjectName(QStringLiteral("copy_as_") + plain(trainer.id));
}

/// What the trainer cannot express is said, as much of it as a line holds.
void Exports::copy_as(const std::string& trainer, const QString& title) {
    const auto written = configuration_for(trainer, document_.scenario(), "Scalescope " SCALESCOPE_VERSION);
    if (!written) return messages_.say(told(to_text(written.error().front())), true);
    QGuiApplication::clipboard()->setText(plain(written->text));
    QStringList lost;
    for (const Problem& note : written->notes) lost << told(note.what);
    const QString copied = tr("The configuration for %1 was copied.").arg(title);
    constexpr int most = 2;
    messages_.say(lost.isEmpty() ? copied
                  : lost.size() > most
                      ? tr("%1 It cannot express all of the scenario: %2 And %3 more.")
                            .arg(copied, lost.mid(0, most).join(QLatin1Char(' ')))
                            .arg(lost.size() - most)
                      : tr("%1 It cannot express all of the scenario: %2").arg(copied, lost.join(QLatin1Char(' '))));
    messages_.set_tip(lost.join(QLatin1Char('\n')));
}

void Exports::say_not_written(const QString& file, const Problems& problems) {
    messages_.say(tr("%1 was not written. %2").arg(QFileInfo(file).fileName(), told(to_text(problems.front()))), true);
}

void Exports::export_all() {
    const QString folder = QFileDialog::getExistingDirectory(&window_, tr("Export all charts to a folder"));
    if (folder.isEmpty()) return;
    presenter_.show_everything();  // pages that nobody looks at are not kept up to date
    for (const auto& entry : presenter_.charts()) {
        if (entry.second->is_empty()) continue;
        for (const char* suffix : {"png", "svg", "pdf", "csv"}) {
            ExportOptions options;
            options.scale = 2;
            const auto saved = save_chart(
                *entry.second, QStringLiteral("%1/%2.%3").arg(folder, entry.first, QLatin1String(suffix)), options);
            if (!saved) return messages_.say(told(to_text(saved.error().front())), true);
        }
    }
    messages_.say(tr("All charts were exported to %1 as PNG, SVG, PDF and CSV.").arg(folder));
}

void Exports::export_network() {
    const Network* network = document_.scenario().network();
    if (!network || document_.draft())
        return messages_.say(
            tr("The drawing is not a valid network yet. Fix the entries under Problems, then export it."), true);
    QStringList filters;
    for (const auto format : network_formats) filters << filter_of(format);
    QString chosen = filters.front();
    QString file = QFileDialog::getSaveFileName(
        &window_, tr("Export the network"),
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

void Exports::export_network_to(const QString& file, NetworkFormat format, bool lossy) {
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
    files_.load(name, std::move(writer), [this, file, name, format, can_be_less](Result<OpenedFile> done) {
        if (done) {
            const QString more = done->warnings.empty() ? QString() : told(done->warnings.front().what);
            messages_.say(tr("The network was exported to %1.").arg(name) +
                          (more.isEmpty() ? more : QLatin1Char(' ') + more));
            return messages_.set_tip(joined(done->warnings));
        }
        say_not_written(file, done.error());
        messages_.set_tip(joined(done.error()));
        if (*can_be_less)
            messages_.offer(tr("Export what PALEO supports"),
                            [this, file, format] { export_network_to(file, format, true); });
    });
}

void Exports::export_trace() {
    const LiveResultPtr result = presenter_.result();
    if (!result || !result->estimate || !result->plan || result->estimate->cpu)
        return messages_.say(tr("This design has no timeline."), true);
    const QString file =
        ask_where_to_save(&window_, tr("Export the timeline"),
                          file_name_from(QString::fromStdString(result->request.scenario.name), tr("timeline")) +
                              QStringLiteral(".trace.json"),
                          tr("Trace for Perfetto (*.json)"), QStringLiteral(".json"));
    if (file.isEmpty()) return;
    const QString name = QFileInfo(file).fileName();
    auto writer = [file, result](const Watch&) -> Result<OpenedFile> {
        const auto written = write_file(file.toStdString(),
                                        report::trace_json(result->request.scenario, *result->plan, *result->estimate));
        if (!written) return tl::unexpected(written.error());
        return OpenedFile{};
    };
    files_.load(name, std::move(writer), [this, file, name](Result<OpenedFile> done) {
        if (!done) return say_not_written(file, done.error());
        messages_.say(tr("The timeline was exported to %1. Open it at ui.perfetto.dev.").arg(name));
    });
}

/// The pinned ones come first, so that their letters are those of the window.
Pins Exports::reported_designs() const {
    Pins all = document_.pins();
    std::string name = name_of_new_pin(document_.scenario(), all);
    if (name != document_.scenario().name) name = told(name).toStdString();
    all.push_back({std::move(name), std::make_shared<const Scenario>(document_.scenario())});
    return all;
}

void Exports::ask_for_report() {
    auto* dialog = new ReportDialog(reported_designs(), around_.compared(), &window_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        const report::Asked asked = dialog->asked();
        const QString suffix = dialog->suffix(), title = QString::fromStdString(asked.title);
        QString file = QFileDialog::getSaveFileName(
            &window_, tr("Save the report"),
            file_name_from(title.isEmpty() ? document_.title() : title, tr("report")) + QLatin1Char('.') + suffix,
            suffix == QLatin1String("pdf") ? tr("PDF (*.pdf)") : tr("HTML page (*.html)"));
        if (file.isEmpty()) return;
        if (!check_report_name(file)) file += QLatin1Char('.') + suffix;
        write_report(asked, file);
    });
    dialog->open();
}

void Exports::write_report(report::Asked asked, const QString& file) {
    asked.version = QApplication::applicationVersion().toStdString();
    asked.date = QDate::currentDate().toString(Qt::ISODate).toStdString();
    const Pins designs = reported_designs();
    if (asked.title.empty() && designs.size() > 1) {
        const QString first = QString::fromStdString(designs[0].name);
        asked.title = (designs.size() == 2 ? tr("%1 against %2").arg(first, QString::fromStdString(designs[1].name))
                                           : tr("%1 and %2 others").arg(first).arg(designs.size() - 1))
                          .toStdString();
    }
    report_work_.run(tr("Making the report"), [this, asked, file, designs](const Watch& watch) -> Background::Delivery {
        auto made = report::make_report(asked, designs, watch);
        return [this, file, made = std::move(made)] {
            // Charts are widgets, and drawn where widgets live.
            const auto saved = made ? save_report(*made, file) : Result<void>(tl::unexpected(made.error()));
            if (!saved) return say_not_written(file, saved.error());
            messages_.say(tr("The report was exported to %1.").arg(QFileInfo(file).fileName()));
            messages_.offer(tr("Open it"), [file] { QDesktopServices::openUrl(QUrl::fromLocalFile(file)); });
        };
    });
}

}  // namespace scalescope::ui
