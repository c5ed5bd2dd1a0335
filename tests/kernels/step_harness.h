// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/backend.h"
#include "core/plan/step_passes.h"
#include "core/train/op_call.h"
#include "kernels/cpu/cpu_backend.h"
#include "tests/kernels/samples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

namespace plumb::test {

inline bool isScratch(const Tensor& tensor) {
    return tensor.role == TensorRole::CastA || tensor.role == TensorRole::CastB ||
           tensor.role == TensorRole::CastResult || tensor.role == TensorRole::LibraryScratch;
}

/// A plan with all of its tensors resident at once, so that every intermediate result can be looked at.
class StepHarness {
public:
    StepHarness(const RunConfig& config, const CpuBackendOptions& options) {
        auto made = makeCpuBackend(options);
        EXPECT_TRUE(made.has_value()) << made.error().text();
        backend = std::move(made).value();
        auto planned = planStep(config, backend->traits());
        EXPECT_TRUE(planned.has_value()) << planned.error().text();
        plan = std::move(planned).value();
        const auto prepared = backend->prepare(plan);
        EXPECT_TRUE(prepared.has_value()) << prepared.error().text();
        for (const Tensor& tensor : plan.tensors) {
            buffers.emplace_back();
            if (isScratch(tensor)) continue;
            auto buffer = backend->allocate(tensor);
            EXPECT_TRUE(buffer.has_value()) << buffer.error().text();
            buffers.back() = *buffer;
            // Only what an op writes may be read: NaN would show.
            std::memset(buffer->data, 0xFF, static_cast<std::size_t>(buffer->bytes));
        }
        EXPECT_TRUE(backend->initialise(buffers, config.seed).has_value());
    }
    ~StepHarness() {
        for (const Buffer& buffer : buffers)
            if (buffer.data != nullptr) backend->release(buffer);
        EXPECT_EQ(total(backend->allocationCount().live), 0);
    }
    StepHarness(const StepHarness&) = delete;
    StepHarness& operator=(const StepHarness&) = delete;

    [[nodiscard]] OpCall callFor(std::int32_t op, std::int64_t microBatch = 0) const {
        OpCall call;
        call.opIndex = op;
        call.tensors = buffers;
        call.optimizer = {learningRateAt(plan.config, step), step + 1};
        call.step = step;
        call.microBatch = microBatch;
        call.firstSample = firstSampleOf(plan, microBatch);
        call.writesStatistics = writesStatistics;
        return call;
    }
    [[nodiscard]] Result<void> runOp(std::int32_t op, std::int64_t microBatch = 0) {
        return backend->run(callFor(op, microBatch));
    }
    void run(const StepPass& pass) {
        for (std::int32_t op = pass.begin; op < pass.end; ++op) {
            const auto ran = runOp(op, pass.microBatch);
            ASSERT_TRUE(ran.has_value()) << ran.error().text();
        }
    }
    /// All but the optimizer.
    void runPasses() {
        const std::vector<StepPass> passes = passesOf(plan);
        std::for_each(passes.begin(), passes.end() - 1, [this](const StepPass& pass) { run(pass); });
    }
    double runStep() {
        runPasses();
        const double value = loss();
        run(passesOf(plan).back());
        ++step;
        return value;
    }

    /// The last tensor of this role and layer: that of the last pass.
    [[nodiscard]] std::size_t find(TensorRole role, std::int32_t layer) const {
        for (std::size_t id = plan.tensors.size(); id-- > 0;)
            if (plan.tensors[id].role == role && plan.tensors[id].layer == layer) return id;
        ADD_FAILURE() << "no tensor of role " << static_cast<int>(role) << " layer " << layer;
        return 0;
    }
    [[nodiscard]] std::size_t find(TensorRole role) const {
        for (std::size_t id = plan.tensors.size(); id-- > 0;)
            if (plan.tensors[id].role == role) return id;
        ADD_FAILURE() << "no tensor of role " << static_cast<int>(role);
        return 0;
    }
    /// The numbers of a tensor: decoded, and with fp8 divided by its scale.
    [[nodiscard]] std::vector<double> values(std::size_t id) const {
        const Tensor& tensor = plan.tensors[id];
        double scale = 1;
        if (dtypeSize(tensor.dtype) == 1)
            scale = static_cast<double>(data<float>(
                plan.scales)[statisticsSlot(plan.config, tensor.role, tensor.layer) * (1 + kAmaxHistory)]);
        std::vector<double> result;
        for (std::int64_t i = 0; i < tensor.elements(); ++i) result.push_back(element(id, i) / scale);
        return result;
    }
    [[nodiscard]] double element(std::size_t id, std::int64_t i) const {
        void* const at = buffers[id].data;
        switch (plan.tensors[id].dtype) {
        case Dtype::Fp64:
            return static_cast<double*>(at)[i];
        case Dtype::Fp32:
        case Dtype::Tf32:
            return static_cast<double>(static_cast<float*>(at)[i]);
        case Dtype::Bf16:
            return static_cast<double>(floatFromBf16(static_cast<std::uint16_t*>(at)[i]));
        case Dtype::Fp16:
            return static_cast<double>(floatFromFp16(static_cast<std::uint16_t*>(at)[i]));
        case Dtype::Fp8E4M3:
            return static_cast<double>(floatFromFp8E4M3(static_cast<std::uint8_t*>(at)[i]));
        case Dtype::Fp8E5M2:
            return static_cast<double>(floatFromFp8E5M2(static_cast<std::uint8_t*>(at)[i]));
        case Dtype::Fp4E2M1:  // no step stores it
            break;
        }
        return 0;
    }
    /// A tensor as it lies in memory.
    [[nodiscard]] std::vector<std::byte> bytes(std::size_t id) const {
        const auto* from = static_cast<const std::byte*>(buffers[id].data);
        return {from, from + plan.tensors[id].bytes()};
    }
    template <class T>
    [[nodiscard]] T* data(TensorId id) const {
        return static_cast<T*>(buffers[static_cast<std::size_t>(id)].data);
    }
    [[nodiscard]] double loss() const { return *static_cast<double*>(buffers[find(TensorRole::Loss)].data); }

    std::unique_ptr<Backend> backend;
    StepPlan plan;
    std::vector<Buffer> buffers;
    std::int64_t step = 0;
    bool writesStatistics = false;
};

/// The model in double precision: loss of one batch, and its gradients by the chain rule.
struct ReferenceModel {
    std::int64_t dim, layers, outputs;
    bool relu;
    std::vector<std::vector<double>> weights;  ///< layers matrices of D x D, then the head's
    bool head = true;

    [[nodiscard]] static std::vector<double> multiply(const std::vector<double>& a,
                                                      const std::vector<double>& b, std::int64_t rows,
                                                      std::int64_t inner, std::int64_t columns) {
        std::vector<double> c(static_cast<std::size_t>(rows * columns));
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t k = 0; k < inner; ++k)
                for (std::int64_t j = 0; j < columns; ++j)
                    c[static_cast<std::size_t>(r * columns + j)] +=
                        a[static_cast<std::size_t>(r * inner + k)] *
                        b[static_cast<std::size_t>(k * columns + j)];
        return c;
    }
    [[nodiscard]] double loss(const std::vector<double>& x, const std::vector<double>& t) const {
        const auto rows = static_cast<std::int64_t>(x.size()) / dim;
        std::vector<double> h = x;
        for (std::int64_t layer = 0; layer < layers; ++layer) {
            h = multiply(h, weights[static_cast<std::size_t>(layer)], rows, dim, dim);
            if (relu)
                for (double& value : h) value = std::max(value, 0.0);
        }
        const auto y = head ? multiply(h, weights.back(), rows, dim, outputs) : h;
        double sum = 0;
        for (std::size_t i = 0; i < y.size(); ++i) sum += (y[i] - t[i]) * (y[i] - t[i]);
        return sum / static_cast<double>(y.size());
    }
};

}  // namespace plumb::test
