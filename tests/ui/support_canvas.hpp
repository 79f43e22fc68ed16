// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>
#include <QListWidget>

#include "support_window.hpp"
#include "ui/canvas/attribute_editor.hpp"
#include "ui/canvas/box_item.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/canvas/canvas_editor.hpp"
#include "ui/canvas/canvas_scene.hpp"
#include "ui/canvas/canvas_view.hpp"
#include "ui/canvas/palette.hpp"
#include "ui/canvas/wire_item.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/number_field.hpp"

/// What the tests of the canvas share: the window with the canvas on show, and hands for it.
namespace window_test {

class CanvasFixture : protected WindowFixture {
protected:
    scalescope::ui::Canvas& canvas() { return *window_->findChild<scalescope::ui::Canvas*>(); }
    scalescope::ui::CanvasView& view() { return canvas().view(); }
    scalescope::ui::CanvasScene& scene() { return canvas().scene(); }
    scalescope::ui::Document& document() { return window_->document(); }

    void show_canvas(const char* network = nullptr) {
        open();
        QTest::keyClick(window_.get(), Qt::Key_G, Qt::ControlModifier);
        settle();
        if (network) emit find<scalescope::ui::Combo>("network")->chosen(QLatin1String(network));
        settle();
        QVERIFY(view().isVisible());
    }
    void new_network() {
        show_canvas();
        QTest::keyClick(window_.get(), Qt::Key_N, Qt::ControlModifier);
        settle();
    }
    /// A click on a kind in the palette.
    void add(const char* kind) {
        auto* palette = window_->findChild<scalescope::ui::Palette*>();
        const QRect box = palette->row_box(kind);
        if (!box.isValid()) qFatal("no kind %s", kind);
        QTest::mouseClick(palette->list()->viewport(), Qt::LeftButton, {}, box.center());
        settle();
    }
    scalescope::ui::AttributeEditor* editor_of(const char* attribute) {
        return window_->findChild<scalescope::ui::AttributeEditor*>(QStringLiteral("attribute_") +
                                                                    QLatin1String(attribute));
    }
    /// A value typed into a field of the property panel.
    void type(const char* attribute, const QString& value) {
        auto* editor = editor_of(attribute);
        if (!editor) qFatal("no attribute %s", attribute);
        QWidget* field = editor->findChild<scalescope::ui::NumberField*>();
        if (!field) field = editor->findChild<QLineEdit*>();
        type_into(field, value);
    }
    void type_into(QWidget* field, const QString& value) {
        field->setFocus();
        QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(field, value);
        QTest::keyClick(field, Qt::Key_Return);
        settle();
    }
    QPoint middle(const std::string& path) {
        const scalescope::ui::BoxItem* box = scene().box(path);
        if (!box) qFatal("no box %s", path.c_str());
        view().show_box(*box);
        return view().mapFromScene(box->pos() + QPointF(box->size().width() / 2, 12));
    }
    void click(const std::string& path, Qt::KeyboardModifiers with = {}) {
        QTest::mouseClick(view().viewport(), Qt::LeftButton, with, middle(path));
        settle();
    }
    void key(Qt::Key which, Qt::KeyboardModifiers with = {}) {
        view().setFocus();
        QTest::keyClick(&view(), which, with);
        settle();
    }
    std::string selected() { return scene().selected().size() == 1 ? scene().selected().front() : std::string(); }
    const scalescope::Layer& layer(const std::string& name) {
        for (const scalescope::Layer& l : scene().sketch()->layers)
            if (l.name == name) return l;
        qFatal("no layer %s", name.c_str());
    }
    /// The names of what a layer reads; "" for an open input.
    std::vector<std::string> sources(const std::string& name) {
        std::vector<std::string> names;
        for (scalescope::LayerId in : layer(name).inputs) {
            const auto position = scene().sketch()->position(in);
            names.push_back(position ? scene().sketch()->layers[static_cast<std::size_t>(*position)].name : "");
        }
        return names;
    }
    /// As somebody would who edits it: an attribute of a layer of what is drawn.
    void set(const std::string& name, std::string_view attribute, const scalescope::AttributeValue& value) {
        const std::vector<scalescope::LayerId> one{layer(name).id};
        canvas().editor().set_attribute(one, attribute, value);
        settle();
    }
};

}  // namespace window_test
