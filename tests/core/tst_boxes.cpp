// SPDX-License-Identifier: GPL-3.0-or-later
// What boxes of a drawn network say: words, figures and where an amount stands on the ramp of colours; also of drafts.
#include <QtTest>
#include <cmath>

#include "core/drawing/caption.hpp"
#include "core/drawing/drawing.hpp"
#include "core/drawing/ramp.hpp"
#include "core/estimate/estimate.hpp"
#include "core/estimate/measures.hpp"
#include "support_choices.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using namespace scalescope::drawing;
using support::Builder;

namespace {

/// Two branches of an image that are put together.
NetworkDraft branches() {
    Builder b;
    const int image = b.input({8, 8, 3});
    b.concat({b.conv(image, 4, 3), b.conv(image, 6, 3)});
    b.dense(3, 10);
    return b.draft();
}

}  // namespace

class TestBoxes : public QObject {
    Q_OBJECT

private slots:
    void drafts_are_drawn_too() {
        const Sketch nothing{NetworkDraft{}};
        QCOMPARE(draw(nothing, make_hierarchy(nothing), {}, {}).boxes.size(), std::size_t{0});
        NetworkDraft draft = branches();
        draft.layers[1].inputs.clear();
        const Sketch sketch(draft);
        QCOMPARE(draw(sketch, make_hierarchy(sketch), {}, {}).boxes.size(), std::size_t{5});
    }

    void captions() {
        Builder b;
        const int image = b.input({224, 224, 3});
        const int conv = b.conv(image, 96, 3, 2, 1, true, false);
        const int pool = b.pool(conv, 3, 2, "average");
        const auto text = [&](int l) { return caption(b.draft().layers[std::size_t(l)]); };
        QCOMPARE(text(image), std::string("224×224×3"));
        QCOMPARE(text(conv), std::string("3×3, 96, stride 2, same, no bias"));
        QVERIFY(text(pool).starts_with("3×3"));
        QVERIFY(text(pool).find("average") != std::string::npos);
        QCOMPARE(text(b.dense(b.flatten(pool), 4096)), std::string("4,096"));
        QCOMPARE(spoken("leaky_relu"), std::string("leaky relu"));
    }

    void attributes_say_what_they_take() {
        const auto info = [](const char* kind, std::string_view name) -> const AttributeInfo& {
            for (const AttributeInfo& a : find_kind(kind)->attributes)
                if (a.name == name) return a;
            qFatal("no attribute");
        };
        QCOMPARE(about(info("convolution", "filters")), std::string("Output channels. A whole number, 1 or more."));
        QCOMPARE(about(info("convolution", "stride")),
                 std::string("Step of the filter. Whole numbers, each 1 or more."));
        QCOMPARE(about(info("convolution", "bias")), std::string("One bias for each filter."));
        for (const Kind* k : all_kinds())
            for (const AttributeInfo& a : k->attributes)
                QVERIFY2(!a.text.empty() && about(a).ends_with('.'), std::string(a.name).c_str());
        Builder b;
        const int conv = b.conv(b.input({8, 8, 3}), 4, 3);
        QCOMPARE(window_axes(b.draft().layers[std::size_t(conv)]), std::size_t{2});
        QCOMPARE(window_axes(b.draft().layers[0]), std::size_t{0});
    }

    void shapes_are_read_as_people_write_them() {
        const std::vector<Dim> image{{1, "batch"}, {224, {}}, {224, {}}, {3, {}}};
        for (const char* text : {"224×224×3", "224x224x3", " 224 × 224 × 3 ", "224, 224, 3", "batch, 224, 224, 3"})
            QVERIFY2(shape_from_text(text) == image, text);
        QVERIFY(shape_from_text("sequence×64") == (std::vector<Dim>{{1, "batch"}, {1, "sequence"}, {64, {}}}));
        for (const char* text : {"", "224×", "×3", "-1", "1.5", "99999999999", "batch", "3 3"})
            QVERIFY2(!shape_from_text(text), text);
    }

    void a_ramp_has_round_ends() {
        const std::vector<double> amounts{0, 3, 1.5, 180};
        const Ramp ramp = ramp_over(amounts);
        QCOMPARE(ramp.least, 1.0);
        QCOMPARE(ramp.most, 200.0);
        QCOMPARE(ramp.place(0), 0.0);
        QCOMPARE(ramp.place(1000), 1.0);
        QVERIFY(std::abs(ramp.place(std::sqrt(200.0)) - 0.5) < 1e-12);
        QCOMPARE(ramp.ticks().front(), 1.0);
        QCOMPARE(ramp.ticks().back(), 200.0);
        QCOMPARE(ramp_over(std::vector<double>{1e-9, 1}).least, 1e-3);  // three powers of ten, no more
        QVERIFY(ramp_over(std::vector<double>{0, std::nan("")}).empty);
        const Ramp one = ramp_over(std::vector<double>{7});
        QVERIFY(one.least < one.most && one.place(7) > 0);
    }

    void figures_of_the_layers_add_up_to_the_step() {
        for (const support::Divided strategy :
             {support::Divided::data, support::Divided::outputs, support::Divided::layers}) {
            Scenario s = support::scenario(support::preset("alexnet-one-tower"));
            support::divide(s.parallelism, strategy);
            s.cluster.workers = 4;
            if (strategy == support::Divided::data) s.parallelism.overlap = Overlap::buckets;
            const auto plan = prepare(s);
            const auto e = estimate(s);
            QVERIFY(plan && e);
            const auto layers = measure_layers(*plan, *e, 0);
            QCOMPARE(int(layers.size()), s.network()->size());
            std::vector<int> all;
            for (int l = 0; l < s.network()->size(); ++l) all.push_back(l);
            const LayerMeasures sum = sum_over(layers, all);
            double total = 0;
            for (const LayerEstimate& l : e->layers) total += l.total().value;
            QVERIFY(std::abs(sum.total().value - total) <= 1e-12 * total);
            // A block of two layers, part by part.
            const std::vector<int> two{*s.network()->position("conv2"), *s.network()->position("conv3")};
            const LayerMeasures block = sum_over(layers, two);
            Seconds parts[5]{};
            for (const LayerEstimate& l : e->layers)
                if (l.position == two[0] || l.position == two[1]) {
                    parts[0] += l.forward, parts[1] += l.backward(), parts[2] += l.update;
                    parts[3] += l.communication, parts[4] += l.hidden;
                }
            const Seconds sums[]{block.forward, block.backward, block.update, block.communication, block.hidden};
            for (int p = 0; p < 5; ++p) QCOMPARE(sums[p], parts[p]);
            QVERIFY(block.forward.value > 0);
            // By hand: 2 FLOPs for a multiply-add, for each of the three passes; the first has no gradient to its data.
            if (strategy != support::Divided::data) continue;
            const int conv2 = *s.network()->position("conv2");
            const auto macs = double(s.network()->facts()[std::size_t(conv2)].multiply_adds);
            const LayerMeasures& m = layers[std::size_t(conv2)];
            QVERIFY(std::abs(m.flops - 3 * 2 * macs * double(s.training.batch)) <= 1e-9 * m.flops);
            QCOMPARE(m.bound(), Bound::compute);
            QCOMPARE(layers[std::size_t(*s.network()->position("pool1"))].bound(), Bound::memory);
        }
    }

    void the_longest_bounds() {
        LayerMeasures m;
        QCOMPARE(m.bound(), Bound::none);
        m.arithmetic = Seconds{1};
        m.transfer = Seconds{2};
        m.communication = Seconds{5};
        QCOMPARE(m.bound(), Bound::communication);
        QCOMPARE(m.bound_share(), 0.625);
    }
};

QTEST_APPLESS_MAIN(TestBoxes)
#include "tst_boxes.moc"
