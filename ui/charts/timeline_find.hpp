// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QStringList>

class QLabel;
class QLineEdit;

namespace scalescope::ui {

/// The words of a text, without what stands between them: "h0/attention/q" has three.
QStringList words_of(const QString& text);
/// Whether each of the words asked for is there, by its beginning. A number is there as a whole, behind the word that
/// it is asked for with: "stage 2".
bool has_words(const QStringList& words, const QStringList& asked);

/// A field over a timeline, to find its boxes by their words. Return asks for the next one, Shift+Return for the one
/// before, Escape closes it.
class TimelineFind final : public QFrame {
    Q_OBJECT
public:
    explicit TimelineFind(QWidget* parent);

    QStringList asked() const;
    /// Which of the boxes found is shown, from 1; 0 of 0: none was found.
    void show_found(int number, int of);
    QString found_text() const;
    void open();

signals:
    void changed();
    void next_asked(bool later);
    void closed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QLineEdit* field_;
    QLabel* found_;
};

}  // namespace scalescope::ui
