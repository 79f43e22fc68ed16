// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QMainWindow>
#include <memory>
#include <set>

#include "core/estimate/explain.hpp"
#include "core/formats/library.hpp"
#include "core/formats/network_export.hpp"
#include "core/report/report.hpp"
#include "ui/charts/chart.hpp"
#include "ui/document/document.hpp"
#include "ui/document/files.hpp"
#include "ui/document/loader.hpp"
#include "ui/document/session.hpp"
#include "ui/window/presenter.hpp"
#include "ui/window/settings.hpp"

class QActionGroup;
class QSplitter;
class QTimer;
class QToolBar;
class QVBoxLayout;

namespace scalescope::ui {

class Banner;
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
class LayerTable;
class LayerTimeChart;
class LessonDesk;
class LessonStage;
class MeasureWindow;
class SearchWindow;
class ModelPanel;
class NetworkPanel;
class NumbersPanel;
class Pages;
class PaleoPage;
class Palette;
class Presentation;
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
    const formats::Library& library() const { return library_; }
    const LiveResultPtr& result() const { return presenter_.result(); }
    Analyst& analyst() { return presenter_.analyst(); }
    const Presenter& presenter() const { return presenter_; }

    /// The example, or the session that was left behind, if it can be read in a moment; else it follows.
    void start();
    /// Reads a scenario or network off this thread and then shows it; on failure shows what is wrong and keeps what is
    /// open. Another one that is still being read is given up.
    void open(const QString& file);
    /// One after the other, after what is being read now: a scenario, then a network to put into it.
    void open_all(const QStringList& files);
    /// The same for a scenario as text (core/formats/scenario_text); it has no file then.
    void open_link(const QString& link);
    /// Gives up what is being read; everything stays as it is.
    void cancel_opening();
    /// Waits until nothing is being read any more; true if the last file was opened. For who has no event loop.
    bool finish_opening();
    Loader& loader() { return loader_; }
    LessonDesk& lessons() { return *lessons_; }
    bool save_to(const QString& file);
    /// The window beside this one for measured runs; made on first use, not shown by that.
    MeasureWindow& measurements();
    /// The window beside this one that finds the best around the open scenario; made on first use, not shown by that.
    SearchWindow& finder();
    void reset_to_example();
    /// At the first start of all: the tour.
    void greet();
    void take_tour();
    void end_tour();
    void open_scenario_preset(const QString& id);
    /// Works out a report about the pinned designs and the open one, and writes it; says what became of it.
    void write_report(report::Asked asked, const QString& file);
    /// Waits for it. For who has no event loop.
    bool finish_report();
    NamedCharts charts() const { return presenter_.charts(); }

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
    // What lessons and presentations do to the window.
    friend class LessonDesk;
    friend class LessonStage;
    friend class Presentation;

    formats::Library library_;
    QString own_folder_;
    Settings settings_;
    Document document_;
    QString session_folder_;
    std::unique_ptr<Session> session_;
    Presenter presenter_;
    std::unique_ptr<Background> report_work_;
    QJsonObject view_;  ///< "view" of the scenario file; what this window does not know of it is kept
    QTimer* keep_soon_ = nullptr;
    QActionGroup* curve_actions_ = nullptr;
    std::set<std::string> toggled_rows_;  ///< of layers: folded or unfolded by a person
    bool sized_ = false;
    Loader loader_;  ///< after all that its readers read: it ends before
    QStringList waiting_files_;
    bool opened_ = false;  ///< the last file was
    bool measurements_recovered_ = false;

    WorkersPanel* workers_ = nullptr;
    VerdictCard* verdict_ = nullptr;
    NetworkPanel* network_ = nullptr;
    ClusterPanel* cluster_ = nullptr;
    ModelPanel* model_ = nullptr;
    NumbersPanel* numbers_ = nullptr;
    WhyPanel* why_ = nullptr;
    LayerTimeChart* layer_chart_ = nullptr;
    StepTimeChart* step_chart_ = nullptr;
    StackChart *ways_chart_ = nullptr, *memory_chart_ = nullptr;
    QWidget* memory_page_ = nullptr;  ///< where the chart stands that has no room above
    SpeedupChart* speedup_chart_ = nullptr;
    TimelineChart* timeline_chart_ = nullptr;
    XyChart* roofline_chart_ = nullptr;
    LayerTable* layer_table_ = nullptr;
    MeasureWindow* measurements_ = nullptr;
    SearchWindow* finder_ = nullptr;
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
    PaleoPage* paleo_ = nullptr;
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
    Banner *notice_ = nullptr, *failure_ = nullptr;
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
    QMenu* recent_menu_ = nullptr;
    QAction *pin_action_ = nullptr, *save_action_ = nullptr;

    std::unique_ptr<LessonDesk> lessons_;  ///< ends before the document does

    void use_calibration(SharedCalibration calibration);
    void keep_calibration();
    void show_calibration();
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
    void show_ways();
    void place_memory_chart();
    void show_numbers(const LiveResultPtr& result);
    void follow_shown();
    void take_way(int curve);
    void show_fitting_tabs();
    void show_guides();
    void keep_session();
    QJsonObject view_json() const;
    std::string view_text() const;
    void apply_view(const QJsonObject& view);
    void keep_draft(QJsonObject& canvas) const;
    static std::optional<Drawing> drawing_in(const QJsonObject& view, const Scenario& scenario);
    /// The one way by which another design takes the place of the open one: an undo step called `what`. `view` is the
    /// JSON of its file; without, it is looked at as the one before. False if a person wants to stay with that.
    bool replace(Replacement next, const QString& what, const std::optional<std::string>& view = {});
    void compare(CurveSet set);
    void select(int key);
    void select_in(int key, const Scenario& scenario, int lineage);
    void show_selected(int key);
    Item follow(const LiveResult& next);
    void show_problems(const Problems& problems, const QString& file, const QString& text);
    void say(const QString& sentence, bool error = false);
    void say_nothing();
    void say_about_own_presets();
    void show_status();
    void show_design_problems();
    void show_bottom(const QString& page);
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
    void fill_recent();
    void fold_docks();
    void fit_workers();
    void fold_right(bool fold);
    void fold_left(bool fold);
    void move_home(bool fold);
    void add_home(QWidget* panel, CardBody* full, CardBody* compact);
    void forget_failed_file();
    void recover(Session::Which which, const QString& unreadable = {});
    void take_recovered(const SessionSnapshot& kept, OpenedFile opened, Session::Which which,
                        const QString& unreadable);
    void recover_next();
    void recover_measurements();
    void take(const QString& file, const std::string& text, Result<OpenedFile> opened);
    void open_next();
    static QString pasted_name();
    void copy_link();
    void add_copy_as(QMenu& menu);
    void copy_as(const std::string& trainer, const QString& title);
    void paste_link();
    void show_progress(bool on);
    /// `leaving`: the window closes, and with it goes what no session keeps.
    bool offer_to_save(bool leaving = false);
    bool offer_to_stay(bool work_in_lesson);
    void open_dialog();
    bool save();
    void look_at_file();
    bool save_as();
    void export_all();
    Pins reported_designs() const;
    void ask_for_report();
    void ask_for_adapters();
    void export_network();
    void export_trace();
    void export_network_to(const QString& file, formats::NetworkFormat format, bool lossy);
};

}  // namespace scalescope::ui
