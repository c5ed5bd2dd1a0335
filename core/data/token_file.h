// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/streamed_file.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace plumb {

/// How one token id is stored; little-endian.
enum class TokenType : std::uint8_t { U16, I32, I64 };

/// Token ids as language-model loaders keep their corpora: a flat file without a header, or a .npy.
class TokenFile {
public:
    /// `vocabulary`: ids are in [0, vocabulary). Errors: BadInput for an empty file, or one whose length is
    /// no whole number of tokens; Io as readFile(). The ids themselves are checked when they are read.
    [[nodiscard]] static Result<TokenFile> open(const std::string& path, TokenType type,
                                                std::int64_t vocabulary);

    /// A .npy file of one dimension of uint16, int32 or int64. Errors: as open(), and BadInput for another
    /// shape or type; an array of features is told from one of ids.
    [[nodiscard]] static Result<TokenFile> openNpy(const std::string& path, std::int64_t vocabulary);

    [[nodiscard]] std::int64_t tokens() const { return m_tokens; }
    [[nodiscard]] const std::string& path() const { return m_path; }
    /// Whether copyScaled() only reads memory.
    [[nodiscard]] bool isInMemory() const { return !m_file.isStreamed(); }

    /// Announces that these tokens are read next; see StreamedFile.
    void willRead(std::int64_t first, std::int64_t count) const;
    /// Writes tokens from `first` on to `target` as (id / vocabulary - 1/2) * sqrt(12): ids that are spread
    /// evenly have mean 0 and variance 1. Any thread. Pre: all of them are in the file.
    /// Errors: BadInput naming the first id outside the vocabulary and its place; Io as
    /// StreamedFile::view().
    [[nodiscard]] Result<void> copyScaled(std::int64_t first, std::span<float> target) const;

private:
    TokenFile(StreamedFile file, std::string path, TokenType type, std::int64_t vocabulary)
        : m_file(std::move(file)), m_path(std::move(path)), m_type(type), m_vocabulary(vocabulary) {}
    [[nodiscard]] std::size_t placeOf(std::int64_t token) const;
    [[nodiscard]] Error refuseId(const std::byte* ids, std::int64_t first, std::int64_t count) const;

    StreamedFile m_file;
    std::string m_path;
    TokenType m_type;
    std::int64_t m_vocabulary;
    std::int64_t m_tokens = 0;
    std::size_t m_offset = 0;  ///< bytes before the first id
};

}  // namespace plumb
