// SPDX-License-Identifier: Apache-2.0
#include "core/train/npy_batches.h"

#include "core/base/philox.h"

#include <fmt/format.h>

#include <bit>

namespace plumb {

Result<std::unique_ptr<NpyBatches>> NpyBatches::open(const RunConfig& config) {
    PLUMB_TRY(NpyArray features, NpyArray::open(config.data));
    PLUMB_TRY(NpyArray targets, NpyArray::open(config.targets));
    if (features.columns() != config.dim)
        return Error{ErrorCode::BadInput,
                     fmt::format("features in {} have {} columns, but dim is {}", config.data,
                                 features.columns(), config.dim),
                     fmt::format("set dim to {}", features.columns())};
    if (targets.columns() != config.outputs)
        return Error{ErrorCode::BadInput,
                     fmt::format("targets in {} have {} columns, but outputs is {}", config.targets,
                                 targets.columns(), config.outputs),
                     fmt::format("set outputs to {}", targets.columns())};
    if (features.rows() != targets.rows())
        return Error{ErrorCode::BadInput,
                     fmt::format("{} has {} rows and {} has {}", config.data, features.rows(), config.targets,
                                 targets.rows()),
                     "give one target row for each feature row"};
    return std::unique_ptr<NpyBatches>(new NpyBatches(std::move(features), std::move(targets), config.seed));
}

std::int64_t NpyBatches::fileRow(std::int64_t row) const {
    const auto count = static_cast<std::uint64_t>(rows());
    const auto epoch = static_cast<std::uint32_t>(static_cast<std::uint64_t>(row) / count);
    const int halfBits = (std::bit_width(count - 1) + 1) / 2;
    const std::uint64_t mask = (std::uint64_t{1} << static_cast<unsigned>(halfBits)) - 1;
    std::uint64_t index = static_cast<std::uint64_t>(row) % count;
    if (count == 1) return 0;
    do {
        std::uint64_t left = index >> static_cast<unsigned>(halfBits);
        std::uint64_t right = index & mask;
        for (std::uint32_t round = 0; round < 4; ++round) {
            const PhiloxBlock block = philoxAt(m_seed, RandomStream::Order, epoch, (right << 2U) | round);
            const std::uint64_t mixed = left ^ (block.word[0] & mask);
            left = right;
            right = mixed;
        }
        index = (left << static_cast<unsigned>(halfBits)) | right;
    } while (index >= count);
    return static_cast<std::int64_t>(index);
}

void NpyBatches::copySample(std::int64_t row, std::span<float> x, std::span<float> t) const {
    const std::int64_t file = fileRow(row);
    m_features.copyRows({&file, 1}, x);
    m_targets.copyRows({&file, 1}, t);
}

std::string NpyBatches::describe(std::int64_t row) const {
    return fmt::format("row {} of {} or {}", fileRow(row), m_features.path(), m_targets.path());
}

}  // namespace plumb
