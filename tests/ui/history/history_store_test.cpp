// SPDX-License-Identifier: GPL-3.0-or-later
// The history keeps what it said that it kept, whoever else writes, is killed or fills the disk.
#include "tests/ui/history/history_support.h"
#include "tests/ui/support.h"
#include "ui/history/history.h"
#include "ui/history/history_schema.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>

#include <sys/mount.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <thread>
#include <unistd.h>

namespace plumb::ui {
namespace {

using test::openHistory;
using test::someEntry;
using test::waitFor;

/// What the database gives back: its id and the size of the snapshot are its own, a null text is an empty
/// one.
void sortFigures(HistoryEntry& entry) {
    std::ranges::sort(entry.figures, {},
                      [](const HistoryFigure& figure) { return std::pair(figure.name, figure.isMeasured); });
}

std::vector<HistoryEntry> entriesOf(HistoryStore& store) {
    Result<std::vector<HistoryEntry>> entries = store.entries();
    EXPECT_TRUE(entries.has_value()) << entries.error().text();
    return entries.has_value() ? *entries : std::vector<HistoryEntry>();
}

std::int64_t put(HistoryStore& store, const HistoryEntry& entry, const QByteArray& packed = {}) {
    const Result<std::int64_t> id = store.put(entry, packed);
    EXPECT_TRUE(id.has_value()) << id.error().text();
    return id.has_value() ? *id : 0;
}

struct HistoryStoreTest : ::testing::Test {
    [[nodiscard]] QString file(const char* name = "history.sqlite") const {
        return folder.filePath(QLatin1String(name));
    }
    QTemporaryDir folder;
    test::FailOnQtWarnings guard;
};

/// Runs `work` in a process of its own, which ends with it. How it ended.
template <class Work>
int inProcess(const Work& work) {
    const pid_t child = ::fork();
    if (child == 0) {
        work();
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
}

TEST_F(HistoryStoreTest, GivesBackWhatWasPutNewestFirst) {
    constexpr int kEntries = 60;
    std::vector<HistoryEntry> wanted;
    {
        const auto store = openHistory(file());
        for (int i = 0; i < kEntries; ++i) {
            HistoryEntry entry = someEntry(i);
            const QByteArray packed(i * 100, static_cast<char>(i));
            entry.id = put(*store, entry, packed);
            entry.snapshotBytes = packed.size();
            wanted.insert(wanted.begin(), entry);
        }
    }
    const auto store = openHistory(file());
    std::vector<HistoryEntry> found = entriesOf(*store);
    ASSERT_EQ(found.size(), wanted.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        sortFigures(found[i]);
        sortFigures(wanted[i]);
        EXPECT_EQ(found[i], wanted[i]) << i;
        const Result<QByteArray> packed = store->snapshot(found[i].id);
        ASSERT_TRUE(packed.has_value());
        EXPECT_EQ(packed->size(), wanted[i].snapshotBytes);
    }
}

TEST_F(HistoryStoreTest, PuttingTheSameAgainKeepsWhatTheUserSaidOfIt) {
    const auto store = openHistory(file());
    HistoryEntry entry = someEntry(1);
    const std::int64_t id = put(*store, entry, QByteArray("first"));
    ASSERT_TRUE(store->say({id}, HistoryStore::Said::Favourite, true).has_value());
    ASSERT_TRUE(store->say({id}, HistoryStore::Said::Note, QStringLiteral("mine")).has_value());
    ASSERT_TRUE(store->changeTags({id}, {QStringLiteral("kept")}, entry.tags).has_value());
    entry.steps = 77;
    entry.figures.resize(1);
    EXPECT_EQ(put(*store, entry, QByteArray("second")), id);
    const std::vector<HistoryEntry> found = entriesOf(*store);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].steps, 77);
    EXPECT_EQ(found[0].figures.size(), 1U);
    EXPECT_TRUE(found[0].isFavourite);
    EXPECT_EQ(found[0].note, QStringLiteral("mine"));
    EXPECT_EQ(found[0].tags, QStringList{QStringLiteral("kept")});
    EXPECT_EQ(*store->snapshot(id), QByteArray("second"));
}

TEST_F(HistoryStoreTest, WhatIsRemovedComesBackUntilItIsForgotten) {
    const auto store = openHistory(file());
    const std::int64_t first = put(*store, someEntry(1), "a"), second = put(*store, someEntry(2), "b");
    ASSERT_TRUE(store->setRemoved({first, second}, true).has_value());
    EXPECT_TRUE(entriesOf(*store).empty());
    ASSERT_TRUE(store->setRemoved({first}, false).has_value());
    ASSERT_EQ(entriesOf(*store).size(), 1U);
    EXPECT_EQ(*store->snapshot(first), QByteArray("a")) << "with all that it had";
    ASSERT_TRUE(store->forgetRemoved(INT64_MAX).has_value());
    ASSERT_TRUE(store->setRemoved({second}, false).has_value());
    EXPECT_EQ(entriesOf(*store).size(), 1U);
    EXPECT_TRUE(store->snapshot(second)->isEmpty());
}

TEST_F(HistoryStoreTest, TwoThatWriteAtOnceLoseNothing) {
    constexpr int kEach = 25;
    openHistory(file());
    const auto writeFrom = [&](int first) {
        const auto store = openHistory(file());
        for (int i = 0; i < kEach; ++i) put(*store, someEntry(first + i), QByteArray(5000, 'x'));
    };
    const auto store = openHistory(file());
    const std::int64_t before = *store->changes();
    std::thread one(writeFrom, 0), other(writeFrom, kEach);
    one.join();
    other.join();
    EXPECT_EQ(entriesOf(*store).size(), 2U * kEach);
    EXPECT_NE(*store->changes(), before) << "what others wrote is noticed";
}

TEST_F(HistoryStoreTest, TwoThatBeginAtOnceMakeOneHistory) {
    std::vector<std::thread> windows;
    for (int i = 0; i < 4; ++i) windows.emplace_back([&, i] { put(*openHistory(file()), someEntry(i)); });
    for (std::thread& window : windows) window.join();
    EXPECT_EQ(entriesOf(*openHistory(file())).size(), 4U);
    EXPECT_EQ(
        folder.path().isEmpty() ? 0 : QDir(folder.path()).entryList({QStringLiteral("*damaged*")}).size(), 0);
}

TEST_F(HistoryStoreTest, AWriterThatIsKilledHasKeptAllThatItSaidAndNoHalf) {
    constexpr int kSaid = 12;
    std::array<int, 2> pipe{};
    ASSERT_EQ(::pipe(pipe.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        Result<HistoryStore::Opened> opened = HistoryStore::open(file());
        for (int i = 0; opened.has_value(); ++i) {
            HistoryEntry entry = someEntry(i);
            if (!opened->store->put(entry, QByteArray(100'000, 'x')).has_value()) ::_exit(1);
            if (::write(pipe[1], "x", 1) != 1) ::_exit(1);
        }
        ::_exit(1);
    }
    std::array<char, 1> said{};
    for (int i = 0; i < kSaid; ++i) ASSERT_EQ(::read(pipe[0], said.data(), said.size()), 1);
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ::close(pipe[1]);
    int kept = kSaid;
    while (::read(pipe[0], said.data(), said.size()) == 1) ++kept;
    ::close(pipe[0]);
    ASSERT_TRUE(WIFSIGNALED(status));

    const auto store = openHistory(file());
    const std::vector<HistoryEntry> found = entriesOf(*store);
    EXPECT_GE(found.size(), static_cast<std::size_t>(kept));
    EXPECT_LE(found.size(), static_cast<std::size_t>(kept) + 1) << "one may be kept that was not said yet";
    for (const HistoryEntry& entry : found) {
        const int number = entry.uid.section(QLatin1Char('-'), 1).toInt();
        EXPECT_EQ(entry.figures.size(), someEntry(number).figures.size());
        EXPECT_EQ(entry.snapshotBytes, 100'000);
    }
    EXPECT_EQ(QDir(folder.path()).entryList({QStringLiteral("*damaged*")}).size(), 0);
}

TEST_F(HistoryStoreTest, AWriterThatIsKilledInTheMiddleOfAChangeChangedNothing) {
    put(*openHistory(file()), someEntry(1));
    const int status = inProcess([&] {
        Result<HistoryStore::Opened> opened = HistoryStore::open(file());
        HistoryStore& store = *opened->store;
        (void)store.merge([&]() -> Result<void> {
            for (int i = 2; i < 20; ++i)
                if (!store.take(someEntry(i), QByteArray(200'000, 'x')).has_value()) ::_exit(1);
            ::kill(::getpid(), SIGKILL);
            return {};
        });
    });
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    const auto store = openHistory(file());
    EXPECT_EQ(entriesOf(*store).size(), 1U);
    EXPECT_EQ(put(*store, someEntry(2)), 2) << "nobody holds it";
}

TEST_F(HistoryStoreTest, AFullDiskLosesNothingThatWasKept) {
    if (::mount("tmpfs", folder.path().toLocal8Bit().constData(), "tmpfs", 0, "size=2m") != 0)
        GTEST_SKIP() << "a file system of its own needs root";
    int kept = 0;
    Result<std::int64_t> last = std::int64_t{0};
    {
        const auto store = openHistory(file());
        while (kept < 100 && (last = store->put(someEntry(kept), QByteArray(100'000, 'x'))).has_value())
            ++kept;
        EXPECT_EQ(entriesOf(*store).size(), static_cast<std::size_t>(kept)) << "it can still be read";
    }
    ASSERT_FALSE(last.has_value());
    EXPECT_EQ(last.error().code, ErrorCode::Io);
    EXPECT_NE(last.error().hint.find("disk"), std::string::npos) << last.error().text();
    EXPECT_GT(kept, 2);
    ::mount("tmpfs", folder.path().toLocal8Bit().constData(), nullptr, MS_REMOUNT, "size=20m");
    {
        const auto store = openHistory(file());
        EXPECT_EQ(entriesOf(*store).size(), static_cast<std::size_t>(kept));
        put(*store, someEntry(kept));
        EXPECT_EQ(entriesOf(*store).size(), static_cast<std::size_t>(kept) + 1) << "with room it goes on";
    }
    ::umount(folder.path().toLocal8Bit().constData());
}

TEST_F(HistoryStoreTest, ADamagedFileIsPutAsideAndANewOneBegun) {
    for (const bool isBroken : {false, true}) {
        const QString path = file(isBroken ? "broken.sqlite" : "text.sqlite");
        if (isBroken) {
            auto store = openHistory(path);
            for (int i = 0; i < 40; ++i) put(*store, someEntry(i));
            store.reset();
            QFile written(path);
            ASSERT_TRUE(written.open(QIODevice::ReadWrite) && written.seek(2000));
            written.write(QByteArray(written.size() / 2, '\x5a'));
        } else {
            QFile written(path);
            ASSERT_TRUE(written.open(QIODevice::WriteOnly));
            written.write("no database, but eight words of text in here");
        }
        const QByteArray before = [&] {
            QFile read(path);
            EXPECT_TRUE(read.open(QIODevice::ReadOnly));
            return read.readAll();
        }();
        Result<HistoryStore::Opened> opened = HistoryStore::open(path);
        ASSERT_TRUE(opened.has_value()) << opened.error().text();
        EXPECT_TRUE(entriesOf(*opened->store).empty());
        put(*opened->store, someEntry(1));
        QFile aside(opened->putAside);
        ASSERT_TRUE(aside.open(QIODevice::ReadOnly)) << opened->putAside.toStdString();
        EXPECT_EQ(aside.readAll(), before) << "as it was";
        EXPECT_TRUE(HistoryStore::open(path)->putAside.isEmpty());
    }
}

TEST_F(HistoryStoreTest, AFileOfANewerVersionOrOfAnotherProgramIsLeftAloneWithARemedy) {
    openHistory(file());
    const std::vector<QStringList> newer{historyMigrations()[0], {}, {}};
    ASSERT_TRUE(HistoryDatabase::open(file(), newer).has_value());
    Result<HistoryStore::Opened> opened = HistoryStore::open(file());
    ASSERT_FALSE(opened.has_value());
    EXPECT_EQ(opened.error().code, ErrorCode::BadInput);
    EXPECT_NE(opened.error().text().find("newer Plumbline (version 3"), std::string::npos)
        << opened.error().text();
    EXPECT_NE(opened.error().hint.find("PLUMBLINE_HISTORY"), std::string::npos);

    {
        QSqlDatabase foreign =
            QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("foreign"));
        foreign.setDatabaseName(file("foreign.sqlite"));
        ASSERT_TRUE(foreign.open());
        QSqlQuery(foreign).exec(QStringLiteral("CREATE TABLE entries (mine)"));
    }
    QSqlDatabase::removeDatabase(QStringLiteral("foreign"));
    opened = HistoryStore::open(file("foreign.sqlite"));
    ASSERT_FALSE(opened.has_value());
    EXPECT_NE(opened.error().message.find("another program"), std::string::npos) << opened.error().text();
    EXPECT_EQ(QDir(folder.path()).entryList({QStringLiteral("*damaged*")}).size(), 0);
}

TEST_F(HistoryStoreTest, AnOlderFileIsBroughtToTheNewestVersionOnceWithAllThatItHas) {
    put(*openHistory(file()), someEntry(5), "packed");
    const std::vector<QStringList> next{
        historyMigrations()[0],
        {QStringLiteral("ALTER TABLE entries ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm'"),
         QStringLiteral("INSERT INTO tags SELECT id, 'migrated' FROM entries")}};
    for (int time = 0; time < 2; ++time) {
        Result<HistoryDatabase::Opened> opened = HistoryDatabase::open(file(), next);
        ASSERT_TRUE(opened.has_value()) << opened.error().text();
        HistoryDatabase& database = *opened->database;
        EXPECT_EQ(*database.number(QStringLiteral("SELECT count(*) FROM entries WHERE mood='calm'")), 1);
        EXPECT_EQ(*database.number(QStringLiteral("SELECT count(*) FROM tags WHERE tag='migrated'")), 1);
        EXPECT_EQ(*database.number(QStringLiteral("SELECT count(*) FROM snapshots")), 1);
        EXPECT_EQ(*database.number(QStringLiteral("PRAGMA user_version")), 2);
    }
    const std::vector<QStringList> failing{
        next[0], next[1], {QStringLiteral("DELETE FROM tags"), QStringLiteral("no statement at all")}};
    EXPECT_FALSE(HistoryDatabase::open(file(), failing).has_value());
    const Result<HistoryDatabase::Opened> still = HistoryDatabase::open(file(), next);
    ASSERT_TRUE(still.has_value()) << "one that fails leaves the file as it was";
    EXPECT_EQ(*still->database->number(QStringLiteral("SELECT count(*) FROM tags WHERE tag='migrated'")), 1);
}

TEST_F(HistoryStoreTest, EveryCommitIsOnTheDiskAndOthersReadMeanwhile) {
    const Result<HistoryDatabase::Opened> opened = HistoryDatabase::open(file(), historyMigrations());
    ASSERT_TRUE(opened.has_value());
    HistoryDatabase& database = *opened->database;
    EXPECT_EQ(*database.number(QStringLiteral("PRAGMA synchronous")), 2) << "FULL";
    EXPECT_EQ(*database.number(QStringLiteral("PRAGMA foreign_keys")), 1);
    EXPECT_EQ(*database.number(QStringLiteral("PRAGMA auto_vacuum")), 2) << "incremental";
    EXPECT_EQ(*database.number(QStringLiteral("PRAGMA busy_timeout")), HistoryDatabase::kBusyMilliseconds);
    EXPECT_EQ(
        *database.number(QStringLiteral("SELECT count(*) FROM pragma_journal_mode WHERE journal_mode='wal'")),
        1);
    // While one writes, another reads what was there before.
    const auto reader = openHistory(file());
    put(*reader, someEntry(1));
    ASSERT_TRUE(database
                    .transact([&]() -> Result<void> {
                        PLUMB_CHECK(database.run(QStringLiteral("DELETE FROM entries")));
                        EXPECT_EQ(entriesOf(*reader).size(), 1U);
                        return {};
                    })
                    .has_value());
    EXPECT_TRUE(entriesOf(*reader).empty());
}

TEST_F(HistoryStoreTest, TheOldestThatAreNoFavouritesLoseTheirSnapshotsFirstAndThenGo) {
    const auto store = openHistory(file());
    constexpr std::int64_t kMost = 1'000'000;
    ASSERT_TRUE(store->setBounds({kMost, 1000}).has_value());
    for (int i = 0; i < 30; ++i) {
        HistoryEntry entry = someEntry(i);
        entry.isFavourite = i == 3;
        put(*store, entry, QByteArray(100'000, 'x'));
    }
    std::vector<HistoryEntry> found = entriesOf(*store);
    EXPECT_LE(store->usage()->bytes, kMost);
    ASSERT_EQ(found.size(), 30U) << "the entries themselves take little";
    int withSnapshot = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (found[i].snapshotBytes > 0) ++withSnapshot;
        if (found[i].isFavourite) {
            EXPECT_EQ(found[i].snapshotBytes, 100'000) << "a favourite keeps it";
        } else if (i > 0) {
            EXPECT_LE(found[i].snapshotBytes, found[i - 1].snapshotBytes);
        }
    }
    EXPECT_GE(withSnapshot, 7);
    EXPECT_LE(QFileInfo(file()).size(), kMost + 100'000) << "the room is given back to the disk";

    ASSERT_TRUE(store->setBounds({kMost, 5}).has_value());
    found = entriesOf(*store);
    ASSERT_EQ(found.size(), 5U);
    EXPECT_EQ(found[0].uid, QStringLiteral("uid-29"));
    EXPECT_EQ(found[4].uid, QStringLiteral("uid-3")) << "the favourite, old as it is";
    ASSERT_TRUE(store->setRemoved({found[0].id}, true).has_value());
    put(*store, someEntry(31));
    EXPECT_EQ(entriesOf(*store).size(), 5U) << "what was removed goes before what is there";
    EXPECT_EQ(store->usage()->bounds, (HistoryBounds{kMost, 5}));
}

TEST_F(HistoryStoreTest, SaysWhatABoundTakesBeforeItDoesAndEntriesCanBeHadBack) {
    const auto store = openHistory(file());
    for (int i = 0; i < 10; ++i) {
        HistoryEntry entry = someEntry(i);
        entry.isFavourite = i == 0;
        put(*store, entry, QByteArray(100'000, 'x'));
    }
    const std::vector<HistoryEntry> before = entriesOf(*store);
    const HistoryUsage usage = store->usage().value();
    const auto asked = store->lossBy({HistoryBounds::kBytes, 4});
    ASSERT_TRUE(asked.has_value());
    EXPECT_EQ(asked->removed.size(), 6U);
    EXPECT_EQ(asked->removedBytes, 600'000);
    EXPECT_EQ(asked->entries + asked->snapshots, 0);
    EXPECT_EQ(entriesOf(*store), before) << "it was only asked";
    EXPECT_EQ(store->usage()->bounds, usage.bounds);
    const auto done = store->setBounds({HistoryBounds::kBytes, 4});
    ASSERT_TRUE(done.has_value());
    EXPECT_EQ(done->removed, asked->removed);
    EXPECT_EQ(entriesOf(*store).size(), 4U);
    put(*store, someEntry(11));
    ASSERT_TRUE(store->setBounds({}).has_value());
    ASSERT_TRUE(store->setRemoved(done->removed, false).has_value());
    EXPECT_EQ(entriesOf(*store).size(), 10U) << "all but the one that the new one replaced";
    EXPECT_EQ(entriesOf(*store).back(), before.back());

    const auto less = store->lossBy({500'000, 1000});
    ASSERT_TRUE(less.has_value());
    EXPECT_TRUE(less->removed.empty());
    EXPECT_GE(less->snapshots, 5);
    EXPECT_GE(less->bytes, 500'000);
    EXPECT_EQ(store->setBounds({500'000, 1000})->bytes, less->bytes);
    EXPECT_TRUE(store->lossBy({500'000, 1000})->isNothing());
}

TEST_F(HistoryStoreTest, ChangesTogetherHappenAllOrNone) {
    const auto store = openHistory(file());
    put(*store, someEntry(1));
    const std::vector<HistoryEntry> before = entriesOf(*store);
    const HistoryStore::Ids ids{before[0].id};
    EXPECT_FALSE(store
                     ->together([&]() -> Result<void> {
                         PLUMB_CHECK(store->changeTags(ids, {QStringLiteral("new")}, {}));
                         PLUMB_CHECK(store->say(ids, HistoryStore::Said::Note, QStringLiteral("new")));
                         return badInput("no", "try another");
                     })
                     .has_value());
    EXPECT_EQ(entriesOf(*store), before);
    EXPECT_TRUE(store->say(ids, HistoryStore::Said::Note, QStringLiteral("new")).has_value());
}

TEST_F(HistoryStoreTest, WhatIsTooLargeIsKeptWithoutItsSnapshot) {
    const auto store = openHistory(file());
    ASSERT_TRUE(store->setBounds({400'000, 1000}).has_value());
    HistoryEntry entry = someEntry(1);
    entry.isFavourite = false;
    put(*store, entry, QByteArray(2'000'000, 'x'));
    const std::vector<HistoryEntry> found = entriesOf(*store);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].snapshotBytes, 0);
    EXPECT_FALSE(found[0].figures.empty());
    EXPECT_LE(store->usage()->bytes, 400'000);
}

TEST(History, IsOffAndSaysWhyWhereNoFileCanBe) {
    const QTemporaryDir folder;
    QFile blocks(folder.filePath(QStringLiteral("file")));
    ASSERT_TRUE(blocks.open(QIODevice::WriteOnly));
    History history(folder.filePath(QStringLiteral("file/history.sqlite")));
    QSignalSpy noticed(&history, &History::warned);
    bool isAnswered = false;
    history.ask(
        &history, [](HistoryStore& store) { return store.entries(); },
        [&](const std::vector<HistoryEntry>&) { isAnswered = true; });
    ASSERT_TRUE(waitFor([&] { return !history.whyOff().isEmpty(); }));
    EXPECT_TRUE(history.whyOff().contains(QStringLiteral("cannot be made")))
        << history.whyOff().toStdString();
    EXPECT_TRUE(history.whyOff().contains(QStringLiteral("PLUMBLINE_HISTORY")));
    EXPECT_EQ(noticed.count(), 1);
    EXPECT_FALSE(isAnswered);
    EXPECT_FALSE(History(QString()).whyOff().isEmpty());
}

TEST(History, FinishesWhatItWasAskedBeforeItGoes) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("history.sqlite"));
    {
        History history(path);
        for (int i = 0; i < 5; ++i)
            history.change([i](HistoryStore& store) { return store.put(someEntry(i), "x"); });
    }
    EXPECT_EQ(entriesOf(*openHistory(path)).size(), 5U);
}

TEST(History, ADamageThatIsMetMidwayIsPutAsideToo) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("history.sqlite"));
    History history(path);
    for (int i = 0; i < 60; ++i)
        history.change([i](HistoryStore& store) { return store.put(someEntry(i), QByteArray(9000, 'x')); });
    history.settle();
    QSignalSpy noticed(&history, &History::warned), failed(&history, &History::failed);
    {
        // Another window wrote, so that pages are read again, and all of them are in the file.
        const Result<HistoryDatabase::Opened> other = HistoryDatabase::open(path, historyMigrations());
        ASSERT_TRUE(other.has_value());
        ASSERT_TRUE(other->database->run(QStringLiteral("DELETE FROM tags")).has_value());
        ASSERT_TRUE(other->database->run(QStringLiteral("PRAGMA wal_checkpoint(TRUNCATE)")).has_value());
        QFile written(path);
        ASSERT_TRUE(written.open(QIODevice::ReadWrite));
        written.write(QByteArray(written.size(), '\x5a'));
    }
    const auto put = [](HistoryStore& store) { return store.put(someEntry(99), "x"); };
    history.change(put);
    history.change(put);
    ASSERT_TRUE(waitFor([&] { return noticed.count() == 1; }));
    EXPECT_TRUE(noticed[0][0].toString().contains(QStringLiteral("damaged")));
    EXPECT_EQ(failed.count(), 1) << "the first said that it failed";
    history.settle();
    EXPECT_EQ(entriesOf(*openHistory(path)).size(), 1U);
}

}  // namespace
}  // namespace plumb::ui
