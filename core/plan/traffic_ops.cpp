// SPDX-License-Identifier: Apache-2.0
#include "core/plan/traffic_ops.h"

#include "core/plan/traffic.h"

#include <algorithm>

namespace plumb {

bool TrafficOps::travels() const {
    const RunConfig& config = m_builder.config();
    return config.parallel.data > 1 && m_builder.pass() == (config.microBatches() > 1 ? 1 : 0);
}

void TrafficOps::addAllReduce(Phase phase, std::int32_t layer, TensorRange moved, TensorId& exchange) {
    Op& op = m_builder.newTraffic(OpKind::AllReduce, phase);
    op.layer = layer;
    op.isHead = layer > m_builder.config().layers;
    op.reads = {moved};
    op.writes = {moved};
    const Bytes exchanged = m_builder.plan().traits.exchanges ? exchangeBytes(m_builder.plan(), op) : 0;
    if (exchanged > 0) {
        if (exchange < 0)
            exchange = m_builder.addTensor(TensorRole::ExchangeBuffer, Category::Communication, Dtype::Fp32,
                                           0, 1, 0);
        Tensor& buffer = m_builder.tensor(exchange);
        buffer.columns = std::max(buffer.columns, (exchanged + 3) / 4);
        m_builder.append(op.writes, oneTensor(exchange));
    }
    m_builder.finishOp();
}

void TrafficOps::sendLoss(TensorId loss) {
    TensorId own = -1;  // a few bytes; that of the gradients is not needed yet
    if (travels()) addAllReduce(Phase::Loss, 0, oneTensor(loss), own);
}

void TrafficOps::sendGradient(std::int32_t layer, TensorRange gradient) {
    if (!travels()) return;
    if (m_bucket.count == 0) m_bucketBytes = 0;
    m_bucket = {gradient.first, m_bucket.count + 1};
    m_bucketBytes += m_builder.tensor(m_bucket.first).bytes();
    if (layer > 1 && m_bucketBytes < (m_buckets == 0 ? kFirstBucketBytes : kBucketBytes)) return;
    addAllReduce(Phase::Backward, layer, m_bucket, m_exchange);
    m_bucket = {};
    ++m_buckets;
}

void TrafficOps::sendScales() {
    const TensorId scales = m_builder.plan().scales;
    if (travels() && scales >= 0) addAllReduce(Phase::Backward, 0, oneTensor(scales), m_exchange);
}

}  // namespace plumb
