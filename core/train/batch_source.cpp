// SPDX-License-Identifier: Apache-2.0
#include "core/train/batch_source.h"

#include "core/train/npy_batches.h"
#include "core/train/token_batches.h"

namespace plumb {

Result<std::unique_ptr<BatchSource>> openData(const RunConfig& config) {
    if (config.data == "synthetic") return std::unique_ptr<BatchSource>();
    if (config.readsTokens()) {
        const bool wide = config.effectiveDataFormat() == DataFormat::TokensI32;
        PLUMB_TRY(auto tokens, TokenBatches::open(config, wide ? TokenType::I32 : TokenType::U16));
        return std::unique_ptr<BatchSource>(std::move(tokens));
    }
    PLUMB_TRY(auto rows, NpyBatches::open(config));
    return std::unique_ptr<BatchSource>(std::move(rows));
}

}  // namespace plumb
