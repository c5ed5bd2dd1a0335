// SPDX-License-Identifier: Apache-2.0
#include "core/measure/fit_proof.h"

#include "core/base/quantity.h"

#include <fmt/format.h>

#include <algorithm>

namespace plumb {

namespace {

bool isOneMicroBatch(const RunConfig& config) {
    return config.microBatch == 0 || config.microBatch == config.rankBatch();
}

/// Both sizes as they are read, exactly where those are the same.
struct SizePair {
    std::string first, second;
    SizePair(Bytes one, Bytes other) : first(bytesText(one)), second(bytesText(other)) {
        if (first != second || one == other) return;
        first = formatExact(one, "B");
        second = formatExact(other, "B");
    }
};

}  // namespace

RunConfig withFitBatch(RunConfig config, std::int64_t batch) {
    if (isOneMicroBatch(config)) config.microBatch = batch / config.parallel.data;
    config.batch = batch;
    return config;
}

std::int64_t nextFitBatch(const RunConfig& config, const BackendTraits& traits, std::int64_t batch) {
    const bool isFp8 = config.precision == Precision::Fp8;
    const std::int64_t rows = !isOneMicroBatch(config) ? config.microBatch
                              : isFp8                  ? std::max<std::int64_t>(traits.fp8Multiple, 1)
                                                       : 1;
    return batch + rows * config.parallel.data;
}

FitVerdict verdictOf(const FitProof& proof) {
    if (!proof.fits.measuredBytes) return FitVerdict::LargestRefused;
    if (proof.tooLarge.measuredBytes) return FitVerdict::NextRan;
    if (!proof.tooLarge.refusedForMemory) return FitVerdict::NextFailed;
    return *proof.fits.measuredBytes == proof.fits.predictedBytes ? FitVerdict::Proven
                                                                  : FitVerdict::PeakDiffers;
}

std::string verdictText(const FitProof& proof) {
    const std::string most = formatExact(proof.fits.batch, "");
    const std::string next = formatExact(proof.tooLarge.batch, "");
    switch (verdictOf(proof)) {
    case FitVerdict::Proven:
        return fmt::format("Proven: batch {} ran with the {} that were predicted, and batch {} was refused.",
                           most, bytesText(proof.fits.predictedBytes), next);
    case FitVerdict::LargestRefused:
        return fmt::format("Refuted: batch {} must fit ({} of {}), and it did not run.", most,
                           bytesText(proof.fits.predictedBytes), bytesText(proof.limitBytes));
    case FitVerdict::PeakDiffers: {
        const SizePair sizes(proof.fits.measuredBytes.value_or(0), proof.fits.predictedBytes);
        return fmt::format(
            "Batch {} ran and batch {} was refused, as predicted, but the peak was {} and not {}.", most,
            next, sizes.first, sizes.second);
    }
    case FitVerdict::NextRan: {
        const SizePair sizes(proof.tooLarge.measuredBytes.value_or(0), proof.tooLarge.predictedBytes);
        return fmt::format("Refuted: batch {} must not fit ({} of {}), and it ran with {}.", next,
                           sizes.second, bytesText(proof.limitBytes), sizes.first);
    }
    case FitVerdict::NextFailed:
        return fmt::format("Not proven: batch {} ran, and batch {} failed for another reason than memory.",
                           most, next);
    }
    return {};
}

std::string limitText(const FitProof& proof) {
    const std::string limit = bytesText(proof.limitBytes);
    switch (proof.limitOf) {
    case FitLimit::Asked:
        return fmt::format("The engine's allocator gave out {} at most, as asked.", limit);
    case FitLimit::Device:
        return fmt::format("The engine's allocator gave out {} at most, the memory of the device.", limit);
    case FitLimit::Free:
        return fmt::format("The engine's allocator gave out {} at most, since no more was safely free.",
                           limit);
    }
    return {};
}

std::string trialText(const FitTrial& trial) {
    if (trial.measuredBytes)
        return fmt::format("batch {} ran: {} at its peak, {} predicted", formatExact(trial.batch, ""),
                           formatExact(*trial.measuredBytes, "B"), formatExact(trial.predictedBytes, "B"));
    return fmt::format("batch {} did not run ({} predicted): {}", formatExact(trial.batch, ""),
                       formatExact(trial.predictedBytes, "B"), trial.refusal);
}

bool isOf(const FitProof& proof, const RunConfig& config, std::string_view machine) {
    return proof.machine == machine && isOneMicroBatch(proof.config) == isOneMicroBatch(config) &&
           withFitBatch(config, proof.config.batch) == withFitBatch(proof.config, proof.config.batch);
}

}  // namespace plumb
