// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <mutex>
#include <optional>

namespace plumb::cli {

/// With which error this process lost its GPUs, once it has: nothing gives them back to it. Thread-safe.
class GpuLoss {
public:
    void note(const Error& loss) {
        const std::lock_guard lock(m_mutex);
        if (!m_loss) m_loss = loss;
    }
    [[nodiscard]] std::optional<Error> get() const {
        const std::lock_guard lock(m_mutex);
        return m_loss;
    }

private:
    mutable std::mutex m_mutex;
    std::optional<Error> m_loss;
};

}  // namespace plumb::cli
