// SPDX-License-Identifier: GPL-3.0-or-later
// Straight lines over the samples say what the layers, priced one by one, say.
#include <QtTest>
#include <cmath>

#include "core/estimate/plan.hpp"
#include "core/pricing/time_lines.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using support::pick;
using support::real;

namespace {

bool close(double a, double b, double whole) { return std::abs(a - b) <= 1e-12 * whole; }

}  // namespace

class TestTimeLines : public QObject {
    Q_OBJECT

private slots:
    void lines_are_the_layers() {
        std::mt19937 random(11);
        for (int k = 0; k < 400; ++k) {
            const Scenario s = support::random_scenario(
                random, support::random_network(random, static_cast<int>(pick(random, 4, 22))));
            const auto rates = device_rates(s.cluster, s.model, s.training.precision);
            QVERIFY(rates.has_value());
            Work work = make_work(*s.network(), {}, s.training);
            if (k % 2 == 1)
                for (int l = 0; l < work.layers; ++l) work.again.push_back({.all = pick(random, 0, 1) == 1});
            const TimeLines lines(work, *rates);
            QCOMPARE(bool(lines), !rates->overlap_memory && rates->convolution == ConvolutionAlgorithm::gemm);
            if (!lines) continue;
            const auto n = static_cast<std::size_t>(work.layers);
            const double samples = static_cast<double>(pick(random, 1, 5000));
            std::vector<double> in(n), out(n), backward(n);
            for (std::size_t l = 0; l < n; ++l) in[l] = real(random, 0.1, 1), out[l] = real(random, 0.1, 1);
            PassTimes whole, shared;
            whole.resize(work.layers);
            shared.resize(work.layers);
            price_passes(work, 0, work.layers, samples, {}, *rates, whole);
            price_passes(work, 0, work.layers, samples, Shares::of_outputs(in, out), *rates, shared);
            lines.fill_backward(0, static_cast<int>(backward.size()), samples, backward);
            const auto again = [&](std::size_t l) { return !work.again.empty() && work.again[l].all; };
            const auto back = [&](const PassTimes& t, std::size_t l) {
                return t.pass[1][l] + t.pass[2][l] + (again(l) ? t.pass[0][l] : 0.0);
            };
            const auto all = [&](const PassTimes& t, std::size_t l) { return t.pass[0][l] + back(t, l); };
            double sum = 0;
            for (std::size_t l = 0; l < n; ++l) sum += all(whole, l);
            double until = 0, backward_until = 0;
            for (std::size_t l = 0; l < n; ++l) {
                const int at = static_cast<int>(l);
                QVERIFY(close(lines.until(at, samples), until, sum));
                QVERIFY(close(lines.backward_until(at, samples), backward_until, sum));
                QVERIFY(close(lines.layer(at, samples, 1.0, 1.0), all(whole, l), sum));
                QVERIFY(close(lines.layer(at, samples, in[l], out[l]), all(shared, l), sum));
                QVERIFY(close(backward[l], back(whole, l), sum));
                QVERIFY(close(backward[l], backward_of(work, whole, l), sum));
                const double one = price_layer(work, at, samples, {}, *rates).value;
                QVERIFY(close(one, all(whole, l), sum));
                until += all(whole, l);
                backward_until += backward[l];
            }
            const int from = static_cast<int>(pick(random, 0, work.layers)),
                      to = static_cast<int>(pick(random, from, work.layers));
            const PassTotals a = lines.totals(from, to, samples),
                             b = price_passes(work, from, to, samples, {}, *rates, whole);
            QVERIFY(close(a.forward, b.forward, sum) && close(a.grad_input, b.grad_input, sum) &&
                    close(a.grad_weights, b.grad_weights, sum) && close(a.recompute, b.recompute, sum) &&
                    close(a.backward(), lines.backward_until(to, samples) - lines.backward_until(from, samples), sum));
            double recompute = 0;
            for (int l = from; l < to; ++l)
                if (again(static_cast<std::size_t>(l))) recompute += whole.pass[0][static_cast<std::size_t>(l)];
            QVERIFY(close(a.recompute, recompute, sum));
        }
    }

    void empty_without_a_line() {
        Scenario s = support::scenario(support::preset("alexnet-one-tower"));
        const Work work = make_work(*s.network(), {}, s.training);
        auto rates = *device_rates(s.cluster, s.model, s.training.precision);
        QVERIFY(TimeLines(work, rates));
        rates.overlap_memory = true;
        QVERIFY(!TimeLines(work, rates));
        rates.overlap_memory = false;
        rates.convolution = ConvolutionAlgorithm::cheapest;
        QVERIFY(!TimeLines(work, rates));
        QVERIFY(!TimeLines());
    }
};

QTEST_APPLESS_MAIN(TestTimeLines)
#include "tst_time_lines.moc"
