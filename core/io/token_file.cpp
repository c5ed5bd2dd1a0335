// SPDX-License-Identifier: Apache-2.0
#include "core/io/token_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <vector>

namespace plumb {

static_assert(std::endian::native == std::endian::little, "ids are read as they lie in the file");

namespace {

std::int64_t tokenBytes(TokenType type) { return type == TokenType::U16 ? 2 : 4; }

template <class Id>
Id idAt(const std::byte* ids, std::int64_t index) {
    Id id;
    std::memcpy(&id, ids + index * static_cast<std::int64_t>(sizeof id), sizeof id);
    return id;
}

/// Returns the largest id, a negative one counted as very large. Scaled in double, which holds every id.
template <class Id>
std::uint32_t scaleIds(const std::byte* ids, double middle, double factor, std::span<float> target) {
    std::uint32_t largest = 0;
    const auto count = static_cast<std::int64_t>(target.size());
    float* const to = target.data();
    for (std::int64_t i = 0; i < count; ++i) {
        const Id id = idAt<Id>(ids, i);
        largest = std::max(largest, static_cast<std::uint32_t>(id));
        to[i] = static_cast<float>((static_cast<double>(id) - middle) * factor);
    }
    return largest;
}

}  // namespace

Result<TokenFile> TokenFile::open(const std::string& path, TokenType type, std::int64_t vocabulary) {
    PLUMB_TRY(StreamedFile file, StreamedFile::open(path));
    const auto bytes = static_cast<std::int64_t>(file.bytes().size());
    const std::int64_t each = tokenBytes(type);
    if (bytes == 0)
        return Error{ErrorCode::BadInput, path + " is empty, and token ids are needed",
                     fmt::format("write them with array.astype('{}').tofile(path)",
                                 type == TokenType::U16 ? "uint16" : "int32")};
    if (bytes % each != 0)
        return Error{
            ErrorCode::BadInput,
            fmt::format("{} is not a whole number of {}-byte token ids ({} bytes)", path, each, bytes),
            fmt::format("check that it was copied to its end, and that its ids are {}",
                        type == TokenType::U16 ? "uint16" : "int32")};
    TokenFile tokens(std::move(file), path, type, vocabulary);
    tokens.m_tokens = bytes / each;
    return tokens;
}

void TokenFile::willRead(std::int64_t first, std::int64_t count) const {
    const auto each = static_cast<std::size_t>(tokenBytes(m_type));
    m_file.willRead(static_cast<std::size_t>(first) * each, static_cast<std::size_t>(count) * each);
}

Result<void> TokenFile::copyScaled(std::int64_t first, std::span<float> target) const {
    const auto count = static_cast<std::int64_t>(target.size());
    assert(first >= 0 && first + count <= m_tokens);
    std::vector<std::byte> room;
    PLUMB_TRY(const std::byte* const ids,
              m_file.view(static_cast<std::size_t>(first * tokenBytes(m_type)),
                          static_cast<std::size_t>(count * tokenBytes(m_type)), room));
    const auto size = static_cast<double>(m_vocabulary);
    const double factor = std::sqrt(12.0) / size;
    const std::uint32_t largest = m_type == TokenType::U16
                                      ? scaleIds<std::uint16_t>(ids, size / 2, factor, target)
                                      : scaleIds<std::int32_t>(ids, size / 2, factor, target);
    if (static_cast<std::int64_t>(largest) >= m_vocabulary) return refuseId(ids, first, count);
    return {};
}

Error TokenFile::refuseId(const std::byte* ids, std::int64_t first, std::int64_t count) const {
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t id =
            m_type == TokenType::U16 ? idAt<std::uint16_t>(ids, i) : idAt<std::int32_t>(ids, i);
        if (id < 0)
            return Error{ErrorCode::BadInput,
                         fmt::format("token {} of {} is negative ({})", first + i, m_path, id),
                         "check that the file holds int32 ids in little-endian order"};
        if (id >= m_vocabulary)
            return Error{ErrorCode::BadInput,
                         fmt::format("token {} of {} is outside the vocabulary of {} ({})", first + i, m_path,
                                     m_vocabulary, id),
                         fmt::format("give --vocabulary {} or more", id + 1)};
    }
    return Error{ErrorCode::Internal, "an id was refused that is inside the vocabulary", ""};
}

}  // namespace plumb
