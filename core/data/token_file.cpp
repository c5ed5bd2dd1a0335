// SPDX-License-Identifier: Apache-2.0
#include "core/data/token_file.h"

#include "core/io/npy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <vector>

namespace plumb {

static_assert(std::endian::native == std::endian::little, "ids are read as they lie in the file");

namespace {

std::int64_t tokenBytes(TokenType type) {
    switch (type) {
    case TokenType::U16:
        return 2;
    case TokenType::I32:
        return 4;
    case TokenType::I64:
        break;
    }
    return 8;
}

template <class Id>
Id idAt(const std::byte* ids, std::int64_t index) {
    Id id;
    std::memcpy(&id, ids + index * static_cast<std::int64_t>(sizeof id), sizeof id);
    return id;
}

/// Returns the largest id, a negative one counted as very large. Scaled in double, which holds every id.
template <class Id>
std::uint64_t scaleIds(const std::byte* ids, double middle, double factor, std::span<float> target) {
    std::uint64_t largest = 0;
    const auto count = static_cast<std::int64_t>(target.size());
    float* const to = target.data();
    for (std::int64_t i = 0; i < count; ++i) {
        const Id id = idAt<Id>(ids, i);
        largest = std::max(largest, static_cast<std::uint64_t>(id));
        to[i] = static_cast<float>((static_cast<double>(id) - middle) * factor);
    }
    return largest;
}

}  // namespace

Result<TokenFile> TokenFile::open(const std::string& path, TokenType type, std::int64_t vocabulary) {
    PLUMB_TRY(StreamedFile file, StreamedFile::open(path));
    const auto bytes = static_cast<std::int64_t>(file.size());
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

Result<TokenFile> TokenFile::openNpy(const std::string& path, std::int64_t vocabulary) {
    PLUMB_TRY(StreamedFile file, StreamedFile::open(path));
    PLUMB_TRY(const NpyHeader header, parseNpyHeader(file.start(), path));
    PLUMB_TRY(const NpyType type, npyElementType(header.descr, path));
    const std::string found =
        fmt::format("{} holds {} of shape [{}]", path, npyTypeName(type), fmt::join(header.shape, ", "));
    if (!isInteger(type))
        return Error{ErrorCode::BadInput, found + ", which are features, and their targets are missing",
                     "give --targets FILE.npy as well; token ids are uint16, int32 or int64"};
    if (header.shape.size() != 1)
        return Error{ErrorCode::BadInput, found + ", and token ids have one dimension",
                     "give --targets FILE.npy where they are features, or save array.reshape(-1)"};
    TokenType tokens{};
    if (type == NpyType::UInt16)
        tokens = TokenType::U16;
    else if (type == NpyType::Int32)
        tokens = TokenType::I32;
    else if (type == NpyType::Int64)
        tokens = TokenType::I64;
    else
        return Error{ErrorCode::BadInput, found + ", and token ids are read as uint16, int32 or int64",
                     "save array.astype('int32')"};
    PLUMB_TRY(const NpyShape shape, npyShape(header, type, file.size(), path));
    TokenFile made(std::move(file), path, tokens, vocabulary);
    made.m_tokens = shape.rows;
    made.m_offset = header.dataOffset;
    return made;
}

std::size_t TokenFile::placeOf(std::int64_t token) const {
    return m_offset + static_cast<std::size_t>(token * tokenBytes(m_type));
}

void TokenFile::willRead(std::int64_t first, std::int64_t count) const {
    m_file.willRead(placeOf(first), static_cast<std::size_t>(count * tokenBytes(m_type)));
}

Result<void> TokenFile::copyScaled(std::int64_t first, std::span<float> target) const {
    const auto count = static_cast<std::int64_t>(target.size());
    assert(first >= 0 && first + count <= m_tokens);
    std::vector<std::byte> room;
    PLUMB_TRY(const std::byte* const ids,
              m_file.view(placeOf(first), static_cast<std::size_t>(count * tokenBytes(m_type)), room));
    const auto size = static_cast<double>(m_vocabulary);
    const double factor = std::sqrt(12.0) / size;
    std::uint64_t largest = 0;
    switch (m_type) {
    case TokenType::U16:
        largest = scaleIds<std::uint16_t>(ids, size / 2, factor, target);
        break;
    case TokenType::I32:
        largest = scaleIds<std::int32_t>(ids, size / 2, factor, target);
        break;
    case TokenType::I64:
        largest = scaleIds<std::int64_t>(ids, size / 2, factor, target);
        break;
    }
    if (largest >= static_cast<std::uint64_t>(m_vocabulary)) return refuseId(ids, first, count);
    return {};
}

Error TokenFile::refuseId(const std::byte* ids, std::int64_t first, std::int64_t count) const {
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t id = m_type == TokenType::U16   ? idAt<std::uint16_t>(ids, i)
                                : m_type == TokenType::I32 ? idAt<std::int32_t>(ids, i)
                                                           : idAt<std::int64_t>(ids, i);
        if (id < 0)
            return Error{
                ErrorCode::BadInput, fmt::format("token {} of {} is negative ({})", first + i, m_path, id),
                "check that the file holds ids, in little-endian order and of the size that was said"};
        if (id >= m_vocabulary)
            return Error{ErrorCode::BadInput,
                         fmt::format("token {} of {} is outside the vocabulary of {} ({})", first + i, m_path,
                                     m_vocabulary, id),
                         fmt::format("give --vocabulary {} or more", id + 1)};
    }
    return internalError("an id was refused that is inside the vocabulary");
}

}  // namespace plumb
