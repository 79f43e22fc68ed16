// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "support_gestures_answers.hpp"
#include "support_gestures_beside.hpp"
#include "support_gestures_design.hpp"
#include "support_gestures_hand.hpp"
#include "support_gestures_mesh.hpp"
#include "support_gestures_search.hpp"
#include "support_gestures_work.hpp"

/// Random gestures on the real window. After each of them nothing that somebody made may be gone: one undo brings the
/// design back, or a question was asked and not answered by Cancel. The window at rest shows the newest answer.
namespace window_test {

/// How many gestures a run makes and where it begins: SCALESCOPE_GESTURES and SCALESCOPE_SEED of the environment.
struct GestureRun {
    int count = 200;
    std::uint32_t seed = 1;
    static GestureRun from_environment();
};

/// Makes one gesture after the other.
class Gestures final {
public:
    /// `folder` must be empty: the files that the gestures open and save are made in it. `window` keeps its sessions in
    /// `sessions`, and is another one after a restart.
    Gestures(std::unique_ptr<MainWindow>& window, const QString& folder, const QString& sessions, std::uint32_t seed)
        : window_(window), sessions_(sessions), hand_(window, folder, seed), work_(window) {}

    /// One gesture, and what became of the design. Empty if all is well, else a sentence.
    QString step();
    /// The gestures made last, the newest at the end.
    const QStringList& log() const { return log_; }
    int changes() const { return work_.changes(); }
    int questions() const { return hand_.questions; }
    int restarts() const { return restarts_; }

private:
    QString gesture();
    QString restart(bool killed);

    std::unique_ptr<MainWindow>& window_;
    QString sessions_;
    Hand hand_;
    Work work_;
    QStringList log_;
    int restarts_ = 0;
    std::optional<QString> lost_by_restart_;
};

inline GestureRun GestureRun::from_environment() {
    GestureRun run;
    bool is_number = false;
    if (const int count = qEnvironmentVariableIntValue("SCALESCOPE_GESTURES", &is_number); is_number && count > 0)
        run.count = count;
    if (const int seed = qEnvironmentVariableIntValue("SCALESCOPE_SEED", &is_number); is_number)
        run.seed = static_cast<std::uint32_t>(seed);
    return run;
}

/// The program ends, by itself or not, and starts again: what was open is open then.
inline QString Gestures::restart(bool killed) {
    const Work::Kept before = work_.kept();
    const Work::Beside beside_before = work_.beside();
    const int consents_before = hand_.consents;
    if (!killed && !window_->close()) return QStringLiteral("quit, and stay");
    window_ = std::make_unique<MainWindow>(sessions_);
    window_->start();
    window_->finish_opening();
    window_->resize(1440, 900);
    window_->QWidget::show();
    hand_.settle();
    ++restarts_;
    lost_by_restart_ = work_.check_restart(before, beside_before, hand_.consents > consents_before);
    return killed ? QStringLiteral("kill the window and start again") : QStringLiteral("quit and start again");
}

inline QString Gestures::gesture() {
    switch (hand_.below(38)) {
        case 0:
        case 1:
        case 2:
        case 3:
        case 4: return edit_design(hand_);
        case 5:
        case 6:
        case 7:
        case 8: return draw(hand_);
        case 9:
        case 10:
        case 11:
        case 12: return run_command(hand_);
        case 13:
        case 14:
        case 15:
        case 16: return replace_design(hand_);
        case 17: return lesson(hand_);
        case 19: return edit_table(hand_);
        case 20: return write_lesson(hand_);
        case 21: return hand_.one_in(2) ? restart(hand_.one_in(2)) : edit_design(hand_);
        case 18: {
            const QString file = QDir(hand_.folder).filePath(QStringLiteral("saved-%1.json").arg(hand_.below(3)));
            window_->save_to(file);
            return QStringLiteral("save to %1").arg(file);
        }
        case 22: return history(hand_);
        case 23: return find_best(hand_);
        default: return use_mesh(hand_);
    }
}

inline QString Gestures::step() {
    constexpr int remembered = 25;
    window_->findChild<WorkersPanel*>()->finish_mesh();  // of the step before
    const Work::Made before = work_.made();
    const Work::Beside beside_before = work_.beside();
    const auto lesson_before = work_.open_lesson();
    const int index_before = window_->document().history().index(), consents_before = hand_.consents;
    log_ << QStringLiteral("…");
    log_.last() = gesture();
    if (log_.size() > remembered) log_.removeFirst();
    hand_.settle();
    QString lost;
    if (lost_by_restart_) {
        lost = *std::exchange(lost_by_restart_, std::nullopt);
    } else {
        // Some gestures follow at once, as from a quick hand.
        if (!hand_.one_in(3)) {
            come_to_rest(*window_);
            lost = check_answers(*window_, hand_.one_in(4));
        }
        if (lost.isEmpty()) lost = work_.check(before, lesson_before, index_before);
        if (lost.isEmpty()) lost = work_.check_beside(beside_before);
        // Who was asked, and did not cancel, may have given it up.
        if (hand_.consents > consents_before) lost.clear();
    }
    if (lost.isEmpty() && hand_.one_in(10)) lost = work_.check_file();
    const Work::Beside beside_now = work_.beside();
    const int consents_now = hand_.consents;
    hand_.close_other_windows();
    hand_.settle();
    if (lost.isEmpty()) lost = work_.check_beside(beside_now);
    if (hand_.consents > consents_now) lost.clear();
    return lost;
}

}  // namespace window_test
