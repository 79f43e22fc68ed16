// SPDX-License-Identifier: GPL-3.0-or-later
// A report about the open design and those pinned beside it.
#include <QApplication>
#include <QDate>
#include <QDesktopServices>
#include <QFileDialog>
#include <QFileInfo>
#include <QUrl>

#include "ui/language/told.hpp"
#include "ui/report/report_dialog.hpp"
#include "ui/report/report_file.hpp"
#include "ui/widgets/file_names.hpp"
#include "ui/widgets/messages.hpp"
#include "ui/window/exports.hpp"

namespace scalescope::ui {

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
