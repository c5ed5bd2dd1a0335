// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/op_runner.h"

#include "core/base/entry_at.h"
#include "kernels/common/operand_check.h"
#include "kernels/cpu/optimizer_runner.h"
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

/// How a product or the head reads what is stored as `dtype`.
Storage operandStorage(const RunConfig& config, Dtype dtype) {
    return config.precision == Precision::Tf32 ? Storage::Tf32 : storageOf(dtype);
}

/// h_layer; the features for layer 0.
TrackedTensor activation(const TensorWriter& writer, std::int32_t layer) {
    return writer.tensor(layer == 0 ? TensorRole::Features : TensorRole::Activation, layer);
}

}  // namespace

/// The operands of one product of a layer.
struct OpRunner::ProductTensors {
    TrackedTensor a, b, result;
    const void* dataOfA = nullptr;
    const void* dataOfB = nullptr;
    void* dataOfResult = nullptr;
    const void* mask = nullptr;  ///< h, for a gradient under a ReLU
};

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

void* OpRunner::address(const OpCall& call, TensorId tensor) const {
    return tensor < 0 ? nullptr : call.buffer(tensor).data;
}

Result<void> OpRunner::run(const OpCall& call) {
    const PreparedOp& op = entryAt(m_step.ops, call.opIndex);
    PLUMB_CHECK(
        common::checkResident(*m_step.plan, call, [this](TensorId id) { return entryAt(m_step.bytes, id); }));
    switch (op.op->kind) {
    case OpKind::LoadBatch:
        return runLoad(call, op);
    case OpKind::LossGradient:
        runLoss(call, op);
        return {};
    case OpKind::Activation:
        runActivation(call, op);
        return {};
    case OpKind::GradientNorm:
        OptimizerRunner(*m_step.plan, op, call, m_kernels, m_threads).runNorm();
        return {};
    case OpKind::OptimizerStep:
        OptimizerRunner(*m_step.plan, op, call, m_kernels, m_threads).runStep();
        return {};
    case OpKind::RecomputeChain:
        return runChain(call, op);
    case OpKind::HeadPass:
        return internalError("the CPU backend has no pass over the head (head_pass)");
    case OpKind::AllReduce:
    case OpKind::ReduceScatter:
    case OpKind::AllGather:
        return internalError("collectives are a communicator's, not the CPU backend's");
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

Result<void> OpRunner::runLoad(const OpCall& call, const PreparedOp& op) const {
    const StepPlan& plan = *m_step.plan;
    const float* staged = nullptr;
    if (plan.staging >= 0) {
        const std::int64_t half =
            plan.config.microBatchSize() * (plan.config.dim + plan.config.outputWidth());
        const auto floatBytes = static_cast<Bytes>(sizeof(float));
        if (const Bytes bytes = 2 * half * floatBytes; !common::isResident(call, plan.staging, bytes))
            return common::notResident(plan, call, plan.staging, bytes);
        staged = static_cast<const float*>(address(call, plan.staging)) + call.stagedHalf * half;
    }
    TensorWriter writer(plan, call, m_kernels, m_threads);
    m_loader.load({call.step, call.firstSample, staged, address(call, op.operands.result),
                   static_cast<float*>(address(call, op.operands.targets))},
                  writer);
    return {};
}

// Rows, or columns for the weight gradient, go to threads: no sum is ever split between threads, so that the
// result does not depend on their number.
void OpRunner::runHead(const OpCall& call, const PreparedOp& op) const {
    const RunConfig& config = m_step.plan->config;
    const Phase phase = op.op->phase;
    TensorWriter writer(*m_step.plan, call, m_kernels, m_threads);
    const std::int32_t layer = op.op->layer;
    const auto type = static_cast<std::size_t>(operandStorage(config, config.activationDtype()));
    HeadArguments head{.accumulate = op.op->accumulates,
                       .rows = config.microBatchSize(),
                       .dim = op.op->in,
                       .outputs = config.outputs};
    const Operands& operands = op.operands;
    head.h = address(call, operands.input);
    head.weight = address(call, operands.weight());
    head.dy = address(call, operands.outputGradient);
    void* const result = address(call, operands.result);
    const TrackedTensor weight = writer.tensor(TensorRole::Weight, layer);
    const TrackedTensor dy = writer.tensor(TensorRole::HeadGradient, layer);
    const auto input = [&] { return activation(writer, layer - 1); };
    const std::int64_t costOfRow = head.dim * head.outputs;
    switch (op.op->kind) {
    case OpKind::HeadForward:
        head.y = static_cast<float*>(result);
        head.factor = input().decodeFactor() * weight.decodeFactor();
        parallelRanges(
            m_threads, head.rows, 1, (kElementsPerThread - 1) / costOfRow + 1,
            [&](std::int64_t begin, std::int64_t end) { m_kernels.headForward[type](head, begin, end); });
        break;
    case OpKind::WeightGradient: {
        head.factor = input().decodeFactor() * dy.decodeFactor();
        const TrackedTensor gradient = writer.tensor(TensorRole::Gradient, layer);
        const auto kernel = m_kernels.headWeightGradient[type][gradient.dtype == Dtype::Fp32 ? 1 : 0];
        writer.run(gradient, phase, head.dim, 32, head.rows * head.outputs,
                   [&](std::int64_t begin, std::int64_t end, const WritePart& part) {
                       HeadArguments own = head;
                       own.weightGradient = result;
                       own.tally = part.tally;
                       kernel(own, begin, end);
                       return 0.0;
                   });
        break;
    }
    default:
        head.mask = operands.mask >= 0;
        head.h = address(call, operands.mask);
        head.factor = dy.decodeFactor() * weight.decodeFactor();
        // 16 rows share a tile of weights.
        writer.run(writer.tensor(TensorRole::ActivationGradient, layer - 1), phase, head.rows, 16, costOfRow,
                   [&](std::int64_t begin, std::int64_t end, const WritePart& part) {
                       HeadArguments own = head;
                       own.inputGradient = part.write ? result : nullptr;
                       own.resultFactor = part.factor;
                       own.tally = part.tally;
                       m_kernels.headInputGradient[type](own, begin, end);
                       return 0.0;
                   });
        break;
    }
}

// The output of a chain without a head is an activation: stored as those are, behind a ReLU where there is
// one, and a part of it is read at a time.
void OpRunner::runLoss(const OpCall& call, const PreparedOp& op) const {
    const RunConfig& config = m_step.plan->config;
    TensorWriter writer(*m_step.plan, call, m_kernels, m_threads);
    const auto layer = static_cast<std::int32_t>(config.matrices());
    const TrackedTensor target =
        writer.tensor(config.head ? TensorRole::HeadGradient : TensorRole::ActivationGradient, layer);
    const double outputsOfStep =
        static_cast<double>(config.batch) * static_cast<double>(config.outputWidth());
    const std::int64_t elementBytes = dtypeSize(target.dtype);
    LossArguments loss{.y = static_cast<const float*>(address(call, op.operands.input)),
                       .t = static_cast<const float*>(address(call, op.operands.targets)),
                       .scale = static_cast<float>(2 / outputsOfStep * writer.lossScale())};
    if (op.op->fusedActivation) loss.floor = 0;
    auto* dy = static_cast<std::byte*>(address(call, op.operands.result));
    const auto kernel = m_kernels.lossGradient[target.type()];
    const TrackedTensor output = config.head ? TrackedTensor{} : activation(writer, layer);
    const bool decodes = output.dtype != Dtype::Fp32;
    const auto* stored = static_cast<const std::byte*>(address(call, op.operands.input));
    const auto part = [&](std::int64_t begin, std::int64_t end, const WritePart& written) {
        LossArguments own = loss;
        own.y += begin;
        own.t += begin;
        own.dy = written.write ? dy + begin * elementBytes : nullptr;
        own.count = end - begin;
        own.resultFactor = written.factor;
        own.tally = written.tally;
        return own;
    };
    const double squares =
        writer.run(target, op.op->phase, config.microBatchSize() * config.outputWidth(), 8, 1,
                   [&](std::int64_t begin, std::int64_t end, const WritePart& written) {
                       if (!decodes) return kernel(part(begin, end, written));
                       constexpr std::int64_t kChunk = 512;
                       alignas(64) std::array<float, kChunk> y;
                       double sum = 0;
                       for (std::int64_t at = begin; at < end; at += kChunk) {
                           LossArguments own = part(at, std::min(end, at + kChunk), written);
                           m_kernels.decode[output.type()](stored + at * dtypeSize(output.dtype), y.data(),
                                                           own.count, output.decodeFactor());
                           own.y = y.data();
                           sum += kernel(own);
                       }
                       return sum;
                   });
    auto* result = static_cast<double*>(address(call, op.operands.loss));
    result[0] = (op.op->accumulates ? result[0] : 0.0) + squares / outputsOfStep;
    for (int norm = 1; norm < 4; ++norm) result[norm] = std::nan("");  // until the optimizer knows them
}

// In place, of a sum that was rounded once.
void OpRunner::runActivation(const OpCall& call, const PreparedOp& op) const {
    TensorWriter writer(*m_step.plan, call, m_kernels, m_threads);
    const TrackedTensor target = activation(writer, op.op->layer);
    const std::int64_t size = dtypeSize(target.dtype);
    auto* const h = static_cast<std::byte*>(address(call, op.operands.result));
    const auto encode = entryAt(m_kernels.encode[target.type()], Epilogue::Relu);
    writer.run(target, op.op->phase, op.op->batchRows * op.op->out, kCacheLine, 1,
               [&](std::int64_t begin, std::int64_t end, const WritePart& part) {
                   constexpr std::int64_t kChunk = 512;
                   alignas(64) std::array<float, kChunk> numbers;
                   for (std::int64_t at = begin; at < end; at += kChunk) {
                       const std::int64_t count = std::min(kChunk, end - at);
                       m_kernels.decode[target.type()](h + at * size, numbers.data(), count, 1);
                       encode(
                           {.in = numbers.data(), .out = h + at * size, .count = count, .tally = part.tally});
                   }
                   return 0.0;
               });
}

// An operand as the product reads it: where it lies when it is plain fp32, otherwise decoded (with tf32:
// rounded) into scratch.
const float* OpRunner::operand(const TrackedTensor& tensor, const void* data, float* room,
                               std::int64_t count) const {
    const Storage storage = operandStorage(m_step.plan->config, tensor.dtype);
    if (storage == Storage::Fp32) return static_cast<const float*>(data);
    const auto* from = static_cast<const std::byte*>(data);
    const std::int64_t size = dtypeSize(tensor.dtype);
    const auto decode = entryAt(m_kernels.decode, storage);
    const float factor = tensor.decodeFactor();
    parallelRanges(m_threads, count, kCacheLine, kElementsPerThread,
                   [&](std::int64_t begin, std::int64_t end) {
                       decode(from + begin * size, room + begin, end - begin, factor);
                   });
    return room;
}

const Bf16* OpRunner::operandAsBf16(const TrackedTensor& tensor, const void* data, float* room,
                                    std::int64_t count) const {
    const auto* from = static_cast<const std::byte*>(data);
    auto* to = reinterpret_cast<Bf16*>(room);
    const auto decode = m_kernels.decodeToBf16[tensor.type()];
    parallelRanges(
        m_threads, count, kCacheLine, kElementsPerThread,
        [&](std::int64_t begin, std::int64_t end) { decode(from + begin, to + begin, end - begin); });
    return to;
}

// Our own products do all of the recipes fp32 and bf16, unless the result is to be tallied on its way.
bool OpRunner::fuses(const Product& product, const TensorWriter& writer, const ProductTensors& tensors,
                     Phase phase) const {
    const Precision precision = m_step.plan->config.precision;
    return product.fuses() && (precision == Precision::Fp32 || precision == Precision::Bf16) &&
           tensors.result.dtype == tensors.a.dtype && !writer.tallies(tensors.result, phase);
}

Result<void> OpRunner::multiply(const PreparedOp& op, const Scratch& scratch, TensorWriter& writer,
                                const ProductTensors& tensors) const {
    const Product& product = entryAt(m_step.products, op.product);
    const ProductShape& shape = product.shape();
    const Phase phase = op.op->phase;
    const ProductElements elements = elementsOf(shape);
    if (fuses(product, writer, tensors, phase)) {
        ProductCall whole{.a = tensors.dataOfA,
                          .b = tensors.dataOfB,
                          .c = tensors.dataOfResult,
                          .scratch = scratch.library(),
                          .bf16 = tensors.a.dtype == Dtype::Bf16,
                          .accumulate = op.op->accumulates,
                          .relu = appliesRelu(op),
                          .mask = tensors.mask,
                          .sums = scratch.castResult()};
        product.run(whole);
        return {};
    }
    const bool plainResult = tensors.result.dtype == Dtype::Fp32;
    float* c = plainResult ? static_cast<float*>(tensors.dataOfResult) : scratch.castResult();

    if (product.multipliesBf16() && tensors.a.isFp8() && tensors.b.isFp8() && !shape.accumulate) {
        // The products of fp8 numbers are exact either way, and their scales are those of the sums.
        ProductCall whole{.a = operandAsBf16(tensors.a, tensors.dataOfA, scratch.castA(), elements.a),
                          .b = operandAsBf16(tensors.b, tensors.dataOfB, scratch.castB(), elements.b),
                          .c = c,
                          .scratch = scratch.library(),
                          .bf16 = true,
                          .fp32Result = true,
                          .factor = tensors.a.decodeFactor() * tensors.b.decodeFactor()};
        product.run(whole);
    } else {
        const float* a = operand(tensors.a, tensors.dataOfA, scratch.castA(), elements.a);
        const float* b = operand(tensors.b, tensors.dataOfB, scratch.castB(), elements.b);
        PLUMB_CHECK(product.run(a, b, c, scratch.library()));
    }
    // Not the library's own ReLU: that turns what is not a number into 0, and a diverged run would look
    // healthy.
    Epilogue epilogue = Epilogue::Plain;
    if (tensors.mask != nullptr) epilogue = Epilogue::Mask;
    if (appliesRelu(op)) epilogue = Epilogue::Relu;
    if (op.op->accumulates && !shape.accumulate) epilogue = Epilogue::Add;
    writer.write(tensors.result, phase, epilogue, c, tensors.dataOfResult, tensors.mask, elements.result);
    return {};
}

Result<void> OpRunner::runProduct(const OpCall& call, const PreparedOp& op) const {
    Scratch scratch(m_arena);
    PLUMB_CHECK(scratch.allocate(op.scratch));
    TensorWriter writer(*m_step.plan, call, m_kernels, m_threads);
    const std::int32_t layer = op.op->layer;
    ProductTensors tensors;
    const Operands& operands = op.operands;
    tensors.dataOfA = address(call, operands.input);
    tensors.dataOfB = address(call, operands.weight());
    tensors.dataOfResult = address(call, operands.result);
    tensors.mask = address(call, operands.mask);
    switch (op.op->kind) {
    case OpKind::WeightGradient:
        tensors.dataOfB = address(call, operands.outputGradient);
        tensors.a = activation(writer, layer - 1);
        tensors.b = writer.tensor(TensorRole::ActivationGradient, layer);
        tensors.result = writer.tensor(TensorRole::Gradient, layer);
        break;
    case OpKind::InputGradient:
        tensors.dataOfA = address(call, operands.outputGradient);
        tensors.a = writer.tensor(TensorRole::ActivationGradient, layer);
        tensors.b = writer.tensor(TensorRole::Weight, layer);
        tensors.result = writer.tensor(TensorRole::ActivationGradient, layer - 1);
        break;
    default:
        tensors.a = activation(writer, layer - 1);
        tensors.b = writer.tensor(TensorRole::Weight, layer);
        tensors.result = activation(writer, layer);
        break;
    }
    return multiply(op, scratch, writer, tensors);
}

// h of the layers in between go to the two buffers in turn, so that the last one lands in the result.
Result<void> OpRunner::runChain(const OpCall& call, const PreparedOp& op) const {
    Scratch scratch(m_arena);
    PLUMB_CHECK(scratch.allocate(op.scratch));
    TensorWriter writer(*m_step.plan, call, m_kernels, m_threads);
    const std::int32_t layers = op.op->repeat;
    const void* input = address(call, op.operands.input);
    for (std::int32_t done = 0; done < layers; ++done) {
        const bool intoResult = (layers - done) % 2 == 1;
        const std::int32_t layer = op.op->layer - layers + 1 + done;
        ProductTensors tensors;
        tensors.a = activation(writer, layer - 1);
        tensors.b = writer.tensor(TensorRole::Weight, layer);
        tensors.result = activation(writer, layer);
        tensors.dataOfA = input;
        tensors.dataOfB = address(call, op.operands.weight(done));
        tensors.dataOfResult = address(call, intoResult ? op.operands.result : op.operands.chainBuffer);
        PLUMB_CHECK(multiply(op, scratch, writer, tensors));
        input = tensors.dataOfResult;
    }
    return {};
}

}  // namespace plumb::cpu
