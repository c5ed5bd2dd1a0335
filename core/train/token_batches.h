// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/token_file.h"
#include "core/model/run_config.h"
#include "core/train/batch_source.h"
#include "core/train/epoch_order.h"

#include <cstdint>
#include <memory>

namespace plumb {

/// Windows of a token file, as language-model loaders make them: the features of sample n are the D tokens
/// from n * D on, the targets the K tokens that follow. Windows do not overlap, so that every token is a
/// feature once per epoch; what is left at the end is dropped. Their order is that of EpochOrder, as Megatron
/// and llm.c shuffle windows and unlike nanoGPT, which draws offsets with replacement and so has no epochs.
/// Ids are scaled to mean 0 and variance 1 (TokenFile::copyScaled()).
class TokenBatches final : public BatchSource {
public:
    /// Errors: those of TokenFile::open(); BadInput for a file too short for one window of D + K tokens.
    [[nodiscard]] static Result<std::unique_ptr<TokenBatches>> open(const RunConfig& config, TokenType type);

    [[nodiscard]] std::int64_t samples() const override { return m_order.count(); }
    [[nodiscard]] Result<void> copySamples(std::int64_t first, std::span<float> x,
                                           std::span<float> t) const override;
    [[nodiscard]] std::string describe(std::int64_t position) const override;
    [[nodiscard]] std::string summary() const override;

private:
    TokenBatches(TokenFile file, const RunConfig& config, std::int64_t windows)
        : m_file(std::move(file)),
          m_order(windows, config.seed),
          m_dim(config.dim),
          m_outputs(config.outputs) {}
    TokenFile m_file;
    EpochOrder m_order;
    std::int64_t m_dim;
    std::int64_t m_outputs;
};

}  // namespace plumb
