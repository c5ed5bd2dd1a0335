// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/system_error.h"

#include <optional>
#include <string>
#include <utility>

namespace plumb {

/// A lock between programs that lasts as long as this lives: an advisory lock of a file that is made for it
/// and stays. The system takes the lock back from a process that was killed.
///
/// One process that asks twice for the same file waits for itself. Where the file system knows no locks,
/// every request succeeds: then nothing protects from a second program.
class FileLock {
public:
    /// Waits until nobody else holds it. Errors: Io when the file cannot be made; a symbolic link is refused.
    [[nodiscard]] static Result<FileLock> acquire(const std::string& path);
    /// Empty when somebody else holds it. Errors: as acquire().
    [[nodiscard]] static Result<std::optional<FileLock>> tryAcquire(const std::string& path);

private:
    explicit FileLock(Descriptor file) : m_file(std::move(file)) {}
    Descriptor m_file;
};

}  // namespace plumb
