// SPDX-License-Identifier: GPL-3.0-or-later
// Answers come roughly first where whole curves take longer than a frame; no figure may show it.
#include <QSemaphore>
#include <QSignalSpy>
#include <QtTest>

#include "core/formats/library.hpp"
#include "core/formats/scenario_json.hpp"
#include "ui/document/files.hpp"
#include "ui/live/live.hpp"
#include "ui/window/presenter.hpp"

using namespace scalescope;
using namespace scalescope::ui;

namespace {

const formats::Library& library() {
    static const formats::Library shipped = formats::load_shipped();
    return shipped;
}

Scenario preset_scenario(const char* id) {
    const formats::Preset* preset = library().find_scenario(id);
    if (!preset) qFatal("no scenario %s", id);
    return formats::read_scenario(preset->text, preset->file, library()).value().scenario;
}

LiveRequest request_for(Scenario s) {
    LiveRequest request;
    request.scenario = std::move(s);
    request.ways = library().catalogue.ways;
    return request;
}

/// Every point of `few` is one of `many`, to the bit.
bool are_among(const std::vector<Curve>& few, const std::vector<Curve>& many) {
    return std::equal(few.begin(), few.end(), many.begin(), many.end(), [](const Curve& a, const Curve& b) {
        return a.spec == b.spec && std::all_of(a.points.begin(), a.points.end(), [&](const CurvePoint& p) {
                   return std::any_of(b.points.begin(), b.points.end(), [&](const CurvePoint& q) {
                       return p.workers == q.workers && p.summary == q.summary && p.speedup == q.speedup &&
                              p.fits == q.fits && p.peak == q.peak;
                   });
               });
    });
}

}  // namespace

class TestLive : public QObject {
    Q_OBJECT

private slots:
    void a_large_design_is_answered_roughly_first() {
        const LiveRequest request = request_for(preset_scenario("gpt-3-175b-a100"));
        LiveMemory memory;
        const LiveResultPtr rough = answer(request, memory, true), whole = answer(request, memory);
        QVERIFY(rough->rough);
        QVERIFY(!whole->rough);
        QCOMPARE(rough->estimate->summary, whole->estimate->summary);
        const auto shown = static_cast<std::size_t>(whole->shown);
        QVERIFY(rough->curves[shown].points.size() * 2 < whole->curves[shown].points.size());
        QVERIFY(are_among(rough->curves, whole->curves));
        QCOMPARE(rough->steps.size(), whole->steps.size());
        QVERIFY(are_among(whole->curves, answer(request)->curves));
    }

    void a_small_one_is_not() {
        LiveMemory memory;
        const LiveResultPtr result = answer(request_for(example_scenario(library())), memory, true);
        QVERIFY(!result->rough);
    }

    void nothing_of_a_cancelled_answer_stays() {
        LiveRequest request = request_for(preset_scenario("gpt-3-175b-a100"));
        LiveMemory memory;
        CancelSource newer;
        newer.cancel();
        QVERIFY(!answer(request, memory, false, newer.token()));
        for (const double bandwidth : {1.0, 2.0}) {  // the same design, another one
            request.scenario.cluster.between.bandwidth.value *= bandwidth;
            const LiveResultPtr next = answer(request, memory), fresh = answer(request);
            QVERIFY(are_among(next->curves, fresh->curves));
            QVERIFY(are_among(fresh->curves, next->curves));
        }
    }

    void the_whole_answer_comes_last() {
        Live live;
        std::vector<LiveResultPtr> results;
        connect(&live, &Live::ready, this, [&](const LiveResultPtr& r) { results.push_back(r); });
        live.request(request_for(preset_scenario("gpt-3-175b-a100")));
        QTRY_VERIFY_WITH_TIMEOUT(!results.empty() && !results.back()->rough, 60'000);
        live.request(request_for(preset_scenario("llama-3-8b-h100")));
        live.finish();
        QVERIFY(!results.back()->rough);
        QCOMPARE(results.back()->request.scenario.name, preset_scenario("llama-3-8b-h100").name);
    }

    /// The answer of a drag that has ended leads to a wider range, and that is asked for in full.
    void a_late_answer_of_a_drag_leaves_nothing_rough() {
        for (int turn = 0; turn < 50; ++turn) {
            QSemaphore computed;
            Document document;
            Presenter presenter(document, library().catalogue.ways);
            document.edit(preset_scenario("llama-3-70b-h100"));
            connect(
                &presenter.live(), &Live::answered, this, [&] { computed.release(); }, Qt::DirectConnection);
            presenter.request(false);
            QVERIFY(computed.tryAcquire(1, 60'000));
            presenter.request(true);
            QCoreApplication::sendPostedEvents(&presenter.live());
            // On a busy machine the full answer may overtake that of the drag.
            const bool late = presenter.result() && presenter.result()->request.dragging;
            presenter.finish();
            QCOMPARE(presenter.last_workers(), 16'384);
            QVERIFY(!presenter.result()->request.dragging && !presenter.result()->rough);
            if (late) return;
        }
        QFAIL("no answer was late");
    }
};

QTEST_GUILESS_MAIN(TestLive)
#include "tst_live.moc"
