// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/library.hpp"

#include <algorithm>
#include <deque>
#include <mutex>

#include "core/base/atomic_file.hpp"
#include "core/base/sequences.hpp"
#include "core/formats/caffe/import.hpp"
#include "core/formats/calibration_json.hpp"
#include "core/formats/catalogue_json.hpp"
#include "core/formats/embedded.hpp"
#include "core/formats/hugging_face/families.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/formats/keras/import.hpp"
#include "core/formats/network_json.hpp"
#include "core/formats/onnx/onnx_import.hpp"
#include "core/formats/paleo/import.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/formats/zip_archive.hpp"

namespace scalescope::formats {
namespace {

Problem warning(std::string what, std::string remedy, std::string file) {
    return make_warning(std::move(what), std::move(remedy), {std::move(file), 0, 0});
}

/// What was wrong with a person's file is a warning: the program goes on without it.
void leave_out(Library& library, Problems problems) {
    for (Problem& p : problems) {
        if (p.severity == Severity::error) p.what.insert(0, left_out);
        p.severity = Severity::warning;
        library.problems.push_back(std::move(p));
    }
}

/// Adds one of a person's own, or replaces what has its id.
template <class T>
void put_own(Library& library, std::vector<T>& all, T item, std::string_view kind, const std::string& file) {
    const std::string path = std::string(kind) + '/' + item.id;
    auto& own = library.catalogue.own;
    const bool twice = std::ranges::find(own, path) != own.end();
    if (!twice) own.push_back(path);
    T* there = find_by(all, item.id, &T::id);
    if (!there) {
        all.push_back(std::move(item));
        return;
    }
    library.problems.push_back(warning(formats::quoted(item.id) + " of this file takes the place of the " +
                                           (twice ? "one in another file of yours." : "shipped one with the same id."),
                                       "Give it an id of its own to have both.", file));
    *there = std::move(item);
}

template <class T>
void put_rows(Library& library, std::vector<T>& all, Result<std::vector<T>> read, std::string_view kind,
              const std::string& file, bool own) {
    if (!read) return leave_out(library, std::move(read.error()));
    for (T& item : *read)
        if (own)
            put_own(library, all, std::move(item), kind, file);
        else
            all.push_back(std::move(item));
}

void put_own_families(Library& library, std::string_view text, const std::string& file) {
    const Families& known = library.known_families();
    auto read = read_families(text, file, known);
    if (!read) return leave_out(library, std::move(read.error()));
    for (const auto& family : known.all())
        if (read->find(family->name) != family.get())
            library.problems.push_back(warning(
                formats::quoted(family->name) + " of this file takes the place of the family with the same name.",
                "Give it a name of its own to have both.", file));
    library.families = std::make_shared<const Families>(std::move(*read));
}

Preset make_preset(std::string id, std::string_view text, std::string file, bool own) {
    Preset p;
    const bool lesson = format_of(text) == "scalescope-lesson";
    p.name = peek_text(text, lesson ? "title" : "name");
    if (p.name.empty()) p.name = id;
    // PALEO's files name the paper, two of them the same one; their keys are what people know.
    if (id.starts_with("paleo/")) p.name = id.substr(6) + " (PALEO)";
    p.id = std::move(id);
    p.description = peek_text(text, lesson ? "summary" : "description");
    p.text = text;
    p.file = std::move(file);
    p.own = own;
    return p;
}

/// One file at `path` relative to the presets' folder, such as "networks/paleo/nin.json".
void add_file(Library& library, std::string_view path, std::string_view text, const std::string& file, bool own) {
    const auto slash = path.find('/');
    if (slash == std::string_view::npos || !path.ends_with(".json")) return;
    const auto kind = path.substr(0, slash);
    std::string id(path.substr(slash + 1, path.size() - slash - 1 - 5));
    Catalogue& c = library.catalogue;
    if (kind == "devices") return put_rows(library, c.devices, read_devices(text, file), kind, file, own);
    if (kind == "links") return put_rows(library, c.links, read_links(text, file), kind, file, own);
    if (kind == "clusters") return put_rows(library, c.clusters, read_clusters(text, file, c), kind, file, own);
    if (kind == "machines") return put_rows(library, c.machines, read_machines(text, file), kind, file, own);
    if (kind == "ways") return put_rows(library, c.ways, read_ways(text, file), kind, file, own);
    if (kind == "trainers") return put_rows(library, c.trainers, read_trainers(text, file), kind, file, own);
    if (kind == "percent_of_peak")
        return put_rows(library, c.percents, read_percents_of_peak(text, file), kind, file, own);
    if (kind == "families") return own ? put_own_families(library, text, file) : void();  // shipped ones are lazy
    if (kind == "calibrations") {
        auto read = read_calibration(text, file);
        if (!read) return leave_out(library, std::move(read.error()));
        if (read->id.empty()) read->id = std::move(id);
        return put_own(library, library.calibrations, std::move(*read), kind, file);
    }
    if (kind != "networks" && kind != "scenarios" && kind != "lessons") return;
    std::vector<Preset>& all = kind == "networks"    ? library.networks
                               : kind == "scenarios" ? library.scenarios
                                                     : library.lessons;
    Preset preset = make_preset(std::move(id), text, file, own);
    if (!own) {
        all.push_back(std::move(preset));
        return;
    }
    if (kind == "networks") {
        if (auto read = read_any_network(text, file, nullptr, {}, {}, library.families.get()); !read)
            return leave_out(library, std::move(read.error()));
    } else if (kind == "lessons") {
        if (auto read = open_document(text, file, {"scalescope-lesson", "lesson", {}}); !read)
            return leave_out(library, std::move(read.error()));
    } else if (auto read = read_scenario(text, file, library); !read) {
        return leave_out(library, std::move(read.error()));
    }
    put_own(library, all, std::move(preset), kind, file);
}

/// Groups by `group`, a smaller one first, each by id.
template <class Group>
void sort_by(std::vector<Preset>& all, Group group) {
    std::ranges::sort(all, [&](const Preset& a, const Preset& b) {
        return group(a) != group(b) ? group(a) < group(b) : a.id < b.id;
    });
}

void finish(Library& library) {
    for (Device& device : library.catalogue.devices) find_host_link(device, library.catalogue.links);
    sort_by(library.networks, [](const Preset& p) {
        return p.own ? 3 : p.id.starts_with("paleo/") ? 2 : p.id.starts_with("transformers/") ? 1 : 0;
    });
    sort_by(library.scenarios, [](const Preset& p) { return p.id == "example" ? 0 : p.own ? 2 : 1; });
    sort_by(library.lessons, [](const Preset& p) { return p.own ? 1 : 0; });
}

/// By its id, else by its name.
template <class T>
const T* called(const std::vector<T>& all, std::string_view name) {
    const T* found = find_by(all, name, &T::id);
    return found ? found : find_by(all, name, &T::name);
}

const Preset* find(const std::vector<Preset>& all, std::string_view name) {
    if (const Preset* found = called(all, name)) return found;
    return find_where(all, [&](const Preset& p) {  // without its folder
        const auto slash = p.id.find('/');
        return slash != std::string::npos && p.id.substr(slash + 1) == name;
    });
}

/// "layer {" or "layers {" as a field of its own.
bool has_caffe_layers(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n", field = "layer";
    for (auto at = text.find(field); at != std::string_view::npos; at = text.find(field, at + 1)) {
        if (at > 0 && blanks.find(text[at - 1]) == std::string_view::npos && text[at - 1] != '}') continue;
        auto rest = text.substr(at + field.size(), 32);
        if (rest.starts_with('s')) rest.remove_prefix(1);
        const auto next = rest.find_first_not_of(" \t\r\n:");
        if (next != std::string_view::npos && rest[next] == '{') return true;
    }
    return false;
}

/// What is neither text nor a model, or a text of another kind: to look for a comma in it would help nobody.
std::optional<Problem> no_network_at_all(std::string_view text, const std::string& file) {
    constexpr std::size_t looked_at = 4096;
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) return std::nullopt;  // UTF-16: JSON says so
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    const bool binary = text.substr(0, looked_at).find('\0') != std::string_view::npos;
    const auto first = text.find_first_not_of(" \t\r\n");
    if (!binary && (first == std::string_view::npos || text[first] == '{' || text[first] == '[')) return std::nullopt;
    SourcePosition at;
    at.file = file;
    if (!binary) at.line = at.column = 1;
    return make_error(
        binary ? "This is neither a text nor a model that Scalescope reads."
               : "This is a text, but no network: one in JSON begins with '{', and Caffe's has layers.",
        "Choose an ONNX model, a Keras model or its JSON, a Hugging Face config.json, a Caffe prototxt, or a "
        "network of PALEO's or Scalescope's.",
        at);
}

}  // namespace

/// The networks that were read last, by the text of their preset and the families that drew them.
class KeptNetworks {
public:
    std::shared_ptr<const Network> find(const Preset& preset, const std::shared_ptr<const Families>& families) {
        std::lock_guard lock(mutex_);
        const auto found = std::ranges::find_if(kept_, [&](const Kept& k) {
            return k.families == families && k.text == preset.text && k.file == preset.file;
        });
        return found == kept_.end() ? nullptr : found->network;
    }
    void keep(const Preset& preset, const std::shared_ptr<const Families>& families,
              std::shared_ptr<const Network> network) {
        constexpr std::size_t most = 4;
        std::lock_guard lock(mutex_);
        if (kept_.size() == most) kept_.pop_front();
        kept_.push_back({preset.text, preset.file, families, std::move(network)});
    }

private:
    struct Kept {
        std::string text, file;
        std::shared_ptr<const Families> families;
        std::shared_ptr<const Network> network;
    };
    std::mutex mutex_;
    std::deque<Kept> kept_;
};

const Preset* Library::find_network(std::string_view name) const { return find(networks, name); }
const Preset* Library::find_scenario(std::string_view name) const { return find(scenarios, name); }

const Preset* Library::find_lesson(std::string_view name) const { return find(lessons, name); }

const Calibration* Library::find_calibration(std::string_view name) const { return called(calibrations, name); }

const Families& Library::known_families() const { return families ? *families : shipped_families(); }

Result<std::shared_ptr<const Network>> Library::network(std::string_view name) const {
    if (const Preset* p = find_network(name)) {
        if (kept_networks)
            if (auto known = kept_networks->find(*p, families)) return known;
        auto read = read_any_network(p->text, p->file, nullptr, {}, {}, families.get());
        if (read && kept_networks) kept_networks->keep(*p, families, *read);
        return read;
    }
    std::vector<std::string_view> known;
    for (const Preset& p : networks) known.push_back(p.id);
    return fail(make_error("There is no network called " + quoted(name) + ".",
                           did_you_mean(name, known, "Choose one from the list of networks, or open a file.")));
}

Library load_shipped() {
    Library library;
    library.kept_networks = std::make_shared<KeptNetworks>();
    // Clusters name devices and links, so that they come after these.
    for (const bool clusters : {false, true})
        for (const EmbeddedFile& f : embedded_files())
            if (f.path.starts_with("clusters/") == clusters)
                add_file(library, f.path, f.text, "presets/" + std::string(f.path), false);
    finish(library);
    return library;
}

void add_folder(Library& library, const std::filesystem::path& folder) {
    if (folder.empty()) return;
    std::error_code error;
    for (const std::string_view kind : {"families", "devices", "links", "clusters", "machines", "ways", "trainers",
                                        "percent_of_peak", "networks", "scenarios", "lessons", "calibrations"}) {
        std::vector<std::filesystem::path> files;
        for (std::filesystem::directory_iterator it(folder / kind, error), end; !error && it != end;
             it.increment(error))
            if (it->path().extension() == ".json") files.push_back(it->path());
        std::ranges::sort(files);
        for (const auto& path : files) {
            const auto text = read_file(path);
            if (!text) {
                leave_out(library, text.error());
                continue;
            }
            add_file(library, std::string(kind) + '/' + path.filename().string(), *text, path.string(), true);
        }
    }
    finish(library);
}

void take_own_lesson(Library& library, const std::filesystem::path& file) {
    const auto text = read_file(file);
    if (!text) return leave_out(library, text.error());
    for (Preset& lesson : library.lessons)
        if (lesson.own && lesson.file == file.string()) {
            lesson = make_preset(lesson.id, *text, lesson.file, true);
            return;
        }
    add_file(library, "lessons/" + file.filename().string(), *text, file.string(), true);
    finish(library);
}

std::filesystem::path own_folder(const char* xdg_data_home, const char* home) {
    // A relative path there is to be ignored (XDG Base Directory Specification).
    for (const auto& data : {std::filesystem::path(xdg_data_home ? xdg_data_home : ""),
                             home && *home ? std::filesystem::path(home) / ".local/share" : std::filesystem::path()})
        if (data.is_absolute()) return data / "scalescope";
    return {};
}

bool is_any_network(std::string_view text) {
    if (is_onnx_network(text) || is_zip_archive(text) || is_keras_network(text) || is_paleo_network(text) ||
        is_hugging_face_config(text) || format_of(text) == network_format.name)
        return true;
    return is_caffe_network(text) && has_caffe_layers(text);
}

Result<NetworkDraft> read_any_network_draft(std::string_view text, std::string file, Problems* warnings,
                                            const Watch& watch, std::span<const Binding> sizes,
                                            const Families* families, std::string_view part) {
    if (!part.empty() && !is_hugging_face_config(text))
        return fail(make_error("The file has no parts.", "Open it as a whole.", {std::move(file), 0, 0}));
    if (is_onnx_network(text)) return import_onnx_network(text, std::move(file), warnings, watch, nullptr, sizes);
    if (is_caffe_network(text)) return import_caffe_network(text, std::move(file), warnings, watch);
    if (is_zip_archive(text)) {
        ASSIGN_OR_RETURN(const auto model, unpack_member(text, keras_archive_member, file));
        return import_keras_network(model, std::move(file), warnings, watch);
    }
    if (is_keras_network(text)) return import_keras_network(text, std::move(file), warnings, watch);
    if (is_paleo_network(text)) return import_paleo_network(text, std::move(file), warnings, watch);
    if (is_hugging_face_config(text))
        return import_hugging_face_config(text, std::move(file), warnings, watch, families, part);
    if (auto other = no_network_at_all(text, file)) return fail(std::move(*other));
    return read_network_draft(text, std::move(file), watch);
}

Result<std::shared_ptr<const Network>> read_any_network(std::string_view text, std::string file, Problems* warnings,
                                                        const Watch& watch, std::span<const Binding> sizes,
                                                        const Families* families, std::string_view part) {
    ASSIGN_OR_RETURN(auto draft, read_any_network_draft(text, file, warnings, watch, sizes, families, part));
    auto network = Network::make(std::move(draft));
    if (network) return network;
    for (Problem& p : network.error())  // of no layer
        if (p.at.file.empty()) p.at.file = file;
    return network;
}

}  // namespace scalescope::formats
