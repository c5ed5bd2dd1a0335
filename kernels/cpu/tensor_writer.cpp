// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/tensor_writer.h"

#include "core/base/entry_at.h"
#include "kernels/common/report.h"
#include "kernels/common/scales.h"
#include "kernels/common/tally_policy.h"
#include "kernels/common/tensor_memory.h"
#include "kernels/cpu/parallel.h"

#include <algorithm>
#include <cmath>

namespace plumb::cpu {

TensorWriter::TensorWriter(const StepPlan& plan, const OpCall& call, const Kernels& kernels, int threads)
    : m_config(plan.config),
      m_call(call),
      m_kernels(kernels),
      m_threads(threads),
      m_isPartial(call.opIndex >= 0 && plan.op(call.opIndex).isPartial) {
    const auto address = [&](TensorId id) { return id < 0 ? nullptr : call.buffer(id).data; };
    m_statistics = static_cast<double*>(address(plan.statistics));
    m_lossScale = static_cast<double*>(address(plan.lossScale));
    m_scales = static_cast<float*>(address(plan.scales));
}

TrackedTensor TensorWriter::tensor(TensorRole role, std::int32_t layer) const {
    TrackedTensor tensor{.role = role,
                         .dtype = common::storedAs(m_config, role),
                         .slot = statisticsSlot(m_config, role, layer)};
    if (tensor.isFp8()) tensor.scale = m_scales[tensor.slot * kScalesColumns];
    return tensor;
}

bool TensorWriter::tallies(const TrackedTensor& target, Phase phase) const {
    return !m_isPartial && common::isLookedAt(m_config, m_call, phase, target.role);
}

float TensorWriter::setFirstScale(const TrackedTensor& target, float largest) {
    return m_scales[target.slot * kScalesColumns] = common::isSeenWhole(m_config, target.role)
                                                        ? common::fp8Scale(target.storage(), largest)
                                                        : common::fp8FirstScale(target.storage(), largest);
}

void TensorWriter::report(const TrackedTensor& target, const Tally& tally) {
    if (m_call.writesStatistics) reportStatistics(target, tally);
    if (m_lossScale != nullptr && target.role == TensorRole::Gradient && common::holdsNotFinite(tally))
        m_lossScale[kLossScaleNotFinite] = 1;
    if (target.isFp8())
        common::reportAmax(m_scales + target.slot * kScalesColumns, m_call.step, tally.amax,
                           m_call.microBatch == 0);
}

void TensorWriter::reportStatistics(const TrackedTensor& target, const Tally& tally) {
    const double unscale = common::isGradient(target.role) ? 1 / lossScale() : 1;
    // A parameter's gradient is whole only after the last micro-batch, which overwrites the others.
    const bool fresh = m_call.microBatch == 0 || target.role == TensorRole::Gradient;
    common::reportStatistics(m_statistics + target.slot * kStatisticCount, tally, fresh, unscale);
}

double TensorWriter::run(const TrackedTensor& target, Phase phase, std::int64_t units, std::int64_t unit,
                         std::int64_t cost, const Work& work) {
    if (!tallies(target, phase))
        return forParts(units, unit, cost, WritePart{target.scale, nullptr, true}, work).sum;
    float scale = target.scale;
    if (scale == 0) {
        const Outcome seen = forParts(units, unit, cost, WritePart{1, m_tallies.data(), false}, work);
        scale = setFirstScale(target, seen.tally.amax);
    }
    const Outcome seen = forParts(units, unit, cost, WritePart{scale, m_tallies.data(), true}, work);
    report(target, seen.tally);
    return seen.sum;
}

TensorWriter::Outcome TensorWriter::forParts(std::int64_t units, std::int64_t unit, std::int64_t cost,
                                             const WritePart& part, const Work& work) {
    const std::int64_t groups = std::max<std::int64_t>((units + unit - 1) / unit, 1);
    const std::int64_t parts = fixedParts(units * cost, std::min(kMostParts, groups));
    const std::int64_t costOfPart = std::max<std::int64_t>(units * cost / parts, 1);
    const auto border = [&](std::int64_t at) { return std::min(units, groups * at / parts * unit); };
    parallelRanges(m_threads, parts, 1, (kElementsPerThread - 1) / costOfPart + 1,
                   [&](std::int64_t begin, std::int64_t end) {
                       for (std::int64_t at = begin; at < end; ++at) {
                           const auto index = static_cast<std::size_t>(at);
                           WritePart own = part;
                           m_tallies[index] = Tally{};
                           if (own.tally != nullptr) own.tally = &m_tallies[index];
                           m_sums[index] = work(border(at), border(at + 1), own);
                       }
                   });
    Outcome total;
    for (std::int64_t at = 0; at < parts; ++at) {
        total.sum += entryAt(m_sums, at);
        total.tally.add(entryAt(m_tallies, at));
    }
    return total;
}

void TensorWriter::write(const TrackedTensor& target, Phase phase, Epilogue epilogue, const float* in,
                         void* out, const void* mask, std::int64_t count) {
    constexpr std::int64_t kUnit = 64;  // elements; whole cache lines for every type
    const bool inPlace = in == out;
    if (inPlace && epilogue == Epilogue::Plain && !tallies(target, phase)) return;
    const std::int64_t size = dtypeSize(target.dtype);
    const std::int64_t maskSize = dtypeSize(m_config.activationDtype());
    const auto encode = entryAt(m_kernels.encode[target.type()], epilogue);
    run(target, phase, count, kUnit, 1, [&](std::int64_t begin, std::int64_t end, const WritePart& part) {
        EncodeArguments arguments;
        arguments.in = in + begin;
        if (part.write) arguments.out = static_cast<std::byte*>(out) + begin * size;
        if (mask != nullptr) arguments.mask = static_cast<const std::byte*>(mask) + begin * maskSize;
        arguments.count = end - begin;
        arguments.factor = part.factor;
        arguments.tally = part.tally;
        encode(arguments);
        return 0.0;
    });
}

}  // namespace plumb::cpu
