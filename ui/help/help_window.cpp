// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/help_window.hpp"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QScrollBar>
#include <QShortcut>
#include <QSplitter>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocument>
#include <QTextTable>
#include <QToolButton>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>
#include <QUrl>
#include <QVBoxLayout>

#include "ui/help/help_book.hpp"
#include "ui/help/help_guide.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/overlay_scroll.hpp"
#include "ui/widgets/search_field.hpp"

namespace scalescope::ui {
namespace {

constexpr int id_role = Qt::UserRole, text_margin = 20;

/// Headings in the program's sizes, tables without their heavy frames, lines that can be read.
void settle_document(QTextDocument& document) {
    document.setDocumentMargin(text_margin);
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        QTextCursor cursor(block);
        QTextBlockFormat format = block.blockFormat();
        const int level = format.headingLevel();
        format.setLineHeight(130, QTextBlockFormat::ProportionalHeight);
        format.setTopMargin(level > 1 ? 12 : 0);
        if (!cursor.currentTable()) format.setBottomMargin(8);
        cursor.setBlockFormat(format);
        if (level == 0) continue;
        cursor.select(QTextCursor::BlockUnderCursor);
        QTextCharFormat letters;
        letters.setFont(level == 1 ? type::page_title() : type::title());
        letters.setProperty(QTextFormat::FontSizeAdjustment, 0);  // Markdown's own idea of a heading
        cursor.mergeCharFormat(letters);
    }
    for (QTextFrame* frame : document.rootFrame()->childFrames())
        if (auto* table = qobject_cast<QTextTable*>(frame)) {
            QTextTableFormat format = table->format();
            format.setBorder(0);
            format.setCellPadding(3);
            format.setCellSpacing(0);
            format.setColumnWidthConstraints(
                {QTextLength(QTextLength::PercentageLength, 40), QTextLength(QTextLength::PercentageLength, 60)});
            format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
            table->setFormat(format);
        }
}

QTextBrowser* make_reader(const QString& name) {
    auto* reader = new QTextBrowser;
    reader->setAccessibleName(name);
    reader->setOpenLinks(false);
    reader->setFont(type::control());
    reader->document()->setDefaultFont(type::control());
    reader->setFrameShape(QFrame::NoFrame);
    use_overlay_scroll_bar(*reader, 2);
    return reader;
}

void set_markdown(QTextBrowser& reader, const QString& markdown) {
    reader.document()->setMarkdown(markdown, QTextDocument::MarkdownDialectGitHub);
    settle_document(*reader.document());
    reader.moveCursor(QTextCursor::Start);
    reader.verticalScrollBar()->setValue(0);
}

}  // namespace

HelpWindow::HelpWindow(QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("helpWindow"));
    setWindowTitle(tr("Help"));
    set_help(*this, QStringLiteral("start"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::gap, space::gap, space::gap, space::gap);
    column->setSpacing(space::gap);
    auto* bar = make_layout<QHBoxLayout>(nullptr, 4);
    back_ = make_icon_button("left", tr("Back"), Tint::text);
    forward_ = make_icon_button("right", tr("Forward"), Tint::text);
    back_->setShortcut(QKeySequence::Back);
    forward_->setShortcut(QKeySequence::Forward);
    back_->setToolTip(tr("Back (%1)").arg(QKeySequence(QKeySequence::Back).toString(QKeySequence::NativeText)));
    forward_->setToolTip(
        tr("Forward (%1)").arg(QKeySequence(QKeySequence::Forward).toString(QKeySequence::NativeText)));
    connect(back_, &QToolButton::clicked, this, [this] { go(-1); });
    connect(forward_, &QToolButton::clicked, this, [this] { go(1); });
    search_ = new SearchField(tr("Search the help"));
    search_->setObjectName(QStringLiteral("helpSearch"));
    bar->addWidget(back_);
    bar->addWidget(forward_);
    bar->addWidget(search_, 1);
    column->addLayout(bar);

    contents_ = new QTreeWidget;
    contents_->setObjectName(QStringLiteral("helpContents"));
    contents_->setAccessibleName(tr("Contents"));
    contents_->setHeaderHidden(true);
    contents_->setIndentation(14);
    contents_->setUniformRowHeights(true);
    contents_->setFont(type::table());
    use_overlay_scroll_bar(*contents_, 2);
    text_ = make_reader(tr("Page"));
    text_->setObjectName(QStringLiteral("helpText"));
    auto* panes = new QSplitter(Qt::Horizontal);
    panes->setObjectName(QStringLiteral("panes"));
    panes->setHandleWidth(1);
    panes->setChildrenCollapsible(false);
    panes->addWidget(contents_);
    panes->addWidget(text_);
    panes->setStretchFactor(1, 1);
    panes->setSizes({230, 530});
    column->addWidget(panes, 1);

    connect(contents_, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* now) {
        if (now && !now->data(0, id_role).toString().isEmpty()) show_page(now->data(0, id_role).toString());
    });
    connect(text_, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) { show_page(link.toString()); });
    connect(search_, &QLineEdit::textChanged, this, &HelpWindow::fill_contents);
    connect(search_, &SearchField::escaped, this, &QDialog::reject);
    connect(search_, &SearchField::moved, this, [this] { contents_->setFocus(); });
    connect(search_, &QLineEdit::returnPressed, this, [this] {
        const auto found = HelpBook::shipped().find(search_->text());
        if (!found.empty()) show_page(found.front()->id);
    });
    auto* find = new QShortcut(QKeySequence::Find, this);
    connect(find, &QShortcut::activated, this, [this] {
        search_->setFocus();
        search_->selectAll();
    });
    resize(780, 600);
    fill_contents();
    text_->setFocus();
}

/// Chapters with their pages; for a search, the pages that have it, the likeliest first.
void HelpWindow::fill_contents() {
    const QSignalBlocker quiet(contents_);
    contents_->clear();
    const HelpBook& book = HelpBook::shipped();
    const auto item = [](const HelpPage& page) {
        auto* one = new QTreeWidgetItem({page.title});
        one->setData(0, id_role, page.id);
        return one;
    };
    if (search_->text().trimmed().isEmpty()) {
        QTreeWidgetItem* chapter = nullptr;
        for (const HelpPage& page : book.pages()) {
            if (!chapter || chapter->text(0) != page.chapter) {
                chapter = new QTreeWidgetItem(contents_, {page.chapter});
                chapter->setFlags(Qt::ItemIsEnabled);
                chapter->setFont(0, type::table_strong());
            }
            chapter->addChild(item(page));
        }
        contents_->setRootIsDecorated(true);
        contents_->expandAll();
    } else {
        for (const HelpPage* page : book.find(search_->text())) contents_->addTopLevelItem(item(*page));
        contents_->setRootIsDecorated(false);
        if (contents_->topLevelItemCount() == 0) {
            auto* none = new QTreeWidgetItem(contents_, {tr("No page has all of these words.")});
            none->setFlags(Qt::NoItemFlags);
        }
    }
    for (QTreeWidgetItemIterator it(contents_); *it; ++it) {
        (*it)->setSizeHint(0, QSize(0, space::table_row));
        if ((*it)->data(0, id_role).toString() == page() && !page().isEmpty()) contents_->setCurrentItem(*it);
    }
}

void HelpWindow::show_page(const QString& id) {
    const HelpBook& book = HelpBook::shipped();
    const HelpPage* page = book.page(id);
    const QString wanted = page ? page->id : book.pages().front().id;
    if (wanted == this->page()) return;
    seen_.resize(static_cast<std::size_t>(at_ + 1));
    seen_.push_back(wanted);
    ++at_;
    render();
}

void HelpWindow::go(int step) {
    const int to = at_ + step;
    if (to < 0 || to >= static_cast<int>(seen_.size())) return;
    at_ = to;
    render();
}

void HelpWindow::render() {
    const HelpPage* shown = HelpBook::shipped().page(page());
    if (!shown) return;
    set_markdown(*text_, QStringLiteral("# %1\n\n%2").arg(shown->title, shown->markdown));
    setWindowTitle(tr("%1 – Help").arg(shown->title));
    back_->setEnabled(at_ > 0);
    forward_->setEnabled(at_ + 1 < static_cast<int>(seen_.size()));
    const QSignalBlocker quiet(contents_);
    for (QTreeWidgetItemIterator it(contents_); *it; ++it)
        if ((*it)->data(0, id_role).toString() == shown->id) {
            contents_->setCurrentItem(*it);
            contents_->scrollToItem(*it);
        }
}

void HelpWindow::changeEvent(QEvent* event) {
    QDialog::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && text_) render();  // links keep the colour they were made with
}

void HelpWindow::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return;  // no button is meant
    QDialog::keyPressEvent(event);
}

NewsDialog::NewsDialog(QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("newsDialog"));
    setWindowTitle(tr("What is new"));
    set_help(*this, QStringLiteral("window-news"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::gap, space::gap, space::gap, space::gap);
    auto* reader = make_reader(tr("What is new"));
    reader->setObjectName(QStringLiteral("newsText"));
    QString all;
    if (language_told() != QLatin1String("en"))
        all = tr("The list of changes is available in English only.") + QStringLiteral("\n\n");
    for (const VersionNews& news : shipped_news())
        all += QStringLiteral("# %1\n\n%2\n\n")
                   .arg(news.version == QLatin1String("Unreleased") ? tr("Since the last release")
                                                                    : tr("Version %1").arg(news.version),
                        news.markdown);
    set_markdown(*reader, all);
    column->addWidget(reader, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    resize(680, 560);
}

}  // namespace scalescope::ui
