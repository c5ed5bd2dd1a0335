// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace plumb::cupti {

/// Buffers that CUPTI fills with records, handed out and taken back inside its callbacks: no call of CUDA or
/// CUPTI is made here, and a buffer is always given, because CUPTI drops records without one. Thread-safe.
class ActivityBuffers {
public:
    static constexpr std::size_t kBytes = std::size_t{4} << 20U;
    static constexpr std::size_t kPrepared = 8;

    struct Full {
        std::uint8_t* data = nullptr;
        std::size_t valid = 0;
    };

    ActivityBuffers();
    ~ActivityBuffers();
    ActivityBuffers(const ActivityBuffers&) = delete;
    ActivityBuffers& operator=(const ActivityBuffers&) = delete;

    /// Aligned to 8 bytes; null when there is no memory at all.
    [[nodiscard]] std::uint8_t* request() noexcept;
    /// What CUPTI is done with; empty ones go back at once.
    void complete(std::uint8_t* data, std::size_t valid) noexcept;

    /// All that are full, oldest first. Each goes back with recycle().
    [[nodiscard]] std::vector<Full> takeFull();
    void recycle(std::uint8_t* data) noexcept;
    /// Buffers that exist: a measure of how far reading lags behind.
    [[nodiscard]] std::size_t count() const;

private:
    mutable std::mutex m_mutex;
    std::vector<std::unique_ptr<std::uint64_t[]>> m_all;
    std::vector<std::uint8_t*> m_free;
    std::vector<Full> m_full;
};

}  // namespace plumb::cupti
