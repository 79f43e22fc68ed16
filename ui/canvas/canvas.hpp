// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QJsonObject>
#include <memory>
#include <optional>
#include <set>

#include "core/estimate/dividing.hpp"
#include "ui/charts/layer_time_chart.hpp"
#include "ui/charts/picture_export.hpp"
#include "ui/live/view.hpp"

class QAction;
class QHBoxLayout;
class QLabel;
class QMenu;
class QPrinter;
class QToolButton;

namespace scalescope::ui {

class Breadcrumb;
class CanvasEditor;
class CanvasScene;
class CanvasView;
class Combo;
class Document;
class ElidedLabel;
class SearchField;

/// The network as a drawing, in a card: where one is, a search, what the boxes are coloured by, and the zoom. Shows one
/// network of the workload, with the figures of the last answer.
class Canvas final : public QFrame, public View {
    Q_OBJECT
public:
    explicit Canvas(Document& document, QWidget* parent = nullptr);

    CanvasScene& scene() { return *scene_; }
    CanvasView& view() { return *view_; }
    CanvasEditor& editor() { return *editor_; }
    /// What edits the network, for the menu; their keys work while the canvas has the keyboard.
    const std::vector<QAction*>& edit_actions() const { return edit_actions_; }
    int part() const { return part_; }
    SearchField& search() { return *search_; }
    /// A button for it in the header.
    void add_button(QAction* action);

    /// What is drawn, before it is priced.
    void show_document();
    /// Whether the drawing shows the current document. A hidden canvas is not updated.
    bool shows_document() const;
    void show_result(const LiveResultPtr& result) override;
    /// The result that box_times() belong to; null: none yet. The window may have a newer one while the canvas is
    /// hidden.
    const LiveResultPtr& result() const { return result_; }
    /// `key`: of layer_keys.hpp; -1: none. Scrolls to the box of the layer without unfolding blocks. Emits no signal.
    void set_selected(int key);
    void set_hovered(int key);
    /// A box by its path, as if it had been clicked; empty: none.
    void select_box(const QString& path);
    void set_hovered_box(const QString& path);
    /// Layers and folded blocks as they are drawn, with their times; views and inputs, which take none, are left out.
    std::vector<LayerTime> box_times() const;
    /// Unfolds what a layer is in, selects it and shows it.
    void go_to(int key);

    /// What is unfolded and the colour, for the document's file. Setting it takes effect with the next scenario.
    QJsonObject view_state() const;
    void set_view_state(const QJsonObject& state);

    /// All of the drawing with its legend, in its own size.
    Picture picture() const;
    QSize picture_size() const;
    void fill_export_menu(QMenu& menu);
    void export_with_dialog(const QString& suffix, double scale);
    /// Shows the page first.
    void print();
    /// The drawing with its legend, as large as the page takes it.
    void print_on(QPrinter& printer) const;

signals:
    void selected(int key);
    void hovered(int key);
    void box_selected(const QString& path);  ///< the only one that is; else empty
    void box_hovered(const QString& path);
    void boxes_changed();  ///< box_times() is another
    void why_asked(int key);
    void view_changed();  ///< fold, zoom, colour: what a document keeps
    void said(const QString& sentence, bool error);
    void file_asked();      ///< the network itself as a file
    void scenario_found();  ///< on the clipboard, when layers were to be pasted

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    CanvasScene* scene_;
    CanvasView* view_;
    CanvasEditor* editor_;
    std::vector<QAction*> edit_actions_;
    Breadcrumb* crumbs_;
    ElidedLabel* counts_;
    QLabel *zoom_, *hits_shown_, *colour_label_;
    std::vector<QWidget*> zooming_;  ///< in the header, where there is room
    SearchField* search_;
    Combo *colour_, *part_combo_;
    Document& document_;
    std::shared_ptr<const void> drawn_;  ///< what is on show: a network, or a draft
    std::shared_ptr<const void> to_draw() const;
    int lineage_ = 0;
    LiveResultPtr result_;
    std::optional<std::set<std::string>> wanted_open_;  ///< what the next network unfolds
    Dividing dividing_;                                 ///< whose borders are on show
    Scenario before_;                                   ///< a hand took one of them
    std::vector<std::string> hits_;
    int hit_ = -1, part_ = 0;
    bool quiet_ = false;

    QHBoxLayout* header_ = nullptr;
    QWidget* build_header();
    void build_edit_actions();
    void choose_part(int part);
    void show_figures();
    void show_borders();
    QString why_unpriced() const;
    void show_crumbs();
    void show_counts();
    void fit_header();
    void find(const QString& text);
    void go_to_hit(int step);
    void add_division_actions(QMenu& menu);
    void open_menu(QPoint global);
    int key_of(const std::string& path) const;
    int drawn_position(int key) const;
};

}  // namespace scalescope::ui
