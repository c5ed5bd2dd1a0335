// SPDX-License-Identifier: Apache-2.0
#include "core/io/streamed_file.h"

#include <algorithm>
#include <fcntl.h>
#include <new>
#include <utility>

namespace plumb {

namespace {

constexpr std::uint64_t kWholeBytes = std::uint64_t{256} << 20U;
constexpr std::uint64_t kStartBytes = std::uint64_t{128} << 10U;

}  // namespace

Result<StreamedFile> StreamedFile::open(const std::string& path) {
    PLUMB_TRY(ReadableFile opened, ReadableFile::open(path));
    StreamedFile file(std::move(opened));
    const std::uint64_t size = file.size();
    file.m_count = static_cast<std::size_t>(size <= kWholeBytes ? size : std::min(size, kStartBytes));
    file.m_bytes.reset(new (std::nothrow) std::byte[file.m_count]);
    if (file.m_bytes == nullptr)
        return Error{ErrorCode::OutOfMemory, "there is no memory to read " + path + " into",
                     "close some programs, or use a smaller file"};
    PLUMB_CHECK(file.m_file.read(0, {file.m_bytes.get(), file.m_count}));
    // Advice only: samples are shuffled, so what follows a piece in the file is rarely wanted next.
    if (file.isStreamed()) ::posix_fadvise(file.m_file.descriptor().get(), 0, 0, POSIX_FADV_RANDOM);
    return file;
}

void StreamedFile::willRead(std::size_t offset, std::size_t length) const {
    if (isStreamed())
        ::posix_fadvise(m_file.descriptor().get(), static_cast<off_t>(offset), static_cast<off_t>(length),
                        POSIX_FADV_WILLNEED);
}

Result<const std::byte*> StreamedFile::view(std::size_t offset, std::size_t length,
                                            std::vector<std::byte>& room) const {
    if (!isStreamed()) return m_bytes.get() + offset;
    if (room.size() < length) room.resize(length);
    PLUMB_CHECK(m_file.read(offset, std::span(room).first(length)));
    return room.data();
}

}  // namespace plumb
