// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/system_error.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace plumb {

/// Returns the Error of a file whose content cannot be used: "PATH WHAT", with its remedy.
[[nodiscard]] inline Error badFile(const std::string& path, const std::string& what, std::string remedy) {
    return badInput(path + " " + what, std::move(remedy));
}

/// The whole file. Errors: Io (missing, no permission, a directory, a pipe or device or anything else that is
/// not a regular file: those are refused at once and never waited for), BadInput when it is over
/// `limitBytes`; a file whose size is known is refused before anything of it is read.
[[nodiscard]] Result<std::string> readFile(const std::string& path, std::size_t limitBytes);

/// The first `bytes` of the file, or all of a smaller one. Errors: Io as readFile().
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
///
/// Until commit() the file has no name where the file system can do that (O_TMPFILE), so that a process that
/// is killed leaves nothing. Elsewhere, and for the moment between naming and renaming, it has a temporary
/// name beside the target; what a killed process left under such a name, the next create() for the same
/// target removes. A lock of the file tells what is being written from what was left.
class AtomicFile {
public:
    /// Errors: Io as writeFileAtomically().
    [[nodiscard]] static Result<AtomicFile> create(const std::string& path);
    /// Errors: Io with the system's reason; the file cannot be committed any more.
    [[nodiscard]] Result<void> write(std::span<const std::byte> bytes);
    /// Syncs the file, puts it in place and syncs the folder. Errors: Io; the old file is untouched.
    [[nodiscard]] Result<void> commit();
    /// errno of the write() or commit() that failed; 0 when none has.
    [[nodiscard]] int problem() const { return m_problem; }
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
    [[nodiscard]] std::string temporaryName() const;
    [[nodiscard]] int nameFile();
    void removeAbandoned() const;
    void discard();
    Descriptor m_file;
    std::string m_path;       ///< as the caller wrote it, for messages
    std::string m_target;     ///< links followed; empty: m_path is a device and is written directly
    std::string m_temporary;  ///< empty: the file has no name, or has that of the target
    int m_problem = 0;
};

/// A file that is read here and there. Nothing is mapped: a map of a file that shrinks ends the process.
///
/// All members but the moves may be called from any thread, several at once.
class ReadableFile {
public:
    /// Errors: Io (missing, no permission, not a regular file).
    [[nodiscard]] static Result<ReadableFile> open(const std::string& path);
    /// Bytes when it was opened.
    [[nodiscard]] std::uint64_t size() const { return m_size; }
    [[nodiscard]] const std::string& path() const { return m_path; }
    /// Fills `target` with what stands from `offset` on. Errors: Io with the system's reason, or when the
    /// file has become shorter.
    [[nodiscard]] Result<void> read(std::uint64_t offset, std::span<std::byte> target) const;
    [[nodiscard]] const Descriptor& descriptor() const { return m_file; }

private:
    ReadableFile(Descriptor file, std::string path, std::uint64_t size)
        : m_file(std::move(file)), m_path(std::move(path)), m_size(size) {}
    Descriptor m_file;
    std::string m_path;
    std::uint64_t m_size;
};

}  // namespace plumb
