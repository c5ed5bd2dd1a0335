// SPDX-License-Identifier: Apache-2.0
#include "core/io/streamed_file.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace plumb {

namespace {

constexpr std::size_t kMappedBytes = std::size_t{256} << 20U;  ///< as MappedFile reads ahead

}  // namespace

Result<StreamedFile> StreamedFile::open(const std::string& path) {
    PLUMB_TRY(MappedFile map, MappedFile::open(path));
    if (map.bytes().size() <= kMappedBytes) return StreamedFile(std::move(map), Descriptor(), path);
    Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file.isOpen()) return systemError("read", path, errno);
    // Advice only: samples are shuffled, so what follows a piece in the file is rarely wanted next.
    ::posix_fadvise(file.get(), 0, 0, POSIX_FADV_RANDOM);
    return StreamedFile(std::move(map), std::move(file), path);
}

void StreamedFile::willRead(std::size_t offset, std::size_t length) const {
    if (isStreamed())
        ::posix_fadvise(m_file.get(), static_cast<off_t>(offset), static_cast<off_t>(length),
                        POSIX_FADV_WILLNEED);
}

Result<const std::byte*> StreamedFile::view(std::size_t offset, std::size_t length,
                                            std::vector<std::byte>& room) const {
    if (!isStreamed()) return bytes().data() + offset;
    if (room.size() < length) room.resize(length);
    for (std::size_t filled = 0; filled < length;) {
        const ssize_t count =
            ::pread(m_file.get(), room.data() + filled, length - filled, static_cast<off_t>(offset + filled));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return systemError("read", m_path, errno);
        if (count == 0)
            return Error{ErrorCode::Io, m_path + " has become shorter while it was read",
                         "leave it alone until the run has ended"};
        filled += static_cast<std::size_t>(count);
    }
    return room.data();
}

}  // namespace plumb
