// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/optimizer_runner.h"

#include "core/base/entry_at.h"
#include "core/plan/control_tensors.h"
#include "core/plan/shards.h"
#include "kernels/common/report.h"
#include "kernels/common/rule_settings.h"
#include "kernels/common/scales.h"
#include "kernels/common/tally_policy.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/tensor_writer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace plumb::cpu {

namespace {

constexpr std::int64_t kMostParts = 256;

/// A part of one matrix.
struct Segment {
    std::size_t matrix = 0;
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

// About kMostParts segments, and one more per matrix at most; a function of the matrices alone.
std::vector<Segment> segmentsOf(const std::vector<ParameterMatrix>& matrices) {
    std::int64_t all = 0;
    for (const ParameterMatrix& matrix : matrices) all += matrix.count();
    const std::int64_t parts = fixedParts(all, kMostParts);
    const std::int64_t size = (all / parts + kRuleBlock - 1) / kRuleBlock * kRuleBlock + kRuleBlock;
    std::vector<Segment> segments;
    for (std::size_t index = 0; index < matrices.size(); ++index)
        for (std::int64_t begin = 0; begin < matrices[index].count(); begin += size)
            segments.push_back({index, begin, std::min(begin + size, matrices[index].count())});
    return segments;
}

// Calls work(segment, sums) for all of them; returns the sums by segment.
template <class Work>
std::vector<PartSums> forSegments(const std::vector<Segment>& segments, int threads, Work&& work) {
    std::vector<PartSums> sums(segments.size());
    if (segments.empty()) return sums;  // of small matrices the last ranks have none
    const std::int64_t size = std::max<std::int64_t>(segments.front().end - segments.front().begin, 1);
    parallelRanges(threads, static_cast<std::int64_t>(segments.size()), 1,
                   (kElementsPerThread - 1) / size + 1, [&](std::int64_t begin, std::int64_t end) {
                       for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
                           work(segments[i], sums[i]);
                   });
    return sums;
}

}  // namespace

void PartSums::add(const PartSums& other) {
    squares.add(other.squares);
    sum += other.sum;
    tally.add(other.tally);
}

void ParameterAccess::write(const ParameterMatrix& matrix, std::int64_t begin, std::int64_t count,
                            const float* parameters, Tally& seen) const {
    EncodeArguments arguments{.in = parameters,
                              .out = matrix.weight.at(begin),
                              .count = count,
                              .factor = matrix.weight.encodeFactor};
    if (m_looksAtWeights) arguments.tally = &seen;
    if (static_cast<const void*>(parameters) == arguments.out && arguments.tally == nullptr) return;
    entryAt(entryAt(m_kernels.encode, matrix.weight.storage), Epilogue::Plain)(arguments);
}

OptimizerRunner::OptimizerRunner(const StepPlan& plan, const PreparedOp& op, const OpCall& call,
                                 const Kernels& kernels, int threads)
    : m_plan(plan), m_call(call), m_kernels(kernels), m_threads(threads) {
    const RunConfig& config = plan.config;
    const auto address = [&](TensorId id) { return id < 0 ? nullptr : call.buffer(id).data; };
    m_loss = static_cast<double*>(address(plan.loss));
    m_lossScale = static_cast<double*>(address(plan.lossScale));
    m_statistics = static_cast<double*>(address(plan.statistics));
    m_scales = static_cast<float*>(address(plan.scales));
    m_looksAtWeights = common::looksAtWeights(config, call);

    const auto stored = [&](TensorId id, Dtype dtype, std::int64_t slot) {
        StoredTensor tensor{.data = static_cast<std::byte*>(address(id)),
                            .storage = storageOf(dtype),
                            .elementBytes = dtypeSize(dtype)};
        if (m_scales != nullptr && dtypeSize(dtype) == 1) {
            tensor.encodeFactor = m_scales[slot * kScalesColumns];
            tensor.decodeFactor = 1 / tensor.encodeFactor;
        }
        return tensor;
    };
    const auto matrices = static_cast<std::int32_t>(config.matrices());
    m_matrices.reserve(static_cast<std::size_t>(matrices));
    const Operands& operands = op.operands;
    for (std::int32_t layer = 1; layer <= matrices; ++layer) {
        const auto ofLayer = [layer](const TensorRange& range) {
            return range.count > 0 ? range.first + layer - 1 : -1;
        };
        const Slice own = ownSlice(config, plan.place, layer);
        const MatrixPart part = partOf(config, layer);
        ParameterMatrix matrix{.rows = part.rows,
                               .columns = part.columns,
                               .own = own.elements(),
                               .slot = statisticsSlot(config, TensorRole::Weight, layer),
                               .counts = countsFor(config, plan.place, layer)};
        // The own slice of a tensor that is whole begins in it.
        const auto ownOf = [&](StoredTensor tensor, TensorRole role) {
            if (tensor.data != nullptr && !isSliced(config.parallel, role))
                tensor.data = tensor.at(own.begin);
            return tensor;
        };
        matrix.weight =
            ownOf(stored(ofLayer(operands.weights), config.weightDtype(), matrix.slot), TensorRole::Weight);
        matrix.gradient = ownOf(stored(ofLayer(operands.gradients), config.parameterGradientDtype(),
                                       statisticsSlot(config, TensorRole::Gradient, layer)),
                                TensorRole::Gradient);
        matrix.master = static_cast<float*>(address(ofLayer(operands.masters)));
        for (std::size_t state = 0; state < operands.states.size(); ++state)
            matrix.states[state] = static_cast<float*>(address(ofLayer(operands.states[state])));
        m_matrices.push_back(matrix);
    }
}

void OptimizerRunner::runNorm() const {
    const double scale = m_lossScale != nullptr ? m_lossScale[kLossScaleValue] : 1;
    m_loss[kLossGradientSquares] = gradientSquares() / (scale * scale);
}

double OptimizerRunner::gradientSquares() const {
    const ParameterAccess access(m_kernels, false);
    const auto parts =
        forSegments(segmentsOf(m_matrices), m_threads, [&](const Segment& segment, PartSums& seen) {
            if (!m_matrices[segment.matrix].counts) return;
            const StoredTensor& gradient = m_matrices[segment.matrix].gradient;
            alignas(64) std::array<float, kRuleBlock> room;
            const std::int64_t block = gradient.plain() ? segment.end - segment.begin : kRuleBlock;
            for (std::int64_t begin = segment.begin; begin < segment.end; begin += block) {
                const std::int64_t count = std::min(block, segment.end - begin);
                seen.sum +=
                    m_kernels.optimizer.squares(access.read(gradient, begin, count, room.data()), count);
            }
        });
    PartSums total;
    for (const PartSums& part : parts) total.add(part);
    return total.sum;
}

// What one rank has may be finite and the sum of all may not; the sum is the same on all of them.
void OptimizerRunner::lookAtReducedGradients() const {
    if (m_plan.config.parallel.ranks() == 1) return;
    if (m_call.writesStatistics) reportReducedGradients();
    if (m_lossScale == nullptr) return;
    const double squares = needsNormFirst(m_plan.config) ? m_loss[kLossGradientSquares] : gradientSquares();
    if (!std::isfinite(squares)) m_lossScale[kLossScaleNotFinite] = 1;
}

// In place of what the products saw, which are the gradients of one rank's samples.
void OptimizerRunner::reportReducedGradients() const {
    const ParameterAccess access(m_kernels, false);
    const std::vector<Segment> segments = segmentsOf(m_matrices);
    const auto parts = forSegments(segments, m_threads, [&](const Segment& segment, PartSums& part) {
        const StoredTensor& gradient = m_matrices[segment.matrix].gradient;
        alignas(64) std::array<float, kRuleBlock> room;
        for (std::int64_t begin = segment.begin; begin < segment.end; begin += kRuleBlock) {
            EncodeArguments look;
            look.count = std::min<std::int64_t>(kRuleBlock, segment.end - begin);
            look.in = access.read(gradient, begin, look.count, room.data());
            look.factor = 1;
            look.tally = &part.tally;
            entryAt(entryAt(m_kernels.encode, gradient.storage), Epilogue::Plain)(look);
        }
    });
    const double unscale = m_lossScale != nullptr ? 1 / m_lossScale[kLossScaleValue] : 1;
    std::vector<Tally> tallies(m_matrices.size());
    for (std::size_t i = 0; i < parts.size(); ++i) tallies[segments[i].matrix].add(parts[i].tally);
    for (std::size_t matrix = 0; matrix < tallies.size(); ++matrix) {
        const std::int64_t slot =
            statisticsSlot(m_plan.config, TensorRole::Gradient, static_cast<std::int32_t>(matrix) + 1);
        common::reportStatistics(m_statistics + slot * kStatisticCount, tallies[matrix], true, unscale);
    }
}

void OptimizerRunner::runStep() {
    lookAtReducedGradients();
    if (skips()) {
        backOff();
        return;
    }
    const float factor = gradientFactor();
    const std::int64_t step = m_lossScale != nullptr
                                  ? static_cast<std::int64_t>(m_lossScale[kLossScaleGoodSteps]) + 1
                                  : m_call.optimizer.step;
    if (m_scales != nullptr) setWeightScales();
    const PartSums total =
        m_plan.config.optimizer == Optimizer::Adafactor ? runAdafactor(step, factor) : runRule(step, factor);
    // Else GradientNorm has written the norm before it.
    if (!needsNormFirst(m_plan.config)) m_loss[kLossGradientSquares] = total.squares.gradient;
    m_loss[kLossUpdateSquares] = total.squares.update;
    m_loss[kLossWeightSquares] = total.squares.parameter;
    if (m_scales != nullptr) setOtherScales();
    if (m_lossScale != nullptr) countGoodStep();
}

float OptimizerRunner::gradientFactor() const {
    const double clipNorm = m_plan.config.clipNorm;
    return common::gradientFactor(m_lossScale, clipNorm,
                                  clipNorm > 0 ? std::sqrt(m_loss[kLossGradientSquares]) : 0);
}

PartSums OptimizerRunner::runRule(std::int64_t step, float factor) const {
    const RuleConstants constants = common::ruleConstants(m_plan.config, m_call.optimizer.learningRate, step);
    const auto rule = entryAt(m_kernels.optimizer.rules, common::ruleOf(m_plan.config));
    const ParameterAccess access(m_kernels, m_looksAtWeights);
    const std::vector<Segment> segments = segmentsOf(m_matrices);
    const auto parts = forSegments(segments, m_threads, [&](const Segment& segment, PartSums& seen) {
        const ParameterMatrix& matrix = m_matrices[segment.matrix];
        alignas(64) std::array<float, kRuleBlock> parameterRoom;
        alignas(64) std::array<float, kRuleBlock> gradientRoom;
        const std::int64_t block = access.direct(matrix) ? segment.end - segment.begin : kRuleBlock;
        for (std::int64_t begin = segment.begin; begin < segment.end; begin += block) {
            RuleArguments run;
            run.count = std::min(block, segment.end - begin);
            run.parameter = access.parameters(matrix, begin, run.count, parameterRoom.data());
            run.gradient = access.read(matrix.gradient, begin, run.count, gradientRoom.data());
            for (std::size_t state = 0; state < std::size(matrix.states); ++state)
                run.states[state] = matrix.states[state] == nullptr ? nullptr : matrix.states[state] + begin;
            run.gradientFactor = factor;
            run.constants = &constants;
            run.squares = &seen.squares;
            rule(run);
            access.write(matrix, begin, run.count, run.parameter, seen.tally);
        }
    });
    std::vector<PartSums> sums(m_matrices.size());
    for (std::size_t i = 0; i < parts.size(); ++i) sums[segments[i].matrix].add(parts[i]);
    PartSums total;
    for (std::size_t matrix = 0; matrix < sums.size(); ++matrix) {
        reportWeights(m_matrices[matrix], sums[matrix].tally);
        if (m_matrices[matrix].counts) total.add(sums[matrix]);
    }
    return total;
}

PartSums OptimizerRunner::runAdafactor(std::int64_t step, float factor) const {
    const ParameterAccess access(m_kernels, m_looksAtWeights);
    PartSums total;
    for (const ParameterMatrix& matrix : m_matrices) {
        PartSums ofMatrix;
        adafactorStep(matrix, access, m_plan.config, m_call.optimizer.learningRate, step, factor, m_threads,
                      ofMatrix);
        reportWeights(matrix, ofMatrix.tally);
        total.add(ofMatrix);
    }
    return total;
}

void OptimizerRunner::reportWeights(const ParameterMatrix& matrix, const Tally& tally) const {
    if (!m_looksAtWeights) return;
    if (m_call.writesStatistics)
        common::reportStatistics(m_statistics + matrix.slot * kStatisticCount, tally, true, 1);
    if (m_scales != nullptr)
        m_scales[matrix.slot * kScalesColumns + 1 + m_call.step % kAmaxHistory] = tally.amax;
}

// ---- fp16

bool OptimizerRunner::skips() const {
    return m_lossScale != nullptr && m_lossScale[kLossScaleNotFinite] != 0;
}

void OptimizerRunner::backOff() const {
    common::backOff(m_lossScale, m_plan.config.lossScaling.backoff);
    m_loss[kLossGradientSquares] = std::numeric_limits<double>::quiet_NaN();
    m_loss[kLossUpdateSquares] = 0;
    m_loss[kLossWeightSquares] = 0;
}

void OptimizerRunner::countGoodStep() const {
    const LossScaling& scaling = m_plan.config.lossScaling;
    common::countGoodStep(m_lossScale, scaling.growth, scaling.interval);
}

// ---- fp8

void OptimizerRunner::setScale(std::int64_t slot, Dtype dtype) const {
    float* const entry = m_scales + slot * kScalesColumns;
    entry[0] = common::fp8NextScale(storageOf(dtype), entry);
}

// The weights are stored anew with their new scale; what they are stored with now is in the decode factor.
void OptimizerRunner::setWeightScales() {
    for (ParameterMatrix& matrix : m_matrices) {
        setScale(matrix.slot, m_plan.config.weightDtype());
        matrix.weight.encodeFactor = m_scales[matrix.slot * kScalesColumns];
    }
}

void OptimizerRunner::setOtherScales() const {
    const RunConfig& config = m_plan.config;
    for (std::int32_t layer = 0; layer <= config.matrices(); ++layer)
        for (const auto& [role, dtype] :
             {std::pair{layer == 0 ? TensorRole::Features : TensorRole::Activation, config.activationDtype()},
              std::pair{TensorRole::Gradient, config.parameterGradientDtype()},
              std::pair{layer > config.layers ? TensorRole::HeadGradient : TensorRole::ActivationGradient,
                        config.activationGradientDtype()}}) {
            const std::int64_t slot = statisticsSlot(config, role, layer);
            if (slot >= 0 && dtypeSize(dtype) == 1) setScale(slot, dtype);
        }
}

}  // namespace plumb::cpu
