// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes that a network leaves open, in the window: a field each, live, one step of undo; nothing without any.
#include <QLabel>
#include <QUndoStack>

#include "core/formats/input_file.hpp"
#include "core/formats/library.hpp"
#include "core/formats/network_json.hpp"
#include "support_window.hpp"
#include "ui/design/symbol_form.hpp"
#include "ui/document/files.hpp"
#include "ui/widgets/number_field.hpp"

using namespace scalescope;
using namespace scalescope::ui;

namespace {

std::shared_ptr<const Network> network() {
    return *formats::read_network(R"({
      "format": "scalescope-network", "version": 1, "name": "small",
      "symbols": {"sequence": {"default": 16, "description": "tokens of one sample"}, "pieces": {"default": 3}},
      "layers": [
        {"name": "text", "kind": "input", "shape": ["batch", "sequence", "8*pieces"]},
        {"name": "fc", "kind": "dense", "inputs": ["text"], "units": 8, "per_position": true}
      ]
    })",
                                  "small.json");
}

}  // namespace

class SymbolFormTest : public QObject, window_test::WindowFixture {
    Q_OBJECT

    NumberField* field() { return window_->findChild<NumberField*>(QStringLiteral("symbols.sequence")); }
    std::int64_t length() { return scenario().network()->bindings()[0].value; }
    void take_network() {
        window_->document().edit(with_network(scenario(), network()));
        settle();
    }

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { window_.reset(); }

    void a_field_for_each_symbol() {
        QVERIFY(!field());
        QVERIFY(window_->findChild<SymbolForm*>()->isHidden());
        take_network();
        QVERIFY(field());
        QVERIFY(!window_->findChild<SymbolForm*>()->isHidden());
        QCOMPARE(field()->accessibleName(), QStringLiteral("Sequence length"));
        QCOMPARE(field()->value(), 16.0);
        QCOMPARE(window_->findChild<NumberField*>(QStringLiteral("symbols.pieces"))->accessibleName(),
                 QStringLiteral("Pieces"));
        window_->document().history().undo();
        settle();
        QVERIFY(window_->findChild<SymbolForm*>()->isHidden());
    }

    void a_length_is_one_step() {
        take_network();
        const int steps = window_->document().history().index();
        field()->choose(2048);
        settle();
        QCOMPARE(length(), std::int64_t{2048});
        QCOMPARE(scenario().network()->multiply_adds(), std::int64_t{2048 * 24 * 8});
        QCOMPARE(window_->document().history().index(), steps + 1);
        QCOMPARE(window_->document().history().undoText(),
                 QStringLiteral("Sequence length 16\u00a0tokens → 2048\u00a0tokens"));
        window_->document().history().undo();
        QCOMPARE(length(), std::int64_t{16});
        QCOMPARE(field()->value(), 16.0);
    }

    /// Of an ONNX model in which other lengths give other layers: the file is read again for each, as one step.
    void a_file_is_read_again() {
        const std::string file = SCALESCOPE_TEST_DATA "/models/onnx/genai-tiny-gpt2-fp16-past.onnx";
        const auto bytes = formats::read_input_file(file);
        QVERIFY(bytes.has_value());
        const auto read = formats::read_any_network(*bytes, file);
        QVERIFY(read.has_value() && (*read)->draft().remade_by);
        window_->document().edit(with_network(scenario(), *read));
        settle();
        auto* length = window_->findChild<NumberField*>(QStringLiteral("symbols.seq_len"));
        QVERIFY(length);
        QCOMPARE(length->value(), 128.0);
        const int steps = window_->document().history().index();
        length->choose(64);
        settle();
        const std::vector<Binding> shorter{{"seq_len", 64}};
        QCOMPARE(scenario().network()->multiply_adds(), (*(*read)->with(shorter))->multiply_adds());
        QVERIFY(scenario().network()->multiply_adds() < (*read)->multiply_adds());
        QCOMPARE(window_->document().history().index(), steps + 1);
        // What is drawn has the layers of this length, and no length to choose.
        const NetworkDraft drawn = window_->document().drawn(0);
        QVERIFY(!drawn.remade_by);
        QCOMPARE(drawn.symbols.size(), std::size_t{1});
        QCOMPARE((*Network::make(drawn))->multiply_adds(), scenario().network()->multiply_adds());
        window_->document().history().undo();
        QCOMPARE(scenario().network()->multiply_adds(), (*read)->multiply_adds());
        QCOMPARE(length->value(), 128.0);
    }

    void a_size_that_does_not_fit_is_said() {
        take_network();
        auto* pieces = window_->findChild<NumberField*>(QStringLiteral("symbols.pieces"));
        pieces->choose(2147483648.0);
        QVERIFY(pieces->has_error());
        QVERIFY2(pieces->error().contains(QStringLiteral("8*pieces")), qPrintable(pieces->error()));
        QCOMPARE(scenario().network()->bindings()[1].value, std::int64_t{3});
        pieces->choose(5);
        QVERIFY(!pieces->has_error());
        QCOMPARE(scenario().network()->bindings()[1].value, std::int64_t{5});
    }
};

QTEST_MAIN(SymbolFormTest)
#include "tst_symbol_form.moc"
