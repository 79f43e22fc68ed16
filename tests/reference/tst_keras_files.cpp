// SPDX-License-Identifier: GPL-3.0-or-later
// Keras models that others wrote: parameters and statistics as counted from the text by another program, multiply-adds
// where they were published (tests/data/models/keras/truth.csv), or refused with a reason.
#include <QtTest>

#include "core/formats/library.hpp"
#include "support_model_files.hpp"

using namespace scalescope;

class KerasFiles : public QObject {
    Q_OBJECT
private slots:
    void outcomes() { support::compare_model_files("keras", 15); }
    void what_is_read_is_kept_in_a_file() { support::write_and_read_model_files("keras"); }
    void a_model_of_the_authors_own_class();
    void what_is_assumed_is_said();
};

/// The archive is read; its model is a class that lists no layers.
void KerasFiles::a_model_of_the_authors_own_class() {
    const auto refused = formats::read_any_network(support::model_text("keras", "k3-nested_container.keras"), "k3");
    QVERIFY(!refused);
    QCOMPARE(refused.error().size(), 1u);
    QVERIFY(refused.error()[0].what.find("\"NestedDenseModel\"") != std::string::npos);
    QVERIFY(refused.error()[0].remedy.find("ONNX") != std::string::npos);
}

void KerasFiles::what_is_assumed_is_said() {
    const auto warnings_of = [](const char* file) {
        Problems warnings;
        const auto network = formats::read_any_network(support::model_text("keras", file), file, &warnings);
        std::string all = network ? "" : "refused\n";
        for (const Problem& p : warnings) all += to_text(p) + '\n';
        return all;
    };
    const auto says = [](const std::string& text, const char* what) { return text.find(what) != std::string::npos; };
    QVERIFY(says(warnings_of("k2-yolo9000.json"), "space_to_depth, and has the number 2"));
    const std::string both = warnings_of("k2-seq2seq-lstm.json");
    QVERIFY2(says(both, "sequence 20") && says(both, "\"embedding_1\""), both.c_str());
    // A length that another input states.
    QVERIFY(says(warnings_of("k2-concat-embedding-bilstm.json"), "sequence 10"));
    QVERIFY(warnings_of("k1-resnet50.json").empty());
}

QTEST_APPLESS_MAIN(KerasFiles)
#include "tst_keras_files.moc"
