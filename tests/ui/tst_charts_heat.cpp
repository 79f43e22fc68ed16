// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers in the cells of a heat map.
#include <set>

#include "support_charts.hpp"
#include "support_painted.hpp"
#include "ui/charts/heat_chart.hpp"

using namespace scalescope;
using namespace scalescope::ui;
using namespace chart_test;

class TestHeatChart : public QObject {
    Q_OBJECT

private slots:
    /// Rows of 14 and 15 pixels stand beside each other: each height of the chart has all numbers or none.
    void all_cells_are_written_or_none() {
        constexpr int rows = 11, columns = 3;
        HeatData data;
        data.x_name = u("across"), data.y_name = u("down"), data.value_name = u("Value");
        for (int c = 0; c < columns; ++c) data.columns << u("column %1").arg(c);
        for (int r = 0; r < rows; ++r) data.rows << u("row %1").arg(r);
        for (int i = 0; i < rows * columns; ++i) {
            HeatCell cell;
            cell.value = 100 + i;
            cell.text = cell.brief = QString::number(100 + i);
            data.cells.push_back(cell);
        }
        std::set<int> seen;
        for (int height = 200; height <= 300; ++height) {
            Shown<HeatChart> shown(500, height);
            shown->set_data(data);
            int written = 0;
            for (const tests::PaintedText& text : tests::painted_texts(*shown))
                for (int i = 1; i + 1 < rows * columns; ++i)  // the scale says the first and the last, too
                    written += text.text == QString::number(100 + i);
            seen.insert(written);
        }
        QCOMPARE(seen, (std::set<int>{0, rows * columns - 2}));
    }
};

QTEST_MAIN(TestHeatChart)
#include "tst_charts_heat.moc"
