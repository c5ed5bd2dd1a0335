// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/entry_at.h"
#include "core/base/result.h"
#include "core/machine/machine.h"
#include "core/plan/step_plan.h"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace plumb {

/// Memory that a backend handed out. `data` is the backend's own address (a device pointer on a GPU).
struct Buffer {
    void* data = nullptr;
    Bytes bytes = 0;
    Category category = Category::Workspace;
    void* host = nullptr;  ///< where the host writes to Staging, when that is not `data`
};

/// What the optimizer needs to know about this step besides the plan's configuration and the tensors.
struct OptimizerScalars {
    double learningRate = 0;  ///< rate in force in this step
    std::int64_t step = 1;    ///< 1-based, for bias correction; fp16 counts its good steps in LossScale
};

/// One execution of one op of the prepared plan.
struct OpCall {
    std::int32_t opIndex = 0;
    std::span<const Buffer> tensors;  ///< by TensorId; entries that are not resident have data == nullptr
    OptimizerScalars optimizer;
    std::int64_t step = 0;          ///< 0-based training step
    std::int64_t microBatch = 0;    ///< 0-based within the step of the rank ...
    std::int64_t firstSample = 0;   ///< ... and where it begins in the batch, which all ranks share
    bool writesStatistics = false;  ///< also write sums of squares and amaxes to Statistics
    /// OptimizerStep, while a step is captured: of the matrix of this layer alone, ahead of the others
    /// (earlyUpdates()); 0: of all that are left.
    std::int32_t updatedLayer = 0;
    std::int32_t stagedHalf = 0;  ///< data from a file: the half of Staging that holds this micro-batch

    [[nodiscard]] const Buffer& buffer(TensorId id) const { return entryAt(tensors, id); }
};

/// Bytes that the backend has handed out, counted where they are handed out, never computed from the plan.
struct AllocationCount {
    CategoryBytes live{};
    CategoryBytes highWater{};  ///< since resetHighWater()
};

class StepReplay;
class EventTimer;
class HostCores;
class StagingCopies;
class SpeedProber;
class ProfilingTools;
class DeviceMemory;
class MemoryLimit;
class DeviceTelemetry;
class ProductRecords;

/// What a backend can do besides running ops (capabilities.h); null: it cannot. All live as long as the
/// backend.
struct Capabilities {
    StepReplay* replay = nullptr;              ///< not null where traits().replaysSteps
    EventTimer* timer = nullptr;               ///< without: the clock is read, which waits
    HostCores* hostCores = nullptr;            ///< the host's own cores run the steps
    StagingCopies* staging = nullptr;          ///< without: ops read what the host wrote
    SpeedProber* prober = nullptr;             ///< without: results are not related to the calibration
    ProfilingTools* profiling = nullptr;       ///< without: no counters, no records of the device's own
    DeviceMemory* memory = nullptr;            ///< without: what others use is not known
    DeviceTelemetry* telemetry = nullptr;      ///< without: no clocks, power and temperature
    const ProductRecords* products = nullptr;  ///< without: products are the backend's own
    MemoryLimit* memoryLimit = nullptr;        ///< without: it gives out all that the device has
};

/// One device that can run the operations of a StepPlan; it holds no training policy and knows no lifetimes.
/// Called from one thread. Work starts in call order and is complete after synchronize().
class Backend {
public:
    virtual ~Backend() = default;
    [[nodiscard]] virtual const Machine& machine() const = 0;
    [[nodiscard]] virtual BackendTraits traits() const = 0;

    /// Chooses and builds what `plan`'s ops need (library primitives); counted memory does not change.
    /// `plan` must outlive its use. Errors: BadInput for what this backend cannot run.
    [[nodiscard]] virtual Result<void> prepare(const StepPlan& plan) = 0;

    /// Room for a tensor of the prepared plan. The size is the backend's own: elements times the size of an
    /// element as it will address them, from the shape in the plan's config, not Tensor::bytes(). Staging is
    /// memory that the host writes, from another thread.
    /// Errors: OutOfMemory with need and free.
    [[nodiscard]] virtual Result<Buffer> allocate(const Tensor& tensor) = 0;
    virtual void release(const Buffer& buffer) = 0;
    [[nodiscard]] virtual AllocationCount allocationCount() const = 0;
    virtual void resetHighWater() = 0;
    /// Runs one op. Scratch is allocated and released inside, through the same counter. Checks that every
    /// tensor it touches is resident and large enough. Errors: Internal naming op and tensor otherwise.
    [[nodiscard]] virtual Result<void> run(const OpCall& call) = 0;

    /// Gives all persistent tensors of the prepared plan their first values: weights and masters from the
    /// configuration's initialisation and `seed` (the same numbers on every backend), states, loss scale,
    /// fp8 scales, the batch that stays where one does, and zero for the rest. `tensors` is by TensorId.
    [[nodiscard]] virtual Result<void> initialise(std::span<const Buffer> tensors, std::uint64_t seed) = 0;
    /// Buffer and bytes of the host are of one size. Errors, also those of initialise() and clock(): the
    /// device's.
    [[nodiscard]] virtual Result<void> fillZero(const Buffer& buffer) = 0;
    [[nodiscard]] virtual Result<void> upload(const Buffer& target, std::span<const std::byte> source) = 0;
    [[nodiscard]] virtual Result<void> download(std::span<std::byte> target, const Buffer& source) = 0;
    /// Seconds on the backend's own clock; differences time ops. Includes waiting for the work before it.
    [[nodiscard]] virtual Result<Seconds> clock() = 0;
    /// Waits for all work. Errors: those of the work.
    [[nodiscard]] virtual Result<void> synchronize() = 0;

    /// What it can do besides; nothing of it is needed to train.
    [[nodiscard]] virtual Capabilities capabilities() { return {}; }
};

/// Memory of a backend that is given back with this object.
class OwnedBuffer {
public:
    OwnedBuffer() = default;
    OwnedBuffer(Backend& backend, const Buffer& buffer) : m_backend(&backend), m_buffer(buffer) {}
    OwnedBuffer(OwnedBuffer&& other) noexcept
        : m_backend(std::exchange(other.m_backend, nullptr)), m_buffer(std::exchange(other.m_buffer, {})) {}
    OwnedBuffer& operator=(OwnedBuffer&& other) noexcept {
        std::swap(m_backend, other.m_backend);
        std::swap(m_buffer, other.m_buffer);
        return *this;
    }
    ~OwnedBuffer() {
        if (m_buffer.data != nullptr) m_backend->release(m_buffer);
    }
    [[nodiscard]] const Buffer& view() const { return m_buffer; }

private:
    Backend* m_backend = nullptr;
    Buffer m_buffer;
};

}  // namespace plumb
