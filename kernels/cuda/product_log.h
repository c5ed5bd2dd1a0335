// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/library_product.h"
#include "kernels/cuda/matmul.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace plumb::cuda {

/// Which products of the matrix library the ops of a step ran, noted where they are enqueued.
class ProductLog {
public:
    /// Of a step with so many ops; what was noted before is forgotten.
    void begin(std::size_t ops);
    /// `matmul` outlives what is noted. The same product with the same passes around it is noted once, and
    /// once for each op.
    void note(std::int32_t op, const Matmul& matmul, const std::vector<PassApart>& apart,
              const std::string& fallback);
    [[nodiscard]] LibraryProducts products() const;

private:
    struct Entry {
        const Matmul* matmul = nullptr;
        std::vector<PassApart> apart;
        std::string fallback;
    };
    std::vector<Entry> m_entries;
    std::vector<std::vector<std::int32_t>> m_ofOp;
};

}  // namespace plumb::cuda
