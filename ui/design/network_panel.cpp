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
#include "ui/live/layer_keys.hpp"
#include "ui/live/layer_texts.hpp"
#include "ui/live/live.hpp"
#include "ui/live/shown_rows.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/layer_list.hpp"

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
    const auto key_of = [this](const QString& id) {
        const Listed* row = listed(id);
        return row ? row->key : -1;
    };
    connect(layers_, &LayerList::selected_changed, this,
            [this, key_of](const QString& id) { emit selected(key_of(id)); });
    connect(layers_, &LayerList::hovered, this, [this, key_of](const QString& id) { emit hovered(key_of(id)); });
    connect(layers_, &LayerList::toggled, this, [this](const QString& id) {
        if (const Listed* row = listed(id)) emit toggled(row->path);
    });
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

void NetworkPanel::show_result(const LiveResult& r, const std::vector<ShownRow>& shown) {
    const Scenario& s = r.request.scenario;
    std::vector<LayerRow> rows;
    Seconds longest{0};
    listed_.clear();
    for (const ShownRow& from : shown) {
        const auto& network = s.workload[static_cast<std::size_t>(from.part)].network;
        const std::vector<int>& layers = from.row->layers;
        const auto all = [&](auto is) { return std::all_of(layers.begin(), layers.end(), is); };
        if (all([&](int l) { return network->facts()[static_cast<std::size_t>(l)].division == Division::source; }))
            continue;
        const auto texts = layer_texts(network);
        const LayerText& first = (*texts)[static_cast<std::size_t>(layers.front())];
        const bool one = layers.size() == 1;
        LayerRow row;
        row.id = one ? QString::number(from.key) : QLatin1Char('/') + plain(from.row->path);
        row.name = from.title;
        row.shape = !from.row->is_word ? (one ? first.shape : QString()) : told(from.row->size);
        row.depth = from.row->depth;
        row.fold = !from.row->has_children ? LayerRow::Fold::none
                   : from.open             ? LayerRow::Fold::open
                                           : LayerRow::Fold::closed;
        row.value = r.estimate ? from.time.total().value : std::numeric_limits<double>::quiet_NaN();
        row.share = r.estimate ? from.time.total() / r.estimate->summary.step : 0;
        if (!from.open) longest = std::max(longest, from.time.total());
        QStringList notes;
        if (one && first.name != row.name) notes << first.name;
        const auto guess = std::find_if(layers.begin(), layers.end(),
                                        [&](int l) { return !(*texts)[static_cast<std::size_t>(l)].guess.isEmpty(); });
        row.unknown = guess != layers.end();
        const auto frozen = [&](int l) {
            const auto& names = s.training.frozen;
            return std::binary_search(names.begin(), names.end(), network->layers()[static_cast<std::size_t>(l)].id);
        };
        const auto trained = [&](int l) {
            return network->facts()[static_cast<std::size_t>(l)].weights > 0 && !frozen(l);
        };
        if (std::any_of(layers.begin(), layers.end(), frozen) && std::none_of(layers.begin(), layers.end(), trained)) {
            notes << tr("frozen");
            row.name += tr(" ❄");
        }
        if (row.unknown) notes << (*texts)[static_cast<std::size_t>(*guess)].guess;
        row.note = notes.join(QStringLiteral(" · "));
        Listed& listed = listed_.emplace_back(Listed{row.id, from.row->path, from.key, {}});
        for (const int l : layers) listed.keys.push_back(layer_key(from.part, l));
        rows.push_back(std::move(row));
    }
    if (r.estimate) {
        const TimeUnit before = times_.unit;
        times_ = fitting_scale(longest, r.request.dragging ? std::optional(times_) : std::nullopt);
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

const NetworkPanel::Listed* NetworkPanel::listed(const QString& id) const {
    const auto at = std::find_if(listed_.begin(), listed_.end(), [&](const Listed& l) { return l.id == id; });
    return at == listed_.end() ? nullptr : &*at;
}

/// The innermost row on show that has the layer; the one that is selected, if it has it.
QString NetworkPanel::row_of(int key) const {
    const auto has = [key](const Listed& l) { return std::binary_search(l.keys.begin(), l.keys.end(), key); };
    if (const Listed* now = listed(layers_->selected()); now && now->key == key && has(*now)) return now->id;
    const auto at = std::find_if(listed_.rbegin(), listed_.rend(), has);
    return key < 0 || at == listed_.rend() ? QString() : at->id;
}

void NetworkPanel::set_selected(int key) { layers_->set_selected(row_of(key)); }
void NetworkPanel::set_hovered(int key) { layers_->set_hovered(row_of(key)); }

void NetworkPanel::context_menu(const QPoint& at) {
    const Listed* row = listed(layers_->selected());
    const Scenario& s = document_.scenario();
    if (!row || s.workload.size() != 1) return;
    const auto position = static_cast<std::size_t>(position_of_key(row->key));
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
