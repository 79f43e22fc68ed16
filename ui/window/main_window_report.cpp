// SPDX-License-Identifier: GPL-3.0-or-later
// A report about the open design and those pinned beside it: asked for, worked out beside the window, written.
#include <QApplication>
#include <QDate>
#include <QDesktopServices>
#include <QFileDialog>
#include <QFileInfo>
#include <QPushButton>
#include <QUrl>

#include "ui/inspect/compare_page.hpp"
#include "ui/language/told.hpp"
#include "ui/report/report_dialog.hpp"
#include "ui/report/report_file.hpp"
#include "ui/widgets/banner.hpp"
#include "ui/widgets/file_names.hpp"
#include "ui/widgets/progress_row.hpp"
#include "ui/window/main_window.hpp"

namespace scalescope::ui {

/// The pinned ones come first, so that their letters are those of the window.
Pins MainWindow::reported_designs() const {
    Pins all = document_.pins();
    std::string name = name_of_new_pin(document_.scenario(), all);
    if (name != document_.scenario().name) name = told(name).toStdString();
    all.push_back({std::move(name), std::make_shared<const Scenario>(document_.scenario())});
    return all;
}

void MainWindow::ask_for_report() {
    auto* dialog = new ReportDialog(reported_designs(), compare_page_->choice().metric, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        const report::Asked asked = dialog->asked();
        const QString suffix = dialog->suffix(), title = QString::fromStdString(asked.title);
        QString file = QFileDialog::getSaveFileName(
            this, tr("Save the report"),
            file_name_from(title.isEmpty() ? document_.title() : title, tr("report")) + QLatin1Char('.') + suffix,
            suffix == QLatin1String("pdf") ? tr("PDF (*.pdf)") : tr("HTML page (*.html)"));
        if (file.isEmpty()) return;
        if (!check_report_name(file)) file += QLatin1Char('.') + suffix;
        write_report(asked, file);
    });
    dialog->open();
}

void MainWindow::write_report(report::Asked asked, const QString& file) {
    asked.version = QApplication::applicationVersion().toStdString();
    asked.date = QDate::currentDate().toString(Qt::ISODate).toStdString();
    const Pins designs = reported_designs();
    if (asked.title.empty() && designs.size() > 1) {
        const QString first = QString::fromStdString(designs[0].name);
        asked.title = (designs.size() == 2 ? tr("%1 against %2").arg(first, QString::fromStdString(designs[1].name))
                                           : tr("%1 and %2 others").arg(first).arg(designs.size() - 1))
                          .toStdString();
    }
    if (!report_work_) {
        report_work_ = std::make_unique<Background>();
        connect(report_work_.get(), &Background::slow, this, [this] {
            progress_->start(tr("Making the report"));
            show_progress(true);
        });
        connect(report_work_.get(), &Background::progressed, progress_, &ProgressRow::set_progress);
        connect(report_work_.get(), &Background::ended, this, [this] { show_progress(false); });
        connect(progress_, &ProgressRow::cancelled, report_work_.get(), &Background::cancel);
    }
    report_work_->run({}, [this, asked, file, designs](const Watch& watch) -> Background::Delivery {
        auto made = report::make_report(asked, designs, watch);
        return [this, file, made = std::move(made)] {
            const QString name = QFileInfo(file).fileName();
            // Charts are widgets, and drawn where widgets live.
            const auto saved = made ? save_report(*made, file) : Result<void>(tl::unexpected(made.error()));
            if (!saved) return say(tr("%1 was not written. %2").arg(name, told(to_text(saved.error().front()))), true);
            say(tr("The report was exported to %1.").arg(name));
            connect(notice_->add_button(tr("Open it")), &QPushButton::clicked, this,
                    [file] { QDesktopServices::openUrl(QUrl::fromLocalFile(file)); });
        };
    });
}

bool MainWindow::finish_report() { return !report_work_ || report_work_->finish(); }

}  // namespace scalescope::ui
