// SPDX-License-Identifier: GPL-3.0-or-later
// How a long list of layers without telling names is folded; small lists worked out by hand, and any list whole.
#include <QtTest>
#include <random>

#include "core/drawing/folding.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using namespace scalescope::drawing;

namespace {

/// Layers that each read the one before.
std::vector<drawing::Piece> chain(int size) {
    std::vector<drawing::Piece> pieces(static_cast<std::size_t>(size));
    for (int i = 0; i < size; ++i) {
        pieces[std::size_t(i)].alike = i;  // all of different kinds
        pieces[std::size_t(i)].inputs = {i - 1};
    }
    return pieces;
}

void leaves(const std::vector<Part>& parts, std::vector<int>& into) {
    for (const Part& p : parts) {
        if (p.piece >= 0) into.push_back(p.piece);
        leaves(p.parts, into);
    }
}
std::vector<int> leaves(const Part& part) {
    std::vector<int> all;
    leaves({part}, all);
    return all;
}

std::vector<int> from_to(int first, int end) {
    std::vector<int> all;
    for (int i = first; i < end; ++i) all.push_back(i);
    return all;
}

}  // namespace

class TestFolding : public QObject {
    Q_OBJECT

private slots:
    void what_can_be_read_stays() {
        for (int size : {0, 1, most_boxes}) {
            const auto parts = fold_long(chain(size));
            QCOMPARE(parts.size(), std::size_t(size));
            for (const Part& p : parts) QVERIFY(p.piece >= 0);
        }
        QVERIFY(fold_long(chain(most_boxes + 1)).size() < std::size_t(most_boxes));
    }

    void what_repeats_is_a_row() {
        // Two layers, then ten times four, then one.
        auto pieces = chain(43);
        for (int i = 2; i < 42; ++i) pieces[std::size_t(i)].alike = 100 + (i - 2) % 4;
        const auto parts = fold_long(pieces);
        QCOMPARE(parts.size(), std::size_t{4});
        QCOMPARE(parts[2].repeat, 10);
        QCOMPARE(parts[2].parts.size(), std::size_t{10});
        QCOMPARE(leaves(parts[2].parts[1]), from_to(6, 10));
        QCOMPARE(parts[3].piece, 42);
    }

    void it_is_cut_where_the_fewest_tensors_pass() {
        // Ten residual blocks of norm, product, activation and sum, after two layers; but the first norm is another
        // one, so that they repeat from the product on. Only behind a sum one tensor passes.
        auto pieces = chain(42);
        for (int i = 2; i < 42; ++i) {
            pieces[std::size_t(i)].alike = 100 + (i - 2) % 4;
            if ((i - 2) % 4 == 3) pieces[std::size_t(i)].inputs.push_back(i - 4);
        }
        pieces[2].alike = 7;
        const auto parts = fold_long(pieces);
        QCOMPARE(parts.size(), std::size_t{7});
        QCOMPARE(parts[6].repeat, 9);
        QCOMPARE(leaves(parts[6].parts[0]), from_to(6, 10));
    }

    void blocks_alike_are_a_row_of_single_ones() {
        auto pieces = chain(36);
        for (auto& p : pieces) p.is_layer = false;
        for (int i = 8; i < 28; ++i) pieces[std::size_t(i)].alike = 100;
        const auto parts = fold_long(pieces);
        const auto row = std::find_if(parts.begin(), parts.end(), [](const Part& p) { return p.repeat > 1; });
        QVERIFY(row != parts.end());
        QCOMPARE(row->repeat, 20);
        for (int i = 0; i < 20; ++i) QCOMPARE(row->parts[std::size_t(i)].piece, 8 + i);
    }

    void layers_between_blocks() {
        // Ten layers, five blocks with two layers between each pair, ten layers.
        auto pieces = chain(33);
        for (int i = 10; i < 23; i += 3) pieces[std::size_t(i)].is_layer = false;
        const auto parts = fold_long(pieces);
        QCOMPARE(parts.size(), std::size_t{1 + 13 + 1});
        QCOMPARE(leaves(parts[0]), from_to(0, 10));
        QCOMPARE(parts[1].piece, 10);  // whole, as somebody named it
        QCOMPARE(leaves(parts[14]), from_to(23, 33));
    }

    void what_nothing_is_connected_to_stands_alone() {
        auto pieces = chain(33);
        for (int i = 10; i < 23; i += 3) pieces[std::size_t(i)].is_layer = false;
        pieces.emplace_back();
        pieces.back().alike = 33;
        const auto parts = fold_long(pieces);
        QCOMPARE(parts.size(), std::size_t{1 + 13 + 1 + 1});
        QCOMPARE(leaves(parts[14]), from_to(23, 33));  // the same run as without it
        QCOMPARE(parts[15].piece, 33);
    }

    void stages_by_resolution() {
        auto pieces = chain(40);
        for (int i = 0; i < 40; ++i) pieces[std::size_t(i)].resolution = i < 15 ? "56×56" : i < 30 ? "28×28" : "14×14";
        const auto parts = fold_long(pieces);
        QCOMPARE(parts.size(), std::size_t{3});
        QCOMPARE(parts[1].resolution, std::string("28×28"));
        QCOMPARE(leaves(parts[1]), from_to(15, 30));
    }

    void at_last_about_a_dozen() {
        const auto parts = fold_long(chain(1000));
        QVERIFY(parts.size() >= 8 && parts.size() <= 16);
        for (const Part& p : parts) QVERIFY(p.parts.size() <= std::size_t(most_boxes));  // folded again
    }

    void nothing_is_lost_and_nothing_is_torn() {
        std::mt19937 random(2);
        for (int k = 0; k < 300; ++k) {
            auto pieces = chain(int(support::pick(random, 1, 300)));
            const auto kinds = support::pick(random, 1, 6);
            for (std::size_t i = 0; i < pieces.size(); ++i) {
                pieces[i].alike = int(support::pick(random, 0, kinds));
                pieces[i].is_layer = support::pick(random, 0, 9) > 0;
                pieces[i].resolution = std::to_string(i / 50);
                if (support::pick(random, 0, 3) == 0)
                    pieces[i].inputs.push_back(int(support::pick(random, -1, std::int64_t(i) - 1)));
            }
            const auto parts = fold_long(pieces);
            std::vector<int> all;
            leaves(parts, all);
            QCOMPARE(all, from_to(0, int(pieces.size())));
            QVERIFY(parts.size() <= std::size_t(most_boxes));
        }
    }
};

QTEST_APPLESS_MAIN(TestFolding)
#include "tst_folding.moc"
