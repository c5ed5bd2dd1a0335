// SPDX-License-Identifier: Apache-2.0
#include "core/machine/machine.h"

#include "core/machine/calibration_file.h"
#include "core/machine/local_cpu.h"
#include "core/machine/machine_json.h"
#include "tests/core/snapshot/snapshot_samples.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <functional>
#include <sched.h>

namespace plumb {
namespace {

using nlohmann::json;
using testing::HasSubstr;

TEST(Machine, AnUnknownPeakIsAbsent) {
    const Machine machine = sampleMachine();
    EXPECT_EQ(machine.peak(Dtype::Bf16), 3.3e11);
    EXPECT_EQ(machine.peak(Dtype::Fp16), std::nullopt);
}

TEST(LocalCpu, NamesTheProcessorAndItsUsableCores) {
    const Machine machine = localCpu();
    EXPECT_EQ(machine.id, "local-cpu");
    EXPECT_EQ(machine.backend, "cpu");
    cpu_set_t set;
    ASSERT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
    const std::int64_t cores = localCpuIdentity().usableCores;
    EXPECT_GE(cores, 1);
    EXPECT_LE(cores, CPU_COUNT(&set));
    EXPECT_THAT(machine.name,
                testing::EndsWith(", " + std::to_string(cores) + (cores == 1 ? " core" : " cores")));
    ASSERT_TRUE(machine.memoryBytes.has_value());
    EXPECT_GT(*machine.memoryBytes, 0);
    EXPECT_TRUE(machine.peakFlopPerSecond.empty());
    EXPECT_EQ(machine.bandwidthBytesPerSecond, std::nullopt);
    EXPECT_EQ(machine.perOpOverhead, std::nullopt);
    EXPECT_THAT(machine.source, HasSubstr("not calibrated"));
}

TEST(LocalCpu, ReadsTheFirstProcessorOfTheList) {
    const CpuIdentity x86 =
        parseCpuInfo("processor\t: 0\nmodel name\t: Fast CPU @ 3GHz\nflags\t\t: sse2 avx2\n\n"
                     "processor\t: 1\nmodel name\t: Other\nflags\t\t: none\n");
    EXPECT_EQ(x86.model, "Fast CPU @ 3GHz");
    EXPECT_EQ(x86.flags, "sse2 avx2");
    const CpuIdentity arm = parseCpuInfo("processor : 0\nFeatures : fp asimd\nCPU part : 0xd0c\n");
    EXPECT_EQ(arm.model, "unknown processor");
    EXPECT_EQ(arm.flags, "fp asimd");
    EXPECT_EQ(parseCpuInfo("").model, "unknown processor");
}

/// A file tree like that of the kernel.
class FakeRoot {
public:
    void put(const std::string& path, const std::string& content) {
        std::filesystem::create_directories(std::filesystem::path(m_folder.file(path)).parent_path());
        putFile(m_folder.file(path), content);
    }
    [[nodiscard]] std::optional<Bytes> limit() const { return controlGroupMemoryLimit(m_folder.path()); }
    [[nodiscard]] std::optional<Bytes> available() const { return availableMemory(m_folder.path()); }
    [[nodiscard]] std::optional<std::int64_t> cores() const { return controlGroupCpuLimit(m_folder.path()); }

private:
    TemporaryFolder m_folder;
};

TEST(ControlGroup, Version2TakesTheSmallestLimitOnTheWayUp) {
    FakeRoot root;
    root.put("proc/self/cgroup", "0::/user.slice/job\n");
    EXPECT_EQ(root.limit(), std::nullopt);
    root.put("sys/fs/cgroup/user.slice/job/memory.max", "max\n");
    EXPECT_EQ(root.limit(), std::nullopt);
    root.put("sys/fs/cgroup/user.slice/memory.max", "4096000\n");
    EXPECT_EQ(root.limit(), 4096000);
    root.put("sys/fs/cgroup/user.slice/job/memory.max", "1024000\n");
    EXPECT_EQ(root.limit(), 1024000);
}

TEST(ControlGroup, Version1FindsItsControllerAndKnowsWhatNoLimitLooksLike) {
    FakeRoot root;
    root.put("proc/self/cgroup", "7:cpu,cpuacct:/other\n6:memory:/docker/abc\n");
    root.put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    EXPECT_EQ(root.limit(), std::nullopt);
    // In a container the group's own path is often not there, only the mount that is its root.
    root.put("sys/fs/cgroup/memory/memory.limit_in_bytes", "2048000\n");
    EXPECT_EQ(root.limit(), 2048000);
}

TEST(ControlGroup, DamagedFilesMeanNoLimit) {
    FakeRoot root;
    EXPECT_EQ(root.limit(), std::nullopt);
    root.put("proc/self/cgroup", "nonsense\n0:\n0::/a\n");
    root.put("sys/fs/cgroup/a/memory.max", "12 apples\n");
    EXPECT_EQ(root.limit(), std::nullopt);
    root.put("sys/fs/cgroup/a/memory.max", "-5\n");
    EXPECT_EQ(root.limit(), std::nullopt);
}

TEST(ControlGroup, AvailableMemoryIsWhatSystemAndGroupsLeave) {
    FakeRoot root;
    EXPECT_EQ(root.available(), std::nullopt);
    root.put("proc/meminfo", "MemTotal:  9000 kB\nMemFree: 1 kB\nMemAvailable:    4000 kB\n");
    EXPECT_EQ(root.available(), 4000 * 1024);
    root.put("proc/self/cgroup", "0::/user.slice/job\n");
    root.put("sys/fs/cgroup/user.slice/job/memory.max", "max\n");
    root.put("sys/fs/cgroup/user.slice/job/memory.current", "500000\n");
    EXPECT_EQ(root.available(), 4000 * 1024);
    root.put("sys/fs/cgroup/user.slice/memory.max", "1000000\n");
    root.put("sys/fs/cgroup/user.slice/memory.current", "700000\n");
    EXPECT_EQ(root.available(), 300000);
    // Cached files give way; memory beyond a limit that was lowered is no negative room.
    root.put("sys/fs/cgroup/user.slice/memory.stat", "anon 9\ninactive_file 100000\nactive_file 50000\n");
    EXPECT_EQ(root.available(), 450000);
    root.put("sys/fs/cgroup/memory.max", "1000\n");
    root.put("sys/fs/cgroup/memory.current", "2000\n");
    EXPECT_EQ(root.available(), 0);
    root.put("sys/fs/cgroup/memory.current", "many\n");
    EXPECT_EQ(root.available(), 450000);
}

TEST(ControlGroup, ACpuQuotaIsTheSmallestOnTheWayUpInWholeCores) {
    FakeRoot root;
    EXPECT_EQ(root.cores(), std::nullopt);
    root.put("proc/self/cgroup", "0::/user.slice/job\n");
    root.put("sys/fs/cgroup/user.slice/job/cpu.max", "max 100000\n");
    EXPECT_EQ(root.cores(), std::nullopt);
    root.put("sys/fs/cgroup/user.slice/cpu.max", "400000 100000\n");
    EXPECT_EQ(root.cores(), 4);
    root.put("sys/fs/cgroup/user.slice/job/cpu.max", "150000 100000\n");
    EXPECT_EQ(root.cores(), 2);
    root.put("sys/fs/cgroup/cpu.max", "1000 100000\n");
    EXPECT_EQ(root.cores(), 1);
    for (const char* damaged : {"", "many 100000", "100000", "100000 0", "-1 100000"}) {
        root.put("sys/fs/cgroup/cpu.max", damaged);
        EXPECT_EQ(root.cores(), 2) << damaged;
    }
}

class Calibration : public testing::Test {
protected:
    Calibration() {
        ::setenv("XDG_DATA_HOME", m_folder.file("data").c_str(), 1);
        m_machine = localCpu();
        m_machine.bandwidthBytesPerSecond = 2e10;
        m_machine.peakFlopPerSecond = {{Dtype::Fp32, 1e11}};
        m_machine.perOpOverhead = 2e-6;
        m_machine.source = "calibrated 2026-11-20";
    }
    ~Calibration() override { ::unsetenv("XDG_DATA_HOME"); }

    void change(const std::function<void(json& document)>& edit) {
        const std::string path = calibrationPath(m_machine);
        json document = json::parse(getFile(path));
        edit(document);
        putFile(path, document.dump());
    }

    TemporaryFolder m_folder;
    Machine m_machine;
};

TEST_F(Calibration, IsKeptAndFoundAgain) {
    EXPECT_THAT(calibrationPath(m_machine), testing::StartsWith(m_folder.path()));
    EXPECT_THAT(localCpuCalibrated().source, HasSubstr("plumbline-cli calibrate"));
    const auto none = loadCalibration(m_machine);
    ASSERT_TRUE(none.has_value());
    EXPECT_FALSE(none->has_value());
    m_machine.copies = sampleMachine().copies;
    const auto saved = saveCalibration(m_machine);
    ASSERT_TRUE(saved.has_value()) << saved.error().text();
    expectSameMachine(localCpuCalibrated(), m_machine);
}

TEST_F(Calibration, KeepsTablesAndTheErrorsOfTheirPredictions) {
    m_machine.costs = sampleMachine().costs;
    m_machine.checked = sampleMachine().checked;
    ASSERT_TRUE(saveCalibration(m_machine).has_value());
    expectSameMachine(localCpuCalibrated(), m_machine);
    // The file of a program from before the tables.
    change([](json& document) {
        document["machine"].erase("costs");
        document["machine"].erase("prediction_check");
    });
    const Machine old = localCpuCalibrated();
    EXPECT_FALSE(old.costs.has_value());
    EXPECT_FALSE(old.checked.has_value());
    EXPECT_EQ(old.peakFlopPerSecond, m_machine.peakFlopPerSecond);
}

TEST_F(Calibration, ThatFoundTheMachineFasterStaysInForce) {
    // A quiet machine first; then one on which other programs run; then one whose memory only became faster.
    m_machine.costs = sampleMachine().costs;
    m_machine.costs->speed = CalibratedSpeed{{4e11, 5e10, 3e8}, 0.05, 0, 300};
    m_machine.source = "calibrated 2026-11-20";
    const auto first = keepCalibration(m_machine);
    ASSERT_TRUE(first.has_value()) << first.error().text();
    EXPECT_EQ(first->note, "");
    Machine busy = m_machine;
    busy.peakFlopPerSecond = {{Dtype::Fp32, 1e9}};
    busy.costs->speed->probe = {1.6e11, 3e10, 2.9e8};
    busy.source = "calibrated 2026-11-22";
    const auto second = keepCalibration(busy);
    ASSERT_TRUE(second.has_value()) << second.error().text();
    EXPECT_THAT(second->note, HasSubstr("2.5 times as fast at matrix products when it was calibrated "
                                        "2026-11-20, so that calibration stays in force"));
    expectSameMachine(second->machine, m_machine);
    expectSameMachine(localCpuCalibrated(), m_machine);

    busy.costs->speed->probe = {1.6e11, 9e10, 2.9e8};
    const auto other = keepCalibration(busy);  // a machine that has changed, not one that is busy
    ASSERT_TRUE(other.has_value());
    EXPECT_EQ(other->note, "");
    expectSameMachine(localCpuCalibrated(), busy);

    ASSERT_TRUE(saveCalibration(m_machine).has_value());
    busy.costs->speed->probe = {1.6e11, 3e10, 2.9e8};
    const auto replaced = keepCalibration(busy, true);
    ASSERT_TRUE(replaced.has_value());
    EXPECT_EQ(replaced->note, "");
    expectSameMachine(localCpuCalibrated(), busy);
}

TEST_F(Calibration, OfRanksStandsBesideThatOfTheWholeMachine) {
    const auto ranksAt = [](std::int64_t count, double product) {
        RankCosts ranks{.ranks = count, .source = "calibrated 2026-11-20", .costs = *sampleMachine().costs};
        ranks.costs.bandwidth.clear();
        ranks.costs.speed = CalibratedSpeed{{product, 5e10, 3e8}, 0.05, 0, 300};
        return ranks;
    };
    const auto first = checkIsCalibrated(m_machine);
    ASSERT_FALSE(first.has_value());
    EXPECT_THAT(first.error().text(), HasSubstr("run plumbline-cli calibrate --backend cpu first"));
    EXPECT_FALSE(keepRankCosts(m_machine, ranksAt(2, 4e11)).has_value());
    m_machine.costs = sampleMachine().costs;
    ASSERT_TRUE(saveCalibration(m_machine).has_value());
    EXPECT_TRUE(checkIsCalibrated(m_machine).has_value());
    // In any order they are kept by their number, and each replaces that of as many.
    for (const std::int64_t count : {4, 2, 3, 2}) {
        const auto kept = keepRankCosts(localCpu(), ranksAt(count, 4e11));
        ASSERT_TRUE(kept.has_value()) << kept.error().text();
        EXPECT_EQ(kept->note, "");
    }
    const std::vector<RankCosts> all{ranksAt(2, 4e11), ranksAt(3, 4e11), ranksAt(4, 4e11)};
    EXPECT_EQ(localCpuCalibrated().ofRanks, all);
    EXPECT_EQ(localCpuCalibrated().costs, m_machine.costs);
    // One of a busy machine does not replace them unless that is asked for.
    const auto busy = keepRankCosts(localCpu(), ranksAt(3, 1e11));
    ASSERT_TRUE(busy.has_value());
    EXPECT_THAT(busy->note, HasSubstr("4.0 times as fast at matrix products"));
    EXPECT_EQ(localCpuCalibrated().ofRanks, all);
    ASSERT_TRUE(keepRankCosts(localCpu(), ranksAt(3, 1e11), true).has_value());
    EXPECT_EQ(localCpuCalibrated().ofRanks[1], ranksAt(3, 1e11));
    // A new calibration of the whole leaves them.
    ASSERT_TRUE(keepCalibration(m_machine, true).has_value());
    EXPECT_EQ(localCpuCalibrated().ofRanks.size(), 3U);
}

TEST_F(Calibration, OfRanksIsRefusedOrPassedOverAsThatOfTheWholeIs) {
    m_machine.costs = sampleMachine().costs;
    RankCosts ranks{.ranks = 2, .source = "calibrated 2026-11-20", .costs = *sampleMachine().costs};
    m_machine.ofRanks = {ranks, ranks};
    m_machine.ofRanks[1].ranks = 3;
    const json good = toJson(m_machine);
    ASSERT_EQ(fromJson<Machine>(good)->ofRanks, m_machine.ofRanks);
    json newer = good;
    newer["costs_of_ranks"][0]["costs"] = {{"version", 3}};
    EXPECT_EQ(fromJson<Machine>(newer)->ofRanks, std::vector{m_machine.ofRanks[1]});
    for (const std::function<void(json&)>& edit : std::vector<std::function<void(json&)>>{
             [](json& list) { list[0]["ranks"] = 1; }, [](json& list) { list[1]["ranks"] = 2; },
             [](json& list) { list[0].erase("source"); }, [](json& list) { list[0].erase("costs"); },
             [](json& list) { list = 7; }}) {
        json bad = good;
        edit(bad["costs_of_ranks"]);
        EXPECT_FALSE(fromJson<Machine>(bad).has_value()) << bad["costs_of_ranks"].dump().substr(0, 200);
    }
}

TEST_F(Calibration, OfAnotherProcessorIsNotUsed) {
    ASSERT_TRUE(saveCalibration(m_machine).has_value());
    for (const auto& [key, value] :
         {std::pair<const char*, json>{"model", "Other CPU"}, {"cores", 4096}, {"flags", "0"}}) {
        const std::string before = getFile(calibrationPath(m_machine));
        change([&](json& document) { document["fingerprint"][key] = value; });
        const auto loaded = loadCalibration(localCpu());
        ASSERT_TRUE(loaded.has_value());
        EXPECT_FALSE(loaded->has_value()) << key;
        EXPECT_TRUE(localCpuCalibrated().peakFlopPerSecond.empty());
        putFile(calibrationPath(m_machine), before);
    }
}

TEST_F(Calibration, WithAnotherNumberOfThreadsIsNotUsed) {
    if (localCpuIdentity().usableCores < 2) GTEST_SKIP() << "one core has one number of threads only";
    const char* const set = std::getenv("OMP_NUM_THREADS");
    const std::optional<std::string> before = set != nullptr ? std::optional<std::string>(set) : std::nullopt;
    for (const char* one : {"1", " 1 ", "1,4"}) {
        ::setenv("OMP_NUM_THREADS", one, 1);
        EXPECT_EQ(localCpuIdentity().usableCores, 1) << one;
    }
    const auto saved = saveCalibration(m_machine);
    const auto same = loadCalibration(localCpu());
    if (before)
        ::setenv("OMP_NUM_THREADS", before->c_str(), 1);
    else
        ::unsetenv("OMP_NUM_THREADS");
    ASSERT_TRUE(saved.has_value());
    ASSERT_TRUE(same.has_value());
    EXPECT_TRUE(same->has_value());
    const auto other = loadCalibration(localCpu());
    ASSERT_TRUE(other.has_value());
    EXPECT_FALSE(other->has_value());
}

TEST_F(Calibration, ThatIsDamagedIsNamedAndNotUsed) {
    ASSERT_TRUE(saveCalibration(m_machine).has_value());
    const std::string good = getFile(calibrationPath(m_machine));
    const std::vector<std::function<void(json&)>> edits{
        [](json& d) { d = json::array(); },
        [](json& d) { d["format"] = 7; },
        [](json& d) { d["version"] = 4; },
        [](json& d) { d["version"] = 1; },
        [](json& d) { d.erase("version"); },
        [](json& d) { d.erase("machine"); },
        [](json& d) { d["machine"]["bandwidth_bytes_per_s"] = -1; },
        [](json& d) {
            d["machine"]["costs"] = {{"version", 2}};
        },
        [](json& d) {
            d["machine"]["costs"] = {{"version", "one"}};
        },
        [](json& d) {
            d["machine"]["prediction_check"] = {{"date", 7}};
        },
        [](json& d) { d["machine"]["id"] = "somebody"; },
    };
    for (const auto& edit : edits) {
        change(edit);
        const auto loaded = loadCalibration(localCpu());
        ASSERT_FALSE(loaded.has_value());
        EXPECT_EQ(loaded.error().code, ErrorCode::BadInput);
        const Machine machine = localCpuCalibrated();
        EXPECT_TRUE(machine.peakFlopPerSecond.empty());
        EXPECT_THAT(machine.source,
                    testing::AllOf(testing::StartsWith("not calibrated: "), HasSubstr("cannot be used")));
        putFile(calibrationPath(m_machine), good);
    }
    putFile(calibrationPath(m_machine), good.substr(0, good.size() / 2));
    EXPECT_FALSE(loadCalibration(localCpu()).has_value());
}

TEST_F(Calibration, ThatNestsWithoutEndIsNamedAndNotUsed) {
    ASSERT_TRUE(saveCalibration(m_machine).has_value());
    const std::string path = calibrationPath(m_machine);
    constexpr std::size_t kDepth = 2'000'000;
    const std::string nest = std::string(kDepth, '[') + std::string(kDepth, ']');
    putFile(path, R"({"format":"plumbline.calibration","version":1,"fingerprint":)" + nest + "}");
    const auto loaded = loadCalibration(localCpu());
    ASSERT_FALSE(loaded.has_value());
    EXPECT_THAT(loaded.error().text(),
                testing::AllOf(HasSubstr(path), HasSubstr("levels"), HasSubstr("calibrate again")));
}

TEST_F(Calibration, IsClaimedByOneProgramAtATime) {
    {
        const auto first = claimCalibration();
        ASSERT_TRUE(first.has_value()) << first.error().text();
        const auto second = claimCalibration();
        ASSERT_FALSE(second.has_value());
        EXPECT_EQ(second.error().code, ErrorCode::RunFailed);
        EXPECT_THAT(second.error().text(), HasSubstr("another program calibrates"));
    }
    EXPECT_TRUE(claimCalibration().has_value());
}

TEST_F(Calibration, FindsOutBeforeMeasuringThatItCannotBeKept) {
    ASSERT_TRUE(checkCalibrationPlace(m_machine).has_value());
    EXPECT_TRUE(std::filesystem::is_empty(m_folder.file("data/plumbline")));
    std::filesystem::create_directory(calibrationPath(m_machine));
    EXPECT_EQ(checkCalibrationPlace(m_machine).error().code, ErrorCode::Io);
    std::filesystem::remove_all(m_folder.file("data"));
    putFile(m_folder.file("data"), "a file where a folder should be");
    EXPECT_EQ(checkCalibrationPlace(m_machine).error().code, ErrorCode::Io);
    EXPECT_EQ(claimCalibration().error().code, ErrorCode::Io);
}

TEST_F(Calibration, ARecordOfPredictionsDoesNotUndoANewerCalibration) {
    ASSERT_TRUE(saveCalibration(m_machine).has_value());
    Machine checked = localCpuCalibrated();
    checked.checked = sampleMachine().checked;
    ASSERT_TRUE(savePredictionCheck(checked).has_value());
    EXPECT_TRUE(localCpuCalibrated().checked.has_value());
    m_machine.perOpOverhead = 3e-6;
    ASSERT_TRUE(saveCalibration(m_machine).has_value());
    const auto late = savePredictionCheck(checked);
    ASSERT_FALSE(late.has_value());
    EXPECT_THAT(late.error().text(), HasSubstr("calibrated anew"));
    EXPECT_EQ(localCpuCalibrated().perOpOverhead, 3e-6);
}

TEST_F(Calibration, TakesTheMemoryOfTodayNotThatOfTheCalibration) {
    m_machine.memoryBytes = 1;
    ASSERT_TRUE(saveCalibration(m_machine).has_value());
    EXPECT_EQ(localCpuCalibrated().memoryBytes, localCpu().memoryBytes);
}

TEST_F(Calibration, SaysWhereItCouldNotBeKept) {
    putFile(m_folder.file("data"), "a file where a folder should be");
    const auto saved = saveCalibration(m_machine);
    ASSERT_FALSE(saved.has_value());
    EXPECT_EQ(saved.error().code, ErrorCode::Io);
}

TEST_F(Calibration, ARelativeDataFolderIsIgnored) {
    ::setenv("XDG_DATA_HOME", "relative", 1);
    ::setenv("HOME", m_folder.path().c_str(), 1);
    EXPECT_EQ(calibrationPath(m_machine), m_folder.file(".local/share/plumbline/calibration-local-cpu.json"));
}

}  // namespace
}  // namespace plumb
