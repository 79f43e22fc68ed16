// SPDX-License-Identifier: GPL-3.0-or-later
// Profiler traces written by hand, whole and broken: what is read, what belongs together, what is said.
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <fstream>

#include "core/base/limits.hpp"
#include "core/measure/kineto/digest.hpp"
#include "core/measure/kineto/reader.hpp"
#include "peak_memory.hpp"
#include "sanitized.hpp"

using namespace scalescope;
using namespace scalescope::kineto;

namespace {

/// One event with what only this test looks at.
std::string recorded(const char* category, const std::string& name, const char* ts, const char* dur, const char* thread,
                     const std::string& arguments) {
    return std::string(R"({"ph":"X","cat":")") + category + R"(","name":")" + name + R"(","pid":1,"tid":)" + thread +
           R"(,"ts":)" + ts + R"(,"dur":)" + dur + R"(,"args":{)" + arguments + "}}";
}

std::string trace_of(const std::vector<std::string>& events, const std::string& rest = {}) {
    std::string text = "{" + rest + "\"traceEvents\":[\n";
    for (std::size_t i = 0; i < events.size(); ++i) text += (i ? ",\n" : "") + events[i];
    return text + "\n]}\n";
}

/// A step of 100 µs: a product whose kernel runs from 20 to 40, an all-reduce from 30 to 70, an addition in the
/// backward pass from 60 to 65 and an update from 90 to 95; a copy from 10 to 12.
std::vector<std::string> small_step() {
    return {
        recorded("user_annotation", "ProfilerStep#7", "0", "100", "1", ""),
        recorded("cpu_op", "aten::linear", "1", "12", "1", R"("External id":1)"),
        recorded("cpu_op", "aten::addmm", "2", "10", "1",
                 R"("External id":2,"Input Dims":[[64],[8,32],[32,64],[],[]],"Concrete Inputs":["","","","1","1"])"),
        recorded("cuda_runtime", "cudaLaunchKernel", "3", "1", "1", R"("External id":2,"correlation":11)"),
        recorded("kernel", "ampere_sgemm_128x64_tn", "20.000", "20.000", "7",
                 R"("External id":2,"correlation":11,"device":0,"stream":7,"registers per thread":90,)"
                 R"("shared memory":8192,"grid":[4,2,3],"block":[128,1,1])"),
        recorded("kernel", "ncclKernel_AllReduce_RING_LL_Sum_float", "30", "40", "20",
                 R"("correlation":12,"device":0,"stream":20,"grid":[2,1,1],"block":[544,1,1])"),
        recorded("cpu_op", "autograd::engine::evaluate_function: AddBackward0", "40", "9", "2", R"("External id":3)"),
        recorded("cpu_op", "SomethingOfOnesOwn", "41", "7", "2", R"("External id":4)"),
        recorded("cuda_runtime", "cudaLaunchKernel", "42", "1", "2", R"("correlation":13)"),
        recorded("kernel", "void at::native::vectorized_elementwise_kernel<4>", "60", "5", "7",
                 R"("correlation":13,"device":0,"stream":7,"grid":[4,1,1],"block":[128,1,1])"),
        recorded("user_annotation", "Optimizer.step#SGD.step", "80", "10", "1", ""),
        recorded("cpu_op", "aten::_foreach_add_", "81", "5", "1", R"("External id":5)"),
        recorded("cuda_runtime", "cudaLaunchKernel", "82", "1", "1", R"("External id":5,"correlation":14)"),
        recorded("kernel", "multi_tensor_apply_kernel", "90", "5", "7",
                 R"("External id":5,"correlation":14,"device":0,"stream":7,"grid":[4,1,1],"block":[128,1,1])"),
        recorded("gpu_memcpy", "Memcpy HtoD", "10", "2", "7",
                 R"("External id":2,"correlation":11,"device":0,"stream":7,"bytes":4096)"),
        recorded("kernel", "after the step", "200", "1", "7", R"("device":0,"stream":7)"),
    };
}

Problems problems_of(std::string_view text) {
    const auto read = parse_trace(text, "trace.json");
    return read ? Problems{} : read.error();
}

}  // namespace

class TestKineto : public QObject {
    Q_OBJECT

private slots:
    void is_recognized_by_its_beginning() {
        QVERIFY(is_trace(trace_of(small_step())));
        QVERIFY(is_trace(R"( {"schemaVersion": 1, "deviceProperties": [)"));
        QVERIFY(is_trace(R"([{"ph":"X","ts":1}])"));
        for (const char* text : {"", "   ", "workers,time_s\n1,2\n", R"({"format":"scalescope-scenario"})",
                                 R"({"layers": [], "ph": 1})", "layer { name: \"traceEvents\" }"})
            QVERIFY2(!is_trace(text), text);
        QVERIFY(is_trace_file(SCALESCOPE_TEST_DATA "/traces/alexnet-a100.json.gz"));
        QVERIFY(!is_trace_file(SCALESCOPE_TEST_DATA "/ledger.csv"));
        QVERIFY(!is_trace_file(SCALESCOPE_TEST_DATA "/no-such-file"));
    }

    void tables() {
        const auto trace = parse_trace(
            trace_of(small_step(),
                     R"("deviceProperties":[{"id":0,"name":"GPU","numSms":80,"computeMajor":7,"computeMinor":5}],)"
                     R"("distributedInfo":{"rank":1,"world_size":4,"more":[{"x":[1]}]},)"),
            "trace.json");
        QVERIFY(trace);
        QCOMPARE(trace->devices.size(), std::size_t{1});
        QCOMPARE(trace->devices[0].processors, std::int64_t{80});
        QCOMPARE(trace->devices[0].capability.digits(), 75);
        QCOMPARE(trace->rank, std::int64_t{1});
        QCOMPARE(trace->world_size, std::int64_t{4});
        QCOMPARE(trace->kernels.size(), std::size_t{5});
        const KernelEvent& k = trace->kernels[0];
        QCOMPARE(trace->name(k.name), std::string("ampere_sgemm_128x64_tn"));
        QCOMPARE(k.span.begin, std::int64_t{20'000});
        QCOMPARE(k.span.length, std::int64_t{20'000});
        QVERIFY((k.grid == std::array<std::int64_t, 3>{4, 2, 3}));
        QVERIFY((k.block == std::array<std::int64_t, 3>{128, 1, 1}));
        QCOMPARE(k.registers, std::int64_t{90});
        QCOMPARE(k.shared, std::int64_t{8192});
        QCOMPARE(trace->memory.size(), std::size_t{1});
        QCOMPARE(trace->inputs.size(), std::size_t{1});
        QCOMPARE(trace->inputs[0].sizes.size(), std::size_t{5});
        QVERIFY((trace->inputs[0].sizes[2] == std::vector<std::int64_t>{32, 64}));
        QCOMPARE(trace->inputs[0].values.at(3), std::string("1"));
    }

    void what_belongs_together() {
        const auto trace = parse_trace(trace_of(small_step()), "trace.json");
        QVERIFY(trace);
        const Digest d = digest(*trace);
        QCOMPARE(d.steps.size(), std::size_t{1});
        const Step& s = d.steps[0];
        QCOMPARE(s.kernels, std::size_t{3});
        QCOMPARE(s.communication_kernels, std::size_t{1});
        QCOMPARE(s.memory_operations, std::size_t{1});
        QCOMPARE(d.outside, std::size_t{1});
        QCOMPARE(s.kernel_time, std::int64_t{30'000});
        QCOMPARE(s.communication_time, std::int64_t{40'000});
        QCOMPARE(s.device.begin, std::int64_t{10'000});
        QCOMPARE(s.device.length, std::int64_t{85'000});
        QCOMPARE(s.idle, std::int64_t{(20 - 12 + 90 - 70) * 1000});
        QCOMPARE(s.overlapped, std::int64_t{(40 - 30 + 65 - 60) * 1000});
        QCOMPARE(s.exposed, std::int64_t{(40 - 15) * 1000});
        QCOMPARE(d.operations.size(), std::size_t{5});
        const auto is = [&](std::size_t i, const char* name, WorkClass c, Phase p) {
            return trace->name(d.operations[i].name) == name && d.operations[i].cls == c && d.operations[i].phase == p;
        };
        QVERIFY(is(0, "aten::addmm", WorkClass::matmul, Phase::forward));
        QVERIFY(is(1, "ncclKernel_AllReduce_RING_LL_Sum_float", WorkClass::communication, Phase::other));
        // Neither an id nor a known name: the launch was inside it, and the kernel's name tells what it does.
        QVERIFY(is(2, "SomethingOfOnesOwn", WorkClass::element_wise, Phase::backward));
        QVERIFY(is(3, "aten::_foreach_add_", WorkClass::optimizer, Phase::optimizer));
        QCOMPARE(d.streams.size(), std::size_t{2});
    }

    /// Each operator is asked once, and not again for every kernel inside of it: that would take hours here.
    void nesting_may_be_deep() {
        constexpr std::int64_t depth = 200'000;
        Trace trace;
        trace.names = {"thread", "autograd::engine::evaluate_function: ConvolutionBackward0", "foo", "k"};
        for (std::int64_t i = 0; i < depth; ++i)
            trace.operators.push_back({i == 0 ? 1u : 2u, 0, {i, 4 * depth - 2 * i}, unknown, unknown});
        for (std::int64_t i = 0; i < depth; ++i) {
            // Every second call comes after most of them have ended again.
            trace.calls.push_back({i, unknown, 0, {i % 2 ? 2 * depth + i : depth, 1}});
            trace.kernels.push_back({3, {4 * depth + i, 1}, 0, 0, i});
        }
        const Digest d = digest(trace);
        QCOMPARE(d.launched.size(), trace.kernels.size());
        for (const Operation& o : d.operations) {
            QCOMPARE(name_of(o.cls), name_of(WorkClass::convolution));
            QCOMPARE(name_of(o.phase), name_of(Phase::backward));
            const std::int64_t asked = trace.calls[d.launched[o.first_kernel]].span.begin;
            const auto at = static_cast<std::size_t>(o.source);
            QVERIFY(trace.operators[at].span.contains(asked));
            QVERIFY(at + 1 == trace.operators.size() || !trace.operators[at + 1].span.contains(asked));
        }
    }

    void a_digest_can_be_cancelled() {
        const auto trace = parse_trace(trace_of(small_step()), "trace.json");
        QVERIFY(trace);
        CancelSource source;
        source.cancel();
        QVERIFY(digest(*trace, source.token()).operations.empty());
    }

    void phases_by_name_count_before_guesses() {
        auto events = small_step();
        events.push_back(recorded("user_annotation", "## forward ##", "0", "45", "1", ""));
        const auto trace = parse_trace(trace_of(events), "trace.json");
        QVERIFY(trace);
        const Digest d = digest(*trace);
        QVERIFY(d.named_phases);
        QCOMPARE(name_of(d.operations[2].phase), name_of(Phase::forward));
        QCOMPARE(name_of(d.operations[3].phase), name_of(Phase::other));
    }

    void without_steps_and_with_old_names() {
        const auto trace =
            parse_trace("[" + recorded("Operator", "aten::mm", "5", "3", "1", R"("External id":1)") + "," +
                            recorded("Runtime", "cudaLaunchKernel", "6", "1", "1", R"("correlation":4)") + "," +
                            recorded("Kernel", "k", "9.5", "0.25", "7", R"("correlation":4)") + "]",
                        "old.json");
        QVERIFY(trace);
        const Digest d = digest(*trace);
        QCOMPARE(d.steps.size(), std::size_t{1});
        QCOMPARE(d.steps[0].kernel_time, std::int64_t{250});
        QCOMPARE(name_of(d.operations[0].cls), name_of(WorkClass::matmul));
    }

    /// A time of the day in microseconds has more digits than a double.
    void times_are_exact() {
        const auto trace = parse_trace(trace_of({recorded("kernel", "a", "1712195495505583.123", "4.928", "7", ""),
                                                 recorded("kernel", "b", "1712195495505590", "1e1", "7", ""),
                                                 recorded("kernel", "c", "1.5e3", "0.0019", "7", ""),
                                                 recorded("kernel", "d", "-2.5", "1", "7", "")}),
                                       "trace.json");
        QVERIFY(trace);
        QCOMPARE(trace->kernels[0].span.begin, std::int64_t{-2500});
        QCOMPARE(trace->kernels[1].span.begin, std::int64_t{1'500'000});
        QCOMPARE(trace->kernels[1].span.length, std::int64_t{1});
        QCOMPARE(trace->kernels[2].span.begin, std::int64_t{1712195495505583123});
        QCOMPARE(trace->kernels[2].span.length, std::int64_t{4928});
        QCOMPARE(trace->kernels[3].span.begin, std::int64_t{1712195495505590000});
        QCOMPARE(trace->kernels[3].span.length, std::int64_t{10'000});
    }

    void broken_files_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("what");
        QTest::addColumn<int>("line");
        const std::string good = trace_of(small_step());
        const auto row = [](const char* name, const std::string& text, const char* what, int line) {
            QTest::newRow(name) << QByteArray::fromStdString(text) << what << line;
        };
        row("empty", "", "The trace is cut off", 1);
        row("cut off", good.substr(0, good.find("cudaLaunchKernel")), "The trace is cut off", 5);
        row("no JSON", "{\n\"traceEvents\": [\n  oops ]}", "This is no JSON", 3);
        row("something behind", good + "x y", "This is no JSON", 19);
        row("something else", "{\"layers\": []}", "This is no profiler trace", 1);
        row("no kernels", trace_of({recorded("cpu_op", "aten::mm", "1", "1", "1", "")}), "has no kernels of a GPU", 1);
        row("too deep", "{\"traceEvents\":[" + std::string(100, '['), "inside each other", 1);
        row("no end of a name", "{\"traceEvents\":[{\"name\":\"" + std::string(3'000'000, 'x'), "longer than 1 MiB", 1);
        row("not packed", "\x1f\x8b nothing of the kind", "The packed file is damaged, or cut off", 1);
    }
    void broken_files() {
        QFETCH(QByteArray, text);
        QFETCH(QString, what);
        QFETCH(int, line);
        const Problems problems = problems_of(text.toStdString());
        QCOMPARE(problems.size(), std::size_t{1});
        QVERIFY2(QString::fromStdString(problems[0].what).contains(what), problems[0].what.c_str());
        QCOMPARE(problems[0].at.file, std::string("trace.json"));
        QCOMPARE(problems[0].at.line, line);
        QVERIFY(!problems[0].remedy.empty());
    }

    void packed_files() {
        QFile file(SCALESCOPE_TEST_DATA "/traces/alexnet-a100.json.gz");
        QVERIFY(file.open(QIODevice::ReadOnly));
        const std::string packed = file.readAll().toStdString();
        QVERIFY(parse_trace(packed, "trace.json.gz"));
        const auto cut = problems_of(std::string_view(packed).substr(0, packed.size() / 2));
        QCOMPARE(cut.size(), std::size_t{1});
        QVERIFY2(cut[0].what.starts_with("The packed file is damaged, or cut off (byte "), cut[0].what.c_str());
        std::string scratched = packed;
        scratched[packed.size() / 2] = static_cast<char>(scratched[packed.size() / 2] ^ 0x55);
        QCOMPARE(problems_of(scratched).size(), std::size_t{1});
        // Two packed files in a row are one text, which is a trace with something behind it.
        QVERIFY(problems_of(packed + packed).at(0).what.starts_with("This is no JSON"));
    }

    void events_without_time_are_counted() {
        const auto trace = parse_trace(
            trace_of({recorded("kernel", "a", "1", "2", "7", ""), recorded("kernel", "b", "1", "-2", "7", ""),
                      recorded("kernel", "c", "\"soon\"", "2", "7", "")}),
            "trace.json");
        QVERIFY(trace);
        QCOMPARE(trace->kernels.size(), std::size_t{1});
        QCOMPARE(trace->warnings.size(), std::size_t{1});
        QVERIFY(trace->warnings[0].what.starts_with("2 events"));
    }

    void cancelled() {
        CancelSource source;
        source.cancel();
        const auto read = parse_trace(trace_of(small_step()), "trace.json", {{}, source.token()});
        QVERIFY(!read);
        QCOMPARE(read.error().at(0).what, std::string("Reading was cancelled."));
    }

    void a_file_that_is_not_there() {
        const auto read = read_trace("/no/such/trace.json");
        QVERIFY(!read);
        QVERIFY(!read.error().at(0).remedy.empty());
    }

    /// 64 MiB of events that nobody asks for leave nothing behind.
    void memory_does_not_grow_with_the_text() {
        QTemporaryDir folder;
        const std::string path = folder.filePath("large.json").toStdString();
        {
            std::ofstream out(path);
            out << "{\"traceEvents\":[";
            const auto noise = recorded("python_function", "some/module.py(12): forward", "1.5", "2", "1",
                                        "\"Python id\":1,\"Call stack\":\"" + std::string(3000, 's') + "\"");
            for (int i = 0; i < 21'000; ++i) out << noise << ",\n";
            out << recorded("kernel", "k", "1", "2", "7", "") << "]}";
        }
        double last = 0.0;
        bool forward = true;
        Result<Trace> read;
        const long growth = support::peak_growth([&] {
            read = read_trace(path, {Progress([&](double f, std::string_view) {
                                         forward = forward && f >= last;
                                         last = f;
                                     }),
                                     {}});
        });
        QVERIFY(read);
        QCOMPARE(read->kernels.size(), std::size_t{1});
        QVERIFY(forward);
        QCOMPARE(last, 1.0);
        if (!support::sanitized)  // freed memory is kept for a while then
            QVERIFY2(growth < 16 * 1024, std::to_string(growth).c_str());
    }

    /// A stream without end is given up as soon as it has more than is kept, of whatever kind.
    void what_is_kept_is_bounded_data() {
        QTest::addColumn<QString>("event");
        QTest::addColumn<QString>("what");
        const auto row = [](const char* name, const std::string& event, const char* what) {
            QTest::newRow(name) << QString::fromStdString(event) << what;
        };
        row("kernels", recorded("kernel", "k", "1", "2", "7", ""),
            "The trace has more than 200,000 kernels, copies and fills of GPUs.");
        row("operators", recorded("cpu_op", "o", "1", "2", "7", ""), "The trace has more than 600,000 events.");
        row("steps", recorded("user_annotation", "ProfilerStep#1", "1", "2", "7", ""),
            "The trace has more than 10,000 marks of steps (ProfilerStep).");
        row("names", recorded("cpu_op", "%1", "1", "2", "7", ""),
            "The different names of the trace take more than 16 MiB.");
        if (support::sanitized) return;  // a GiB takes long then
        row("events that nobody asks for", recorded("python_function", std::string(100'000, 'p'), "1", "2", "7", ""),
            "The trace has more than 1024 MiB of text.");
    }
    void what_is_kept_is_bounded() {
        QFETCH(QString, event);
        QFETCH(QString, what);
        const std::string pattern = event.toStdString();
        std::string piece = "{\"traceEvents\":[";
        std::uint64_t events = 0;
        const auto read = read_trace(
            [&](std::uint64_t offset, std::size_t) -> std::string_view {
                if (offset > 0) piece.clear();
                for (; offset > 0 && piece.size() < 100'000; ++events) {
                    piece += pattern + ',';
                    if (const auto at = piece.find("%1"); at != std::string::npos)
                        piece.replace(at, 2, std::to_string(events));
                }
                return piece;
            },
            0, "endless.json");
        QVERIFY(!read);
        QCOMPARE(QString::fromStdString(read.error().at(0).what), what);
        QCOMPARE(read.error().at(0).remedy, std::string("Record fewer steps."));
        QVERIFY2(events < limits::trace_events + 1000, std::to_string(events).c_str());
    }

    void sets_of_times() {
        Intervals a, b;
        for (const Span s : {Span{10, 5}, Span{0, 4}, Span{12, 8}, Span{4, 1}}) a.add(s);
        b.add({3, 10});
        a.unite();
        b.unite();
        QCOMPARE(a.spans().size(), std::size_t{2});
        QCOMPARE(a.length(), std::int64_t{15});
        QCOMPARE(a.hull().length, std::int64_t{20});
        QCOMPARE(common_length(a, b), std::int64_t{2 + 3});
    }

    void classes_of_names_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("is_operator");
        QTest::addColumn<QString>("cls");
        const auto op = [](const char* name, WorkClass c) {
            QTest::newRow(name) << name << true << QString::fromUtf8(name_of(c).data());
        };
        const auto kernel = [](const char* name, WorkClass c) {
            QTest::newRow(name) << name << false << QString::fromUtf8(name_of(c).data());
        };
        // FBGEMM's name is not a product's, and moving pooled embeddings is not pooling.
        op("fbgemm::permute_2D_sparse_data", WorkClass::data_movement);
        op("fbgemm::permute_pooled_embs_auto_grad", WorkClass::data_movement);
        op("PermutePooledEmbsFunction", WorkClass::data_movement);
        op("fbgemm::merge_pooled_embeddings", WorkClass::data_movement);
        op("fbgemm::split_embedding_codegen_lookup_rowwise_adagrad_function", WorkClass::embedding);
        op("fbgemm::jagged_dense_bmm", WorkClass::matmul);
        kernel("void fbgemm_gpu::permute_2D_data_kernel<false, long, float>(int)", WorkClass::data_movement);
        kernel("void fbgemm_gpu::permute_pooled_embs_kernel<float>(float*)", WorkClass::data_movement);
        kernel("void fbgemm_gpu::bounds_check_indices_kernel<long>(long)", WorkClass::other);
        kernel("split_embedding_codegen_forward_unweighted_kernel", WorkClass::embedding);
        // Parts of words that name other work.
        op("aten::upsample_bilinear2d", WorkClass::element_wise);
        op("aten::normal_", WorkClass::element_wise);
        op("aten::_scaled_mm", WorkClass::matmul);
        op("aten::_conv_depthwise2d", WorkClass::convolution);
        op("aten::adaptive_avg_pool2d", WorkClass::pooling);
        op("FusedRMSNorm", WorkClass::normalization);
        op("FusedLayerNormAffineFunction", WorkClass::normalization);
        kernel("void vllm::rms_norm_kernel<c10::BFloat16>(c10::BFloat16*)", WorkClass::normalization);
        kernel("void cuApplyRMSNorm<float, float, float>(float*)", WorkClass::normalization);
        kernel("void at_cuda_detail::cub::DeviceScanKernel<Policy, long const*>(long const*)", WorkClass::reduction);
        // What TorchInductor fused is not what its kernel does.
        for (const bool as_operator : {true, false}) {
            const auto both = [&](const char* name, WorkClass c) {
                QTest::newRow((std::string(name) + (as_operator ? " launches" : " runs")).c_str())
                    << name << as_operator << QString::fromUtf8(name_of(c).data());
            };
            both("triton_poi_fused__to_copy_addmm_relu_0", WorkClass::element_wise);
            both("triton_red_fused__softmax_backward_data_3", WorkClass::softmax);
            both("triton_per_fused_native_layer_norm_1", WorkClass::normalization);
            both("triton_per_fused_convolution_sum_1", WorkClass::reduction);
            both("triton_tem_fused_mm_2", WorkClass::matmul);
            both("triton_tem_fused_convolution_2", WorkClass::convolution);
            both("triton_for_fused_5", WorkClass::optimizer);
        }
        kernel("nvjet_tst_192x192_64x4_2x1_v_bz_coopB_TNT", WorkClass::matmul);
    }
    void classes_of_names() {
        QFETCH(QString, name);
        QFETCH(bool, is_operator);
        const auto found = is_operator ? class_of_operator(name.toStdString()) : class_of_kernel(name.toStdString());
        QVERIFY(found);
        QTEST(QString::fromUtf8(name_of(*found).data()), "cls");
    }

    /// It is a product and a tanh, and pools nothing.
    void a_pooler_of_bert_is_told_by_its_kernels() {
        QVERIFY(!class_of_operator("aten::pooler"));
        QVERIFY(!class_of_operator("BertPooler"));
    }

    /// The kernels of a compiled function are of all kinds; the first of them does not speak for the others.
    void compiled_functions_are_split_by_their_kernels() {
        std::vector<std::string> events{recorded("cpu_op", "CompiledFunction", "1", "50", "1", R"("External id":1)")};
        const auto launched = [&](const char* name, const char* ts, const char* dur) {
            events.push_back(recorded("kernel", name, ts, dur, "7", R"("External id":1,"device":0,"stream":7)"));
        };
        launched("triton_poi_fused__to_copy_0", "10", "2");
        launched("cutlass_80_tensorop_s1688gemm_256x64_16x4_nn_align4", "20", "30");
        launched("cutlass_80_tensorop_s1688gemm_256x64_16x4_nn_align4", "60", "20");
        launched("my_own_kernel", "90", "3");
        launched("my_other_kernel", "95", "4");
        launched("my_own_kernel", "100", "2");
        const auto trace = parse_trace(trace_of(events), "trace.json");
        QVERIFY(trace);
        const Digest d = digest(*trace);
        const auto time = [&](WorkClass c) { return d.steps.at(0).by_class[static_cast<std::size_t>(c)]; };
        QCOMPARE(time(WorkClass::matmul), std::int64_t{50'000});
        QCOMPARE(time(WorkClass::element_wise), std::int64_t{2'000});
        QCOMPARE(time(WorkClass::data_movement), std::int64_t{0});
        QCOMPARE(time(WorkClass::other), std::int64_t{9'000});
        QCOMPARE(d.operations.size(), std::size_t{3});
        QCOMPARE(d.operations[1].kernels, std::size_t{2});
        QCOMPARE(d.unknown.size(), std::size_t{2});
        QCOMPARE(trace->name(d.unknown[0].name), std::string("my_own_kernel"));
        QCOMPARE(d.unknown[0].count, std::size_t{2});
        const Problems said = unknown_kernels(*trace, d);
        QCOMPARE(said.size(), std::size_t{1});
        QCOMPARE(said[0].what, std::string("3 kernels have names that are not known here, with 14.8\u00a0% of the "
                                           "kernel time: my_own_kernel, my_other_kernel."));
        QVERIFY(unknown_kernels(*trace, Digest{}).empty());
    }

    void math_of_kernels() {
        QVERIFY(math_of_kernel("sm80_xmma_fprop_implicit_gemm_indexed_tf32f32_tf32f32_f32_nhwckrsc") ==
                KernelMath::tf32);
        QVERIFY(math_of_kernel("cutlass_80_tensorop_s1688gemm_256x64_16x4_nn_align4") == KernelMath::tf32);
        QVERIFY(math_of_kernel("volta_sgemm_64x64_nt") == KernelMath::fp32);
        QVERIFY(math_of_kernel("turing_fp16_s1688cudnn_fp16_256x64_ldg8") == KernelMath::fp16);
        QVERIFY(math_of_kernel("volta_h884gemm_128x64_ldg8_nn") == KernelMath::fp16);
        QVERIFY(math_of_kernel("ampere_bf16_s16816gemm_bf16_128x128") == KernelMath::bf16);
        QVERIFY(math_of_kernel("_ZN7cutlass6KernelINS_10tfloat32_tEE") == KernelMath::tf32);
        QVERIFY(math_of_kernel("nvjet_tst_192x192_64x4_2x1_v_bz_coopB_TNT") == KernelMath::bf16);
        QVERIFY(math_of_kernel("nvjet_hsh_128x256_64x4_1x2_h_bz_NTN") == KernelMath::fp16);
        QVERIFY(math_of_kernel("nchwToNhwcKernel") == KernelMath::unnamed);
    }
};

QTEST_APPLESS_MAIN(TestKineto)
#include "tst_kineto.moc"
