// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/document.hpp"

#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "core/scenario/fields.hpp"
#include "core/scenario/scenario.hpp"
#include "ui/document/files.hpp"
#include "ui/language/told.hpp"

namespace scalescope::ui {

/// One step from one scenario to another. Scenarios share their networks and are cheap to keep; edits of one drag,
/// or of one typing, merge.
class Document::EditCommand : public QUndoCommand {
public:
    /// `what`: what the step is called; empty: after what changed in the scenario.
    EditCommand(Document& document, State before, State after, const QString& what, int run)
        : document_(document), before_(std::move(before)), after_(std::move(after)), what_(what), run_(run) {
        name();
    }
    void undo() override { document_.set(before_); }
    void redo() override { document_.set(after_); }
    int id() const override { return run_ == 0 ? -1 : 1; }
    /// It took the place of what was drawn, and no file holds that.
    bool replaces_drawing() const {
        return before_.made && !after_.made && before_.origin->file.file().isEmpty() && is_dirty(before_);
    }
    QString name_before() const {
        const Network* network = before_.scenario.network();
        return QString::fromStdString(before_.draft ? before_.draft->name
                                      : network     ? network->name()
                                                    : before_.scenario.name);
    }
    bool mergeWith(const QUndoCommand* other) override {
        const auto* o = static_cast<const EditCommand*>(other);
        if (o->run_ != run_) return false;
        after_ = o->after_;
        what_ = o->what_;
        name();
        setObsolete(after_ == before_);  // dragged there and back: nothing happened
        return true;
    }

protected:
    Document& document_;

private:
    State before_, after_;
    QString what_;
    int run_;

    void name() { setText(what_.isEmpty() ? told(describe_change(before_.scenario, after_.scenario)) : what_); }
};

/// Another design: the step brings back the window's view with it.
class Document::ReplaceCommand final : public EditCommand {
public:
    ReplaceCommand(Document& document, State before, State after, const QString& what, Views views)
        : EditCommand(document, std::move(before), std::move(after), what, 0), views_(std::move(views)) {}
    void undo() override {
        EditCommand::undo();
        emit document_.view_asked(views_.before);
    }
    void redo() override {
        EditCommand::redo();
        emit document_.view_asked(views_.after);
    }

private:
    Views views_;
};

namespace {

bool same_networks(const Scenario& a, const Scenario& b) {
    const auto same = [](const WorkloadPart& x, const WorkloadPart& y) { return x.network == y.network; };
    return std::equal(a.workload.begin(), a.workload.end(), b.workload.begin(), b.workload.end(), same);
}

}  // namespace

Document::Document(QObject* parent) : QObject(parent) {
    begin_origin(state_, {}, true);
    begin_history();
}

void Document::begin_history() {
    history_ = std::make_unique<QUndoStack>();
    history_->setUndoLimit(500);
    histories_.addStack(history_.get());
    histories_.setActiveStack(history_.get());
}

QString Document::title() const {
    return file().isEmpty() ? QString::fromStdString(scenario().name) : QFileInfo(file()).fileName();
}

bool Document::is_dirty(const State& state) {
    const Design& design = state;
    return !state.origin->saved || !(*state.origin->saved == design);
}

void Document::set(const State& s) {
    const QString file_before = file();
    const bool dirty_before = dirty_;
    state_ = s;
    dirty_ = is_dirty(state_);
    emit changed();
    if (file() != file_before || dirty_ != dirty_before) emit state_changed();
}

void Document::push(State next, const QString& what) {
    if (next == state_) return;
    last_run_ = drag_ != 0 ? drag_ : typing_ != 0 ? typing_ : next_run_++;
    history_->push(new EditCommand(*this, state_, std::move(next), what, last_run_));
}

void Document::amend(Scenario next) {
    if (history_->index() == 0 || history_->canRedo() || !same_networks(scenario(), next)) return edit(std::move(next));
    State state = state_;
    next.name = name_after(scenario(), next);
    state.scenario = std::move(next);
    if (state == state_) return;
    history_->push(new EditCommand(*this, state_, std::move(state), history_->text(history_->index() - 1), last_run_));
}

void Document::edit(Scenario next) {
    State state = state_;
    if (!same_networks(scenario(), next)) {  // another network: what was drawn goes
        state.draft.reset();
        state.made = false;
        state.lineage = state.priced_lineage = next_lineage_++;
    }
    next.name = name_after(scenario(), next);
    state.scenario = std::move(next);
    push(std::move(state), {});
}

void Document::edit(Scenario next, Pins pins, const QString& what) {
    State state = state_;
    if (state.draft || !same_networks(scenario(), next)) {
        state.made = false;
        state.lineage = state.priced_lineage = next_lineage_++;
    }
    state.scenario = std::move(next);
    state.pins = std::move(pins);
    state.draft.reset();
    state.part = 0;
    push(std::move(state), what);
}

void Document::push_pins(Pins pins, const QString& what) {
    State state = state_;
    state.pins = std::move(pins);
    push(std::move(state), what);
}

QString pin_letter(std::size_t index) { return QString(QLatin1Char(letter_of_pin(index))); }

void Document::pin() {
    if (!can_pin()) return;
    Pins pins = state_.pins;
    std::string name = name_of_new_pin(scenario(), pins);
    // What differs is told; the scenario's own name is nobody's to translate.
    if (name != scenario().name) name = told(name).toStdString();
    pins.push_back({std::move(name), std::make_shared<const Scenario>(scenario())});
    push_pins(std::move(pins), tr("Pin %1").arg(pin_letter(state_.pins.size())));
}

void Document::unpin(std::size_t index) {
    if (index >= state_.pins.size()) return;
    Pins pins = state_.pins;
    pins.erase(pins.begin() + static_cast<std::ptrdiff_t>(index));
    push_pins(std::move(pins), tr("Unpin %1").arg(pin_letter(index)));
}

void Document::rename_pin(std::size_t index, const QString& name) {
    if (index >= state_.pins.size()) return;
    Pins pins = state_.pins;
    pins[index].name = name.trimmed().toStdString();
    push_pins(std::move(pins), tr("Rename %1").arg(pin_letter(index)));
}

void Document::move_pin(std::size_t from, std::size_t to) {
    if (from >= state_.pins.size() || to >= state_.pins.size() || from == to) return;
    Pins pins = state_.pins;
    const Pin moved = pins[from];
    pins.erase(pins.begin() + static_cast<std::ptrdiff_t>(from));
    pins.insert(pins.begin() + static_cast<std::ptrdiff_t>(to), moved);
    push_pins(std::move(pins), tr("Pin %1 becomes %2").arg(pin_letter(from), pin_letter(to)));
}

void Document::swap_with_pin(std::size_t index) {
    if (index >= state_.pins.size()) return;
    State state = state_;
    Pin& pin = state.pins[index];
    auto open = std::make_shared<const Scenario>(std::move(state.scenario));
    state.scenario = *pin.scenario;
    pin = {open->name, std::move(open)};
    if (state.draft) state.made = false;
    state.draft.reset();
    state.part = 0;
    state.lineage = state.priced_lineage = next_lineage_++;
    push(std::move(state), tr("Swap with %1").arg(pin_letter(index)));
}

NetworkDraft Document::drawn(int part) const {
    if (state_.draft && state_.part == part) return *state_.draft;
    const auto p = static_cast<std::size_t>(part);
    return p < scenario().workload.size() ? settled(scenario().workload[p].network->draft()) : NetworkDraft{};
}

void Document::edit_network(int part, NetworkDraft next, const QString& what) {
    State state = state_;
    // Symbols keep the values they are bound to, as far as the edited network has them.
    std::vector<Binding> bindings;
    const auto of = static_cast<std::size_t>(part);
    if (draft_is_related() && of < scenario().workload.size())
        for (const Binding& b : scenario().workload[of].network->bindings())
            if (std::any_of(next.symbols.begin(), next.symbols.end(),
                            [&](const Symbol& s) { return s.name == b.symbol; }))
                bindings.push_back(b);
    state.made = true;
    auto network = Network::make(next, bindings);
    if (network) {
        state.scenario =
            draft_is_related() ? with_edited_network(scenario(), part, *network) : with_network(scenario(), *network);
        state.priced_lineage = state.lineage;
        state.draft.reset();
        state.part = 0;
    } else {
        state.draft = std::make_shared<const NetworkDraft>(std::move(next));
        state.part = part;
        // Prices are those of what stood there before the typing: on the way to 40 there was a 4.
        const Scenario &now = scenario(), &before = before_typing_.scenario;
        if (typing_ != 0 && now.cluster == before.cluster && now.training == before.training &&
            now.model == before.model) {
            state.scenario = before;
            state.priced_lineage = before_typing_.priced_lineage;
        }
    }
    push(std::move(state), what);
}

void Document::edit_networks(Scenario next, const QString& what) {
    State state = state_;
    state.scenario = std::move(next);
    state.made = true;
    state.priced_lineage = state.lineage;
    state.draft.reset();
    state.part = 0;
    push(std::move(state), what);
}

void Document::new_network() {
    State state = state_;
    NetworkDraft empty;
    empty.name = tr("New network").toStdString();
    empty.symbols.push_back({"batch", 1, {}});
    state.draft = std::make_shared<const NetworkDraft>(std::move(empty));
    state.part = 0;
    state.made = true;
    state.lineage = next_lineage_++;
    push(std::move(state), tr("New network"));
}

void Document::begin_drag() {
    if (drag_ == 0) drag_ = next_run_++;
}

void Document::begin_typing() {
    if (typing_ != 0) return;
    typing_ = next_run_++;
    before_typing_ = state_;
}

void Document::end_drag() {
    if (drag_ == 0) return;
    drag_ = 0;
    emit changed();  // charts refine at rest
}

/// The states that came from one file share what is known of it, however often it was opened.
void Document::begin_origin(State& state, FileOnDisk file, bool saved) {
    std::erase_if(origins_, [](const auto& origin) { return origin.expired(); });
    state.origin.reset();
    if (!file.file().isEmpty())
        for (const auto& one : origins_)
            if (auto origin = one.lock(); origin && origin->file.file() == file.file())
                state.origin = std::move(origin);
    if (!state.origin) {
        state.origin = std::make_shared<Origin>();
        origins_.push_back(state.origin);
    }
    state.origin->file = std::move(file);
    state.origin->saved.reset();
    if (saved) state.origin->saved = static_cast<const Design&>(state);
}

Document::State Document::state_of(Replacement next) {
    State state;
    state.lineage = state_.lineage;
    if (state_.draft || next.drawing || !same_networks(scenario(), next.scenario)) state.lineage = next_lineage_++;
    state.priced_lineage = state.lineage;
    state.scenario = std::move(next.scenario);
    state.pins = std::move(next.pins);
    if (next.drawing) {
        state.draft = std::make_shared<const NetworkDraft>(std::move(next.drawing->draft));
        state.part = next.drawing->part;
        if (!next.drawing->related) state.lineage = next_lineage_++;
    }
    state.made = next.drawing.has_value();
    begin_origin(state, std::move(next.file), next.saved);
    return state;
}

void Document::replace(Replacement next, const QString& what, std::optional<Views> views) {
    drag_ = typing_ = 0;
    State state = state_of(std::move(next));
    if (views)
        history_->push(new ReplaceCommand(*this, state_, std::move(state), what, std::move(*views)));
    else
        push(std::move(state), what);
}

void Document::open(Replacement first) {
    history_->clear();
    drag_ = typing_ = 0;
    state_ = state_of(std::move(first));
    dirty_ = is_dirty(state_);
    emit changed();
    emit state_changed();
}

QString Document::replaced_drawing() const {
    for (int i = history_->index() - 1; i >= 0; --i)
        if (const auto* step = dynamic_cast<const EditCommand*>(history_->command(i)); step && step->replaces_drawing())
            return step->name_before();
    return {};
}

void Document::saved(FileOnDisk file) {
    state_.origin->file = std::move(file);
    for (const auto& one : origins_)
        if (const auto origin = one.lock(); origin && origin->file.file() == this->file()) {
            origin->file = on_disk();
            origin->saved = static_cast<const Design&>(state_);
        }
    dirty_ = false;
    emit state_changed();
}

void Document::keep_mine() {
    state_.origin->file.look_again();
    state_.origin->saved.reset();
    dirty_ = true;
    emit state_changed();
}

Document::Kept Document::put_aside() {
    end_drag();
    end_typing();
    Kept kept;
    kept.state_ = state_;
    kept.history_ = std::move(history_);
    begin_origin(state_, {}, true);
    dirty_ = false;
    begin_history();
    emit state_changed();
    return kept;
}

Document::Kept Document::bring_back(Kept kept) {
    drag_ = typing_ = 0;
    std::swap(state_, kept.state_);
    dirty_ = is_dirty(state_);
    std::swap(history_, kept.history_);
    histories_.setActiveStack(history_.get());
    emit changed();
    emit state_changed();
    return kept;
}

}  // namespace scalescope::ui
