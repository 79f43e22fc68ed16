// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/trainers/reading.hpp"

#include <algorithm>
#include <set>

#include "core/base/letters.hpp"
#include "core/base/limits.hpp"
#include "core/base/listed.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/formats/trainers/interpreter.hpp"

namespace scalescope::formats::trainers {
namespace {

/// "log*" matches "log_interval".
bool matches(std::string_view pattern, std::string_view key) {
    if (!pattern.ends_with('*')) return pattern == key;
    pattern.remove_suffix(1);
    return key.starts_with(pattern);
}

/// The key without the longest section that does not count.
std::string_view without_prefix(const Description& trainer, std::string_view key) {
    std::size_t longest = 0;
    for (const std::string& prefix : trainer.prefixes)
        if (key.starts_with(prefix)) longest = std::max(longest, prefix.size());
    return key.substr(longest);
}

bool recognizes(const Description& trainer, const Settings& settings, const std::vector<std::string>& keys) {
    return std::ranges::all_of(keys, [&](const std::string& pattern) {
        return std::ranges::any_of(settings.all, [&](const Setting& s) {
            return matches(pattern, s.key) || matches(pattern, without_prefix(trainer, s.key));
        });
    });
}

/// The trainers that recognize the file: those of which most keys are in it first, equals in the order of the
/// descriptions.
std::vector<const Description*> trainers_of(const Settings& settings) {
    std::vector<std::pair<std::size_t, const Description*>> found;
    for (const Description& trainer : shipped_descriptions()) {
        std::size_t most = 0;
        for (const auto& keys : trainer.recognized)
            if (keys.size() > most && recognizes(trainer, settings, keys)) most = keys.size();
        if (most > 0) found.emplace_back(most, &trainer);
    }
    std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<const Description*> trainers;
    for (const auto& [keys, trainer] : found) trainers.push_back(trainer);
    return trainers;
}

class ConfigurationReader {
public:
    ConfigurationReader(const Description& trainer, Settings settings, const std::string& file)
        : trainer_(trainer), settings_(std::move(settings)), file_(file), interpreter_(trainer) {
        reading_.trainer = trainer.id;
        reading_.title = trainer.title;
        reading_.notes = std::move(settings_.notes);
    }

    Reading read() {
        for (const Setting& setting : settings_.all)
            keys_[std::string(without_prefix(trainer_, setting.key))].push_back(&setting);
        if (settings_.syntax == Syntax::shell) complete_abbreviations();
        for (const auto& [name, rule] : trainer_.figures) state(name, rule);
        if (const auto model = interpreter_.figure("model"); const auto* named = model.value.word())
            if (const auto found = trainer_.models.find(in_small_letters(*named)); found != trainer_.models.end())
                interpreter_.take_model(&found->second);
        for (const auto& [name, rule] : trainer_.figures) reading_.figures[name] = interpreter_.figure(name);
        for (const Rule& rule : trainer_.rules) check(rule);
        list_keys();
        list_origins();
        return std::move(reading_);
    }

private:
    void note(SourcePosition at, std::string what, std::string remedy, std::string where = {}) {
        if (reading_.notes.size() >= limits::problems) return;
        if (at.file.empty()) at.file = file_;
        reading_.notes.push_back(make_warning(std::move(what), std::move(remedy), std::move(at), std::move(where)));
    }
    void complain(SourcePosition at, std::string what, std::string remedy) {
        reading_.infeasible = true;
        note(std::move(at), std::move(what), std::move(remedy), "contradiction");
    }

    /// argparse takes the beginning of a flag that no other flag has.
    void complete_abbreviations() {
        auto all = std::move(keys_);
        keys_.clear();
        for (auto& [key, settings] : all) {
            std::set<std::string> longer;
            bool exact = understood(key);
            for (const auto& [name, rule] : trainer_.figures)
                for (const std::string& known : rule.keys) {
                    exact |= known == key;
                    if (known.starts_with(key)) longer.insert(known);
                }
            auto& there = keys_[!exact && key.size() > 3 && longer.size() == 1 ? *longer.begin() : key];
            there.insert(there.end(), settings.begin(), settings.end());
        }
    }

    Value converted(const FigureRule& rule, const Setting& setting) {
        if (!setting.known || in_small_letters(setting.value) == "auto") return {};
        const std::string value = in_small_letters(setting.value);
        if (const auto word = rule.words.find(value); word != rule.words.end()) return word->second;
        for (std::size_t at = 0, end = 0; !rule.words.empty() && end < value.size(); at = end + 1) {  // one of several
            end = std::min(value.find(' ', at), value.size());
            if (const auto word = rule.words.find(value.substr(at, end - at)); word != rule.words.end())
                return word->second;
        }
        if (rule.repeated) return {unrolled(setting.value)};
        return value_of_text(setting.value);
    }

    void state(const std::string& name, const FigureRule& rule) {
        const Setting* used = nullptr;
        for (const std::string& key : rule.keys) {
            const auto found = keys_.find(key);
            if (found == keys_.end()) continue;
            used_.insert(key);
            for (const Setting* setting : found->second) {
                const bool null = setting->known && value_of_text(setting->value).none() &&
                                  !rule.words.contains(in_small_letters(setting->value));
                if (null) continue;
                const bool differs =
                    used && used->value != setting->value && converted(rule, *used).is != converted(rule, *setting).is;
                if (differs)
                    complain(setting->at,
                             "The file says both " + used->key + " = " + used->value + " and " + setting->key + " = " +
                                 setting->value + ".",
                             "Keep one of them.");
                // The last of the same key counts, but of an old and a new name the new one.
                if (!used || used->key == setting->key) used = setting;
            }
        }
        if (!used) return;
        Figure figure;
        figure.value = converted(rule, *used);
        figure.origin = used->assumed ? Origin::assumed : Origin::stated;
        figure.at = used->at;
        if (figure.value.none() && used->known && in_small_letters(used->value) != "auto") return;
        if (figure.value.none())
            note(used->at, "The value of " + used->key + " is not in the file: " + used->value.substr(0, 60) + ".",
                 "Set it in the scenario.");
        else if (used->assumed)
            note(used->at,
                 used->key + " = " + used->value + " is the default of a variable that the environment may set.",
                 "Check the value.");
        interpreter_.state(name, std::move(figure));
    }

    void check(const Rule& rule) {
        if (!interpreter_.holds(rule.when)) return;
        std::string what = text_of(interpreter_.evaluated(rule.what));
        std::string remedy = text_of(interpreter_.evaluated(rule.remedy));
        if (!rule.vary.empty()) remedy += nearest(rule);
        SourcePosition at = interpreter_.figure(rule.vary.empty() ? "devices" : rule.vary).at;
        if (rule.kind == RuleKind::complaint)
            complain(std::move(at), std::move(what), std::move(remedy));
        else
            note(std::move(at), std::move(what), std::move(remedy), rule.kind == RuleKind::question ? "question" : "");
    }

    /// " The nearest values are 4 and 7."
    std::string nearest(const Rule& rule) {
        constexpr std::int64_t farthest = 2048;
        const Figure now = interpreter_.figure(rule.vary);
        if (!now.value.whole()) return {};
        const std::int64_t from = *now.value.whole();
        std::string found;
        for (const int direction : {-1, 1})
            for (std::int64_t step = 1; step <= farthest; ++step) {
                const std::int64_t value = from + direction * step;
                if (value < 1) break;
                interpreter_.vary(rule.vary, {value});
                if (interpreter_.holds(rule.when)) continue;
                found += (found.empty() ? "" : " and ") + std::to_string(value);
                break;
            }
        interpreter_.vary_nothing();
        if (found.empty()) return found;
        const bool both = found.find(' ') != std::string::npos;
        return (both ? " The nearest values are " : " The nearest value is ") + found + '.';
    }

    /// Whether the key concerns nothing that a scenario has.
    bool understood(std::string_view key) const {
        return std::ranges::any_of(trainer_.unused, [&](const std::string& p) { return matches(p, key); });
    }

    void list_keys() {
        std::vector<std::string> unused;
        std::vector<std::string_view> known;
        for (const auto& [name, rule] : trainer_.figures) known.insert(known.end(), rule.keys.begin(), rule.keys.end());
        std::size_t housekeeping = 0;
        for (const auto& [key, settings] : keys_) {
            const Setting& setting = *settings.back();
            if (used_.contains(key)) continue;
            if (const auto gone = trainer_.gone.find(key); gone != trainer_.gone.end()) {
                complain(setting.at, setting.key + " is no longer a key of " + trainer_.title + '.', gone->second);
            } else if (is_housekeeping(key)) {
                ++housekeeping;
            } else if (understood(key) || understood(setting.key)) {
                unused.push_back(setting.key);
            } else {
                note(setting.at, setting.key + " is not a known key of " + trainer_.title + "; it is ignored.",
                     did_you_mean(key, known, "Check its spelling."), "unknown key");
            }
        }
        if (!unused.empty())
            note({}, "These keys do not change the prediction: " + listed(unused) + '.', "Nothing needs to be done.");
        if (housekeeping > 0)
            note({}, "Keys about logging, checkpoints and data are left out (" + std::to_string(housekeeping) + ").",
                 "Nothing needs to be done.");
    }

    static bool is_housekeeping(std::string_view key) {
        const std::string_view last = key.substr(key.rfind('.') == std::string_view::npos ? 0 : key.rfind('.') + 1);
        for (const std::string_view prefix : {"log", "save", "load", "wandb", "tensorboard", "eval", "seed", "ckpt",
                                              "checkpoint_", "profil", "tokenizer", "data_path"})
            if (last.starts_with(prefix) || key.starts_with(prefix)) return true;
        return false;
    }

    void list_origins() {
        std::vector<std::string> standard;
        for (const std::string_view name : {"tensor", "pipeline", "context", "expert", "zero_stage", "recompute",
                                            "precision", "optimizer", "micro_batch", "accumulation"}) {
            const auto found = reading_.figures.find(name);
            if (found == reading_.figures.end() || found->second.value.none()) continue;
            if (found->second.origin != Origin::standard) continue;
            standard.push_back(std::string(name) + " = " + text_of(found->second.value));
        }
        if (!standard.empty())
            note({}, "Defaults of " + trainer_.title + ": " + listed(standard) + '.',
                 "State other values in the file.");
    }

    const Description& trainer_;
    Settings settings_;
    const std::string& file_;
    Interpreter interpreter_;
    std::map<std::string, std::vector<const Setting*>, std::less<>> keys_;
    std::set<std::string, std::less<>> used_;
    Reading reading_;
};

/// Unrolls one pattern; the position moves behind what was read.
bool unroll(std::string_view text, std::size_t& at, char close, int depth, std::string& to) {
    constexpr std::size_t longest = 4096;
    if (depth > limits::configuration_expansions) return false;
    while (at < text.size() && text[at] != close) {
        const char c = text[at++];
        if (c == '+' || c == ',' || c == ' ') continue;
        std::string item(1, c);
        if (c == '(' || c == '[') {
            item.clear();
            if (!unroll(text, at, c == '(' ? ')' : ']', depth + 1, item) || at == text.size()) return false;
            ++at;
        }
        std::size_t times = 1;
        if (at < text.size() && text[at] == '*') {
            times = 0;
            for (++at; at < text.size() && text[at] >= '0' && text[at] <= '9' && times <= longest; ++at)
                times = times * 10 + static_cast<std::size_t>(text[at] - '0');
        }
        for (; times > 0 && to.size() <= longest; --times) to += item;
        if (to.size() > longest) return false;
    }
    return true;
}

}  // namespace

std::string unrolled(std::string_view pattern) {
    std::string result;
    std::size_t at = 0;
    return unroll(pattern, at, '\0', 0, result) ? result : std::string();
}

std::optional<std::int64_t> Reading::whole(std::string_view name) const {
    const auto found = figures.find(name);
    const auto* n = found == figures.end() ? nullptr : found->second.value.whole();
    return n ? std::optional(*n) : std::nullopt;
}

std::string Reading::text(std::string_view name) const {
    const auto found = figures.find(name);
    return found == figures.end() || found->second.value.none() ? std::string() : text_of(found->second.value);
}

bool Reading::truth(std::string_view name) const {
    const auto found = figures.find(name);
    return found != figures.end() && found->second.value.truth();
}

bool is_configuration(std::string_view text) {
    if (text.size() > limits::configuration_bytes || text.find('\0') != std::string_view::npos) return false;
    const auto settings = read_settings(text, {});
    return settings && !trainers_of(*settings).empty();
}

Result<Reading> read_configuration(std::string_view text, const std::string& file, std::string_view trainer) {
    ASSIGN_OR_RETURN(auto settings, read_settings(text, file));
    auto fitting = trainers_of(settings);
    if (fitting.empty())
        return fail(
            make_error("This is not a training configuration of a trainer that Scalescope knows.",
                       "Open a configuration of Megatron-LM, torchtitan, DeepSpeed, Accelerate or another trainer.",
                       {file, 0, 0}));
    if (!trainer.empty()) {
        const auto wanted = std::ranges::find(fitting, trainer, &Description::id);
        if (wanted == fitting.end())
            return fail(
                make_error("This is not a configuration of \"" + std::string(trainer) + "\".",
                           "It could be one of " +
                               listed(fitting, std::string::npos,
                                      [](const Description* known) -> const std::string& { return known->id; }) +
                               '.',
                           {file, 0, 0}, "trainer"));
        std::rotate(fitting.begin(), wanted, wanted + 1);
    }
    Reading reading = ConfigurationReader(*fitting.front(), std::move(settings), file).read();
    for (std::size_t t = 1; t < fitting.size(); ++t) reading.others.push_back({fitting[t]->id, fitting[t]->title});
    return reading;
}

}  // namespace scalescope::formats::trainers
