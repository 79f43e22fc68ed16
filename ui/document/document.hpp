// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QString>
#include <QUndoGroup>
#include <QUndoStack>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/scenario/pin.hpp"
#include "core/scenario/scenario.hpp"
#include "ui/document/file_on_disk.hpp"

namespace scalescope::ui {

/// A drawing that is not a valid network yet.
struct Drawing {
    NetworkDraft draft;
    int part = 0;          ///< of the workload
    bool related = false;  ///< drawn from the network of that part, whose ids its layers have (editing::related_to)
};

/// What takes the place of the open design: a file, a preset, a pasted text, the session, a step of a lesson.
struct Replacement {
    Scenario scenario;
    Pins pins;
    FileOnDisk file{};  ///< where it is saved; without a name: nowhere yet
    std::optional<Drawing> drawing{};
    bool saved = true;  ///< false: work that survived a crash, or that its file no longer holds
};

/// How a design is looked at, before and after a replacement: undo and redo ask the window for them.
struct Views {
    QJsonObject before, after;
};

/// The open document: the scenario, its file and its history. Everything that changes a number goes through edit() or
/// edit_network(). A network that is being drawn need not make sense at every moment: until it does, the scenario keeps
/// the last one that did, and the draft stands beside it.
class Document : public QObject {
    Q_OBJECT
public:
    explicit Document(QObject* parent = nullptr);

    const Scenario& scenario() const { return state_.scenario; }
    QUndoStack& history() { return *history_; }
    /// The same for actions and signals, which stay when another history takes its place.
    QUndoGroup& histories() { return histories_; }
    QString file() const { return state_.origin->file.file(); }
    const FileOnDisk& on_disk() const { return state_.origin->file; }
    /// What the title bar shows: the file's name, or the scenario's.
    QString title() const;
    /// The design differs from what its file holds, or from what was opened if it has no file.
    bool dirty() const { return dirty_; }

    /// Applies `next` as one undo step named after what changed. While a drag is on, all its edits are one step.
    void edit(Scenario next);
    /// Applies `change` to a copy of the scenario, then edit().
    template <class Change>
    void change(Change change) {
        Scenario next = scenario();
        change(next);
        edit(std::move(next));
    }
    /// Scenario and pins at once, as one undo step called `what`; what was drawn goes.
    void edit(Scenario next, Pins pins, const QString& what);
    /// `next` belongs to the last edit, whose undo step takes it up: what follows from it was worked out meanwhile.
    void amend(Scenario next);
    void begin_drag();
    void end_drag();
    bool dragging() const { return drag_ != 0; }
    /// Between these, what is typed into a field is one step too; unlike a drag it is answered in full at every key.
    void begin_typing();
    void end_typing() { typing_ = 0; }

    /// Designs kept beside the open one, to be compared with it: A to D. Each change is one undo step.
    const Pins& pins() const { return state_.pins; }
    bool can_pin() const { return state_.pins.size() < limits::pins; }
    /// The open scenario as it is now.
    void pin();
    void unpin(std::size_t index);
    void rename_pin(std::size_t index, const QString& name);
    /// To another place, and so to another letter.
    void move_pin(std::size_t from, std::size_t to);
    /// The pinned design is open, and the open one is pinned in its place.
    void swap_with_pin(std::size_t index);

    /// What is drawn of one network of the workload, where that is no network (yet); null: the scenario's own is drawn.
    const std::shared_ptr<const NetworkDraft>& draft() const { return state_.draft; }
    int draft_part() const { return state_.part; }
    /// What is drawn, whichever it is.
    NetworkDraft drawn(int part) const;
    /// Another number whenever what is drawn does not come from editing what was drawn before.
    int lineage() const { return state_.lineage; }
    /// The scenario's network is an earlier state of the draft, so that its layers are the same by their ids.
    bool draft_is_related() const { return state_.lineage == state_.priced_lineage; }
    /// The next state of what is drawn, as one undo step called `what`. If it is a network, the scenario takes it.
    void edit_network(int part, NetworkDraft next, const QString& what);
    /// The networks edited in another way than on the canvas, with what the scenario says of their layers. Layers keep
    /// their ids.
    void edit_networks(Scenario next, const QString& what);
    /// An empty draft, to be drawn from the beginning.
    void new_network();

    /// The one way by which another design takes the place of the open one: an undo step, which brings back scenario,
    /// drawing, pins and file. With `views` it brings back how the design was looked at, too.
    void replace(Replacement next, const QString& what, std::optional<Views> views = {});
    /// Starts afresh: the history is empty then. Where something was done already, `replace` keeps it.
    void open(Replacement first);
    void open(Scenario scenario) { open({std::move(scenario), {}}); }
    /// What was drawn without a file and then replaced, so that only undo brings it back: its name. Empty if there is
    /// no such drawing.
    QString replaced_drawing() const;
    /// The document was written to `file`.
    void saved(FileOnDisk file);
    /// The file holds what another program wrote; what is open here differs from it, and is to be saved.
    void keep_mine();

    class Kept;
    /// Hands out all of the document, history and file included; a copy of it stays open, clean and without a file.
    Kept put_aside();
    /// What was put aside is open again, as it was to the last undo step. Returns what was open meanwhile.
    Kept bring_back(Kept kept);

signals:
    void changed();                            ///< the scenario is another one, or the pins are
    void state_changed();                      ///< file, title or dirty mark
    void view_asked(const QJsonObject& view);  ///< a replacement was made, undone or redone

private:
    class EditCommand;
    class ReplaceCommand;
    /// What a file holds.
    struct Design {
        Scenario scenario;
        Pins pins;
        std::shared_ptr<const NetworkDraft> draft;
        int part = 0;  ///< of the draft
        bool operator==(const Design&) const = default;
    };
    /// Where a design is saved, and what is saved there. All states that were edited from one opened design share it.
    struct Origin {
        FileOnDisk file;
        std::optional<Design> saved;  ///< nothing: whatever is open differs
    };
    struct State : Design {
        int lineage = 0, priced_lineage = 0;
        bool made = false;  ///< its network was drawn by hand
        std::shared_ptr<Origin> origin;
        bool operator==(const State&) const = default;
    };
    State state_, before_typing_;
    std::vector<std::weak_ptr<Origin>> origins_;  ///< of all states in the history
    QUndoGroup histories_;
    std::unique_ptr<QUndoStack> history_;
    int drag_ = 0, typing_ = 0, last_run_ = 0, next_run_ = 1, next_lineage_ = 1;
    bool dirty_ = false;

    void push(State next, const QString& what);
    void push_pins(Pins pins, const QString& what);
    void set(const State& s);
    void begin_history();
    void begin_origin(State& state, FileOnDisk file, bool saved);
    State state_of(Replacement next);
    static bool is_dirty(const State& state);
};

/// A document that was put aside: nothing to do with it but to read it, and to bring it back. It must not outlive the
/// document.
class Document::Kept {
public:
    const Scenario& scenario() const { return state_.scenario; }
    const Pins& pins() const { return state_.pins; }
    const std::shared_ptr<const NetworkDraft>& draft() const { return state_.draft; }
    const QString& file() const { return on_disk().file(); }
    const FileOnDisk& on_disk() const { return state_.origin->file; }
    bool dirty() const { return is_dirty(state_); }
    /// Something was done to it.
    bool edited() const { return history_ && history_->index() > 0; }

private:
    friend class Document;
    State state_;
    std::unique_ptr<QUndoStack> history_;
};

/// What a pin is called, by its place: "A" to "D".
QString pin_letter(std::size_t index);

}  // namespace scalescope::ui
