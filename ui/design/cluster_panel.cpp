// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/cluster_panel.hpp"

#include <QCoreApplication>
#include <QLabel>
#include <QVBoxLayout>

#include "core/base/format.hpp"
#include "core/scenario/clusters.hpp"
#include "core/scenario/hardware.hpp"
#include "core/words/device_words.hpp"
#include "core/words/link_words.hpp"
#include "ui/design/field_rows.hpp"
#include "ui/design/hardware_texts.hpp"
#include "ui/design/machine_panel.hpp"
#include "ui/document/document.hpp"
#include "ui/language/told.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/form.hpp"

namespace scalescope::ui {
namespace {

QString figures(const Device& d, Precision p) {
    const auto peak = d.peak_at(p);
    return QStringLiteral("%1 · %2").arg(peak ? told(format_rate(*peak)) : QStringLiteral("–"),
                                         told(format_rate(d.memory_bandwidth)));
}

QString figures(const Link& l) {
    QString line = QCoreApplication::translate("cluster", "%1 each way").arg(told(format_rate(l.bandwidth)));
    if (l.latency.value > 0)  // PALEO knows none
        line += QStringLiteral(" · %1 µs").arg(told(format_number(l.latency.value * 1e6)));
    else if (!l.paleo_key.empty())
        line += QStringLiteral(" · PALEO");
    return line;
}

/// PALEO's links say so in their section and caption; the closed list has no room for it twice.
QString short_name(const Link& l) {
    QString name = told(l.name);
    if (!l.paleo_key.empty() && name.endsWith(QLatin1String(" (PALEO)"))) name.chop(8);
    return name;
}

/// A device that lacks the precision trains in bf16 instead of a narrow one, or in fp32, which every device has.
void keep_precision(Scenario& s) {
    const auto lacks = [&] { return !s.cluster.device.peak_at(s.training.precision); };
    if (lacks()) s.training.precision = traits_of(s.training.precision).elements;
    if (lacks()) s.training.precision = Precision::fp32;
}

}  // namespace

ClusterPanel::ClusterPanel(Document& document, const Catalogue& catalogue, QWidget* parent)
    : QWidget(parent), document_(document), catalogue_(catalogue) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    auto combo = [&](const QString& accessible, const char* object) {
        auto* c = new Combo(accessible);
        c->setObjectName(QLatin1String(object));
        c->set_searchable(true);
        c->add_footer_action(QStringLiteral("edit"), tr("Duplicate and edit…"));
        return c;
    };
    cluster_ = new Combo(tr("Cluster"));
    cluster_->setObjectName(QStringLiteral("cluster"));
    cluster_->set_searchable(true);
    device_ = combo(tr("Device"), "device");
    between_ = combo(tr("Link between nodes"), "between");
    inside_ = combo(tr("Link inside a node"), "inside");
    // Names as drivers and tables write them.
    const auto id_of = [](const auto* found) { return found ? plain(found->id) : QString(); };
    const auto links = [this](const QString& search) {
        return read_links(catalogue_, search.toStdString(), &document_.scenario().cluster.device);
    };
    cluster_->set_reader(
        [this, id_of](const QString& search) { return id_of(read_device(catalogue_, search.toStdString()).cluster); });
    device_->set_reader(
        [this, id_of](const QString& search) { return id_of(read_device(catalogue_, search.toStdString()).device); });
    between_->set_reader([links, id_of](const QString& search) { return id_of(links(search).between); });
    inside_->set_reader([links, id_of](const QString& search) { return id_of(links(search).inside); });
    form_ = new Form;
    form_->add_row(tr("Cluster"), cluster_);
    device_line_ = form_->add_row(tr("Device"), device_);
    const Field& nodes = *find_field("cluster.nodes");
    const auto keep_nodes = [&nodes](Scenario& next, const Scenario& before) {
        set_field(next, nodes, field_number(nodes, before).value_or(1));
    };
    (new FieldRows(document_, this, form_))
        ->add_pair(tr("Nodes"), {.path = nodes.path, .doubling = true}, QStringLiteral("×"),
                   {.path = "cluster.devices_per_node", .also = keep_nodes, .doubling = true});
    between_line_ = form_->add_row(tr("Link"), between_);
    inside_line_ = form_->add_row(tr("Inside"), inside_);
    layout->addWidget(form_);
    machines_ = new MachinePanel(document_, catalogue_);
    layout->addWidget(machines_);
    layout->addStretch(1);

    connect(cluster_, &Combo::chosen, this, [this](const QString& id) {
        if (const ClusterPreset* c = catalogue_.cluster(id.toStdString()))
            document_.change([&](Scenario& s) {
                s.cluster = built_as(*c, catalogue_, s.cluster);
                keep_precision(s);
            });
    });
    connect(device_, &Combo::chosen, this, [this](const QString& id) {
        if (const Device* d = catalogue_.device(id.toStdString()))
            document_.change([&](Scenario& s) {
                s.cluster = with_device(std::move(s.cluster), *d, catalogue_);
                keep_precision(s);
            });
    });
    connect(between_, &Combo::chosen, this, [this](const QString& id) {
        if (const Link* l = catalogue_.link(id.toStdString()))
            document_.change([&](Scenario& s) { s.cluster.between = *l; });
    });
    connect(inside_, &Combo::chosen, this, [this](const QString& id) {
        if (const Link* l = catalogue_.link(id.toStdString()))
            document_.change([&](Scenario& s) { s.cluster.inside = *l; });
    });
    connect(device_, &Combo::footer_chosen, this, &ClusterPanel::edit_device_asked);
    connect(between_, &Combo::footer_chosen, this, [this] { emit edit_link_asked(false); });
    connect(inside_, &Combo::footer_chosen, this, [this] { emit edit_link_asked(true); });
    connect(machines_, &MachinePanel::edit_machine_asked, this, &ClusterPanel::edit_machine_asked);
    connect(&document_, &Document::changed, this, &ClusterPanel::show_scenario);
    fill();
    show_scenario();
}

void ClusterPanel::fill_clusters() {
    std::vector<ComboItem> items;
    const auto add = [&](const ClusterPreset& c, const QString& section) {
        ComboItem i;
        i.id = told(c.id);
        i.text = told(c.name);
        i.section = section;
        if (const Device* d = catalogue_.device(c.device)) {
            i.value = tr("%1 a node").arg(c.devices_per_node);
            i.tip = QStringLiteral("%1 × %2").arg(QString::number(c.devices_per_node), told(d->name));
        }
        const QString more = source_tip(c.sources, c.unverified, c.note);
        if (!more.isEmpty()) i.tip += QLatin1Char('\n') + more;
        items.push_back(std::move(i));
    };
    const auto& all = catalogue_.clusters;
    for (const ClusterPreset& c : all)
        if (catalogue_.owns(c)) add(c, tr("Own"));
    for (const bool paleo : {false, true})
        for (const ClusterPreset& c : all)
            if (!catalogue_.owns(c) && (c.family == "PALEO") == paleo)
                add(c, paleo ? tr("As in PALEO") : told(c.vendor));
    cluster_->set_items(std::move(items));
}

void ClusterPanel::fill() {
    fill_clusters();
    std::vector<ComboItem> devices;
    auto add_device = [&](const Device& d) {
        ComboItem i;
        i.id = told(d.id);
        i.text = told(d.name);
        i.section = catalogue_.owns(d) ? tr("Own") : d.family == "PALEO" ? tr("As in PALEO") : told(d.vendor);
        i.detail = d.year > 0 ? QString::number(d.year) : QString();
        if (const auto peak = d.peak_at(Precision::fp32)) i.value = told(format_rate(*peak));
        i.tip = source_tip(d.sources, d.unverified, d.note);
        devices.push_back(std::move(i));
    };
    // A person's own first, then by maker, PALEO's last.
    const auto paleo_row = [&](const Device& d) { return d.family == "PALEO" && !catalogue_.owns(d); };
    const auto shipped = [&](const Device& d) { return !paleo_row(d) && !catalogue_.owns(d); };
    for (const Device& d : catalogue_.devices)
        if (catalogue_.owns(d)) add_device(d);
    std::vector<std::string> vendors;
    for (const Device& d : catalogue_.devices)
        if (shipped(d) && std::find(vendors.begin(), vendors.end(), d.vendor) == vendors.end())
            vendors.push_back(d.vendor);
    for (const auto& v : vendors)
        for (const Device& d : catalogue_.devices)
            if (shipped(d) && d.vendor == v) add_device(d);
    for (const Device& d : catalogue_.devices)
        if (paleo_row(d)) add_device(d);
    device_->set_items(std::move(devices));

    std::vector<ComboItem> links;
    enum class Group { own, today, paleo };
    const auto group_of = [&](const Link& l) {
        return catalogue_.owns(l) ? Group::own : l.paleo_key.empty() ? Group::today : Group::paleo;
    };
    for (const Group group : {Group::own, Group::today, Group::paleo})
        for (const Link& l : catalogue_.links) {
            if (group_of(l) != group) continue;
            ComboItem i;
            i.id = told(l.id);
            i.text = short_name(l);
            i.section = group == Group::own ? tr("Own") : group == Group::paleo ? tr("As in PALEO") : tr("Links");
            i.value = told(format_rate(l.bandwidth));
            i.tip = source_tip(l.sources, l.unverified, l.note);
            links.push_back(std::move(i));
        }
    between_->set_items(links);
    inside_->set_items(std::move(links));
}

void ClusterPanel::show_scenario() {
    const bool cpu = is_cpu_cluster(document_.scenario());
    form_->setHidden(cpu);
    machines_->setHidden(!cpu);
    const Cluster& c = document_.scenario().cluster;
    const ClusterPreset* known = preset_of(c, catalogue_);
    cluster_->set_current(known ? told(known->id) : QString(), tr("Custom"));
    cluster_->setToolTip(known ? source_tip(known->sources, known->unverified, known->note)
                               : tr("Custom: the settings below match no preset cluster"));
    device_->set_current(told(c.device.id), told(c.device.name));
    between_->set_current(told(c.between.id), short_name(c.between));
    inside_->set_current(told(c.inside.id), short_name(c.inside));
    const auto show_tip = [](Combo* combo, const auto& hardware) {
        const QString more = source_tip(hardware.sources, hardware.unverified, hardware.note);
        combo->setToolTip(more.isEmpty() ? told(hardware.name) : told(hardware.name) + QLatin1Char('\n') + more);
    };
    show_tip(device_, c.device);
    show_tip(between_, c.between);
    show_tip(inside_, c.inside);
    Form::set_caption(*device_line_, figures(c.device, document_.scenario().training.precision));
    Form::set_caption(*between_line_, figures(c.between));
    const bool strange = c.devices_per_node > 1 && is_link_of_others(c.inside, c.device, catalogue_);
    Form::set_caption(*inside_line_,
                      !strange ? figures(c.inside)
                      : c.device.peer_link.empty()
                          ? tr("Made for other devices; this device has no such link")
                          : tr("Made for other devices; this device uses %1").arg(plain(c.device.peer_link)));
    set_ink(*inside_line_, strange ? Ink::warning : Ink::secondary);
    form_->set_row_visible(inside_, c.devices_per_node > 1);
}

}  // namespace scalescope::ui
