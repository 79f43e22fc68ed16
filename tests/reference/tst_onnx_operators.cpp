// SPDX-License-Identifier: GPL-3.0-or-later
// Every operator as ONNX's own tests have it (Debian's libonnx-testdata): our shapes against those of the results that
// come with them. Models whose shapes differ are listed in tests/data/models/onnx/operators.csv; the list may only get
// shorter. Skipped where the package is not installed.
#include <QtTest>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "core/formats/input_file.hpp"
#include "core/formats/library.hpp"
#include "core/formats/onnx/trace.hpp"
#include "core/formats/onnx/wire.hpp"
#include "support_model_files.hpp"

using namespace scalescope;
using namespace scalescope::formats;
namespace fs = std::filesystem;

namespace {

const fs::path folder = "/usr/share/libonnx-testdata/data";

std::string bytes_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

/// A tensor, a sequence of them, or one that may be absent, as the test data have it.
onnx::Value read_value(const std::string& bytes, onnx::ValueInfo::Form form) {
    if (form == onnx::ValueInfo::Form::tensor) {
        const auto tensor = onnx::read_tensor(bytes, "data");
        return tensor ? onnx::value_of(*tensor) : onnx::unranked(0);
    }
    onnx::Value v;
    v.form = form == onnx::ValueInfo::Form::sequence ? onnx::Value::Form::sequence : onnx::Value::Form::optional;
    v.counted = true;
    onnx::WireMessage message(bytes, 0);
    for (onnx::WireField f; message.next(f);) {
        if (f.number == 3) v.items.push_back(read_value(std::string(f.bytes), onnx::ValueInfo::Form::tensor));
        if (f.number == 5 || f.number == 4)  // an optional that holds a sequence
            v.items.push_back(read_value(std::string(f.bytes), onnx::ValueInfo::Form::sequence));
    }
    return v;
}

std::string shape_text(const onnx::Value& v) {
    if (!v.present()) return "nothing";
    if (v.form != onnx::Value::Form::tensor) {
        std::string text = "[";
        for (const auto& item : v.items) text += shape_text(item) + ' ';
        return text + (v.counted ? "]" : "…]");
    }
    if (!v.ranked) return "?";
    std::string text = "(";
    for (const auto d : v.dims) text += std::to_string(d) + ' ';
    return text + ')';
}

std::vector<fs::path> models() {
    std::vector<fs::path> all;
    std::error_code error;
    for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
        if (it->path().filename() == "model.onnx") all.push_back(it->path());
    std::sort(all.begin(), all.end());
    return all;
}

void add_unknown(const Network& network, std::map<std::string, int>& counts) {
    for (int l = 0; l < network.size(); ++l)
        if (network.facts()[static_cast<std::size_t>(l)].unknown)
            ++counts[std::get<std::string>(attribute(network.layers()[static_cast<std::size_t>(l)], "type"))];
}

}  // namespace

class OnnxOperators : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void shapes();
    void every_model_is_read_or_refused_with_a_reason();
    void unknown_kinds();

private:
    std::map<std::string, int> unknown_here_;  ///< by operator
};

void OnnxOperators::initTestCase() {
    if (!fs::exists(folder)) QSKIP("libonnx-testdata is not installed");
}

void OnnxOperators::shapes() {
    std::set<std::string> excepted;
    std::istringstream list(bytes_of(SCALESCOPE_TEST_DATA "/models/onnx/operators.csv"));
    for (std::string line; std::getline(list, line);) excepted.insert(line.substr(0, line.find(',')));
    int all = 0, equal = 0, worse = 0;
    for (const fs::path& path : models()) {
        const std::string name = fs::relative(path.parent_path(), folder).string();
        const auto text = read_input_file(path);
        QVERIFY2(text.has_value(), name.c_str());
        const auto model = onnx::read_model(*text, name);
        QVERIFY2(model.has_value(), name.c_str());
        onnx::TraceInputs given;
        int k = 0;
        const fs::path data = path.parent_path() / "test_data_set_0";
        for (const onnx::ValueInfo& input : model->graph.inputs) {
            const bool stored = std::any_of(model->graph.initializers.begin(), model->graph.initializers.end(),
                                            [&](const onnx::Tensor& t) { return t.name == input.name; });
            if (stored) continue;
            given.inputs[input.name].runs = {
                read_value(bytes_of(data / ("input_" + std::to_string(k++) + ".pb")), input.form)};
        }
        ProblemList problems;
        const onnx::Trace trace = onnx::trace_model(*model, given, name, problems);
        std::string differs;
        for (std::size_t o = 0; o < model->graph.outputs.size(); ++o) {
            const auto should =
                read_value(bytes_of(data / ("output_" + std::to_string(o) + ".pb")), model->graph.outputs[o].form);
            const std::string is = o < trace.outputs.size()
                                       ? shape_text(trace.tensors[static_cast<std::size_t>(trace.outputs[o])].base())
                                       : "none";
            if (is != shape_text(should)) differs += is + " for " + shape_text(should) + "; ";
        }
        ++all;
        equal += differs.empty();
        if (differs.empty()) continue;
        if (problems.has_errors()) differs += to_text(problems.all()[0]);
        const bool listed = excepted.count(name) != 0;
        worse += !listed;
        std::printf("%s %s,%s %s\n", listed ? " " : "!", name.c_str(),
                    model->graph.nodes.empty() ? "" : model->graph.nodes[0].op.c_str(), differs.c_str());
    }
    std::printf("%d of %d have the shapes of the results\n", equal, all);
    QVERIFY(all >= 1000);
    QVERIFY2(worse == 0, "shapes are worse than operators.csv has them: see the lines with '!'");
    QVERIFY(equal * 100 >= all * 90);
}

void OnnxOperators::every_model_is_read_or_refused_with_a_reason() {
    int read = 0;
    for (const fs::path& path : models()) {
        const auto text = read_input_file(path);
        QVERIFY(text.has_value());
        Problems warnings;
        const auto network = read_any_network(*text, path.string(), &warnings);
        read += network.has_value();
        if (network) {
            add_unknown(**network, unknown_here_);
            continue;
        }
        for (const Problem& p : network.error()) QVERIFY2(!p.what.empty() && !p.remedy.empty(), to_text(p).c_str());
    }
    std::printf("%d of these read as networks\n", read);
    QVERIFY2(read >= 1015, "fewer are read than were");
}

/// How many layers come out of unknown kind, by operator, over all these models and those of tests/data/models/onnx.
/// It may only get lower.
void OnnxOperators::unknown_kinds() {
    std::map<std::string, int> of_files;
    for (const auto& [name, row] : support::csv_rows("onnx", "outcomes.csv")) {
        const auto text = read_input_file(SCALESCOPE_TEST_DATA "/models/onnx/" + name);
        QVERIFY(text.has_value());
        const auto network = read_any_network(*text, name);
        if (network) add_unknown(**network, of_files);
    }
    const auto census = support::csv_rows("onnx", "unknown.csv");
    const auto said = [&](const std::string& op, const char* column) {
        const auto it = census.find(op);
        return it == census.end() ? 0 : std::stoi(it->second.at(column));
    };
    std::set<std::string> all;
    for (const auto* counts : {&unknown_here_, &of_files})
        for (const auto& [op, n] : *counts) all.insert(op);
    int worse = 0, first = 0, second = 0;
    std::printf("operator,of_operator_tests,of_files\n");
    for (const std::string& op : all) {
        const int here = unknown_here_[op], there = of_files[op];
        first += here;
        second += there;
        const bool good = here <= said(op, "of_operator_tests") && there <= said(op, "of_files");
        worse += !good;
        std::printf("%s,%d,%d%s\n", op.c_str(), here, there, good ? "" : " !");
    }
    std::printf("%d layers of unknown kind in ONNX's models of operators, %d in the files\n", first, second);
    QVERIFY2(worse == 0, "more layers are of unknown kind than unknown.csv has: see the lines with '!'");
}

QTEST_APPLESS_MAIN(OnnxOperators)
#include "tst_onnx_operators.moc"
