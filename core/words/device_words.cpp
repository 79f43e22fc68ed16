// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/device_words.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/format.hpp"
#include "core/base/letters.hpp"
#include "core/base/limits.hpp"
#include "core/base/listed.hpp"
#include "core/base/name_list.hpp"
#include "core/base/suggest.hpp"
#include "core/words/device_parts.hpp"
#include "core/words/pieces.hpp"
#include "core/words/vocabulary.hpp"

namespace scalescope {
namespace {

using namespace words;

/// Words that turn the model name before them into a different model.
constexpr std::array<std::string_view, 7> variants{"ti", "super", "max", "ada", "mobile", "laptop", "notebook"};

/// Words after which a number is a model: "RTX 6000".
constexpr std::array<std::string_view, 8> brands{"nvidia", "geforce", "quadro", "rtx", "gtx", "amd", "radeon", "intel"};

/// Whether the model is only a number or a few letters, which are a device's name only beside its product line: "6000",
/// "vii".
bool is_bare(std::string_view model) {
    constexpr std::string_view digits = "0123456789";
    return model.size() <= 4 && (model.find_first_not_of(digits) == std::string_view::npos ||
                                 model.find_first_of(digits) == std::string_view::npos);
}

/// Tolerates the different ways in which drivers and catalogues count memory.
bool alike(double stated, double memory) { return std::abs(stated / memory - 1) < 0.072; }

/// "hgxh100" → "hgx h100", "rtxa5000" → "rtx a5000".
std::string with_systems_apart(std::string_view written) {
    std::string text = in_small_letters(written).size() == written.size() ? std::string(written) : std::string();
    for (const std::string_view system : {"hgx", "dgx", "rtx", "gtx"})
        if (const auto at = in_small_letters(text).find(system); at != std::string::npos)
            text.insert(at + system.size(), " ");
    return text;
}

class DeviceReader {
public:
    DeviceReader(const Catalogue& catalogue, std::string_view written)
        : catalogue_(catalogue), pieces_(pieces_of(with_systems_apart(written))), text_(pieces_), written_(written) {}

    /// `called`: the device that a phrase of the vocabulary names, if one does; with " x8" behind it, the phrase names
    /// an instance or server with eight of them.
    DeviceReading read(std::string_view called) {
        stated_ = take_parts(text_);
        const std::size_t id_end = std::min(called.find(' '), called.size());
        if (const Device* device = catalogue_.device(called.substr(0, id_end))) {
            fitting_.push_back({device, parts_of(*device)});
            if (id_end < called.size()) system_size_ = count_of(pieces_of(called.substr(id_end)).back());
        } else {
            find_model();
        }
        find_cluster();
        if (fitting_.empty() && reading_.cluster) take_from_cluster();
        find_count();
        narrow();
        return std::move(reading_);
    }

private:
    struct Known {
        const Device* device;
        Parts parts;
    };
    const Catalogue& catalogue_;
    const std::vector<Piece> pieces_;
    PieceMatcher text_;
    std::string_view written_;
    Parts stated_;
    std::vector<Known> fitting_;
    std::size_t model_at_ = PieceMatcher::no_place, model_end_ = 0;
    std::int64_t system_size_ = 0;  ///< devices of an instance that is named without them
    DeviceReading reading_;

    /// Whether the text contains the model as a separate word: "A10G" does not contain "a10".
    bool stands(const std::string& model, std::size_t& at, std::size_t& end) const {
        at = is_bare(model) ? find_bare(model) : text_.find_at(model);
        if (at == PieceMatcher::no_place) return false;
        end = at;
        for (std::size_t letters = 0; letters < model.size(); ++end) letters += pieces_[end].text.size();
        // "8 V100s" are several V100, "V100s" alone may be a V100S.
        const bool is_plural = pieces_[end - 1].written == "s" && pieces_[at].written != pieces_[at].text && at > 0 &&
                               pieces_[at - 1].number && !pieces_[at - 1].glued;
        if (is_plural) return false;
        if (end >= pieces_.size() || text_.is_taken(end)) return true;
        const Piece& next = pieces_[end];
        if (next.text == "with" && is_unit(pieces_, end + 1, "max") && is_unit(pieces_, end + 2, "q")) return false;
        if (!next.glued) return !is_one_of(variants, next.text) && !(is_bare(model) && next.text == "pro");
        return next.written == "s" || (next.text == "x" && end + 1 < pieces_.size() && pieces_[end + 1].number);
    }
    /// A bare number stands behind a product line ("RTX 3080/3090"), behind a count ("2x 3090"), or among nothing but
    /// numbers. The numbers in "P6000", "RTX PRO 6000" and "5000 steps" are not devices.
    std::size_t find_bare(const std::string& model) const {
        const bool alone = std::all_of(pieces_.begin(), pieces_.end(), [&](const Piece& p) {
            return p.number || p.text == "x" || p.text == "s" || p.text == model ||
                   text_.is_taken(static_cast<std::size_t>(&p - pieces_.data()));
        });
        for (std::size_t at = 0; at < pieces_.size(); ++at) {
            if (pieces_[at].text != model || text_.is_taken(at)) continue;
            std::size_t before = at;
            while (before > 0 && !text_.is_taken(before - 1) &&
                   (pieces_[before - 1].number || pieces_[before - 1].text == "per"))
                --before;
            if (alone || (before > 0 && is_one_of(brands, pieces_[before - 1].text)) ||
                (at > 1 && pieces_[at - 1].text == "x" && pieces_[at - 2].number))
                return at;
        }
        return PieceMatcher::no_place;
    }
    /// Whether the text names another generation of the maker: "RTX 6000 Blackwell" is not the Quadro RTX 6000.
    bool names_other_generation(const Device& device) const {
        const auto named = [&](const Device& d) { return text_.find(in_small_letters(d.architecture)); };
        return !named(device) &&
               std::any_of(catalogue_.devices.begin(), catalogue_.devices.end(), [&](const Device& d) {
                   return d.vendor == device.vendor && d.architecture != device.architecture && named(d);
               });
    }
    /// Whether a TPU stands there without that word: "v4" alone or behind a count, "v5p-128" anywhere.
    bool is_tpu_alone(const std::string& model) const {
        const std::size_t first = pieces_.size() > 2 && pieces_[0].number && pieces_[1].text == "x" ? 2 : 0;
        if (pieces_.size() > first && pieces_[first].text == "v") return true;
        const std::size_t at = text_.find_at(model);
        if (at == PieceMatcher::no_place) return false;
        const std::size_t end = at + text_.length_at(model, at);
        const auto is_power = [](std::int64_t n) { return n >= 4 && (n & (n - 1)) == 0; };
        return end < pieces_.size() && pieces_[end].number && !pieces_[end].glued && is_power(count_of(pieces_[end])) &&
               written_.find('-' + pieces_[end].written) != std::string_view::npos;
    }
    /// Whether a model of that length is found at least as well as the one so far: of two that stand apart, the first
    /// is what the text is about, unless its name is too short to be sure.
    bool is_better(std::size_t length, std::size_t at, std::size_t end, std::size_t longest) const {
        constexpr std::size_t sure = 4;
        const bool apart = longest > 0 && (end <= model_at_ || at >= model_end_);
        if (apart && std::min(length, longest) >= sure) return at < model_at_;
        return length >= longest;
    }
    void find_model() {
        std::size_t longest = 0;
        for (const Device& device : catalogue_.devices) {
            if (device.family == "PALEO") continue;
            Parts parts = parts_of(device);
            std::vector<std::string> models{parts.model};
            if (parts.model.starts_with("tpu") && is_tpu_alone(parts.model.substr(3)))
                models.push_back(parts.model.substr(3));
            if (const std::string made = in_small_letters(device.architecture);
                parts.words.size() > 1 && parts.words.back() == made)
                models.push_back(made + parts.model.substr(0, parts.model.size() - made.size()));  // "Ada 6000"
            for (const std::string& model : models) {
                std::size_t at = 0, end = 0;
                if (model.size() < 2 || !stands(model, at, end) || (is_bare(model) && names_other_generation(device)) ||
                    !is_better(model.size(), at, end, longest))
                    continue;
                if (model.size() != longest || at != model_at_) fitting_.clear();
                longest = model.size();
                model_at_ = at, model_end_ = end;
                fitting_.push_back({&device, parts});
            }
        }
        for (std::size_t i = model_at_; i < model_end_; ++i) text_.take(i);
        if (fitting_.empty()) find_model_apart();
    }
    /// Finds a model whose words are not adjacent: "RTX 2070 with Max-Q Design".
    void find_model_apart() {
        const bool variant =
            std::any_of(pieces_.begin(), pieces_.end(), [](const Piece& p) { return is_one_of(variants, p.text); });
        std::size_t longest = 4;
        for (const Device& device : catalogue_.devices) {
            if (device.family == "PALEO") continue;
            Parts parts = parts_of(device);
            PieceMatcher text(pieces_);
            bool all = parts.model.size() >= longest;
            for (std::size_t i = 0; i < parts.words.size() && all; ++i) all = text.take(parts.words[i]);
            if (!all || text_.find(parts.model) || (variant && parts.model.find("max") == std::string::npos)) continue;
            if (parts.model.size() > longest) fitting_.clear();
            longest = parts.model.size();
            fitting_.push_back({&device, std::move(parts)});
        }
    }
    /// Finds a system named alone ("DGX-1", "p4d.24xlarge") or together with its device ("DGX A100").
    void find_cluster() {
        for (const ClusterPreset& cluster : catalogue_.clusters) {
            if (cluster.family == "PALEO") continue;
            const auto named = pieces_of(without_brackets(cluster.name));
            PieceMatcher whole(named);
            whole.take(in_small_letters(cluster.vendor));
            const Device* device = catalogue_.device(cluster.device);
            const std::string model = device ? parts_of(*device).model : std::string();
            const bool has = device && std::any_of(fitting_.begin(), fitting_.end(),
                                                   [&](const Known& k) { return k.parts.model == model; });
            if (has) whole.take(model);
            const std::string name = joined(words_left(whole), "");
            const PieceMatcher text(pieces_);
            const std::size_t at = text.find_at(name);
            if (name.size() < 3 || (fitting_.empty() && !stated_.lines.empty()) || at == PieceMatcher::no_place ||
                (!fitting_.empty() && !has))
                continue;
            const std::size_t end = at + text.length_at(name, at);  // "DGX-1V" has V100
            const bool initial =
                end < pieces_.size() && pieces_[end].glued && !model.empty() && pieces_[end].text == model.substr(0, 1);
            if (!reading_.cluster || has || initial) reading_.cluster = &cluster;
        }
    }
    void take_from_cluster() {
        const Device* device = catalogue_.device(reading_.cluster->device);
        if (!device) return;
        const std::string model = parts_of(*device).model;
        for (const Device& other : catalogue_.devices)
            if (Parts parts = parts_of(other);
                parts.model == model && other.paleo_key.empty() == device->paleo_key.empty())
                fitting_.push_back({&other, std::move(parts)});
    }
    bool is_short() const { return pieces_.size() <= 12; }
    /// Whether the pieces `i` and `i` + 1 may count the device: in a longer text, "512x512" may be anything that does
    /// not stand beside the model.
    bool may_count(std::size_t i) const {
        if (is_short()) return true;
        if (model_at_ == PieceMatcher::no_place) return !reading_.count;
        const std::size_t from = i < model_at_ ? i + 2 : model_end_, to = i < model_at_ ? model_at_ : i;
        for (std::size_t k = from; k < to; ++k)
            if (!text_.is_taken(k)) return false;
        return true;
    }
    void find_count() {
        for (std::size_t i = 0; i + 1 < pieces_.size(); ++i) {
            const Piece &one = pieces_[i], &next = pieces_[i + 1];
            if (text_.is_taken(i) || text_.is_taken(i + 1) || !may_count(i)) continue;
            const bool size = i + 2 < pieces_.size() && pieces_[i + 2].text == "large",  // "24xlarge"
                of_name = one.glued && i > 0 && !pieces_[i - 1].number;                  // "MI300X"
            const bool is_slice =
                i == model_end_ && !fitting_.empty() && fitting_.front().device->architecture == "TPU";
            const bool of_nodes =
                i + 2 < pieces_.size() && is_short() && !is_slice && pieces_[i + 2].number && !text_.is_taken(i + 2);
            if (one.number && next.text == "x" && !size && !of_name && of_nodes)  // "2x8": in two nodes
                reading_.count = std::min(count_of(one) * count_of(pieces_[i + 2]), limits::workers), ++i;
            else if (one.number && next.text == "x" && !size && !of_name)
                reading_.count = count_of(one);
            else if (one.text == "x" && next.number)
                reading_.count = count_of(next);
            else if (one.text == "pod" && next.number && !fitting_.empty() &&
                     fitting_.front().device->architecture == "IPU")
                reading_.count = std::min(count_of(next) * reading_.count.value_or(1), limits::workers);
            else if (one.text == "nvl" && next.number)
                reading_.domain = count_of(next);
        }
        if (reading_.count && system_size_ > 0)  // "2x p3.8xlarge"
            reading_.count = std::min(*reading_.count * system_size_, limits::workers);
        if (!reading_.count) reading_.count = count_before_units();
        if (!reading_.count && system_size_ > 0) reading_.count = system_size_;
        if (reading_.domain || fitting_.empty()) return;
        const Device& device = *fitting_.front().device;
        if (reading_.count && device.architecture != "TPU") return;
        if (const std::int64_t chips = chips_of_torus(); device.architecture == "TPU" && chips > 1) {
            reading_.count = chips;
            return;
        }
        // The size of a TPU slice counts cores if a chip has several.
        std::size_t slice = model_end_;
        if (model_at_ == PieceMatcher::no_place)
            while (slice < pieces_.size() && (!pieces_[slice].number || pieces_[slice].glued)) ++slice;
        if (device.architecture == "TPU" && slice < pieces_.size() && pieces_[slice].number)
            reading_.count = reading_.count.value_or(1) * count_of(pieces_[slice]) /
                             std::max<std::int64_t>(1, device.multiprocessors.value_or(1));
        else if (!reading_.count)
            reading_.count = count_before_model();
    }

    /// "8 NVIDIA A100".
    std::optional<std::int64_t> count_before_model() const {
        if (model_at_ == PieceMatcher::no_place) return std::nullopt;
        std::size_t first = model_at_;
        while (first > 0 && is_one_of(product_lines, pieces_[first - 1].text)) --first;
        if (const double number = first > 0 ? shipped_vocabulary().number_called(pieces_[first - 1].text) : 0;
            number > 0)
            return static_cast<std::int64_t>(number);
        const auto is_year = [](double number) { return number > 2009 && number < 2031; };
        const bool counts = first > 0 && pieces_[first - 1].number && !pieces_[first - 1].glued &&
                            !text_.is_taken(first - 1) && !is_year(pieces_[first - 1].value);
        return counts ? std::optional(count_of(pieces_[first - 1])) : std::nullopt;
    }

    /// "H100, 16 GPUs", but not "8 GPUs per node".
    std::optional<std::int64_t> count_before_units() const {
        for (std::size_t i = 0; i + 1 < pieces_.size(); ++i) {
            const bool is_each = i + 2 < pieces_.size() && pieces_[i + 2].text == "per";
            const bool is_unit = is_among(pieces_[i + 1].text, "gpu gpus card cards npu npus hpus accelerators") ||
                                 (pieces_[i + 1].text == "p" && pieces_[i + 1].glued &&
                                  pieces_[i].value < 256);  // "8p", as MindSpore writes
            if (pieces_[i].number && !pieces_[i].glued && !text_.is_taken(i) && !is_each && is_unit)
                return count_of(pieces_[i]);
        }
        return std::nullopt;
    }
    /// "4x4x8": the chips of a slice that is given by its sides; 0 without one.
    std::int64_t chips_of_torus() const {
        for (std::size_t i = 0; i + 4 < pieces_.size(); ++i) {
            if (pieces_[i].glued) continue;  // 7 in "tpu7x"
            std::int64_t chips = 1;
            std::size_t sides = 0;
            for (std::size_t k = i; k < pieces_.size() && pieces_[k].number; k += 2) {
                chips = std::min<std::int64_t>(chips * count_of(pieces_[k]), limits::workers);
                ++sides;
                if (k + 1 >= pieces_.size() || pieces_[k + 1].text != "x") break;
            }
            if (sides >= 3) return chips;
        }
        return 0;
    }

    template <class Is>
    bool keep(Is is) {
        std::vector<Known> kept;
        std::copy_if(fitting_.begin(), fitting_.end(), std::back_inserter(kept), is);
        if (kept.empty()) return false;
        fitting_ = std::move(kept);
        return true;
    }
    void narrow() {
        if (fitting_.empty()) return offer_near();
        if (is_slice()) return;  // neither its peaks nor its share of the memory are those of the device
        const bool has_form =
            stated_.form.empty() || keep([&](const Known& k) { return k.parts.form == stated_.form; }) ||
            std::all_of(fitting_.begin(), fitting_.end(), [](const Known& k) { return k.parts.form.empty(); });
        if (!has_form) {
            for (const Known& k : fitting_) reading_.others.push_back(k.device);
            return;
        }
        // "RAM: 500G, GPU: A100 (40G)": one of several is that of the device.
        const bool has_memory =
            stated_.memories.empty() ||
            std::any_of(stated_.memories.begin(), stated_.memories.end(), [&](double memory) {
                return keep([&](const Known& k) { return k.parts.memory() > 0 && alike(memory, k.parts.memory()); });
            });
        keep([&](const Known& k) {  // the text names a product line of the device
            return std::any_of(stated_.lines.begin(), stated_.lines.end(), [&](std::string_view line) {
                return std::find(k.parts.lines.begin(), k.parts.lines.end(), line) != k.parts.lines.end();
            });
        });
        for (const auto word : {&Device::architecture, &Device::memory_type})
            keep([&](const Known& k) {
                const std::string name = in_small_letters(k.device->*word);
                return !name.empty() && text_.find(name);
            });
        if (!has_memory) set_memory();
        set_bandwidth();
        set_power();
        choose();
    }
    /// Whether the text names a part of a device (NVIDIA's multi-instance GPU): "3g.40gb".
    bool is_slice() const {
        for (std::size_t i = 0; i + 3 < pieces_.size(); ++i)
            if (pieces_[i].number && pieces_[i].value < 8 && pieces_[i + 1].written == "g" && pieces_[i + 1].glued &&
                pieces_[i + 2].number && pieces_[i + 3].text == "gb" && pieces_[i + 3].glued)
                return true;
        return false;
    }
    void set_memory() {
        const Bytes memory{stated_.memory()};
        const bool may_be = std::any_of(fitting_.begin(), fitting_.end(), [&](const Known& k) {
            return memory.value >= k.parts.memory() / 2 && memory.value <= k.parts.memory() * 2;
        });
        if (may_be)
            reading_.memory = memory;
        else
            reading_.assumed.push_back(format_bytes(memory) + " is ignored, because it cannot be the memory of " +
                                       fitting_.front().device->name + ".");
    }
    /// A rate that is far from that of the memory is one of a link.
    void set_bandwidth() {
        if (!stated_.bandwidth) return;
        const BytesPerSecond usual = fitting_.front().device->memory_bandwidth;
        if (*stated_.bandwidth >= usual.value / 2 && *stated_.bandwidth <= usual.value * 2)
            reading_.memory_bandwidth = BytesPerSecond{*stated_.bandwidth};
    }
    void set_power() {
        const double usual = fitting_.front().device->tdp_w.value_or(0);
        if (stated_.watts && *stated_.watts >= usual / 4 && *stated_.watts < usual) reading_.watts = stated_.watts;
    }
    void choose() {
        const auto better = [&](const Known& a, const Known& b) {
            const auto of_system = [&](const Known& k) {
                return reading_.cluster && k.device->id == reading_.cluster->device;
            };
            const auto rank = [](const Known& k) { return k.parts.form == "sxm" || k.parts.form == "oam" ? 1 : 0; };
            if (of_system(a) != of_system(b)) return of_system(a);
            if (rank(a) != rank(b)) return rank(a) > rank(b);
            return a.parts.memory() > b.parts.memory();
        };
        std::stable_sort(fitting_.begin(), fitting_.end(), better);
        reading_.device = fitting_.front().device;
        const bool of_system = reading_.cluster && reading_.cluster->device == reading_.device->id;
        for (auto k = fitting_.begin() + 1; k != fitting_.end() && !of_system; ++k)
            reading_.others.push_back(k->device);
        if (reading_.others.empty()) return;
        std::string sentence =
            "\"" + std::string(written_.substr(0, 60)) + "\" is read as " + reading_.device->name + "; write ";
        for (std::size_t i = 0; i < reading_.others.size(); ++i)
            sentence += (i == 0 ? "" : i + 1 == reading_.others.size() ? " or " : ", ") + reading_.others[i]->name;
        reading_.assumed.push_back(sentence + " if that is what you mean.");
    }
    void offer_near() {
        std::vector<std::string> names;
        for (const Device& device : catalogue_.devices) names.push_back(device.id);
        if (const auto near = closest(written_, names)) reading_.others.push_back(catalogue_.device(*near));
    }
};

}  // namespace

DeviceReading read_device(const Catalogue& catalogue, std::string_view text) {
    DeviceReading by_name;
    by_name.device = catalogue.device(text);
    if (by_name.device) return by_name;
    return DeviceReader(catalogue, text).read(shipped_vocabulary().read_strictly("device", pieces_of(text)).means);
}

const Device* device_called(const Catalogue& catalogue, std::string_view name) {
    const DeviceReading reading = read_device(catalogue, name);
    return reading.is_certain() && !reading.memory ? reading.device : nullptr;
}

Result<const Device*> require_device(const Catalogue& catalogue, std::string_view name) {
    if (const Device* device = device_called(catalogue, name)) return device;
    const DeviceReading reading = read_device(catalogue, name);
    std::string remedy = "scalescope list devices shows the known devices";
    if (reading.device) {
        remedy = "write one of these: " + reading.device->id;
        for (const Device* device : reading.others) remedy += ' ' + device->id;
    } else if (reading.others.size() == 1) {
        remedy = "did you mean \"" + reading.others.front()->id + "\"?";
    } else if (!reading.others.empty()) {
        remedy = "write one of these:";
        for (const Device* device : reading.others) remedy += ' ' + device->id;
    }
    return fail(make_error("No device is known as \"" + std::string(name.substr(0, 60)) + "\".", remedy, {}, "device"));
}

}  // namespace scalescope
