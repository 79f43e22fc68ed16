// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_picture.hpp"

#include <QEvent>
#include <QFile>
#include <QLabel>
#include <QPainter>
#include <QSvgRenderer>
#include <QVBoxLayout>
#include <utility>

#include "ui/lessons/lesson_text.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"

namespace scalescope::ui {
namespace {

constexpr int caption_gap = 4;

/// The drawing with the colours of a theme in place of their names.
QByteArray coloured(QByteArray svg, const Theme& t) {
    const std::pair<const char*, QColor> colours[] = {{"{text}", t.text},
                                                      {"{secondary}", t.secondary},
                                                      {"{card}", t.card},
                                                      {"{control}", t.control},
                                                      {"{control_border}", t.control_border},
                                                      {"{accent}", t.accent},
                                                      {"{selection}", t.selection},
                                                      {"{grid}", t.grid},
                                                      {"{axis}", t.axis},
                                                      {"{forward}", t.forward},
                                                      {"{backward}", t.backward},
                                                      {"{update}", t.update},
                                                      {"{communication}", t.communication},
                                                      {"{on_accent}", t.on_accent}};
    for (const auto& [name, colour] : colours) svg.replace(name, colour.name().toLatin1());
    return svg;
}

}  // namespace

class LessonPicture::Drawing final : public QWidget {
public:
    explicit Drawing(const QString& name) {
        QFile file(QStringLiteral(":/lessons/%1.svg").arg(name));
        if (file.open(QIODevice::ReadOnly)) source_ = file.readAll();
        colour();
        QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
    }
    void colour() {
        svg_ = std::make_unique<QSvgRenderer>(coloured(source_, theme()));
        update();
    }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override {
        const QSize natural = svg_->defaultSize();
        if (natural.isEmpty()) return 0;
        const double shown = std::min<double>(width, natural.width() * type_scale());
        return static_cast<int>(shown * natural.height() / natural.width());
    }
    QSize sizeHint() const override {
        return {svg_->defaultSize().width(), heightForWidth(svg_->defaultSize().width())};
    }

protected:
    void paintEvent(QPaintEvent*) override {
        if (!svg_->isValid()) return;
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QSize natural = svg_->defaultSize();
        const double wide = static_cast<double>(height()) * natural.width() / natural.height();
        svg_->render(&painter, QRectF((width() - wide) / 2, 0, wide, height()));
    }

private:
    QByteArray source_;
    std::unique_ptr<QSvgRenderer> svg_;
};

LessonPicture::LessonPicture(const QString& name, const lessons::Line& caption, QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 2, 0, 2);
    column->setSpacing(caption_gap);
    drawing_ = new Drawing(name);
    drawing_->setAccessibleName(QString::fromStdString(lessons::plain(caption)));
    column->addWidget(drawing_);
    if (caption.empty()) return;
    QLabel* below = make_prose(caption, type::table());
    set_ink(*below, Ink::secondary);
    column->addWidget(below);
}

void LessonPicture::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::ApplicationPaletteChange) drawing_->colour();
    QWidget::changeEvent(event);
}

}  // namespace scalescope::ui
