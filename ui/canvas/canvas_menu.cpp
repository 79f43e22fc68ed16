// SPDX-License-Identifier: GPL-3.0-or-later
// What can be done with the drawing, as a menu and by keys.
#include <QAction>
#include <QMenu>
#include <algorithm>

#include "ui/canvas/canvas.hpp"
#include "ui/canvas/canvas_editor.hpp"
#include "ui/canvas/canvas_notes.hpp"
#include "ui/canvas/canvas_scene.hpp"
#include "ui/canvas/canvas_view.hpp"
#include "ui/commands/command.hpp"
#include "ui/document/document.hpp"
#include "ui/language/told.hpp"

namespace scalescope::ui {
namespace {

QString menu_text(const std::string& s) { return told(s); }

}  // namespace

void Canvas::build_edit_actions() {
    const auto add = [this](const QString& title, const QKeySequence& keys, auto slot) {
        auto* action = new QAction(title, this);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, slot);
        action->setEnabled(false);  // until the canvas is shown
        set_why_not(*action, tr("Only on the canvas (Ctrl+G)"));
        view_->addAction(action);
        edit_actions_.push_back(action);
    };
    add(tr("Cu&t"), QKeySequence::Cut, [this] { editor_->cut_selected(); });
    add(tr("&Copy"), QKeySequence::Copy, [this] { editor_->copy_selected(); });
    add(tr("&Paste"), QKeySequence::Paste, [this] { editor_->paste(); });
    add(tr("&Delete"), QKeySequence(Qt::Key_Delete), [this] { editor_->remove_selected(); });
    add(tr("D&uplicate"), QKeySequence(Qt::CTRL | Qt::Key_D), [this] { editor_->duplicate_selected(); });
    add(tr("&Group into a block"), QKeySequence(Qt::CTRL | Qt::Key_B), [this] { editor_->group_selected(); });
    add(tr("U&ngroup"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B), [this] { editor_->ungroup_selected(); });
    add(tr("Next p&roblem"), QKeySequence(Qt::Key_F8), [this] { view_->notes().go_to_next(); });
}

/// The division of the work, for who has no border to take hold of.
void Canvas::add_division_actions(QMenu& menu) {
    const Scenario& s = document_.scenario();
    if (document_.draft() || part_ != 0 || s.workload.size() != 1 || s.model.method != Method::pipeline || !result_ ||
        !result_->plan || result_->plan->parts.front().network != s.workload.front().network)
        return;
    const auto chosen = scene_->selected();
    const int item = chosen.size() == 1 ? scene_->hierarchy().find(chosen.front()) : -1;
    if (item >= 0) {
        const auto& layers = scene_->hierarchy().items[static_cast<std::size_t>(item)].layers;
        const auto may = cut_positions(*result_->plan, s.cluster.workers);
        const auto at = std::lower_bound(may.begin(), may.end(), layers.front());
        if (at != may.end() && *at <= layers.back())
            menu.addAction(tr("Hybrid: back part from %1").arg(menu_text(chosen.front())), this,
                           [this, cut = *at] { document_.edit(with_cut(document_.scenario(), cut)); });
    }
    if (!dividing_.borders.empty() && !dividing_.automatic)
        menu.addAction(dividing_.segments ? tr("Cut where it is best") : tr("Stages where the step is shortest"), view_,
                       &CanvasView::border_freed);
    menu.addSeparator();
}

void Canvas::open_menu(QPoint global) {
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("canvasMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto chosen = scene_->selected();
    if (chosen.size() == 1) {
        const std::string path = chosen.front();
        if (const int key = key_of(path); key >= 0)
            menu->addAction(tr("Why this time"), this, [this, key] { emit why_asked(key); });
        else
            menu->addAction(scene_->is_open(path) ? tr("Fold") : tr("Unfold"), QKeySequence(Qt::Key_Return), this,
                            [this, path] { view_->toggle(path); });
        menu->addSeparator();
    }
    for (QAction* action : edit_actions_) menu->addAction(action);
    menu->addSeparator();
    add_division_actions(*menu);
    menu->addAction(tr("Unfold all blocks"), scene_, &CanvasScene::unfold_all);
    menu->addAction(tr("Fold all blocks"), this, [this] {
        scene_->fold_all();
        view_->show_start();
    });
    menu->addSeparator();
    menu->addAction(tr("Fit the network into the view"), QKeySequence(Qt::Key_F), view_, &CanvasView::fit);
    menu->addAction(tr("Full size"), QKeySequence(Qt::CTRL | Qt::Key_0), view_, [this] { view_->set_zoom(1); });
    menu->addSeparator();
    menu->addAction(tr("Export the network as a file…"), this, &Canvas::file_asked);
    fill_export_menu(*menu->addMenu(tr("Export and print the drawing")));
    menu->popup(global);
}

}  // namespace scalescope::ui
