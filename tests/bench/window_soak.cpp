// SPDX-License-Identifier: GPL-3.0-or-later
// Hours of a training behind the window, offscreen, with the engine of this build: once a minute it says how
// many steps there were, what the window takes of a core, and its memory, which is to stay as it is.
//
//     window_soak MINUTES [SECONDS between two lines]
#include "tests/bench/bench_window.h"

#include <QElapsedTimer>
#include <QFile>

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <functional>
#include <malloc.h>
#include <unistd.h>

namespace plumb::ui {
namespace {

constexpr double kMega = 1e6;

double residentBytes() {
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly)) return 0;
    const double pages = file.readAll().split(' ').value(1).toDouble();
    return pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double usedBytes() {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
}

void wait(int milliseconds) {
    QEventLoop loop;
    QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
    loop.exec();
}

bool waitFor(const std::function<bool()>& done) {
    constexpr int kPiece = 50, kMost = 60'000;
    for (int waited = 0; waited < kMost && !done(); waited += kPiece) wait(kPiece);
    return done();
}

int soak(double minutes, double every) {
    MainWindow window(room().settings, room().theme);
    window.engine().setCommand(QStringLiteral(PLUMBLINE_ENGINE " engine"));
    window.resize(1600, 1000);
    window.show();
    window.engine().start();
    RunController& controller = window.controller();
    if (!waitFor([&] { return controller.chosen().whyNotRun().isEmpty(); })) {
        std::fprintf(stderr, "no engine: %s\n", qPrintable(controller.chosen().whyNotRun()));
        return 1;
    }
    // Ten thousand steps a second and more.
    (void)window.workbench().show(RunConfig{.dim = 8, .layers = 1, .batch = 8});
    controller.next().setSteps(0);
    window.actions().action(QStringLiteral("run.run"))->trigger();
    if (!waitFor([&] { return window.workbench().runs().active() != nullptr; })) return 1;
    constexpr std::array kViews{"training", "overview", "operations", "memory", "roofline", "history"};
    std::printf("minute  view          steps   steps/s  window's core  resident MB  in use MB\n");
    QElapsedTimer clock;
    clock.start();
    std::int64_t stepsBefore = 0;
    double cpuBefore = handSeconds(), at = 0;
    for (std::size_t line = 0; at < 60 * minutes; ++line) {
        const char* const view = kViews.at(line % kViews.size());
        window.views().setCurrentTab(ViewStack::tabOf(QString::fromLatin1(view)));
        wait(static_cast<int>(1e3 * every));
        const auto run = window.workbench().runs().active();
        if (!run) {
            std::fprintf(stderr, "the training has ended: %s\n", qPrintable(window.bannerText()));
            return 1;
        }
        const double now = 1e-3 * static_cast<double>(clock.elapsed());
        fmt::print("{:6.1f}  {:10} {:8}  {:8.0f}  {:12.0f}%  {:11.1f}  {:9.1f}\n", now / 60, view,
                   run->stepsDone, static_cast<double>(run->stepsDone - stepsBefore) / (now - at),
                   1e2 * (handSeconds() - cpuBefore) / (now - at), residentBytes() / kMega,
                   usedBytes() / kMega);
        std::fflush(stdout);
        stepsBefore = run->stepsDone;
        cpuBefore = handSeconds();
        at = now;
    }
    window.actions().action(QStringLiteral("run.stop"))->trigger();
    return waitFor([&] { return !controller.work().busy(); }) ? 0 : 1;
}

}  // namespace
}  // namespace plumb::ui

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    // As the program sets them.
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    mallopt(M_MMAP_THRESHOLD, 64 << 20);
    const QApplication application(argc, argv);
    const QStringList given = QCoreApplication::arguments();
    constexpr double kUsual = 60;
    const double minutes = given.value(1).toDouble();
    const double every = given.size() > 2 ? given[2].toDouble() : kUsual;
    if (minutes <= 0 || every <= 0) {
        std::fprintf(stderr, "window_soak MINUTES [SECONDS between two lines]\n");
        return 2;
    }
    return plumb::ui::soak(minutes, every);
}
