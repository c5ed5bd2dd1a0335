// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/file.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace plumb {

/// A file of any size that is read here and there, at a bounded cost in memory.
///
/// Up to 256 MiB it is mapped and read ahead as a whole. A larger one is read piece by piece: of a map, one
/// fault brings in the whole large page that the system's cache happens to hold there, 2 MiB on Linux 6.18.
/// 120,000 shuffled rows of 4 KiB made 7 GiB resident that way, in no less time.
///
/// A mapped file must not shrink while it is open (see MappedFile). All members may be called from any
/// thread.
class StreamedFile {
public:
    /// Errors: those of MappedFile::open().
    [[nodiscard]] static Result<StreamedFile> open(const std::string& path);

    /// The whole file, mapped: for its size, and for headers.
    [[nodiscard]] std::span<const std::byte> bytes() const { return m_map.bytes(); }
    /// Whether it is read piece by piece.
    [[nodiscard]] bool isStreamed() const { return m_file.isOpen(); }

    /// Starts fetching what view() will ask for soon, so that many pieces are under way at once.
    void willRead(std::size_t offset, std::size_t length) const;
    /// These bytes: in the map, or read into `room`, until `room` is used again. Errors: Io with the system's
    /// reason, or when the file has become shorter.
    [[nodiscard]] Result<const std::byte*> view(std::size_t offset, std::size_t length,
                                                std::vector<std::byte>& room) const;

private:
    StreamedFile(MappedFile map, Descriptor file, std::string path)
        : m_map(std::move(map)), m_file(std::move(file)), m_path(std::move(path)) {}

    MappedFile m_map;
    Descriptor m_file;  ///< closed: the map serves
    std::string m_path;
};

}  // namespace plumb
