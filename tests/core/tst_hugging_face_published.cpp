// SPDX-License-Identifier: GPL-3.0-or-later
// A model or more of each family that is read, two or more of the best known, with the total that others have
// published: the parameters are equal to it, or round to it where it was rounded.
// tests/data/published/hugging_face.json has configuration and source of each; a configuration that is no file of
// tests/data/models is written from the figures that its authors publish.
#include <QtTest>
#include <cmath>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <tuple>

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
    void sizes_by_name();
    void multiply_adds_as_published();
    void sizes_are_those_of_presets();

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

/// Every size that is known by name has the parameters that it states.
void HuggingFacePublished::sizes_by_name() {
    const formats::Families& families = formats::shipped_families();
    int count = 0;
    for (const formats::FamilySize& size : formats::sizes(families)) {
        const std::string name = size.family + ' ' + size.size;
        QVERIFY2(!size.source.empty() && !size.title.empty(), name.c_str());
        auto draft = formats::network_of_size(families, size.family, size.size);
        QVERIFY2(draft.has_value(), (name + ": " + (draft ? "" : messages(draft.error()))).c_str());
        QCOMPARE(draft->name, size.title + ' ' + size.size);
        const auto network = Network::make(std::move(*draft));
        QVERIFY2(network.has_value(), name.c_str());
        const double billions = static_cast<double>((*network)->parameters()) / 1e9;
        QVERIFY2(std::abs(billions / size.billions - 1) < 1e-3, (name + ": " + std::to_string(billions)).c_str());
        ++count;
    }
    QVERIFY(count > 100);
    QVERIFY(!formats::network_of_size(families, "mpt", "4b") && !formats::network_of_size(families, "nobody's", "1b"));
    // as their authors publish them
    for (const auto& [family, size, published] : {std::tuple("llama-2", "70b", 68.98),
                                                  {"llama-3", "405b", 405.9},
                                                  {"mpt", "30b", 29.96},
                                                  {"gpt-3", "175b", 174.6},
                                                  {"falcon", "180b", 179.5},
                                                  {"mixtral", "8x7b", 46.7},
                                                  {"qwen2.5", "72b", 72.71},
                                                  {"internlm", "20b", 20.09}}) {
        auto draft = formats::network_of_size(families, family, size);
        QVERIFY2(draft.has_value(), family);
        const auto network = Network::make(std::move(*draft));
        const double billions = static_cast<double>((*network)->parameters()) / 1e9;
        QVERIFY2(std::abs(billions / published - 1) < 2e-3, (std::string(family) + std::to_string(billions)).c_str());
    }
}

/// Forward, in billions for one sample. torchvision's documentation calls them GFLOPS, DiT's and ShuffleNet's papers
/// FLOPs; those of YOLO are halved.
void HuggingFacePublished::multiply_adds_as_published() {
    const formats::Families& families = formats::shipped_families();
    const auto check = [&](const char* family, const char* size, double published) {
        auto draft = formats::network_of_size(families, family, size);
        QVERIFY2(draft.has_value(), family);
        const auto network = Network::make(std::move(*draft));
        const double has = static_cast<double>((*network)->multiply_adds()) / 1e9;
        QVERIFY2(std::abs(has / published - 1) < 0.02, (std::string(family) + ' ' + std::to_string(has)).c_str());
    };
    for (const auto& [family, size, published] :
         {std::tuple("resnet", "50", 4.089), {"wide-resnet", "50-2", 11.398}, {"resnext", "50-32x4d", 4.23},
          {"regnet-x", "16gf", 15.941},      {"regnet-y", "16gf", 15.912},    {"vgg", "11", 7.609},
          {"densenet", "161", 7.728},        {"squeezenet", "1.0", 0.819},    {"shufflenet_v2", "1.0x", 0.146},
          {"efficientnet", "b0", 0.386},     {"efficientnet", "b7", 37.746},  {"efficientnet_v2", "s", 8.366},
          {"mobilenet_v1", "1.0", 0.569},    {"mobilenet_v2", "1.0", 0.301},  {"mobilenet_v3", "large", 0.217},
          {"mnasnet", "1.0", 0.314},         {"mlp_mixer", "b-16", 12.61},    {"convnext", "tiny", 4.456},
          {"swin", "tiny", 4.491},           {"vit", "b-32", 4.409},          {"deeplab_v3", "50", 178.722},
          {"yolov3", "416", 65.86 / 2},      {"yolov5", "s", 16.5 / 2},       {"dit", "b-2", 23.01},
          {"dit", "xl-2", 118.64},           {"dit", "xl-2-512", 524.6}}) {
        check(family, size, published);
    }
    for (const auto& [family, size, published] : {std::tuple("r2plus1d", "18", 40.52),
                                                  {"r2plus1d", "34", 152.4},
                                                  {"r3d", "18", 40.7},
                                                  {"mc3", "18", 43.34},
                                                  {"c3d", "ucf101", 38.5},
                                                  {"x3d", "xs", 0.6},
                                                  {"x3d", "s", 1.96},
                                                  {"x3d", "m", 4.73},
                                                  {"x3d", "l", 18.37},
                                                  {"caffenet", "227", 0.724},
                                                  {"overfeat-accurate", "221", 5.369},
                                                  {"wide-resnet-cifar", "28-10", 5.24},
                                                  {"resnet-timm", "10t", 1.1},
                                                  {"twins-svt", "large", 15.14},
                                                  {"iresnet", "50", 6.33},
                                                  {"iresnet", "100", 12.13},
                                                  {"hrnet-pose", "w32", 7.7},
                                                  {"simple-baseline", "50", 5.46},
                                                  {"adm", "256", 1120.0},
                                                  {"adm", "512", 1983.0}}) {
        check(family, size, published);
    }
    // MMDetection's of 800 × 1280 cells, with 1000 proposals and 100 masks
    for (const auto& [type, published] :
         {std::pair("faster_rcnn", 207.07), {"mask_rcnn", 260.14}, {"retinanet", 239.32}}) {
        const std::string masks = type == std::string("mask_rcnn") ? ", \"masks\": 100" : "",
                          config = std::string("{\"model_type\": \"") + type +
                                   "\", \"image_width\": 1280, \"proposals\": 1000, \"num_classes\": 81" + masks + "}";
        const auto network = formats::read_any_network(config, "config.json");
        QVERIFY2(network.has_value(), type);
        const double has = static_cast<double>((*network)->multiply_adds()) / 1e9;
        QVERIFY2(std::abs(has / published - 1) < 0.02, (std::string(type) + ' ' + std::to_string(has)).c_str());
    }
}

/// A network that is a file of its own is also a size of its family.
void HuggingFacePublished::sizes_are_those_of_presets() {
    for (const auto& [preset, family, size] : {std::tuple("resnet-18", "resnet", "18"),
                                               {"resnet-34", "resnet", "34"},
                                               {"resnet-50", "resnet", "50"},
                                               {"resnet-101", "resnet", "101"},
                                               {"resnet-152", "resnet", "152"},
                                               {"resnext-101-32x4d", "resnext", "101-32x4d"},
                                               {"resnext-101-32x8d", "resnext", "101-32x8d"},
                                               {"resnext-101-64x4d", "resnext", "101-64x4d"},
                                               {"vgg-16", "vgg", "16"},
                                               {"vgg-19", "vgg", "19"},
                                               {"densenet-121", "densenet", "121"},
                                               {"efficientnet-b0", "efficientnet", "b0"},
                                               {"efficientnet-b4", "efficientnet", "b4"},
                                               {"mobilenet-v2", "mobilenet_v2", "1.0"}}) {
        const auto known = support::library().network(preset);
        auto draft = formats::network_of_size(formats::shipped_families(), family, size);
        QVERIFY2(known && draft, preset);
        const auto network = Network::make(std::move(*draft));
        QCOMPARE((*network)->parameters(), (*known)->parameters());
        const auto has = static_cast<double>((*network)->multiply_adds()),
                   should = static_cast<double>((*known)->multiply_adds());
        QVERIFY2(std::abs(has / should - 1) < 1e-3, preset);
    }
}

QTEST_APPLESS_MAIN(HuggingFacePublished)
#include "tst_hugging_face_published.moc"
