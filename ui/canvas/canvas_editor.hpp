// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/network/editing/edit.hpp"
#include "core/network/editing/fixes.hpp"

namespace scalescope::ui {

class Canvas;
class Document;

/// What gestures on the canvas do to the network: each is one function of core/network/editing and one undo step.
/// What an edit was about is selected after it; why one is refused is said.
class CanvasEditor final : public QObject {
    Q_OBJECT
public:
    CanvasEditor(Document& document, Canvas& canvas);

    /// Behind what is selected, or alone; in front of whatever reads that.
    void insert(const Kind& kind);
    /// As a branch of its own behind a layer.
    void insert_behind(const Kind& kind, const std::string& path);
    void insert_on_wire(const Kind& kind, int wire);
    /// Without a connection.
    void insert_alone(const Kind& kind);
    void remove_selected();
    void duplicate_selected();
    /// As text, which other windows and editors read too: the layers, and the names of what they read outside.
    bool copy_selected();
    void cut_selected();
    /// What the layers read outside is found by its name, and said where there is no layer of that name.
    void paste();
    /// Puts what is selected into a block of its own, called "block1" until somebody renames it.
    void group_selected();
    void ungroup_selected();
    /// Makes the row of the selected block `count` blocks long.
    void repeat_selected(int count);
    void rename_block(const std::string& path, const std::string& name);
    /// The block that is selected, alone; empty: none.
    std::string selected_block() const;
    /// How many blocks the row of the selected block has; 0: no block is selected.
    int row_length() const;
    void connect_boxes(const std::string& from, const std::string& to);
    void set_attribute(std::span<const LayerId> layers, std::string_view name, const AttributeValue& value);
    void rename(LayerId layer, const std::string& name);
    void rename_network(const std::string& name);
    void change_kind(LayerId layer, const Kind& kind);

    std::vector<LayerId> selected() const;
    /// Ways to mend a fault of what is drawn; each has been tried.
    std::vector<editing::Fix> fixes(const Fault& fault) const;
    /// Applies an edit made elsewhere; false if it was refused.
    bool apply(editing::Edit edit, const QString& what);

signals:
    void refused(const QString& why);
    void told(const QString& sentence);
    void scenario_found();  ///< what was to be pasted is a whole scenario as text

private:
    NetworkDraft drawn() const;
    std::optional<LayerId> layer_of(const std::string& path, bool last) const;
    void select(const std::vector<LayerId>& layers);
    void select_block(const std::string& path);
    void disconnect_wires();
    Document& document_;
    Canvas& canvas_;
};

}  // namespace scalescope::ui
