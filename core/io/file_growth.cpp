// SPDX-License-Identifier: Apache-2.0
#include "core/io/file_growth.h"

#include <sys/stat.h>

namespace plumb {

std::uint64_t grownBytes(const ReadableFile& file) {
    struct stat status {};
    if (::fstat(file.descriptor().get(), &status) != 0 || status.st_size < 0) return 0;
    const auto now = static_cast<std::uint64_t>(status.st_size);
    return now > file.size() ? now - file.size() : 0;
}

}  // namespace plumb
