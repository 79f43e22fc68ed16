// SPDX-License-Identifier: GPL-3.0-or-later
// Rules that carry an operation's time to another GPU, by hand; which layer an operation is; which GPU a name means.
#include <QtTest>
#include <array>

#include "core/formats/library.hpp"
#include "core/measure/kineto/reader.hpp"
#include "core/measure/operators/times.hpp"
#include "core/measure/transfer/predict.hpp"
#include "core/measure/transfer/tables.hpp"
#include "core/measure/transfer/work.hpp"

using namespace scalescope;
using namespace scalescope::transfer;
using kineto::WorkClass;
using transfer::Passes;
using transfer::Work;

namespace {

const formats::Library& library() {
    static const formats::Library shipped = formats::load_shipped();
    return shipped;
}
const Device& device(const char* id) { return *library().catalogue.device(id); }
Gpu gpu(const char* id) { return *gpu_of(device(id)); }

bool close(double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); }

/// An operator with one kernel of 100 µs, launched by its own call.
class TraceText {
public:
    void op(const std::string& name, const std::string& kernel_name, int blocks, const std::string& more = {},
            const std::string& kernel_more = {}) {
        const auto id = std::to_string(++id_), t = std::to_string(10 * id_);
        add(R"({"ph":"X","cat":"cpu_op","name":")" + name + R"(","pid":1,"tid":1,"ts":)" + t +
            R"(,"dur":8,"args":{"External id":)" + id + more + "}}");
        kernel(kernel_name, blocks, kernel_more);
    }
    /// Another kernel of the last operator.
    void kernel(const std::string& name, int blocks, const std::string& more = {}) {
        const auto id = std::to_string(id_), t = std::to_string(10 * id_);
        add(R"({"ph":"X","cat":"kernel","name":")" + name + R"(","pid":0,"tid":7,"ts":)" + t +
            R"(,"dur":100,"args":{"External id":)" + id + R"(,"grid":[)" + std::to_string(blocks) +
            R"(,1,1],"block":[256,1,1],"registers per thread":32)" + more + "}}");
    }
    void phase(const std::string& name, int first, int last) {
        add(R"({"ph":"X","cat":"user_annotation","name":"## )" + name + R"( ##","pid":1,"tid":1,"ts":)" +
            std::to_string(10 * first) + R"(,"dur":)" + std::to_string(10 * (last - first) + 9) + R"(,"args":{}})");
    }
    int next() const { return id_ + 1; }
    kineto::Trace trace() const {
        auto read = kineto::parse_trace(
            R"({"deviceProperties":[{"id":0,"name":"Tesla V100-SXM2-32GB","numSms":80}],"traceEvents":[)" + text_ +
                "]}",
            "trace.json");
        if (!read) qFatal("%s", to_text(read.error().front()).c_str());
        return std::move(*read);
    }

private:
    void add(const std::string& event) { text_ += (text_.empty() ? "" : ",\n") + event; }
    std::string text_;
    int id_ = 0;
};

/// A stem, then a block with a branch of its own, and a classifier. The branch stands before what PyTorch runs first.
std::shared_ptr<const Network> network(int filters = 8) {
    const std::string text =
        R"({"format":"scalescope-network","version":1,"name":"Branches","symbols":{"batch":{"default":4}},"layers":[
        {"name":"data","kind":"input","shape":["batch",8,8,3]},
        {"name":"stem","kind":"convolution","inputs":["data"],"filters":4,"kernel":[3,3],"padding":[1,1],"bias":false},
        {"name":"stem_bn","kind":"batch_norm","inputs":["stem"],"activation":"relu"},
        {"name":"branch","kind":"convolution","inputs":["stem_bn"],"filters":)" +
        std::to_string(filters) + R"(,"kernel":[1,1],"bias":false},
        {"name":"branch_bn","kind":"batch_norm","inputs":["branch"]},
        {"name":"a","kind":"convolution","inputs":["stem_bn"],"filters":2,"kernel":[1,1],"bias":false},
        {"name":"a_bn","kind":"batch_norm","inputs":["a"],"activation":"relu"},
        {"name":"b","kind":"convolution","inputs":["a_bn"],"filters":)" +
        std::to_string(filters) + R"(,"kernel":[3,3],"stride":[1,1],"padding":[1,1],"bias":false},
        {"name":"b_bn","kind":"batch_norm","inputs":["b"]},
        {"name":"sum","kind":"add","inputs":["branch_bn","b_bn"]},
        {"name":"flat","kind":"flatten","inputs":["sum"]},
        {"name":"classes","kind":"dense","inputs":["flat"],"units":10,"bias":true}]})";
    auto read = formats::read_any_network(text, "branches.json", nullptr);
    if (!read) qFatal("%s", to_text(read.error().front()).c_str());
    return *read;
}

constexpr const char* norm_kernel = "void cudnn::bn_fw_tr_1C11_kernel_NCHW<float>";

/// The step of that network: the stem, the branch, then a and b, or the branch last; backward the other way round.
TraceText step_of_network(bool with_gradients = true, bool branch_last = false) {
    TraceText t;
    const auto forward = [&](int channels) {
        t.op("aten::cudnn_convolution", "volta_sgemm_32x128_nn", 1000);
        t.op("aten::cudnn_batch_norm", norm_kernel, channels);
    };
    const int first = t.next();
    forward(4);
    for (const int channels : branch_last ? std::array{2, 8, 8} : std::array{8, 2, 8}) forward(channels);
    t.op("aten::addmm", "volta_sgemm_64x32_sliced1x4_tn", 1000);
    t.phase("forward", first, t.next() - 1);
    if (!with_gradients) return t;
    const int back = t.next();
    t.op("aten::mm", "volta_sgemm_128x32_nt", 1000);
    t.op("aten::mm", "volta_sgemm_128x32_nn", 1000);
    for (const int channels : branch_last ? std::array{8, 8, 2, 4} : std::array{8, 2, 8, 4}) {
        t.op("aten::cudnn_batch_norm_backward", "void cudnn::bn_bw_1C11_kernel_new<float>", channels);
        t.op("aten::convolution_backward", "volta_sgemm_64x64_nt", 1000);
    }
    t.phase("backward", back, t.next() - 1);
    return t;
}

/// A pass of it without the products of the classifier's gradients.
void add_pass(TraceText& t, bool back) {
    const int first = t.next();
    for (const int channels : back ? std::array{8, 2, 8, 4} : std::array{4, 8, 2, 8}) {
        if (back) {
            t.op("aten::cudnn_batch_norm_backward", "bn_bw_1C11", channels);
            t.op("aten::convolution_backward", "volta_sgemm", 10);
        } else {
            t.op("aten::cudnn_convolution", "volta_sgemm", 10);
            t.op("aten::cudnn_batch_norm", "bn_fw_tr_1C11", channels);
        }
    }
    if (!back) t.op("aten::addmm", "volta_sgemm", 10);
    t.phase(back ? "backward" : "forward", first, t.next() - 1);
}

}  // namespace

class TestTransfer : public QObject {
    Q_OBJECT

private slots:
    /// Two steps that last twice and four times as long: the mean step is three times as long as the first half.
    void breakdown_of_the_mean_step() {
        kineto::Digest digest;
        digest.steps.resize(2);
        const auto add = [&](WorkClass cls, kineto::Phase phase, std::int64_t step, std::int64_t ns) {
            kineto::Operation o;
            o.cls = cls;
            o.phase = phase;
            o.step = step;
            o.kernel_time = ns;
            digest.operations.push_back(o);
        };
        add(WorkClass::convolution, kineto::Phase::forward, 0, 2'000);
        add(WorkClass::convolution, kineto::Phase::forward, 1, 4'000);
        add(WorkClass::convolution, kineto::Phase::backward, 0, 1'000);
        add(WorkClass::communication, kineto::Phase::backward, 1, 6'000);
        add(WorkClass::convolution, kineto::Phase::forward, kineto::unknown, 9'000);
        const auto at = [](const ClassTimes& t, WorkClass c, kineto::Phase p) {
            return t[static_cast<std::size_t>(c)][static_cast<std::size_t>(p)].value;
        };
        const ClassTimes here = class_times(digest);
        QVERIFY(close(at(here, WorkClass::convolution, kineto::Phase::forward), 3e-6));
        QVERIFY(close(at(here, WorkClass::convolution, kineto::Phase::backward), 0.5e-6));
        QVERIFY(close(at(here, WorkClass::communication, kineto::Phase::backward), 3e-6));
        Prediction prediction;
        for (std::size_t i = 0; i < 3; ++i) {
            PredictedOperation p;
            p.operation = i;
            p.predicted = Seconds{1e-6};
            prediction.operations.push_back(p);
        }
        const ClassTimes there = class_times(digest, prediction);
        QVERIFY(close(at(there, WorkClass::convolution, kineto::Phase::forward), 1e-6));
        QVERIFY(close(at(there, WorkClass::convolution, kineto::Phase::backward), 0.5e-6));
        QCOMPARE(at(there, WorkClass::communication, kineto::Phase::backward), 0.0);
        // Half a second at 2 dollars an hour: 7,200 steps an hour, 3,600 for a dollar.
        QVERIFY(close(steps_per_dollar(Seconds{0.5}, 2.0), 3600.0));
        QCOMPARE(steps_per_dollar(Seconds{0}, 2.0), 0.0);
    }

    void names_of_gpus_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("id");
        QTest::newRow("V100") << "Tesla V100-SXM2-32GB"
                              << "tesla-v100-sxm2-32gb";
        QTest::newRow("A100 of the recordings") << "NVIDIA A100-PG509-200"
                                                << "a100-sxm-40gb";
        QTest::newRow("A100") << "NVIDIA A100-SXM4-80GB"
                              << "a100-sxm-80gb";
        QTest::newRow("A100 PCIe") << "NVIDIA A100 80GB PCIe"
                                   << "a100-pcie-80gb";
        QTest::newRow("H100") << "NVIDIA H100 80GB HBM3"
                              << "h100-sxm-80gb";
        QTest::newRow("T4") << "Tesla T4"
                            << "tesla-t4";
        QTest::newRow("GeForce") << "NVIDIA GeForce RTX 3090"
                                 << "geforce-rtx-3090";
        for (const auto& [name, id] : std::initializer_list<std::pair<const char*, const char*>>{
                 {"Tesla K20m", "tesla-k20"},
                 {"Tesla K20Xm", "tesla-k20x"},
                 {"Tesla K40c", "tesla-k40"},
                 {"Tesla K80", "tesla-k80"},
                 {"GeForce GTX TITAN X", "geforce-gtx-titan-x-maxwell"},
                 {"Tesla V100-DGXS-16GB", "tesla-v100-sxm2-16gb"},
                 {"NVIDIA A100-SXM4-40GB", "a100-sxm-40gb"},
                 {"NVIDIA H100 PCIe", "h100-pcie-80gb"},
                 {"NVIDIA H200", "h200-sxm-141gb"},
                 {"NVIDIA GH200 480GB", "gh200-96gb"},
                 {"NVIDIA B200", "b200-sxm-180gb"}})
            QTest::newRow(name) << name << id;
        QTest::newRow("id") << "l4"
                            << "l4";
        QTest::newRow("which one?") << "V100"
                                    << "";
        QTest::newRow("unknown") << "Voodoo 2"
                                 << "";
    }
    void names_of_gpus() {
        QFETCH(QString, name);
        const Device* found = find_gpu(library().catalogue, name.toStdString());
        QTEST(QString::fromStdString(found ? found->id : ""), "id");
    }

    /// Every GPU of the catalogue with a compute capability can be predicted for; nothing else can.
    void which_devices_can_be_predicted_for() {
        for (const Device& d : library().catalogue.devices)
            QVERIFY2(gpu_of(d).has_value() == (d.vendor == "NVIDIA" && d.multiprocessors.has_value()), d.id.c_str());
        QCOMPARE(gpu("a100-sxm-40gb").limits.shared_per_block_optin, std::int64_t{163 * 1024});
        QCOMPARE(gpu("tesla-t4").limits.threads_per_processor, std::int64_t{1024});
    }

    void the_gpu_of_a_trace() {
        const auto trace = step_of_network().trace();
        QCOMPARE(gpu_of(trace, library().catalogue)->device.id, std::string("tesla-v100-sxm2-32gb"));
        QCOMPARE(gpu_of(trace, library().catalogue, "l4")->device.id, std::string("l4"));
        const auto wrong = gpu_of(trace, library().catalogue, "a100-sxm-40bg");
        QVERIFY(!wrong);
        QCOMPARE(wrong.error().front().remedy, std::string("Did you mean a100-sxm-40gb?"));
        auto nameless = trace;
        nameless.devices.clear();
        QCOMPARE(gpu_of(nameless, library().catalogue).error().front().remedy, std::string("Name it with --from."));
    }

    /// TF32 is seen in the products of a compiled function, behind a copy, and taken along.
    void precision_of_compiled_functions() {
        TraceText t;
        t.op("CompiledFunction", "triton_poi_fused__to_copy_0", 10);
        t.kernel("cutlass_80_tensorop_s1688gemm_256x64_16x4_nn_align4", 100);
        const auto trace = t.trace();
        const auto digest = kineto::digest(trace);
        QVERIFY(recorded_math(trace, digest).tf32[static_cast<std::size_t>(WorkClass::matmul)]);
        QCOMPARE(digest.operations.size(), std::size_t{2});
        QCOMPARE(recorded_precision(trace, digest, digest.operations[0]), Precision::fp32);
        QCOMPARE(recorded_precision(trace, digest, digest.operations[1]), Precision::tf32);
    }

    void layers_of_operations() {
        const auto trace = step_of_network().trace();
        const auto digest = kineto::digest(trace);
        auto works = recorded_works(trace, digest);
        const auto done = align(works, trace, digest, *network(), 4);
        QVERIFY2(done, done ? "" : to_text(done.error().front()).c_str());
        std::vector<std::string> layers;
        for (const Work& w : works) layers.push_back(w.layer);
        const std::vector<std::string> wanted{"stem", "stem_bn",   "branch",  "branch_bn", "a",    "a_bn", "b",
                                              "b_bn", "classes",   "classes", "classes",   "b_bn", "b",    "a_bn",
                                              "a",    "branch_bn", "branch",  "stem_bn",   "stem"};
        QVERIFY(layers == wanted);
        const auto* b = std::get_if<operators::Convolution>(&works[6].shape);
        QVERIFY(b);
        QVERIFY((*b == operators::Convolution{4, 2, 8, 8, 8, 3, 3, 1, 1, 1, 1, 1}));
        QCOMPARE(text_of(works[6]), std::string("conv 2\u21928 3\u00d73 on 8\u00d78, batch 4"));
        const auto* classes = std::get_if<operators::Matmul>(&works[8].shape);
        QVERIFY(classes && (*classes == operators::Matmul{4, 10, 512, 1}));
        QVERIFY(works[8].passes.forward && works[9].passes.input_gradient && works[10].passes.weight_gradient);
        QVERIFY(works[8].bias && !works[6].bias);
        // Read twice and written once; backward another two times.
        QVERIFY(
            (std::get<operators::Elementwise>(works[1].shape) == operators::Elementwise{2 * 4 * 4 * 64, 4 * 4 * 64}));
        QVERIFY(
            (std::get<operators::Elementwise>(works[17].shape) == operators::Elementwise{4 * 4 * 4 * 64, 4 * 4 * 64}));
        QVERIFY(works[16].passes.input_gradient && works[16].passes.weight_gradient);
        QVERIFY(!works[18].passes.input_gradient && works[18].passes.weight_gradient);
    }

    /// The channels of the batch norm behind it tell which convolution comes first, and depth goes first.
    void a_branch_may_run_last() {
        const auto trace = step_of_network(true, true).trace();
        const auto digest = kineto::digest(trace);
        auto works = recorded_works(trace, digest);
        QVERIFY(align(works, trace, digest, *network(), 4));
        std::vector<std::string> layers;
        for (const Work& w : works) layers.push_back(w.layer);
        const std::vector<std::string> wanted{"stem", "stem_bn", "a", "a_bn", "b", "b_bn", "branch", "branch_bn"};
        QVERIFY(std::equal(wanted.begin(), wanted.end(), layers.begin()));
        QCOMPARE(layers[12], std::string("branch"));
        QCOMPARE(layers[18], std::string("stem"));
    }

    /// Two forward passes and their gradients in one step: what is accumulated.
    void a_step_may_run_the_network_twice() {
        TraceText twice;
        for (int round = 0; round < 2; ++round) {
            add_pass(twice, false);
            add_pass(twice, true);
        }
        const auto trace = twice.trace();
        const auto digest = kineto::digest(trace);
        auto works = recorded_works(trace, digest);
        const auto done = align(works, trace, digest, *network(), 4);
        QVERIFY2(done, done ? "" : to_text(done.error().front()).c_str());
        QCOMPARE(works[0].layer, std::string("stem"));
        QCOMPARE(works[9].layer, std::string("b_bn"));
        QCOMPARE(works[17].layer, std::string("stem"));
        QCOMPARE(works[33].layer, std::string("stem"));
    }

    void what_does_not_align() {
        const auto trace = step_of_network().trace();
        const auto digest = kineto::digest(trace);
        auto works = recorded_works(trace, digest);
        const auto channels = align(works, trace, digest, *network(16), 4);
        QVERIFY(!channels);
        QVERIFY2(channels.error().front().what.ends_with("its kernel has 8 channels."),
                 channels.error().front().what.c_str());
        TraceText twice = step_of_network(false);
        twice.op("aten::cudnn_convolution", "volta_sgemm_32x128_nn", 10);
        const auto more = twice.trace();
        const auto more_digest = kineto::digest(more);
        auto more_works = recorded_works(more, more_digest);
        QCOMPARE(align(more_works, more, more_digest, *network(), 4).error().front().what,
                 std::string("The forward pass has 4 convolutions, Branches has 4.").replace(21, 1, "5"));
    }

    void shapes_as_recorded() {
        TraceText t;
        t.op("aten::cudnn_convolution", "volta_scudnn_128x64", 100,
             R"(,"Input Dims":[[32,64,56,56],[128,64,3,3],[],[],[],[],[],[],[]],)"
             R"("Concrete Inputs":["","","[1, 1]","[2, 2]","[1, 1]","1","False","False","True"])");
        t.op("aten::addmm", "volta_sgemm_64x32_tn", 100, R"(,"Input Dims":[[10],[32,512],[512,10],[],[]])");
        t.op("aten::bmm", "volta_sgemm_64x32_tn", 100, R"(,"Input Dims":[[8,16,64],[8,64,32]])");
        t.op("aten::mm", "volta_sgemm_64x32_tn", 100, R"(,"Input Dims":[[8,16],[17,64]])");
        const auto trace = t.trace();
        const auto works = recorded_works(trace, kineto::digest(trace));
        QVERIFY((std::get<operators::Convolution>(works[0].shape) ==
                 operators::Convolution{32, 64, 56, 56, 128, 3, 3, 2, 2, 1, 1, 1}));
        QVERIFY((std::get<operators::Matmul>(works[1].shape) == operators::Matmul{32, 10, 512, 1}));
        QVERIFY((std::get<operators::Matmul>(works[2].shape) == operators::Matmul{16, 32, 64, 8}));
        QVERIFY(!works[3].known());
        QCOMPARE(works[0].source, ShapeSource::recorded);
    }

    /// Bound by memory on both: 100 µs · 900/1555; less than a wave on both: 100 µs; what asks for more shared memory
    /// than a V100 has, cannot run there.
    void kernel_by_kernel() {
        TraceText t;
        t.op("aten::relu", "elementwise", 10'000);
        t.op("aten::relu", "elementwise", 4);
        const auto trace = t.trace();
        const auto digest = kineto::digest(trace);
        const Works nothing(2);
        const auto p = predict(trace, digest, nothing, *gpu_of(trace, library().catalogue), gpu("a100-sxm-40gb"));
        QVERIFY(close(p.operations[0].predicted.value, 100e-6 * 900 / 1555));
        QVERIFY(close(p.operations[1].predicted.value, 100e-6));
        QVERIFY(p.operations[0].rule == Rule::wave_scaling);
        QVERIFY(close(p.step.measured.value, 200e-6));
        TraceText big;
        big.op("aten::relu", "needs_room", 10'000, {}, R"(,"shared memory":150000)");
        const auto room = big.trace();
        const auto there = predict(room, kineto::digest(room), Works(1), gpu("a100-sxm-40gb"), gpu("tesla-t4"));
        QVERIFY(there.operations[0].rule == Rule::unscaled);
        QVERIFY(close(there.operations[0].predicted.value, 100e-6));
        QCOMPARE(there.warnings.size(), std::size_t{1});
        QCOMPARE(there.warnings[0].what, std::string("1 kernel has no time on Tesla T4: needs_room."));
        QVERIFY(there.warnings[0].remedy.ends_with(" 0.10 ms a step are counted as measured."));
    }

    void the_best_rule_counts() {
        const auto trace = step_of_network().trace();
        const auto digest = kineto::digest(trace);
        auto works = recorded_works(trace, digest);
        QVERIFY(align(works, trace, digest, *network(), 4));
        const Gpu from = gpu("tesla-v100-sxm2-32gb"), to = gpu("a100-sxm-40gb");
        Options options;
        // 64 µs here, where 100 were measured, and 16 there: on another unit that is all, on the same one 0.85 of what
        // was off here is off there.
        options.model = [](const Work& w, const Device& d, Precision p, Layout) -> std::optional<KernelTime> {
            if (!std::holds_alternative<operators::Convolution>(w.shape)) return std::nullopt;
            return KernelTime{microseconds(d.id == "a100-sxm-40gb" ? 16.0 : 64.0),
                              p == Precision::tf32 ? Unit::matrix : Unit::vector};
        };
        // A network of one layer, whose time is the bandwidth in GB/s.
        habitat::Mlp bandwidth;
        bandwidth.features = {"bias", "batch", "in_features", "out_features", "mem", "mem_bw", "num_sm", "single"};
        bandwidth.mu.assign(8, 0.0);
        bandwidth.sigma.assign(8, 1.0);
        bandwidth.layers = {{8, 1, {0, 0, 0, 0, 0, 1, 0, 0}, {0}}};
        const habitat::MlpModels networks{{"linear", bandwidth}};
        options.networks = &networks;
        const auto p = predict(trace, digest, works, from, to, options);
        QVERIFY(p.operations[0].rule == Rule::operator_model);
        QVERIFY(close(p.operations[0].predicted.value, 16e-6));
        QVERIFY(p.operations[1].rule == Rule::wave_scaling);
        QVERIFY(p.operations[8].rule == Rule::network);
        QVERIFY(close(p.operations[8].predicted.value, 100e-6 * 1555 / 900));
        Seconds by_rule, by_class, by_phase;
        for (const auto& t : p.by_rule) by_rule += t.predicted;
        for (const auto& t : p.by_class) by_class += total(t).predicted;
        for (const auto& t : p.by_phase) by_phase += t.predicted;
        for (const Seconds sum : {by_rule, by_class, by_phase, p.steps[0].predicted})
            QVERIFY(std::abs(sum.value - p.step.predicted.value) < 1e-12);
        options.tf32 = Tf32::none;
        QVERIFY(close(predict(trace, digest, works, from, to, options).operations[0].predicted.value,
                      16e-6 * std::pow(100.0 / 64.0, 0.85)));
        options.wave_scaling_only = true;
        const auto waves = predict(trace, digest, works, from, to, options);
        for (const auto& o : waves.operations) QVERIFY(o.rule == Rule::wave_scaling);
        QVERIFY(waves.warnings.empty());
        // Four convolutions and their gradients, of 19 operations, would use TF32.
        options.tf32 = Tf32::as_recorded;
        const auto blind = predict(trace, digest, works, from, to, options);
        QCOMPARE(blind.warnings.size(), std::size_t{1});
        QVERIFY2(blind.warnings[0].what.starts_with("42 % of the time"), blind.warnings[0].what.c_str());
        QVERIFY(predict(trace, digest, works, from, from).operations[0].rule == Rule::measured);
    }
};

QTEST_APPLESS_MAIN(TestTransfer)
#include "tst_transfer.moc"
