// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QRectF>
#include <QString>
#include <functional>
#include <vector>

#include "ui/theme/px.hpp"

class QPainter;

namespace scalescope::ui {

struct Theme;

/// The names under bars, and below them the blocks that the layers belong to. Names are written flat if there is room,
/// slanted if there is less. If not even that fits, only the blocks are written, or, without blocks, only some names.
class CategoryLabels {
public:
    enum class Mode { flat, slanted, blocks, sparse };

    /// `blocks` may be empty, or one name per label (empty for a label outside any block).
    void set(std::vector<QString> names, std::vector<QString> blocks);
    /// Numbers are never slanted.
    void set_slanting(bool allowed) { may_slant_ = allowed; }
    /// Chooses how to write for slots this wide in a chart this high.
    void fit(double slot_px, int chart_height);
    Mode mode() const { return mode_; }
    /// Pixels below the base line that the labels take.
    int room() const;
    /// The most they take unless slanted, which only high charts have.
    static constexpr Px most_level_room{24};

    struct Frame {
        QRectF plot;                       ///< nothing is written left or right of it
        std::function<double(double)> px;  ///< pixel of a slot's edge: slot i reaches from px(i) to px(i + 1)
        int first = 0, last = 0;           ///< visible labels, `last` excluded
        int marked = -1;                   ///< written in accent, always shown
    };
    void paint(QPainter& painter, const Theme& theme, const Frame& frame);

private:
    double width_of(int index);
    /// The whole name if it fits, else what stands after its last '/', else that with its middle left out.
    QString fitted(int index, double width) const;
    const QString& elided(int index, double width);
    bool hides(double from, double to) const { return to > marked_from_ && from < marked_to_; }
    void paint_slanted(QPainter& painter, const Theme& theme, const Frame& frame);
    void choose_mode(int chart_height);
    int room_of_names() const;
    void paint_blocks(QPainter& painter, const Theme& theme, const Frame& frame, double above);
    void paint_sparse(QPainter& painter, const Theme& theme, const Frame& frame);
    void place_marked(const Frame& frame);
    void paint_marked(QPainter& painter, const Theme& theme, const Frame& frame);

    std::vector<QString> names_, blocks_;
    std::vector<double> widths_;  ///< measured when first needed, < 0 before
    std::vector<QString> elided_;
    QHash<QString, double> block_widths_;
    double elided_for_ = -1.0, scale_ = 0.0;
    double slot_ = 0.0, widest_ = -1.0;
    double marked_from_ = 0.0, marked_to_ = 0.0;  ///< pixels the marked name takes; the others keep off
    QString marked_text_;
    bool has_blocks_ = false, may_slant_ = true, level_below_ = false;  ///< the blocks, below the names
    Mode mode_ = Mode::flat;
};

}  // namespace scalescope::ui
