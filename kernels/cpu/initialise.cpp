// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/initialise.h"

#include "core/base/entry_at.h"
#include "core/base/philox.h"
#include "core/model/initial_weights.h"
#include "core/plan/shards.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/prepared_step.h"
#include "kernels/cpu/tensor_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace plumb::cpu {

namespace {

constexpr std::int64_t kChunk = 512;

class Initialiser {
public:
    Initialiser(const StepPlan& plan, std::span<const Buffer> tensors, const Kernels& kernels, int threads,
                std::uint64_t seed)
        : m_plan(plan), m_tensors(tensors), m_kernels(kernels), m_threads(threads), m_seed(seed) {
        // The tensors of a role follow each other, layer after layer.
        for (std::size_t id = plan.tensors.size(); id-- > 0;)
            if (plan.tensors[id].role == TensorRole::Master) m_firstMaster = static_cast<TensorId>(id);
    }

    [[nodiscard]] Result<void> run() const {
        for (std::size_t id = 0; id < m_plan.tensors.size(); ++id) {
            if (!m_plan.tensors[id].persistent()) continue;
            PLUMB_CHECK(requireSize(id));
            fill(id, 0.0F);
        }
        if (m_plan.lossScale >= 0)
            *static_cast<double*>(data(m_plan.lossScale)) = m_plan.config.lossScaling.initial;
        fillSums();
        for (std::size_t id = 0; id < m_plan.tensors.size(); ++id)
            if (m_plan.tensors[id].role == TensorRole::Weight) fillWeight(id);
        return {};
    }

private:
    template <class Id>
    [[nodiscard]] void* data(Id id) const {
        return entryAt(m_tensors, id).data;
    }
    [[nodiscard]] Result<void> requireSize(std::size_t id) const {
        const Tensor& tensor = m_plan.tensors[id];
        PLUMB_TRY(const Bytes bytes, tensorBytes(m_plan.config, tensor));
        if (id < m_tensors.size() && m_tensors[id].data != nullptr && m_tensors[id].bytes >= bytes) return {};
        return internalError(
            fmt::format(R"(the tensor "{}" was to be initialised, but is not resident or too small)",
                        tensorName(m_plan, tensor)));
    }

    // All bits the same is enough: everything starts at 0 or is filled with fp32 numbers afterwards.
    void fill(std::size_t id, float value) const {
        auto* floats = static_cast<float*>(data(id));
        auto* bytes = static_cast<std::byte*>(data(id));
        parallelRanges(m_threads, m_tensors[id].bytes, 4096, kElementsPerThread * 4,
                       [&](std::int64_t begin, std::int64_t end) {
                           if (value == 0)
                               std::memset(bytes + begin, 0, static_cast<std::size_t>(end - begin));
                           else
                               std::fill(floats + begin / 4, floats + end / 4, value);
                       });
    }

    void fillSums() const {
        const int sums = stateIndex(m_plan.config, OptimizerState::SumOfSquares);
        const auto start = static_cast<float>(m_plan.config.setting(Setting::InitialAccumulator));
        if (sums != 0 || start == 0) return;
        for (std::size_t id = 0; id < m_plan.tensors.size(); ++id)
            if (m_plan.tensors[id].role == TensorRole::Moment1) fill(id, start);
    }

    // Numbers [begin, begin + count) of a weight matrix, before they are rounded.
    void draw(const InitialWeights& weights, const NormalStream& stream, std::int64_t begin,
              std::int64_t count, float* out) const {
        using Distribution = InitialWeights::Distribution;
        const auto which = static_cast<RandomStream>(stream.stream);
        const auto first = static_cast<std::uint64_t>(begin);
        if (weights.distribution == Distribution::Uniform)
            for (std::int64_t i = 0; i < count; ++i)
                out[i] = uniformFromPhilox(
                    philoxAt(stream.seed, which, stream.sub, first + static_cast<std::uint64_t>(i)));
        else
            m_kernels.normals(stream, first, count, out);
        if (weights.distribution == Distribution::TruncatedNormal)
            for (std::int64_t i = 0; i < count; ++i)
                if (!(out[i] >= -3.0F && out[i] <= 3.0F))
                    out[i] = truncatedNormalAt(stream.seed, which, stream.sub,
                                               first + static_cast<std::uint64_t>(i));
        const auto factor = static_cast<float>(weights.factor);
        for (std::int64_t i = 0; i < count; ++i) out[i] *= factor;
    }

    // Rows of a part of the matrix; each is a stretch of the numbers of all of it.
    void fillPart(const InitialWeights& weights, const NormalStream& stream, const MatrixPart& mine,
                  const TrackedTensor& target, TensorWriter& writer, std::byte* out, float* master) const {
        const std::int64_t size = dtypeSize(target.dtype);
        const std::int64_t columnsOfAll = m_plan.config.columnsOf(stream.sub);
        const auto encode = m_kernels.encode[target.type()][0];
        writer.run(
            target, Phase::Optimizer, mine.rows, 1, 8 * mine.columns,
            [&](std::int64_t begin, std::int64_t end, const WritePart& part) {
                alignas(64) std::array<float, kChunk> chunk;
                for (std::int64_t row = begin; row < end; ++row)
                    for (std::int64_t at = 0; at < mine.columns; at += kChunk) {
                        const std::int64_t count = std::min(kChunk, mine.columns - at);
                        draw(weights, stream, (mine.firstRow + row) * columnsOfAll + mine.firstColumn + at,
                             count, chunk.data());
                        const std::int64_t to = row * mine.columns + at;
                        if (master != nullptr) std::copy_n(chunk.data(), count, master + to);
                        encode({chunk.data(), out + to * size, nullptr, count, part.factor, part.tally});
                    }
                return 0.0;
            });
    }

    void fillWeight(std::size_t id) const {
        const Tensor& weight = m_plan.tensors[id];
        const bool head = weight.layer > m_plan.config.layers;
        const InitialWeights weights = initialWeights(m_plan.config, weight.layer);
        auto* master =
            m_firstMaster < 0 ? nullptr : static_cast<float*>(data(m_firstMaster + weight.layer - 1));
        const NormalStream stream{
            m_seed, static_cast<std::uint32_t>(head ? RandomStream::Head : RandomStream::Weights),
            static_cast<std::uint32_t>(weight.layer)};

        // With statistics, so that the scale of the weights is known before the first step.
        OpCall call;
        call.tensors = m_tensors;
        call.writesStatistics = true;
        TensorWriter writer(m_plan, call, m_kernels, m_threads);
        const TrackedTensor target = writer.tensor(TensorRole::Weight, weight.layer);
        auto* out = static_cast<std::byte*>(data(id));
        const std::int64_t size = dtypeSize(target.dtype);
        if (splitOf(m_plan.config, weight.layer) != MatrixSplit::None)
            return fillPart(weights, stream, partOf(m_plan.config, weight.layer, m_plan.place), target,
                            writer, out, master);
        const Slice own = ownSlice(m_plan.config, m_plan.place, weight.layer);
        const bool sliced = isSliced(m_plan.config.parallel, TensorRole::Weight);
        // All numbers are looked at, whichever of them this rank has: their scale is that of the matrix.
        writer.run(target, Phase::Optimizer, m_plan.config.dim * m_plan.config.columnsOf(weight.layer),
                   kChunk, 8, [&](std::int64_t begin, std::int64_t end, const WritePart& part) {
                       alignas(64) std::array<float, kChunk> chunk;
                       for (std::int64_t at = begin; at < end; at += kChunk) {
                           const std::int64_t count = std::min(kChunk, end - at);
                           draw(weights, stream, at, count, chunk.data());
                           const Slice mine{std::max(at, own.begin), std::min(at + count, own.end)};
                           const bool writes = part.write && mine.elements() > 0;
                           if (master != nullptr && writes)
                               std::copy_n(chunk.data() + (mine.begin - at), mine.elements(),
                                           master + (mine.begin - own.begin));
                           const auto encode = m_kernels.encode[target.type()][0];
                           const bool stays = part.write && !sliced;
                           encode({chunk.data(), stays ? out + at * size : nullptr, nullptr, count,
                                   part.factor, part.tally});
                           if (sliced && writes)
                               encode({chunk.data() + (mine.begin - at),
                                       out + (mine.begin - own.begin) * size, nullptr, mine.elements(),
                                       part.factor, nullptr});
                       }
                       return 0.0;
                   });
    }

    const StepPlan& m_plan;
    std::span<const Buffer> m_tensors;
    const Kernels& m_kernels;
    int m_threads;
    std::uint64_t m_seed;
    TensorId m_firstMaster = -1;
};

}  // namespace

Result<void> initialiseTensors(const StepPlan& plan, std::span<const Buffer> tensors, const Kernels& kernels,
                               int threads, std::uint64_t seed) {
    return Initialiser(plan, tensors, kernels, threads, seed).run();
}

}  // namespace plumb::cpu
