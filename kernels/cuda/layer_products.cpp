// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/layer_products.h"

#include "core/plan/control_tensors.h"

#include <fmt/format.h>

#include <array>
#include <vector>

namespace plumb::cuda {

/// Scratch of one op: where the step has it laid out, or else from the pool for as long as the op is
/// enqueued.
struct LayerProducts::Scratch {
    explicit Scratch(const OpArguments& of) : given(of), pool(*of.context.pool) {}
    ~Scratch() {
        for (std::size_t i = owned.size(); i-- > 0;) pool.release(owned[i]);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    [[nodiscard]] Result<void> allocate() {
        std::size_t index = 0;
        for (const TensorRange& range : given.op.scratch) {
            if (range.count == 0) break;
            const Tensor& tensor = given.context.plan->tensor(range.first);
            Buffer buffer = given.call.buffer(range.first);
            if (buffer.data == nullptr) {
                const Bytes bytes = tensorBytes(given.config, given.context.traits, tensor);
                PLUMB_TRY(buffer, pool.allocate(bytes, Category::Workspace));
                owned[index++] = buffer;
            }
            if (tensor.role == TensorRole::CastA) castA = buffer.data;
            if (tensor.role == TensorRole::CastB) castB = buffer.data;
            if (tensor.role == TensorRole::CastResult) castResult = buffer.data;
        }
        return {};
    }

    const OpArguments& given;
    DevicePool& pool;
    std::array<Buffer, 4> owned{};
    void* castA = nullptr;
    void* castB = nullptr;
    void* castResult = nullptr;
};

LayerProducts::Product LayerProducts::Product::forward(std::int32_t layer) {
    Product product;
    product.kind = MatmulKind::Forward;
    product.firstRole = activationRole(layer - 1);
    product.firstLayer = layer - 1;
    product.secondRole = TensorRole::Weight;
    product.secondLayer = product.resultLayer = layer;
    product.resultRole = TensorRole::Activation;
    return product;
}

Result<void> LayerProducts::run() {
    Scratch scratch(m_given);
    PLUMB_CHECK(scratch.allocate());
    const std::int32_t layer = m_op.layer;
    Product product = Product::forward(layer);
    product.first = m_given.data(m_operands.input);
    product.second = m_given.data(m_operands.weight());
    product.result = m_given.data(m_operands.result);
    switch (m_op.kind) {
    case OpKind::WeightGradient:
        product.second = m_given.data(m_operands.outputGradient);
        product.kind = MatmulKind::WeightGradient;
        product.secondRole = TensorRole::ActivationGradient;
        product.resultRole = TensorRole::Gradient;
        product.accumulate = m_op.accumulates;
        break;
    case OpKind::InputGradient:
        product.kind = MatmulKind::InputGradient;
        product.first = m_given.data(m_operands.outputGradient);
        product.firstRole = product.resultRole = TensorRole::ActivationGradient;
        product.firstLayer = layer;
        product.resultLayer = layer - 1;
        if (!m_op.fusedActivation) break;
        (m_context.plan->tensor(m_operands.mask).role == TensorRole::ReluMask ? product.maskBits
                                                                              : product.maskOf) =
            m_given.data(m_operands.mask);
        break;
    default:
        product.relu = m_op.fusedActivation;
        product.maskOut = m_given.data(m_operands.resultMask);
        break;
    }
    return multiply(product, scratch);
}

// h of the layers in between go to the two buffers in turn, so that the last one lands in the result.
Result<void> LayerProducts::runChain() {
    Scratch scratch(m_given);
    PLUMB_CHECK(scratch.allocate());
    const std::int32_t layers = m_op.repeat;
    void* input = m_given.data(m_operands.input);
    for (std::int32_t done = 0; done < layers; ++done) {
        const bool intoResult = (layers - done) % 2 == 1;
        const std::int32_t layer = m_op.layer - layers + 1 + done;
        Product product = Product::forward(layer);
        product.first = input;
        product.second = m_given.data(m_operands.weight(done));
        product.result = m_given.data(intoResult ? m_operands.result : m_operands.chainBuffer);
        product.relu = m_op.fusedActivation;
        if (done + 1 == layers) product.maskOut = m_given.data(m_operands.resultMask);
        PLUMB_CHECK(multiply(product, scratch));
        input = product.result;
    }
    return {};
}

MatmulShape LayerProducts::shapeOf(const Product& product) const {
    return plainShape(m_config, m_context.traits, product.kind, product.accumulate);
}

Result<void> LayerProducts::runMatmul(const MatmulShape& shape, const MatmulOperands& operands,
                                      const AroundProduct& around) const {
    const Matmul* const matmul = m_context.matmuls->find(shape);
    if (matmul == nullptr) return internalError(fmt::format("no product was prepared for {}", shape.text()));
    const MatmulScratch room =
        m_context.matmuls->roomOf(shape.kind, {m_given.scratch, m_context.traits.sharedScratchBytes});
    PLUMB_CHECK(matmul->run(operands, room, m_context.stream));
    m_context.log->note(m_given.call.opIndex, *matmul, around);
    return {};
}

EncodeArguments LayerProducts::passOver(const Product& product, const MatmulShape& shape) const {
    EncodeArguments pass;
    pass.out = m_given.stored(product.resultRole, product.resultLayer, product.result);
    pass.in = pass.out;
    pass.rows = shape.resultRows();
    pass.columns = shape.resultColumns();
    pass.bitStride = (pass.columns + 127) / 128 * 128;
    if (product.maskOf != nullptr)
        pass.mask = m_given.stored(activationRole(product.resultLayer), product.resultLayer,
                                   const_cast<void*>(product.maskOf));
    pass.report = m_given.reportOf(product.resultRole, product.resultLayer);
    return pass;
}

Result<void> LayerProducts::encode(const EncodeArguments& arguments) const {
    return m_given.launchStoring(arguments, {launchEncodeFirstScale, "launchEncodeFirstScale"},
                                 {launchEncode, "launchEncode"});
}

Result<void> LayerProducts::multiply(const Product& product, const Scratch& scratch) {
    if (m_given.fp8) return multiplyFp8(product, scratch);
    const StepMatmuls& matmuls = *m_context.matmuls;
    MatmulShape shape = shapeOf(product);
    const MatmulEpilogue wanted = product.maskOut != nullptr    ? MatmulEpilogue::ReluAndMask
                                  : product.relu                ? MatmulEpilogue::Relu
                                  : product.maskBits != nullptr ? MatmulEpilogue::Masked
                                                                : MatmulEpilogue::None;
    const Fusion& fusion = matmuls.fusion(wanted);
    if (fusion.fuses) shape.epilogue = wanted;
    MatmulOperands operands;
    operands.first = product.first;
    operands.second = product.second;
    operands.result = product.result;
    operands.mask = product.maskOut != nullptr ? product.maskOut : const_cast<void*>(product.maskBits);
    // What the library leaves to us: a ReLU or a mask that it cannot fuse, and looking at what it stored.
    const bool relu = product.relu && !fusion.fuses;
    const bool masks = (product.maskBits != nullptr && !fusion.fuses) || product.maskOf != nullptr;
    std::vector<PassApart> apart;
    if (relu) apart.push_back(product.maskOut != nullptr ? PassApart::ReluAndMask : PassApart::Relu);
    if (masks) apart.push_back(PassApart::Mask);
    PLUMB_CHECK(runMatmul(shape, operands, {apart, fusion.whyNot, fusion.times}));

    EncodeArguments rest = passOver(product, shape);
    if (relu) {
        rest.epilogue = Epilogue::Relu;
        rest.writeBits = static_cast<std::uint32_t*>(product.maskOut);
    } else if (masks) {
        rest.epilogue = Epilogue::Mask;
        rest.bits = static_cast<const std::uint32_t*>(product.maskBits);
    } else if (rest.report.tally) {
        rest.out.data = nullptr;
    } else {
        return {};
    }
    return encode(rest);
}

Result<void> LayerProducts::multiplyFp8(const Product& product, const Scratch& scratch) {
    const MatmulShape shape = shapeOf(product);
    MatmulOperands operands;
    operands.first = product.first;
    operands.second = product.second;
    operands.firstInverse = m_given.inverseOf(product.firstRole, product.firstLayer);
    operands.secondInverse = m_given.inverseOf(product.secondRole, product.secondLayer);
    const bool direct = product.kind == MatmulKind::WeightGradient;
    operands.result = direct ? product.result : scratch.castResult;
    // The weights of a forward product are there transposed; operands of a weight gradient are new.
    if (shape.transposed && direct) {
        const TransposeArguments both{{operands.first, scratch.castA, shape.rows, shape.in},
                                      {operands.second, scratch.castB, shape.rows, shape.out}};
        PLUMB_CHECK(checkLaunch(launchTranspose(both, m_context.stream), "launchTranspose"));
        operands.first = scratch.castA;
        operands.second = scratch.castB;
    }
    if (direct)
        return runMatmul(shape, operands,
                         shape.transposed
                             ? AroundProduct{{PassApart::TransposeFirst, PassApart::TransposeSecond}, {}, {}}
                             : AroundProduct{});

    EncodeArguments rest = passOver(product, shape);
    rest.in = Stored{scratch.castResult, Storage::Bf16, nullptr};
    if (product.relu) rest.epilogue = Epilogue::Relu;
    if (product.maskOf != nullptr) rest.epilogue = Epilogue::Mask;
    if (!m_context.matmuls->scalesResults(product.kind)) {
        std::vector<PassApart> apart;
        if (product.relu) apart.push_back(PassApart::Relu);
        if (product.maskOf != nullptr) apart.push_back(PassApart::Mask);
        apart.push_back(PassApart::Round);
        PLUMB_CHECK(runMatmul(shape, operands, {apart, m_context.matmuls->scaling(product.kind).whyNot, {}}));
        return encode(rest);
    }
    return multiplyScaled(product, shape, operands, rest);
}

// The scale is that of the steps before, so the product itself scales, rounds and tells the amax, which the
// end of a micro-batch takes over into Scales. A first scale and statistics are of the same numbers in bf16.
Result<void> LayerProducts::multiplyScaled(const Product& product, const MatmulShape& plain,
                                           MatmulOperands operands, EncodeArguments seen) {
    const bool again = m_op.phase == Phase::Recompute;
    const bool finds = m_given.findsScales();
    const bool observes = m_given.call.writesStatistics && !again;
    if (finds || observes) PLUMB_CHECK(runMatmul(plain, operands));
    if (finds) {
        PLUMB_CHECK(checkLaunch(launchEncodeFirstScale(seen, m_context.stream), "launchEncodeFirstScale"));
        PLUMB_CHECK(m_given.refreshInverses());
    }
    if (observes) {
        EncodeArguments tally = seen;
        tally.out.data = nullptr;
        tally.report.scales = nullptr;
        PLUMB_CHECK(checkLaunch(launchEncode(tally, m_context.stream), "launchEncode"));
    }
    operands.result = product.result;
    operands.resultScale = seen.out.scale;
    operands.resultAmax = m_given.control.amaxes + seen.report.slot;
    return runMatmul(scaledShape(m_config, plain), operands);
}

}  // namespace plumb::cuda
