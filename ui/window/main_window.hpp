// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QMainWindow>
#include <array>
#include <memory>
#include <set>

#include "core/estimate/explain.hpp"
#include "core/formats/library.hpp"
#include "ui/charts/chart.hpp"
#include "ui/document/document.hpp"
#include "ui/live/mesh_curve_solver.hpp"
#include "ui/preferences/settings.hpp"
#include "ui/widgets/messages.hpp"
#include "ui/window/exports.hpp"
#include "ui/window/files.hpp"
#include "ui/window/presenter.hpp"
#include "ui/window/side_windows.hpp"

class QActionGroup;
class QSplitter;
class QToolBar;
class QVBoxLayout;

namespace scalescope::ui {

class BottomTabs;
class Canvas;
class CardBody;
class CardTitle;
class CentreRows;
class ClusterPanel;
class CommandPalette;
class ComparePage;
class CpuPage;
class DockCard;
class HelpGuide;
class LayerList;
class LayerTimeChart;
class LessonDesk;
class LessonStage;
class SettingsPanel;
class NetworkPanel;
class NumbersPanel;
class Pages;
class Palette;
class ProblemsView;
class ProgressRow;
class PropertyPanel;
class SensitivityPage;
class SideTabs;
class SpeedupChart;
class StackChart;
class DeviceMapPage;
class StalenessPage;
class StatusLine;
class StepTimeChart;
class TimelineChart;
class Tour;
class VerdictCard;
class WhyPanel;
class WorkersPanel;
class XyChart;

/// Composes the panels and charts around one document and passes messages between them; decides nothing itself.
class MainWindow final : public QMainWindow {
    Q_OBJECT
public:
    /// `session_folder` is where unsaved work is kept, `own_folder` where a person's own presets are; empty: nowhere.
    explicit MainWindow(const QString& session_folder = {}, const QString& own_folder = {}, QWidget* parent = nullptr);
    ~MainWindow() override;

    Document& document() { return document_; }
    Live& live() { return presenter_.live(); }
    formats::Library& library() { return library_; }
    Settings& settings() { return settings_; }
    const LiveResultPtr& result() const { return presenter_.result(); }
    Analyst& analyst() { return presenter_.analyst(); }
    MeshCurveSolver& mesh_curve() { return mesh_curve_; }
    const Presenter& presenter() const { return presenter_; }
    void finish_answers() { presenter_.finish(); }

    // Owners of the window's functions, and shortcuts to the functions used most.
    Messages& messages() { return *messages_; }
    SideWindows& beside() { return *beside_; }
    Files& files() { return *files_; }
    Exports& exports() { return *exports_; }
    LessonDesk& lessons() { return *lessons_; }
    void open(const QString& file) { files_->open(file); }
    void open_all(const QStringList& files) { files_->open_all(files); }
    bool finish_opening() { return files_->finish_opening(); }
    Loader& loader() { return files_->loader(); }
    bool save_to(const QString& file) { return files_->save_to(file); }
    void reset_to_example() { files_->reset_to_example(); }
    void open_scenario_preset(const QString& id) { files_->open_preset(id); }
    MeasureWindow& measurements() { return beside_->measurements(); }
    SearchWindow& finder() { return beside_->finder(); }
    /// Opens the example or the session that was left behind, and offers the news after an update.
    void start();
    /// At the first start of all: the tour.
    void greet();
    void take_tour();
    void end_tour();
    NamedCharts charts() const { return presenter_.charts(); }
    /// The page below the charts; empty: none.
    QString page() const;
    void show_bottom(const QString& page);
    /// The view of the design, as stored in its file.
    QJsonObject view_json() const;
    void apply_view(const QJsonObject& view);
    /// Shows problems of a file that failed to open or opened with warnings; `text` is what was read, if it has lines.
    void show_problems(const Problems& problems, const QString& file, const QString& text);
    /// Hides those, and the message about the previous design.
    void forget_problems();

signals:
    void updated();  ///< charts show the newest answer

protected:
    void closeEvent(QCloseEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    friend class LessonStage;  // rearranges docks for lessons and presentations

    formats::Library library_;
    QString own_folder_;
    Settings settings_;
    Document document_;
    Presenter presenter_;
    MeshCurveSolver mesh_curve_;
    std::unique_ptr<Messages> messages_;
    std::unique_ptr<SideWindows> beside_;
    std::unique_ptr<Files> files_;
    std::unique_ptr<Exports> exports_;
    QJsonObject view_;  ///< "view" of the scenario file; what this window does not know of it is kept
    QActionGroup* curve_actions_ = nullptr;
    std::set<std::string> toggled_rows_;  ///< of layers: folded or unfolded by a person
    bool sized_ = false;

    WorkersPanel* workers_ = nullptr;
    VerdictCard* verdict_ = nullptr;
    NetworkPanel* network_ = nullptr;
    ClusterPanel* cluster_ = nullptr;
    SettingsPanel* model_ = nullptr;
    NumbersPanel* numbers_ = nullptr;
    WhyPanel* why_ = nullptr;
    LayerTimeChart* layer_chart_ = nullptr;
    StepTimeChart* step_chart_ = nullptr;
    StackChart *ways_chart_ = nullptr, *memory_chart_ = nullptr;
    QWidget* memory_page_ = nullptr;  ///< where the chart stands that has no room above
    SpeedupChart* speedup_chart_ = nullptr;
    TimelineChart* timeline_chart_ = nullptr;
    XyChart* roofline_chart_ = nullptr;
    LayerList* layer_table_ = nullptr;
    Canvas* canvas_ = nullptr;
    QAction* canvas_action_ = nullptr;
    Palette* palette_ = nullptr;
    PropertyPanel* properties_ = nullptr;
    DockCard *palette_dock_ = nullptr, *properties_dock_ = nullptr;
    bool canvas_docks_ = false;          ///< the docks stand as the canvas has them
    QByteArray layouts_[2];              ///< how they stand beside the charts, beside the canvas; empty: as at first
    QAction* workers_action_ = nullptr;  ///< the workers are wanted above the canvas
    bool only_shapes_ = false;           ///< those problems are about shapes, all of them
    std::vector<int> fault_layers_;      ///< of the problems on show that are a draft's: positions in it
    SensitivityPage* sensitivity_ = nullptr;
    CpuPage* cpu_page_ = nullptr;
    DeviceMapPage* device_map_ = nullptr;
    StalenessPage* staleness_ = nullptr;
    ComparePage* compare_page_ = nullptr;
    ProblemsView* problems_ = nullptr;
    /// A page below the charts, and its tab.
    struct Page {
        QString id, title;
        QWidget* widget;
        View* view;
        bool (*exists)(const Scenario&);  ///< whether a design has the page; null: every one does
    };
    std::vector<Page> pages_;
    BottomTabs* tabs_ = nullptr;
    Pages* bottom_ = nullptr;
    CentreRows* centre_ = nullptr;
    QSplitter *upper_ = nullptr, *lower_ = nullptr;
    SideTabs* side_tabs_ = nullptr;
    QToolBar* side_bar_ = nullptr;
    /// Panels that change cards when the window becomes compact.
    struct Home {
        QWidget* panel;
        QVBoxLayout* rooms[2];  ///< in the full window, in the compact one
    };
    std::vector<Home> homes_;
    int numbers_height_ = 0;  ///< what its dock has room for
    bool left_folded_ = false, inside_shown_ = false, cpu_shown_ = false;
    DockCard *network_dock_ = nullptr, *cluster_dock_ = nullptr, *model_dock_ = nullptr, *design_dock_ = nullptr,
             *why_dock_ = nullptr, *numbers_dock_ = nullptr;
    std::vector<DockCard*> folded_;
    StatusLine* status_ = nullptr;
    ProgressRow* progress_ = nullptr;
    QAction* progress_action_ = nullptr;
    CardTitle* problems_title_ = nullptr;
    std::vector<QString> problem_fields_;  ///< of this design's problems: where each can be mended
    /// The layer that is selected; its key belongs to this network.
    struct Selected {
        int key = -1;
        std::shared_ptr<const Network> network;
        int lineage = 0;
    } selected_;
    int shown_lineage_ = -1;    ///< of the network on show
    QString problem_file_;      ///< a file whose problems are on show: it could not be opened, or warned
    bool file_failed_ = false;  ///< it could not be opened
    HelpGuide* guide_ = nullptr;
    Tour* tour_ = nullptr;                ///< made when it is first taken
    CommandPalette* commands_ = nullptr;  ///< made when it is first asked for
    QAction* pin_action_ = nullptr;

    std::unique_ptr<LessonDesk> lessons_;  ///< ends before the document does

    void build_owners(const QString& session_folder);
    void build_centre();
    void build_docks();
    void build_bottom();
    void connect_canvas();
    void show_canvas(bool on);
    void build_canvas_docks();
    void show_canvas_docks(bool on);
    void settle_homes();
    void fill_canvas();
    void show_layer_times();
    void toggle_row(const std::string& path);
    void toggle_all_rows(bool open);
    /// Beside the charts, and as a page.
    std::array<LayerList*, 2> layer_lists() const;
    void go_to_fault(int index);
    bool canvas_shown() const;
    void size_centre();
    void build_actions();
    void build_status();
    void connect_pins(QAction& pin);
    void connect_comparison();
    void show_difference(const QString& path);
    void keep_comparison(QJsonObject& view) const;
    void restore_comparison();
    void rename_pin(int index);
    void size_docks();
    void size_rows();
    void connect_views();
    void add_views();
    void show_speedup();
    void ask_for_mesh_curve();
    void show_ways();
    void place_memory_chart();
    void show_numbers(const LiveResultPtr& result);
    void follow_shown();
    void take_way(int curve);
    void show_fitting_tabs();
    void show_guides();
    void compare(CurveSet set);
    void select(int key);
    void select_in(int key, const Scenario& scenario, int lineage);
    void show_selected(int key);
    Item follow(const LiveResult& next);
    void show_status();
    void show_design_problems();
    bool shows(const QWidget* page) const;
    void make_room_below();
    void build_appearance(QMenu& menu);
    void apply_appearance();
    void add_preferences(QMenu& menu);
    void reset_layout();
    void build_help(QMenu& menu);
    void assign_help();
    void show_help(const QString& page);
    void show_news();
    void say_what_is_new();
    void open_gallery();
    void add_command_action(QMenu& menu);
    void open_commands();
    void go_to_chart(Chart* chart);
    void focus_field(const QString& path);
    void show_setting(const QString& path);
    void edit_device();
    void edit_machine();
    void edit_link(bool inside);
    void update_title();
    void fold_docks();
    void fit_workers();
    void fold_right(bool fold);
    void fold_left(bool fold);
    void move_home(bool fold);
    void add_home(QWidget* panel, CardBody* full, CardBody* compact, int margin);
    void show_progress(bool on);
    void show_progress_of(Background& work, const QString& text);
    void ask_for_adapters();
};

}  // namespace scalescope::ui
