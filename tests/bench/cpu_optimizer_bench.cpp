// SPDX-License-Identifier: Apache-2.0
// The optimizer's op in bytes per second (compulsory traffic, reads and writes), on all cores. `share` is
// that over the memory bandwidth by the convention of `plumbline-cli calibrate` (the best of reading, copying
// and updating in place, large arrays, plain stores), measured in turns with it, so that what else the
// machine does disturbs both. `smallest of n` times count, as there.
#include "core/engine/backend.h"
#include "core/machine/local_cpu.h"
#include "kernels/cpu/cpu_backend.h"
#include "kernels/cpu/kernels.h"
#include "kernels/cpu/parallel.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace plumb::cpu {
namespace {

using Clock = std::chrono::steady_clock;

/// All of a plan's tensors that the optimizer works on, resident.
class OptimizerOp {
public:
    explicit OptimizerOp(const RunConfig& config) {
        m_backend = std::move(makeCpuBackend().value());
        m_plan = planStep(config, m_backend->traits()).value();
        if (!m_backend->prepare(m_plan).has_value()) return;
        m_call.opIndex = static_cast<std::int32_t>(m_plan.ops.size()) - 1;
        for (const Tensor& tensor : m_plan.tensors) {
            m_buffers.emplace_back();
            const bool named = tensor.role == TensorRole::Gradient || tensor.role == TensorRole::Loss;
            if (!tensor.persistent() && !named) continue;
            m_buffers.back() = m_backend->allocate(tensor).value();
        }
        if (!m_backend->initialise(m_buffers, 1).has_value()) return;
        for (std::size_t id = 0; id < m_buffers.size(); ++id) {
            if (m_plan.tensors[id].role != TensorRole::Gradient) continue;
            // 1.0 and a little in fp32, bf16 and fp16 alike.
            std::memset(m_buffers[id].data, 0x3c, static_cast<std::size_t>(m_buffers[id].bytes));
        }
        m_call.tensors = m_buffers;
        m_call.optimizer.learningRate = 1e-6;
        m_ready = true;
    }
    ~OptimizerOp() {
        for (const Buffer& buffer : m_buffers)
            if (buffer.data != nullptr) m_backend->release(buffer);
    }
    OptimizerOp(const OptimizerOp&) = delete;
    OptimizerOp& operator=(const OptimizerOp&) = delete;

    /// Seconds; negative when it did not run.
    double run() {
        const auto begin = Clock::now();
        if (!m_ready || !m_backend->run(m_call).has_value()) return -1;
        ++m_call.optimizer.step;
        ++m_call.step;
        return std::chrono::duration<double>(Clock::now() - begin).count();
    }
    [[nodiscard]] double bytes() const { return static_cast<double>(m_plan.ops.back().bytes); }

private:
    std::unique_ptr<Backend> m_backend;
    StepPlan m_plan;
    std::vector<Buffer> m_buffers;
    OpCall m_call;
    bool m_ready = false;
};

/// Reading, copying, updating in place, in turn; keeps the best rate.
class Bandwidth {
public:
    explicit Bandwidth(std::int64_t bytes)
        : m_in(static_cast<std::size_t>(bytes / 4), 1.0F), m_out(m_in.size(), 1.0F) {}
    void measure() {
        constexpr std::array<double, 3> kBytes{4, 8, 12};
        const Kernels& kernels = bestKernels();
        const auto count = static_cast<std::int64_t>(m_in.size());
        for (std::size_t pattern = 0; pattern < kBytes.size(); ++pattern) {
            const auto begin = Clock::now();
            parallelRanges(
                usableCores(), count, 1024, kElementsPerThread, [&](std::int64_t from, std::int64_t to) {
                    if (pattern == 0)
                        benchmark::DoNotOptimize(kernels.sumOf(m_in.data() + from, to - from));
                    else if (pattern == 1)
                        kernels.copy(m_in.data() + from, m_out.data() + from, to - from);
                    else
                        kernels.scaleAdd(m_in.data() + from, 1e-9F, m_out.data() + from, to - from);
                });
            const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
            m_best = std::max(m_best, static_cast<double>(count) * kBytes[pattern] / seconds);
        }
    }
    [[nodiscard]] double best() const { return m_best; }

private:
    std::vector<float> m_in, m_out;
    double m_best = 0;
};

RunConfig configOf(Optimizer optimizer, std::int64_t dim) {
    return RunConfig{.dim = dim, .layers = 1, .batch = 1, .optimizer = optimizer};
}

void update(benchmark::State& state, const RunConfig& config) {
    constexpr std::int64_t kLarge = 2048;  // from here on memory is what counts
    OptimizerOp op(config);
    Bandwidth bandwidth(config.dim >= kLarge ? std::int64_t{256} << 20 : 4096);
    double best = 1e9;
    for (auto _ : state) {
        const double seconds = op.run();
        if (seconds < 0) {
            state.SkipWithError("the op did not run");
            return;
        }
        state.SetIterationTime(seconds);
        best = std::min(best, seconds);
        if (config.dim >= kLarge) bandwidth.measure();
    }
    state.counters["best_bytes_per_s"] = op.bytes() / best;
    if (config.dim >= kLarge) {
        state.counters["bandwidth"] = bandwidth.best();
        state.counters["share"] = op.bytes() / best / bandwidth.best();
    }
}

constexpr std::int64_t kSmall = 256;  // in the caches
constexpr std::int64_t kBig = 5792;   // 33.5 M parameters: 134 MB for each state

int registerAll() {
    const auto add = [](const std::string& name, const RunConfig& config) {
        benchmark::RegisterBenchmark(name.c_str(),
                                     [config](benchmark::State& state) { update(state, config); })
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
    };
    for (const std::int64_t dim : {kSmall, kBig}) {
        const std::string size = "/" + std::to_string(dim);
        for (const Optimizer optimizer :
             {Optimizer::Sgd, Optimizer::Momentum, Optimizer::Adagrad, Optimizer::RmsProp, Optimizer::Adam,
              Optimizer::AdamW, Optimizer::Lion, Optimizer::Adafactor})
            add(std::string(name(optimizer)) + size, configOf(optimizer, dim));
        RunConfig config = configOf(Optimizer::AdamW, dim);
        config.settings[Setting::Amsgrad] = 1;
        add("adamw/amsgrad" + size, config);
        config = configOf(Optimizer::RmsProp, dim);
        config.settings[Setting::Momentum] = 0.9;
        config.settings[Setting::Centered] = 1;
        add("rmsprop/momentum/centered" + size, config);
        for (const Optimizer optimizer : {Optimizer::Sgd, Optimizer::AdamW})
            for (const Precision precision : {Precision::Bf16, Precision::Fp16, Precision::Fp8})
                for (const bool master : {true, false}) {
                    config = configOf(optimizer, dim);
                    config.precision = precision;
                    config.masterWeights = master;
                    add(std::string(name(optimizer)) + "/" + std::string(name(precision)) +
                            (master ? "/master" : "/alone") + size,
                        config);
                }
    }
    return 0;
}
[[maybe_unused]] const int kRegistered = registerAll();

}  // namespace
}  // namespace plumb::cpu
