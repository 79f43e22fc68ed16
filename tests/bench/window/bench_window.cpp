// SPDX-License-Identifier: GPL-3.0-or-later
// Speed as a hand feels it: from the event of a control to the painted frame in which every visible chart shows the
// answer, in a window of 1280 × 800: on a network of 1,000 layers, on GPT-3 on 1,024 devices and on Llama 3 405B on
// 16,384. Target: 12 ms for 95 of 100 frames. QT_SCALE_FACTOR=2 measures a fine screen. Then the start, from the
// process's first moment to the first painted charts (target 0.2 s), and the memory it holds then (target 120 MB).
// Beside what passes on the clock stands what the painting thread and all others work: other programs on the machine
// stretch the first, hardly the second. --frames=N measures N frames of each kind.
#include <benchmark/benchmark.h>

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "benches.hpp"
#include "ui/theme/theme.hpp"

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    if (argc == 3 && std::strcmp(argv[1], "--start") == 0) return window_bench::run_start(std::atof(argv[2]), argv);
    int steps = 240;
    for (int i = 1; i < argc; ++i)
        if (std::strncmp(argv[i], "--frames=", 9) == 0) {
            steps = std::max(1, std::atoi(argv[i] + 9));
            std::rotate(argv + i, argv + i + 1, argv + argc);
            --argc;
            break;
        }
    const QTemporaryDir home;  // nobody's own settings and sessions
    for (const char* name : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
        qputenv(name, QFile::encodeName(home.filePath(QLatin1String(name))));
    QApplication app(argc, argv);
    scalescope::ui::apply_theme(app, scalescope::ui::ThemeChoice::light);
    window_bench::add_frames(steps);
    window_bench::add_searches(steps);
    window_bench::add_pans(steps);
    window_bench::add_start_and_memory();
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    std::printf("device pixels per pixel: %g\n", app.devicePixelRatio());
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
