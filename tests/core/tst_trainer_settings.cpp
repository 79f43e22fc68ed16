// SPDX-License-Identifier: GPL-3.0-or-later
// Keys and values of training configurations in each syntax, and the descriptions of trainers.
#include <QtTest>
#include <nlohmann/json.hpp>
#include <regex>

#include "core/formats/embedded.hpp"
#include "core/formats/trainers/description.hpp"
#include "core/formats/trainers/reading.hpp"
#include "core/formats/trainers/settings.hpp"
#include "core/language/catalogue.hpp"
#include "core/words/configured.hpp"
#include "support_library.hpp"

using namespace scalescope;
using namespace scalescope::formats::trainers;

namespace {

Settings settings(const std::string& text) {
    auto read = read_settings(text, "text");
    if (!read) qFatal("%s", support::messages(read.error()).c_str());
    return std::move(*read);
}

/// "value", "?" if it is unknown, "value*" if it is assumed, "-" if there is no such key.
std::string value_in(const std::string& text, std::string_view key) {
    const Settings all = settings(text);
    const Setting* found = find(all, key);
    return !found ? "-" : !found->known ? "?" : found->value + (found->assumed ? "*" : "");
}
/// Of `--x $X` behind the lines of a script.
std::string shell(const std::string& lines, const std::string& word = "$X") {
    return value_in("#!/bin/bash\n" + lines + "\ntorchrun --nnodes 1 train.py --a b --x " + word, "x");
}

Reading reading(const std::string& text) {
    auto read = read_configuration(text, "text");
    if (!read) qFatal("%s", support::messages(read.error()).c_str());
    return std::move(*read);
}
bool says(const Reading& read, const char* text) {
    return support::messages(read.notes).find(text) != std::string::npos;
}

const std::string gpt =
    "pretrain_gpt.py --num-layers 12 --hidden-size 768 --num-attention-heads 12 --seq-length 1024 "
    "--micro-batch-size 2 --bf16 ";

}  // namespace

class TestTrainerSettings : public QObject {
    Q_OBJECT

private slots:
    void shell_variables_are_followed() {
        QCOMPARE(shell("X=8"), "8");
        QCOMPARE(shell("export X=8; Y=1"), "8");
        QCOMPARE(shell("A=2\nX=$((A * (3 + 1) - 7 % 4))"), "5");
        QCOMPARE(shell("A=2_048\nX=$(( $A / 2 ))"), "1024");
        QCOMPARE(shell("X=${N:-4}"), "4*");
        QCOMPARE(shell("N=6\nX=${N:-4}"), "6");
        QCOMPARE(shell("N=\nX=${N:-4}"), "4*");
        QCOMPARE(shell("X=1\nX+=2"), "12");
        QCOMPARE(shell("A=(--y 1 --x 7)", "1 \"${A[@]}\""), "7");
        QCOMPARE(shell("A=(--y 1)\nA+=(--x 7)", "1 ${A[*]}"), "7");
        QCOMPARE(shell("X='a  b'"), "a b");
        QCOMPARE(shell("A=\"--y 1 \\\n --x 9\"", "1 $A"), "9");
        QCOMPARE(shell("#SBATCH --nodes=4\n#SBATCH --gpus-per-node=8\nX=$((SLURM_NNODES * SLURM_GPUS_ON_NODE))"), "32");
    }

    void what_is_not_in_the_script_is_unknown() {
        for (const char* lines :
             {"X=$(hostname)", "X=`hostname`", "Y=1", "X=$1", "X=$((1 / 0))", "X=$((9223372036854775807 * 2))",
              "eval X=1", "source x.sh", "X=${!Y}", "f() { X=1; }", "for X in 1 2; do echo; done"})
            QCOMPARE(shell(lines), "?");
        QCOMPARE(shell("A=x\nfor i in $(seq 99); do A=$A$A; done\nX=$A"), "x");
    }

    void conditions_are_decided_where_both_sides_are_known() {
        QCOMPARE(shell("A=2\nif [ $A -eq 2 ]; then X=1; else X=2; fi"), "1");
        QCOMPARE(shell("A=3\nif [ $A -eq 2 ]; then X=1; elif [[ $A == 3 ]]; then X=3; else X=2; fi"), "3");
        QCOMPARE(shell("if [ \"$1\" = a ]; then X=1; else X=2; fi"), "?");
        QCOMPARE(shell("if [ \"$1\" = a ]; then X=1; else X=1; fi"), "1");
        QCOMPARE(shell("A=\n[ -z \"$A\" ] && X=4"), "4");
        QCOMPARE(shell("X=1\nA=b\n[ -z \"$A\" ] && X=4"), "1");
        QCOMPARE(shell("A=big\ncase $A in small) X=1;; big|huge) X=2;; *) X=3;; esac"), "2");
    }

    void what_real_scripts_have() {
        // Comments in arrays, with brackets and apostrophes that do not close; several tests in one condition.
        QCOMPARE(shell("A=(--y 1 # Can't be (larger\n --x 7)", "1 ${A[@]}"), "7");
        QCOMPARE(shell("A=1\nif [ $A -eq 1 ] && [ $A -lt 2 ]; then X=5; else X=6; fi"), "5");
        QCOMPARE(shell("A=1\nif [ $A -eq 2 ] || [ \"$1\" = a ]; then X=5; else X=6; fi"), "?");
        QCOMPARE(shell("A=1\nif [ $A -eq 1 ] || [ \"$1\" = a ]; then X=5; else X=6; fi"), "5");
        // Words that are unknown may be further flags.
        QCOMPARE(shell("X=8", "$X $EXTRA_ARGS"), "8");
        // A here-document is the file that is named; its numbers may be those of Python.
        const std::string script =
            "#!/bin/sh\nB=2_048\ncat <<EOT > c.json\n{\"train_batch_size\": $B, \"fp16\": {\"enabled\": "
            "true}}\nEOT\ndeepspeed train.py --zero-stage 1 --deepspeed_config c.json";
        QCOMPARE(value_in(script, "deepspeed_config.train_batch_size"), "2_048");
        QCOMPARE(value_in(script, "deepspeed_config.fp16.enabled"), "true");
        // Comments and commas in JSON.
        QCOMPARE(value_in("{\n  # pipe\n  \"pipe-parallel-size\": 4,\n}", "pipe_parallel_size"), "4");
    }

    void growing_values_are_limited() {
        std::string lines = "A=x\n";
        for (int i = 0; i < 200; ++i) lines += "A=$A$A\n";
        QCOMPARE(shell(lines + "X=$A"), "?");
        QVERIFY(!read_settings(std::string(3u << 20, 'x'), "text"));
        std::string deep;
        for (int i = 0; i < 100000; ++i) deep += "${A:-";
        QVERIFY(read_settings("#!/bin/sh\nX=" + deep, "text"));
        QVERIFY(!read_settings("[a]\nb = " + std::string(5000, '['), "text"));
        QVERIFY(!read_settings("a: " + std::string(5000, '['), "text"));
        QVERIFY(
            !read_settings("a: &a [1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,"
                           "*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e "
                           "[*d,*d,*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]",
                           "text"));
    }

    void every_syntax_gives_the_same_keys() {
        QCOMPARE(value_in("a:\n  b-c: 2\n", "a.b_c"), "2");
        QCOMPARE(value_in("[a]\nb-c = 2\n", "a.b_c"), "2");
        QCOMPARE(value_in("{\"a\": {\"b-c\": 2}}", "a.b_c"), "2");
        QCOMPARE(value_in("a: [x, y]\n", "a"), "x y");
        QCOMPARE(value_in("def f():\n    return Trainer.Config(a=C(b_c=2 * 8, d=\"x\"), e=g(\"h\"))", "b_c"), "16");
        QCOMPARE(value_in("def f():\n    return Trainer.Config(a=C(b_c=2 * 8, d=\"x\"), e=g(\"h\"))", "e"), "g h");
    }

    void references_are_replaced() {
        const std::string text =
            "trainer:\n  devices: 8\nmodel:\n  a: ${trainer.devices}\n  b: ${.a}\n  c: "
            "${multiply:${.b},2}\n  d: ${oc.env:N,3}\n  e: ${missing}\n  f: ???\n  g: ${.g}\n";
        QCOMPARE(value_in(text, "model.c"), "16");
        QCOMPARE(value_in(text, "model.d"), "3*");
        for (const char* key : {"model.e", "model.f", "model.g"}) QCOMPARE(value_in(text, key), "?");
    }

    void patterns_are_unrolled() {
        QCOMPARE(unrolled("([0]*3+[1]*2)"), "00011");
        QCOMPARE(unrolled("Et*2|(t|)*2mL"), "Ett|t|t|mL");
        QCOMPARE(unrolled("(x*999999)*999999"), "");
        QCOMPARE(unrolled("((("), "");
    }

    void descriptions_are_sound() {
        std::vector<Description> known;
        for (const formats::EmbeddedFile& file : formats::embedded_files()) {
            if (!file.path.starts_with("configurations/")) continue;
            auto read = read_descriptions(file.text, std::string(file.path), known);
            QVERIFY2(read, qPrintable(QString::fromStdString(read ? "" : support::messages(read.error()))));
            known = std::move(*read);
        }
        QCOMPARE(known.size(), shipped_descriptions().size());
        QVERIFY(known.size() > 10);
        QVERIFY(!read_descriptions(
            "{\"format\": \"scalescope-configurations\", \"version\": 1, \"trainers\": [{\"id\": \"x\", "
            "\"title\": \"X\", \"figures\": {\"a\": \"nowhere + 1\"}}]}",
            "text"));
    }

    /// Rules and replaced keys are shown in the window. What is written is not: the command line speaks English.
    void rules_have_german_texts() {
        const auto german = language::shipped_catalogue("de");
        QVERIFY(german);
        const std::regex hole("\\{[^}]*\\}");
        const auto check = [&](const nlohmann::json& text) {
            const std::string shown = std::regex_replace(text.get<std::string>(), hole, "7");
            QVERIFY2(german->unknown(shown).empty(), shown.c_str());
        };
        for (const formats::EmbeddedFile& file : formats::embedded_files()) {
            if (!file.path.starts_with("configurations/")) continue;
            const auto configurations = nlohmann::json::parse(file.text);
            for (const auto& trainer : configurations["trainers"]) {
                for (const auto& rule : trainer.value("rules", nlohmann::json::array())) {
                    check(rule["what"]);
                    check(rule["remedy"]);
                }
                for (const auto& gone : trainer.value("gone", nlohmann::json::object())) check(gone);
            }
        }
    }

    void arguments_follow_argparse() {
        QCOMPARE(*reading("torchrun --nproc_per_node 8 " + gpt + "--tensor-model-parallel-size=2").whole("tensor"), 2);
        QCOMPARE(*reading("torchrun --nproc_per_node 8 " + gpt + "--tensor-model-par 2").whole("tensor"), 2);
        const Reading twice = reading(gpt + "--global-batch-size 8 --global-batch-size 16");
        QCOMPARE(*twice.whole("global_batch"), 16);
        QVERIFY(twice.infeasible && says(twice, "both"));
        QCOMPARE(*reading("srun -N 2 --ntasks-per-node=4 python " + gpt).whole("devices"), 8);
        QCOMPARE(*reading("mpirun -np 16 python " + gpt).whole("devices"), 16);
        QVERIFY(!reading("torchrun --nnodes 1:4 --nproc_per_node 8 " + gpt).whole("devices"));
        QVERIFY(says(reading(gpt + "--turbo-mode 3"), "turbo_mode is not a known key"));
        QVERIFY(says(reading(gpt + "--micro-batch-sise 3"), "Did you mean") ||
                says(reading(gpt + "--micro-batch-sise 3"), "did you mean"));
        // Both the allocation and the launcher say how many nodes: the launcher decides.
        const Reading nodes = reading("#!/bin/sh\n#SBATCH --nodes=4\ntorchrun --nnodes 2 --nproc_per_node 8 " + gpt);
        QCOMPARE(*nodes.whole("devices"), 16);
        QVERIFY(nodes.infeasible);
    }

    /// Arguments of Megatron-DeepSpeed are arguments of Megatron-LM with some more.
    void a_file_that_two_trainers_know_can_be_read_as_either() {
        const std::string text = "torchrun --nproc_per_node 8 " + gpt + "--zero-stage 1";
        const Reading likeliest = reading(text);
        QCOMPARE(likeliest.trainer, std::string("megatron-deepspeed"));
        QVERIFY(!likeliest.others.empty());
        QCOMPARE(likeliest.others.front().id, std::string("megatron"));
        const auto other = read_configuration(text, "text", "megatron");
        QVERIFY(other.has_value());
        QCOMPARE(other->trainer, std::string("megatron"));
        QCOMPARE(other->others.front().id, std::string("megatron-deepspeed"));
        // A trainer that does not fit is not forced upon a file.
        const auto forced = read_configuration(text, "text", "maxtext");
        QVERIFY(!forced &&
                forced.error().front().remedy.find("one of megatron-deepspeed, megatron.") != std::string::npos);
        QVERIFY(reading("torchrun --nproc_per_node 8 " + gpt).others.empty());
    }

    /// By the file, unless the configuration names its run; a pasted text by its network.
    void scenarios_are_named_by_their_files() {
        const std::string text = "torchrun --nproc_per_node 8 " + gpt;
        const auto name = [](const std::string& what, const std::string& file) {
            return read_configured_scenario(what, file, support::library())->read.scenario.name;
        };
        QCOMPARE(name(text, "/somewhere/gpt-small.sh"), std::string("gpt-small"));
        QCOMPARE(name(text, "scripts/train"), std::string("train"));
        QVERIFY(name(text, "The pasted text").ends_with(" on 8 GPUs (Megatron-LM)"));
        QCOMPARE(name("per_device_train_batch_size: 4\nrun_name: small-1\n", "args.yaml"), std::string("small-1"));
        const auto opened = read_configured_scenario(text, "gpt-small.sh", support::library());
        QCOMPARE(opened->trainer.title, std::string("Megatron-LM"));
        QVERIFY(opened->read.warnings.front().what.find("configuration of Megatron-LM") != std::string::npos);
    }

    void other_texts_are_no_configurations() {
        for (const char* text :
             {"", "hello world", "a,b\n1,2\n", "{}", "[]", "{\"model_type\": \"llama\"}", "layer { name: \"x\" }",
              "batch: 3\n", "# a comment\n", "workers,time\n8,1.5\n", "rm -rf /tmp/x --force --now"})
            QVERIFY2(!is_configuration(text), text);
        for (const auto& preset : support::library().networks)
            QVERIFY2(!is_configuration(preset.text), preset.id.c_str());
        for (const auto& preset : support::library().scenarios)
            QVERIFY2(!is_configuration(preset.text), preset.id.c_str());
    }
};

QTEST_GUILESS_MAIN(TestTrainerSettings)
#include "tst_trainer_settings.moc"
