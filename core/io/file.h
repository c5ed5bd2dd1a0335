// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/system_error.h"

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

/// A file that is written piece by piece and appears whole or not at all: what writeFileAtomically() does for
/// content that is not in one piece. Without commit() the destructor removes what was written.
class AtomicFile {
public:
    /// Errors: Io as writeFileAtomically().
    [[nodiscard]] static Result<AtomicFile> create(const std::string& path);
    /// Errors: Io with the system's reason; the file cannot be committed any more.
    [[nodiscard]] Result<void> write(std::span<const std::byte> bytes);
    /// Syncs the file, puts it in place and syncs the folder. Errors: Io; the old file is untouched.
    [[nodiscard]] Result<void> commit();
    /// True for a name that create() gives to the unfinished file of some target named `name`; a process that
    /// was killed leaves it behind.
    [[nodiscard]] static bool isTemporaryName(std::string_view entry, std::string_view name);

    AtomicFile(AtomicFile&& other) noexcept;
    AtomicFile& operator=(AtomicFile&& other) noexcept;
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    ~AtomicFile();

private:
    AtomicFile(std::string path, std::string target) : m_path(std::move(path)), m_target(std::move(target)) {}
    [[nodiscard]] Result<void> openTemporary();
    void discard();
    Descriptor m_file;
    std::string m_path;       ///< as the caller wrote it, for messages
    std::string m_target;     ///< links followed; empty: m_path is a device and is written directly
    std::string m_temporary;  ///< empty: there is none, or none any more
};

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
