// SPDX-License-Identifier: GPL-3.0-or-later
// Splits of layers against brute force that knows nothing of the model: it deals out rows and units one by one to
// machines, counts what each machine receives and sends, and tries all splits.
#include <QtTest>
#include <numeric>
#include <set>

#include "core/yan/splits.hpp"
#include "sanitized.hpp"
#include "support_yan.hpp"

using namespace scalescope;
using namespace scalescope::yan;

constexpr int every = support::sanitized ? 40 : 1;  ///< of the random examples

// Named, because lambdas of the test's members hold these types.
namespace counted_by_hand {

/// A layer as this test knows it.
struct Plain {
    enum Type { conv, pool, dense, sum } type;
    std::vector<int> reads;      ///< -1: the input
    int rows_in = 0, cells = 0;  ///< rows of what it reads; rows or units of what it makes
    int kernel = 1, stride = 1;
    double n = 0, nin = 0, adds = 0, weights = 0, places = 0;
    bool trained = false, backward = false;
    int leader = 0;
};

struct Example {
    std::vector<Plain> layers;
    support::NetworkPtr network;
    double input = 0;
    CpuMachine machine;
    Configuration configuration;
    bool as_printed = false;
};

class RandomExample {
public:
    explicit RandomExample(std::uint32_t seed) : random_(seed) {}

    Example make(bool as_printed) {
        e_.as_printed = as_printed;
        make_machine();
        int tensor = b_.input({rows_, rows_, channels_});
        e_.input = static_cast<double>(rows_ * rows_ * channels_);
        int last = -1;
        const auto count = support::pick(random_, 1, 6);
        while (static_cast<std::int64_t>(e_.layers.size()) < count) {
            const auto what = support::pick(random_, 0, 9);
            const auto left = count - static_cast<std::int64_t>(e_.layers.size());
            if (flat_ || what >= 8) {
                tensor = dense(tensor, last);
            } else if (what <= 3) {
                tensor = conv(tensor, last, channels_new());
            } else if (what <= 5) {
                tensor = pool(tensor, last);
            } else if (left >= 3) {
                const std::int64_t filters = channels_new();
                const int before = last, from = tensor, rows = rows_;
                const std::int64_t channels = channels_;
                const int one = conv(from, before, filters, true);
                const int a = static_cast<int>(e_.layers.size()) - 1;
                rows_ = rows, channels_ = channels;
                const int two = conv(from, before, filters, true);
                const int b = static_cast<int>(e_.layers.size()) - 1;
                tensor = b_.add({one, two});
                Plain p{Plain::sum, {a, b}};
                p.cells = p.rows_in = rows_;
                p.n = e_.layers.back().n;
                p.nin = 2 * p.n;
                p.leader = a;
                push(p);
            }
            last = static_cast<int>(e_.layers.size()) - 1;
        }
        e_.network = b_.make();
        return std::move(e_);
    }

private:
    void make_machine() {
        CpuMachine& m = e_.machine = support::example_machine();
        const auto log_real = [&](double low, double high) {
            return std::exp(support::real(random_, std::log(low), std::log(high)));
        };
        m.network = BytesPerSecond{log_real(1e8, 1e11)};
        m.latency = Seconds{log_real(1e-8, 1e-4)};
        m.l2 = Bytes{log_real(1e3, 1e5)};
        m.l3 = Bytes{m.l2.value * log_real(2, 50)};
        m.memory_bandwidth = BytesPerSecond{log_real(1e9, 1e11)};
        m.memory = gigabytes(1e6);
        Configuration& c = e_.configuration;
        c.partitions = support::pick(random_, 1, 4);
        c.threads = support::pick(random_, 1, 16);
        c.exchange_every = support::pick(random_, 1, 64);
        c.overlap = support::choose(random_, std::vector<double>{0.0, 0.0, 0.5, 1.0});
        c.local_update =
            support::choose(random_, std::vector<LocalUpdate>{LocalUpdate::per_sample, LocalUpdate::per_exchange});
    }
    std::int64_t channels_new() { return support::pick(random_, 1, 12); }

    void push(Plain p) {
        for (const int r : p.reads) {
            const bool trained = r >= 0 && e_.layers[static_cast<std::size_t>(r)].trained;
            p.trained = p.trained || trained;
            p.backward = p.backward || (e_.as_printed ? r >= 0 : trained);
        }
        p.trained = p.trained || p.weights > 0;
        if (p.type != Plain::sum) p.leader = static_cast<int>(e_.layers.size());
        e_.layers.push_back(p);
    }

    void window(Plain& p, bool keep_size) {
        const std::vector<std::pair<int, int>> windows{{1, 1}, {3, 1}, {5, 1}, {2, 2}, {4, 2}};
        std::tie(p.kernel, p.stride) =
            windows[static_cast<std::size_t>(support::pick(random_, 0, keep_size || rows_ <= 12 ? 2 : 4))];
        p.rows_in = rows_;
        rows_ /= p.stride;
        p.cells = rows_;
    }

    int conv(int tensor, int before, std::int64_t filters, bool keep_size = false) {
        Plain p{Plain::conv, {before}};
        p.nin = static_cast<double>(rows_ * rows_ * channels_);
        window(p, keep_size);
        p.places = rows_ * rows_;
        p.n = p.places * static_cast<double>(filters);
        const double per_output = static_cast<double>(p.kernel * p.kernel * channels_);
        p.adds = p.n * per_output;
        p.weights = (per_output + 1.0) * static_cast<double>(filters);
        channels_ = filters;
        push(p);
        return b_.conv(tensor, filters, p.kernel, p.stride);
    }

    int pool(int tensor, int before) {
        Plain p{Plain::pool, {before}};
        p.nin = static_cast<double>(rows_ * rows_ * channels_);
        window(p, false);
        p.n = static_cast<double>(rows_ * rows_ * channels_);
        push(p);
        return b_.pool(tensor, p.kernel, p.stride);
    }

    int dense(int tensor, int before) {
        Plain p{Plain::dense, {before}};
        p.nin = flat_ ? units_ : static_cast<double>(rows_ * rows_ * channels_);
        p.rows_in = flat_ ? units_ : rows_;
        units_ = static_cast<int>(12 * support::pick(random_, 1, 30));
        flat_ = true;
        p.cells = units_;
        p.n = units_;
        p.adds = p.n * p.nin;
        p.weights = p.adds + p.n;
        push(p);
        return b_.dense(tensor, units_);
    }

    std::mt19937 random_;
    support::Builder b_;
    Example e_;
    int rows_ = 48, units_ = 0;
    std::int64_t channels_ = 3;
    bool flat_ = false;
};

struct Judged {
    double time = 0, memory = 0;
};

/// One machine's part in a message exchange.
struct Mail {
    double received = 0, sent = 0;
    std::set<std::pair<int, int>> sources, destinations;  ///< of which tensor, whom
};

class BruteForce {
public:
    BruteForce(const Example& e, const std::vector<int>& splits)
        : e_(e), m_(e.machine), c_(e.configuration), splits_(splits), threads_(static_cast<double>(c_.threads)) {}

    Judged judge() const {
        Judged j;
        for (std::size_t l = 0; l < e_.layers.size(); ++l) {
            const Judged one = layer(l);
            j.time += one.time;
            j.memory += one.memory;
        }
        return j;
    }

private:
    int machine(int segment, int split) const { return segment * static_cast<int>(c_.partitions) / split; }

    double together(double compute, double exchange) const {
        return std::max(compute, exchange) + (1.0 - c_.overlap) * std::min(compute, exchange);
    }

    double add_time(double bytes, double reuse) const {
        const double tier = bytes <= m_.l2.value   ? m_.multiply_add_l2.value
                            : bytes <= m_.l3.value ? m_.multiply_add_l3.value
                                                   : m_.multiply_add_memory.value;
        const double own = tier * (1.0 + m_.contention * (threads_ - 1.0));
        if (bytes <= m_.l3.value) return own;
        return std::max(own, 4.0 * threads_ / (reuse * m_.memory_bandwidth.value));
    }

    Judged layer(std::size_t l) const {
        const Plain& p = e_.layers[l];
        const int split = splits_[l];
        const int most = (p.cells + split - 1) / split;
        const double share = e_.as_printed ? 1.0 / split : static_cast<double>(most) / p.cells;
        const bool whole_kernels = p.type == Plain::conv && !e_.as_printed;
        const double kept = p.weights * (whole_kernels ? 1.0 : share);
        const double reuse = e_.as_printed || p.type != Plain::conv ? 1.0 : std::max(1.0, p.places * share);
        const double c = add_time(4.0 * kept, reuse);
        const bool product = p.type == Plain::conv || p.type == Plain::dense;
        const double window = p.kernel * p.kernel;
        double forward = 0, backward = 0, update = 0;
        if (product) {
            forward = p.adds * share * c + p.n * share * 2e-9;
            const double errors = e_.as_printed ? p.nin / split : std::ceil(p.nin / split);
            if (p.backward) backward = p.adds * share * c + errors * 2e-9;
            update = p.adds * share * c +
                     kept * 1e-9 /
                         (c_.local_update == LocalUpdate::per_exchange ? static_cast<double>(c_.exchange_every) : 1.0);
        } else if (p.type == Plain::pool) {
            forward = p.n * share * window * 2e-9;
            if (p.backward) backward = forward;
        } else {
            forward = p.n * share * 2e-9;  // one addition less than there are inputs; the error is passed on
        }
        double time = pass(l, forward, false);
        if (p.backward) time += pass(l, backward, true);
        double summing = 0;
        if (whole_kernels && split > 1) {
            const double rounds = 2.0 * (split - 1), volume = rounds / split * p.weights * 4.0 / m_.network.value;
            summing = c_.local_update == LocalUpdate::per_sample
                          ? rounds * m_.latency.value + threads_ * volume
                          : (rounds * m_.latency.value + volume) * threads_ / static_cast<double>(c_.exchange_every);
        }
        time += together(update, summing);
        return {time, 4.0 * kept * (e_.as_printed ? 1.0 : 2.0) + 2.0 * threads_ * 4.0 * p.n * share};
    }

    /// Cells of the tensor that segment `s` needs.
    std::vector<int> needed(const Plain& p, int s, int split, int cells) const {
        std::vector<int> all(static_cast<std::size_t>(cells));
        std::iota(all.begin(), all.end(), 0);
        if (p.type == Plain::dense) return all;
        const int halo = p.type == Plain::sum ? 0 : std::max(0, p.kernel - p.stride) / 2;
        const int from = s * cells / split - halo, to = (s + 1) * cells / split + halo;
        if (to - from >= cells) return all;
        std::vector<int> some;
        for (int cell = from; cell < to; ++cell) some.push_back((cell + cells) % cells);
        return some;
    }

    double pass(std::size_t l, double compute, bool gradients) const {
        return e_.as_printed ? printed(l, compute, gradients) : counted(l, compute, gradients);
    }

    double counted(std::size_t l, double compute, bool gradients) const {
        const Plain& p = e_.layers[l];
        const int split = splits_[l];
        std::vector<Mail> mail(static_cast<std::size_t>(c_.partitions));
        for (std::size_t r = 0; r < p.reads.size(); ++r) {
            const int u = p.reads[r];
            if (gradients && (u < 0 || !e_.layers[static_cast<std::size_t>(u)].trained)) continue;
            const int q = u < 0 ? split : splits_[static_cast<std::size_t>(u)];
            const int cells = u < 0 ? 48 : e_.layers[static_cast<std::size_t>(u)].cells;
            const double each = (u < 0 ? e_.input : e_.layers[static_cast<std::size_t>(u)].n) / cells;
            for (int s = 0; s < split; ++s) {
                const int to = machine(s, split);
                for (const int cell : needed(p, s, split, cells)) {
                    const int from = machine(cell * q / cells, q);
                    if (from == to) continue;
                    mail[static_cast<std::size_t>(to)].received += each;
                    mail[static_cast<std::size_t>(to)].sources.emplace(r, from);
                    mail[static_cast<std::size_t>(from)].sent += each;
                    mail[static_cast<std::size_t>(from)].destinations.emplace(r, to);
                }
            }
        }
        double slowest = 0;
        for (int m = 0; m < c_.partitions; ++m) {
            const Mail& box = mail[static_cast<std::size_t>(m)];
            const auto way = [&](double elements, std::size_t peers) {
                return static_cast<double>(peers) * m_.latency.value + elements * 4.0 * threads_ / m_.network.value;
            };
            bool works = false;
            for (int s = 0; s < split; ++s) works = works || machine(s, split) == m;
            slowest =
                std::max(slowest, together(works ? compute : 0.0, std::max(way(box.received, box.sources.size()),
                                                                           way(box.sent, box.destinations.size()))));
        }
        return slowest;
    }

    /// Section 3 as it is printed.
    double printed(std::size_t l, double compute, bool gradients) const {
        const Plain& p = e_.layers[l];
        const double split = splits_[l];
        double exchange = 0;
        for (const int u : p.reads) {
            if (gradients && u < 0) continue;
            const double q = u < 0 ? split : splits_[static_cast<std::size_t>(u)];
            const double elements = u < 0 ? e_.input : e_.layers[static_cast<std::size_t>(u)].n;
            const double rows = p.rows_in;
            const double halo = p.type == Plain::sum ? 0.0 : std::max(0, p.kernel - p.stride);
            double r = 0, k = q - 1;
            if (p.type == Plain::dense) {
                r = elements * (1.0 - 1.0 / q);
            } else if (split == q) {
                r = std::min(halo, rows - rows / split) / rows * elements;
                k = std::min(2.0, split - 1);
            } else {
                r = std::max(0.0, std::min(rows, rows / split + halo) - rows / q) / rows * elements;
            }
            if (r > 0) exchange += k * m_.latency.value + r * 4.0 * threads_ / m_.network.value;
        }
        return together(compute, exchange);
    }

    const Example& e_;
    const CpuMachine& m_;
    const Configuration& c_;
    const std::vector<int>& splits_;
    double threads_;
};

/// Calls `see` with every choice of splits.
template <class See>
void for_all_splits(const Example& e, See see) {
    std::vector<int> splits(e.layers.size(), 1);
    const auto most = static_cast<int>(e.configuration.partitions);
    for (;;) {
        for (std::size_t l = 0; l < splits.size(); ++l)
            if (e.layers[l].leader != static_cast<int>(l))
                splits[l] = splits[static_cast<std::size_t>(e.layers[l].leader)];
        see(splits);
        std::size_t l = 0;
        for (; l < splits.size(); ++l) {
            if (e.layers[l].leader != static_cast<int>(l)) continue;
            if (++splits[l] <= most) break;
            splits[l] = 1;
        }
        if (l == splits.size()) return;
    }
}

bool close_to(double a, double b) { return std::abs(a - b) <= 1e-11 * std::max(std::abs(a), std::abs(b)); }

std::vector<std::int64_t> up_to(std::int64_t most) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(most));
    std::iota(all.begin(), all.end(), 1);
    return all;
}

PreparedNetwork prepared_of(const Example& e) {
    return prepare(*e.network, e.machine, e.as_printed ? support::as_printed() : MethodOptions{});
}

}  // namespace counted_by_hand

using namespace counted_by_hand;

class YanSplits : public QObject {
    Q_OBJECT
private slots:
    void modes() {
        QTest::addColumn<bool>("as_printed");
        QTest::newRow("by default") << false;
        QTest::newRow("as printed") << true;
    }

    void every_split_costs_what_counting_says_data() { modes(); }
    void every_split_costs_what_counting_says() {
        QFETCH(bool, as_printed);
        std::int64_t seen = 0;
        for (std::uint32_t seed = 1; seed <= 150; seed += every) {
            const Example e = RandomExample(seed).make(as_printed);
            const PreparedNetwork prepared = prepared_of(e);
            QCOMPARE(prepared.list.layers.size(), e.layers.size());
            Scratchpad scratch;
            Configuration c = e.configuration;
            for_all_splits(e, [&](const std::vector<int>& splits) {
                if (seen++ % 7 != 0) return;
                c.splits.assign(splits.begin(), splits.end());
                const Score s = score(prepared, c, scratch);
                const Judged j = BruteForce(e, splits).judge();
                QVERIFY2(close_to(s.sample.total().value, j.time),
                         qPrintable(QStringLiteral("seed %1: %2, counted %3")
                                        .arg(seed)
                                        .arg(s.sample.total().value, 0, 'g', 17)
                                        .arg(j.time, 0, 'g', 17)));
                QVERIFY(close_to(s.memory.value, j.memory));
            });
            if (QTest::currentTestFailed()) return;
        }
        QVERIFY(seen > 5000 / every);
    }

    void best_of_all_data() { modes(); }
    void best_of_all() {
        QFETCH(bool, as_printed);
        int different = 0;
        for (std::uint32_t seed = 1; seed <= 120; seed += every) {
            const Example e = RandomExample(seed).make(as_printed);
            double best = 1e300;
            for_all_splits(
                e, [&](const std::vector<int>& splits) { best = std::min(best, BruteForce(e, splits).judge().time); });
            const BestSplits found = best_splits(prepared_of(e), e.configuration, up_to(e.configuration.partitions));
            QVERIFY2(close_to(found.sample.total().value, best), qPrintable(QString::number(seed)));
            QVERIFY(found.proven && found.fits && !found.memory_binds);
            QCOMPARE(found.method, SplitMethod::dynamic_programme);
            std::set<std::int64_t> kinds(found.splits.begin(), found.splits.end());
            different += kinds.size() > 1 ? 1 : 0;
        }
        QVERIFY2(different > 10 / every, "splits that differ from layer to layer were hardly tried");
    }

    void best_where_memory_binds_data() { modes(); }
    void best_where_memory_binds() {
        QFETCH(bool, as_printed);
        int bound = 0, nothing = 0;
        for (std::uint32_t seed = 1; seed <= 300; seed += every) {
            Example e = RandomExample(seed).make(as_printed);
            std::mt19937 random(seed);
            Judged fastest{1e300, 0}, leanest{0, 1e300};
            for_all_splits(e, [&](const std::vector<int>& splits) {
                const Judged j = BruteForce(e, splits).judge();
                if (j.time < fastest.time) fastest = j;
                if (j.memory < leanest.memory) leanest = j;
            });
            // Between what the leanest needs, or less, and what the fastest needs.
            e.machine.memory =
                Bytes{leanest.memory + support::real(random, -0.3, 0.9) * (fastest.memory - leanest.memory)};
            if (close_to(fastest.memory, leanest.memory)) continue;
            double best = 1e300;
            for_all_splits(e, [&](const std::vector<int>& splits) {
                const Judged j = BruteForce(e, splits).judge();
                if (j.memory <= e.machine.memory.value * (1 + 1e-13)) best = std::min(best, j.time);
            });
            const BestSplits found = best_splits(prepared_of(e), e.configuration, up_to(e.configuration.partitions));
            QVERIFY(found.memory_binds);
            QCOMPARE(found.method, SplitMethod::programme_with_memory);
            QVERIFY(found.proven);
            QCOMPARE(found.fits, best < 1e300);
            if (found.fits) QVERIFY2(close_to(found.sample.total().value, best), qPrintable(QString::number(seed)));
            ++(found.fits ? bound : nothing);
        }
        QVERIFY2(bound > 30 / every && nothing > 3 / every,
                 qPrintable(QStringLiteral("%1 %2").arg(bound).arg(nothing)));
    }

    /// Without branches to keep open, or with a few, large networks are solved too; the answer is never worse than any
    /// that all layers share.
    void presets() {
        for (const char* name : {"alexnet-one-tower", "vgg-16", "resnet-50", "inception-v3"}) {
            CpuMachine m = support::example_machine();
            const PreparedNetwork prepared = prepare(*support::preset(name), m);
            Configuration c;
            c.partitions = 4;
            c.threads = 16;
            const BestSplits found = best_splits(prepared, c, doubling(4));
            QVERIFY(found.proven);
            Scratchpad scratch;
            const Seconds uniform = score(prepared, c, scratch).sample.total();
            QVERIFY(found.sample.total() <= uniform * (1 + 1e-12));
            c.splits = found.splits;
            QCOMPARE(score(prepared, c, scratch).sample.total(), found.sample.total());
        }
    }

    void ended_early() {
        CancelSource source;
        source.cancel();
        const PreparedNetwork prepared = prepare(*support::example_mnist(), support::example_machine());
        Configuration c;
        c.partitions = 4;
        const BestSplits found = best_splits(prepared, c, doubling(4), Watch{{}, source.token()});
        QVERIFY(found.cancelled && !found.proven);
        QCOMPARE(found.splits.size(), prepared.list.layers.size());
    }
};

QTEST_APPLESS_MAIN(YanSplits)
#include "tst_yan_splits.moc"
