// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/batch_source.h"
#include "core/data/epoch_order.h"
#include "core/data/token_file.h"
#include "core/model/run_config.h"

#include <cstdint>
#include <memory>

namespace plumb {

/// Windows of a token file, as language-model loaders make them: the features of a sample are D tokens in a
/// row, the targets the K tokens that follow. Ids are scaled to mean 0 and variance 1
/// (TokenFile::copyScaled()).
///
/// Consecutive windows begin at n * D and do not overlap, so that every token is a feature once per epoch;
/// what is left at the end is dropped. Their order is that of EpochOrder, as Megatron and llm.c shuffle.
/// Random windows begin anywhere, as nanoGPT draws them: with replacement and overlapping, each a function
/// of the seed and its position in the stream alone. An epoch is then as many as there are consecutive ones.
///
/// What is held out is the end of the file, so that no window of the training reaches into it.
class TokenBatches final : public BatchSource {
public:
    /// Errors: those of TokenFile; BadInput for a file too short for one window of D + K tokens, and one more
    /// where some are held out.
    [[nodiscard]] static Result<std::unique_ptr<TokenBatches>> open(const RunConfig& config);

    [[nodiscard]] std::int64_t samples() const override { return m_order.count(); }
    [[nodiscard]] Result<void> copySamples(std::int64_t first, std::span<float> x,
                                           std::span<float> t) const override;
    [[nodiscard]] std::string describe(std::int64_t position) const override;
    [[nodiscard]] std::string summary() const override;
    [[nodiscard]] bool isInMemory() const override { return m_file.isInMemory(); }
    [[nodiscard]] std::int64_t heldOut() const override { return m_heldOut; }
    [[nodiscard]] Result<void> copyHeldOut(std::int64_t first, std::span<float> x,
                                           std::span<float> t) const override;

private:
    TokenBatches(TokenFile file, const RunConfig& config, std::int64_t windows, std::int64_t heldOut)
        : m_file(std::move(file)),
          m_order(windows, config.seed),
          m_seed(config.seed),
          m_random(config.tokenWindows == TokenWindows::Random),
          m_heldOut(heldOut),
          m_dim(config.dim),
          m_outputs(config.outputWidth()) {}
    /// The first token of the sample at this position of the stream.
    [[nodiscard]] std::int64_t beginOf(std::int64_t position) const;
    [[nodiscard]] Result<void> copyWindows(std::span<const std::int64_t> begins, std::span<float> x,
                                           std::span<float> t) const;

    TokenFile m_file;
    EpochOrder m_order;
    std::uint64_t m_seed;
    bool m_random;
    std::int64_t m_heldOut;  ///< windows
    std::int64_t m_starts = 1;
    std::int64_t m_heldOutBegin = 0;
    std::int64_t m_dim;
    std::int64_t m_outputs;
};

}  // namespace plumb
