// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/history/history_store.h"

#include <QTemporaryDir>

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <random>

namespace plumb::ui::test {

/// An open store, or a test failure and null.
inline std::unique_ptr<HistoryStore> openHistory(const QString& path) {
    Result<HistoryStore::Opened> opened = HistoryStore::open(path);
    EXPECT_TRUE(opened.has_value()) << opened.error().text();
    return opened.has_value() ? std::move(opened->store) : nullptr;
}

/// An entry of made-up content; equal numbers make equal entries, `number` orders them in time.
inline HistoryEntry someEntry(int number) {
    std::mt19937 random(static_cast<unsigned>(number));
    const auto any = [&](int most) { return std::uniform_int_distribution<int>(0, most)(random); };
    HistoryEntry entry;
    entry.uid = QStringLiteral("uid-%1").arg(number);
    entry.kind = static_cast<HistoryKind>(any(2));
    entry.began = 1'700'000'000'000 + number * std::int64_t{1000};
    entry.ended = any(3) == 0 ? 0 : entry.began + any(500);
    entry.program = QStringLiteral("plumbline 0.%1.0 (abc)").arg(any(3));
    entry.title = QStringLiteral("D %1 · L 4 · ‘quoted’ \" % _ \\").arg(1 << any(10));
    entry.config = QStringLiteral("{\"layers\":%1}").arg(any(9));
    entry.configKey = QStringLiteral("key-%1").arg(any(4));
    entry.deviceId = QStringLiteral("local-cpu");
    entry.device = QStringLiteral("Processor %1, 2 cores").arg(any(2));
    entry.deviceSource = QStringLiteral("calibrated 2026-11-20");
    entry.outcome = any(1) == 0 ? QString() : QStringLiteral("finished");
    entry.steps = any(100000);
    entry.path = any(1) == 0 ? QString() : QStringLiteral("/tmp/ä ö.plumb");
    entry.note = any(1) == 0 ? QString() : QStringLiteral("first line\nsecond; DROP TABLE entries");
    entry.isFavourite = any(4) == 0;
    for (const char* tag : {"best", "two words", "ü"})
        if (any(1) == 0) entry.tags << QString::fromUtf8(tag);
    for (const HistoryFigureSpec& spec : historyFigures())
        for (const bool isMeasured : {false, true}) {
            if (any(2) == 0) continue;
            HistoryFigure figure{.name = QString::fromLatin1(spec.name), .isMeasured = isMeasured};
            figure.value = std::ldexp(any(1 << 20), any(60) - 30);
            figure.unit = QString::fromLatin1(spec.unit);
            figure.tier = QStringLiteral("measured");
            figure.source = QStringLiteral("clock");
            if (any(1) == 0) figure.low = figure.value / 3;
            if (figure.low) figure.high = figure.value * 3;
            entry.figures.push_back(figure);
        }
    return entry;
}

}  // namespace plumb::ui::test
