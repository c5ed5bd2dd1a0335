// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/quantity.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace plumb::test {

/// Bytes from an address on that is a multiple of 64, as products want their scratch.
class Scratch {
public:
    explicit Scratch(Bytes bytes) : m_bytes(static_cast<std::size_t>(bytes) + kAlignment) {}
    [[nodiscard]] void* aligned() {
        const auto address = reinterpret_cast<std::uintptr_t>(m_bytes.data());
        return m_bytes.data() + (kAlignment - address % kAlignment) % kAlignment;
    }

private:
    static constexpr std::size_t kAlignment = 64;
    std::vector<std::byte> m_bytes;
};

}  // namespace plumb::test
