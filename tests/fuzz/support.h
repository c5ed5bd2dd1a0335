// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/run_config.h"

#include <string>
#include <string_view>
#include <vector>

namespace plumb::fuzz {

/// Throws std::logic_error with `promise` when it does not hold.
void require(bool holds, std::string_view promise, std::string_view detail = {});

/// Throws when an error is not one that people can read and act upon.
void requireSpeaks(const Error& error);

/// Whether an input was taken; what refuses it has to say why, and what can be done.
template <class T>
[[nodiscard]] bool isTaken(const Result<T>& result) {
    if (!result.has_value()) requireSpeaks(result.error());
    return result.has_value();
}

/// Whether a step is planned in well under a millisecond, so that planning leaves time for other inputs. Pre:
/// validated.
[[nodiscard]] bool isPlannedQuickly(const RunConfig& config);

/// A regular file in memory; its path can be opened as often as wanted.
class MemoryFile {
public:
    explicit MemoryFile(std::string_view content);
    ~MemoryFile();
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    [[nodiscard]] const std::string& path() const { return m_path; }

private:
    int m_number;
    std::string m_path;
};

/// Lines of the input, at least one.
[[nodiscard]] std::vector<std::string_view> lines(std::string_view input);

}  // namespace plumb::fuzz
