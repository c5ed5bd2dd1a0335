// SPDX-License-Identifier: GPL-3.0-or-later
// main() of the benchmarks of the window: Google Benchmark's, with an application and no screen.
#include <QApplication>

#include <benchmark/benchmark.h>

#include <cstdio>

namespace {

/// The offscreen platform says once per window that it has no window manager to tell sizes to: no news.
void withoutSizeHints(QtMsgType /*type*/, const QMessageLogContext& /*context*/, const QString& message) {
    if (!message.contains(QLatin1String("propagateSizeHints")))
        std::fprintf(stderr, "%s\n", qPrintable(message));
}

}  // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    qInstallMessageHandler(withoutSizeHints);
    const QApplication application(argc, argv);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
