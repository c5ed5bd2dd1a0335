// SPDX-License-Identifier: Apache-2.0
#include "core/trace/nsys_reader.h"

#include "core/io/file.h"
#include "core/trace/trace_overview.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <sqlite3.h>
#include <string>

namespace plumb::trace {
namespace {

const char* const kSchema = R"(
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES (1, 'void gemm<float>(float*)'), (2, 'cudaLaunchKernel_v7000'), (3, 'step'),
                             (4, 'ncclDevKernel_AllReduce');
CREATE TABLE TARGET_INFO_GPU (id INT, name TEXT, totalMemory INT, smCount INT, cuDevice INT);
INSERT INTO TARGET_INFO_GPU VALUES (9, 'NVIDIA H100', 85520809984, 132, 0);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT, deviceId INT, streamId INT, correlationId INT,
                                         demangledName INT, shortName INT);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1000, 1500, 0, 7, 11, 1, 1), (1400, 2000, 0, 20, 12, 4, 4);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INT, end INT, deviceId INT, streamId INT, correlationId INT,
                                         bytes INT, copyKind INT);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (3000, 3100, 0, 7, 13, 4096, 1);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INT, end INT, globalTid INT, correlationId INT, nameId INT);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (900, 950, 281475059499048, 11, 2), (960, 990, 281475059499048, 12, 2);
CREATE TABLE NVTX_EVENTS (start INT, end INT, eventType INT, text TEXT, textId INT, globalTid INT);
INSERT INTO NVTX_EVENTS VALUES (800, 4000, 59, NULL, 3, 281475059499048), (810, 900, 60, 'inner', NULL, 281475059499048),
                               (805, NULL, 34, 'a mark', NULL, 281475059499048);
)";

/// A database of these statements in a folder of its own.
class NsysFile : public testing::Test {
protected:
    [[nodiscard]] std::string path() const { return m_folder.file("a ?#%.sqlite"); }
    void write(const std::string& sql) const {
        sqlite3* database = nullptr;
        ASSERT_EQ(sqlite3_open(path().c_str(), &database), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
            << sqlite3_errmsg(database);
        sqlite3_close(database);
    }

    TemporaryFolder m_folder;
};

TEST_F(NsysFile, BecomesATraceWithItsFigures) {
    write(kSchema);
    const auto trace = readNsysTrace(path());
    ASSERT_TRUE(trace.has_value()) << trace.error().text();
    EXPECT_EQ(trace->events, 7) << "a mark is no range";
    EXPECT_EQ(trace->slices.size(), 7U);
    EXPECT_EQ(trace->losses.events(), 0);
    const TraceOverview overview = overviewOf(*trace, linkTrace(*trace));
    ASSERT_EQ(overview.devices.size(), 1U);
    const DeviceFigures& device = overview.devices.front();
    EXPECT_EQ(device.name, "NVIDIA H100");
    EXPECT_EQ(device.kernels, 2);
    EXPECT_EQ(device.copies, 1);
    EXPECT_EQ(device.busy, 1000 + 100);
    EXPECT_EQ(device.streams.size(), 2U);
    EXPECT_EQ(device.communication, 600);
    EXPECT_EQ(device.exposedCommunication, 500);
    EXPECT_EQ(overview.unlaunched, 1) << "the copy has no call in the recording";
    bool named = false;
    for (std::size_t i = 0; i < trace->slices.size(); ++i) {
        named = named || trace->name(i) == "void gemm<float>(float*)";
        if (trace->slices.category[i] == Category::Copy) {
            EXPECT_EQ(trace->bytesOf(i), 4096);
        }
    }
    EXPECT_TRUE(named);
    for (const Track& track : trace->tracks)
        if (track.kind == TrackKind::Thread) {
            EXPECT_EQ(trace->names.at(track.process), std::to_string((281475059499048 >> 24) & 0xFFFFFF));
            EXPECT_EQ(trace->names.at(track.thread), std::to_string(281475059499048 & 0xFFFFFF));
        }
    EXPECT_EQ(m_folder.entries(), 1U) << "nothing is made beside it";
}

TEST_F(NsysFile, TablesThatAreMissingArePassedOver) {
    write("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT, deviceId INT, streamId INT);"
          "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 2, 0, 7);");
    const auto trace = readNsysTrace(path());
    ASSERT_TRUE(trace.has_value()) << trace.error().text();
    EXPECT_EQ(trace->slices.size(), 1U);
}

TEST_F(NsysFile, RowsThatCannotBeUsedAreCounted) {
    write("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, streamId, correlationId);"
          "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (NULL, 2, 0, 7, 1), (5, NULL, 0, 7, 1), ('x', 9, 0, "
          "7, 1),"
          "(9223372036854775807, -9223372036854775808, 0, 7, 1), (-9223372036854775808, 0, 0, 7, 1),"
          "(10, 4, 0, 7, 1), (20, 30, NULL, NULL, NULL), (20, 25, 0, 7, 1), (22, 28, 0, 7, 1), (20, 25, 0, "
          "7, 1);");
    const auto trace = readNsysTrace(path());
    ASSERT_TRUE(trace.has_value()) << trace.error().text();
    EXPECT_EQ(trace->events, 10);
    EXPECT_EQ(trace->losses.withoutTime, 5);
    EXPECT_EQ(trace->losses.negativeDurations, 1);
    EXPECT_EQ(trace->slices.size(), 5U) << "overlapping and repeated rows stay";
}

TEST_F(NsysFile, ViewsAndTriggersDoNotRun) {
    write("CREATE TABLE t (start INT, end INT); INSERT INTO t VALUES (1, 2);"
          "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS WITH RECURSIVE c(start, end) AS (SELECT 1, 2 UNION ALL "
          "SELECT start + 1, end + 1 FROM c) SELECT * FROM c;");
    const auto trace = readNsysTrace(path());
    ASSERT_FALSE(trace.has_value()) << "an endless view is no table";
    EXPECT_NE(trace.error().text().find("none of the tables"), std::string::npos);
}

TEST_F(NsysFile, RefusesWhatIsNoDatabase) {
    ASSERT_TRUE(writeFileAtomically(path(), "SQLite format 4\n and more").has_value());
    auto trace = readNsysTrace(path());
    ASSERT_FALSE(trace.has_value());
    EXPECT_NE(trace.error().text().find("is no database of SQLite"), std::string::npos);
    std::filesystem::remove(path());
    trace = readNsysTrace(path());
    ASSERT_FALSE(trace.has_value());
    EXPECT_EQ(trace.error().code, ErrorCode::Io);
    EXPECT_FALSE(std::filesystem::exists(path())) << "reading never makes a file";
}

TEST_F(NsysFile, RefusesADamagedDatabase) {
    write(kSchema);
    const auto whole = readFile(path(), 1U << 24U);
    ASSERT_TRUE(whole.has_value());
    for (std::size_t size = 16; size < whole->size(); size += 1777) {
        ASSERT_TRUE(writeFileAtomically(path(), std::string_view(*whole).substr(0, size)).has_value());
        const auto trace = readNsysTrace(path());
        EXPECT_FALSE(trace.has_value() && trace->slices.size() > 7) << size;
    }
}

TEST_F(NsysFile, StopsWhenTold) {
    write(kSchema);
    const auto few = readNsysTrace(path(), {.mostSlices = 3});
    ASSERT_FALSE(few.has_value());
    EXPECT_NE(few.error().text().find("more than 3 slices"), std::string::npos);
}

}  // namespace
}  // namespace plumb::trace
