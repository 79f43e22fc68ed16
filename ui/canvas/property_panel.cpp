// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/property_panel.hpp"

#include <QEvent>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/format.hpp"
#include "core/drawing/caption.hpp"
#include "core/drawing/notes.hpp"
#include "core/estimate/measures.hpp"
#include "ui/canvas/attribute_editor.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/canvas/canvas_editor.hpp"
#include "ui/canvas/canvas_notes.hpp"
#include "ui/canvas/canvas_scene.hpp"
#include "ui/canvas/canvas_view.hpp"
#include "ui/canvas/kind_icon.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/text.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/form.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/upright_scroll.hpp"

namespace scalescope::ui {
namespace {

constexpr int most_repeats = 1000;

QString sentence_case(QString s) {
    if (!s.isEmpty()) s[0] = s[0].toUpper();
    return s;
}

}  // namespace

PropertyPanel::PropertyPanel(Canvas& canvas, QWidget* parent) : QWidget(parent), canvas_(canvas) {
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(space::card_padding, 0, space::card_padding, 0);
    column->setSpacing(8);
    heading_ = make_label({}, type::result());
    heading_->setWordWrap(true);
    hint_ = make_label({}, type::table(), Ink::secondary);
    hint_->setWordWrap(true);
    name_ = new QLineEdit;
    name_->setObjectName(QStringLiteral("layerName"));
    name_->setAccessibleName(tr("Name"));
    kind_ = new Combo(tr("Kind"));
    kind_->setObjectName(QStringLiteral("layerKind"));
    kind_->set_searchable(true);
    std::vector<ComboItem> items;
    for (const Kind* k : all_kinds()) {
        ComboItem item;
        item.id = plain(k->name);
        item.text = told(k->title);
        items.push_back(std::move(item));
    }
    kind_->set_items(std::move(items));
    editing_ = new QWidget;
    form_place_ = make_layout<QVBoxLayout>(editing_, 6);
    common_ = new Form;
    common_->add_row(tr("Name"), name_);
    common_->add_row(tr("Kind"), kind_);
    form_place_->addWidget(common_);
    block_ = new QWidget;
    auto* block_column = make_layout<QVBoxLayout>(block_);
    auto* of_block = new Form;
    block_name_ = new QLineEdit;
    block_name_->setObjectName(QStringLiteral("blockName"));
    block_name_->setAccessibleName(tr("Name of the block"));
    repeat_ = new NumberField(tr("Repeat"));
    repeat_->setObjectName(QStringLiteral("blockRepeat"));
    repeat_->set_subject(tr("Repeat"));
    repeat_->set_range(1, most_repeats);
    repeat_->setToolTip(tr("Number of repetitions of the block, each reading the output of the one before"));
    of_block->add_row(tr("Name"), block_name_);
    of_block->add_row(tr("Repeat"), repeat_);
    block_column->addWidget(of_block);
    network_ = new QWidget;
    auto* network_column = make_layout<QVBoxLayout>(network_);
    auto* of_network = new Form;
    network_name_ = new QLineEdit;
    network_name_->setObjectName(QStringLiteral("networkName"));
    network_name_->setAccessibleName(tr("Name of the network"));
    of_network->add_row(tr("Name"), network_name_);
    network_column->addWidget(of_network);
    problem_ = new QFrame;
    problem_->setObjectName(QStringLiteral("errorBox"));
    auto* inside = new QVBoxLayout(problem_);
    inside->setContentsMargins(10, 8, 10, 8);
    problem_text_ = make_label({}, type::table(), Ink::error);
    problem_text_->setObjectName(QStringLiteral("layerProblem"));
    problem_text_->setWordWrap(true);
    inside->addWidget(problem_text_);
    fixes_ = make_layout<QVBoxLayout>(nullptr, 4);
    inside->addLayout(fixes_);
    figures_ = make_label({}, type::table());
    figures_->setTextFormat(Qt::RichText);
    figures_->setWordWrap(true);
    why_ = new QPushButton(tr("Why"));
    why_->setToolTip(tr("Why this time"));
    why_->setAccessibleName(tr("Why this time"));
    duplicate_ = new QPushButton(tr("Duplicate"));
    delete_ = new QPushButton(tr("Delete"));
    delete_->setObjectName(QStringLiteral("deleteLayer"));
    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(space::card_padding, 8, space::card_padding, 0);
    buttons->setSpacing(8);
    buttons->addWidget(why_);
    buttons->addStretch(1);
    buttons->addWidget(duplicate_);
    buttons->addWidget(delete_);
    icon_ = new KindIcon;
    auto* top = make_layout<QHBoxLayout>(nullptr, 8);
    top->addWidget(icon_);
    top->addWidget(heading_, 1);
    column->addLayout(top);
    for (QWidget* w : std::initializer_list<QWidget*>{network_, hint_, editing_, block_, problem_, figures_})
        column->addWidget(w);
    column->addStretch(1);

    // However much there is to say: the buttons stay where they are.
    auto* scroll = new UprightScroll(content);
    scroll->setObjectName(QStringLiteral("propertyScroll"));
    scroll->ask_for_all();
    QFrame* edge = make_rule();
    QSizePolicy keeps = edge->sizePolicy();
    keeps.setRetainSizeWhenHidden(true);
    edge->setSizePolicy(keeps);
    edge->hide();
    connect(scroll->verticalScrollBar(), &QScrollBar::rangeChanged, edge,
            [edge](int, int most) { edge->setVisible(most > 0); });
    auto* all = make_layout<QVBoxLayout>(this, 0);
    all->addWidget(scroll, 1);
    all->addWidget(edge);
    all->addLayout(buttons);

    // An edit makes all boxes anew: what is selected in between is nothing to show, and a field must keep the keyboard.
    soon_.setSingleShot(true);
    soon_.setInterval(0);
    connect(&soon_, &QTimer::timeout, this, &PropertyPanel::show_selection);
    for (auto signal : {&CanvasScene::laid_out, &CanvasScene::recoloured, &CanvasScene::selection_changed})
        connect(&canvas.scene(), signal, &soon_, qOverload<>(&QTimer::start));
    connect(name_, &QLineEdit::editingFinished, this, [this] {
        if (layers_.size() != 1 || !name_->isModified()) return;
        name_->setModified(false);
        canvas_.editor().rename(layers_.front(), name_->text().trimmed().toStdString());
        show_selection();  // what it is called now, if that name was refused
    });
    connect(network_name_, &QLineEdit::editingFinished, this, [this] {
        if (!network_name_->isModified()) return;
        network_name_->setModified(false);
        canvas_.editor().rename_network(network_name_->text().simplified().toStdString());
        soon_.start();
    });
    connect(kind_, &Combo::chosen, this, [this](const QString& id) {
        const Kind* kind = find_kind(id.toStdString());
        if (kind && layers_.size() == 1) canvas_.editor().change_kind(layers_.front(), *kind);
    });
    connect(block_name_, &QLineEdit::editingFinished, this, [this] {
        if (block_path_.empty() || !block_name_->isModified()) return;
        block_name_->setModified(false);
        canvas_.editor().rename_block(block_path_, block_name_->text().trimmed().toStdString());
        soon_.start();
    });
    // Only when it is finished: "96" is not first 9 blocks.
    connect(repeat_, &NumberField::editing_finished, this, [this] {
        const int count = static_cast<int>(repeat_->value());
        if (!block_path_.empty() && count != canvas_.editor().row_length()) canvas_.editor().repeat_selected(count);
        soon_.start();
    });
    connect(&canvas.editor(), &CanvasEditor::refused, &soon_, qOverload<>(&QTimer::start));  // what is still in force
    connect(duplicate_, &QPushButton::clicked, this, [this] { canvas_.editor().duplicate_selected(); });
    connect(why_, &QPushButton::clicked, this, &PropertyPanel::why_asked);
    connect(delete_, &QPushButton::clicked, this, [this] { canvas_.editor().remove_selected(); });
    show_selection();
}

void PropertyPanel::build_form(const Kind& kind) {
    delete form_;
    editors_.clear();
    form_ = new Form;
    for (const AttributeInfo& info : kind.attributes) {
        auto* editor = new AttributeEditor(info);
        form_->add_row(sentence_case(told_word(drawing::spoken(info.name))), editor);
        editors_.push_back(editor);
        connect(editor, &AttributeEditor::changed, this, [this, &info](const AttributeValue& value) {
            canvas_.editor().set_attribute(layers_, info.name, value);
        });
    }
    form_place_->addWidget(form_);
    Form::align(*common_, *form_);
}

void PropertyPanel::show_selection() {
    const Sketch& sketch = *canvas_.scene().sketch();
    const std::vector<int> chosen = canvas_.scene().selected_layers();
    std::vector<LayerId> ids;
    bool alike = !chosen.empty();
    for (int l : chosen) {
        ids.push_back(sketch.layers[at(l)].id);
        alike = alike && sketch.layers[at(l)].kind == sketch.layers[at(chosen.front())].kind;
    }
    layers_ = std::move(ids);
    const bool one = chosen.size() == 1;
    const Kind* kind = alike ? sketch.layers[at(chosen.front())].kind : nullptr;
    heading_->setText(
        breakable(chosen.empty() ? plain(sketch.name)
                  : one          ? plain(leaf_name(sketch.layers[at(chosen.front())].name))
                                 : tr("%1 layers").arg(told(format_count(static_cast<std::int64_t>(chosen.size()))))));
    hint_->setText(
        chosen.empty() ? tr("Select a layer to view and edit its properties.")
        : !alike ? tr("The selected layers are of different kinds. Select layers of one kind to edit them together.")
                 : QString());
    hint_->setVisible(!hint_->text().isEmpty());
    network_->setVisible(chosen.empty());
    if (!network_name_->hasFocus() || !network_name_->isModified()) {
        network_name_->setText(plain(sketch.name));
        network_name_->setCursorPosition(0);  // a long one shows its beginning
    }
    icon_->show_kind(kind);
    editing_->setVisible(alike);
    if (kind && kind != shown_kind_) build_form(*kind);
    if (kind) shown_kind_ = kind;
    if (kind) {
        const Layer& layer = sketch.layers[at(chosen.front())];
        name_->setEnabled(one);
        kind_->setEnabled(one);
        if (!(name_->hasFocus() && name_->isModified())) name_->setText(one ? plain(layer.name) : QString());
        kind_->set_current(plain(kind->name));
        const std::size_t axes = drawing::window_axes(layer);
        for (std::size_t a = 0; a < editors_.size() && a < layer.attributes.size(); ++a) {
            editors_[a]->set_axes(kind->attributes[a].name == "kernel" ? 0 : axes);
            editors_[a]->show_value(layer.attributes[a]);
        }
    }
    show_block();
    show_problem(chosen);
    show_figures(chosen);
    why_->setEnabled(one && canvas_.scene().priced());
    delete_->setEnabled(!chosen.empty());
    duplicate_->setEnabled(!chosen.empty());
}

/// Of a block that is selected: its name, and how often it stands in a row.
void PropertyPanel::show_block() {
    block_path_ = canvas_.editor().selected_block();
    block_->setVisible(!block_path_.empty());
    if (block_path_.empty()) return;
    icon_->show_kind(nullptr);
    editing_->hide();  // its layers are edited when they are selected themselves
    hint_->hide();
    const QString name = plain(leaf_name(block_path_));
    heading_->setText(breakable(name));
    if (!(block_name_->hasFocus() && block_name_->isModified())) block_name_->setText(name);
    if (!repeat_->hasFocus() || repeat_->value() < 1) repeat_->set_value(canvas_.editor().row_length());
}

/// Those of what is selected, then those elsewhere of what it makes; without a selection, those of the whole.
void PropertyPanel::show_problem(const std::vector<int>& layers) {
    const Sketch& sketch = *canvas_.scene().sketch();
    const auto chosen = [&](int l) { return std::binary_search(layers.begin(), layers.end(), l); };
    std::vector<const Fault*> faults, elsewhere;
    for (const Fault& f : sketch.faults) {
        if (layers.empty() || (f.layer >= 0 && chosen(f.layer))) {
            faults.push_back(&f);
            continue;
        }
        if (f.layer < 0) continue;
        const std::vector<int> makers = drawing::makers_of(sketch, f);
        bool about = std::any_of(makers.begin(), makers.end(), chosen);
        const auto& inputs = sketch.layers[at(f.layer)].inputs;
        if (!about && f.input >= 0 && at(f.input) < inputs.size())
            if (const auto source = sketch.position(inputs[at(f.input)])) about = chosen(*source);
        if (about) elsewhere.push_back(&f);
    }
    const std::size_t own = faults.size();
    faults.insert(faults.end(), elsewhere.begin(), elsewhere.end());
    constexpr std::size_t most = 3;  // the problems view has all
    if (faults.size() > most) faults.resize(most);
    QStringList words;
    for (const Fault* f : faults) {
        QString remedy = sentence_case(told(f->problem.remedy));
        if (!remedy.isEmpty() && !remedy.endsWith(QLatin1Char('.'))) remedy += QLatin1Char('.');
        QString sentence = told(f->problem.what) + QLatin1Char(' ') + remedy;
        if (static_cast<std::size_t>(words.size()) >= own) {
            const QString reader = plain(sketch.layers[at(f->layer)].name);
            sentence = (drawing::about_shapes(sketch, *f) ? tr("What it makes does not fit at %1.") : tr("At %1:"))
                           .arg(reader) +
                       QLatin1Char(' ') + sentence;
        }
        words << sentence;
    }
    problem_text_->setText(breakable(words.join(QLatin1Char('\n'))));
    problem_->setVisible(!words.isEmpty());
    show_fixes(faults);
    if (own == 0 && !faults.empty()) add_way_to(*faults.front());
}

/// A button behind those that mend it.
void PropertyPanel::add_way_to(const Fault& fault) {
    auto* button = new QPushButton(tr("Show where"));
    button->setObjectName(QStringLiteral("showFault"));
    button->setToolTip(tr("Goes to the edge that does not fit"));
    fixes_->addWidget(button, 0, Qt::AlignLeft);
    connect(button, &QPushButton::clicked, this, [this, fault] { canvas_.view().notes().go_to(fault); });
}

void PropertyPanel::show_fixes(const std::vector<const Fault*>& faults) {
    while (QLayoutItem* item = fixes_->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    if (faults.empty()) return;
    for (editing::Fix& fix : canvas_.editor().fixes(*faults.front())) {
        constexpr int around = 2 * space::card_padding + 20 + 26;  // the panel, the box and the button itself
        auto* button = new QPushButton;
        button->setText(
            QFontMetrics(button->font()).elidedText(told(fix.title), Qt::ElideRight, space::right_width - around));
        button->setToolTip(told(fix.title));
        button->setAccessibleName(told(fix.title));
        button->setObjectName(QStringLiteral("fix"));
        if (fixes_->count() == 0) button->setProperty("kind", QStringLiteral("primary"));
        fixes_->addWidget(button, 0, Qt::AlignLeft);
        connect(button, &QPushButton::clicked, this, [this, title = told(fix.title), edited = std::move(fix.edited)] {
            canvas_.editor().apply(edited, title);
        });
    }
}

void PropertyPanel::show_figures(const std::vector<int>& layers) {
    const CanvasScene& scene = canvas_.scene();
    const Sketch& sketch = *scene.sketch();
    QString rows;
    const auto heading = [&](const QString& words) {
        rows += QStringLiteral("<tr><td colspan='2' style='padding-top:8px'><b>%1</b></td></tr>").arg(words);
    };
    const auto row = [&](const QString& name, const QString& value) {
        rows += QStringLiteral("<tr><td>%1</td><td align='right'>%2</td></tr>").arg(name, value.toHtmlEscaped());
    };
    if (layers.size() == 1) {
        const int l = layers.front();
        heading(tr("Shapes"));
        for (int in : sketch.inputs[at(l)])
            if (const auto& f = sketch.facts[at(in)]) row(tr("Input"), told(format_shape(f->output)));
        const auto& facts = sketch.facts[at(l)];
        row(tr("Output"), facts ? told(format_shape(facts->output)) : QStringLiteral("–"));
        if (facts) row(tr("Parameters"), told(format_count(facts->weights)));
    }
    if (!layers.empty() && scene.priced() && scene.knows(layers)) {
        const LayerMeasures m = scene.measures_of_layers(layers);
        heading(scene.sketch()->faults.empty() ? tr("Cost per step") : tr("Cost, last valid network"));
        row(tr("Forward"), told(format_time(m.forward)));
        row(tr("Backward"), told(format_time(m.backward)));
        if (m.update.value > 0) row(tr("Update"), told(format_time(m.update)));
        if (m.communication.value > 0) row(tr("Communication"), told(format_time(m.communication)));
        if (m.flops > 0) row(tr("Work"), told(format_work(Flops{m.flops})));
        row(tr("Traffic"), told(format_bytes(m.traffic)));
        if (m.bound() != Bound::none)
            row(tr("Bound by"),
                tr("%1, %2").arg(name_of(m.bound()), told(format_percent(Fraction{m.bound_share()}, 0))));
    }
    figures_->setText(rows.isEmpty() ? QString() : QStringLiteral("<table width='100%'>%1</table>").arg(rows));
}

}  // namespace scalescope::ui
