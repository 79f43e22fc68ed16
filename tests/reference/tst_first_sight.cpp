// SPDX-License-Identifier: GPL-3.0-or-later
// Real networks, with names that tell something and without: how many boxes they are at first sight, and folded level
// by level. The table is printed.
#include <QtTest>
#include <cstdio>

#include "core/drawing/drawing.hpp"
#include "core/drawing/folding.hpp"
#include "core/formats/library.hpp"
#include "support_model_files.hpp"

using namespace scalescope;
using namespace scalescope::drawing;

namespace {

/// What is wrong with the levels of a hierarchy, and a line of the table.
QString look_at(const std::string& name, const Network& network) {
    const Hierarchy h = make_hierarchy(network);
    const auto open = open_at_first(h, most_boxes);
    const Drawing d = draw(network, h, open, {});
    const auto boxes = std::count_if(d.boxes.begin(), d.boxes.end(), [](const Box& b) { return !b.open; });
    std::size_t longest = 0;
    for (const Item& i : h.items)
        if (i.repeat == 1 && !i.is_layer()) longest = std::max(longest, i.children.size());
    std::string sample;
    for (std::size_t i = 0; i < std::min<std::size_t>(4, h.top.size()); ++i)
        sample += (i > 0 ? " | " : "") + h.items[std::size_t(h.top[i])].title.substr(0, 40);
    std::printf("  %-52s %5d layers %3d boxes, at most %2d inside: %s\n", name.c_str(), network.size(), int(boxes),
                int(longest), sample.c_str());
    if (boxes > most_boxes) return QString("%1 boxes at first sight").arg(boxes);
    if (longest > std::size_t(most_boxes)) return QString("%1 boxes in a block").arg(longest);
    std::vector<int> seen(std::size_t(network.size()), 0);
    std::set<std::string> paths;
    for (const Item& i : h.items) {
        if (!paths.insert(i.path).second) return "two items called " + QString::fromStdString(i.path);
        if (i.is_layer()) ++seen[std::size_t(i.layers.front())];
    }
    for (int count : seen)
        if (count != 1) return QString("a layer is in %1 items").arg(count);
    return {};
}

std::shared_ptr<const Network> without_names(const Network& network) {
    NetworkDraft draft = network.draft();
    for (std::size_t l = 0; l < draft.layers.size(); ++l) draft.layers[l].name = "n" + std::to_string(l);
    return *Network::make(std::move(draft));
}

}  // namespace

class TestFirstSight : public QObject {
    Q_OBJECT

private slots:
    void presets() {
        QStringList wrong;
        const auto library = formats::load_shipped();
        for (const auto& preset : library.networks) {
            const auto loaded = library.network(preset.id);
            QVERIFY(loaded);
            const auto& network = *loaded;
            const std::string& id = preset.id;
            if (const QString w = look_at(id, *network); !w.isEmpty()) wrong << QString::fromStdString(id) + ": " + w;
            if (network->size() <= most_boxes) continue;
            const QString w = look_at(id + ", no names", *without_names(*network));
            if (!w.isEmpty()) wrong << QString::fromStdString(id) + " without names: " + w;
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join("; ")));
    }

    void files_of_others() {
        QStringList wrong;
        for (const char* folder : {"onnx", "caffe", "keras", "hugging_face"})
            for (const auto& [name, row] : support::csv_rows(folder, "outcomes.csv")) {
                const auto network = formats::read_any_network(support::model_text(folder, name), name);
                if (!network || (*network)->size() <= most_boxes) continue;
                const QString w = look_at(name, **network);
                if (!w.isEmpty()) wrong << QString::fromStdString(name) + ": " + w;
            }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join("; ")));
    }
};

QTEST_APPLESS_MAIN(TestFirstSight)
#include "tst_first_sight.moc"
