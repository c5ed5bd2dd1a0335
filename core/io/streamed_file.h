// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/file.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace plumb {

/// A mapped file of any size of which only a bounded part stays in this process's memory.
///
/// A file of at most 256 MiB is read ahead as a whole. Of a larger one the reader announces each range, so
/// that its pages are fetched in parallel. Of one above 1 GiB all pages are given back to the system, which
/// may keep them in its cache, whenever up to 1 GiB of them may have become resident. Where the system does
/// not free page tables by itself (Linux before 6.14), these grow to at most a 512th of the file.
///
/// The file must not shrink while it is open (see MappedFile). All members may be called from any thread.
class StreamedFile {
public:
    /// Errors: those of MappedFile::open().
    [[nodiscard]] static Result<StreamedFile> open(const std::string& path);

    [[nodiscard]] std::span<const std::byte> bytes() const { return m_file.bytes(); }
    /// Whether announcing reads does anything; false for a file that is read ahead as a whole.
    [[nodiscard]] bool isStreamed() const;

    /// Announces that `length` bytes from `offset` are read next, and starts fetching them.
    void willRead(std::size_t offset, std::size_t length) const;
    /// Announces reads of single elements at up to `places` places spread over `length` bytes, in rising
    /// order; what is fetched is left to the system.
    void willGather(std::size_t places, std::size_t length) const;

private:
    explicit StreamedFile(MappedFile file) : m_file(std::move(file)) {}
    void countTouched(std::size_t bytes) const;

    MappedFile m_file;
    /// Upper bound of the bytes that became resident since pages were last given back.
    std::unique_ptr<std::atomic<std::size_t>> m_touched = std::make_unique<std::atomic<std::size_t>>(0);
};

}  // namespace plumb
