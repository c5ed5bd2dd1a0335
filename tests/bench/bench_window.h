// SPDX-License-Identifier: GPL-3.0-or-later
// What the benchmarks of the whole window have in common.
#pragma once

#include "core/machine/local_cpu.h"
#include "ui/settings/settings.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QEventLoop>
#include <QTemporaryDir>
#include <QTimer>

#include <ctime>

namespace plumb::ui {

/// What every window is made with: settings and a history that go with the process.
struct BenchRoom {
    BenchRoom() {
        qputenv("PLUMBLINE_HISTORY", folder.filePath(QStringLiteral("history.sqlite")).toUtf8());
        theme.apply(*qApp);
    }

    QTemporaryDir folder;
    Settings settings{folder.filePath(QStringLiteral("window.ini"))};
    Theme theme;
};

inline BenchRoom& room() {
    static BenchRoom& instance =
        *new BenchRoom;  // never deleted: the application uses the theme until its end
    return instance;
}

/// A device whose ceilings are known, so that there are times to show.
inline Target benchTarget() {
    Machine machine = localCpu();
    machine.bandwidthBytesPerSecond = 1e11;
    machine.peakFlopPerSecond = {{Dtype::Fp32, 1e12}};
    machine.perOpOverhead = 1e-6;
    machine.memoryBytes = Bytes{16} << 30U;
    return {machine, cpuTraits()};
}

/// Lets the window paint all that is due.
inline void waitForFrame() {
    constexpr int kFrameMs = 40;  // long enough for every view's frame timer
    QEventLoop loop;
    QTimer::singleShot(kFrameMs, &loop, &QEventLoop::quit);
    loop.exec();
}

inline double cpuSeconds(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}
/// Processor time of the thread that asks: of the hand, in a window.
inline double handSeconds() { return cpuSeconds(CLOCK_THREAD_CPUTIME_ID); }
/// That of all threads.
inline double allSeconds() { return cpuSeconds(CLOCK_PROCESS_CPUTIME_ID); }

}  // namespace plumb::ui
