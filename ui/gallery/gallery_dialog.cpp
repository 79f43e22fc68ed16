// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/gallery/gallery_dialog.hpp"

#include <QAbstractListModel>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>
#include <optional>

#include "core/base/fuzzy.hpp"
#include "ui/help/help_guide.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/overlay_scroll.hpp"
#include "ui/widgets/search_field.hpp"
#include "ui/widgets/segmented_control.hpp"

namespace scalescope::ui {
namespace {

constexpr QSize tile(196, 172);
constexpr int tile_margin = 6, tile_padding = 10, name_height = 38, caption_height = 16;
constexpr qreal most_of_name = 1.8;  // widths of a tile: two lines, of which words leave some room
const QString every_kind = QStringLiteral("all");

std::u16string_view letters(const QString& s) {
    return {reinterpret_cast<const char16_t*>(s.utf16()), static_cast<std::size_t>(s.size())};
}

}  // namespace

class GalleryDialog::Model final : public QAbstractListModel {
public:
    struct Entry {
        Kind kind;
        QString id, name, about;
        FuzzyText title, rest;
        std::optional<GalleryPicture> picture;
        bool asked = false;
    };
    std::vector<Entry> all;
    std::vector<std::size_t> found;

    Model(const formats::Library& library, QObject* parent) : QAbstractListModel(parent) {
        for (const auto& p : library.scenarios) add(Kind::scenario, p.id, p.name, told(p.description));
        for (const auto& p : library.networks) add(Kind::network, p.id, p.name, told(p.description));
        for (const Device& d : library.catalogue.devices)
            add(Kind::device, d.id, d.name,
                plain(d.vendor + " " + d.architecture) +
                    (d.note.empty() ? QString() : QStringLiteral(". ") + told(d.note)));
    }
    void find(const QString& typed, const QString& kind) {
        beginResetModel();
        found.clear();
        const FuzzyQuery query(letters(typed));
        std::vector<std::pair<int, std::size_t>> hits;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (kind != every_kind && kind != QString::number(static_cast<int>(all[i].kind))) continue;
            if (const auto worth = query.score(all[i].title, all[i].rest)) hits.emplace_back(-*worth, i);
        }
        std::sort(hits.begin(), hits.end());
        for (const auto& hit : hits) found.push_back(hit.second);
        endResetModel();
    }
    void set_picture(std::size_t entry, GalleryPicture picture) {
        all[entry].picture = std::move(picture);
        const auto at = std::find(found.begin(), found.end(), entry);
        if (at == found.end()) return;
        const QModelIndex row = index(static_cast<int>(at - found.begin()));
        emit dataChanged(row, row);
    }
    const Entry& entry(const QModelIndex& at) const { return all[found[static_cast<std::size_t>(at.row())]]; }

    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(found.size());
    }
    QVariant data(const QModelIndex& at, int role) const override {
        if (!at.isValid()) return {};
        const Entry& e = entry(at);
        switch (role) {
            case Qt::DisplayRole: return e.name;
            case Qt::ToolTipRole: return e.about.isEmpty() ? e.name : e.name + QStringLiteral("\n\n") + e.about;
            case Qt::AccessibleTextRole:
                return QStringList{e.name, kind_name(e.kind), e.picture ? e.picture->caption : QString()}.join(
                    QStringLiteral(", "));
            default: return {};
        }
    }
    static QString kind_name(Kind kind) {
        return kind == Kind::scenario  ? GalleryDialog::tr("scenario")
               : kind == Kind::network ? GalleryDialog::tr("network")
                                       : GalleryDialog::tr("device");
    }

private:
    void add(Kind kind, const std::string& id, const std::string& name, const QString& about) {
        Entry e;
        e.kind = kind;
        e.id = plain(id);
        e.name = plain(name);
        e.about = about;
        e.title = FuzzyText(letters(e.name));
        const QString rest = kind_name(kind) + QLatin1Char(' ') + e.id + QLatin1Char(' ') + e.about;
        e.rest = FuzzyText(letters(rest));
        all.push_back(std::move(e));
    }
};

class GalleryDialog::Delegate final : public QStyledItemDelegate {
public:
    explicit Delegate(GalleryDialog& dialog) : QStyledItemDelegate(&dialog), dialog_(dialog) {}

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return tile; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Theme& t = theme();
        const Model::Entry& e = dialog_.model_->entry(index);
        const QRectF box = QRectF(option.rect).adjusted(tile_margin, tile_margin, -tile_margin, -tile_margin);
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        const bool hover = option.state.testFlag(QStyle::State_MouseOver);
        draw_box(*painter, box,
                 selected ? t.selection
                 : hover  ? t.hover
                          : t.card,
                 selected ? t.accent : t.card_border, space::card_radius, selected ? 2 : 1);
        const QRectF inner = box.adjusted(tile_padding, tile_padding, -tile_padding, -tile_padding);
        const QRectF picture(inner.left(), inner.top(), inner.width(),
                             inner.height() - name_height - caption_height - 4);
        if (e.picture)
            paint_picture(*painter, picture, *e.picture);
        else
            dialog_.want(dialog_.model_->found[static_cast<std::size_t>(index.row())]);
        const QRectF name(inner.left(), picture.bottom() + 4, inner.width(), name_height);
        painter->setFont(type::title());
        painter->setPen(t.text);
        painter->drawText(name, Qt::AlignLeft | Qt::AlignBottom | Qt::TextWordWrap,
                          QFontMetricsF(type::title()).elidedText(e.name, Qt::ElideRight, most_of_name * name.width()));
        QString caption = Model::kind_name(e.kind);
        if (e.picture && !e.picture->caption.isEmpty())
            caption = e.kind == Kind::scenario  ? tr("scenario · step %1").arg(e.picture->caption)
                      : e.kind == Kind::network ? tr("network · %1 parameters").arg(e.picture->caption)
                                                : tr("device · peak, bandwidth, memory");
        else if (e.picture && !e.picture->problem.isEmpty())
            caption = e.picture->problem;
        draw_text(*painter, QRectF(inner.left(), name.bottom(), inner.width(), caption_height),
                  Qt::AlignLeft | Qt::AlignVCenter, caption, type::caption(), t.secondary);
    }

private:
    static QString tr(const char* words) { return GalleryDialog::tr(words); }
    GalleryDialog& dialog_;
};

GalleryDialog::GalleryDialog(const formats::Library& library, QWidget* parent) : QDialog(parent), library_(library) {
    setObjectName(QStringLiteral("gallery"));
    setWindowTitle(tr("Presets"));
    set_help(*this, QStringLiteral("window-gallery"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::gap, space::gap, space::gap, space::gap);
    column->setSpacing(space::gap);
    auto* row = new QHBoxLayout;
    search_ = new SearchField(tr("Search presets"));
    search_->setObjectName(QStringLiteral("gallerySearch"));
    kinds_ = new SegmentedControl(tr("Kind of preset"));
    kinds_->setObjectName(QStringLiteral("galleryKinds"));
    const auto id = [](Kind kind) { return QString::number(static_cast<int>(kind)); };
    kinds_->set_segments({{every_kind, tr("All"), {}},
                          {id(Kind::scenario), tr("Scenarios"), {}},
                          {id(Kind::network), tr("Networks"), {}},
                          {id(Kind::device), tr("Devices"), {}}});
    kinds_->set_current(every_kind);
    row->addWidget(search_, 1);
    row->addWidget(kinds_);
    column->addLayout(row);
    model_ = new Model(library, this);
    list_ = new QListView;
    list_->setObjectName(QStringLiteral("galleryList"));
    list_->setAccessibleName(tr("Presets"));
    list_->setViewMode(QListView::IconMode);
    list_->setResizeMode(QListView::Adjust);
    list_->setMovement(QListView::Static);
    list_->setUniformItemSizes(true);
    list_->setGridSize(tile);
    list_->setSelectionMode(QAbstractItemView::SingleSelection);
    list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list_->setMouseTracking(true);
    list_->setModel(model_);
    list_->setItemDelegate(new Delegate(*this));
    use_overlay_scroll_bar(*list_, 2);
    column->addWidget(list_, 1);
    about_ = make_label({}, type::caption(), Ink::secondary);
    about_->setObjectName(QStringLiteral("galleryAbout"));
    about_->setWordWrap(true);
    about_->setMinimumHeight(2 * about_->fontMetrics().lineSpacing());
    about_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    column->addWidget(about_);
    connect(search_, &QLineEdit::textChanged, this, &GalleryDialog::find);
    connect(kinds_, &SegmentedControl::chosen, this, &GalleryDialog::find);
    connect(search_, &SearchField::escaped, this, &QDialog::reject);
    connect(search_, &SearchField::moved, this, [this] {
        list_->setFocus();
        if (!list_->currentIndex().isValid()) list_->setCurrentIndex(model_->index(0));
    });
    connect(search_, &QLineEdit::returnPressed, this, [this] { choose(list_->currentIndex()); });
    connect(list_, &QListView::activated, this, &GalleryDialog::choose);
    connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this, &GalleryDialog::tell);
    resize(840, 640);
    find();
    search_->setFocus();
}

GalleryDialog::~GalleryDialog() = default;

void GalleryDialog::find() {
    model_->find(search_->text(), kinds_->current());
    list_->setCurrentIndex(model_->index(0));
    list_->scrollToTop();
    tell();
}

void GalleryDialog::tell() {
    const QModelIndex at = list_->currentIndex();
    about_->setText(at.isValid()              ? model_->entry(at).about
                    : model_->rowCount() == 0 ? tr("Nothing matches “%1”.").arg(search_->text().trimmed())
                                              : QString());
    search_->setAccessibleDescription(at.data(Qt::AccessibleTextRole).toString());
}

/// Whoever is painted is asked for, the newest first: a person has scrolled there.
void GalleryDialog::want(std::size_t entry) {
    if (model_->all[entry].asked) return;
    model_->all[entry].asked = true;
    wanted_.push_front(entry);
    if (!maker_.running()) QMetaObject::invokeMethod(this, &GalleryDialog::make_next, Qt::QueuedConnection);
}

void GalleryDialog::make_next() {
    if (maker_.running() || wanted_.empty()) return;
    const std::size_t entry = wanted_.front();
    wanted_.pop_front();
    const Model::Entry& e = model_->all[entry];
    maker_.run(e.name, [this, entry, kind = e.kind, id = e.id.toStdString(), &library = library_](const Watch&) {
        GalleryPicture picture;
        if (kind == Kind::scenario)
            picture = picture_of_scenario(library, id);
        else if (kind == Kind::network)
            picture = picture_of_network(library, id);
        else if (const Device* device = library.catalogue.device(id))
            picture = picture_of_device(library.catalogue, *device);
        return [this, entry, picture] {
            model_->set_picture(entry, picture);
            make_next();
        };
    });
}

void GalleryDialog::finish_pictures() {
    QCoreApplication::processEvents();
    while (maker_.running() || !wanted_.empty()) {
        maker_.finish();
        QCoreApplication::processEvents();
    }
}

void GalleryDialog::choose(const QModelIndex& index) {
    if (!index.isValid()) return;
    const Model::Entry& e = model_->entry(index);
    const Kind kind = e.kind;
    const QString id = e.id;
    accept();
    emit chosen(kind, id);
}

}  // namespace scalescope::ui
