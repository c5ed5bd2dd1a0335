// SPDX-License-Identifier: Apache-2.0
// Files larger than memory: a sparse .npy of 64 GiB, which takes no room on a disk whose file system has
// holes.
#include "core/data/row_batches.h"
#include "core/io/npy.h"
#include "core/train/trainer.h"
#include "kernels/cpu/cpu_backend.h"
#include "tests/support/npy_files.h"
#include "tests/support/threads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <fcntl.h>
#include <optional>
#include <sstream>

namespace plumb {
namespace {

constexpr std::int64_t kDim = 1024;
constexpr std::int64_t kRows = std::int64_t{1} << 24;  // of 4 KiB each: 64 GiB
constexpr std::int64_t kMiB = 1 << 20;
constexpr long kTmpfs = 0x01021994;

struct Memory {
    std::int64_t anonymous = 0, file = 0, pageTables = 0;
};

/// Bytes of this process, from the kernel.
Memory memoryNow() {
    Memory memory;
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        std::istringstream words(line);
        std::string name;
        std::int64_t kib = 0;
        words >> name >> kib;
        if (name == "RssAnon:") memory.anonymous = kib * 1024;
        if (name == "RssFile:") memory.file = kib * 1024;
        if (name == "VmPTE:") memory.pageTables = kib * 1024;
    }
    return memory;
}

/// Features and targets in the working folder; removed at the end.
class SparseData : public testing::Test {
protected:
    void SetUp() override {
        struct statfs system {};
        if (::statfs(".", &system) != 0 || static_cast<long>(system.f_type) == kTmpfs)
            GTEST_SKIP() << "the build tree lies in memory (tmpfs), where reading a hole allocates it";
        if (auto reason = makeSparse(m_features, kDim)) GTEST_SKIP() << *reason;
        if (auto reason = makeSparse(m_targets, 1)) GTEST_SKIP() << *reason;
    }
    void TearDown() override {
        ::unlink(m_features.c_str());
        ::unlink(m_targets.c_str());
    }
    [[nodiscard]] RunConfig config() const {
        return RunConfig{.dim = kDim, .layers = 1, .batch = 64, .data = m_features, .targets = m_targets};
    }
    /// Row r holds r + 1 in its last column, for 64 rows all over the file.
    static std::vector<std::int64_t> markedRows() {
        std::vector<std::int64_t> rows;
        for (std::int64_t i = 0; i < 64; ++i) rows.push_back(i == 63 ? kRows - 1 : i * (kRows / 64) + 17 * i);
        return rows;
    }

private:
    /// Why it cannot be done, or nothing.
    static std::optional<std::string> makeSparse(const std::string& path, std::int64_t columns) {
        const std::string header = test::npyHeader(kRows, columns);
        const auto begin = static_cast<off_t>(header.size());
        const int file = ::open(path.c_str(), O_CREAT | O_TRUNC | O_RDWR, 0600);
        bool done = file >= 0 && ::ftruncate(file, begin + kRows * columns * 4) == 0 &&
                    ::pwrite(file, header.data(), header.size(), 0) == begin;
        for (const std::int64_t row : markedRows()) {
            const auto value = static_cast<float>(row + 1);
            done = done && ::pwrite(file, &value, 4, begin + (row * columns + columns - 1) * 4) == 4;
        }
        struct stat status {};
        done = done && ::fstat(file, &status) == 0;
        if (file >= 0) ::close(file);
        if (!done) return "this file system takes no file of 64 GiB";
        if (status.st_blocks * 512 > kMiB * 4) return "this file system has no holes";
        return std::nullopt;
    }

    const std::string m_features = std::to_string(::getpid()) + "large-x.npy";
    const std::string m_targets = std::to_string(::getpid()) + "large-t.npy";
};

TEST_F(SparseData, RowsAllOverTheFileAreFound) {
    const auto array = NpyArray::open(config().data);
    ASSERT_TRUE(array.has_value()) << array.error().text();
    const std::vector<std::int64_t> rows = markedRows();
    std::vector<float> values(rows.size() * kDim);
    ASSERT_TRUE(array->copyRows(rows, values).has_value());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(values[i * kDim + kDim - 1], static_cast<float>(rows[i] + 1));
        EXPECT_EQ(values[i * kDim], 0);
    }
}

/// Sanitizers keep memory of their own, which nobody here could tell from the program's.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kOwnMemoryShows = false;
#else
constexpr bool kOwnMemoryShows = true;
#endif

// The targets are in memory since they were opened, 64 MiB. Of the features, 120,000 shuffled rows lie on
// about a GB of pages.
TEST_F(SparseData, ReadingKeepsABoundedPartResident) {
    if (!kOwnMemoryShows) GTEST_SKIP() << "a sanitizer's memory would be measured";
    auto batches = RowBatches::open(config());
    ASSERT_TRUE(batches.has_value()) << batches.error().text();
    constexpr std::int64_t kBatch = 500;
    std::vector<float> x(kBatch * kDim, 1), t(kBatch, 1);
    const Memory before = memoryNow();
    Memory most;
    for (std::int64_t first = 0; first < 120'000; first += kBatch) {
        ASSERT_TRUE((*batches)->copySamples(first, x, t).has_value());
        const Memory now = memoryNow();
        most.anonymous = std::max(most.anonymous, now.anonymous);
        most.file = std::max(most.file, now.file);
        most.pageTables = std::max(most.pageTables, now.pageTables);
    }
    RecordProperty("most_file_bytes", std::to_string(most.file));
    std::cout << "largest growth, MiB: file " << (most.file - before.file) / kMiB << ", anonymous "
              << (most.anonymous - before.anonymous) / kMiB << ", page tables "
              << (most.pageTables - before.pageTables) / kMiB << "\n";
    EXPECT_LT(most.file - before.file, 8 * kMiB);
    EXPECT_LT(most.anonymous - before.anonymous, 8 * kMiB);
    EXPECT_LT(most.pageTables - before.pageTables, 8 * kMiB);
}

TEST_F(SparseData, TrainingKeepsItsOwnMemoryConstant) {
    if (!kOwnMemoryShows) GTEST_SKIP() << "a sanitizer's memory would be measured";
    struct Watch final : TrainingSink {
        void onStep(const StepMetrics& point) override {
            const Memory now = memoryNow();
            Memory& most = point.step < 20 ? early : late;
            most.anonymous = std::max(most.anonymous, now.anonymous);
            most.file = std::max(most.file, now.file);
        }
        void onReading(const Reading&) override {}
        Memory early, late;
    } sink;
    auto backend = makeCpuBackend(test::kBackendThreads);
    ASSERT_TRUE(backend.has_value());
    TrainOptions options;
    options.steps = 120;  // 7680 rows
    const Memory before = memoryNow();
    auto result = train(config(), **backend, options, sink);
    ASSERT_TRUE(result.has_value()) << result.error().text();
    EXPECT_EQ(result->series.stepsDone, 120);
    std::cout << "MiB before, in the first 20 steps, in the other 100: anonymous " << before.anonymous / kMiB
              << ", " << sink.early.anonymous / kMiB << ", " << sink.late.anonymous / kMiB << "; file "
              << before.file / kMiB << ", " << sink.early.file / kMiB << ", " << sink.late.file / kMiB
              << "\n";
    EXPECT_LT(sink.late.anonymous - sink.early.anonymous, 4 * kMiB);
    EXPECT_LT(sink.late.file - before.file, 50 * kMiB);  // the program's own code
}

/// 300 columns of 2^18 rows in Fortran order: 300 MiB, too large to be kept in memory.
class SparseColumns : public testing::Test {
protected:
    static constexpr std::int64_t kColumns = 300, kColumnRows = 1 << 18;
    /// Near each other and far apart.
    const std::vector<std::int64_t> m_rows{5, 0, 9, kColumnRows - 1, 70'000, 70'001, 9};
    const std::string m_path = std::to_string(::getpid()) + "columns.npy";
    std::int64_t m_begin = 0;

    void SetUp() override {
        const std::string header = test::npyHeader(kColumnRows, kColumns, true);
        m_begin = static_cast<std::int64_t>(header.size());
        const int file = ::open(m_path.c_str(), O_CREAT | O_TRUNC | O_RDWR, 0600);
        ASSERT_EQ(::ftruncate(file, m_begin + kColumnRows * kColumns * 4), 0);
        ASSERT_EQ(::pwrite(file, header.data(), header.size(), 0), m_begin);
        for (const std::int64_t column : {std::int64_t{0}, std::int64_t{7}, kColumns - 1})
            for (const std::int64_t row : m_rows) {
                const float value = valueOf(row, column);
                ASSERT_EQ(::pwrite(file, &value, 4, m_begin + (column * kColumnRows + row) * 4), 4);
            }
        ::close(file);
    }
    void TearDown() override { ::unlink(m_path.c_str()); }
    static float valueOf(std::int64_t row, std::int64_t column) {
        return static_cast<float>(row + column) + 0.5F;
    }
};

TEST_F(SparseColumns, AreReadPieceByPiece) {
    const auto array = NpyArray::open(m_path);
    ASSERT_TRUE(array.has_value()) << array.error().text();
    std::vector<float> values(m_rows.size() * kColumns, -1);
    ASSERT_TRUE(array->copyRows(m_rows, values).has_value());
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        for (const std::int64_t column : {0, 7, 100, 299})
            EXPECT_EQ(values[i * kColumns + static_cast<std::size_t>(column)],
                      column == 100 ? 0 : valueOf(m_rows[i], column));
}

TEST_F(SparseColumns, AFileThatShrinksWhileItIsReadIsAnError) {
    const auto array = NpyArray::open(m_path);
    ASSERT_TRUE(array.has_value()) << array.error().text();
    ASSERT_EQ(::truncate(m_path.c_str(), m_begin + kColumnRows * 4 * 10), 0);
    std::vector<float> values(m_rows.size() * kColumns);
    const auto copied = array->copyRows(m_rows, values);
    ASSERT_FALSE(copied.has_value());
    EXPECT_THAT(copied.error().text(), testing::HasSubstr("columns.npy has become shorter"));
}

}  // namespace
}  // namespace plumb
