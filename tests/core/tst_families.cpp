// SPDX-License-Identifier: GPL-3.0-or-later
// Files of families: what is shipped is right, what a person writes is read with it, and what is wrong is reported with
// its place before or while a network is drawn.
#include <QtTest>

#include "core/formats/embedded.hpp"
#include "core/formats/hugging_face/families.hpp"
#include "core/formats/library.hpp"
#include "core/support_library.hpp"

using namespace scalescope;
using formats::Families;
using support::messages;

namespace {

constexpr auto head = "{\"format\": \"scalescope-families\", \"version\": 1, \"families\": [\n";

Result<Families> with(const std::string& families) {
    return formats::read_families(head + families + "]}", "f.json", formats::shipped_families());
}

std::int64_t parameters(const Families& families, const std::string& config) {
    auto draft = formats::import_hugging_face_config(config, "c.json", nullptr, {}, &families);
    if (!draft) qFatal("%s", messages(draft.error()).c_str());
    auto network = Network::make(std::move(*draft));
    if (!network) qFatal("%s", messages(network.error()).c_str());
    return (*network)->parameters();
}

const std::string figures = R"j("vocab_size": 40, "hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2,
    "intermediate_size": 12, "max_position_embeddings": 16})j";

}  // namespace

class FamiliesTest : public QObject {
    Q_OBJECT
private slots:
    void shipped_files_are_read();
    void a_family_of_three_lines();
    void blocks_of_its_own();
    void whole_part_of_a_decimal();
    void own_folder();
    void wrong_data();
    void wrong();
};

/// shipped_families() leaves out what cannot be read.
void FamiliesTest::shipped_files_are_read() {
    std::vector<formats::hugging_face::Family> all;
    for (const auto& file : formats::embedded_files()) {
        if (!file.path.starts_with("families/")) continue;
        auto read = formats::hugging_face::read_family_file(file.text, std::string(file.path));
        QVERIFY2(read.has_value(), read ? "" : messages(read.error()).c_str());
        for (auto& f : *read) all.push_back(std::move(f));
    }
    const std::size_t count = all.size();
    const auto families = Families().with(std::move(all));
    QVERIFY2(families.has_value(), families ? "" : messages(families.error()).c_str());
    QCOMPARE(families->all().size(), count);  // every name once
    QCOMPARE(formats::shipped_families().all().size(), count);
}

void FamiliesTest::a_family_of_three_lines() {
    const auto families = with(R"j({"types": "mine", "like": "decoder", "title": "Mine",
        "figures": {"norm": "'layer'", "gated": false, "qkv_bias": true}, "defaults": {"activation": "'gelu'"}})j");
    QVERIFY2(families.has_value(), families ? "" : messages(families.error()).c_str());
    const std::int64_t block = 4 * 64 + 3 * 8 + 2 * 8 * 12 + 2 * 16;
    QCOMPARE(parameters(*families, R"j({"model_type": "mine", )j" + figures), 2 * 40 * 8 + 2 * block + 16);
    // what is shipped is untouched
    QVERIFY(!formats::shipped_families().of_type("mine"));
    QCOMPARE(parameters(*families, R"j({"model_type": "llama", )j" + figures),
             parameters(formats::shipped_families(), R"j({"model_type": "llama", )j" + figures));
}

void FamiliesTest::whole_part_of_a_decimal() {
    const auto families = with(R"j({"types": "mine", "like": "llama", "figures": {
        "share": {"keys": "share", "kind": "number"}, "hidden": "floor(5 * share) - floor(0 - share) - floor(3)"}})j");
    QVERIFY2(families.has_value(), families ? "" : messages(families.error()).c_str());
    const std::string same =
        R"j("vocab_size": 40, "hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2, )j";
    QCOMPARE(
        parameters(*families, R"j({"model_type": "mine", "share": 2.65, )j" + same + R"j("intermediate_size": 1})j"),
        parameters(*families, R"j({"model_type": "llama", )j" + same + R"j("intermediate_size": 13})j"));
}

void FamiliesTest::blocks_of_its_own() {
    const auto families = with(R"j({"types": "mine", "like": "decoder",
        "figures": {"bottleneck": {"keys": "rank", "otherwise": 2}},
        "blocks": {"dense_mlp(x)": ["x = dense(x, units: bottleneck, bias: false) as down if layer == 0",
                                    "y = dense(x, units: width, bias: false) as up",
                                    "x = scale(y, scale: true, bias: false) as {activation}_scale"]
}
})j");
    QVERIFY2(families.has_value(), families ? "" : messages(families.error()).c_str());
    const std::int64_t attention = 4 * 64 + 16, first = 8 * 2 + 2 * 8 + 8, second = 8 * 8 + 8;
    QCOMPARE(parameters(*families, R"j({"model_type": "mine", )j" + figures),
             2 * 40 * 8 + 2 * attention + first + second + 8);
    QCOMPARE(parameters(*families, R"j({"model_type": "mine", "rank": 3, )j" + figures),
             2 * 40 * 8 + 2 * attention + first + 16 + second + 8);
}

/// A person's files are read with the shipped ones; one that is wrong is left out, and one may replace another.
void FamiliesTest::own_folder() {
    const QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkdir("families") && QDir(folder.path()).mkdir("networks"));
    const auto write = [&](const char* name, const std::string& text) {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(text));
    };
    write("families/a.json", head + std::string(R"j({"types": "mine", "like": "decoder", "title": "Mine"}]})j"));
    write("families/b.json",
          head + std::string(R"j({"types": "llama", "like": "decoder", "figures": {"norm": "'layer'"}}]})j"));
    write("families/c.json", head + std::string(R"j({"types": "broken", "like": "nothing"}]})j"));
    write("networks/of-mine.json", R"j({"model_type": "mine", )j" + figures);
    formats::Library library = formats::load_shipped();
    formats::add_folder(library, folder.path().toStdString());
    QVERIFY2(library.network("of-mine").has_value(), messages(library.problems).c_str());
    const std::string said = messages(library.problems);
    QVERIFY2(said.find("\"llama\" of this file takes the place") != std::string::npos, said.c_str());
    QVERIFY2(said.find("Left out: There is no family \"nothing\"") != std::string::npos, said.c_str());
    QVERIFY(library.families && library.families->of_type("mine") && !library.families->of_type("broken"));
    QCOMPARE(parameters(*library.families, R"j({"model_type": "llama", )j" + figures),
             parameters(formats::shipped_families(), R"j({"model_type": "llama", )j" + figures) + 5 * 8);
}

void FamiliesTest::wrong_data() {
    QTest::addColumn<QString>("family");
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const char* family, const char* place, const char* words) {
        QTest::newRow(name) << QString::fromUtf8(family) << QString::fromUtf8(place) << QString::fromUtf8(words);
    };
    row("block", R"j({"types": "m", "like": "decoder", "blocks": {"mlp(x)": ["x = denze(x, units: 3)"]}})j", "2:58",
        "no block and no kind of layer \"denze\"");
    row("attribute", R"j({"types": "m", "like": "decoder", "blocks": {"mlp(x)": ["x = dense(x, unit: 3)"]}})j", "2:77",
        "\"dense\" has no \"unit\"");
    row("inputs", R"j({"types": "m", "like": "decoder", "blocks": {"mlp(x)": ["x = dense(units: 3)"]}})j", "2:58",
        "does not have 0 inputs");
    row("line", R"j({"types": "m", "like": "decoder", "blocks": {"mlp(x)": ["x = dense(x, units: 3"]}})j",
        "2:", "\")\" is missing");
    row("formula", R"j({"types": "m", "like": "decoder", "figures": {"window": "3 +"}})j", "2:", "is missing");
    row("member", R"j({"types": "m", "like": "decoder", "figure": {}})j", "2:35", "figure");
    row("like nothing", R"j({"types": "m", "like": "llamma"})j", "2:1", "no family \"llamma\"");
    row("like itself", R"j({"types": "m", "like": "n"}, {"name": "n", "like": "m"})j", "2:", "back to itself");
    row("default", R"j({"types": "m", "like": "decoder", "defaults": {"wide": 3}})j", "2:56", "no figure \"wide\"");
    row("no entry", R"j({"types": "m"})j", "2:1", "no block \"tower\"");
    // found while drawing
    row("figure", R"j({"types": "m", "like": "decoder", "figures": {"window": "wide"}})j", "2:58",
        "no figure \"wide\"");
    row("loop", R"j({"types": "m", "like": "decoder", "figures": {"window": "pane", "pane": "window"}})j",
        "2:", "depends on itself");
    row("block in itself", R"j({"types": "m", "like": "decoder", "blocks": {"mlp(x)": ["x = mlp(x)"]}})j", "2:46",
        "nested too deeply");
    row("zero", R"j({"types": "m", "like": "decoder", "figures": {"window": "8 / (layers - 2)"}})j", "2:60",
        "divides by zero");
    row("element", R"j({"types": "m", "like": "decoder", "figures": {"window": "[1, 2][layers]"}})j", "2:58",
        "no element 2 of 2");
    row("large", R"j({"types": "m", "like": "decoder", "figures": {"window": "power(9, 63)"}})j", "2:58", "too large");
    row("vast", R"j({"types": "m", "like": "decoder", "figures": {"vast": 1e300, "window": "floor(vast)"}})j",
        "2:", "too large");
    row("words", R"j({"types": "m", "like": "decoder", "figures": {"window": "'a' * 2"}})j", "2:62", "two numbers");
    row("value", R"j({"types": "m", "like": "decoder", "blocks": {"mlp(x)": ["x = dense(x, units: 0 - 1)"]}})j", "2:80",
        "\"units\" cannot be \"-1\"");
    row("forever",
        R"j({"types": "m", "like": "decoder", "blocks": {"mlp(x)": ["x = identity(x) as i for i < 9000000"]}})j",
        "2:58", "more than 100000 layers");
    row("twice",
        R"j({"types": "m", "like": "decoder", "blocks": {"mlp(x)": ["y = identity(x)", "x = identity(y) as y"]}})j",
        "2:77", "another layer \"h0/mlp/y\"");
    row("length",
        R"j({"types": "m", "like": "decoder", "symbols": {"sequence": {"initial": "0 - layers", "about": ""}}})j",
        "2:", "cannot be -2");
    row("symbol", R"j({"types": "m", "like": "decoder", "symbols": {"a b": {"about": ""}}})j",
        "2:", "no name of a symbol");
    row("part", R"j({"name": "n", "like": "decoder", "blocks": {"mlp(x)": ["x = denze(x)"]}})j", "2:57",
        "no kind of layer \"denze\"");
    row("not a layer", R"j({"types": "m", "like": "decoder", "blocks": {"mlp(x)": ["x = identity(width)"]}})j", "2:71",
        "is 8 and not a layer");
}

void FamiliesTest::wrong() {
    QFETCH(QString, family);
    QFETCH(QString, place);
    QFETCH(QString, words);
    const auto families = with(family.toStdString());
    Problems problems;
    if (!families) {
        problems = families.error();
    } else {
        const auto draft = formats::import_hugging_face_config(R"j({"model_type": "m", )j" + figures, "c.json", nullptr,
                                                               {}, &*families);
        QVERIFY(!draft);
        problems = draft.error();
    }
    const auto said = QString::fromStdString(to_text(problems.front()));
    QVERIFY2(said.startsWith(QStringLiteral("f.json:") + place), qPrintable(said));
    QVERIFY2(said.contains(words), qPrintable(said));
    for (const Problem& p : problems) QVERIFY2(!p.remedy.empty(), to_text(p).c_str());
}

QTEST_APPLESS_MAIN(FamiliesTest)
#include "tst_families.moc"
