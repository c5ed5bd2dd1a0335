// SPDX-License-Identifier: Apache-2.0
#include "kernels/cupti/node_log.h"

namespace plumb::cupti {

Result<void> NodeLog::watch(Subscription& subscription) {
    PLUMB_CHECK(subscription.enable(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED));
    return subscription.enable(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED);
}

void NodeLog::setOp(NodeOp op) {
    const std::scoped_lock lock(m_mutex);
    m_op = op;
}

NodeOps NodeLog::nodes() const {
    const std::scoped_lock lock(m_mutex);
    return m_nodes;
}

std::uint64_t NodeLog::idOf(CUgraphNode node) const {
    std::uint64_t id = 0;
    return node != nullptr && m_api.cuptiGetGraphNodeId(node, &id) == CUPTI_SUCCESS ? id : 0;
}

void NodeLog::onResource(CUpti_CallbackId id, const CUpti_ResourceData& data) {
    const auto* graph = static_cast<const CUpti_GraphData*>(data.resourceDescriptor);
    if (graph == nullptr) return;
    const std::uint64_t node = idOf(graph->node);
    if (node == 0) return;
    const std::scoped_lock lock(m_mutex);
    if (id == CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED) {
        // While nothing is being captured for an op, a node is nobody's.
        if (m_op.op >= 0) m_nodes.insert_or_assign(node, m_op);
    } else if (id == CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED) {
        if (const auto original = m_nodes.find(idOf(graph->originalNode)); original != m_nodes.end()) {
            const NodeOp op = original->second;
            m_nodes.insert_or_assign(node, op);
        }
    }
}

}  // namespace plumb::cupti
