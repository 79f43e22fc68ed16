// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/network_panel.hpp"

#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/format.hpp"
#include "core/estimate/dividing.hpp"
#include "core/words/network_words.hpp"
#include "ui/charts/scale.hpp"
#include "ui/design/symbol_form.hpp"
#include "ui/document/document.hpp"
#include "ui/document/files.hpp"
#include "ui/language/told.hpp"
#include "ui/live/layer_texts.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/layer_list.hpp"
#include "ui/window/chart_mapping.hpp"

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
    layers_ = new LayerList;
    layers_->setMinimumHeight(least_list);  // forms above and cards below leave it that
    layers_->setObjectName(QStringLiteral("layers"));
    layers_->set_titles(tr("Layer"), tr("Output"), tr("%1 per step").arg(unit_name(times_.unit)));
    layers_->set_formats([this](double seconds) { return time_text(seconds); },
                         [](double share) { return tr("%1 of the step").arg(told(format_percent(Fraction{share}))); });
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
    connect(network_, &Combo::footer_chosen, this, &NetworkPanel::open_asked);
    connect(layers_, &LayerList::selected_changed, this,
            [this](const QString& id) { emit selected(id.isEmpty() ? -1 : id.toInt()); });
    connect(layers_, &LayerList::hovered, this,
            [this](const QString& id) { emit hovered(id.isEmpty() ? -1 : id.toInt()); });
    layers_->view()->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(layers_->view(), &QWidget::customContextMenuRequested, this, &NetworkPanel::context_menu);
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

void NetworkPanel::show_result(const LiveResult& r) {
    const Scenario& s = r.request.scenario;
    std::vector<LayerRow> rows;
    std::shared_ptr<const std::vector<LayerText>> texts;
    int shown_part = -1;
    const auto add = [&](int part, int position, double seconds, double share) {
        const auto& network = s.workload[static_cast<std::size_t>(part)].network;
        const auto p = static_cast<std::size_t>(position);
        if (network->facts()[p].division == Division::source) return;
        if (part != shown_part) texts = layer_texts(network), shown_part = part;
        LayerRow row;
        row.id = QString::number(layer_key(part, position));
        row.name = (*texts)[p].name;
        row.shape = (*texts)[p].shape;
        row.value = seconds;
        row.share = share;
        row.note = (*texts)[p].guess;
        row.unknown = !row.note.isEmpty();
        if (std::binary_search(s.training.frozen.begin(), s.training.frozen.end(), network->layers()[p].id)) {
            row.note = row.unknown ? tr("frozen") + QStringLiteral(" · ") + row.note : tr("frozen");
            row.name += tr(" ❄");
        }
        rows.push_back(std::move(row));
    };
    if (r.estimate) {
        rows.reserve(r.estimate->layers.size());
        for (const LayerEstimate& e : r.estimate->layers)
            add(e.part, e.position, e.total().value, e.total() / r.estimate->summary.step);
    } else {  // a design that makes no sense has a network all the same
        for (std::size_t part = 0; part < s.workload.size(); ++part)
            for (int l = 0; s.workload[part].network && l < s.workload[part].network->size(); ++l)
                add(static_cast<int>(part), l, std::numeric_limits<double>::quiet_NaN(), 0);
    }
    if (r.estimate) {
        const TimeUnit before = times_.unit;
        times_ = fitting_scale(longest_layer(*r.estimate), r.request.dragging ? std::optional(times_) : std::nullopt);
        if (times_.unit != before)
            layers_->set_titles(tr("Layer"), tr("Output"), tr("%1 per step").arg(unit_name(times_.unit)));
    }
    layers_->set_rows(std::move(rows));
    layers_->set_struck(!cannot_run_text(s, r.estimate).isEmpty());
    QString step = QStringLiteral("–");
    if (r.estimate) {  // in the unit of the layers, unless they are far shorter
        const Seconds time = r.estimate->summary.step;
        step = fitting_unit(time) == times_.unit ? time_text(time.value) : told(format_time(time));
    }
    layers_->set_total(tr("Step"), step);
}

/// Most layers are small beside the longest: one decimal more than that needs.
QString NetworkPanel::time_text(double seconds) const {
    return told(format_in(Seconds{seconds}, {times_.unit, std::min(times_.decimals + 1, 3)}));
}

void NetworkPanel::set_selected(int key) { layers_->set_selected(key < 0 ? QString() : QString::number(key)); }
void NetworkPanel::set_hovered(int key) { layers_->set_hovered(key < 0 ? QString() : QString::number(key)); }

void NetworkPanel::context_menu(const QPoint& at) {
    const QString id = layers_->selected();
    const Scenario& s = document_.scenario();
    if (id.isEmpty() || s.workload.size() != 1) return;
    const auto position = static_cast<std::size_t>(position_of_key(id.toInt()));
    const Network& network = *s.workload.front().network;
    if (position >= static_cast<std::size_t>(network.size())) return;
    const LayerId layer = network.layers()[position].id;
    const bool frozen = std::binary_search(s.training.frozen.begin(), s.training.frozen.end(), layer);
    auto set_frozen = [this](auto change) {
        Scenario next = document_.scenario();
        change(next.training.frozen);
        std::sort(next.training.frozen.begin(), next.training.frozen.end());
        next.training.frozen.erase(std::unique(next.training.frozen.begin(), next.training.frozen.end()),
                                   next.training.frozen.end());
        document_.edit(std::move(next));
    };
    QMenu menu(this);
    const QString name = told(network.layers()[position].name);
    const bool has_weights = network.facts()[position].weights > 0;
    QAction* one = menu.addAction(frozen ? tr("Train %1 again").arg(name) : tr("Freeze %1").arg(name));
    one->setEnabled(has_weights);
    QAction* before = menu.addAction(tr("Freeze all layers up to %1").arg(name));
    QAction* none = menu.addAction(tr("Train all layers"));
    none->setEnabled(!s.training.frozen.empty());
    menu.addSeparator();
    const auto& named = s.parallelism.recompute_layers;
    const bool recomputed =
        s.parallelism.recompute == Recompute::layers && std::binary_search(named.begin(), named.end(), layer);
    QAction* again = menu.addAction(recomputed ? tr("Keep the activations of %1").arg(name)
                                               : tr("Recompute %1 in the backward pass").arg(name));
    menu.addSeparator();
    QAction* cut = menu.addAction(tr("Hybrid: back part from %1").arg(name));
    const std::vector<int> cuts = cut_positions(network, s.cluster.workers);
    cut->setEnabled(std::binary_search(cuts.begin(), cuts.end(), static_cast<int>(position)));
    const QAction* chosen = menu.exec(layers_->view()->viewport()->mapToGlobal(at));
    if (chosen == one) {
        set_frozen([&](std::vector<LayerId>& f) {
            if (frozen)
                f.erase(std::remove(f.begin(), f.end(), layer), f.end());
            else
                f.push_back(layer);
        });
    } else if (chosen == before) {
        set_frozen([&](std::vector<LayerId>& f) {
            for (std::size_t l = 0; l <= position; ++l)
                if (network.facts()[l].weights > 0) f.push_back(network.layers()[l].id);
        });
    } else if (chosen == none) {
        set_frozen([](std::vector<LayerId>& f) { f.clear(); });
    } else if (chosen == again) {
        Scenario next = document_.scenario();
        auto& layers = next.parallelism.recompute_layers;
        const auto place = std::lower_bound(layers.begin(), layers.end(), layer);
        if (recomputed)
            layers.erase(place);
        else if (place == layers.end() || *place != layer)
            layers.insert(place, layer);
        next.parallelism.recompute = Recompute::layers;
        document_.edit(std::move(next));
    } else if (chosen == cut) {
        document_.edit(with_cut(document_.scenario(), static_cast<int>(position)));
    }
}

}  // namespace scalescope::ui
