// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>
#include <QListWidget>

#include "support_canvas.hpp"
#include "ui/canvas/attribute_editor.hpp"
#include "ui/canvas/palette.hpp"
#include "ui/widgets/number_field.hpp"

/// Hands that draw a network in the real window: palette, keys, fields of the property panel.
namespace window_test {

using namespace scalescope;
using namespace scalescope::ui;

class DrawingFixture : public CanvasFixture {
protected:
    int gestures_ = 0;
    void new_network() {
        show_canvas();
        QTest::keyClick(window_.get(), Qt::Key_N, Qt::ControlModifier);
        settle();
        gestures_ = 0;
    }
    /// A click on a kind in the palette.
    void add(const char* kind) {
        auto* palette = window_->findChild<Palette*>();
        const QRect box = palette->row_box(kind);
        if (!box.isValid()) qFatal("no kind %s", kind);
        QTest::mouseClick(palette->list()->viewport(), Qt::LeftButton, {}, box.center());
        settle();
        ++gestures_;
    }
    /// A value typed into a field of the property panel.
    void type(const char* attribute, const QString& value) {
        auto* editor = window_->findChild<AttributeEditor*>(QStringLiteral("attribute_") + QLatin1String(attribute));
        if (!editor) qFatal("no attribute %s", attribute);
        QWidget* field = editor->findChild<NumberField*>();
        if (!field) field = editor->findChild<QLineEdit*>();
        field->setFocus();
        QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(field, value);
        QTest::keyClick(field, Qt::Key_Return);
        settle();
        ++gestures_;
    }
    void click(const std::string& path, Qt::KeyboardModifiers with = {}) {
        CanvasFixture::click(path, with);
        ++gestures_;
    }
    /// In another window.
    void save_and_open_again(const char* name) {
        const QString file = folder_.filePath(QLatin1String(name));
        QVERIFY(window_->save_to(file));
        open();
        window_->open(file);
        QVERIFY(window_->finish_opening());
        settle();
    }
    void press(Qt::Key which) {
        key(which);
        ++gestures_;
    }
    std::string selected() { return scene().selected().size() == 1 ? scene().selected().front() : std::string(); }
    const Layer& layer(const std::string& name) {
        for (const Layer& l : scene().sketch()->layers)
            if (l.name == name) return l;
        qFatal("no layer %s", name.c_str());
    }

    /// What a new layer has already needs no gesture.
    void set_size(const char* attribute_name, int size) {
        if (std::get<std::vector<std::int64_t>>(attribute(layer(selected()), attribute_name)).front() != size)
            type(attribute_name, QString::number(size));
    }
    void set_valid() {
        if (std::get<Padding>(attribute(layer(selected()), "padding")).mode == Padding::Mode::valid) return;
        auto* combo = window_->findChild<AttributeEditor*>(QStringLiteral("attribute_padding"))->findChild<Combo*>();
        combo->setFocus();
        QTest::keyClick(combo, Qt::Key_Home);
        settle();
        ++gestures_;
    }
};

}  // namespace window_test
