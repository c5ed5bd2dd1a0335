// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/bodies/block.h"

namespace plumb::cuda {

/// Blocks that a grid may have.
inline constexpr Index kMostBlocks = 0x7fffffff;

/// What the functions that choose a body and its grid hand them to: launch<Body>(blocks, arguments), which
/// returns 0 or an error. On a device see launch.cuh; a host runs block after block.
#ifndef __CUDACC__
class HostLauncher {
public:
    /// Blocks are run from the last to the first: no result may depend on their order.
    explicit HostLauncher(bool backwards = false, Index mostBlocks = kMostBlocks)
        : m_backwards(backwards), m_mostBlocks(mostBlocks) {}

    template <class Body>
    int launch(Index blocks, const typename Body::Arguments& arguments) const {
        const Index count = blocks < m_mostBlocks ? blocks : m_mostBlocks;
        for (Index i = 0; i < count; ++i) {
            HostBlock block(m_backwards ? count - 1 - i : i, count);
            typename Body::Shared shared;
            Body::run(block, shared, arguments);
        }
        return 0;
    }

private:
    bool m_backwards;
    Index m_mostBlocks;
};
#endif

}  // namespace plumb::cuda
