// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <utility>

namespace plumb::cupti {

/// What CUPTI is used for at a time. Counters and activity records disturb each other, so they take turns.
enum class Mode { Counters, Activity };

/// The right to use CUPTI for one of the two in this process, until it is destroyed.
class ModeLock {
public:
    /// Errors: Unavailable while somebody else has it.
    [[nodiscard]] static Result<ModeLock> take(Mode mode);
    ~ModeLock();
    ModeLock(ModeLock&& other) noexcept : m_held(std::exchange(other.m_held, false)) {}
    ModeLock& operator=(ModeLock&&) = delete;
    ModeLock(const ModeLock&) = delete;
    ModeLock& operator=(const ModeLock&) = delete;

private:
    ModeLock() = default;
    bool m_held = true;
};

}  // namespace plumb::cupti
