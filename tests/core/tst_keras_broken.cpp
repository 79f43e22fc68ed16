// SPDX-License-Identifier: GPL-3.0-or-later
// Keras models that are none: what is said of them, and where.
#include <QtTest>

#include "core/formats/library.hpp"
#include "support_broken_texts.hpp"
#include "support_keras.hpp"
#include "support_library.hpp"

using namespace scalescope;
using namespace scalescope::formats;
using namespace support::keras;
using support::BrokenTexts;

class KerasBroken : public QObject {
    Q_OBJECT
private slots:
    void broken_data();
    void broken();
    void mutated_texts_never_crash();
};

void KerasBroken::broken_data() {
    BrokenTexts::columns();
    const auto row = BrokenTexts::row;
    row("own class", R"({"class_name": "Mine", "config": {}})", 1, 1, "of a class of its author's own, \"Mine\"");
    row("no layers", R"({"class_name": "Model", "config": {"name": "m"}})", 1, 35, "no list of layers");
    row("empty", R"({"class_name": "Model", "config": {"layers": []}})", 1, 35, "has no layers");
    row("layer of no class", model("{\"config\": {}}"), 2, 1, "a class_name and a config");
    row("no input shape", R"({"class_name": "Sequential", "config": [
 {"class_name": "Dense", "config": {"units": 3}}]})",
        2, 2, "does not say what it reads");
    row("open channels", one("Dense", "\"units\": 7", "[null, 5, null]"), 2, 98, "left open");
    row("reads nothing", model(input("x", image) + ",\n" + layer("ReLU", "y", "")), 3, 1, "what the layer reads");
    row("name of no layer", model(input("x", image) + ",\n" + layer("ReLU", "y", "", from("xx"))), 3, 81,
        "no layer called \"xx\"");
    row("no such call",
        model(input("x", image) + ",\n" + layer("ReLU", "a", "", from("x") + ", " + from("x")) + ",\n" +
              layer("ReLU", "y", "", R"([["a", 2, 0, {}]])")),
        4, 81, "is called 2 times");
    row("no such result",
        model(input("x", image) + ",\n" + layer("ReLU", "a", "", from("x")) + ",\n" +
              layer("ReLU", "y", "", R"([["a", 0, 1, {}]])")),
        4, 81, "has 1 results");
    row("cycle",
        model(input("x", image) + ",\n" + layer("ReLU", "a", "", from("y")) + ",\n" +
              layer("ReLU", "y", "", from("a"))),
        3, 1, "its own result");
    row("twice", model(input("x", image) + ",\n" + input("x", image)), 3, 1, "Two layers are called \"x\"");
    row("no units", one("Dense", "", image), 3, 48, "does not say its \"units\"");
    row("no kernel", one("Conv2D", "\"filters\": 3", image), 3, 49, "does not say");
    row("not whole", one("Dense", "\"units\": 2.5", image), 3, 71, "whole number");
    row("padding", one("Conv2D", R"("filters": 3, "kernel_size": 1, "padding": "sane")", image), 3, 106,
        "no padding called \"sane\"");
    row("order", one("Conv2D", R"("filters": 3, "kernel_size": 1, "data_format": "last")", image), 3, 110, "no order");
    row("kernel too large", one("Conv2D", "\"filters\": 3, \"kernel_size\": 9", image), 3, 1, "does not fit");
    row("three kernels", one("Conv2D", "\"filters\": 3, \"kernel_size\": [1, 1, 1]", image), 3, 92,
        "one number for each axis");
    row("sequence for an image", one("Conv2D", "\"filters\": 3, \"kernel_size\": 1", steps), 3, 1, "reads an image");
    row("reshape", one("Reshape", "\"target_shape\": [7, -1]", image), 3, 1, "does not hold the elements");
    row("permute", one("Permute", "\"dims\": [1, 1]", steps), 3, 1, "no order of the axes");
    row("axis", one("BatchNormalization", "\"axis\": 7", image), 3, 1, "does not have");
    row("join",
        model(input("x", image) + ",\n" + input("z", steps) + ",\n" + layer("Concatenate", "y", "", from("x z"))), 4, 1,
        "cannot be joined");
    row("sum",
        model(input("x", image) + ",\n" + input("z", "[null, 7, 10, 3]") + ",\n" + layer("Add", "y", "", from("x z"))),
        4, 1, "do not fit");
    row("wrapper of nothing", one("TimeDistributed", "", steps), 3, 1, "wraps a layer");
    row("cells of another kind", one("RNN", R"("cell": {"class_name": "Mine", "config": {}})", steps), 3, 1,
        "type \"Mine\"");
}

void KerasBroken::broken() { BrokenTexts::are_refused("model.json", support::BrokenTexts::Said::in_problem); }

/// Every byte left out or changed once: a network or a problem, never a crash.
void KerasBroken::mutated_texts_never_crash() {
    const std::string text =
        model(input("x", image) + ",\n" +
              layer("Conv2D", "c", R"("filters": 4, "kernel_size": [3, 3], "padding": "same")", from("x")) + ",\n" +
              layer("Bidirectional", "b", R"("layer": {"class_name": "GRU", "config": {"units": 6}})", from("c")) +
              ",\n" + layer("Reshape", "y", R"("target_shape": [4, -1])", from("c")));
    for (std::size_t i = 0; i < text.size(); ++i)
        for (const char c : {'\0', '7', '"', '[', '-'}) {
            std::string changed = text;
            if (c == '\0')
                changed.erase(i, 1);
            else
                changed[i] = c;
            const auto draft = read_any_network_draft(changed, "model.json");
            if (!draft) QVERIFY(!draft.error().empty() && !draft.error()[0].remedy.empty());
        }
}

QTEST_APPLESS_MAIN(KerasBroken)
#include "tst_keras_broken.moc"
