// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/enum_names.h"
#include "core/machine/machine.h"
#include "core/model/run_config.h"
#include "core/plan/step_plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace plumb {

/// One step of a batch that was tried for its memory.
struct FitTrial {
    std::int64_t batch = 0;
    Bytes predictedBytes = 0;            ///< peak of the plan; 0 where there is none
    std::optional<Bytes> measuredBytes;  ///< peak that the allocator counted; absent: the step did not run
    std::string refusal;                 ///< what the engine said where it did not run, as it said it
    bool refusedForMemory = false;       ///< that was its allocator
    bool operator==(const FitTrial&) const = default;
};

/// Where the limit of a proof comes from.
enum class FitLimit : std::uint8_t {
    Asked,   ///< given with the proof
    Device,  ///< the device's memory
    Free     ///< what was free of the device's memory: less than that, or than what was asked for
};
inline constexpr auto kFitLimitNames =
    enumNames<FitLimit>({{FitLimit::Asked, "asked"}, {FitLimit::Device, "device"}, {FitLimit::Free, "free"}});

/// The largest batch that was predicted to fit within a limit, and the next one, both tried under that limit.
struct FitProof {
    std::string created;  ///< ISO 8601, UTC
    RunConfig config;     ///< everything but the batch
    std::string machine;  ///< id of the device
    std::string device;   ///< its name
    std::optional<Bytes> deviceBytes;
    Bytes limitBytes = 0;  ///< beyond which the engine's allocator refused
    FitLimit limitOf = FitLimit::Device;
    FitTrial fits;
    FitTrial tooLarge;
    bool operator==(const FitProof&) const = default;
};

/// Whether the prediction was right about the limit, and where it was not.
enum class FitVerdict : std::uint8_t {
    Proven,          ///< the one ran with the predicted bytes, and the other was refused for memory
    LargestRefused,  ///< the one that must fit did not run
    PeakDiffers,     ///< it ran with other bytes than predicted
    NextRan,         ///< the one that must not fit ran
    NextFailed       ///< it did not run for another reason than memory
};
inline constexpr auto kFitVerdictNames =
    enumNames<FitVerdict>({{FitVerdict::Proven, "proven"},
                           {FitVerdict::LargestRefused, "largest_refused"},
                           {FitVerdict::PeakDiffers, "peak_differs"},
                           {FitVerdict::NextRan, "next_ran"},
                           {FitVerdict::NextFailed, "next_failed"}});
[[nodiscard]] FitVerdict verdictOf(const FitProof& proof);

/// The same in one sentence, with what differed. Begins with a capital and ends with a full stop.
[[nodiscard]] std::string verdictText(const FitProof& proof);
/// What was enforced, in one sentence.
[[nodiscard]] std::string limitText(const FitProof& proof);
/// "512: ran, 1 234 B measured, 1 234 B predicted" and so on of one of its trials.
[[nodiscard]] std::string trialText(const FitTrial& trial);

/// Whether `proof` is of this configuration, whatever its batch, on this device.
[[nodiscard]] bool isOf(const FitProof& proof, const RunConfig& config, std::string_view machine);

/// `config` with a batch as largestBatchThatFits() means it: as one micro-batch where it was one, else in
/// micro-batches of its own.
[[nodiscard]] RunConfig withFitBatch(RunConfig config, std::int64_t batch);
/// The next larger batch that could fit or not.
[[nodiscard]] std::int64_t nextFitBatch(const RunConfig& config, const BackendTraits& traits,
                                        std::int64_t batch);

}  // namespace plumb
