// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/link_words.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/letters.hpp"
#include "core/words/pieces.hpp"
#include "core/words/vocabulary.hpp"

namespace scalescope {
namespace {

/// One clause of a text that describes links.
struct Clause {
    std::string family;             ///< kind of link in presets/words, or empty
    std::optional<double> rate;     ///< bytes per second
    std::optional<double> cards;    ///< "8x"
    std::optional<int> generation;  ///< "NVLink 4", "PCIe Gen4", "EFA v2"
    bool each_device = false;       ///< the rate is per device
    bool in_bytes = false;          ///< the rate, as those of links inside a node
};

/// Splits the text at the signs and words that separate two links.
std::vector<std::string_view> clauses_of(std::string_view text) {
    std::vector<std::string_view> clauses;
    std::size_t from = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::size_t length = std::string_view(";+,|&()").find(text[i]) == std::string_view::npos ? 0 : 1;
        if (length == 1 && text[i] == ',' && i > 0 && i + 1 < text.size() && text[i - 1] >= '0' && text[i - 1] <= '9' &&
            text[i + 1] >= '0' && text[i + 1] <= '9')
            length = 0;  // inside a number
        for (const std::string_view word : {" and ", " with ", " plus "})
            if (length == 0 && text.substr(i).starts_with(word)) length = word.size();
        if (length == 0) continue;
        clauses.push_back(text.substr(from, i - from));
        from = i + length;
        i += length - 1;
    }
    clauses.push_back(text.substr(from));
    return clauses;
}

/// Bytes per second of a unit with the prefix giga or tera. It counts bits unless it has a capital B, as in "GB/s". 0
/// if it is not such a unit.
double rate_of_unit(const std::vector<Piece>& p, std::size_t i) {
    if (i >= p.size()) return 0;
    std::string written = p[i].written;
    if (written.size() == 1 && i + 1 < p.size() && p[i + 1].glued) written += p[i + 1].written;  // "GBps"
    const std::string unit = in_small_letters(written);
    if (unit != "g" && unit != "t" && !unit.starts_with("gb") && !unit.starts_with("tb") && !unit.starts_with("gig"))
        return 0;
    const double scale = unit[0] == 't' ? 1e12 : 1e9;
    const bool bytes = written.size() > 1 && written[1] == 'B' && unit != "gbe";
    return scale * (bytes ? 1.0 : 0.125);
}

Clause read_clause(const std::vector<Piece>& p) {
    Clause clause;
    clause.family = shipped_vocabulary().read("link", p).means;
    const PieceMatcher text(p);
    for (const std::string_view device : {"gpu", "device", "chip", "accelerator"})
        clause.each_device = clause.each_device || (text.find("per") && text.find(device));
    for (std::size_t i = 0; i < p.size(); ++i) {
        if (!p[i].number) {
            const bool v = p[i].text == "gen" || p[i].text == "v",
                       th = p[i].text == "th" || p[i].text == "rd" || p[i].text == "nd";
            if (th && i > 0 && i + 1 < p.size() && p[i - 1].number && p[i + 1].text.starts_with("gen"))
                clause.generation = static_cast<int>(count_of(p[i - 1]));
            if (v && i + 1 < p.size() && p[i + 1].number) clause.generation = static_cast<int>(count_of(p[i + 1]));
            continue;
        }
        const bool of_name = p[i].glued && i > 0 && !p[i - 1].number && p[i - 1].text != "x",
                   version = i > 0 && clause.family == "pcie" && !p[i - 1].number && p[i - 1].text != "x",
                   counts = i + 1 < p.size() && p[i + 1].text == "x" && !of_name && !version;  // not "PCIe 5.0x16"
        if (const double unit = rate_of_unit(p, i + 1); unit > 0)
            clause.rate = p[i].value * unit, clause.in_bytes = unit >= 1e9;
        else if (counts)
            clause.cards = p[i].value;
        else if (i > 0 && !clause.generation && p[i].value < 10 && p[i - 1].text != "x")
            clause.generation = static_cast<int>(count_of(p[i]));
        else if (i > 0 && p[i - 1].text.ends_with("dr") && !clause.rate)
            clause.rate = p[i].value * 0.125e9;  // "HDR200", "NDR400"
    }
    return clause;
}

bool same_rate(const Link& link, double rate) { return std::abs(link.bandwidth.value / rate - 1) < 0.1; }
class LinkReader {
public:
    LinkReader(const Catalogue& catalogue, std::string_view text, const Device* device)
        : catalogue_(catalogue), text_(text), device_(device) {}

    LinkReading read() {
        for (const std::string_view clause : clauses_of(text_)) take(pieces_of(clause));
        if (waiting_.cards && !reading_.cards)
            reading_.cards = static_cast<std::int64_t>(std::min(*waiting_.cards, 1e6));
        const bool of_inside = waiting_.in_bytes && reading_.inside;
        if (waiting_.rate && !reading_.between && !of_inside) take_between(waiting_);
        if (waiting_.each_device && reading_.between) reading_.card_per_device = true;
        return std::move(reading_);
    }

private:
    const Catalogue& catalogue_;
    std::string_view text_;
    const Device* device_;
    LinkReading reading_;
    Clause waiting_;  ///< rate or number of cards from clauses without a kind of link

    /// A link that the clause calls by its own name: "NVLink-C2C", "NeuronLink-v3", "H800 NVLink".
    const Link* named(const std::vector<Piece>& pieces) const {
        constexpr std::string_view plain[] = {"nv", "link", "switch", "x", "v", "gen"};
        return first([&](const Link& l) {
            const auto name = pieces_of(std::string_view(l.name).substr(0, l.name.find_first_of("(,")));
            PieceMatcher text(pieces);
            const bool all = l.scope == "inside a node" &&
                             std::all_of(name.begin(), name.end(), [&](const Piece& p) { return text.take(p.text); });
            return all && std::any_of(name.begin(), name.end(), [&](const Piece& p) {
                       return !p.number && std::find(std::begin(plain), std::end(plain), p.text) == std::end(plain) &&
                              shipped_vocabulary().read("link", p.text).means.empty();
                   });
        });
    }
    void take(const std::vector<Piece>& pieces) {
        const Clause clause = read_clause(pieces);
        if (const Link* link = named(pieces); link && !reading_.inside) {
            reading_.inside = link;
            return;
        }
        if (clause.family == "nvlink" || clause.family == "nvswitch") return take_nvlink(clause);
        if (clause.family == "pcie" || clause.family == "xgmi" || clause.family == "tpu-ici")
            return take_inside(clause);
        if (!clause.family.empty()) return take_between(clause);
        if (clause.rate && clause.rate < 1e15) waiting_.rate = clause.rate, waiting_.in_bytes = clause.in_bytes;
        waiting_.each_device = waiting_.each_device || clause.each_device;
        if (clause.cards) waiting_.cards = clause.cards;
    }

    template <class Is>
    const Link* first(Is is) const {
        const auto found = std::find_if(catalogue_.links.begin(), catalogue_.links.end(),
                                        [&](const Link& link) { return link.family != "PALEO" && is(link); });
        return found == catalogue_.links.end() ? nullptr : &*found;
    }
    /// The stated generation, otherwise that of the device's links.
    int generation(const Clause& clause, std::string_view kind) const {
        if (clause.generation) return *clause.generation;
        if (!device_) return 0;
        for (const std::string* link : {&device_->peer_link, &device_->host_link}) {
            const auto pieces = pieces_of(*link);
            if (!PieceMatcher(pieces).find(kind)) continue;
            for (const Piece& piece : pieces)
                if (piece.number) return static_cast<int>(count_of(piece));
        }
        return 0;
    }
    void take_nvlink(const Clause& clause) {
        // NVSwitch generations are counted separately: the third connects NVLink 4.
        const bool of_switch = clause.family == "nvswitch" && clause.generation.has_value();
        int of = generation(clause, "nvlink") + (of_switch ? 1 : 0);
        if (reading_.inside && reading_.inside->id.starts_with("nv")) of = reading_.inside->id.back() - '0';
        if (of == 0 && clause.rate)  // the rate of all links of a device, in both directions
            if (const Link* link =
                    first([&](const Link& l) { return l.id.starts_with("nvlink-") && same_rate(l, *clause.rate / 2); }))
                of = link->id.back() - '0';
        if (of == 0) return;
        // From the third generation on, eight devices are connected by switches; earlier only if the text says so.
        const bool switched = clause.family == "nvswitch" || of >= 3;
        const std::string id = (switched ? "nvswitch-" : "nvlink-") + std::to_string(of);
        const Link* link = first([&](const Link& l) { return l.id == id; });
        if (link && (!reading_.inside || clause.family == "nvswitch")) reading_.inside = link;
    }
    void take_inside(const Clause& clause) {
        const int of = generation(clause, clause.family == "pcie" ? "pcie" : clause.family);
        const Link* link = nullptr;
        if (clause.family == "pcie") {
            link = first([&](const Link& l) { return l.id == "pcie-" + std::to_string(of == 0 ? 3 : of) + "-x16"; });
        } else {
            const auto pieces = pieces_of(text_);
            link = first([&](const Link& l) {
                const std::string of_device = l.id.substr(l.id.rfind('-') + 1);
                return l.id.starts_with(clause.family) &&
                       ((device_ && device_->id.ends_with(of_device)) || PieceMatcher(pieces).find(of_device));
            });
        }
        if (link && !reading_.inside) reading_.inside = link;
    }
    void take_between(const Clause& asked) {
        Clause clause = asked;
        if (!clause.cards) clause.cards = waiting_.cards;
        if (!clause.rate && waiting_.rate) clause.rate = waiting_.rate, clause.each_device = waiting_.each_device;
        const auto of_family = [&](const Link& l) {
            if (clause.family == "roce") return l.id.ends_with("-roce");
            if (clause.family.empty() || clause.family == "rdma")
                return l.id.starts_with("infiniband") || l.id.starts_with("ethernet");
            return l.id.starts_with(clause.family);  // plain Ethernet stands before RoCE in the catalogue
        };
        const Link* link = nullptr;
        std::optional<double> cards = clause.cards;
        if (const Link* named = first([&](const Link& l) { return l.id == clause.family; })) {
            link = named;
            // "8x HDR 200 Gb/s" is the rate of one card; "HDR, 1.6 Tb/s" is that of all cards.
            if (clause.rate && !cards && *clause.rate > 1.5 * link->bandwidth.value)
                cards = std::round(*clause.rate / link->bandwidth.value);
        } else if (clause.rate) {
            // The rate is that of one card, or of all cards of a node.
            // If a cloud sells one rate per node, the link is the share of one of eight devices.
            const double first_try = clause.family == "aws-efa" ? 8.0 : 1.0;
            for (const double n : {first_try, cards.value_or(1.0), 1.0, 8.0, 4.0, 2.0, 16.0}) {
                // Prefer InfiniBand if the text does not name a kind.
                link = first([&](const Link& l) {
                    return of_family(l) && l.id.starts_with("infiniband") && same_rate(l, *clause.rate / n);
                });
                if (!link) link = first([&](const Link& l) { return of_family(l) && same_rate(l, *clause.rate / n); });
                if (!link) continue;
                if (n > 1 && !cards) cards = n;
                break;
            }
            if (link && (clause.family.empty() || clause.family == "rdma"))
                reading_.assumed.push_back(link->name + " between nodes is assumed.");
        } else if (clause.family == "aws-efa" || clause.family == "infiniband") {
            const int of = clause.generation.value_or(device_ && device_->year >= 2022 ? 2 : 1);
            link = clause.family == "aws-efa"
                       ? first([&](const Link& l) { return l.id == "aws-efa-" + std::to_string(of); })
                   : device_ ? usual_links(catalogue_, *device_).between
                             : nullptr;
            if (link && !of_family(*link)) link = nullptr;
        }
        if (!link) return;
        if (!reading_.between) reading_.between = link;
        if (cards) reading_.cards = static_cast<std::int64_t>(std::min(*cards, 1e6));
        // Links that clouds and systems sell are named after the share of one device.
        reading_.card_per_device = clause.each_device || (!cards && link->id.starts_with("aws-efa"));
    }
};

}  // namespace

LinkReading read_links(const Catalogue& catalogue, std::string_view text, const Device* device) {
    return LinkReader(catalogue, text, device).read();
}

UsualLinks usual_links(const Catalogue& catalogue, const Device& device) {
    UsualLinks usual;
    const auto with = [&](const auto& is) {
        const auto found =
            std::find_if(catalogue.clusters.begin(), catalogue.clusters.end(), [&](const ClusterPreset& c) {
                const Device* other = catalogue.device(c.device);
                return other && c.family != "PALEO" && is(*other);
            });
        return found == catalogue.clusters.end() ? nullptr : &*found;
    };
    const ClusterPreset* system = with([&](const Device& d) { return d.id == device.id; });
    if (!system && !device.peer_link.empty())
        system = with(
            [&](const Device& d) { return d.peer_link == device.peer_link && d.architecture == device.architecture; });
    if (system) {
        usual.inside = system->inside.empty() ? nullptr : catalogue.link(system->inside);
        usual.between = system->between.empty() ? nullptr : catalogue.link(system->between);
        usual.cards = system->nics_per_node;
        usual.devices_per_node = system->devices_per_node;
    }
    if (!usual.inside) {
        for (const std::string* link : {&device.peer_link, &device.host_link})
            if (!usual.inside && !link->empty()) usual.inside = read_links(catalogue, *link, &device).inside;
        usual.devices_per_node = 8;
    }
    if (!usual.between) {
        const char* id = device.year >= 2022   ? "infiniband-ndr"
                         : device.year >= 2020 ? "infiniband-hdr"
                         : device.year >= 2016 ? "infiniband-edr"
                                               : "ethernet-10g";
        usual.between = catalogue.link(id);
        usual.cards = device.year >= 2020 ? 8 : 1;
    }
    return usual;
}

}  // namespace scalescope
