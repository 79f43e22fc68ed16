// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/runs_session.hpp"

#include "core/formats/csv.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/formats/versions.hpp"
#include "core/measure/fit/fit_json.hpp"
#include "ui/measure/runs_document.hpp"

namespace scalescope::ui {
namespace {

const formats::FileFormat kept_format{"scalescope-kept-runs", "session of measurements", {}};

std::string setup_text(const measure::FitSetup& setup) {
    formats::JsonWriter json;
    measure::write_setup(json, setup);
    return json.take();
}

}  // namespace

std::string KeptRuns::text() const {
    formats::JsonWriter json;
    formats::begin_file(json, kept_format);
    json.text("table", sheet->columns() > 0 ? sheet->to_csv() : std::string());
    json.key("setup");
    measure::write_setup(json, setup);
    json.text("fit_file", fit_file.toStdString());
    if (fit) json.raw("fit", measure::fit_json(*fit));
    json.end_object();
    return json.take();
}

Result<KeptRuns> read_kept_runs(const std::string& text, const std::string& name, const Watch& watch) {
    const auto document = formats::open_document(text, name, kept_format, watch);
    if (!document) return tl::unexpected(document.error());
    formats::ProblemList problems;
    formats::JsonFields fields(document->root(), {}, problems);
    KeptRuns kept;
    const auto table = fields.text("table");
    const auto setup = fields.required("setup", formats::JsonKind::object);
    kept.fit_file = QString::fromStdString(std::string(fields.optional_text("fit_file").value_or("")));
    if (setup)
        if (auto read = measure::read_setup(*setup, "setup", problems)) kept.setup = std::move(*read);
    kept.sheet = std::make_shared<measure::RunSheet>();
    if (table && !table->empty()) {
        const auto parsed = formats::parse_csv(*table, name, watch);
        if (!parsed) return tl::unexpected(parsed.error());
        kept.sheet = std::make_shared<measure::RunSheet>(*parsed);
    }
    if (const auto fit = fields.optional("fit", formats::JsonKind::object)) {
        // A fit can be made again; a table that cannot be had because of it would be lost.
        if (auto read = measure::read_fit(fit->source(), name, watch))
            kept.fit = std::make_shared<const measure::FittedRuns>(std::move(*read));
    }
    if (problems.has_errors()) return tl::unexpected(problems.take());
    return kept;
}

RunsSession::RunsSession(RunsDocument& document, const QString& sessions, QObject* parent)
    : QObject(parent), document_(document), session_(folder(sessions)) {
    connect(&document_, &RunsDocument::changed, this, &RunsSession::keep);
    connect(&document_, &RunsDocument::fit_changed, this, &RunsSession::keep);
}

void RunsSession::keep() {
    KeptRuns now;
    now.sheet = document_.state().sheet;
    now.setup = {document_.state().map, document_.state().hold, document_.state().options};
    now.fit = document_.fit();
    now.file = document_.on_disk();
    now.fit_file = document_.fit_file();
    now.dirty = document_.dirty();
    if (now.sheet->columns() == 0 && !now.fit && !last_.sheet) return;  // nothing was ever open
    std::string setup = setup_text(now.setup);
    if (last_.sheet == now.sheet && last_.fit == now.fit && last_.dirty == now.dirty && last_.file == now.file &&
        last_.fit_file == now.fit_file && last_setup_ == setup)
        return;
    last_ = now;
    last_setup_ = std::move(setup);
    session_.keep([now] { return now.text(); }, {{}, now.file.file(), now.dirty, false, {}, now.file.digest()}, true);
}

void RunsSession::close() { session_.close(); }

}  // namespace scalescope::ui
