// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/op_runner.h"

#include "kernels/cpu/parallel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace plumb::cpu {

namespace {

constexpr std::int64_t kCacheLine = 64;  // elements; a multiple of a line for every type

bool appliesRelu(const PreparedOp& op) {
    return op.op->kind != OpKind::InputGradient && op.op->fusedActivation;
}

bool isBf16(const PreparedStep& step) { return step.plan->config.precision == Precision::Bf16; }

}  // namespace

/// The op's scratch, allocated on construction and released in reverse.
struct OpRunner::Scratch {
    explicit Scratch(Arena& from) : arena(from) {}
    ~Scratch() {
        for (std::size_t i = buffers.size(); i-- > 0;)
            if (buffers[i].data != nullptr) arena.release(buffers[i]);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    [[nodiscard]] Result<void> allocate(const ScratchBytes& bytes) {
        const std::array<Bytes, 4> sizes{bytes.castA, bytes.castB, bytes.castResult, bytes.library};
        for (std::size_t i = 0; i < sizes.size(); ++i)
            if (sizes[i] > 0) {
                PLUMB_TRY(buffers[i], arena.allocate(sizes[i], Category::Workspace));
            }
        return {};
    }
    [[nodiscard]] float* castA() const { return static_cast<float*>(buffers[0].data); }
    [[nodiscard]] float* castB() const { return static_cast<float*>(buffers[1].data); }
    [[nodiscard]] float* castResult() const { return static_cast<float*>(buffers[2].data); }
    [[nodiscard]] void* library() const { return buffers[3].data; }

    Arena& arena;
    std::array<Buffer, 4> buffers{};
};

Result<void> OpRunner::checkOperand(const OpCall& call, const PreparedOp& op, const Operand& operand) const {
    if (!operand.present()) return {};
    const auto id = static_cast<std::size_t>(operand.id);
    const Buffer buffer = id < call.tensors.size() ? call.tensors[id] : Buffer{};
    if (buffer.data != nullptr && buffer.bytes >= operand.bytes) return {};
    const StepPlan& plan = *m_step.plan;
    const std::string what = buffer.data == nullptr
                                 ? std::string("is not resident")
                                 : fmt::format("has {} bytes instead of {}", buffer.bytes, operand.bytes);
    return Error{ErrorCode::Internal,
                 fmt::format(R"(the tensor "{}" of the op "{}" {})", tensorName(plan, plan.tensors[id]),
                             opName(plan, *op.op), what),
                 "report this with the run's configuration"};
}

Result<void> OpRunner::checkResident(const OpCall& call, const PreparedOp& op) const {
    for (const Operand* operand : {&op.a, &op.b, &op.result, &op.other, &op.mask})
        PLUMB_CHECK(checkOperand(call, op, *operand));
    if (op.op->kind == OpKind::RecomputeChain)
        for (std::int32_t next = 1; next < op.op->repeat; ++next)
            PLUMB_CHECK(checkOperand(call, op, Operand{op.b.id + next, op.b.bytes}));
    for (const ParameterOperands& matrix : op.parameters)
        for (const Operand* operand :
             {&matrix.weight, &matrix.master, &matrix.gradient, &matrix.moment1, &matrix.moment2})
            PLUMB_CHECK(checkOperand(call, op, *operand));
    return {};
}

void* OpRunner::address(const OpCall& call, const Operand& operand) const {
    return operand.present() ? call.tensors[static_cast<std::size_t>(operand.id)].data : nullptr;
}

Result<void> OpRunner::run(const OpCall& call) {
    const PreparedOp& op = m_step.ops[static_cast<std::size_t>(call.opIndex)];
    PLUMB_CHECK(checkResident(call, op));
    switch (op.op->kind) {
    case OpKind::LoadBatch:
        m_loader.load({call.step, call.microBatch, call.source, address(call, op.result),
                       static_cast<float*>(address(call, op.other))});
        return {};
    case OpKind::LossGradient:
        runLoss(call, op);
        return {};
    case OpKind::GradientNorm:
        return {};
    case OpKind::OptimizerStep:
        runOptimizer(call, op);
        return {};
    case OpKind::RecomputeChain:
        return runChain(call, op);
    case OpKind::HeadForward:
    case OpKind::LayerForward:
    case OpKind::WeightGradient:
    case OpKind::InputGradient:
        break;
    }
    if (op.product >= 0) return runProduct(call, op);
    runHead(call, op);
    return {};
}

// Rows, or columns for the weight gradient, go to threads: no sum is ever split between threads, so that the
// result does not depend on their number.
void OpRunner::runHead(const OpCall& call, const PreparedOp& op) const {
    const RunConfig& config = m_step.plan->config;
    const auto type = static_cast<std::size_t>(isBf16(m_step) ? Storage::Bf16 : Storage::Fp32);
    HeadArguments head;
    head.rows = config.microBatchSize();
    head.dim = config.dim;
    head.outputs = config.outputs;
    head.accumulate = op.op->accumulates;
    void* const a = address(call, op.a);
    void* const b = address(call, op.b);
    void* const result = address(call, op.result);
    const auto perThread = [&](std::int64_t workPerUnit) {
        return (kElementsPerThread - 1) / workPerUnit + 1;
    };
    switch (op.op->kind) {
    case OpKind::HeadForward:
        head.h = a;
        head.weight = b;
        head.y = static_cast<float*>(result);
        parallelRanges(
            m_threads, head.rows, 1, perThread(head.dim * head.outputs),
            [&](std::int64_t begin, std::int64_t end) { m_kernels.headForward[type](head, begin, end); });
        break;
    case OpKind::WeightGradient:
        head.h = a;
        head.dy = b;
        head.weightGradient = result;
        parallelRanges(m_threads, head.dim, 32, perThread(head.rows * head.outputs),
                       [&](std::int64_t begin, std::int64_t end) {
                           m_kernels.headWeightGradient[type][0](head, begin, end);
                       });
        break;
    default:
        head.dy = a;
        head.weight = b;
        head.inputGradient = result;
        head.mask = op.mask.present();
        head.h = address(call, op.mask);
        parallelRanges(m_threads, head.rows, 1, perThread(head.dim * head.outputs),
                       [&](std::int64_t begin, std::int64_t end) {
                           m_kernels.headInputGradient[type](head, begin, end);
                       });
        break;
    }
}

// At most 64 partial sums of fixed ranges, added in order: the same loss for any number of threads.
void OpRunner::runLoss(const OpCall& call, const PreparedOp& op) const {
    constexpr std::int64_t kMostParts = 64;
    constexpr std::int64_t kLeastPerPart = 4096;
    const RunConfig& config = m_step.plan->config;
    const std::int64_t count = config.microBatchSize() * config.outputs;
    const double outputsOfStep = static_cast<double>(config.batch) * static_cast<double>(config.outputs);
    const auto scale = static_cast<float>(2 / outputsOfStep);
    const auto type = static_cast<std::size_t>(isBf16(m_step) ? Storage::Bf16 : Storage::Fp32);
    const Bytes elementBytes = isBf16(m_step) ? 2 : 4;
    const auto* y = static_cast<const float*>(address(call, op.a));
    const auto* t = static_cast<const float*>(address(call, op.b));
    auto* dy = static_cast<std::byte*>(address(call, op.result));

    const std::int64_t parts = std::clamp<std::int64_t>(count / kLeastPerPart, 1, kMostParts);
    std::array<double, kMostParts> sums{};
    parallelRanges(m_threads, parts, 1, 2, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t part = begin; part < end; ++part) {
            const std::int64_t from = count * part / parts;
            const std::int64_t to = count * (part + 1) / parts;
            sums[static_cast<std::size_t>(part)] = m_kernels.lossGradient[type](
                {y + from, t + from, dy + from * elementBytes, to - from, scale});
        }
    });
    double squares = 0;
    for (std::int64_t part = 0; part < parts; ++part) squares += sums[static_cast<std::size_t>(part)];
    auto* loss = static_cast<double*>(address(call, op.other));
    *loss = (op.op->accumulates ? *loss : 0.0) + squares / outputsOfStep;
    for (int norm = 1; norm < 4; ++norm) loss[norm] = std::nan("");  // until the optimizer knows them
}

void OpRunner::runOptimizer(const OpCall& call, const PreparedOp& op) const {
    const RunConfig& config = m_step.plan->config;
    const OptimizerScalars& scalars = call.optimizer;
    ParameterStorage storage = ParameterStorage::Fp32;
    if (isBf16(m_step))
        storage = config.hasMasterCopy() ? ParameterStorage::Bf16WithMaster : ParameterStorage::Bf16Alone;
    const Bytes elementBytes = storage == ParameterStorage::Fp32 ? 4 : 2;

    UpdateArguments common;
    common.learningRate = static_cast<float>(scalars.learningRate);
    common.weightDecay = static_cast<float>(config.effectiveWeightDecay());
    void (*update)(const UpdateArguments&) = nullptr;
    switch (config.optimizer) {
    case Optimizer::Sgd:
        update = m_kernels.sgd[static_cast<std::size_t>(storage)];
        break;
    case Optimizer::Adagrad:
        update = m_kernels.adagrad[static_cast<std::size_t>(storage)];
        break;
    case Optimizer::AdamW: {
        const auto step = static_cast<double>(scalars.step);
        common.keep = static_cast<float>(1 - scalars.learningRate * config.effectiveWeightDecay());
        common.learningRate = static_cast<float>(scalars.learningRate / (1 - std::pow(0.9, step)));
        common.secondCorrection = static_cast<float>(1 / std::sqrt(1 - std::pow(0.999, step)));
        update = m_kernels.adamw[static_cast<std::size_t>(storage)];
        break;
    }
    default:  // refused by checkRecipe()
        return;
    }
    // All matrices are one sequence of elements for the partition: many small layers keep all threads busy.
    const auto& matrices = op.parameters;
    const std::int64_t all = matrices.back().begin + matrices.back().count;
    parallelRanges(m_threads, all, kCacheLine, kElementsPerThread, [&](std::int64_t begin, std::int64_t end) {
        auto matrix =
            std::upper_bound(matrices.begin(), matrices.end(), begin,
                             [](std::int64_t at, const ParameterOperands& m) { return at < m.begin; }) -
            1;
        for (; matrix != matrices.end() && matrix->begin < end; ++matrix) {
            const std::int64_t from = std::max(begin, matrix->begin) - matrix->begin;
            const std::int64_t to = std::min(end - matrix->begin, matrix->count);
            const auto floats = [&](const Operand& operand) {
                return operand.present() ? static_cast<float*>(address(call, operand)) + from : nullptr;
            };
            UpdateArguments part = common;
            part.weight = static_cast<std::byte*>(address(call, matrix->weight)) + from * elementBytes;
            part.gradient = static_cast<std::byte*>(address(call, matrix->gradient)) + from * elementBytes;
            part.master = floats(matrix->master);
            part.moment1 = floats(matrix->moment1);
            part.moment2 = floats(matrix->moment2);
            part.count = to - from;
            update(part);
        }
    });
}

void OpRunner::toFp32(const void* in, void* out, std::int64_t count) const {
    const auto* from = static_cast<const Bf16*>(in);
    auto* to = static_cast<float*>(out);
    parallelRanges(m_threads, count, kCacheLine, kElementsPerThread,
                   [&](std::int64_t begin, std::int64_t end) {
                       m_kernels.bf16ToFp32(from + begin, to + begin, end - begin);
                   });
}

void OpRunner::roundResult(const PreparedOp& op, const float* product, Bf16* result, const Bf16* mask,
                           std::int64_t count) const {
    parallelRanges(m_threads, count, kCacheLine, kElementsPerThread,
                   [&](std::int64_t begin, std::int64_t end) {
                       const float* in = product + begin;
                       Bf16* out = result + begin;
                       if (op.op->accumulates)
                           m_kernels.fp32AddToBf16(in, out, end - begin);
                       else if (mask != nullptr)
                           m_kernels.fp32ToBf16Masked(in, mask + begin, out, end - begin);
                       else if (appliesRelu(op))
                           m_kernels.fp32ToBf16Relu(in, out, end - begin);
                       else
                           m_kernels.fp32ToBf16(in, out, end - begin);
                   });
}

Result<void> OpRunner::multiply(const PreparedOp& op, const Scratch& scratch, const void* a, const void* b,
                                void* result, const void* mask) const {
    const Product& product = m_step.products[static_cast<std::size_t>(op.product)];
    if (product.fuses()) {
        ProductCall whole;
        whole.a = a;
        whole.b = b;
        whole.c = result;
        whole.scratch = scratch.library();
        whole.bf16 = isBf16(m_step);
        whole.accumulate = op.op->accumulates;
        whole.relu = appliesRelu(op);
        whole.mask = mask;
        whole.sums = scratch.castResult();
        product.run(whole);
        return {};
    }
    const std::int64_t count = op.result.bytes / (isBf16(m_step) ? 2 : 4);
    if (isBf16(m_step)) {
        toFp32(a, scratch.castA(), op.scratch.castA / 4);
        toFp32(b, scratch.castB(), op.scratch.castB / 4);
        PLUMB_CHECK(product.run(scratch.castA(), scratch.castB(), scratch.castResult(), scratch.library()));
        roundResult(op, scratch.castResult(), static_cast<Bf16*>(result), static_cast<const Bf16*>(mask),
                    count);
        return {};
    }
    auto* out = static_cast<float*>(result);
    PLUMB_CHECK(
        product.run(static_cast<const float*>(a), static_cast<const float*>(b), out, scratch.library()));
    // Not the library's own ReLU: that turns what is not a number into 0, and a diverged run would look
    // healthy.
    if (appliesRelu(op))
        parallelRanges(
            m_threads, count, kCacheLine, kElementsPerThread,
            [&](std::int64_t begin, std::int64_t end) { m_kernels.reluFp32(out + begin, end - begin); });
    if (mask != nullptr)
        parallelRanges(
            m_threads, count, kCacheLine, kElementsPerThread, [&](std::int64_t begin, std::int64_t end) {
                m_kernels.maskFp32(out + begin, static_cast<const float*>(mask) + begin, end - begin);
            });
    return {};
}

Result<void> OpRunner::runProduct(const OpCall& call, const PreparedOp& op) const {
    Scratch scratch(m_arena);
    PLUMB_CHECK(scratch.allocate(op.scratch));
    return multiply(op, scratch, address(call, op.a), address(call, op.b), address(call, op.result),
                    address(call, op.mask));
}

// h of the layers in between go to the two buffers in turn, so that the last one lands in the result.
Result<void> OpRunner::runChain(const OpCall& call, const PreparedOp& op) const {
    Scratch scratch(m_arena);
    PLUMB_CHECK(scratch.allocate(op.scratch));
    const std::int32_t layers = op.op->repeat;
    const void* input = address(call, op.a);
    for (std::int32_t done = 0; done < layers; ++done) {
        const bool intoResult = (layers - done) % 2 == 1;
        void* output = address(call, intoResult ? op.result : op.other);
        const void* weight = address(call, Operand{op.b.id + done, op.b.bytes});
        PLUMB_CHECK(multiply(op, scratch, input, weight, output, nullptr));
        input = output;
    }
    return {};
}

}  // namespace plumb::cpu
