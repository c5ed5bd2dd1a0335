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

    /// Nodes from here on belong to an execution of an op of the plan.
    void setOp(NodeOp op);
    /// They belong to none.
    void endOp() { setOp({}); }
    [[nodiscard]] NodeOps nodes() const;

    void onResource(CUpti_CallbackId id, const CUpti_ResourceData& data) override;

private:
    [[nodiscard]] std::uint64_t idOf(CUgraphNode node) const;  ///< 0: not known

    const CuptiApi& m_api;
    mutable std::mutex m_mutex;  ///< graphs may be made on any thread
    NodeOp m_op;
    NodeOps m_nodes;
};

}  // namespace plumb::cupti
