// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/all_verbs.hpp"

#include <chrono>
#include <ostream>

#include "app/commands/habitat_options.hpp"
#include "app/commands/interrupt.hpp"
#include "core/base/format.hpp"
#include "core/formats/input_file.hpp"
#include "core/measure/habitat/mlp.hpp"
#include "core/measure/habitat/mlp_training.hpp"

namespace scalescope::app {

namespace {

namespace hb = scalescope::habitat;

Options train_options() {
    Options options(habitat_train_command);
    options.positional("SAMPLES",
                       "CSV: the operation's features, device (or mem, mem_bw, num_sm, single), run_time_ms; "
                       "perhaps operation, is_forward");
    options.value("operation", "NAME", "conv2d, linear, bmm or lstm; another needs --features").required();
    options.value("features", "A,B", "the columns that are its features, in order (by default Habitat's)");
    options.value("devices", "FILE", "CSV of GPUs that the column device names");
    add_variant(options);
    options.integer("hidden", "hidden layers after the first (8)", 0, hb::most_hidden_layers);
    options.integer("width", "of every hidden layer (1024)", 1, hb::most_layer_width);
    options.integer("epochs", "passes over the samples (80)", 1, 1'000'000);
    options.integer("batch", "samples of a step (512)", 1, 1 << 20);
    options.number("rate", "learning rate of the first half (5e-4)", 1e-9, 1.0);
    options.number("later-rate", "learning rate of the second half (1e-4)", 1e-9, 1.0);
    options.number("decay", "weight decay (1e-4)", 0.0, 1.0);
    options.number("train-share", "share of the samples that is trained on; the rest judges (0.8)", 0.01, 0.99);
    options.integer("seed", "of all random numbers (1337)", 0, std::int64_t{1} << 53);
    options.value("models", "FILE", "JSON of networks of other operations, which go into the saved file too");
    options.value("save", "FILE", "write the network as JSON for `habitat mlp --models`");
    add_habitat_format(options);
    return options;
}

hb::MlpTraining training_of(const Arguments& a) {
    hb::MlpTraining how;
    const auto count = [&](std::string_view name, std::size_t usual) {
        return static_cast<std::size_t>(a.integer(name).value_or(static_cast<std::int64_t>(usual)));
    };
    how.hidden_blocks = count("hidden", how.hidden_blocks);
    how.width = count("width", how.width);
    how.epochs = a.integer("epochs").value_or(how.epochs);
    how.batch = count("batch", how.batch);
    how.adam.rate = a.number("rate").value_or(how.adam.rate);
    how.later_rate = a.number("later-rate").value_or(how.later_rate);
    how.adam.weight_decay = a.number("decay").value_or(how.adam.weight_decay);
    how.train_share = a.number("train-share").value_or(how.train_share);
    how.seed = static_cast<std::uint64_t>(a.integer("seed").value_or(static_cast<std::int64_t>(how.seed)));
    return how;
}

std::vector<std::string> features_of_operation(const Arguments& a) {
    if (!a.has("features")) return hb::usual_features(*a.value("operation"));
    std::vector<std::string> names;
    std::string_view rest = *a.value("features");
    while (!rest.empty()) {
        const auto comma = std::min(rest.find(','), rest.size());
        if (comma > 0) names.emplace_back(rest.substr(0, comma));
        rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    return names;
}

/// Says on `err` how far the training is, at most once a second.
Progress told_to(std::ostream& err) {
    using Clock = std::chrono::steady_clock;
    return Progress([&err, last = Clock::time_point{}](double share, std::string_view text) mutable {
        const auto now = Clock::now();
        if (share < 1.0 && now - last < std::chrono::seconds(1)) return;
        last = now;
        err << format_percent(Fraction{share}, 0) << ' ' << text << '\n' << std::flush;
    });
}

Table history(const hb::TrainedMlp& trained, const hb::MlpTraining& how) {
    Table table;
    table.columns = {"epoch", "rate", "loss", "validation_error", "kept"};
    for (std::size_t i = 0; i < trained.epochs.size(); ++i)
        table.rows.push_back({static_cast<std::int64_t>(i + 1), how.rate_of(static_cast<std::int64_t>(i)),
                              trained.epochs[i].loss, trained.epochs[i].validation_error,
                              std::int64_t{i == trained.best_epoch ? 1 : 0}});
    return table;
}

int run_habitat_train(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    const auto arguments = train_options().parse(words, out, err);
    if (!arguments) return arguments.error();
    const std::string operation = *arguments->value("operation");
    const auto features = features_of_operation(*arguments);
    if (features.empty()) {
        err << "scalescope habitat train: '" << operation << "' is none of Habitat's operations; name its features\n"
            << "Try: scalescope habitat train --help\n";
        return exit_usage;
    }
    const auto devices = devices_of(*arguments);
    if (!devices) return report(err, devices.error());
    // Before hours of training, not after.
    auto models = models_of(*arguments);
    if (!models) return report(err, models.error());
    const auto& file = arguments->positional(0);
    const auto text = formats::read_input_file(file);
    if (!text) return report(err, text.error());
    const auto samples = hb::read_mlp_samples(*text, file, operation, features, *devices);
    if (!samples) return report(err, samples.error());
    report(err, samples->warnings);

    const auto how = training_of(*arguments);
    const Interrupt interrupt;
    auto trained = hb::train(samples->features, samples->samples, how, Watch{told_to(err), interrupt.token()});
    if (!trained) return report(err, trained.error());
    report(err, trained->warnings);
    write_result(out, history(*trained, how), *arguments);
    if (const auto save = arguments->value("save")) {
        (*models)[operation] = std::move(trained->mlp);
        if (const auto saved = write_file(*save, hb::write_mlp_models(*models)); !saved)
            return report(err, saved.error());
    }
    return exit_done;
}

}  // namespace

const Command habitat_train_command{
    "habitat train", "Habitat's network for the times of an operation, from measured ones",
    "scalescope habitat train samples.csv --operation conv2d --devices devices.csv --width 16 --hidden 2 --epochs 40 "
    "--save trained.json",
    run_habitat_train};

}  // namespace scalescope::app
