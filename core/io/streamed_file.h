// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/file.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace plumb {

/// A file of any size that is read here and there, at a bounded cost in memory.
///
/// Up to 256 MiB it is read into memory as a whole when it is opened, and what happens to it afterwards does
/// not matter. A larger one is read piece by piece. Nothing is mapped: a map that shrinks ends the process,
/// and of a large one, one fault brings in the whole large page that the system's cache happens to hold
/// there, 2 MiB on Linux 6.18; 120,000 shuffled rows of 4 KiB made 7 GiB resident that way, in no less time.
///
/// All members may be called from any thread.
class StreamedFile {
public:
    /// Errors: those of ReadableFile; OutOfMemory.
    [[nodiscard]] static Result<StreamedFile> open(const std::string& path);

    [[nodiscard]] std::uint64_t size() const { return m_file.size(); }
    /// The first bytes of the file, at least 128 KiB or all of it: for headers.
    [[nodiscard]] std::span<const std::byte> start() const { return {m_bytes.get(), m_count}; }
    /// Whether it is read piece by piece; else start() is the whole file.
    [[nodiscard]] bool isStreamed() const { return m_count < m_file.size(); }

    /// Starts fetching what view() will ask for soon, so that many pieces are under way at once.
    void willRead(std::size_t offset, std::size_t length) const;
    /// These bytes: in memory already, or read into `room`, until `room` is used again. Errors: Io with the
    /// system's reason, or when the file has become shorter.
    [[nodiscard]] Result<const std::byte*> view(std::size_t offset, std::size_t length,
                                                std::vector<std::byte>& room) const;

private:
    explicit StreamedFile(ReadableFile file) : m_file(std::move(file)) {}

    ReadableFile m_file;
    std::unique_ptr<std::byte[]> m_bytes;
    std::size_t m_count = 0;
};

}  // namespace plumb
