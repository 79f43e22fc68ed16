// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/property_panel.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/format.hpp"
#include "core/drawing/caption.hpp"
#include "core/estimate/measures.hpp"
#include "ui/canvas/attribute_editor.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/canvas/canvas_editor.hpp"
#include "ui/canvas/canvas_scene.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/form.hpp"

namespace scalescope::ui {
namespace {

QString text(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }
std::size_t at(int index) { return static_cast<std::size_t>(index); }

QString sentence_case(QString s) {
    if (!s.isEmpty()) s[0] = s[0].toUpper();
    return s;
}

}  // namespace

PropertyPanel::PropertyPanel(Canvas& canvas, QWidget* parent) : QWidget(parent), canvas_(canvas) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
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
        item.id = text(k->name);
        item.text = text(k->title);
        items.push_back(std::move(item));
    }
    kind_->set_items(std::move(items));
    editing_ = new QWidget;
    form_place_ = new QVBoxLayout(editing_);
    form_place_->setContentsMargins(0, 0, 0, 0);
    form_place_->setSpacing(6);
    auto* first = new Form;
    first->add_row(tr("Name"), name_);
    first->add_row(tr("Kind"), kind_);
    form_place_->addWidget(first);
    problem_ = new QFrame;
    problem_->setObjectName(QStringLiteral("errorBox"));
    auto* inside = new QVBoxLayout(problem_);
    inside->setContentsMargins(10, 8, 10, 8);
    problem_text_ = make_label({}, type::table(), Ink::error);
    problem_text_->setObjectName(QStringLiteral("layerProblem"));
    problem_text_->setWordWrap(true);
    inside->addWidget(problem_text_);
    figures_ = make_label({}, type::table());
    figures_->setTextFormat(Qt::RichText);
    figures_->setWordWrap(true);
    why_ = new QPushButton(tr("Why this time"));
    delete_ = new QPushButton(tr("Delete"));
    delete_->setObjectName(QStringLiteral("deleteLayer"));
    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(0, 0, 0, 0);
    buttons->addWidget(why_);
    buttons->addStretch(1);
    buttons->addWidget(delete_);
    for (QWidget* w : std::initializer_list<QWidget*>{heading_, hint_, editing_, problem_, figures_})
        column->addWidget(w);
    column->addStretch(1);
    column->addLayout(buttons);

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
    connect(kind_, &Combo::chosen, this, [this](const QString& id) {
        const Kind* kind = find_kind(id.toStdString());
        if (kind && layers_.size() == 1) canvas_.editor().change_kind(layers_.front(), *kind);
    });
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
        form_->add_row(sentence_case(text(drawing::spoken(info.name))), editor);
        editors_.push_back(editor);
        connect(editor, &AttributeEditor::changed, this, [this, &info](const AttributeValue& value) {
            canvas_.editor().set_attribute(layers_, info.name, value);
        });
    }
    form_place_->addWidget(form_);
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
    heading_->setText(chosen.empty() ? text(sketch.name)
                      : one          ? text(leaf_name(sketch.layers[at(chosen.front())].name))
                            : tr("%1 layers").arg(text(format_count(static_cast<std::int64_t>(chosen.size())))));
    hint_->setText(chosen.empty() ? tr("Select a layer to see what it is, and to change it.")
                   : !alike       ? tr("They are of several kinds; select layers of one kind to edit them together.")
                                  : QString());
    hint_->setVisible(!hint_->text().isEmpty());
    editing_->setVisible(alike);
    if (kind && kind != shown_kind_) build_form(*kind);
    if (kind) shown_kind_ = kind;
    if (kind) {
        const Layer& layer = sketch.layers[at(chosen.front())];
        name_->setEnabled(one);
        kind_->setEnabled(one);
        if (!(name_->hasFocus() && name_->isModified())) name_->setText(one ? text(layer.name) : QString());
        kind_->set_current(text(kind->name));
        for (std::size_t a = 0; a < editors_.size() && a < layer.attributes.size(); ++a)
            editors_[a]->show_value(layer.attributes[a]);
    }
    show_problem(chosen);
    show_figures(chosen);
    why_->setEnabled(one && canvas_.scene().priced());
    delete_->setEnabled(!chosen.empty());
}

void PropertyPanel::show_problem(const std::vector<int>& layers) {
    QStringList words;
    for (const Fault& f : canvas_.scene().sketch()->faults)
        if (f.layer >= 0 ? std::binary_search(layers.begin(), layers.end(), f.layer) : layers.empty()) {
            QString remedy = sentence_case(text(f.problem.remedy));
            if (!remedy.isEmpty() && !remedy.endsWith(QLatin1Char('.'))) remedy += QLatin1Char('.');
            words << text(f.problem.what) + QLatin1Char(' ') + remedy;
        }
    problem_text_->setText(words.join(QLatin1Char('\n')));
    problem_->setVisible(!words.isEmpty());
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
            if (const auto& f = sketch.facts[at(in)]) row(tr("Input"), text(format_shape(f->output)));
        const auto& facts = sketch.facts[at(l)];
        row(tr("Output"), facts ? text(format_shape(facts->output)) : QStringLiteral("–"));
        if (facts) row(tr("Parameters"), text(format_count(facts->weights)));
    }
    if (!layers.empty() && scene.priced()) {
        const LayerMeasures m = scene.measures_of_layers(layers);
        heading(scene.sketch()->faults.empty() ? tr("Cost per step") : tr("Cost, last valid network"));
        row(tr("Forward"), text(format_time(m.forward)));
        row(tr("Backward"), text(format_time(m.backward)));
        if (m.update.value > 0) row(tr("Update"), text(format_time(m.update)));
        if (m.communication.value > 0) row(tr("Communication"), text(format_time(m.communication)));
        if (m.flops > 0) row(tr("Work"), text(format_work(Flops{m.flops})));
        row(tr("Traffic"), text(format_bytes(m.traffic)));
        if (m.bound() != Bound::none)
            row(tr("Bound by"),
                tr("%1, %2").arg(name_of(m.bound()), text(format_percent(Fraction{m.bound_share()}, 0))));
    }
    figures_->setText(rows.isEmpty() ? QString() : QStringLiteral("<table width='100%'>%1</table>").arg(rows));
}

}  // namespace scalescope::ui
