// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/canvas_editor.hpp"

#include <QClipboard>
#include <QGuiApplication>
#include <algorithm>

#include "core/drawing/caption.hpp"
#include "core/formats/network_json.hpp"
#include "core/network/editing/edit.hpp"
#include "core/network/editing/fragment.hpp"
#include "core/network/editing/names.hpp"
#include "core/words/configured.hpp"
#include "ui/canvas/box_item.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/canvas/canvas_scene.hpp"
#include "ui/canvas/canvas_view.hpp"
#include "ui/canvas/wire_item.hpp"
#include "ui/document/document.hpp"
#include "ui/language/told.hpp"

namespace scalescope::ui {
namespace {

QString name_of(const NetworkDraft& draft, LayerId id) {
    for (const Layer& l : draft.layers)
        if (l.id == id) return plain(l.name);
    return {};
}

}  // namespace

CanvasEditor::CanvasEditor(Document& document, Canvas& canvas)
    : QObject(&canvas), document_(document), canvas_(canvas) {}

NetworkDraft CanvasEditor::drawn() const { return document_.drawn(canvas_.part()); }

std::vector<LayerId> CanvasEditor::selected() const {
    std::vector<LayerId> ids;
    for (int l : canvas_.scene().selected_layers()) ids.push_back(canvas_.scene().sketch()->layers[at(l)].id);
    return ids;
}

std::vector<editing::Fix> CanvasEditor::fixes(const Fault& fault) const {
    if (!canvas_.shows_document()) return {};  // the fault is of a network that is gone
    const NetworkDraft draft = drawn();
    std::vector<Binding> bindings;
    const auto part = static_cast<std::size_t>(canvas_.part());
    const auto& workload = document_.scenario().workload;
    if (document_.draft_is_related() && part < workload.size()) {
        const auto has = [&](const Binding& b) {  // what is drawn may have lost some
            return std::any_of(draft.symbols.begin(), draft.symbols.end(),
                               [&](const Symbol& s) { return s.name == b.symbol; });
        };
        for (const Binding& b : workload[part].network->bindings())
            if (has(b)) bindings.push_back(b);
    }
    return editing::fixes_of(draft, *canvas_.scene().sketch(), fault, bindings);
}

/// Of a block, the one that comes first or last in it.
std::optional<LayerId> CanvasEditor::layer_of(const std::string& path, bool last) const {
    const auto& h = canvas_.scene().hierarchy();
    const int item = h.find(path);
    if (item < 0) return std::nullopt;
    const auto& layers = h.items[at(item)].layers;
    return canvas_.scene().sketch()->layers[at(last ? layers.back() : layers.front())].id;
}

bool CanvasEditor::apply(editing::Edit edit, const QString& what) {
    if (!edit) {
        emit refused(ui::told(to_text(edit.error().front())));
        return false;
    }
    const std::vector<LayerId> chosen = std::move(edit->selected);
    document_.edit_network(canvas_.part(), std::move(edit->draft), what);
    select(chosen);
    return true;
}

void CanvasEditor::select(const std::vector<LayerId>& layers) {
    CanvasScene& scene = canvas_.scene();
    std::vector<std::string> paths;
    for (const Layer& l : scene.sketch()->layers)
        if (std::find(layers.begin(), layers.end(), l.id) != layers.end()) paths.push_back(l.name);
    for (const auto& path : paths) scene.reveal(path);
    scene.select(paths);
    if (!paths.empty())
        if (const BoxItem* box = scene.box(paths.front())) canvas_.view().show_box(*box);
}

void CanvasEditor::insert(const Kind& kind) {
    const NetworkDraft draft = drawn();
    std::vector<LayerId> sources;
    for (const auto& path : canvas_.scene().selected())
        if (const auto id = layer_of(path, true)) sources.push_back(*id);
    auto edit = sources.empty() || kind.max_inputs == 0
                    ? editing::insert_alone(draft, kind)
                    : editing::insert_behind(draft, kind, sources, editing::Readers::follow);
    apply(std::move(edit), tr("Insert %1").arg(ui::told(kind.title)));
}

void CanvasEditor::insert_behind(const Kind& kind, const std::string& path) {
    const auto source = layer_of(path, true);
    if (!source || kind.max_inputs == 0) return insert_alone(kind);
    const std::vector<LayerId> sources{*source};
    apply(editing::insert_behind(drawn(), kind, sources), tr("Insert %1").arg(ui::told(kind.title)));
}

void CanvasEditor::insert_alone(const Kind& kind) {
    apply(editing::insert_alone(drawn(), kind), tr("Insert %1").arg(ui::told(kind.title)));
}

void CanvasEditor::insert_on_wire(const Kind& kind, int wire) {
    const auto ends = canvas_.scene().connections_of(wire);
    if (ends.empty() || kind.max_inputs == 0) return insert_alone(kind);
    auto edit = editing::insert_on_edge(drawn(), kind, ends.front().reader, ends.front().input);
    // Several layers of a block may read the same tensor: all of them read the new layer then.
    for (std::size_t i = 1; edit && i < ends.size(); ++i) {
        if (ends[i].source != ends.front().source) continue;
        const auto inserted = edit->selected;
        auto more = editing::connect_layers(edit->draft, inserted.front(), ends[i].reader, ends[i].input);
        if (!more) break;
        edit->draft = std::move(more->draft);
    }
    apply(std::move(edit), tr("Insert %1").arg(ui::told(kind.title)));
}

void CanvasEditor::remove_selected() {
    const auto layers = selected();
    if (layers.empty()) return disconnect_wires();
    const NetworkDraft draft = drawn();
    const QString what = layers.size() == 1 ? tr("Delete %1").arg(name_of(draft, layers.front()))
                                            : tr("Delete %1 layers").arg(layers.size());
    apply(editing::remove_layers(draft, layers), what);
}

void CanvasEditor::disconnect_wires() {
    auto ends = canvas_.scene().selected_connections();
    if (ends.empty()) return;
    // The last inputs first, so that the numbers of the others stay right.
    std::sort(ends.begin(), ends.end(), [](const auto& a, const auto& b) { return a.input > b.input; });
    editing::Edit edit = editing::Edited{drawn(), {}};
    for (const auto& end : ends) {
        edit = editing::disconnect_input(edit->draft, end.reader, end.input);
        if (!edit) break;
    }
    apply(std::move(edit), ends.size() == 1 ? tr("Disconnect") : tr("Disconnect %1").arg(ends.size()));
}

void CanvasEditor::duplicate_selected() {
    const auto layers = selected();
    if (layers.empty()) return;
    apply(editing::duplicate_layers(drawn(), layers),
          layers.size() == 1 ? tr("Duplicate") : tr("Duplicate %1 layers").arg(layers.size()));
}

bool CanvasEditor::copy_selected() {
    const auto layers = selected();
    if (layers.empty()) return false;
    const NetworkDraft draft = drawn();
    auto copied = editing::copy_layers(draft, layers);
    if (!copied) {
        emit refused(ui::told(to_text(copied.error().front())));
        return false;
    }
    QGuiApplication::clipboard()->setText(plain(formats::write_fragment(*copied)));
    return true;
}

void CanvasEditor::cut_selected() {
    if (copy_selected()) remove_selected();
}

void CanvasEditor::paste() {
    const std::string words = QGuiApplication::clipboard()->text().toStdString();
    if (is_scenario_text(words)) {
        emit scenario_found();
        return;
    }
    auto fragment = formats::read_fragment(words, tr("the clipboard").toStdString());
    if (!fragment) {
        emit refused(tr("The clipboard holds no layers: %1").arg(ui::told(fragment.error().front().what)));
        return;
    }
    const NetworkDraft draft = drawn();
    const std::size_t count = fragment->layers.size();
    if (!apply(editing::paste_layers(draft, *fragment), count == 1 ? tr("Paste") : tr("Paste %1 layers").arg(count)))
        return;
    QStringList missing;
    for (const auto& outer : fragment->outer)
        if (std::none_of(draft.layers.begin(), draft.layers.end(),
                         [&](const Layer& l) { return l.name == outer.name; }))
            missing << plain(outer.name);
    constexpr int most = 3;
    const qsizetype more = missing.size() - most;
    if (more > 0) missing = missing.first(most) << tr("%1 more").arg(more);
    if (!missing.empty())
        emit told(tr("The pasted layers read %1, which this network does not have. Connect them to another layer.")
                      .arg(missing.join(tr(", "))));
}

std::string CanvasEditor::selected_block() const {
    const auto chosen = canvas_.scene().selected();
    const auto& h = canvas_.scene().hierarchy();
    const int item = chosen.size() == 1 ? h.find(chosen.front()) : -1;
    if (item < 0 || h.items[at(item)].is_layer()) return {};
    const drawing::Item& shown = h.items[at(item)];
    const drawing::Item& block = shown.repeat > 1 ? h.items[at(shown.children.front())] : shown;  // of a row, its first
    return block.named ? block.path : std::string();
}

int CanvasEditor::row_length() const {
    const std::string path = selected_block();
    return path.empty() ? 0 : static_cast<int>(editing::row_of(drawn(), path).size());
}

void CanvasEditor::select_block(const std::string& path) {
    CanvasScene& scene = canvas_.scene();
    const auto& h = scene.hierarchy();
    int item = h.find(path);
    while (item >= 0 && !scene.box(h.items[at(item)].path)) item = h.items[at(item)].parent;
    if (item < 0) return;
    const std::string shown = h.items[at(item)].path;
    scene.select({shown});
    if (const BoxItem* box = scene.box(shown)) canvas_.view().show_box(*box);
}

void CanvasEditor::group_selected() {
    const auto layers = selected();
    if (layers.empty()) return;
    const NetworkDraft draft = drawn();
    std::vector<std::string> names;
    for (const Layer& l : draft.layers)
        if (std::find(layers.begin(), layers.end(), l.id) != layers.end()) names.push_back(l.name);
    const std::string inside = editing::common_path(names);
    const std::string path = editing::Names(draft).numbered(inside, "block");
    const std::string name = inside.empty() ? path : path.substr(inside.size() + 1);
    if (apply(editing::group_layers(draft, layers, name), tr("Group into %1").arg(plain(name)))) select_block(path);
}

void CanvasEditor::ungroup_selected() {
    const std::string path = selected_block();
    if (!path.empty()) apply(editing::ungroup_block(drawn(), path), tr("Ungroup %1").arg(plain(path)));
}

void CanvasEditor::repeat_selected(int count) {
    const std::string path = selected_block();
    if (path.empty()) return;
    if (apply(editing::repeat_block(drawn(), path, count), tr("Repeat %1 ×%2").arg(plain(path)).arg(count)))
        select_block(path);
}

void CanvasEditor::rename_block(const std::string& path, const std::string& name) {
    const auto slash = path.rfind('/');
    const std::string to =
        slash == std::string::npos || name.find('/') != std::string::npos ? name : path.substr(0, slash + 1) + name;
    if (apply(editing::rename_block(drawn(), path, to), tr("Rename to %1").arg(plain(name)))) select_block(to);
}

void CanvasEditor::connect_boxes(const std::string& from, const std::string& to) {
    const auto source = layer_of(from, true), reader = layer_of(to, false);
    if (!source || !reader || *source == *reader) return;
    const NetworkDraft draft = drawn();
    apply(editing::connect_layers(draft, *source, *reader),
          tr("Connect %1 to %2").arg(name_of(draft, *source), name_of(draft, *reader)));
}

void CanvasEditor::set_attribute(std::span<const LayerId> layers, std::string_view name, const AttributeValue& value) {
    apply(editing::set_attribute(drawn(), layers, name, value),
          tr("%1 %2").arg(told_word(drawing::spoken(name)), plain(drawing::value_text(value))));
}

void CanvasEditor::rename(LayerId layer, const std::string& name) {
    apply(editing::rename_layer(drawn(), layer, name), tr("Rename to %1").arg(plain(name)));
}

void CanvasEditor::rename_network(const std::string& name) {
    apply(editing::rename_network(drawn(), name), tr("Call it %1").arg(plain(name)));
}

void CanvasEditor::change_kind(LayerId layer, const Kind& kind) {
    apply(editing::change_kind(drawn(), layer, kind), tr("Make it %1").arg(ui::told(kind.title)));
}

}  // namespace scalescope::ui
