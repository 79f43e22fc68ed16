// SPDX-License-Identifier: GPL-3.0-or-later
// The row above the drawing: where one is, the search, the colours, the zoom.
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "core/base/format.hpp"
#include "ui/canvas/box_item.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/canvas/canvas_scene.hpp"
#include "ui/canvas/canvas_view.hpp"
#include "ui/language/told.hpp"
#include "ui/live/live.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/breadcrumb.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/search_field.hpp"

namespace scalescope::ui {
namespace {

QString header_text(const std::string& s) { return told(s); }

// Widths of the canvas, with the network's name and count beside the rest: with a word for the list of colours, with a
// long search field, with buttons to zoom.
constexpr int with_word = 680, with_long_search = 760, with_zoom = 560, least_header = 400;

}  // namespace

QWidget* Canvas::build_header() {
    auto* header = new QWidget;
    auto* row = header_ = new QHBoxLayout(header);
    row->setContentsMargins(11, 0, 9, 0);
    row->setSpacing(8);
    header->setFixedHeight(space::toolbar_height);
    header->setMinimumWidth(least_header);
    crumbs_ = new Breadcrumb;
    counts_ = new ElidedLabel;
    counts_->setObjectName(QStringLiteral("canvasCounts"));
    counts_->setFont(type::table());
    set_ink(*counts_, Ink::secondary);
    part_combo_ = new Combo(tr("Network of the workload"));
    part_combo_->setObjectName(QStringLiteral("canvasPart"));
    part_combo_->hide();
    search_ = new SearchField(tr("Find a layer"));
    search_->setObjectName(QStringLiteral("canvasSearch"));
    search_->setFixedWidth(150);
    hits_shown_ = make_label({}, type::caption(), Ink::secondary);
    colour_ = new Combo(tr("Colour by"));
    colour_->setObjectName(QStringLiteral("canvasColour"));
    std::vector<ComboItem> items;
    for (Colouring by : all_colourings) {
        ComboItem item;
        item.id = id_of(by);
        item.text = title_of(by);
        items.push_back(std::move(item));
    }
    colour_->set_items(std::move(items));
    colour_->set_current(id_of(Colouring::time));
    colour_->setFixedWidth(110);
    zoom_ = make_label(tr("%1 %").arg(100), type::table(), Ink::secondary);
    zoom_->setAlignment(Qt::AlignCenter);
    zoom_->setFixedWidth(46);
    const auto button = [](const char* icon, const QString& name, const QString& keys, auto slot) {
        auto* b = make_icon_button(icon, name, Tint::text);
        b->setToolTip(QStringLiteral("%1 (%2)").arg(name, keys));
        QObject::connect(b, &QToolButton::clicked, b, slot);
        return b;
    };
    auto* out = button("minus", tr("Zoom out"), tr("Ctrl+−"), [this] { view_->zoom_by(1 / 1.2); });
    auto* in = button("plus", tr("Zoom in"), tr("Ctrl++"), [this] { view_->zoom_by(1.2); });
    auto* fit = button("fit", tr("Fit the network into the view"), tr("F"), [this] { view_->fit(); });
    auto* more = make_icon_button("more", tr("More"), Tint::text);
    connect(more, &QToolButton::clicked, this,
            [this, more] { open_menu(more->mapToGlobal(QPoint(0, more->height()))); });
    row->addWidget(crumbs_);
    row->addWidget(part_combo_);
    row->addWidget(counts_, 1);
    row->addWidget(hits_shown_);
    row->addWidget(search_);
    colour_label_ = make_label(tr("Colour"), type::control(), Ink::secondary);
    row->addWidget(colour_label_);
    row->addWidget(colour_);
    for (QWidget* w : std::initializer_list<QWidget*>{out, zoom_, in, fit, more}) row->addWidget(w);
    zooming_ = {out, zoom_, in};
    connect(colour_, &Combo::chosen, this, [this](const QString& id) {
        scene_->set_colouring(colouring_of(id));
        emit view_changed();
    });
    connect(part_combo_, &Combo::chosen, this, [this](const QString& id) { choose_part(id.toInt()); });
    connect(crumbs_, &Breadcrumb::crumb_clicked, this, [this](const QString& path) {
        if (path.isEmpty()) return scene_->select({});
        scene_->select({path.toStdString()});
        if (const BoxItem* box = scene_->box(path.toStdString())) view_->show_box(*box);
    });
    connect(search_, &QLineEdit::textChanged, this, &Canvas::find);
    connect(search_, &QLineEdit::returnPressed, this, [this] { go_to_hit(1); });
    connect(search_, &SearchField::moved, this, &Canvas::go_to_hit);
    connect(search_, &SearchField::escaped, this, [this] { view_->setFocus(Qt::OtherFocusReason); });
    return header;
}

/// Where it is narrow, the name of the network, or the way to the chosen layer, is more use than a count, a word for
/// the list, or buttons for what wheel and keys do too.
void Canvas::fit_header() {
    const int room = width() - (part_combo_->isHidden() ? 0 : part_combo_->sizeHint().width() + header_->spacing());
    const auto fits = [this] { return header_->minimumSize().width() <= width(); };
    counts_->show();
    colour_label_->setVisible(room >= with_word);
    for (QWidget* w : zooming_) w->setVisible(room >= with_zoom);
    search_->setFixedWidth(room >= with_long_search ? 150 : room >= with_zoom ? 120 : 96);
    if (!fits()) counts_->hide();
    if (!fits()) colour_label_->hide();
    if (!fits()) search_->setFixedWidth(96);
    if (!fits())
        for (QWidget* w : zooming_) w->hide();
    header_->setStretchFactor(crumbs_, counts_->isHidden() ? 1 : 0);  // what room there is goes to the way
}

void Canvas::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    fit_header();
}

void Canvas::add_button(QAction* action) {
    auto* button = make_icon_button("chip", QString(action->text()).remove(QLatin1Char('&')), Tint::text);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    button->setAccessibleName(QString(action->text()).remove(QLatin1Char('&')));
    header_->insertWidget(header_->count() - 1, button);
}

void Canvas::show_crumbs() {
    std::vector<Breadcrumb::Crumb> crumbs{{QString(), header_text(scene_->sketch()->name)}};
    const auto chosen = scene_->selected();
    if (chosen.size() == 1) {
        const auto& h = scene_->hierarchy();
        std::vector<Breadcrumb::Crumb> path;
        for (int i = h.find(chosen.front()); i >= 0; i = h.items[static_cast<std::size_t>(i)].parent) {
            const drawing::Item& item = h.items[static_cast<std::size_t>(i)];
            path.push_back({header_text(item.path), header_text(item.title)});
        }
        crumbs.insert(crumbs.end(), path.rbegin(), path.rend());
    }
    crumbs_->set_crumbs(crumbs);
    fit_header();
    show_counts();
}

/// How much is drawn; of a design that cannot run, that.
void Canvas::show_counts() {
    const int layers = scene_->sketch()->size(), boxes = scene_->closed_boxes();
    const QString all = layers == 1 ? tr("1 layer") : tr("%1 layers").arg(header_text(format_count(layers)));
    QStringList choices{all};
    if (boxes != layers) choices.prepend(tr("%1 in %2 boxes").arg(all, header_text(format_count(boxes))));
    const QString cannot_run = result_ ? cannot_run_text(result_->request.scenario, result_->estimate) : QString();
    if (!cannot_run.isEmpty()) choices = {cannot_run, tr("Does not fit")};
    if (choices == counts_->choices()) return;
    set_ink(*counts_, cannot_run.isEmpty() ? Ink::secondary : Ink::error);
    counts_->set_choices(choices);
}

void Canvas::find(const QString& wanted) {
    hits_ = scene_->search(wanted);
    hit_ = -1;
    const QString count = header_text(format_count(static_cast<std::int64_t>(hits_.size())));
    hits_shown_->setText(wanted.trimmed().isEmpty() ? QString()
                         : hits_.empty()            ? tr("none")
                         : hits_.size() == 1        ? tr("1 layer")
                                                    : tr("%1 layers").arg(count));
}

void Canvas::go_to_hit(int step) {
    if (hits_.empty()) return;
    const int count = static_cast<int>(hits_.size());
    hit_ = hit_ < 0 ? (step > 0 ? 0 : count - 1) : ((hit_ + step) % count + count) % count;
    const std::string name = hits_[static_cast<std::size_t>(hit_)];
    scene_->reveal(name);
    scene_->select({name});
    if (const BoxItem* box = scene_->box(name)) view_->show_box(*box);
    hits_shown_->setText(tr("%1 of %2").arg(hit_ + 1).arg(count));
}

}  // namespace scalescope::ui
