// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/library_product.h"
#include "kernels/cuda/matmul.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace plumb::cuda {

/// What is done around a product, and why.
struct AroundProduct {
    std::vector<PassApart> apart;
    std::string fallback;
    std::optional<EpilogueTimes> epilogue;
};

/// Which products of the matrix library the ops of a step ran, noted where they are enqueued.
class ProductLog {
public:
    /// Of a step with so many ops; what was noted before is forgotten.
    void begin(std::size_t ops);
    /// `matmul` outlives what is noted. The same product with the same passes around it is noted once, and
    /// once for each op.
    void note(std::int32_t op, const Matmul& matmul, const AroundProduct& around);
    [[nodiscard]] LibraryProducts products() const;

private:
    struct Entry {
        const Matmul* matmul = nullptr;
        AroundProduct around;
    };
    std::vector<Entry> m_entries;
    std::vector<std::vector<std::int32_t>> m_ofOp;
};

}  // namespace plumb::cuda
