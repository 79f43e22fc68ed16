// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support_window.hpp"
#include "ui/canvas/box_item.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/canvas/canvas_scene.hpp"
#include "ui/canvas/canvas_view.hpp"
#include "ui/widgets/combo.hpp"

/// What the tests of the canvas share: the window with its canvas open, and where boxes are under the hand.
namespace window_test {

class CanvasFixture : protected WindowFixture {
protected:
    scalescope::ui::Canvas& canvas() { return *window_->findChild<scalescope::ui::Canvas*>(); }
    scalescope::ui::CanvasView& view() { return canvas().view(); }
    scalescope::ui::CanvasScene& scene() { return canvas().scene(); }
    scalescope::ui::Document& document() { return window_->document(); }

    /// A fresh window on its canvas; `network`: a preset.
    void show_canvas(const char* network = nullptr) {
        open();
        if (network) emit find<scalescope::ui::Combo>("network")->chosen(QLatin1String(network));
        settle();
        QTest::keyClick(window_.get(), Qt::Key_G, Qt::ControlModifier);
        settle();
        QVERIFY(view().isVisible());
    }
    /// A point on a box, which is scrolled into sight.
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
};

}  // namespace window_test
