// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/step_matmuls.h"

#include "core/base/philox.h"
#include "core/plan/early_updates.h"
#include "kernels/cuda/device.h"
#include "kernels/cuda/device_kernels.h"
#include "kernels/cuda/step_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace plumb::cuda {

namespace {

Bytes sizeOf(Dtype dtype, std::int64_t elements) { return elements * dtypeSize(dtype); }

/// Numbers that keep a GPU as busy as those of a training do; zeros take less power and run faster.
Result<void> fillWithNoise(void* memory, Bytes bytes, bool fp8, std::uint32_t sub, cudaStream_t stream) {
    FillArguments fill;
    fill.stream = static_cast<std::uint32_t>(RandomStream::Noise);
    fill.sub = sub;
    fill.factor = 0.25F;
    fill.out.data = memory;
    // Both are numbers in the other formats of their size and in wider ones, and never infinite.
    fill.out.storage = fp8 ? Storage::Fp8E4M3 : Storage::Bf16;
    fill.count = fp8 ? bytes : bytes / 2;
    if (const int result = launchFill(fill, stream); result != 0)
        return errorOf(static_cast<cudaError_t>(result), "launchFill");
    return {};
}

/// What takes the place of an epilogue behind the plain product.
Result<void> passBehind(const MatmulShape& fused, const MatmulOperands& operands, cudaStream_t stream) {
    EncodeArguments pass;
    pass.in = pass.out = Stored{operands.result, storageOf(fused.result), nullptr};
    pass.rows = fused.resultRows();
    pass.columns = fused.resultColumns();
    pass.bitStride = (pass.columns + 127) / 128 * 128;
    auto* const bits = static_cast<std::uint32_t*>(operands.mask);
    pass.epilogue = fused.epilogue == MatmulEpilogue::Masked ? Epilogue::Mask : Epilogue::Relu;
    if (fused.epilogue == MatmulEpilogue::Masked) pass.bits = bits;
    if (fused.epilogue == MatmulEpilogue::ReluAndMask) pass.writeBits = bits;
    return checkLaunch(launchEncode(pass, stream), "launchEncode");
}

}  // namespace

MatmulShape plainShape(const RunConfig& config, const BackendTraits& traits, MatmulKind kind,
                       bool accumulate) {
    const Dtype compute = config.computeDtype();
    MatmulShape shape;
    shape.kind = kind;
    shape.rows = config.microBatchSize();
    shape.in = shape.out = config.dim;
    const auto operand = [&](Dtype stored) { return compute == Dtype::Tf32 ? Dtype::Tf32 : stored; };
    const Dtype activation = config.activationDtype();
    const Dtype gradient = config.activationGradientDtype();
    const bool fp8 = config.precision == Precision::Fp8;
    switch (kind) {
    case MatmulKind::Forward:
        shape.first = operand(activation);
        shape.second = operand(config.weightDtype());
        shape.result = activation;
        shape.transposed = fp8 && traits.transposesFp8;
        break;
    case MatmulKind::WeightGradient:
        shape.first = operand(activation);
        shape.second = operand(gradient);
        shape.result = config.parameterGradientDtype();
        shape.accumulate = accumulate;
        shape.transposed = fp8 && traits.transposesFp8;
        break;
    case MatmulKind::InputGradient:
        shape.first = operand(gradient);
        shape.second = operand(config.weightDtype());
        shape.result = gradient;
        break;
    }
    // Its scale is not known before the result is.
    if (dtypeSize(shape.result) == 1) shape.result = Dtype::Bf16;
    return shape;
}

MatmulShape scaledShape(const RunConfig& config, const MatmulShape& plain) {
    MatmulShape shape = plain;
    const bool forward = plain.kind == MatmulKind::Forward;
    shape.result = forward ? config.activationDtype() : config.activationGradientDtype();
    if (forward && config.activation == Activation::Relu) shape.epilogue = MatmulEpilogue::Relu;
    return shape;
}

Result<StepMatmuls> StepMatmuls::create(cublasLtHandle_t handle, const StepPlan& plan,
                                        const MatmulScratch& scratch) {
    StepMatmuls matmuls;
    const RunConfig& config = plan.config;
    if (!earlyUpdates(plan).empty()) matmuls.m_earlySums = earlySumsBytes(config);
    const auto shape = [&](MatmulKind kind, MatmulEpilogue epilogue, bool accumulate = false) {
        MatmulShape made = plainShape(config, plan.traits, kind, accumulate);
        made.epilogue = epilogue;
        return made;
    };
    // What the library says where it has no such product.
    const auto add = [&](const MatmulShape& wanted) -> Result<std::string> {
        PLUMB_TRY(MatmulOffer offer, Matmul::create(handle, wanted, matmuls.roomOf(wanted.kind, scratch)));
        if (!offer.product) return offer.refusal;
        matmuls.m_products.push_back(*std::move(offer.product));
        return std::string();
    };
    // The same, of one that does something on the way which a pass of ours does else.
    const auto addFused = [&](const MatmulShape& wanted, const char* what, Fusion& fusion) -> Result<void> {
        PLUMB_TRY(const std::string refusal, add(wanted));
        if (refusal.empty() || !fusion.fuses) return {};
        fusion = {false, fmt::format("the library offers no such product {} ({})", what, refusal)};
        return {};
    };
    if (config.layers == 0) return matmuls;  // the head has kernels of its own
    std::vector<MatmulShape> plain{shape(MatmulKind::Forward, MatmulEpilogue::None),
                                   shape(MatmulKind::WeightGradient, MatmulEpilogue::None)};
    if (config.microBatches() > 1)
        plain.push_back(shape(MatmulKind::WeightGradient, MatmulEpilogue::None, true));
    if (config.layers > 1) plain.push_back(shape(MatmulKind::InputGradient, MatmulEpilogue::None));
    for (const MatmulShape& wanted : plain) {
        PLUMB_TRY(const std::string refusal, add(wanted));
        if (!refusal.empty())
            return Error{
                ErrorCode::BadInput,
                fmt::format("the matrix library cannot compute a product ({}: {})", wanted.text(), refusal),
                "use another precision, or sizes that are multiples of 16"};
    }
    const bool fp8 = config.precision == Precision::Fp8;
    const bool isRelu = config.activation == Activation::Relu;
    if (fp8) {
        constexpr const char* kScaled = "that scales its result and rounds it to fp8";
        matmuls.m_scaledActivations.fuses = true;
        PLUMB_CHECK(addFused(scaledShape(config, shape(MatmulKind::Forward, MatmulEpilogue::None)), kScaled,
                             matmuls.m_scaledActivations));
        if (isRelu) {
            matmuls.m_scaledGradients.whyNot =
                "the library has no product that reads h as the mask of a ReLU";
        } else if (config.layers > 1) {
            matmuls.m_scaledGradients.fuses = true;
            PLUMB_CHECK(addFused(scaledShape(config, shape(MatmulKind::InputGradient, MatmulEpilogue::None)),
                                 kScaled, matmuls.m_scaledGradients));
        }
    }
    matmuls.m_hasRelu = isRelu && !fp8;
    if (!matmuls.m_hasRelu) return matmuls;
    PLUMB_CHECK(addFused(shape(MatmulKind::Forward, MatmulEpilogue::Relu), "with a ReLU", matmuls.m_relu));
    if (config.layers > 1) {
        PLUMB_CHECK(addFused(shape(MatmulKind::Forward, MatmulEpilogue::ReluAndMask),
                             "that writes the mask of a ReLU", matmuls.m_masks));
        PLUMB_CHECK(addFused(shape(MatmulKind::InputGradient, MatmulEpilogue::Masked),
                             "that applies the mask of a ReLU", matmuls.m_masks));
    }
    return matmuls;
}

Result<void> StepMatmuls::tune(AlgorithmCache& cache, const MatmulScratch& scratch, cudaStream_t stream) {
    if (m_products.empty()) return {};  // no layers
    Bytes first = 0;
    Bytes second = 0;
    Bytes result = 0;
    Bytes mask = 0;
    for (const Matmul& product : m_products) {
        const MatmulShape& shape = product.shape();
        first = std::max(first, sizeOf(shape.first, shape.firstElements()));
        second = std::max(second, sizeOf(shape.second, shape.secondElements()));
        result = std::max(result, sizeOf(shape.result, shape.resultElements()));
        mask = std::max(mask, maskBytes(shape.rows, std::max(shape.in, shape.out)));
    }
    const auto firstBlock = allocateDevice(first);
    const auto secondBlock = allocateDevice(second);
    const auto resultBlock = allocateDevice(result);
    const auto rest = allocateDevice(mask + 256);
    for (const auto* block : {&firstBlock, &secondBlock, &resultBlock, &rest}) {
        if (block->has_value()) continue;
        if (block->error().code == ErrorCode::OutOfMemory) return {};  // the library's first choices hold
        return block->error();
    }
    MatmulOperands operands;
    operands.first = (*firstBlock).get();
    operands.second = (*secondBlock).get();
    operands.result = (*resultBlock).get();
    operands.mask = static_cast<std::byte*>((*rest).get()) + 256;
    operands.firstInverse = operands.secondInverse = static_cast<const float*>((*rest).get());
    operands.resultScale = operands.firstInverse;
    operands.resultAmax = static_cast<float*>((*rest).get()) + 4;
    const bool fp8 = dtypeSize(m_products.front().shape().first) == 1;
    PLUMB_CHECK(fillWithNoise((*firstBlock).get(), first, fp8, 1, stream));
    PLUMB_CHECK(fillWithNoise((*secondBlock).get(), second, fp8, 2, stream));
    PLUMB_CHECK(fillWithNoise((*rest).get(), mask + 256, false, 3, stream));
    PLUMB_CUDA(cudaMemsetAsync((*resultBlock).get(), 0, static_cast<std::size_t>(result), stream));
    if (const int launched = launchConstant(static_cast<float*>((*rest).get()), 4, 1, stream); launched != 0)
        return errorOf(static_cast<cudaError_t>(launched), "launchConstant");
    // A fused product that the library offers and then cannot compute makes others used, those before it too.
    std::vector<bool> tried(m_products.size(), false);
    const auto next = [&] {
        std::size_t i = 0;
        while (i < tried.size() && (tried[i] || !isUsed(m_products[i].shape()))) ++i;
        return i;
    };
    for (std::size_t i = next(); i < tried.size(); i = next()) {
        tried[i] = true;
        const MatmulShape& shape = m_products[i].shape();
        PLUMB_TRY(const bool works,
                  m_products[i].choose(cache, operands, roomOf(shape.kind, scratch), stream));
        if (works) continue;
        const bool scaled = dtypeSize(shape.result) == 1;
        if (!scaled && shape.epilogue == MatmulEpilogue::None)
            return Error{
                ErrorCode::RunFailed,
                fmt::format("no algorithm of the matrix library works for a product ({})", shape.text()),
                "report this with the version of the driver and of the CUDA libraries"};
        const bool forward = shape.kind == MatmulKind::Forward;
        Fusion& fusion = scaled ? (forward ? m_scaledActivations : m_scaledGradients)
                         : shape.epilogue == MatmulEpilogue::Relu ? m_relu
                                                                  : m_masks;
        fusion = {false, fmt::format("no algorithm that the library offers for {} works", shape.text())};
    }
    PLUMB_CHECK(tuneFusions(cache, operands, scratch, stream));
    PLUMB_CUDA(cudaStreamSynchronize(stream));
    return {};
}

MatmulScratch StepMatmuls::roomOf(MatmulKind kind, const MatmulScratch& scratch) const {
    const bool shares = kind == MatmulKind::WeightGradient;
    return {scratch.data, scratch.bytes - (shares ? m_earlySums : 0)};
}

Result<void> StepMatmuls::tuneFusions(AlgorithmCache& cache, const MatmulOperands& operands,
                                      const MatmulScratch& scratch, cudaStream_t stream) {
    if (!m_hasRelu) return {};
    for (Fusion* const fusion : {&m_relu, &m_masks}) {
        if (!fusion->fuses) continue;
        PLUMB_TRY(fusion->times, timesOf(*fusion, cache, operands, scratch, stream));
        if (!fusion->times || fusion->times->apart >= fusion->times->fused * kClearlyFaster) continue;
        fusion->fuses = false;
        fusion->whyNot = text(*fusion->times);
    }
    return {};
}

Result<std::optional<EpilogueTimes>> StepMatmuls::timesOf(const Fusion& which, AlgorithmCache& cache,
                                                          const MatmulOperands& operands,
                                                          const MatmulScratch& scratch, cudaStream_t stream) {
    EpilogueTimes times{0, 0, 0};
    for (const Matmul& fused : m_products) {
        const MatmulShape& shape = fused.shape();
        if (shape.epilogue == MatmulEpilogue::None || &fusion(shape.epilogue) != &which) continue;
        MatmulShape without = shape;
        without.epilogue = MatmulEpilogue::None;
        const auto plain = std::find_if(m_products.begin(), m_products.end(),
                                        [&](const Matmul& product) { return product.shape() == without; });
        if (plain == m_products.end()) return std::optional<EpilogueTimes>();
        if (!plain->seconds()) {
            PLUMB_TRY(const bool works, plain->choose(cache, operands, scratch, stream));
            if (!works) return std::optional<EpilogueTimes>();
        }
        const auto pass = [&] { return passBehind(shape, operands, stream); };
        PLUMB_TRY(const std::optional<Seconds> apart,
                  plain->secondsBefore(pass, cache, shape.text() + " apart", operands, scratch, stream));
        if (!apart || !fused.seconds()) return std::optional<EpilogueTimes>();
        times.fused += *fused.seconds();
        times.apart += *apart;
        ++times.products;
    }
    return times.products > 0 ? std::optional(times) : std::nullopt;
}

bool StepMatmuls::isUsed(const MatmulShape& shape) const {
    // Through bf16 go steps that are observed, and the first one, which finds the scales.
    if (dtypeSize(shape.first) == 1 && shape.kind != MatmulKind::WeightGradient)
        return scalesResults(shape.kind) == (dtypeSize(shape.result) == 1);
    if (!m_hasRelu || shape.kind == MatmulKind::WeightGradient || shape.epilogue != MatmulEpilogue::None)
        return true;
    return !m_masks.fuses || (shape.kind == MatmulKind::Forward && !m_relu.fuses);
}

const Matmul* StepMatmuls::find(const MatmulShape& shape) const {
    const auto found = std::find_if(m_products.begin(), m_products.end(),
                                    [&](const Matmul& product) { return product.shape() == shape; });
    return found == m_products.end() ? nullptr : &*found;
}

}  // namespace plumb::cuda
