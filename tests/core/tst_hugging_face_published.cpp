// SPDX-License-Identifier: GPL-3.0-or-later
// A model or more of each family that is read, two or more of the best known, with the total that others have
// published: the parameters are equal to it, or round to it where it was rounded.
// tests/data/published/hugging_face.json has configuration and source of each; a configuration that is no file of
// tests/data/models is written from the figures that its authors publish.
#include <QtTest>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "core/formats/hugging_face/families.hpp"
#include "core/formats/json_document.hpp"
#include "core/formats/library.hpp"
#include "core/support_library.hpp"

using namespace scalescope;
using support::messages;

namespace {

std::string bytes_of(const std::string& path) {
    std::ifstream file(std::string(SCALESCOPE_TEST_DATA "/") + path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// "124,439,808" is itself, "6.7B" anything that rounds to it.
struct Published {
    std::int64_t least = 0, most = 0;
};

Published parse(const std::string& text) {
    std::int64_t digits = 0, unit = 1, decimals = 1;
    bool fraction = false;
    for (const char c : text) {
        if (c >= '0' && c <= '9') {
            digits = 10 * digits + (c - '0');
            if (fraction) decimals *= 10;
        }
        if (c == '.') fraction = true;
        if (c == 'M') unit = 1'000'000;
        if (c == 'B') unit = 1'000'000'000;
    }
    const std::int64_t last = unit / decimals, value = digits * last;
    return unit == 1 ? Published{value, value} : Published{value - last / 2, value + last / 2};
}

}  // namespace

class HuggingFacePublished : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void totals();
    void two_of_each_known_family();
    void one_of_each_row();

private:
    std::string text_;
};

void HuggingFacePublished::initTestCase() { text_ = bytes_of("published/hugging_face.json"); }

void HuggingFacePublished::totals() {
    const auto document = formats::parse_json(text_, "hugging_face.json");
    QVERIFY(document.has_value());
    bool right = true;
    const formats::JsonValue rows = *document->root().find("models");
    for (const formats::JsonValue row : rows) {
        const std::string model(row.find("model")->text()), published(row.find("published")->text());
        QVERIFY2(!row.find("source")->text().empty(), model.c_str());
        const formats::JsonValue config = *row.find("config");
        const std::string text = config.is_string() ? bytes_of("models/hugging_face/" + std::string(config.text()))
                                                    : std::string(config.source());
        const auto network = formats::read_any_network(text, "config.json");
        QVERIFY2(network.has_value(), (model + ": " + (network ? "" : messages(network.error()))).c_str());
        const auto left_out = row.find("left_out");
        const std::int64_t is = (*network)->parameters() + (left_out ? left_out->integer() : 0);
        const Published should = parse(published);
        const bool equal = is >= should.least && is <= should.most;
        right = right && equal;
        std::fputs(((equal ? "  " : "! ") + model + ": " + std::to_string(is) + " for " + published + '\n').c_str(),
                   stdout);
    }
    QVERIFY2(right, "a total is another than the published one: see the lines with '!'");
}

void HuggingFacePublished::two_of_each_known_family() {
    const auto document = formats::parse_json(text_, "hugging_face.json");
    QVERIFY(document.has_value());
    std::map<std::string, int> models;
    const formats::JsonValue rows = *document->root().find("models");
    for (const formats::JsonValue row : rows) ++models[std::string(row.find("family")->text())];
    for (const char* family : {"GPT-2", "GPT-NeoX", "BERT", "T5", "OPT", "BLOOM", "Llama", "Mistral", "Mixtral",
                               "Qwen 2", "Qwen 3", "Gemma", "DeepSeek", "Phi", "Falcon", "ViT", "Whisper"})
        QVERIFY2(models[family] >= 2, family);
}

/// Every shipped family, by one of its names.
void HuggingFacePublished::one_of_each_row() {
    const auto document = formats::parse_json(text_, "hugging_face.json");
    QVERIFY(document.has_value());
    std::set<std::string> known;
    const formats::JsonValue rows = *document->root().find("models");
    for (const formats::JsonValue row : rows) {
        const formats::JsonValue config = *row.find("config");
        const std::string text = config.is_string() ? bytes_of("models/hugging_face/" + std::string(config.text()))
                                                    : std::string(config.source());
        const std::regex type("\"model_type\": *\"([^\"]*)\"");
        for (std::sregex_iterator found(text.begin(), text.end(), type), end; found != end; ++found)
            known.insert((*found)[1]);
    }
    for (const auto& family : formats::shipped_families().all()) {
        std::stringstream types{family->types};
        std::string type;
        bool any = family->types.empty() || !family->exact.empty();  // a class of another family's files
        while (types >> type) any = any || known.count(type) > 0;
        QVERIFY2(any, family->types.c_str());
    }
    QVERIFY(formats::shipped_families().all().size() > 80);
}

QTEST_APPLESS_MAIN(HuggingFacePublished)
#include "tst_hugging_face_published.moc"
