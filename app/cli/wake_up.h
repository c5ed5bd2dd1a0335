// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/eventfd.h>
#include <sys/types.h>

#include <cstdint>
#include <unistd.h>

namespace plumb::cli {

/// An event that any thread may cause and poll() waits for.
class WakeUp {
public:
    WakeUp() : m_descriptor(eventfd(0, EFD_CLOEXEC)) {}
    ~WakeUp() { close(m_descriptor); }
    WakeUp(const WakeUp&) = delete;
    WakeUp& operator=(const WakeUp&) = delete;
    void cause() const {
        const std::uint64_t one = 1;
        [[maybe_unused]] const ssize_t written = write(m_descriptor, &one, sizeof one);
    }
    [[nodiscard]] int descriptor() const { return m_descriptor; }

private:
    const int m_descriptor;
};

}  // namespace plumb::cli
