// SPDX-License-Identifier: Apache-2.0
#include "core/measure/fit_proof_json.h"
#include "core/measure/reading.h"
#include "core/train/fit_proof_run.h"
#include "kernels/cpu/cpu_backend.h"
#include "tests/support/random_config.h"
#include "tests/support/threads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plumb {
namespace {

using testing::HasSubstr;

std::unique_ptr<Backend> provingCpu() {
    auto backend = makeCpuBackend(test::kBackendThreads);
    EXPECT_TRUE(backend.has_value());
    return std::move(backend).value();
}

FitProofOptions within(Bytes bytes) {
    FitProofOptions options;
    options.limitBytes = bytes;
    return options;
}

/// What the step of batch 24 takes and a little more than that.
Bytes roomFor(const RunConfig& config, Backend& backend, Bytes more) {
    const auto plan = planStep(withFitBatch(config, 24), backend.traits());
    return summariseCurve(memoryCurve(*plan)).peakBytes + more;
}

FitProof provenSample() {
    FitProof proof;
    proof.config = RunConfig{.dim = 16, .layers = 2};
    proof.machine = "local-cpu";
    proof.deviceBytes = 1000;
    proof.limitBytes = 500;
    proof.fits = {7, 490, 490, "", false};
    proof.tooLarge = {8, 560, std::nullopt, "no room", true};
    return proof;
}

TEST(FitProof, HoldsForAnyConfigurationToTheByte) {
    const auto backend = provingCpu();
    int proven = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        RunConfig config = test::randomConfig(seed);
        config.batch = 24;
        config.microBatch = 0;
        const auto limit = roomFor(config, *backend, static_cast<Bytes>(seed * 7));
        const auto proof = proveFit(config, *backend, within(limit));
        ASSERT_TRUE(proof.has_value()) << proof.error().text() << " " << seed;
        EXPECT_EQ(verdictOf(*proof), FitVerdict::Proven)
            << verdictText(*proof) << " " << trialText(proof->tooLarge) << " " << seed;
        EXPECT_GE(proof->fits.batch, 24) << seed;
        EXPECT_LE(proof->fits.predictedBytes, limit) << seed;
        EXPECT_GT(proof->tooLarge.predictedBytes, limit) << seed;
        ++proven;
    }
    EXPECT_EQ(proven, 60);
}

TEST(FitProof, GivesTheMemoryBackAndLiftsTheLimit) {
    const auto backend = provingCpu();
    const RunConfig config{.dim = 16, .layers = 2};
    ASSERT_TRUE(proveFit(config, *backend, within(100'000)).has_value());
    EXPECT_EQ(total(backend->allocationCount().live), 0);
    FitProofOptions options = within(200'000);
    const auto again = proveFit(config, *backend, options);
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(verdictOf(*again), FitVerdict::Proven) << "more than the first limit";
}

TEST(FitProof, TakesNoMoreThanTheDeviceHasAndThanIsFree) {
    CpuBackendOptions small;
    small.threads = test::kBackendThreads;
    small.memoryLimit = 150'000;
    const auto backend = std::move(makeCpuBackend(small)).value();
    const RunConfig config{.dim = 16, .layers = 2};
    const auto whole = proveFit(config, *backend, {});
    ASSERT_TRUE(whole.has_value()) << whole.error().text();
    EXPECT_EQ(whole->limitBytes, 150'000);
    EXPECT_EQ(whole->limitOf, FitLimit::Device);
    EXPECT_EQ(verdictOf(*whole), FitVerdict::Proven);
    const auto beyond = proveFit(config, *backend, within(1'000'000));
    ASSERT_TRUE(beyond.has_value());
    EXPECT_EQ(beyond->limitBytes, 150'000);
    EXPECT_EQ(beyond->limitOf, FitLimit::Device);
    FitProofOptions busy;
    busy.freeBytes = 90'000;
    const auto squeezed = proveFit(config, *backend, busy);
    ASSERT_TRUE(squeezed.has_value());
    EXPECT_EQ(squeezed->limitBytes, 90'000);
    EXPECT_EQ(squeezed->limitOf, FitLimit::Free);
    EXPECT_THAT(limitText(*squeezed), HasSubstr("no more was safely free"));
}

TEST(FitProof, SaysWhereThereIsNothingToProve) {
    const auto backend = provingCpu();
    const auto tiny = proveFit(RunConfig{.dim = 16, .layers = 2}, *backend, within(100));
    ASSERT_FALSE(tiny.has_value());
    EXPECT_THAT(tiny.error().message, HasSubstr("not even the smallest batch"));
    EXPECT_FALSE(tiny.error().hint.empty());
    const RunConfig pieces{.dim = 16, .layers = 2, .batch = 8, .microBatch = 2};
    const auto boundless = proveFit(pieces, *backend, within(1'000'000));
    ASSERT_FALSE(boundless.has_value());
    EXPECT_THAT(boundless.error().message, HasSubstr("memory does not limit the batch"));
    EXPECT_FALSE(boundless.error().hint.empty());
}

TEST(FitProof, CanBeStoppedAndTellsHowFarItIs) {
    const auto backend = provingCpu();
    std::stop_source stop;
    FitProofOptions options = within(400'000);
    options.stop = stop.get_token();
    std::int64_t last = 0;
    options.progress = [&](std::int64_t done, std::int64_t total) {
        EXPECT_GE(done, last);
        EXPECT_LE(done, total);
        last = done;
    };
    const RunConfig config{.dim = 16, .layers = 2};
    ASSERT_TRUE(proveFit(config, *backend, options).has_value());
    EXPECT_GT(last, 0);
    options.progress = [&](std::int64_t /*done*/, std::int64_t /*total*/) { stop.request_stop(); };
    const auto stopped = proveFit(config, *backend, options);
    ASSERT_FALSE(stopped.has_value());
    EXPECT_EQ(stopped.error().code, ErrorCode::RunFailed);
    EXPECT_EQ(total(backend->allocationCount().live), 0);
}

TEST(FitProof, SaysWhatDiffered) {
    FitProof proof = provenSample();
    EXPECT_EQ(verdictOf(proof), FitVerdict::Proven);
    proof.fits.measuredBytes = 491;
    EXPECT_EQ(verdictOf(proof), FitVerdict::PeakDiffers);
    EXPECT_THAT(verdictText(proof), HasSubstr("the peak was 491 B and not 490 B"));
    proof = provenSample();
    proof.fits = {7, 490, std::nullopt, "no room", true};
    EXPECT_EQ(verdictOf(proof), FitVerdict::LargestRefused);
    proof = provenSample();
    proof.tooLarge = {8, 560, 499, "", false};
    EXPECT_EQ(verdictOf(proof), FitVerdict::NextRan);
    EXPECT_THAT(verdictText(proof), HasSubstr("560 B of 500 B"));
    proof.tooLarge = {8, 560, std::nullopt, "the disk is full", false};
    EXPECT_EQ(verdictOf(proof), FitVerdict::NextFailed);
    for (const FitVerdict verdict : {verdictOf(proof)}) EXPECT_FALSE(kFitVerdictNames.name(verdict).empty());
}

TEST(FitProof, IsOfOneConfigurationWhateverItsBatch) {
    const FitProof proof = provenSample();
    RunConfig same = proof.config;
    same.batch = 3;
    EXPECT_TRUE(isOf(proof, same, "local-cpu"));
    same.microBatch = 3;
    EXPECT_TRUE(isOf(proof, same, "local-cpu"));
    same.microBatch = 1;
    EXPECT_FALSE(isOf(proof, same, "local-cpu")) << "another number of micro-batches";
    same = proof.config;
    same.layers = 3;
    EXPECT_FALSE(isOf(proof, same, "local-cpu"));
    EXPECT_FALSE(isOf(proof, proof.config, "gpu"));
}

TEST(FitProof, IsReadAgainAndRefusedWhereItContradictsItself) {
    const FitProof proof = provenSample();
    const auto read = fromJson<FitProof>(toJson(proof));
    ASSERT_TRUE(read.has_value()) << read.error().text();
    EXPECT_EQ(toJson(*read), toJson(proof));
    const auto errorWith = [&](const char* path, const nlohmann::json& value) {
        nlohmann::json document = toJson(proof);
        document[nlohmann::json::json_pointer(path)] = value;
        const auto made = fromJson<FitProof>(document);
        return made.has_value() ? std::string("no error") : made.error().text();
    };
    EXPECT_THAT(errorWith("/fits/refusal", "no room"), HasSubstr("fits.refusal"));
    EXPECT_THAT(errorWith("/too_large/refusal", ""), HasSubstr("too_large.refusal"));
    EXPECT_THAT(errorWith("/fits/out_of_memory", true), HasSubstr("fits.out_of_memory"));
    EXPECT_THAT(errorWith("/too_large/batch", 7), HasSubstr("too_large.batch"));
    EXPECT_THAT(errorWith("/fits/batch", 0), HasSubstr("fits.batch"));
    EXPECT_THAT(errorWith("/limit_bytes", -1), HasSubstr("limit_bytes"));
    EXPECT_THAT(errorWith("/limit_of", "whim"), HasSubstr("limit_of"));
    EXPECT_THAT(errorWith("/config/layers", -1), HasSubstr("config"));
}

}  // namespace
}  // namespace plumb
