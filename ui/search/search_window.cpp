// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/search/search_window.hpp"

#include <QAction>
#include <QMenuBar>
#include <QScreen>
#include <QVBoxLayout>

#include "ui/document/document.hpp"
#include "ui/help/help_guide.hpp"
#include "ui/search/question_panel.hpp"
#include "ui/search/results_page.hpp"
#include "ui/search/search_session.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"

namespace scalescope::ui {
namespace {

/// What the parts need. Before they are shown they ask for more, and a window that begins so wide stays so.
constexpr int least_width = 860;

}  // namespace

SearchWindow::SearchWindow(Document& design, const formats::Library& library, QWidget* parent)
    : QMainWindow(parent), document_(design, library) {
    setObjectName(QStringLiteral("searchWindow"));
    setWindowFlag(Qt::Window);
    setWindowTitle(tr("Find the best – Scalescope"));
    set_help(*this, QStringLiteral("window-search"));
    auto* middle = new QWidget;
    middle->setMinimumWidth(least_width);
    auto* column = new QVBoxLayout(middle);
    column->setContentsMargins(space::gap, space::gap, space::gap, space::gap);
    column->setSpacing(space::gap);
    messages_ = std::make_unique<Messages>(*column);
    question_ = new QuestionPanel(document_);
    results_ = new ResultsPage(document_);
    auto* row = make_layout<QHBoxLayout>(nullptr, space::gap);
    row->addWidget(question_);
    row->addWidget(results_, 1);
    column->addLayout(row, 1);
    setCentralWidget(middle);
    connect(results_, &ResultsPage::said, this, &SearchWindow::say);
    connect(results_, &ResultsPage::loaded, this, &SearchWindow::loaded);
    build_actions();
    resize(QSize(1240, 820).boundedTo(screen()->availableSize() - QSize(0, 40)));
}

void SearchWindow::build_actions() {
    const auto action = [this](QMenu* menu, const QString& title, const QList<QKeySequence>& keys, auto slot) {
        QAction* a = menu->addAction(title);
        a->setShortcuts(keys);
        connect(a, &QAction::triggered, this, slot);
        return a;
    };
    QMenu* file = menuBar()->addMenu(tr("&Search"));
    QAction* start = action(file, tr("&Search"),
                            {QKeySequence(Qt::CTRL | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::Key_Enter)}, [this] {
                                if (question_->button()->isEnabled() && !document_.running())
                                    question_->button()->click();
                            });
    start->setObjectName(QStringLiteral("startSearch"));
    // Escape only while there is something to end: it means other things to fields and lists.
    QAction* stop =
        action(file, tr("&Cancel, show the best so far"), {QKeySequence(Qt::Key_Escape)}, [this] { document_.stop(); });
    stop->setObjectName(QStringLiteral("stopSearch"));
    stop->setEnabled(false);
    connect(&document_.work(), &Background::slow, stop, [stop] { stop->setEnabled(true); });
    connect(&document_.work(), &Background::ended, stop, [stop] { stop->setEnabled(false); });
    file->addSeparator();
    action(file, tr("&Open the selected result as the scenario"), {QKeySequence(Qt::CTRL | Qt::Key_L)},
           [this] { results_->load_button()->click(); });
    file->addSeparator();
    action(file, tr("C&lose"), {QKeySequence(QKeySequence::Close)}, [this] { close(); });
    // Loading changes the scenario of the main window: it is taken back here as well.
    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    QAction* undo = document_.design().histories().createUndoAction(this, tr("&Undo"));
    undo->setShortcut(QKeySequence::Undo);
    QAction* redo = document_.design().histories().createRedoAction(this, tr("&Redo"));
    redo->setShortcut(QKeySequence::Redo);
    edit->addAction(undo);
    edit->addAction(redo);
    QMenu* view = menuBar()->addMenu(tr("&View"));
    action(view, tr("&Front"), {QKeySequence(Qt::CTRL | Qt::Key_1)},
           [this] { results_->show_chart(QStringLiteral("front")); });
    action(view, tr("&Heat map"), {QKeySequence(Qt::CTRL | Qt::Key_2)},
           [this] { results_->show_chart(QStringLiteral("heat")); });
}

void SearchWindow::keep_under(const QString& sessions) {
    session_ = new SearchSession(document_, sessions, this);
    if (!session_->unreadable().isEmpty())
        say(tr("The last search could not be read. The file was kept as %1.").arg(session_->unreadable()), true);
}

}  // namespace scalescope::ui
