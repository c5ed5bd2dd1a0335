// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/calibrate.h"

#include "core/plan/step_plan.h"
#include "kernels/cpu/arena.h"
#include "kernels/cpu/cpu_backend.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/threads.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <memory>
#include <vector>

namespace plumb {

namespace {

/// Time spent on one measurement; the best of the repeats counts, since everything that disturbs slows down.
constexpr Seconds kSecondsPerMeasurement = 1.2;
constexpr int kFewestRepeats = 3;
constexpr std::array<std::int64_t, 4> kProductSizes{512, 1024, 1536, 2048};
constexpr std::array<Precision, 2> kPrecisions{Precision::Fp32, Precision::Bf16};
constexpr Bytes kLargestArray = Bytes{512} << 20;
constexpr int kTrafficPatterns = 3;
constexpr int kMeasurements =
    static_cast<int>(kProductSizes.size() * kPrecisions.size()) + kTrafficPatterns + 1;

using Clock = std::chrono::steady_clock;
Seconds since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// A whole plan resident at once, whose ops can be run in any order: what calibration needs of an executor.
class ResidentStep {
public:
    [[nodiscard]] static Result<std::unique_ptr<ResidentStep>> create(Backend& backend,
                                                                      const RunConfig& config) {
        auto step = std::make_unique<ResidentStep>(backend);
        PLUMB_TRY(step->m_plan, planStep(config, backend.traits()));
        PLUMB_CHECK(backend.prepare(step->m_plan));
        for (const Tensor& tensor : step->m_plan.tensors) {
            const bool scratch = tensor.role == TensorRole::CastA || tensor.role == TensorRole::CastB ||
                                 tensor.role == TensorRole::CastResult ||
                                 tensor.role == TensorRole::LibraryScratch;
            step->m_buffers.emplace_back();
            if (scratch) continue;
            PLUMB_TRY(step->m_buffers.back(), backend.allocate(tensor));
            PLUMB_CHECK(backend.fillZero(step->m_buffers.back()));
        }
        // Zeros run faster than real numbers on some machines (less power): weights are random, and so is
        // what is computed from them and from the batch.
        PLUMB_CHECK(backend.initialise(step->m_buffers, 1));
        return step;
    }
    explicit ResidentStep(Backend& backend) : m_backend(backend) {}
    ~ResidentStep() {
        for (const Buffer& buffer : m_buffers)
            if (buffer.data != nullptr) m_backend.release(buffer);
    }
    ResidentStep(const ResidentStep&) = delete;
    ResidentStep& operator=(const ResidentStep&) = delete;

    [[nodiscard]] const StepPlan& plan() const { return m_plan; }
    [[nodiscard]] Result<Seconds> time(std::size_t op) {
        OpCall call;
        call.opIndex = static_cast<std::int32_t>(op);
        call.tensors = m_buffers;
        PLUMB_TRY(const Seconds before, m_backend.clock());
        PLUMB_CHECK(m_backend.run(call));
        PLUMB_TRY(const Seconds after, m_backend.clock());
        return after - before;
    }

private:
    Backend& m_backend;
    StepPlan m_plan;
    std::vector<Buffer> m_buffers;
};

RunConfig squareConfig(std::int64_t size, Precision precision) {
    RunConfig config;
    config.dim = size;
    config.batch = size;
    config.layers = 2;  // the first layer has no input gradient
    config.precision = precision;
    config.optimizer = Optimizer::Sgd;
    return config;
}

/// Best FLOP/s of the layers' products at one size.
Result<double> productRate(Backend& backend, std::int64_t size, Precision precision,
                           const std::stop_token& stop) {
    PLUMB_TRY(auto step, ResidentStep::create(backend, squareConfig(size, precision)));
    const auto& ops = step->plan().ops;
    const auto isLayerProduct = [&](std::size_t op) { return ops[op].matmulFlops > 0 && !ops[op].isHead; };
    double best = 0;
    const auto begin = Clock::now();
    // All ops once, so that the products work on real numbers; then the products until the time is up.
    for (int repeat = 0; repeat == 0 || since(begin) < kSecondsPerMeasurement; ++repeat)
        for (std::size_t op = 0; op < ops.size(); ++op) {
            if (repeat > 0 && (!isLayerProduct(op) || since(begin) >= kSecondsPerMeasurement)) continue;
            if (stop.stop_requested()) return best;
            PLUMB_TRY(const Seconds seconds, step->time(op));
            if (isLayerProduct(op) && seconds > 0)
                best = std::max(best, static_cast<double>(ops[op].matmulFlops) / seconds);
        }
    return best;
}

/// Median seconds of the ops of a step with hardly any work in it.
Result<Seconds> overheadPerOp(Backend& backend) {
    constexpr int kRepeats = 200;
    RunConfig config;
    config.dim = 8;
    config.batch = 8;
    config.layers = 4;
    config.optimizer = Optimizer::Sgd;
    PLUMB_TRY(auto step, ResidentStep::create(backend, config));
    std::vector<Seconds> times;
    for (int repeat = 0; repeat < kRepeats; ++repeat)
        for (std::size_t op = 0; op < step->plan().ops.size(); ++op) {
            PLUMB_TRY(const Seconds seconds, step->time(op));
            if (repeat >= kRepeats / 4) times.push_back(seconds);
        }
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

/// Best bytes/s of one traffic pattern over two arrays: 0 reads one, 1 copies, 2 updates one by the other.
double trafficRate(int pattern, const float* in, float* inOut, std::int64_t count, int threads,
                   const std::stop_token& stop) {
    const cpu::Kernels& kernels = cpu::bestKernels();
    const std::array<double, kTrafficPatterns> bytesPerElement{4, 8, 12};
    double best = 0;
    volatile double sink = 0;  // keeps the reads
    const auto begin = Clock::now();
    for (int repeat = 0; repeat < kFewestRepeats || since(begin) < kSecondsPerMeasurement; ++repeat) {
        if (stop.stop_requested()) break;
        const auto start = Clock::now();
        cpu::parallelRanges(threads, count, 1024, cpu::kElementsPerThread,
                            [&](std::int64_t from, std::int64_t to) {
                                if (pattern == 0) {
                                    const double sum = kernels.sumOf(in + from, to - from);
                                    if (sum != 0) sink = sum;
                                } else if (pattern == 1) {
                                    kernels.copy(in + from, inOut + from, to - from);
                                } else {
                                    kernels.scaleAdd(in + from, 0.5F, inOut + from, to - from);
                                }
                            });
        const Seconds seconds = since(start);
        const double bytes = static_cast<double>(count) * bytesPerElement[static_cast<std::size_t>(pattern)];
        if (repeat > 0 && seconds > 0)
            best = std::max(best, bytes / seconds);  // the first one touches the pages
    }
    return best;
}

}  // namespace

// The token comes by value, as std::jthread hands it out.
// NOLINTBEGIN(performance-unnecessary-value-param)
Result<Machine> calibrateCpu(const std::function<void(std::string_view, int, int)>& progress,
                             std::stop_token stop) {
    // NOLINTEND(performance-unnecessary-value-param)
    int done = 0;
    const auto report = [&](const std::string& what) {
        if (progress) progress(what, done, kMeasurements);
        ++done;
    };
    const Error stopped{ErrorCode::RunFailed, "the calibration was stopped",
                        "start it again; nothing was changed"};
    PLUMB_TRY(auto backend, makeCpuBackend());
    Machine machine = localCpu();
    machine.peakFlopPerSecond.clear();

    for (const Precision precision : kPrecisions) {
        const Dtype dtype = precision == Precision::Bf16 ? Dtype::Bf16 : Dtype::Fp32;
        double best = 0;
        for (const std::int64_t size : kProductSizes) {
            report(fmt::format("{} products of size {}", dtypeName(dtype), size));
            PLUMB_TRY(const double rate, productRate(*backend, size, precision, stop));
            if (stop.stop_requested()) return stopped;
            best = std::max(best, rate);
        }
        machine.peakFlopPerSecond.emplace_back(dtype, best);
    }

    const Bytes memory = backend->machine().memoryBytes.value_or(Bytes{8} << 30);
    const Bytes arrayBytes = std::min(kLargestArray, memory / 8) / 4096 * 4096;
    PLUMB_TRY(auto arena, cpu::Arena::create(2 * arrayBytes + 4096));
    PLUMB_TRY(const Buffer in, arena->allocate(arrayBytes, Category::Workspace));
    PLUMB_TRY(const Buffer inOut, arena->allocate(arrayBytes, Category::Workspace));
    PLUMB_CHECK(backend->fillZero(in));
    PLUMB_CHECK(backend->fillZero(inOut));
    const std::array<std::string_view, kTrafficPatterns> names{"reading", "copying", "updating in place"};
    double bandwidth = 0;
    for (int pattern = 0; pattern < kTrafficPatterns; ++pattern) {
        report(fmt::format("memory bandwidth, {}", names[static_cast<std::size_t>(pattern)]));
        bandwidth = std::max(bandwidth, trafficRate(pattern, static_cast<const float*>(in.data),
                                                    static_cast<float*>(inOut.data), arrayBytes / 4,
                                                    cpu::usableCores(), stop));
        if (stop.stop_requested()) return stopped;
    }
    arena->release(inOut);
    arena->release(in);
    machine.bandwidthBytesPerSecond = bandwidth;

    report("time per operation");
    PLUMB_TRY(machine.perOpOverhead, overheadPerOp(*backend));
    machine.source = fmt::format("calibrated {:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
    if (progress) progress("done", kMeasurements, kMeasurements);
    return machine;
}

}  // namespace plumb
