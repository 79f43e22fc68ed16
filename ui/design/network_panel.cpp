// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/network_panel.hpp"

#include <QLabel>
#include <QMenu>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/format.hpp"
#include "core/estimate/dividing.hpp"
#include "core/words/network_words.hpp"
#include "ui/design/layer_list.hpp"
#include "ui/design/symbol_form.hpp"
#include "ui/document/document.hpp"
#include "ui/document/files.hpp"
#include "ui/language/told.hpp"
#include "ui/live/layer_keys.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/combo.hpp"

namespace scalescope::ui {
namespace {

constexpr int least_list = 132;  // the head, four layers and the step

}  // namespace

NetworkPanel::NetworkPanel(Document& document, const formats::Library& library, QWidget* parent)
    : QWidget(parent), document_(document), library_(library) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    network_ = new Combo(tr("Network"));
    network_->setObjectName(QStringLiteral("network"));
    network_->set_searchable(true);
    network_->add_footer_action(QStringLiteral("gallery"), tr("Gallery…"), "layers");
    network_->add_footer_action(QStringLiteral("open"), tr("Open a file…"), "open");
    std::vector<ComboItem> items;
    for (const auto& p : library_.networks) {
        ComboItem i;
        i.id = told(p.id);
        i.text = told(p.name);
        i.tip = told(p.description);
        i.section = p.own                                 ? tr("Own")
                    : p.id.rfind("paleo/", 0) == 0        ? tr("As in PALEO")
                    : p.id.rfind("transformers/", 0) == 0 ? tr("Transformers")
                                                          : tr("Networks");
        items.push_back(std::move(i));
    }
    network_->set_items(std::move(items));
    network_->set_reader(
        [this](const QString& search) { return plain(read_network(library_, search.toStdString()).id); });
    facts_ = make_label({}, type::table(), Ink::secondary);
    facts_->setToolTip(tr("Floating-point operations of the forward pass; a multiply-add is two"));
    layers_ = new LayerList(LayerList::Columns::fitting);
    layers_->setMinimumHeight(least_list);  // forms above and cards below leave it that
    layers_->setObjectName(QStringLiteral("layers"));
    auto* inset =
        new QVBoxLayout;  // the combo and its line stand where other cards' content does; the list reaches out
    inset->setContentsMargins(6, 0, 6, 0);
    inset->setSpacing(6);
    inset->addWidget(network_);
    inset->addWidget(facts_);
    inset->addWidget(new SymbolForm(document_));
    layout->addLayout(inset);
    layout->addWidget(layers_, 1);

    connect(network_, &Combo::chosen, this, &NetworkPanel::choose);
    connect(network_, &Combo::footer_chosen, this,
            [this](const QString& id) { id == QLatin1String("gallery") ? emit gallery_asked() : emit open_asked(); });
    connect(&document_, &Document::changed, this, &NetworkPanel::show_scenario);
    show_scenario();
}

void NetworkPanel::choose(const QString& id) {
    auto network = library_.network(id.toStdString());
    if (!network) {
        emit problems_found(network.error(), id);
        return;
    }
    Scenario s = with_network(document_.scenario(), *network);
    s.workload.front().origin = id.toStdString();
    document_.edit(std::move(s));
}

void NetworkPanel::show_scenario() {
    const Scenario& s = document_.scenario();
    const Network* n = s.network();
    if (!n) return;
    const QString origin = s.workload.size() == 1 ? told(s.workload.front().origin) : QString();
    QString name = told(n->name());
    if (s.workload.size() > 1) name = tr("%1 and %2 more").arg(name).arg(s.workload.size() - 1);
    network_->set_current(origin, name);
    // FLOPs of a forward pass: two per multiply-add, the field's convention.
    const Flops forward{2.0 * static_cast<double>(n->multiply_adds())};
    facts_->setText(tr("%1 parameters · %2/sample")
                        .arg(told_large_count(static_cast<double>(n->parameters())), told(format_work(forward))));
}

/// What can be done to a layer: `key` as in layer_keys.hpp.
void NetworkPanel::add_layer_actions(QMenu& menu, int key) {
    const Scenario& s = document_.scenario();
    const auto position = static_cast<std::size_t>(position_of_key(key));
    if (s.workload.size() != 1 || position >= static_cast<std::size_t>(s.workload.front().network->size())) return;
    const auto network = s.workload.front().network;
    const LayerId layer = network->layers()[position].id;
    const QString name = told(network->layers()[position].name);
    const auto add = [&](const QString& text, bool enabled, auto change) {
        menu.addAction(text, this,
                       [this, change] {
                           Scenario next = document_.scenario();
                           change(next);
                           document_.edit(std::move(next));
                       })
            ->setEnabled(enabled);
    };
    /// Puts a layer into an ordered list, or takes it out.
    static constexpr auto set = [](std::vector<LayerId>& list, LayerId id, bool in) {
        const auto at = std::lower_bound(list.begin(), list.end(), id);
        const bool is_in = at != list.end() && *at == id;
        if (in && !is_in) list.insert(at, id);
        if (!in && is_in) list.erase(at);
    };
    const auto& frozen = s.training.frozen;
    const bool is_frozen = std::binary_search(frozen.begin(), frozen.end(), layer);
    add(is_frozen ? tr("Train %1 again").arg(name) : tr("Freeze %1").arg(name), network->facts()[position].weights > 0,
        [=](Scenario& next) { set(next.training.frozen, layer, !is_frozen); });
    add(tr("Freeze all layers up to %1").arg(name), true, [=](Scenario& next) {
        for (std::size_t l = 0; l <= position; ++l)
            if (network->facts()[l].weights > 0) set(next.training.frozen, network->layers()[l].id, true);
    });
    add(tr("Train all layers"), !frozen.empty(), [](Scenario& next) { next.training.frozen.clear(); });
    menu.addSeparator();
    const auto& again = s.parallelism.recompute_layers;
    const bool recomputed =
        s.parallelism.recompute == Recompute::layers && std::binary_search(again.begin(), again.end(), layer);
    add(recomputed ? tr("Keep the activations of %1").arg(name) : tr("Recompute %1 in the backward pass").arg(name),
        true, [=](Scenario& next) {
            set(next.parallelism.recompute_layers, layer, !recomputed);
            next.parallelism.recompute = Recompute::layers;
        });
    menu.addSeparator();
    const std::vector<int> cuts = cut_positions(*network, s.cluster.workers);
    const int cut = static_cast<int>(position);
    add(tr("Hybrid: back part from %1").arg(name), std::binary_search(cuts.begin(), cuts.end(), cut),
        [cut](Scenario& next) { next = with_cut(next, cut); });
}

}  // namespace scalescope::ui
