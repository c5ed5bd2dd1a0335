// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace plumb {

/// The whole file. Errors: Io (missing, no permission, a directory), BadInput when it is over `limitBytes`.
[[nodiscard]] Result<std::string> readFile(const std::string& path, std::size_t limitBytes);

/// Writes to a temporary name in the same folder, syncs, renames; on any failure the old file is untouched and
/// the temporary one is removed. Errors: Io with the system's reason ("No space left on device", ...).
[[nodiscard]] Result<void> writeFileAtomically(const std::string& path, std::string_view content);

/// A read-only memory map. Moves, unmaps on destruction.
class MappedFile {
public:
    [[nodiscard]] static Result<MappedFile> open(const std::string& path);
    [[nodiscard]] std::span<const std::byte> bytes() const { return m_bytes; }

    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();

private:
    explicit MappedFile(std::span<const std::byte> bytes) : m_bytes(bytes) {}
    std::span<const std::byte> m_bytes;
};

}  // namespace plumb
