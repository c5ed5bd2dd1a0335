// SPDX-License-Identifier: Apache-2.0
#include "core/model/names.h"
#include "core/train/checkpoint_writer.h"
#include "core/train/training_checkpoint.h"
#include "tests/core/train/short_training.h"
#include "tests/support/plans.h"
#include "tests/support/random_config.h"
#include "tests/support/temporary_folder.h"

#include "test_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <map>
#include <set>

namespace plumb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> namesIn(const std::string& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

/// The content of a checkpoint without the time that the training took, which no two runs share.
std::map<std::string, std::string> contentOf(const std::string& path) {
    std::map<std::string, std::string> content;
    const auto file = SafetensorsFile::open(path);
    EXPECT_TRUE(file.has_value()) << file.error().text();
    if (!file.has_value()) return content;
    content = file->metadata();
    content.erase("training_seconds");
    content.erase("checksum");  // of that time, too
    for (const SafetensorsEntry& entry : file->tensors()) {
        const std::vector<std::byte> bytes = *file->bytes(entry);
        content["tensor " + entry.name] =
            entry.dtype + std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    return content;
}

std::string describe(const RunConfig& config) {
    std::string text;
    for (const OptionInfo& option : runOptions())
        if (optionApplies(config, option.name))
            text += " --" + std::string(option.name) + " " + optionValue(config, option.name);
    return text;
}

/// All recipes, with and without masters and with both kinds of gradients. New enumerators come in by
/// themselves.
std::vector<RunConfig> everyRecipe(Optimizer optimizer) {
    std::vector<RunConfig> all;
    for (const auto& [precision, precisionText] : kPrecisionNames)
        for (const bool masters : {true, false})
            for (const auto& [gradients, gradientText] : kGradientPrecisionNames) {
                RunConfig config = smallConfig();
                config.precision = precision;
                config.masterWeights = masters;
                config.gradientPrecision = gradients;
                config.optimizer = optimizer;
                // Grows until values overflow, again and again: steps are skipped, trackers start anew.
                config.lossScaling.interval = 7;
                all.push_back(config);
            }
    return all;
}

/// One other value than the standard one for every setting that the optimizer has.
std::vector<RunConfig> everySetting(Optimizer optimizer) {
    std::vector<RunConfig> all;
    for (const Setting setting : kEnumerators<Setting>) {
        const auto standard = settingDefault(optimizer, setting);
        if (!standard) continue;
        for (const double value : {*standard * 0.75, 0.5, 1.0}) {
            RunConfig config = smallConfig();
            config.precision = Precision::Bf16;
            config.optimizer = optimizer;
            config.settings[setting] = value;
            if (value == *standard || !validate(config).has_value()) continue;
            all.push_back(config);
            break;
        }
    }
    return all;
}

std::vector<RunConfig> everySchedule() {
    std::vector<RunConfig> all;
    for (const auto& [schedule, text] : kScheduleNames)
        for (const std::int64_t warmUp : {20, 120}) {  // over before the resumption, and across it
            RunConfig config = smallConfig();
            config.schedule = schedule;
            config.warmUpSteps = warmUp;
            config.scheduleSteps = warmUp + 30;
            config.clipNorm = 0.01;
            all.push_back(config);
        }
    return all;
}

/// False for what this version of the backend refuses to run.
bool canRun(const RunConfig& config) {
    return errorOf(runTraining(config, 1)).find("this version") == std::string::npos;
}

struct Resumed {
    int skippedSteps = 0;  ///< by a loss scale that overflowed, after the resumption
    int notRun = 0;        ///< configurations that this version of the backend refuses
};

/// Trains each configuration 200 steps in one go and in two halves, and compares losses, rates and files bit
/// for bit.
Resumed expectTwoHalvesAreTheWhole(const std::vector<RunConfig>& configs) {
    Resumed resumed;
    for (const RunConfig& config : configs) {
        SCOPED_TRACE(describe(config));
        if (!canRun(config)) {
            ++resumed.notRun;
            continue;
        }
        const TemporaryFolder folder;
        const std::string whole = folder.file("whole"), parts = folder.file("parts");
        const Outcome straight = runTraining(config, 200, {whole, 0, 3});
        const Outcome first = runTraining(config, 100, {parts, 0, 3});
        const Outcome second = runTraining(config, 200, {parts, 0, 3}, parts);
        std::vector<std::uint64_t> joined = first.seen.lossBits();
        const std::vector<std::uint64_t> rest = second.seen.lossBits();
        joined.insert(joined.end(), rest.begin(), rest.end());
        for (const Outcome* outcome : {&straight, &first, &second}) EXPECT_EQ(errorOf(*outcome), "no error");
        EXPECT_EQ(joined.size(), 200U);
        EXPECT_EQ(rest.size(), 100U);
        EXPECT_EQ(joined, straight.seen.lossBits());
        if (testing::Test::HasFailure()) break;

        EXPECT_EQ(second.seen.points.front().step, 100);
        EXPECT_GE(second.seen.points.front().seconds, first.seen.points.back().seconds);
        for (std::size_t i = 100; i < 200; ++i) {
            const StepMetrics& here = second.seen.points[i - 100];
            const StepMetrics& there = straight.seen.points[i];
            EXPECT_EQ(here.learningRate, there.learningRate);
            EXPECT_EQ(std::bit_cast<std::uint64_t>(here.lossScale),
                      std::bit_cast<std::uint64_t>(there.lossScale));
            if (config.precision == Precision::Fp16 && std::isnan(there.gradientNorm)) ++resumed.skippedSteps;
        }
        // Not the losses alone: every byte of the state.
        EXPECT_TRUE(contentOf(whole + "/step-000200.safetensors") ==
                    contentOf(parts + "/step-000200.safetensors"));
        EXPECT_THAT(namesIn(parts), ElementsAre("step-000100.safetensors", "step-000200.safetensors"));
        if (testing::Test::HasFailure()) break;
    }
    return resumed;
}

class CheckpointsOf : public testing::TestWithParam<Optimizer> {};

TEST_P(CheckpointsOf, HundredAndHundredStepsAreTwoHundredInEveryRecipe) {
    const std::vector<RunConfig> configs = everyRecipe(GetParam());
    ASSERT_GE(configs.size(), kPrecisionNames.size() * 4);
    const Resumed resumed = expectTwoHalvesAreTheWhole(configs);
    if (resumed.notRun > 0)
        GTEST_SKIP() << resumed.notRun << " of " << configs.size()
                     << " configurations do not run on this backend; the others do";
    EXPECT_GT(resumed.skippedSteps, 0) << "no loss scale ever overflowed: the test does not see that state";
}

TEST_P(CheckpointsOf, HundredAndHundredStepsAreTwoHundredWithEverySetting) {
    const std::vector<RunConfig> configs = everySetting(GetParam());
    if (configs.empty()) GTEST_SKIP() << "this optimizer has no settings";
    EXPECT_EQ(expectTwoHalvesAreTheWhole(configs).notRun, 0);
}

INSTANTIATE_TEST_SUITE_P(EveryOptimizer, CheckpointsOf, testing::ValuesIn([] {
                             std::vector<Optimizer> all;
                             for (const auto& [optimizer, text] : kOptimizerNames) all.push_back(optimizer);
                             return all;
                         }()),
                         [](const auto& test) { return std::string(kOptimizerNames.name(test.param)); });

TEST(Resume, HundredAndHundredStepsAreTwoHundredUnderEverySchedule) {
    EXPECT_EQ(expectTwoHalvesAreTheWhole(everySchedule()).notRun, 0);
}

TEST(Resume, RecomputationMayChange) {
    const TemporaryFolder folder;
    RunConfig config = smallConfig();
    const Outcome straight = runTraining(config, 20);
    ASSERT_TRUE(runTraining(config, 10, {folder.path(), 0, 3}).result.has_value());
    config.recompute.kind = RecomputePolicy::Kind::None;
    const Outcome second = runTraining(config, 20, {}, folder.path());
    ASSERT_TRUE(second.result.has_value()) << errorOf(second);
    const auto bits = straight.seen.lossBits();
    EXPECT_EQ(second.seen.lossBits(), std::vector(bits.begin() + 10, bits.end()));
}

TEST(Resume, DataFromAFileGoesOnWhereItStopped) {
    RunConfig config = smallConfig();
    config.dim = 64;
    config.outputs = 1;
    config.data = PLUMB_RESOURCES "/samples/digits/features.npy";
    config.targets = PLUMB_RESOURCES "/samples/digits/targets.npy";
    config.batch = 128;  // an epoch is 14.04 batches
    config.microBatch = 32;
    const TemporaryFolder folder;
    const Outcome straight = runTraining(config, 60);
    ASSERT_TRUE(runTraining(config, 31, {folder.path(), 0, 3}).result.has_value());
    const Outcome second = runTraining(config, 60, {}, folder.path());
    ASSERT_TRUE(second.result.has_value()) << errorOf(second);
    const auto bits = straight.seen.lossBits();
    EXPECT_EQ(second.seen.lossBits(), std::vector(bits.begin() + 31, bits.end()));
}

TEST(Resume, RefusesOtherDataAndSaysWhichFileDiffers) {
    const TemporaryFolder folder;
    RunConfig config = smallConfig();
    config.dim = 64;
    config.outputs = 1;
    config.data = folder.file("x.npy");
    config.targets = folder.file("t.npy");
    const std::string samples = PLUMB_RESOURCES "/samples/digits/";
    const std::string features = getFile(samples + "features.npy"),
                      targets = getFile(samples + "targets.npy");
    putFile(config.data, features);
    putFile(config.targets, targets);
    const std::string kept = folder.file("c");
    ASSERT_TRUE(runTraining(config, 3, {kept, 0, 3}).result.has_value());

    std::string other = targets;
    other[other.size() - 2] = static_cast<char>(other[other.size() - 2] ^ 1);
    putFile(config.targets, other);
    EXPECT_THAT(errorOf(runTraining(config, 5, {}, kept)),
                testing::AllOf(HasSubstr("step-000003.safetensors"), HasSubstr("other targets"),
                               HasSubstr("t.npy has as many bytes"), HasSubstr("another content")));
    putFile(config.targets, targets + "x");
    EXPECT_THAT(errorOf(runTraining(config, 5, {}, kept)),
                HasSubstr(std::to_string(targets.size() + 1) + " here"));
    putFile(config.targets, targets);
    EXPECT_EQ(errorOf(runTraining(config, 5, {}, kept)), "no error");
}

TEST(Resume, RefusesAnotherConfigurationByTheFirstOptionThatDiffers) {
    const TemporaryFolder folder;
    const RunConfig config = smallConfig();
    ASSERT_TRUE(runTraining(config, 3, {folder.path(), 0, 3}).result.has_value());
    const auto refusal = [&](const std::function<void(RunConfig&)>& change) {
        RunConfig other = config;
        change(other);
        const Outcome outcome = runTraining(other, 10, {}, folder.path());
        EXPECT_EQ(outcome.seen.points.empty(), !outcome.result.has_value());
        return errorOf(outcome);
    };
    EXPECT_THAT(refusal([](RunConfig& c) { c.optimizer = Optimizer::Sgd; }),
                HasSubstr("(optimizer adamw there, sgd here)"));
    EXPECT_THAT(refusal([](RunConfig& c) { c.learningRate = 0.5; }), HasSubstr("(lr 0.001 there, 0.5 here)"));
    EXPECT_THAT(refusal([](RunConfig& c) { c.dim = 13; }), HasSubstr("(dim 12 there, 13 here)"));
    EXPECT_THAT(refusal([](RunConfig& c) { c.seed = 1; }), HasSubstr("(seed 0 there, 1 here)"));
    EXPECT_THAT(refusal([](RunConfig& c) { c.microBatch = 8; }), HasSubstr("micro-batch"));
    EXPECT_THAT(refusal([](RunConfig& c) { c.precision = Precision::Bf16; }), HasSubstr("precision"));
    EXPECT_EQ(refusal([](RunConfig& c) { c.learningRate = 0.001; }), "no error")
        << "the default, written out";
    EXPECT_EQ(refusal([](RunConfig& c) { c.backend = BackendChoice::Auto; }), "no error");
}

TEST(Resume, RefusesStepsThatAreDoneAndFoldersWithoutCheckpoints) {
    const TemporaryFolder folder;
    ASSERT_TRUE(runTraining(smallConfig(), 5, {folder.path(), 0, 3}).result.has_value());
    EXPECT_THAT(errorOf(runTraining(smallConfig(), 5, {}, folder.path())), HasSubstr("5 steps"));
    std::filesystem::create_directory(folder.file("empty"));
    EXPECT_THAT(errorOf(runTraining(smallConfig(), 5, {}, folder.file("empty"))),
                HasSubstr("no training checkpoint"));
    EXPECT_THAT(errorOf(runTraining(smallConfig(), 5, {}, folder.file("none"))), HasSubstr("No such file"));
}

TEST_P(CheckpointsOf, HoldEveryTensorThatLivesAcrossStepsUnderItsOwnName) {
    for (const RunConfig& config : everyRecipe(GetParam())) {
        const auto plan = planStep(config, cpuTraits());
        ASSERT_TRUE(plan.has_value()) << plan.error().text();
        const std::vector<TensorId> kept = checkpointTensors(*plan);
        std::set<std::string> names;
        for (const TensorId id : kept) names.insert(checkpointTensorName(*plan, plan->tensor(id)));
        EXPECT_EQ(names.size(), kept.size()) << describe(config);
        std::size_t expected = 0;
        for (const Tensor& tensor : plan->tensors)
            expected += tensor.persistent() && tensor.role != TensorRole::Statistics &&
                                tensor.role != TensorRole::Loss && tensor.role != TensorRole::Staging
                            ? 1
                            : 0;
        EXPECT_EQ(kept.size(), expected) << describe(config);
        EXPECT_EQ(names.count("layers.0.weight"), 1U);
        EXPECT_EQ(names.count("head.weight"), 1U);
        EXPECT_EQ(names.count("master.head.weight"), config.hasMasterCopy() ? 1U : 0U);
        EXPECT_EQ(names.count("loss_scale"), config.precision == Precision::Fp16 ? 1U : 0U);
        EXPECT_EQ(names.count("scales"), config.precision == Precision::Fp8 ? 1U : 0U);
        if (config.optimizer == Optimizer::AdamW) {
            EXPECT_EQ(names.count("optimizer.layers.2.weight.exp_avg"), 1U);
            EXPECT_EQ(names.count("optimizer.head.weight.exp_avg_sq"), 1U);
        }
    }
}

TEST(Checkpoints, NameEveryTensorOfAStepOnAGpu) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const StepPlan plan = test::planOf(test::randomGpuConfig(seed), *cudaTraits(90));
        std::set<std::string> names;
        for (const TensorId id : checkpointTensors(plan)) {
            const std::string name = checkpointTensorName(plan, plan.tensor(id));
            EXPECT_TRUE(!name.empty() && names.insert(name).second) << name << " seed " << seed;
        }
        EXPECT_FALSE(names.empty());
    }
}

TEST(Checkpoints, TheNameSaysTheStepAndOtherNamesAreOtherFiles) {
    for (const std::int64_t step :
         {std::int64_t{0}, std::int64_t{7}, std::int64_t{999'999}, std::int64_t{1'000'000}, INT64_MAX})
        EXPECT_EQ(stepOfCheckpointName(checkpointFileName(step)), step);
    EXPECT_EQ(checkpointFileName(123), "step-000123.safetensors");
    for (const char* name :
         {"step-123.safetensors", "step-0000123.safetensors", "step--00001.safetensors",
          "step-000123.safetensors.tmp", ".step-000123.safetensors.7.tmp", "step-.safetensors",
          "step-00012x.safetensors", "step-99999999999999999999.safetensors", "step-safetensors", "x", ""})
        EXPECT_EQ(stepOfCheckpointName(name), std::nullopt) << name;
}

TEST(Checkpoints, AreSavedEveryNStepsAndAtTheEndAndTheLastAreKept) {
    const TemporaryFolder folder;
    const Outcome outcome = runTraining(smallConfig(), 25, {folder.file("made/here"), 4, 2});
    ASSERT_TRUE(outcome.result.has_value()) << errorOf(outcome);
    // A save that is due while the one before is being written comes later, so only the end is certain.
    ASSERT_FALSE(outcome.seen.reports.empty());
    EXPECT_EQ(outcome.seen.reports.back().step, 25);
    for (std::size_t i = 0; i < outcome.seen.reports.size(); ++i) {
        const CheckpointReport& report = outcome.seen.reports[i];
        EXPECT_FALSE(report.failure);
        EXPECT_GT(report.bytes, 0);
        EXPECT_EQ(report.path, folder.file("made/here/" + checkpointFileName(report.step)));
        if (i > 0) {
            EXPECT_GT(report.step, outcome.seen.reports[i - 1].step);
        }
    }
    const auto names = namesIn(folder.file("made/here"));
    EXPECT_EQ(names.size(), std::min<std::size_t>(2, outcome.seen.reports.size()));
    EXPECT_EQ(names.back(), "step-000025.safetensors");
    EXPECT_FALSE(outcome.result->checkpointFailure);
}

TEST(Checkpoints, AFolderHoldsOneTraining) {
    const TemporaryFolder folder;
    const CheckpointOptions options{folder.file("a"), 0, 9};
    ASSERT_TRUE(runTraining(smallConfig(), 5, options).result.has_value());
    EXPECT_THAT(errorOf(runTraining(smallConfig(), 5, options)), HasSubstr("holds a training already"));
    ASSERT_TRUE(runTraining(smallConfig(), 9, options, options.folder).result.has_value());
    // From an earlier one, later ones would be taken for the newest.
    EXPECT_THAT(errorOf(runTraining(smallConfig(), 12, options, folder.file("a/step-000005.safetensors"))),
                HasSubstr("holds a later checkpoint (step-000009.safetensors)"));
    // Elsewhere it may branch, into a folder of its own.
    const CheckpointOptions branch{folder.file("b"), 0, 9};
    ASSERT_TRUE(
        runTraining(smallConfig(), 12, branch, folder.file("a/step-000005.safetensors")).result.has_value());
    EXPECT_THAT(namesIn(branch.folder), ElementsAre("step-000012.safetensors"));
    EXPECT_THAT(errorOf(runTraining(smallConfig(), 20, branch, folder.file("a/step-000009.safetensors"))),
                HasSubstr("holds another training"));
}

TEST(Checkpoints, ASecondTrainingIsKeptOutOfTheFolder) {
    const TemporaryFolder folder;
    const Descriptor lock(::open(folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    ASSERT_EQ(::flock(lock.get(), LOCK_EX), 0);
    EXPECT_THAT(errorOf(runTraining(smallConfig(), 3, {folder.path(), 0, 3})),
                HasSubstr("another training writes"));
}

TEST(Checkpoints, WhatAKilledTrainingLeftIsRemovedAndNothingElse) {
    const TemporaryFolder folder;
    for (const char* name :
         {".step-000004.safetensors.123.tmp", ".step-000004.safetensors.123.tmp.keep", ".notes.tmp", "notes",
          ".step-x.safetensors.1.tmp", ".other.safetensors.123.tmp"})
        putFile(folder.file(name), "x");
    ASSERT_TRUE(runTraining(smallConfig(), 3, {folder.path(), 0, 3}).result.has_value());
    EXPECT_THAT(namesIn(folder.path()),
                ElementsAre(".notes.tmp", ".other.safetensors.123.tmp",
                            ".step-000004.safetensors.123.tmp.keep", ".step-x.safetensors.1.tmp", "notes",
                            "step-000003.safetensors"));
}

TEST(Checkpoints, WhatAKilledTrainingWasAboutToDeleteIsDeletedWhenItGoesOn) {
    const TemporaryFolder folder;
    ASSERT_TRUE(runTraining(smallConfig(), 3, {folder.path(), 1, 9}).result.has_value());
    const std::string newest = folder.file("step-000003.safetensors");
    std::filesystem::copy_file(newest, folder.file("step-000001.safetensors"),
                               std::filesystem::copy_options::skip_existing);
    std::filesystem::copy_file(newest, folder.file("step-000002.safetensors"),
                               std::filesystem::copy_options::skip_existing);
    // Before its own first save, else one kill after another leaves one checkpoint after another.
    struct Witness final : TrainingSink {
        explicit Witness(std::string folder) : m_folder(std::move(folder)) {}
        void onStep(const StepMetrics& point) override {
            if (point.step == 3) names = namesIn(m_folder);
        }
        void onReading(const Reading&) override {}
        std::string m_folder;
        std::vector<std::string> names;
    } sink(folder.path());
    auto backend = makeCpuBackend();
    ASSERT_TRUE(backend.has_value());
    const TrainOptions options{.steps = 5, .checkpoints = {folder.path(), 0, 2}, .resumeFrom = newest};
    ASSERT_TRUE(train(smallConfig(), **backend, options, sink).has_value());
    EXPECT_THAT(sink.names, ElementsAre("step-000002.safetensors", "step-000003.safetensors"));
    EXPECT_THAT(namesIn(folder.path()), ElementsAre("step-000003.safetensors", "step-000005.safetensors"));
}

TEST(Checkpoints, AFailedWriteIsReportedAndTrainingGoesOn) {
    const TemporaryFolder folder;
    const std::string path = folder.file("a");
    // The folder goes away until a write has failed, and then until one has not.
    struct Blocker final : TrainingSink {
        explicit Blocker(std::string folder) : m_folder(std::move(folder)) {}
        void onStep(const StepMetrics& point) override {
            if (point.step == 5) std::filesystem::rename(m_folder, m_folder + "-away");
        }
        void onReading(const Reading&) override {}
        void onCheckpoint(const CheckpointReport& report) override {
            if (report.failure && failed++ == 0) std::filesystem::rename(m_folder + "-away", m_folder);
            if (!report.failure && failed > 0) stop.request_stop();
            last = report;
        }
        std::string m_folder;
        std::stop_source stop;
        int failed = 0;
        CheckpointReport last;
    } sink(path);
    auto backend = makeCpuBackend();
    ASSERT_TRUE(backend.has_value());
    TrainOptions options;
    options.checkpoints = {path, 1, 3};
    options.stop = sink.stop.get_token();
    const auto result = train(smallConfig(), **backend, options, sink);
    ASSERT_TRUE(result.has_value()) << result.error().text();
    EXPECT_FALSE(result->failure);
    ASSERT_TRUE(result->checkpointFailure);
    EXPECT_EQ(result->checkpointFailure->code, ErrorCode::Io);
    EXPECT_THAT(result->checkpointFailure->message, HasSubstr("cannot write " + path));
    EXPECT_GT(sink.failed, 0);
    EXPECT_FALSE(sink.last.failure);
    EXPECT_EQ(sink.last.step, result->series.stepsDone);
    EXPECT_TRUE(std::filesystem::exists(path + "/" + checkpointFileName(result->series.stepsDone)));
}

TEST(Checkpoints, AFolderThatCannotBeWrittenIsFoundAtTheStart) {
    // Nobody can make a file there, root included.
    const Outcome outcome = runTraining(smallConfig(), 3, {"/proc/self", 0, 3});
    EXPECT_THAT(errorOf(outcome), HasSubstr("cannot write /proc/self/step-000000.safetensors"));
    EXPECT_TRUE(outcome.seen.points.empty());
}

TEST(Checkpoints, ATrainingThatDivergedDoesNotReplaceAGoodState) {
    const TemporaryFolder folder;
    RunConfig config = smallConfig();
    config.optimizer = Optimizer::Sgd;
    config.activation = Activation::None;
    config.learningRate = 1e6;
    const Outcome outcome = runTraining(config, 1000, {folder.path(), 0, 3});
    ASSERT_TRUE(outcome.result.has_value()) << errorOf(outcome);
    ASSERT_TRUE(outcome.result->failure);
    EXPECT_EQ(folder.entries(), 0U);
}

TEST(Checkpoints, RefusesOptionsThatKeepNothing) {
    const TemporaryFolder folder;
    EXPECT_THAT(errorOf(runTraining(smallConfig(), 3, {folder.path(), 1, 0})), HasSubstr("last 0"));
    EXPECT_THAT(errorOf(runTraining(smallConfig(), 3, {folder.path(), -1, 3})), HasSubstr("every -1"));
    putFile(folder.file("file"), "x");
    EXPECT_THAT(errorOf(runTraining(smallConfig(), 3, {folder.file("file"), 1, 3})),
                HasSubstr(folder.file("file")));
}

}  // namespace
}  // namespace plumb
