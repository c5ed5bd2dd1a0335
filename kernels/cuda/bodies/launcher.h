// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/bodies/block.h"

#ifndef __CUDACC__
#include <utility>
#endif

namespace plumb::cuda {

/// Blocks that a grid may have.
inline constexpr Index kMostBlocks = 0x7fffffff;

/// What the functions that choose a body hand it to: launch<Body>(arguments), which starts as many blocks as
/// the body asks for and returns 0 or an error. On a device see launch.cuh; a host runs block after block.
#ifndef __CUDACC__
/// A block moved something before its wait, or never came to it: cudaErrorLaunchFailure.
inline constexpr int kRunsAhead = 719;

class HostLauncher {
public:
    /// Blocks are run from the last to the first: no result may depend on their order.
    explicit HostLauncher(bool backwards = false, Index mostBlocks = kMostBlocks)
        : m_backwards(backwards), m_mostBlocks(mostBlocks) {}

    template <class Body>
    int launch(const typename Body::Arguments& arguments) const {
        const Index blocks = Body::blocks(arguments);
        const Index count = blocks < m_mostBlocks ? blocks : m_mostBlocks;
        for (Index i = 0; i < count; ++i) {
            HostBlock block(m_backwards ? count - 1 - i : i, count);
            typename Body::Shared shared;
            hostWait.isAhead = true;
            hostWait.bytesAhead = 0;
            Body::run(block, shared, arguments);
            if (std::exchange(hostWait.isAhead, false) || hostWait.bytesAhead > 0) return kRunsAhead;
        }
        return 0;
    }

private:
    bool m_backwards;
    Index m_mostBlocks;
};
#endif

}  // namespace plumb::cuda
