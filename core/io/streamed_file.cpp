// SPDX-License-Identifier: Apache-2.0
#include "core/io/streamed_file.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <unistd.h>
#include <utility>

namespace plumb {

namespace {

constexpr std::size_t kReadAheadBytes = std::size_t{256} << 20U;  ///< as MappedFile has it
constexpr std::size_t kResidentBytes = std::size_t{1} << 30U;
/// A fault maps the pages around it as well, where the system has them in its cache: 64 KiB on Linux.
constexpr std::size_t kFaultAroundBytes = std::size_t{64} << 10U;

std::size_t pageBytes() {
    static const auto kBytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return kBytes;
}

/// Advice only: where a system refuses it, reading works all the same.
void advise(const std::byte* begin, std::size_t length, int advice) {
    ::madvise(const_cast<std::byte*>(begin), length, advice);
}

}  // namespace

Result<StreamedFile> StreamedFile::open(const std::string& path) {
    PLUMB_TRY(MappedFile file, MappedFile::open(path));
    return StreamedFile(std::move(file));
}

bool StreamedFile::isStreamed() const { return bytes().size() > kReadAheadBytes; }

void StreamedFile::willRead(std::size_t offset, std::size_t length) const {
    if (!isStreamed() || length == 0) return;
    // Pages are read one by one as they are touched (the map is advised so, since read-ahead would be wasted
    // on shuffled rows); asking beforehand gets all pages of a batch under way at once.
    const std::size_t begin = offset / pageBytes() * pageBytes();
    advise(bytes().data() + begin, offset + length - begin, MADV_WILLNEED);
    countTouched(offset + length - begin + 2 * kFaultAroundBytes);
}

void StreamedFile::willGather(std::size_t places, std::size_t length) const {
    if (isStreamed()) countTouched(std::min(places * kFaultAroundBytes, length + 2 * kFaultAroundBytes));
}

void StreamedFile::countTouched(std::size_t added) const {
    if (bytes().size() <= kResidentBytes) return;
    if (m_touched->fetch_add(added, std::memory_order_relaxed) + added <= kResidentBytes) return;
    m_touched->store(added, std::memory_order_relaxed);
    advise(bytes().data(), bytes().size(), MADV_DONTNEED);
}

}  // namespace plumb
