// SPDX-License-Identifier: Apache-2.0
#include "core/train/token_batches.h"

#include <fmt/format.h>

#include <vector>

namespace plumb {

Result<std::unique_ptr<TokenBatches>> TokenBatches::open(const RunConfig& config, TokenType type) {
    PLUMB_TRY(TokenFile file, TokenFile::open(config.data, type, config.vocabulary));
    const std::int64_t tokens = file.tokens();
    if (tokens - config.outputs < config.dim)
        return Error{
            ErrorCode::BadInput,
            fmt::format("{} is too short for one window of dim + outputs = {} + {} tokens ({} tokens)",
                        config.data, config.dim, config.outputs, tokens),
            "give a longer file or a smaller dim"};
    const std::int64_t windows = (tokens - config.outputs) / config.dim;
    return std::unique_ptr<TokenBatches>(new TokenBatches(std::move(file), config, windows));
}

Result<void> TokenBatches::copySamples(std::int64_t first, std::span<float> x, std::span<float> t) const {
    const auto dim = static_cast<std::size_t>(m_dim);
    const auto outputs = static_cast<std::size_t>(m_outputs);
    std::vector<std::int64_t> windows(t.size() / outputs);
    m_order.fill(first, windows);
    for (const std::int64_t window : windows) m_file.willRead(window * m_dim, m_dim + m_outputs);
    for (std::size_t i = 0; i < windows.size(); ++i) {
        const std::int64_t begin = windows[i] * m_dim;
        PLUMB_CHECK(m_file.copyScaled(begin, x.subspan(i * dim, dim)));
        PLUMB_CHECK(m_file.copyScaled(begin + m_dim, t.subspan(i * outputs, outputs)));
    }
    return {};
}

std::string TokenBatches::describe(std::int64_t position) const {
    const std::int64_t begin = m_order.at(position) * m_dim;
    return fmt::format("tokens {} to {} of {}", begin, begin + m_dim + m_outputs - 1, m_file.path());
}

std::string TokenBatches::summary() const {
    return fmt::format("{}, {} tokens, {} windows", m_file.path(), m_file.tokens(), samples());
}

}  // namespace plumb
