// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/backend.h"
#include "kernels/cuda/device.h"

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace plumb::cuda {

/// What the driver's pool has taken from the device.
struct PoolUsage {
    Bytes reserved = 0;      ///< now
    Bytes reservedHigh = 0;  ///< most so far
    Bytes used = 0;          ///< part of what is reserved, in blocks that were handed out
    Bytes usedHigh = 0;
};

/// Device memory by tensor, from a stream-ordered pool of our own: what is released is free for the next
/// tensor on the same stream without waiting. Bytes are counted here, where they are handed out, as they were
/// asked for.
class DevicePool {
public:
    /// Who else uses the device, "1 other program uses this device (...)"; empty: nobody; absent: not known.
    using Others = std::function<std::optional<std::string>()>;

    /// `stream` must outlive this.
    [[nodiscard]] static Result<std::unique_ptr<DevicePool>> create(int device, cudaStream_t stream,
                                                                    Others others);
    ~DevicePool();
    DevicePool(const DevicePool&) = delete;
    DevicePool& operator=(const DevicePool&) = delete;

    /// Aligned to 256 bytes. Errors: noRoom(), and those of the runtime.
    [[nodiscard]] Result<Buffer> allocate(Bytes bytes, Category category);
    /// OutOfMemory with what is needed, what is free and who has some of the rest; what the runtime says
    /// instead where it does not answer.
    [[nodiscard]] Error noRoom(Bytes bytes) const;
    void release(const Buffer& buffer);
    [[nodiscard]] AllocationCount count() const { return m_count; }
    /// From now on at most `bytes`, as they are asked for; the driver's own limit stays. Returns what held
    /// before.
    Bytes setLimit(Bytes bytes) { return std::exchange(m_limit, bytes); }
    void resetHighWater() { m_count.highWater = m_count.live; }
    [[nodiscard]] Result<PoolUsage> usage() const;
    /// Gives what is free back to the driver. Waits for the stream.
    [[nodiscard]] Result<void> trim();

private:
    DevicePool(cudaMemPool_t pool, cudaStream_t stream, Others others)
        : m_pool(pool), m_stream(stream), m_others(std::move(others)) {}
    [[nodiscard]] Error beyondLimit(Bytes bytes) const;

    cudaMemPool_t m_pool;
    cudaStream_t m_stream;
    Others m_others;
    AllocationCount m_count;
    Bytes m_limit = std::numeric_limits<Bytes>::max();
};

}  // namespace plumb::cuda
