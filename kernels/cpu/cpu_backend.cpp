// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/cpu_backend.h"

#include "core/engine/capabilities.h"
#include "core/machine/calibration_file.h"
#include "core/machine/local_cpu.h"
#include "kernels/common/tensor_memory.h"
#include "kernels/cpu/arena.h"
#include "kernels/cpu/batch_loader.h"
#include "kernels/cpu/gemm.h"
#include "kernels/cpu/initialise.h"
#include "kernels/cpu/op_runner.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/prepared_step.h"
#include "kernels/cpu/speed_probe.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <unistd.h>

namespace plumb {

namespace cpu {

namespace {

constexpr int kMostThreads = 1024;

class CpuBackend final : public Backend, public HostCores, public SpeedProber, public MemoryLimit {
public:
    CpuBackend(Machine machine, std::unique_ptr<Arena> arena, const Kernels& kernels, int threads)
        : m_machine(std::move(machine)), m_arena(std::move(arena)), m_kernels(kernels), m_threads(threads) {}

    const Machine& machine() const override { return m_machine; }
    BackendTraits traits() const override { return localCpuTraits(); }

    Result<void> prepare(const StepPlan& plan) override {
        useThreads();
        m_step = {};
        m_loader.reset();
        PLUMB_TRY(m_step, prepareStep(plan, m_threads));
        m_loader.emplace(plan.config, m_kernels, m_threads);
        return {};
    }

    Result<Buffer> allocate(const Tensor& tensor) override {
        PLUMB_CHECK(requirePlan());
        PLUMB_TRY(const Bytes bytes, tensorBytes(m_step.plan->config, tensor));
        return m_arena->allocate(bytes, common::categoryOf(tensor.role));
    }
    void release(const Buffer& buffer) override { m_arena->release(buffer); }
    AllocationCount allocationCount() const override { return m_arena->count(); }
    void resetHighWater() override { m_arena->resetHighWater(); }

    Result<void> run(const OpCall& call) override {
        PLUMB_CHECK(requirePlan());
        if (call.opIndex < 0 || static_cast<std::size_t>(call.opIndex) >= m_step.ops.size())
            return internalError(
                fmt::format("op {} of a step with {} ops was asked for", call.opIndex, m_step.ops.size()));
        useThreads();
        return OpRunner{m_step, m_kernels, *m_arena, *m_loader, m_threads}.run(call);
    }

    Result<void> initialise(std::span<const Buffer> tensors, std::uint64_t seed) override {
        PLUMB_CHECK(requirePlan());
        useThreads();
        PLUMB_CHECK(initialiseTensors(*m_step.plan, tensors, m_kernels, m_threads, seed));
        if (m_step.plan->residentFeatures >= 0) loadResidentBatch(tensors);
        return {};
    }

    Result<void> fillZero(const Buffer& buffer) override {
        useThreads();
        auto* data = static_cast<std::byte*>(buffer.data);
        parallelRanges(m_threads, buffer.bytes, 4096, kElementsPerThread * 4,
                       [&](std::int64_t begin, std::int64_t end) {
                           std::memset(data + begin, 0, static_cast<std::size_t>(end - begin));
                       });
        return {};
    }

    Result<void> upload(const Buffer& target, std::span<const std::byte> source) override {
        PLUMB_CHECK(requireBytes(target, static_cast<Bytes>(source.size())));
        std::memcpy(target.data, source.data(), source.size());
        return {};
    }
    Result<void> download(std::span<std::byte> target, const Buffer& source) override {
        PLUMB_CHECK(requireBytes(source, static_cast<Bytes>(target.size())));
        // Training stands still while its checkpoint is copied: one thread alone does not fill the bandwidth
        // of a machine with many.
        const auto* const from = static_cast<const std::byte*>(source.data);
        parallelRanges(m_threads, static_cast<std::int64_t>(target.size()), 4096, kElementsPerThread * 64,
                       [&](std::int64_t begin, std::int64_t end) {
                           std::memcpy(target.data() + begin, from + begin,
                                       static_cast<std::size_t>(end - begin));
                       });
        return {};
    }

    Result<Seconds> clock() override {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    }
    Result<void> synchronize() override { return {}; }
    Capabilities capabilities() override {
        Capabilities can;
        can.hostCores = this;
        can.prober = this;
        can.memoryLimit = this;
        return can;
    }

    void onHostCores(std::int64_t count, std::int64_t cost,
                     const std::function<void(std::int64_t, std::int64_t)>& work) override {
        useThreads();
        constexpr std::int64_t kWorthWaking = 2 * kElementsPerThread;  // copying one takes less than the rest
        parallelRanges(m_threads, count, 1, std::max<std::int64_t>(kWorthWaking / cost, 1), work);
    }
    int threads() const override { return m_threads; }
    Bytes limitMemory(Bytes bytes) override { return m_arena->setLimit(bytes); }
    Result<std::optional<SpeedProbe>> probeSpeed() override {
        useThreads();
        if (!m_probe) {
            PLUMB_TRY(m_probe, SpeedProbeWork::create(m_kernels, m_threads));
        }
        PLUMB_TRY(const SpeedProbe found, m_probe->run());
        return std::optional(found);
    }

private:
    /// The thread count is a property of the calling thread in OpenMP, and oneDNN asks for it at each call.
    void useThreads() const {
        if (omp_get_max_threads() != m_threads) omp_set_num_threads(m_threads);
    }
    Result<void> requirePlan() const {
        if (m_step.plan != nullptr) return {};
        return internalError("no training step was prepared");
    }
    // With statistics, which no step writes again, and in fp8 with the scale of its own.
    void loadResidentBatch(std::span<const Buffer> tensors) const {
        const StepPlan& plan = *m_step.plan;
        OpCall call;
        call.tensors = tensors;
        call.writesStatistics = true;
        TensorWriter writer(plan, call, m_kernels, m_threads);
        m_loader->load({.x = entryAt(tensors, plan.residentFeatures).data,
                        .t = static_cast<float*>(entryAt(tensors, plan.residentTargets).data)},
                       writer);
    }
    static Result<void> requireBytes(const Buffer& buffer, Bytes bytes) {
        if (buffer.data != nullptr && buffer.bytes >= bytes) return {};
        return internalError(fmt::format("a buffer of {} bytes was used for {} bytes", buffer.bytes, bytes));
    }

    Machine m_machine;
    std::unique_ptr<Arena> m_arena;
    const Kernels& m_kernels;
    int m_threads;
    PreparedStep m_step;
    std::optional<BatchLoader> m_loader;
    std::unique_ptr<SpeedProbeWork> m_probe;  ///< from the first probe on
};

/// What the system can page in, when the machine's description does not say.
Bytes physicalMemory() {
    return static_cast<Bytes>(sysconf(_SC_PHYS_PAGES)) * static_cast<Bytes>(sysconf(_SC_PAGESIZE));
}

}  // namespace

}  // namespace cpu

BackendTraits localCpuTraits() {
    BackendTraits traits = cpuTraits();
    traits.multipliesBf16 = cpu::bf16GemmKernels() != nullptr;
    return traits;
}

int threadsOfRank(int ranks) { return ranks > 1 ? std::max(1, usableCores() / ranks) : 0; }

Result<std::unique_ptr<Backend>> makeCpuBackend(int threads) {
    CpuBackendOptions options;
    options.threads = threads;
    return makeCpuBackend(options);
}

Result<std::unique_ptr<Backend>> makeCpuBackend(const CpuBackendOptions& options) {
    if (options.threads < 0 || options.threads > cpu::kMostThreads)
        return Error{ErrorCode::BadInput, fmt::format("{} threads cannot be used", options.threads),
                     fmt::format("give 1 to {}, or 0 for one per core", cpu::kMostThreads)};
    const cpu::Kernels* kernels =
        options.instructionSet ? cpu::kernelsFor(*options.instructionSet) : &cpu::bestKernels();
    if (kernels == nullptr)
        return Error{ErrorCode::Unavailable, "this processor lacks the instruction set asked for",
                     "leave the choice to the program"};
    Machine machine = localCpuCalibrated();
    if (options.memoryLimit) machine.memoryBytes = options.memoryLimit;
    PLUMB_TRY(auto arena, cpu::Arena::create(machine.memoryBytes.value_or(cpu::physicalMemory())));
    const int threads = options.threads > 0 ? options.threads : usableCores();
    return std::unique_ptr<Backend>(
        std::make_unique<cpu::CpuBackend>(std::move(machine), std::move(arena), *kernels, threads));
}

}  // namespace plumb
