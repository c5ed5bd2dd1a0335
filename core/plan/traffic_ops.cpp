// SPDX-License-Identifier: Apache-2.0
#include "core/plan/traffic_ops.h"

#include "core/plan/control_tensors.h"
#include "core/plan/shards.h"
#include "core/plan/traffic.h"

#include <algorithm>

namespace plumb {

bool TrafficOps::isLast() const {
    const RunConfig& config = m_builder.config();
    return config.parallel.data > 1 && m_builder.pass() == (config.microBatches() > 1 ? 1 : 0);
}

Op& TrafficOps::newTraffic(OpKind kind, Phase phase, std::int32_t layer) {
    Op& op = m_builder.newTraffic(kind, phase);
    op.layer = layer;
    op.isHead = layer > m_builder.config().layers;
    return op;
}

void TrafficOps::finish(TensorId& exchange) {
    Op& op = m_builder.plan().ops.back();
    const Bytes exchanged = m_builder.plan().traits.exchanges ? exchangeBytes(m_builder.plan(), op) : 0;
    if (exchanged > 0) {
        if (exchange < 0)
            exchange = m_builder.addTensor(TensorRole::ExchangeBuffer, Category::Communication, Dtype::Fp32,
                                           op.axis == RankAxis::Tensor ? op.layer : 0, 1, 0);
        Tensor& buffer = m_builder.tensor(exchange);
        buffer.columns = std::max(buffer.columns, (exchanged + 3) / 4);
        m_builder.append(op.writes, oneTensor(exchange));
    }
    m_builder.finishOp();
}

void TrafficOps::reduce(Phase phase, TensorRange moved, TensorId& exchange) {
    Op& op = newTraffic(OpKind::AllReduce, phase, 0);
    op.reads = {moved};
    op.writes = {moved};
    finish(exchange);
}

void TrafficOps::reduceLoss(Phase phase, TensorId loss, std::int32_t firstColumn, std::int32_t columns,
                            RankAxis axis) {
    Op& op = newTraffic(OpKind::AllReduce, phase, 0);
    op.axis = axis;
    op.firstColumn = firstColumn;
    op.columns = columns;
    op.reads = {oneTensor(loss)};
    op.writes = {oneTensor(loss)};
    TensorId own = -1;  // a few bytes; that of the gradients is not needed yet, or not any more
    finish(own);
}

void TrafficOps::sendLoss(TensorId loss) {
    if (isLast()) reduceLoss(Phase::Loss, loss, kLossValue, 1);
}

void TrafficOps::sendGradient(std::int32_t layer, TensorRange gradient, TensorRange slice) {
    if (shares(Zero::Gradients)) return scatterSoon(layer, gradient, slice);
    if (!isLast()) return;
    if (m_bucket.count == 0) m_bucketBytes = 0;
    m_bucket = {gradient.first, m_bucket.count + 1};
    m_bucketBytes += m_builder.tensor(m_bucket.first).bytes();
    if (layer > 1 && m_bucketBytes < (m_buckets == 0 ? kFirstBucketBytes : kBucketBytes)) return;
    Op& op =
        newTraffic(shares(Zero::States) ? OpKind::ReduceScatter : OpKind::AllReduce, Phase::Backward, layer);
    op.reads = {m_bucket};
    op.writes = {m_bucket};
    finish(m_exchange);
    m_bucket = {};
    ++m_buckets;
}

// Two whole gradients are there at most: the one that is computed, and the one that is on its way.
void TrafficOps::scatterSoon(std::int32_t layer, TensorRange gradient, TensorRange slice) {
    Op& op = newTraffic(OpKind::ReduceScatter, Phase::Backward, layer);
    op.executions = m_builder.executions();
    op.accumulates = m_builder.pass() > 0;
    op.reads = {gradient};
    if (op.accumulates) m_builder.append(op.reads, slice);
    op.writes = {slice};
    finish(m_exchange);
    if (m_lastScatter >= 0) m_builder.joinByNext(m_lastScatter);
    m_lastScatter = m_builder.plan().opCount() - 1;
}

void TrafficOps::endPass() {
    const TensorId scales = m_builder.plan().scales;
    if (isLast() && scales >= 0) reduce(Phase::Backward, oneTensor(scales), m_exchange);
    if (!shares(Zero::Gradients)) return;
    m_builder.joinAtEnd();
    m_exchange = m_lastScatter = -1;  // the next micro-batch begins anew
}

void TrafficOps::gatherWeight(Phase phase, std::int32_t layer, std::int32_t forLayer, TensorRange slice,
                              TensorRange gathered) {
    Op& op = newTraffic(OpKind::AllGather, phase, layer);
    op.executions = m_builder.executions();
    op.forLayer = forLayer;
    op.reads = {slice};
    op.writes = {gathered};
    m_builder.finishOp();
}

// Beside the collectives of the other axis, so that its buffer is its own.
void TrafficOps::sumParts(Phase phase, std::int32_t layer, std::int32_t forLayer, TensorRange part) {
    Op& op = newTraffic(OpKind::AllReduce, phase, layer);
    op.axis = RankAxis::Tensor;
    op.executions = m_builder.executions();
    op.forLayer = forLayer;
    op.reads = {part};
    op.writes = {part};
    TensorId own = -1;
    finish(own);
}

void TrafficOps::sendNorm(TensorId loss) {
    if (shares(Zero::States)) reduceLoss(Phase::Optimizer, loss, kLossGradientSquares, 1);
    if (m_builder.config().parallel.tensor > 1)
        reduceLoss(Phase::Optimizer, loss, kLossGradientSquares, 1, RankAxis::Tensor);
}

// Those that are not known before the update.
void TrafficOps::reduceNorms(TensorId loss, RankAxis axis) {
    const std::size_t first = needsNormFirst(m_builder.config()) ? kLossUpdateSquares : kLossGradientSquares;
    reduceLoss(Phase::Optimizer, loss, static_cast<std::int32_t>(first),
               static_cast<std::int32_t>(kLossColumns - first), axis);
}

void TrafficOps::sendUpdated(TensorRange weights, TensorId loss) {
    if (m_builder.config().parallel.tensor > 1) reduceNorms(loss, RankAxis::Tensor);
    if (!shares(Zero::States)) return;
    m_exchange = -1;
    TensorRange bucket{weights.first, 0};
    Bytes bytes = 0;
    for (TensorId id = weights.first; !shares(Zero::Weights) && id < weights.first + weights.count; ++id) {
        ++bucket.count;
        bytes += m_builder.tensor(id).bytes();
        if (bytes < kBucketBytes && id + 1 < weights.first + weights.count) continue;
        Op& op = newTraffic(OpKind::AllGather, Phase::Optimizer, m_builder.tensor(bucket.first).layer);
        op.reads = {bucket};
        op.writes = {bucket};
        m_builder.finishOp();
        bucket = {id + 1, 0};
        bytes = 0;
    }
    if (const TensorId scales = m_builder.plan().scales; scales >= 0)
        reduce(Phase::Optimizer, oneTensor(scales), m_exchange);
    reduceNorms(loss, RankAxis::Data);
}

}  // namespace plumb
