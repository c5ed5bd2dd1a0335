// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace plumb {

/// The whole file. Errors: Io (missing, no permission, a directory, a pipe or device or anything else that is
/// not a regular file: those are refused at once and never waited for), BadInput when it is over
/// `limitBytes`; a file whose size is known is refused before anything of it is read.
[[nodiscard]] Result<std::string> readFile(const std::string& path, std::size_t limitBytes);

/// At most the first `bytes` of the file. Errors: Io as readFile().
[[nodiscard]] Result<std::string> readFileStart(const std::string& path, std::size_t bytes);

/// Writes to a temporary name in the same folder, syncs, renames; on any failure the old file is untouched
/// and the temporary one is removed. Errors: Io with the system's reason ("No space left on device", ...).
///
/// A symbolic link stays and its target is replaced. Permissions (and owner, where allowed) of an existing
/// file are kept; one that this user must not write is refused although a rename could replace it. Devices
/// and pipes (/dev/stdout) are written directly.
[[nodiscard]] Result<void> writeFileAtomically(const std::string& path, std::string_view content);

/// A read-only memory map. Moves, unmaps on destruction.
///
/// The file must not shrink while it is mapped: the system ends a process that reads pages which are gone.
class MappedFile {
public:
    /// Errors: Io (missing, no permission, not a regular file, cannot be mapped). An empty file is an empty
    /// span.
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
