// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace plumb {

/// The system's reason for errno, in English under every locale: our sentences around it are.
[[nodiscard]] std::string systemReason(int number);

/// Io for a failed system call: "cannot WHAT PATH (the system's reason)" and what the user can do about it.
/// `number` is errno, taken right after the call.
[[nodiscard]] Error systemError(std::string_view what, const std::string& path, int number);

/// A file descriptor that closes itself.
class Descriptor {
public:
    explicit Descriptor(int number = -1) : m_number(number) {}
    Descriptor(Descriptor&& other) noexcept : m_number(other.release()) {}
    Descriptor& operator=(Descriptor&& other) noexcept;
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { close(); }

    [[nodiscard]] int get() const { return m_number; }
    [[nodiscard]] bool isOpen() const { return m_number >= 0; }
    /// Returns errno, or 0: a delayed write error can come as late as here.
    int close();

private:
    int release() {
        const int number = m_number;
        m_number = -1;
        return number;
    }
    int m_number;
};

}  // namespace plumb
