// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/document.hpp"

#include <QFileInfo>

#include "core/scenario/fields.hpp"

namespace scalescope::ui {

/// One step from one scenario to another. Scenarios share their networks and are cheap to keep; edits of one drag,
/// or of one typing, merge.
class Document::EditCommand : public QUndoCommand {
public:
    EditCommand(Document& document, Scenario before, Scenario after, int run)
        : document_(document), before_(std::move(before)), after_(std::move(after)), run_(run) {
        name();
    }
    void undo() override { document_.set(before_); }
    void redo() override { document_.set(after_); }
    int id() const override { return run_ == 0 ? -1 : 1; }
    bool mergeWith(const QUndoCommand* other) override {
        const auto* o = static_cast<const EditCommand*>(other);
        if (o->run_ != run_) return false;
        after_ = o->after_;
        name();
        setObsolete(after_ == before_);  // dragged there and back: nothing happened
        return true;
    }

private:
    Document& document_;
    Scenario before_, after_;
    int run_;

    void name() { setText(QString::fromStdString(describe_change(before_, after_))); }
};

Document::Document(QObject* parent) : QObject(parent) {
    history_.setUndoLimit(500);
    connect(&history_, &QUndoStack::cleanChanged, this, &Document::state_changed);
}

QString Document::title() const {
    return file_.isEmpty() ? QString::fromStdString(scenario_.name) : QFileInfo(file_).fileName();
}

void Document::set(const Scenario& s) {
    scenario_ = s;
    emit changed();
}

void Document::edit(Scenario next) {
    if (next == scenario_) return;
    history_.push(new EditCommand(*this, scenario_, std::move(next), drag_ != 0 ? drag_ : typing_));
}

void Document::begin_drag() {
    if (drag_ == 0) drag_ = next_run_++;
}

void Document::begin_typing() {
    if (typing_ == 0) typing_ = next_run_++;
}

void Document::end_drag() {
    if (drag_ == 0) return;
    drag_ = 0;
    emit changed();  // charts refine at rest
}

void Document::open(Scenario scenario, const QString& file) {
    history_.clear();
    drag_ = typing_ = 0;
    recovered_ = false;
    file_ = file;
    scenario_ = std::move(scenario);
    emit changed();
    emit state_changed();
}

void Document::recover(Scenario scenario, const QString& file) {
    open(std::move(scenario), file);
    recovered_ = true;
    emit state_changed();
}

void Document::saved(const QString& file) {
    file_ = file;
    recovered_ = false;
    history_.setClean();
    emit state_changed();
}

}  // namespace scalescope::ui
