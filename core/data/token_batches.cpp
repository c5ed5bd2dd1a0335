// SPDX-License-Identifier: Apache-2.0
#include "core/data/token_batches.h"

#include "core/base/philox.h"
#include "core/data/sample_split.h"

#include <fmt/format.h>

#include <vector>

namespace plumb {

namespace {

Result<TokenFile> openFile(const RunConfig& config) {
    switch (config.effectiveDataFormat()) {
    case DataFormat::TokensNpy:
        return TokenFile::openNpy(config.data, config.vocabulary);
    case DataFormat::TokensI32:
        return TokenFile::open(config.data, TokenType::I32, config.vocabulary);
    default:
        return TokenFile::open(config.data, TokenType::U16, config.vocabulary);
    }
}

/// A whole number below `limit`, every one as likely as another to 2^-31 or better.
std::int64_t drawBelow(std::int64_t limit, std::uint64_t seed, std::int64_t position) {
    const PhiloxBlock block = philoxAt(seed, RandomStream::Windows, 0, static_cast<std::uint64_t>(position));
    const std::uint64_t random = (std::uint64_t{block.word[0]} << 32U) | block.word[1];
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::int64_t>((Wide{random} * static_cast<std::uint64_t>(limit)) >> 64U);
}

}  // namespace

Result<std::unique_ptr<TokenBatches>> TokenBatches::open(const RunConfig& config) {
    PLUMB_TRY(TokenFile file, openFile(config));
    const std::int64_t tokens = file.tokens();
    const std::int64_t outputs = config.outputWidth();
    const std::int64_t all = tokens < outputs ? 0 : (tokens - outputs) / config.dim;
    const bool holds = config.holdOut > 0;
    // The held-out windows end the file. Between them and the others K tokens are targets of the others.
    const std::int64_t apart = holds ? (outputs + config.dim - 1) / config.dim : 0;
    if (all < (holds ? 2 + apart : 1))
        return Error{ErrorCode::BadInput,
                     fmt::format("{} is too short for {} of dim + outputs = {} + {} tokens ({} tokens)",
                                 config.data,
                                 holds ? "a window to train on and one to hold out" : "one window",
                                 config.dim, outputs, tokens),
                     "give a longer file or a smaller dim"};
    const std::int64_t heldOut = heldOutOf(all - apart, config.holdOut);
    const std::int64_t windows = all - apart - heldOut;
    std::unique_ptr<TokenBatches> batches(new TokenBatches(std::move(file), config, windows, heldOut));
    batches->m_heldOutBegin = (all - heldOut) * config.dim;
    const std::int64_t end = holds ? batches->m_heldOutBegin : tokens;
    batches->m_starts = end - config.dim - outputs + 1;
    return batches;
}

std::int64_t TokenBatches::beginOf(std::int64_t position) const {
    return m_random ? drawBelow(m_starts, m_seed, position) : m_order.at(position) * m_dim;
}

Result<void> TokenBatches::copyWindows(std::span<const std::int64_t> begins, std::span<float> x,
                                       std::span<float> t) const {
    const auto dim = static_cast<std::size_t>(m_dim);
    const auto outputs = static_cast<std::size_t>(m_outputs);
    for (const std::int64_t begin : begins) m_file.willRead(begin, m_dim + m_outputs);
    for (std::size_t i = 0; i < begins.size(); ++i) {
        PLUMB_CHECK(m_file.copyScaled(begins[i], x.subspan(i * dim, dim)));
        PLUMB_CHECK(m_file.copyScaled(begins[i] + m_dim, t.subspan(i * outputs, outputs)));
    }
    return {};
}

Result<void> TokenBatches::copySamples(std::int64_t first, std::span<float> x, std::span<float> t) const {
    std::vector<std::int64_t> begins(t.size() / static_cast<std::size_t>(m_outputs));
    if (m_random) {
        for (std::size_t i = 0; i < begins.size(); ++i)
            begins[i] = beginOf(first + static_cast<std::int64_t>(i));
    } else {
        m_order.fill(first, begins);
        for (std::int64_t& begin : begins) begin *= m_dim;
    }
    return copyWindows(begins, x, t);
}

Result<void> TokenBatches::copyHeldOut(std::int64_t first, std::span<float> x, std::span<float> t) const {
    std::vector<std::int64_t> begins(t.size() / static_cast<std::size_t>(m_outputs));
    for (std::size_t i = 0; i < begins.size(); ++i)
        begins[i] = m_heldOutBegin + (first + static_cast<std::int64_t>(i)) * m_dim;
    return copyWindows(begins, x, t);
}

std::string TokenBatches::describe(std::int64_t position) const {
    const std::int64_t begin = beginOf(position);
    return fmt::format("tokens {} to {} of {}", begin, begin + m_dim + m_outputs - 1, m_file.path());
}

std::string TokenBatches::summary() const {
    std::string text = fmt::format("{}, {} tokens, {} windows", m_file.path(), m_file.tokens(), samples());
    if (m_random) text += " an epoch, from random places";
    if (m_heldOut > 0) text += fmt::format(", {} held out", m_heldOut);
    return text;
}

}  // namespace plumb
