// SPDX-License-Identifier: GPL-3.0-or-later
// Shell scripts and command lines: the flags of the command that starts the training.
#include <algorithm>
#include <array>
#include <optional>

#include "core/base/letters.hpp"
#include "core/base/limits.hpp"
#include "core/base/sequences.hpp"
#include "core/formats/trainers/settings.hpp"
#include "core/formats/trainers/shell_words.hpp"

namespace scalescope::formats::trainers {
namespace {

using Kind = ShellToken::Kind;
using Words = std::vector<ShellWord>;

/// What holds, as far as it is known.
enum class Truth : std::uint8_t { no, yes, unknown };
Truth truth_of(bool holds) { return holds ? Truth::yes : Truth::no; }

bool is_flag(const ShellWord& word) {
    const std::string_view text = word.text;
    return text.size() > 1 && text[0] == '-' && text != "--" && !(text[1] >= '0' && text[1] <= '9') && text[1] != '.';
}

/// False for an unknown word that seems to stand for further flags, such as "$EXTRA_ARGS".
bool is_value(const ShellWord& word, const Setting& before) {
    if (word.known) return true;
    const std::string name = in_small_letters(word.text);
    for (const char* part : {"arg", "opt", "flag", "extra"})
        if (name.find(part) != std::string::npos) return false;
    return before.value.empty();
}

bool is_program(const std::string& word) { return word.ends_with(".py"); }

std::optional<std::int64_t> whole(const std::string& text) {
    const std::string value = arithmetic(text, [](const std::string&) { return std::string(); });
    if (value.empty() || value.size() > 18) return std::nullopt;
    return std::stoll(value);
}

Truth compare(const ShellWord& a, const std::string& op, const ShellWord& b) {
    if (!a.known || !b.known) return Truth::unknown;
    if (op == "=" || op == "==") return truth_of(a.text == b.text);
    if (op == "!=") return truth_of(a.text != b.text);
    const auto x = whole(a.text), y = whole(b.text);
    if (!x || !y) return Truth::unknown;
    if (op == "-eq") return truth_of(*x == *y);
    if (op == "-ne") return truth_of(*x != *y);
    if (op == "-lt" || op == "<") return truth_of(*x < *y);
    if (op == "-le") return truth_of(*x <= *y);
    if (op == "-gt" || op == ">") return truth_of(*x > *y);
    if (op == "-ge") return truth_of(*x >= *y);
    return Truth::unknown;
}

/// "[ a = b ]", "[[ -n a ]]", "test a -lt b".
Truth test(const Words& words) {
    auto begin = words.begin() + 1, end = words.end();
    if (begin != end && (end - 1)->text.starts_with("]")) --end;
    const bool negated = begin != end && begin->text == "!";
    if (negated) ++begin;
    Truth result = Truth::unknown;
    const auto count = end - begin;
    if (count == 3) result = compare(begin[0], begin[1].text, begin[2]);
    if (count == 2 && (begin[0].text == "-n" || begin[0].text == "-z") && begin[1].known)
        result = truth_of(begin[1].text.empty() == (begin[0].text == "-z"));
    if (count == 1 && begin[0].known) result = truth_of(!begin[0].text.empty());
    return negated && result != Truth::unknown ? truth_of(result == Truth::no) : result;
}

/// Reads a script from its first line to its last.
class Script {
public:
    Script(std::string_view text, const std::string& file) : file_(file), tokens_(shell_tokens(text)) {
        settings_.syntax = Syntax::shell;
        read_directives(text);
    }

    Result<Settings> read() {
        for (; peek(); ++next_) block(true, {});
        for (const Words& command : commands_)
            if (command.size() >= best_.size()) best_ = command;
        flags();
        return std::move(settings_);
    }

private:
    void note(int line, std::string what, std::string remedy) {
        if (settings_.notes.size() < limits::problems)
            settings_.notes.push_back(make_warning(std::move(what), std::move(remedy), {file_, line, 0}));
    }

    /// "#SBATCH --nodes=4", "#PBS -l select=4:ngpus=8", and the variables that Slurm makes of them.
    void read_directives(std::string_view text) {
        int line = 0;
        while (!text.empty()) {
            ++line;
            const auto end = std::min(text.find('\n'), text.size());
            const auto one = text.substr(0, end);
            text.remove_prefix(std::min(end + 1, text.size()));
            if (!one.starts_with("#SBATCH ") && !one.starts_with("#PBS ")) continue;
            best_.clear();
            std::string words(one.substr(one.find(' ')));
            if (one.starts_with("#PBS")) std::ranges::replace(words, ':', ' ');  // "-l select=4:ngpus=8"
            for (const ShellToken& token : shell_tokens(words))
                if (token.kind == Kind::word) best_.push_back({token.text, true, false, line});
            read_flags(best_.begin(), best_.end(), one.starts_with("#PBS") ? "pbs." : "sbatch.");
        }
        best_.clear();
        const auto of = [&](std::initializer_list<std::string_view> keys) -> std::string {
            for (const auto key : keys)
                if (const auto* found = find(settings_, "sbatch." + std::string(key))) return found->value;
            return {};
        };
        const std::string nodes = of({"nodes", "N"});
        std::string gpus = of({"gpus_per_node", "gres"}), tasks = of({"ntasks_per_node"});
        for (Setting& setting : settings_.all)  // "gpu:h100:8"
            setting.value = setting.value.substr(setting.value.rfind(':') + 1);
        gpus = gpus.substr(gpus.rfind(':') + 1);
        const auto set = [&](const char* name, const std::string& value) {
            if (!value.empty()) variables_.set(name, value);
        };
        set("SLURM_NNODES", nodes);
        set("SLURM_JOB_NUM_NODES", nodes);
        set("SLURM_GPUS_ON_NODE", gpus);
        set("SLURM_GPUS_PER_NODE", gpus);
        set("SLURM_NTASKS_PER_NODE", tasks);
        if (whole(nodes) && whole(tasks))
            set("SLURM_NTASKS", arithmetic(nodes + '*' + tasks, [](const std::string&) { return std::string(); }));
    }

    const ShellToken* peek() const { return next_ < tokens_.size() ? &tokens_[next_] : nullptr; }
    bool at_word(std::string_view text) const { return peek() && peek()->kind == Kind::word && peek()->text == text; }
    void skip_separators() {
        while (peek() && peek()->kind != Kind::word && peek()->text != ";;") ++next_;
    }

    /// Statements up to one of these words.
    void block(bool active, std::initializer_list<std::string_view> ends) {
        if (++depth_ > limits::configuration_expansions) next_ = tokens_.size();
        for (skip_separators(); peek(); skip_separators()) {
            if (std::ranges::find(ends, std::string_view(peek()->text)) != ends.end()) break;
            if (peek()->text == ";;") break;
            statement(active);
        }
        --depth_;
    }

    void statement(bool active) {
        const int line = peek()->line;
        if (at_word("if")) return if_statement(active);
        if (at_word("case")) return case_statement(active);
        if (at_word("for") || at_word("while") || at_word("until")) {
            note(line, "The loop is not evaluated.", "Write the command with the values of one run.");
            ++next_;
            block(false, {"done"});
            ++next_;
            return;
        }
        if (at_word("{") || at_word("}") || at_word("!") || at_word("then") || at_word("do") || at_word("fi") ||
            at_word("done") || at_word("else") || at_word("elif") || at_word("esac")) {
            ++next_;
            return;
        }
        if (at_word("function") || is_definition()) {
            note(line, "The function is not evaluated.", "Write its commands in the script.");
            while (peek() && !at_word("{")) ++next_;
            block(false, {"}"});
            ++next_;
            return;
        }
        const Truth done = command(active);
        // What follows "&&" or "||" may not be reached.
        while (peek() && (peek()->text == "&&" || peek()->text == "||") && peek()->kind == Kind::separator) {
            const bool wanted = peek()->text == "&&";
            ++next_;
            skip_separators();
            if (!peek()) return;
            if (tested_ && done == truth_of(!wanted))
                command(false);
            else if (tested_ && done == Truth::unknown)
                perhaps(active);
            else
                command(active);
        }
    }

    bool is_definition() const {
        return next_ + 2 < tokens_.size() && tokens_[next_ + 1].text == "(" && tokens_[next_ + 2].text == ")";
    }

    void perhaps(bool active) {
        active = active && ++conditions_ <= most_variables;
        const ShellVariables before = variables_;
        command(active);
        variables_.forget_differences(before);
    }

    /// One command up to its separator; whether it succeeds, if it is a test.
    Truth command(bool active) {
        Words words;
        std::vector<std::string> assignments;
        std::string target, document;
        bool exports = false, first = true;
        const int line = peek() ? peek()->line : 0;
        for (; peek() && peek()->kind != Kind::separator; ++next_) {
            const ShellToken& token = *peek();
            if (token.kind == Kind::document) {
                document = token.text;
            } else if (token.kind == Kind::redirection) {
                if (next_ + 1 < tokens_.size() && tokens_[next_ + 1].kind == Kind::word) {
                    ++next_;
                    if (token.text[0] == '>' && active) target = variables_.value(peek()->text, line).text;
                }
            } else if (!active) {
                continue;
            } else if (first && (token.text == "export" || token.text == "declare" || token.text == "readonly" ||
                                 token.text == "local")) {
                exports = true;
            } else if ((first || exports) && variables_.assign(token.text, token.line)) {
                continue;
            } else {
                first = false;
                for (ShellWord& word : variables_.expanded(token.text, token.line)) words.push_back(std::move(word));
            }
            if (words.size() > limits::configuration_settings) active = false;
        }
        if (!document.empty() && !target.empty()) documents_[target] = variables_.document(document);
        tested_ = !words.empty() && (words[0].text == "[" || words[0].text == "[[" || words[0].text == "test");
        if (words.empty()) return Truth::unknown;
        const std::string& name = words.front().text;
        if (name == "eval" || name == "source" || name == ".") {
            note(line, "\"" + name + "\" is not evaluated.", "Write its assignments into the script.");
        } else if (!tested_ && name != "echo" && name != "printf") {
            const auto flags = std::ranges::count_if(words, is_flag);
            const bool program = std::ranges::any_of(words, [](const ShellWord& w) { return is_program(w.text); });
            if (flags + (program ? 2 : 0) > 1 || name.starts_with("--")) commands_.push_back(words);
        }
        return tested_ ? test(words) : Truth::unknown;
    }

    void if_statement(bool active) {
        const int line = peek()->line;
        // Each condition keeps the variables of its branches.
        if (++conditions_ > most_variables) next_ = tokens_.size();
        bool decided = false, unsure = false;
        const ShellVariables before = variables_;
        std::vector<ShellVariables> outcomes;
        while (peek() && !at_word("fi")) {
            const bool otherwise = at_word("else");
            ++next_;
            skip_separators();
            Truth holds = Truth::yes;
            if (!otherwise) {
                holds = command(active && !decided);
                while (peek() && (peek()->text == "&&" || peek()->text == "||")) {
                    const Truth settles = truth_of(peek()->text == "||");  // whatever the other side is
                    ++next_;
                    skip_separators();
                    const Truth other = command(active && !decided);
                    if (holds != settles) holds = other == settles || holds != Truth::unknown ? other : holds;
                }
                while (peek() && !at_word("then")) ++next_;
                if (peek()) ++next_;
            }
            const bool run = active && !decided && holds != Truth::no;
            if (run) variables_ = before;
            block(run, {"elif", "else", "fi"});
            if (run) outcomes.push_back(variables_);
            unsure |= run && holds == Truth::unknown;
            decided |= run && holds == Truth::yes;
        }
        if (peek()) ++next_;
        if (!decided) outcomes.push_back(before);
        if (outcomes.empty() || !active) return;
        variables_ = outcomes.front();
        if (!unsure) return;
        for (const ShellVariables& outcome : outcomes) variables_.forget_differences(outcome);
        note(line, "The condition depends on something that is not in the script.",
             "Variables that differ between its branches are unknown; write their values.");
    }

    void case_statement(bool active) {
        ++next_;
        const ShellWord value = peek() ? variables_.value(peek()->text, peek()->line) : ShellWord{};
        if (peek()) ++next_;
        const ShellVariables before = variables_;
        bool decided = false;
        skip_separators();
        if (at_word("in")) ++next_;
        for (skip_separators(); peek() && !at_word("esac"); skip_separators()) {
            bool matches = false;
            for (; peek() && peek()->text != ")" && !at_word("esac"); ++next_)
                if (peek()->kind == Kind::word)
                    matches |= peek()->text == "*" || variables_.value(peek()->text, 0).text == value.text;
            if (at_word("esac")) break;
            const bool run = active && !decided && matches && value.known;
            block(run || (active && !value.known), {"esac"});
            decided |= run;
            while (peek() && peek()->text == ";;") ++next_;
        }
        if (peek()) ++next_;
        if (active && !value.known) variables_.forget_differences(before);
    }

    /// The flags of the command, those before the program as the launcher's.
    void flags() {
        auto program = best_.begin();
        for (auto word = best_.begin(); word != best_.end(); ++word) {
            const bool module =
                word->text == "-m" && word + 1 != best_.end() && !(word + 1)->text.starts_with("torch.distributed") &&
                !(word + 1)->text.starts_with("accelerate") && !(word + 1)->text.starts_with("deepspeed");
            if (!is_program(word->text) && !module) continue;
            program = word + (module ? 1 : 0);
            settings_.all.push_back({"program", program->text, {file_, program->line, 0}});
            ++program;
            break;
        }
        if (program != best_.begin()) read_flags(best_.begin(), program - 1, "launcher.");
        read_flags(program, best_.end(), "");
        for (const char* name : {"deepspeed_config", "deepspeed"}) {
            const Setting* config = find(settings_, name);
            const auto document = config ? documents_.find(config->value) : documents_.end();
            if (document == documents_.end()) continue;
            auto json = read_json(document->second, file_ + " (" + config->value + ")");
            const int line = config->at.line;
            if (!json)
                note(line, json.error().front().what, json.error().front().remedy);
            else
                for (Setting& setting : json->all) {
                    setting.key = "deepspeed_config." + setting.key;
                    setting.at = {file_, line, 0};
                    settings_.all.push_back(std::move(setting));
                }
            break;
        }
    }

    void read_flags(Words::const_iterator word, Words::const_iterator end, const std::string& prefix) {
        while (word != end) {
            const auto equals = word->text.find('=');
            const bool flag = is_flag(*word);
            if (!flag && (equals == std::string::npos || equals == 0)) {
                ++word;
                continue;
            }
            Setting setting{prefix + plain_key(word->text.substr(0, equals)), {}, {file_, word->line, 0}};
            setting.known = word->known;
            setting.assumed = word->assumed;
            if (equals != std::string::npos) setting.value = word->text.substr(equals + 1);
            ++word;
            // A launcher's flags have one value; what follows is the program.
            if (equals == std::string::npos)
                for (bool more = true; more && word != end && !is_flag(*word) && is_value(*word, setting); ++word) {
                    setting.value += (setting.value.empty() ? "" : " ") + word->text;
                    setting.known &= word->known;
                    setting.assumed |= word->assumed;
                    more = prefix.empty();
                }
            if (equals == std::string::npos && setting.value.empty()) setting.value = "true";
            settings_.all.push_back(std::move(setting));
        }
    }

    std::string file_;
    std::vector<ShellToken> tokens_;
    std::size_t next_ = 0;
    int depth_ = 0;
    std::size_t conditions_ = 0;
    bool tested_ = false;
    ShellVariables variables_;
    std::map<std::string, std::string> documents_;  ///< files that the script writes
    std::vector<Words> commands_;
    Words best_;
    Settings settings_;
};

}  // namespace

Result<Settings> read_shell(std::string_view text, const std::string& file) {
    if (std::ranges::count(text, '\n') > limits::configuration_lines)
        return fail(make_error("The script has more than 10,000 lines.", "Keep only the command and its variables.",
                               {file, 0, 0}));
    return Script(text, file).read();
}

}  // namespace scalescope::formats::trainers
