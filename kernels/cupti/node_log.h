// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cupti/activity_parser.h"
#include "kernels/cupti/subscription.h"

#include <mutex>

namespace plumb::cupti {

/// Remembers which op was current when a node of a CUDA graph was made, and which nodes of executable graphs
/// are copies of it: records of kernels in a graph name their node and not what launched them. Must be
/// watching before the graph is instantiated.
class NodeLog final : public CallbackSink {
public:
    explicit NodeLog(const CuptiApi& api) : m_api(api) {}
    /// Turns the callbacks on. Pre: `subscription` was opened with this sink.
    [[nodiscard]] static Result<void> watch(Subscription& subscription);

    /// Nodes from here on belong to `op` of the plan; -1: to none.
    void setOp(std::int32_t op);
    [[nodiscard]] NodeOps nodes() const;

    void onResource(CUpti_CallbackId id, const CUpti_ResourceData& data) override;

private:
    [[nodiscard]] std::uint64_t idOf(CUgraphNode node) const;  ///< 0: not known

    const CuptiApi& m_api;
    mutable std::mutex m_mutex;  ///< graphs may be made on any thread
    std::int32_t m_op = -1;
    NodeOps m_nodes;
};

}  // namespace plumb::cupti
