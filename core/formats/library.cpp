// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/library.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "core/base/atomic_file.hpp"
#include "core/formats/catalogue_json.hpp"
#include "core/formats/embedded.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/formats/network_json.hpp"
#include "core/formats/paleo_import.hpp"

namespace scalescope::formats {
namespace {

template <class T>
void put(std::vector<T>& all, T item) {
    const auto it = std::find_if(all.begin(), all.end(), [&](const T& x) { return x.id == item.id; });
    if (it == all.end())
        all.push_back(std::move(item));
    else
        *it = std::move(item);
}

template <class T>
void put_all(Library& library, std::vector<T>& all, Result<std::vector<T>> read) {
    if (!read) {
        for (Problem& p : read.error()) library.problems.push_back(std::move(p));
        return;
    }
    // Appending is the usual case, and a shipped catalogue repeats no id: look for older ones among what was there
    // before.
    std::vector<T> older = std::move(all);
    all.clear();
    for (T& item : *read) {
        const auto it = std::find_if(older.begin(), older.end(), [&](const T& x) { return x.id == item.id; });
        if (it == older.end())
            all.push_back(std::move(item));
        else
            *it = std::move(item);
    }
    all.insert(all.begin(), std::make_move_iterator(older.begin()), std::make_move_iterator(older.end()));
}

Preset make_preset(std::string id, std::string_view text, std::string file, bool own) {
    Preset p;
    p.name = peek_text(text, "name");
    if (p.name.empty()) p.name = id;
    // PALEO's files name the paper, two of them the same one; their keys are what people know.
    if (id.starts_with("paleo/")) p.name = id.substr(6) + " (PALEO)";
    p.id = std::move(id);
    p.description = peek_text(text, "description");
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
    if (kind == "devices") put_all(library, library.catalogue.devices, read_devices(text, file));
    if (kind == "links") put_all(library, library.catalogue.links, read_links(text, file));
    if (kind == "percent_of_peak") put_all(library, library.catalogue.percents, read_percents_of_peak(text, file));
    if (kind == "networks")
        put(library.networks, make_preset(std::move(id), text, file, own));
    else if (kind == "scenarios")
        put(library.scenarios, make_preset(std::move(id), text, file, own));
}

void sort_presets(Library& library) {
    const auto paleo = [](const Preset& p) { return p.id.starts_with("paleo/"); };
    std::sort(library.networks.begin(), library.networks.end(),
              [&](const Preset& a, const Preset& b) { return paleo(a) != paleo(b) ? paleo(b) : a.id < b.id; });
    std::sort(library.scenarios.begin(), library.scenarios.end(), [](const Preset& a, const Preset& b) {
        return (a.id == "example") != (b.id == "example") ? a.id == "example" : a.id < b.id;
    });
}

const Preset* find(const std::vector<Preset>& all, std::string_view name) {
    for (const Preset& p : all)
        if (p.id == name) return &p;
    for (const Preset& p : all)
        if (p.name == name) return &p;
    for (const Preset& p : all)
        if (p.id.starts_with("paleo/") && p.id.substr(6) == name) return &p;
    return nullptr;
}

}  // namespace

const Preset* Library::find_network(std::string_view name) const { return find(networks, name); }
const Preset* Library::find_scenario(std::string_view name) const { return find(scenarios, name); }

Result<std::shared_ptr<const Network>> Library::network(std::string_view name) const {
    if (const Preset* p = find_network(name)) return read_any_network(p->text, p->file);
    std::vector<std::string_view> known;
    for (const Preset& p : networks) known.push_back(p.id);
    return fail(Problem{Severity::error,
                        "There is no network called " + quoted(name) + ".",
                        {},
                        did_you_mean(name, known, "Choose one from the list of networks, or open a file."),
                        {}});
}

Library load_shipped() {
    Library library;
    for (const EmbeddedFile& f : embedded_files())
        add_file(library, f.path, f.text, "presets/" + std::string(f.path), false);
    sort_presets(library);
    return library;
}

void add_folder(Library& library, const std::filesystem::path& folder) {
    std::error_code error;
    for (const std::string_view kind : {"devices", "links", "percent_of_peak", "networks", "scenarios"}) {
        std::vector<std::filesystem::path> files;
        for (std::filesystem::directory_iterator it(folder / kind, error), end; !error && it != end;
             it.increment(error))
            if (it->path().extension() == ".json") files.push_back(it->path());
        std::sort(files.begin(), files.end());
        for (const auto& path : files) {
            const auto text = read_file(path);
            if (!text) {
                library.problems.insert(library.problems.end(), text.error().begin(), text.error().end());
                continue;
            }
            add_file(library, std::string(kind) + '/' + path.filename().string(), *text, path.string(), true);
        }
    }
    sort_presets(library);
}

Result<NetworkDraft> read_any_network_draft(std::string_view text, std::string file, Problems* warnings) {
    if (is_paleo_network(text)) return import_paleo_network(text, std::move(file), warnings);
    return read_network_draft(text, std::move(file));
}

Result<std::shared_ptr<const Network>> read_any_network(std::string_view text, std::string file, Problems* warnings) {
    auto draft = read_any_network_draft(text, std::move(file), warnings);
    if (!draft) return tl::unexpected(draft.error());
    return Network::make(std::move(*draft));
}

}  // namespace scalescope::formats
