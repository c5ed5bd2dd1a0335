// SPDX-License-Identifier: Apache-2.0
#include "core/io/file_lock.h"

#include <sys/file.h>

#include <cerrno>
#include <fcntl.h>

namespace plumb {

namespace {

Result<Descriptor> openLock(const std::string& path) {
    Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
    if (!file.isOpen()) return systemError("lock", path, errno);
    return file;
}

}  // namespace

Result<FileLock> FileLock::acquire(const std::string& path) {
    PLUMB_TRY(Descriptor file, openLock(path));
    while (::flock(file.get(), LOCK_EX) != 0 && errno == EINTR) {
    }
    return FileLock(std::move(file));
}

Result<std::optional<FileLock>> FileLock::tryAcquire(const std::string& path) {
    PLUMB_TRY(Descriptor file, openLock(path));
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return std::optional<FileLock>();
    return std::optional(FileLock(std::move(file)));
}

}  // namespace plumb
