// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_file.hpp"

#include <QFileInfo>

#include "core/base/atomic_file.hpp"
#include "core/report/html.hpp"
#include "ui/charts/chart_export.hpp"
#include "ui/language/told.hpp"
#include "ui/report/report_charts.hpp"

namespace scalescope::ui {
namespace {

bool is_html(const QString& path) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    return suffix == QLatin1String("html") || suffix == QLatin1String("htm");
}

}  // namespace

QByteArray report_html(const report::Report& r) {
    const ReportCharts charts(r);
    std::vector<report::Picture> pictures;
    for (const auto& drawing : charts.all()) {
        ExportOptions options;
        options.size = QSize(report_column, drawing.height);
        pictures.push_back({drawing.chart->description().toStdString(),
                            chart_svg(*drawing.chart, options).toStdString(), drawing.comparison});
    }
    return QByteArray::fromStdString(report::to_html(
        r, pictures,
        {language_told().toStdString(), [](std::string_view said) { return told_word(said).toStdString(); }}));
}

Result<void> check_report_name(const QString& path) {
    if (is_html(path) || QFileInfo(path).suffix().toLower() == QLatin1String("pdf")) return {};
    Problem p;
    p.what = "A report is a PDF or an HTML file, and the name says neither.";
    p.where = path.toStdString();
    p.remedy = "Let it end in .pdf or .html.";
    return fail(std::move(p));
}

Result<void> save_report(const report::Report& r, const QString& path) {
    if (auto good = check_report_name(path); !good) return good;
    const QByteArray bytes = is_html(path) ? report_html(r) : report_pdf(r);
    return write_file(path.toStdString(), std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

}  // namespace scalescope::ui
