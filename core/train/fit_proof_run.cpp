// SPDX-License-Identifier: Apache-2.0
#include "core/train/fit_proof_run.h"

#include "core/base/utc_time.h"
#include "core/engine/capabilities.h"
#include "core/engine/op_listener.h"
#include "core/machine/local_cpu.h"
#include "core/measure/memory_shares.h"
#include "core/measure/reading.h"
#include "core/train/executor.h"
#include "core/train/trainer.h"
#include "core/train/training_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace plumb {

namespace {

/// Of what is free now. Of a machine: the holes between tensors and what others begin meanwhile want some,
/// and one without memory ends programs. Of a device with memory of its own: its pool rounds up.
constexpr std::int64_t kFreeOfHostPercent = 80;
constexpr std::int64_t kFreeOfDevicePercent = 95;

/// What the allocator is held to while this lives.
class HeldMemory {
public:
    HeldMemory(MemoryLimit& memory, Bytes bytes) : m_memory(memory), m_before(memory.limitMemory(bytes)) {}
    ~HeldMemory() { m_memory.limitMemory(m_before); }
    HeldMemory(const HeldMemory&) = delete;
    HeldMemory& operator=(const HeldMemory&) = delete;

private:
    MemoryLimit& m_memory;
    Bytes m_before;
};

class ProgressListener final : public OpListener {
public:
    ProgressListener(const FitProofOptions& options, std::int64_t before, std::int64_t ops)
        : m_options(options), m_before(before), m_ops(ops) {}
    Result<void> beginStep(std::int64_t /*step*/) override { return {}; }
    Result<void> beginOp(std::int32_t index) override {
        // Of several micro-batches the ops come again.
        m_done = std::max(m_done, std::int64_t{index} + 1);
        if (m_options.progress) m_options.progress(m_before + m_done, 2 * m_ops);
        return {};
    }
    Result<void> endOp() override { return {}; }
    Result<void> endStep() override { return {}; }

private:
    const FitProofOptions& m_options;
    std::int64_t m_before, m_ops, m_done = 0;
};

Error stopped() { return {ErrorCode::RunFailed, "the proof was stopped", "nothing of it is kept"}; }

/// One step; its peak. Errors: whatever refused it.
Result<Bytes> peakOfStep(const RunConfig& config, Backend& backend, const FitProofOptions& options,
                         bool isSecond) {
    TrainOptions training;
    training.stop = options.stop;
    training.timeline = false;
    training.checksFit = false;
    PLUMB_TRY(TrainingParts parts, openTraining(config, backend, training));
    const auto ops = static_cast<std::int64_t>(parts.plan->ops.size());
    ProgressListener listener(options, isSecond ? ops : 0, ops);
    Executor& executor = *parts.executor;
    executor.setListener(&listener);
    executor.timing().setMeasuring(true);
    const Result<StepMetrics> step = executor.runStep();
    executor.setListener(nullptr);
    if (!step.has_value()) return step.error();
    const Reading reading = executor.timing().reading(backend.machine());
    if (!reading.memory) return internalError("the step has no memory curve");
    return reading.memory->peakBytes;
}

Result<FitTrial> tried(const RunConfig& config, Backend& backend, const FitProofOptions& options,
                       bool isSecond) {
    FitTrial trial;
    trial.batch = config.batch;
    if (const Result<StepPlan> plan = planStep(config, backend.traits()); plan.has_value())
        trial.predictedBytes = summariseCurve(memoryCurve(*plan)).peakBytes;
    const Result<Bytes> peak = peakOfStep(config, backend, options, isSecond);
    if (options.stop.stop_requested()) return stopped();
    if (peak.has_value()) {
        trial.measuredBytes = *peak;
        return trial;
    }
    if (peak.error().code == ErrorCode::DeviceLost) return peak.error();
    trial.refusal = peak.error().text();
    trial.refusedForMemory = peak.error().code == ErrorCode::OutOfMemory;
    return trial;
}

/// Takes over what bounds the allocator.
Result<void> setLimit(FitProof& proof, const FitProofOptions& options) {
    if (options.limitBytes) {
        proof.limitBytes = *options.limitBytes;
        proof.limitOf = FitLimit::Asked;
    } else if (proof.deviceBytes) {
        proof.limitBytes = *proof.deviceBytes;
    } else {
        return Error{ErrorCode::Unavailable, "how much memory this device has is not known",
                     "give a limit of your own"};
    }
    if (proof.deviceBytes && proof.limitBytes > *proof.deviceBytes) {
        proof.limitBytes = *proof.deviceBytes;
        proof.limitOf = FitLimit::Device;
    }
    if (!options.freeBytes) return {};
    if (*options.freeBytes < proof.limitBytes) {
        proof.limitBytes = *options.freeBytes;
        proof.limitOf = FitLimit::Free;
    }
    return {};
}

/// Errors: BadInput where there is nothing to prove.
Result<void> setBatches(FitProof& proof, const BackendTraits& traits) {
    const std::int64_t most = largestBatchThatFits(proof.config, traits, proof.limitBytes);
    if (most == 0)
        return badInput(fmt::format("not even the smallest batch fits in {}", bytesText(proof.limitBytes)),
                        "make dim or layers smaller, or give more memory");
    const std::int64_t next = nextFitBatch(proof.config, traits, most);
    const Result<void> valid = validate(withFitBatch(proof.config, next));
    if (!valid.has_value())
        return badInput(
            fmt::format("memory does not limit the batch: {} is the largest there is, and fits", most),
            "give less memory, or one micro-batch as large as the batch");
    proof.fits.batch = most;
    proof.tooLarge.batch = next;
    return {};
}

}  // namespace

std::optional<Bytes> safelyFreeBytes(Backend& backend) {
    const Capabilities can = backend.capabilities();
    if (can.hostCores != nullptr) {
        const std::optional<Bytes> available = availableMemory("/");
        return available ? std::optional(*available / 100 * kFreeOfHostPercent) : std::nullopt;
    }
    if (can.memory == nullptr || !backend.machine().memoryBytes) return std::nullopt;
    const std::vector<MemoryShare> shares = can.memory->memoryShares();
    if (shares.empty()) return std::nullopt;
    Bytes left = *backend.machine().memoryBytes;
    for (const MemoryShare& share : shares) left -= share.bytes;
    return std::max<Bytes>(left, 0) / 100 * kFreeOfDevicePercent;
}

Result<FitProof> proveFit(const RunConfig& config, Backend& backend, const FitProofOptions& options) {
    PLUMB_CHECK(validate(config));
    if (config.parallel.ranks() > 1)
        return badInput(
            fmt::format("a proof runs one rank, and the step is that of {}", config.parallel.ranks()),
            config.parallel.tensor == 1 ? "use data-parallel 1" : "use data-parallel 1 and tensor 1");
    MemoryLimit* const memory = backend.capabilities().memoryLimit;
    if (memory == nullptr)
        return Error{ErrorCode::Unavailable, "the memory of this backend cannot be limited",
                     "prove it on another device"};
    FitProof proof;
    proof.created = nowInUtc();
    proof.config = config;
    proof.machine = backend.machine().id;
    proof.device = backend.machine().name;
    proof.deviceBytes = backend.machine().memoryBytes;
    PLUMB_CHECK(setLimit(proof, options));
    PLUMB_CHECK(setBatches(proof, backend.traits()));
    const HeldMemory held(*memory, proof.limitBytes);
    PLUMB_TRY(proof.fits, tried(withFitBatch(config, proof.fits.batch), backend, options, false));
    PLUMB_TRY(proof.tooLarge, tried(withFitBatch(config, proof.tooLarge.batch), backend, options, true));
    return proof;
}

}  // namespace plumb
