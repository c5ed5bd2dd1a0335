// SPDX-License-Identifier: Apache-2.0
#include "core/io/system_error.h"

#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace plumb {

namespace {

std::string remedyFor(int number, bool isReading) {
    switch (number) {
    case EACCES:
    case EPERM:
        return "check the permissions, or choose a place that you may use";
    case ENOSPC:
    case EDQUOT:
        return "free some space, or choose another disk";
    case EROFS:
        return "choose a place that is not mounted read-only";
    case ENOENT:
        return isReading ? "check the name, and that the file is still there"
                         : "check the name, or create the folder first";
    case ENOTDIR:
        return "a part of the path is a file and not a folder: check the path";
    case EISDIR:
        return "name a file inside the folder";
    case EFBIG:
        return "the file is larger than the file system or the limit of this process allows (ulimit -f)";
    case ENAMETOOLONG:
        return "choose a shorter name";
    case ELOOP:
        return "the symbolic links lead in a circle: name the file itself";
    case EMFILE:
    case ENFILE:
        return "too many files are open: close some programs, or raise ulimit -n";
    default:
        return "check the disk and the path, then try again";
    }
}

}  // namespace

std::string systemReason(int number) {
    const char* const words = ::strerrordesc_np(number);
    return words != nullptr ? words : "error " + std::to_string(number);
}

Error systemError(std::string_view what, const std::string& path, int number) {
    return Error{ErrorCode::Io,
                 "cannot " + std::string(what) + " " + path + " (" + systemReason(number) + ")",
                 remedyFor(number, what == "read")};
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    if (this != &other) {
        close();
        m_number = other.release();
    }
    return *this;
}

int Descriptor::close() {
    const int number = release();
    // Not repeated on EINTR: Linux has released the number by then.
    return number >= 0 && ::close(number) != 0 ? errno : 0;
}

}  // namespace plumb
