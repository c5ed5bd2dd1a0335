// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/cuda_backend.h"

#include "core/base/entry_at.h"
#include "core/engine/capabilities.h"
#include "core/plan/early_updates.h"
#include "kernels/common/tensor_memory.h"
#include "kernels/cuda/device_kernels.h"
#include "kernels/cuda/device_pool.h"
#include "kernels/cuda/gpu_telemetry.h"
#include "kernels/cuda/node_gap.h"
#include "kernels/cuda/op_launcher.h"
#include "kernels/cuda/product_log.h"
#include "kernels/cuda/speed_probe.h"
#include "kernels/cuda/staging_line.h"
#include "kernels/cuda/start_values.h"
#include "kernels/cuda/step_branches.h"
#include "kernels/cuda/step_graphs.h"
#include "kernels/cuda/step_matmuls.h"
#include "kernels/cuda/step_memory.h"
#include "kernels/cuda/step_ranges.h"
#include "kernels/cuda/time_marks.h"
#include "kernels/cupti/activity_collector.h"
#include "kernels/cupti/range_collector.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

namespace plumb::cuda {

namespace {

class CudaBackend final : public Backend,
                          public StepReplay,
                          public EventTimer,
                          public StagingCopies,
                          public SpeedProber,
                          public ProfilingTools,
                          public DeviceMemory,
                          public MemoryLimit,
                          public ProductRecords {
public:
    CudaBackend(Machine machine, BackendTraits traits, CudaBackendOptions options)
        : m_machine(std::move(machine)),
          m_traits(std::move(traits)),
          m_options(options),
          m_cache(AlgorithmCache::Owner{}) {}
    ~CudaBackend() override {
        if (m_time != nullptr) m_time->hold().end();
        if (m_stream) cudaStreamSynchronize(m_stream.get());
    }
    CudaBackend(const CudaBackend&) = delete;
    CudaBackend& operator=(const CudaBackend&) = delete;

    [[nodiscard]] Result<void> open(const GpuIdentity& gpu);

    const Machine& machine() const override { return m_machine; }
    BackendTraits traits() const override { return m_traits; }

    Result<void> prepare(const StepPlan& plan) override;
    Result<Buffer> allocate(const Tensor& tensor) override;
    void release(const Buffer& buffer) override;
    AllocationCount allocationCount() const override { return m_pool->count(); }
    void resetHighWater() override { m_pool->resetHighWater(); }
    Result<void> run(const OpCall& call) override;
    Result<void> initialise(std::span<const Buffer> tensors, std::uint64_t seed) override;
    Result<void> fillZero(const Buffer& buffer) override;
    Result<void> upload(const Buffer& target, std::span<const std::byte> source) override;
    Result<void> download(std::span<std::byte> target, const Buffer& source) override;
    Result<Seconds> clock() override { return m_time->clock(); }
    Result<void> synchronize() override;
    Capabilities capabilities() override {
        return {this, this, nullptr, this, this, this, this, m_telemetry.get(), this, this};
    }

    std::vector<MemoryShare> memoryShares() const override;
    Bytes limitMemory(Bytes bytes) override { return m_pool->setLimit(bytes); }
    LibraryProducts productsRun() const override { return m_log.products(); }
    Result<std::optional<SpeedProbe>> probeSpeed() override {
        return probeGpu(m_library.get(), m_multiprocessors, m_stream.get());
    }
    Result<int> mark() override { return m_time->mark(); }
    Result<Seconds> secondsBetween(int from, int to) override { return m_time->secondsBetween(from, to); }
    [[nodiscard]] Source timeSource() const override { return Source::Event; }
    void forgetMarks() override { m_time->forget(); }
    bool holdsWork() const override { return true; }
    Result<void> hold() override { return m_time->hold().begin(); }
    void endHold() override { m_time->hold().end(); }
    bool holdsLasted() const override { return m_time->hold().lasted(); }
    Result<void> stage(const Buffer& staging, std::int32_t half) override;
    Result<std::unique_ptr<CounterCollector>> openCounters(CounterDetail detail) override {
        PLUMB_CHECK(requirePlan());
        return cupti::openRangeCollector(*m_plan, detail);
    }
    Result<std::unique_ptr<ActivityCollector>> openActivity() override {
        PLUMB_CHECK(requirePlan());
        const bool isEarly = !earlyUpdates(*m_plan).empty();
        std::vector<cupti::OpBranch> branches;
        for (const Op& op : m_plan->ops)
            branches.push_back(!m_traits.sideBranch                          ? cupti::OpBranch::Main
                               : runsBeside(op.kind)                         ? cupti::OpBranch::Side
                               : isEarly && op.kind == OpKind::OptimizerStep ? cupti::OpBranch::SideButTheLast
                                                                             : cupti::OpBranch::Main);
        return cupti::openActivityCollector({}, total(m_pool->count().live), std::move(branches));
    }

    Result<Buffer> allocateArena(Bytes bytes) override;
    Result<void> beginCapture() override {
        m_branches->begin();
        return m_graphs->begin();
    }
    Result<int> endCapture() override;
    void cancelCapture() override {
        m_ranges.endStep();
        m_hasUpdated = false;
        m_graphs->cancel();
    }
    Result<void> replay(int capture) override;
    Result<void> endReplayedStep(std::int64_t step) override {
        m_ranges.startedStep(step);
        return m_graphs->endStep(step);
    }
    Result<std::optional<FinishedStep>> finishedStep(std::int64_t step, bool waits) override {
        return m_graphs->finished(step, waits);
    }
    std::int64_t mostStepsAhead() const override { return StepGraphs::kMostAhead; }
    Result<Seconds> gapBetweenNodes() override { return gapBetweenGraphNodes(); }

private:
    [[nodiscard]] Result<void> enqueue(const OpCall& call);
    [[nodiscard]] Result<void> launch(const OpCall& call, cudaStream_t stream, bool beside);
    [[nodiscard]] Result<void> tune(const StepPlan& plan);
    [[nodiscard]] Result<void> requirePlan() const;
    [[nodiscard]] Result<void> writeTable(std::span<const Buffer> tensors);

    Machine m_machine;
    BackendTraits m_traits;
    CudaBackendOptions m_options;
    Unique<cudaStream_t> m_stream;
    Unique<cublasLtHandle_t> m_library;
    int m_device = 0;  ///< in the runtime's order
    std::int64_t m_multiprocessors = 1;
    std::unique_ptr<DevicePool> m_pool;
    std::unique_ptr<StepGraphs> m_graphs;
    std::unique_ptr<StepBranches> m_branches;
    std::unique_ptr<TimeMarks> m_time;
    AlgorithmCache m_cache;
    std::string m_cachePath;
    std::unique_ptr<GpuTelemetry> m_telemetry;
    DeviceMemoryCounts m_memory;             ///< as it was when the device was opened
    std::unique_ptr<StagingLine> m_staging;  ///< null: the step has no staging tensor

    const StepPlan* m_plan = nullptr;
    StepRanges m_ranges;  ///< of the prepared step
    std::optional<StepMatmuls> m_matmuls;
    ProductLog m_log;                   ///< of m_matmuls
    std::vector<DeviceMatrix> m_table;  ///< as it was last written to the device
    bool m_scalesKnown = false;         ///< every fp8 tensor has a scale
    bool m_transposesKnown = false;     ///< transposed weights are those of the weights
    Buffer m_scales;                    ///< of the prepared step; no data: it has none
    bool m_hasTable = false;
    bool m_hasUpdated = false;  ///< the step that is captured has updated some matrices early
};

Result<void> CudaBackend::open(const GpuIdentity& gpu) {
    const std::optional<Bytes> freeBefore = freeDeviceMemory(gpu.uuid);
    m_telemetry = std::make_unique<GpuTelemetry>(gpu.uuid);
    m_device = gpu.index;
    PLUMB_CUDA(cudaSetDevice(m_device));
    m_multiprocessors = gpu.multiprocessors;
    PLUMB_TRY(m_stream, makeStream());
    std::size_t free = 0;
    std::size_t all = 0;
    PLUMB_CUDA(cudaMemGetInfo(&free, &all));
    m_memory.usedWithContext = static_cast<Bytes>(all - free);
    m_telemetry->knowSelf();
    if (freeBefore) m_memory.usedByOthers = std::max<Bytes>(static_cast<Bytes>(all) - *freeBefore, 0);
    cublasLtHandle_t handle = nullptr;
    PLUMB_CUBLAS(cublasLtCreate(&handle));
    m_library.reset(handle);
    const auto others = [telemetry = m_telemetry.get()]() -> std::optional<std::string> {
        const auto found = telemetry->otherProcesses();
        if (!found.has_value()) return std::nullopt;
        return sharingText(*found, {"uses", "use"});
    };
    PLUMB_TRY(m_pool, DevicePool::create(m_device, m_stream.get(), others));
    PLUMB_TRY(m_graphs, StepGraphs::create(m_stream.get()));
    PLUMB_TRY(m_branches, StepBranches::create(m_stream.get()));
    PLUMB_TRY(m_time, TimeMarks::create(m_stream.get()));
    int driver = 0;
    PLUMB_CUDA(cudaDriverGetVersion(&driver));
    const AlgorithmCache::Owner owner{m_machine.id, driver, static_cast<std::int64_t>(cublasLtGetVersion())};
    m_cache = AlgorithmCache(owner);
    if (!m_options.keepsChoices) return {};
    m_cachePath = algorithmCachePath(m_machine.id);
    // A file that cannot be read is made anew.
    auto kept = AlgorithmCache::load(owner, m_cachePath);
    if (kept.has_value()) m_cache = *std::move(kept);
    return {};
}

// ---- the step

Result<void> CudaBackend::prepare(const StepPlan& plan) {
    if (plan.traits != m_traits)
        return Error{ErrorCode::BadInput,
                     fmt::format("the step was planned for another backend (\"{}\") than this GPU's",
                                 plan.traits.backend),
                     "plan it with the traits of the backend that runs it"};
    PLUMB_CUDA(cudaSetDevice(m_device));
    m_time->hold().endEarly();
    PLUMB_CHECK(m_pool->trim());  // waits, and makes room for choosing algorithms
    m_plan = nullptr;
    m_ranges.endStep();
    m_log.begin(0);
    m_matmuls.reset();
    m_graphs->reset();
    m_hasTable = m_scalesKnown = m_transposesKnown = m_hasUpdated = false;
    m_scales = Buffer{};
    if (mostPartialBytes(plan.config, m_traits) > firstScratchBytes(plan.config, m_traits))
        return internalError("the step's scratch has no room for the partial sums of a kernel");
    if (std::max(headTickets(plan.config.dim), kHeadPassTickets) > headTicketWords(plan.config))
        return internalError("the step's control tensor has no room for the tickets of the head");
    const Bytes sideHead =
        plan.config.head && !fusesHead(plan.config, m_traits)
            ? headPartialBytes(plan.config.microBatchSize(), plan.config.dim, plan.config.outputs)
            : 0;
    if (!earlyUpdates(plan).empty() &&
        2 * std::max(earlySumsBytes(plan.config), sideHead) > m_traits.sharedScratchBytes)
        return internalError("the side branch has no room for the sums of early updates");
    PLUMB_CHECK(tune(plan));
    m_plan = &plan;
    return {};
}

Result<void> CudaBackend::tune(const StepPlan& plan) {
    // The step's own scratch is not there yet.
    const auto room = allocateDevice(m_traits.sharedScratchBytes);
    if (!room.has_value())
        return room.error().code == ErrorCode::OutOfMemory ? m_pool->noRoom(m_traits.sharedScratchBytes)
                                                           : room.error();
    const MatmulScratch scratch{(*room).get(), m_traits.sharedScratchBytes};
    PLUMB_TRY(StepMatmuls matmuls, StepMatmuls::create(m_library.get(), plan, scratch));
    if (m_options.tunes) {
        PLUMB_CHECK(matmuls.tune(m_cache, scratch, m_stream.get()));
        // The choices hold for this run whether or not they can be kept.
        if (m_cache.changed() && m_options.keepsChoices) static_cast<void>(m_cache.save(m_cachePath));
    }
    PLUMB_CHECK(synchronize());
    m_matmuls.emplace(std::move(matmuls));
    m_log.begin(plan.ops.size());
    return {};
}

Result<void> CudaBackend::requirePlan() const {
    if (m_plan != nullptr) return {};
    return internalError("no training step was prepared");
}

Result<Buffer> CudaBackend::allocate(const Tensor& tensor) {
    PLUMB_CHECK(requirePlan());
    const Bytes bytes = tensorBytes(m_plan->config, m_traits, tensor);
    PLUMB_TRY(Buffer buffer, m_pool->allocate(bytes, common::categoryOf(tensor.role)));
    if (tensor.role != TensorRole::Staging) return buffer;
    auto line = StagingLine::open(bytes);
    if (!line.has_value()) {
        m_pool->release(buffer);
        return line.error();
    }
    m_staging = std::move(*line);
    buffer.host = m_staging->host();
    return buffer;
}

void CudaBackend::release(const Buffer& buffer) {
    if (buffer.host != nullptr) m_staging.reset();
    m_pool->release(buffer);
}

Result<void> CudaBackend::writeTable(std::span<const Buffer> tensors) {
    std::vector<DeviceMatrix> table = matrixTable(*m_plan, tensors);
    const std::size_t bytes = table.size() * sizeof(DeviceMatrix);
    if (m_hasTable && std::memcmp(table.data(), m_table.data(), bytes) == 0) return {};
    if (m_graphs->capturing()) return internalError("the parameters moved since the step was run");
    const StepControlView control =
        stepControlView(m_plan->config, entryAt(tensors, m_plan->stepControl).data);
    // Pageable memory: copied aside before the call returns.
    PLUMB_CUDA(
        cudaMemcpyAsync(control.matrices, table.data(), bytes, cudaMemcpyHostToDevice, m_stream.get()));
    m_table = std::move(table);
    m_hasTable = true;
    return {};
}

Result<void> CudaBackend::run(const OpCall& call) {
    PLUMB_CHECK(requirePlan());
    if (call.opIndex < 0 || static_cast<std::size_t>(call.opIndex) >= m_plan->ops.size() ||
        call.tensors.size() != m_plan->tensors.size())
        return internalError(
            fmt::format("op {} of a step with {} ops was asked for", call.opIndex, m_plan->ops.size()));
    const Op& op = m_plan->op(call.opIndex);
    const bool transposes = call.opIndex == 0 && !m_transposesKnown && m_traits.transposesFp8 &&
                            m_plan->config.precision == Precision::Fp8;
    if (op.phase == Phase::Optimizer || transposes) PLUMB_CHECK(writeTable(call.tensors));
    const bool capturing = m_graphs->capturing();
    const bool staged = op.kind == OpKind::LoadBatch && m_staging && !capturing;
    {
        const StepRanges::Part range = m_ranges.op(*m_plan, call, capturing);
        PLUMB_CHECK(enqueue(call));
    }
    if (transposes) m_transposesKnown = true;
    m_ranges.finishedOp(*m_plan, call);
    if (staged) PLUMB_CHECK(m_staging->markRead(static_cast<std::size_t>(call.stagedHalf), m_stream.get()));
    if (op.kind == OpKind::OptimizerStep) m_scalesKnown = true;
    return {};
}

// Op by op the branches are one.
Result<void> CudaBackend::enqueue(const OpCall& call) {
    if (!m_graphs->capturing() || !m_traits.sideBranch) return launch(call, m_stream.get(), false);
    const Op& op = m_plan->op(call.opIndex);
    const bool isEarly = call.updatedLayer > 0;
    std::vector<MemoryUse> uses = isEarly ? memoryUsesOfUpdate(*m_plan, op, call.updatedLayer, call.tensors)
                                          : memoryUsesOf(op, call.tensors);
    if (!runsBeside(op.kind) && !isEarly) {
        PLUMB_CHECK(m_branches->enterMain(uses));
        PLUMB_CHECK(launch(call, m_stream.get(), false));
        if (op.kind == OpKind::OptimizerStep) m_hasUpdated = false;
        return {};
    }
    PLUMB_TRY(auto* const side, m_branches->enterSide());
    PLUMB_CHECK(launch(call, side, true));
    m_hasUpdated = m_hasUpdated || isEarly;
    return m_branches->leaveSide(std::move(uses));
}

Result<void> CudaBackend::launch(const OpCall& call, cudaStream_t stream, bool beside) {
    const StepContext context{m_plan, m_traits,         &*m_matmuls,       m_pool.get(),
                              stream, m_graphs->ring(), StepGraphs::kRing, &m_log,
                              beside, m_hasUpdated,     m_scalesKnown,     m_transposesKnown};
    PLUMB_TRY(const OpArguments given, OpArguments::of(context, call, m_graphs->capturing()));
    return OpLauncher(given).run();
}

Result<int> CudaBackend::endCapture() {
    const auto joined = m_branches->join();
    if (joined.has_value()) return m_graphs->end();
    cancelCapture();
    return joined.error();
}

Result<void> CudaBackend::stage(const Buffer& staging, std::int32_t half) {
    PLUMB_CHECK(requirePlan());
    return m_staging->copy(staging, static_cast<std::size_t>(half), m_stream.get());
}

Result<void> CudaBackend::replay(int capture) {
    {
        const StepRanges::Part range = m_ranges.graphLaunch();
        PLUMB_CHECK(m_graphs->replay(capture));
    }
    // The load is somewhere in there: the half is free when all of it is done.
    if (m_staging) PLUMB_CHECK(m_staging->markCopiedRead(m_stream.get()));
    return {};
}

std::vector<MemoryShare> CudaBackend::memoryShares() const {
    std::size_t free = 0;
    std::size_t all = 0;
    const auto usage = m_pool->usage();
    if (!usage.has_value() || cudaMemGetInfo(&free, &all) != cudaSuccess) return {};
    DeviceMemoryCounts counts = m_memory;
    counts.usedNow = static_cast<Bytes>(all - free);
    counts.tensors = total(m_pool->count().live);
    counts.poolUsed = usage->used;
    counts.poolReserved = usage->reserved;
    return plumb::memoryShares(counts);
}

// ---- values

Result<void> CudaBackend::fillZero(const Buffer& buffer) {
    PLUMB_CUDA(cudaMemsetAsync(buffer.data, 0, static_cast<std::size_t>(buffer.bytes), m_stream.get()));
    return {};
}

Result<void> CudaBackend::initialise(std::span<const Buffer> tensors, std::uint64_t seed) {
    PLUMB_CHECK(requirePlan());
    PLUMB_CHECK(writeStartValues(*m_plan, m_traits, tensors, seed, m_stream.get()));
    m_hasTable = m_scalesKnown = m_transposesKnown = false;
    if (m_plan->scales >= 0) m_scales = entryAt(tensors, m_plan->scales);
    return synchronize();
}

Result<void> CudaBackend::upload(const Buffer& target, std::span<const std::byte> source) {
    if (target.data == nullptr || target.bytes < static_cast<Bytes>(source.size()))
        return internalError(
            fmt::format("a buffer of {} bytes was used for {} bytes", target.bytes, source.size()));
    PLUMB_CUDA(
        cudaMemcpyAsync(target.data, source.data(), source.size(), cudaMemcpyHostToDevice, m_stream.get()));
    // Whoever uploads scales goes on where another run stopped.
    if (target.data == m_scales.data) m_scalesKnown = false;
    for (const DeviceMatrix& matrix : m_table)
        if (matrix.weight == target.data) m_transposesKnown = false;
    return synchronize();
}

Result<void> CudaBackend::download(std::span<std::byte> target, const Buffer& source) {
    if (source.data == nullptr || source.bytes < static_cast<Bytes>(target.size()))
        return internalError(
            fmt::format("a buffer of {} bytes was used for {} bytes", source.bytes, target.size()));
    PLUMB_CUDA(
        cudaMemcpyAsync(target.data(), source.data, target.size(), cudaMemcpyDeviceToHost, m_stream.get()));
    return synchronize();
}

Result<void> CudaBackend::synchronize() {
    m_time->hold().endEarly();
    PLUMB_CUDA(cudaStreamSynchronize(m_stream.get()));
    return {};
}

// ---- replayed steps

Result<Buffer> CudaBackend::allocateArena(Bytes bytes) {
    m_time->hold().endEarly();
    PLUMB_CHECK(m_pool->trim());
    return m_pool->allocate(bytes, Category::Workspace);
}

}  // namespace

Result<std::unique_ptr<Backend>> makeCudaBackend(Machine machine, const GpuIdentity& gpu,
                                                 const CudaBackendOptions& options) {
    PLUMB_CHECK(checkArchitecture(gpu));
    PLUMB_TRY(BackendTraits traits, cudaTraits(gpu.computeCapability));
    auto backend = std::make_unique<CudaBackend>(std::move(machine), std::move(traits), options);
    PLUMB_CHECK(backend->open(gpu));
    return std::unique_ptr<Backend>(std::move(backend));
}

}  // namespace plumb::cuda
