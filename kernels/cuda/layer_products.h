// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/op_arguments.h"

namespace plumb::cuda {

/// Enqueues the products of the layers that one op asks for: the library's, and what has to be done around
/// them.
class LayerProducts {
public:
    /// `given` outlives it.
    explicit LayerProducts(const OpArguments& given)
        : m_given(given),
          m_context(given.context),
          m_op(given.op),
          m_operands(given.operands),
          m_config(given.config) {}

    /// One product. Errors: OutOfMemory for scratch; those of launching.
    [[nodiscard]] Result<void> run();
    /// The forward products of a chain that is computed again.
    [[nodiscard]] Result<void> runChain();

private:
    /// The tensors of one product of a layer, by what they are.
    struct Product {
        /// Kind, roles and layers of the product that makes the layer's activations; memory is the caller's.
        [[nodiscard]] static Product forward(std::int32_t layer);

        MatmulKind kind{};
        TensorRole firstRole{}, secondRole{}, resultRole{};
        std::int32_t firstLayer = 0, secondLayer = 0, resultLayer = 0;
        void* first = nullptr;
        void* second = nullptr;
        void* result = nullptr;
        void* maskOut = nullptr;         ///< bits that the forward product leaves
        const void* maskBits = nullptr;  ///< bits that the gradient reads, or ...
        const void* maskOf = nullptr;    ///< ... h itself (fp8)
        bool relu = false;
        bool accumulate = false;
    };
    struct Scratch;

    [[nodiscard]] Result<void> multiply(const Product& product, const Scratch& scratch);
    [[nodiscard]] Result<void> multiplyFp8(const Product& product, const Scratch& scratch);
    [[nodiscard]] Result<void> multiplyScaled(const Product& product, const MatmulShape& plain,
                                              MatmulOperands operands, EncodeArguments seen);
    [[nodiscard]] MatmulShape shapeOf(const Product& product) const;
    /// Enqueues the prepared product of this shape. `around`: what is done beside it, for the log.
    [[nodiscard]] Result<void> runMatmul(const MatmulShape& shape, const MatmulOperands& operands,
                                         const AroundProduct& around = {}) const;
    /// The pass over a result after the library's product, with no epilogue yet.
    [[nodiscard]] EncodeArguments passOver(const Product& product, const MatmulShape& shape) const;
    [[nodiscard]] Result<void> encode(const EncodeArguments& arguments) const;

    const OpArguments& m_given;
    const StepContext& m_context;
    const Op& m_op;
    const Operands& m_operands;
    const RunConfig& m_config;
};

}  // namespace plumb::cuda
