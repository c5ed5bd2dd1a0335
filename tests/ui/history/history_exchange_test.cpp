// SPDX-License-Identifier: GPL-3.0-or-later
// What is exported comes back elsewhere, once, and a file that is no history changes nothing.
#include "ui/history/history_exchange.h"

#include "tests/ui/history/history_support.h"
#include "tests/ui/support.h"

#include <QDir>
#include <QFile>

#include <gtest/gtest.h>

#include <random>

namespace plumb::ui {
namespace {

using test::openHistory;
using test::someEntry;

struct HistoryExchangeTest : ::testing::Test {
    [[nodiscard]] QString file(const char* name) const { return folder.filePath(QLatin1String(name)); }
    /// A history with the entries from `first` to `last`, each with a snapshot.
    [[nodiscard]] std::unique_ptr<HistoryStore> filled(const char* name, int first, int last) const {
        auto store = openHistory(file(name));
        for (int i = first; i <= last; ++i)
            EXPECT_TRUE(store->put(someEntry(i), QByteArray(500 + i, 'x')).has_value());
        return store;
    }
    QTemporaryDir folder;
    test::FailOnQtWarnings guard;
};

HistoryExchange exchanged(const Result<HistoryExchange>& result) {
    EXPECT_TRUE(result.has_value()) << result.error().text();
    return result.has_value() ? *result : HistoryExchange();
}

TEST_F(HistoryExchangeTest, WhatIsExportedComesBackElsewhereAsItWas) {
    const auto from = filled("from", 0, 20);
    const std::vector<HistoryEntry> all = *from->entries();
    const HistoryStore::Ids some{all[0].id, all[5].id, all[20].id};
    EXPECT_EQ(exchanged(exportHistory(*from, some, file("some.plumbhistory"))).added, 3);
    EXPECT_EQ(exchanged(exportHistory(*from, {}, file("all.plumbhistory"))).added, 21);
    EXPECT_EQ(
        QDir(folder.path()).entryList({QStringLiteral("*plumb*")}, QDir::AllEntries | QDir::Hidden).size(), 2)
        << "one file each, and nothing is left beside them";
    const auto into = filled("into", 18, 25);
    HistoryExchange done = exchanged(importHistory(*into, file("some.plumbhistory")));
    EXPECT_EQ(done.added, 2);
    EXPECT_EQ(done.known, 1) << "the newest is here already";
    done = exchanged(importHistory(*into, file("all.plumbhistory")));
    EXPECT_EQ(done.added, 16);
    EXPECT_EQ(done.known, 5);
    done = exchanged(importHistory(*into, file("all.plumbhistory")));
    EXPECT_EQ(done.added, 0) << "again changes nothing";
    const std::vector<HistoryEntry> found = *into->entries();
    ASSERT_EQ(found.size(), 26U);
    for (const HistoryEntry& entry : found) {
        const HistoryEntry wanted = someEntry(entry.uid.section(QLatin1Char('-'), 1).toInt());
        EXPECT_EQ(entry.tags, wanted.tags);
        EXPECT_EQ(entry.figures.size(), wanted.figures.size());
        EXPECT_EQ(entry.note, wanted.note);
        EXPECT_EQ(*into->snapshot(entry.id),
                  QByteArray(500 + wanted.uid.section(QLatin1Char('-'), 1).toInt(), 'x'));
    }
}

TEST_F(HistoryExchangeTest, AKnownEntryGetsWhatItLacksAndKeepsWhatItHas) {
    const auto from = openHistory(file("from")), into = openHistory(file("into"));
    HistoryEntry entry = someEntry(1);
    entry.isFavourite = false;
    entry.tags = {QStringLiteral("theirs")};
    entry.note = QStringLiteral("theirs");
    ASSERT_TRUE(from->put(entry, "snapshot").has_value());
    entry.tags = {QStringLiteral("ours")};
    entry.note = QStringLiteral("ours");
    entry.isFavourite = true;
    ASSERT_TRUE(into->put(entry, {}).has_value());
    exchanged(exportHistory(*from, {}, file("x.plumbhistory")));
    exchanged(importHistory(*into, file("x.plumbhistory")));
    const HistoryEntry merged = into->entries()->front();
    EXPECT_EQ(merged.tags, (QStringList{QStringLiteral("ours"), QStringLiteral("theirs")}));
    EXPECT_EQ(merged.note, QStringLiteral("ours"));
    EXPECT_TRUE(merged.isFavourite);
    EXPECT_EQ(*into->snapshot(merged.id), QByteArray("snapshot"));
}

TEST_F(HistoryExchangeTest, AFileThatIsNoHistoryChangesNothingAndStays) {
    const auto into = filled("into", 0, 2);
    for (const QByteArray& content : {QByteArray(), QByteArray("no history"), QByteArray(9000, '\0')}) {
        QFile written(file("no"));
        ASSERT_TRUE(written.open(QIODevice::WriteOnly));
        written.write(content);
        written.close();
        const Result<HistoryExchange> done = importHistory(*into, file("no"));
        ASSERT_FALSE(done.has_value());
        EXPECT_EQ(done.error().code, ErrorCode::BadInput);
        EXPECT_EQ(QFileInfo(file("no")).size(), content.size());
    }
    EXPECT_FALSE(importHistory(*into, file("missing")).has_value());
    EXPECT_FALSE(exportHistory(*into, {}, QStringLiteral("/proc/nowhere/x")).has_value());
    EXPECT_EQ(into->entries()->size(), 3U);
}

TEST_F(HistoryExchangeTest, ADamagedFileIsRefusedOrReadAndNeverHalf) {
    exchanged(exportHistory(*filled("from", 0, 6), {}, file("good")));
    QFile read(file("good"));
    ASSERT_TRUE(read.open(QIODevice::ReadOnly));
    const QByteArray good = read.readAll();
    std::mt19937 random(7);
    for (int time = 0; time < 40; ++time) {
        QByteArray bad = good;
        for (int i = 0; i < 20; ++i)
            bad[static_cast<qsizetype>(random() % static_cast<unsigned>(bad.size()))] =
                static_cast<char>(random());
        if (time % 4 == 0) bad.truncate(bad.size() / 2);
        QFile written(file("bad"));
        ASSERT_TRUE(written.open(QIODevice::WriteOnly));
        written.write(bad);
        written.close();
        const auto into = openHistory(file("into"));
        const std::size_t before = into->entries()->size();
        const Result<HistoryExchange> done = importHistory(*into, file("bad"));
        const std::size_t after = into->entries()->size();
        EXPECT_EQ(after, done.has_value() ? before + static_cast<std::size_t>(done->added) : before);
    }
}

}  // namespace
}  // namespace plumb::ui
