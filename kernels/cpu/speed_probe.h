// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/machine/machine_speed.h"
#include "kernels/cpu/kernels.h"
#include "kernels/cpu/product.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace plumb::cpu {

/// The work of a SpeedProbe on `threads` threads: a product of 256 x 256 x 256, a copy of 16 MiB, and
/// many turns of a loop. Everything is allocated and touched once, here.
class SpeedProbeWork {
public:
    /// Errors: those of Product::create().
    [[nodiscard]] static Result<std::unique_ptr<SpeedProbeWork>> create(const Kernels& kernels, int threads);
    /// Some 10 ms.
    [[nodiscard]] Result<SpeedProbe> run();

private:
    SpeedProbeWork(Product product, const Kernels& kernels, int threads);

    Product m_product;
    const Kernels& m_kernels;
    int m_threads;
    std::vector<float> m_a, m_b, m_c, m_from, m_to;
    std::vector<std::byte> m_scratch;
};

}  // namespace plumb::cpu
