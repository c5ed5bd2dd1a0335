// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/batch_loader.h"

#include "core/base/entry_at.h"
#include "core/base/philox.h"
#include "core/model/synthetic_task.h"
#include "kernels/cpu/parallel.h"

#include <algorithm>
#include <array>
#include <span>

namespace plumb::cpu {

namespace {

constexpr std::int64_t kChunk = 512;       ///< a multiple of the lanes of weightedSums
constexpr std::int64_t kCostOfNumber = 4;  ///< drawing one, in elements of a pass (kElementsPerThread)

double sumOfLanes(const double* lanes) {
    return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

}  // namespace

BatchLoader::BatchLoader(const RunConfig& config, const Kernels& kernels, int threads)
    : m_config(config), m_kernels(kernels), m_threads(threads), m_scale(syntheticScale(config.dim)) {}

void BatchLoader::load(const BatchRequest& request, TensorWriter& writer) const {
    const TrackedTensor features = writer.tensor(TensorRole::Features, 0);
    const std::int64_t rows = m_config.microBatchSize();
    if (request.staged != nullptr) {
        copyStaged(request, features, writer);
        return;
    }
    const std::int64_t drawn = m_config.dim + 2 * m_config.outputWidth();  // x, noise, what wraps around
    writer.run(features, Phase::Data, rows, 1, kCostOfNumber * drawn,
               [&](std::int64_t begin, std::int64_t end, const WritePart& part) {
                   synthesise(request, features, begin, end, part);
                   return 0.0;
               });
}

void BatchLoader::store(const TrackedTensor& features, const float* in, void* x, std::int64_t at,
                        std::int64_t count, const WritePart& part) const {
    auto* out = static_cast<std::byte*>(x) + at * dtypeSize(features.dtype);
    if (static_cast<const void*>(in) == out && part.tally == nullptr) return;
    m_kernels.encode[features.type()][0](
        {in, part.write ? out : nullptr, nullptr, count, part.factor, part.tally});
}

void BatchLoader::synthesise(const BatchRequest& request, const TrackedTensor& features,
                             std::int64_t rowBegin, std::int64_t rowEnd, const WritePart& part) const {
    const std::int64_t dim = m_config.dim;
    const std::int64_t outputs = m_config.outputWidth();
    const bool plain = features.dtype == Dtype::Fp32;
    const auto sub = static_cast<std::uint32_t>(request.step);
    const NormalStream numbers{m_config.seed, static_cast<std::uint32_t>(RandomStream::Features), sub};
    const NormalStream noise{m_config.seed, static_cast<std::uint32_t>(RandomStream::Noise), sub};
    alignas(64) std::array<float, kChunk> chunk;

    m_kernels.normals(noise, static_cast<std::uint64_t>((request.firstSample + rowBegin) * outputs),
                      (rowEnd - rowBegin) * outputs, request.t + rowBegin * outputs);
    for (std::int64_t row = rowBegin; row < rowEnd; ++row) {
        const auto first = static_cast<std::uint64_t>((request.firstSample + row) * dim);
        std::array<double, 16> lanes{};
        for (std::int64_t column = 0; column < dim; column += kChunk) {
            const std::int64_t count = std::min(kChunk, dim - column);
            const std::int64_t place = row * dim + column;
            float* x = plain ? static_cast<float*>(request.x) + place : chunk.data();
            m_kernels.normals(numbers, first + static_cast<std::uint64_t>(column), count, x);
            m_kernels.weightedSums(x, column, count, lanes.data());
            store(features, x, request.x, place, count, part);
        }
        // From one output to the next every weight grows by 1, but the largest, D - 1, which falls to 0:
        // O(D + K) work instead of O(D K).
        const double sum = sumOfLanes(lanes.data());
        double weighted = dim == 1 ? sum : sumOfLanes(lanes.data() + 8);
        // The columns D - 1, D - 2, ..., 0, D - 1, ... wrap around, as many at a time as lie side by side.
        for (std::int64_t k = 0; k < outputs;) {
            const std::int64_t last = dim - 1 - k % dim;
            const std::int64_t count = std::min({kChunk, outputs - k, last + 1});
            if (k + 1 < outputs)
                m_kernels.normals(numbers, first + static_cast<std::uint64_t>(last + 1 - count), count,
                                  chunk.data());
            for (std::int64_t i = count; i-- > 0; ++k) {
                float& target = request.t[row * outputs + k];  // the noise so far
                target =
                    static_cast<float>(weighted * m_scale + m_config.noise * static_cast<double>(target));
                if (dim > 1 && k + 1 < outputs)
                    weighted += sum - static_cast<double>(dim) * static_cast<double>(entryAt(chunk, i));
            }
        }
    }
}

void BatchLoader::copyStaged(const BatchRequest& request, const TrackedTensor& features,
                             TensorWriter& writer) const {
    const std::int64_t rows = m_config.microBatchSize();
    const std::int64_t count = rows * m_config.dim;
    writer.write(features, Phase::Data, Epilogue::Plain, request.staged, request.x, nullptr, count);
    std::copy_n(request.staged + count, rows * m_config.outputWidth(), request.t);
}

}  // namespace plumb::cpu
